#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "credenet/util/portable.hpp"

namespace credenet {

// The generator xoshiro256++ (Blackman and Vigna): fast, 256 bits of state, passes the usual test
// batteries. (seed, stream) names a stream, so a block of work draws the same numbers whichever
// thread runs it.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t mixer = seed;
    mixer = split_mix(mixer) ^ (stream * 0xD1342543DE82EF95ULL);
    for (std::uint64_t& word : state_) word = split_mix(mixer);
  }

  std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  // Uniform in [0, bound), without bias (Lemire's multiply and reject).
  std::uint64_t below(std::uint64_t bound) {
    Wide product = Wide{(*this)()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) {
        product = Wide{(*this)()} * bound;
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  static std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t word = state;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace credenet
