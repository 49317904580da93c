#pragma once

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

// What a compiler or a system may lack, each with a fallback: several instruction sets in one
// program, numbers of 128 bits, sums and products that tell of overflow, and threads that are
// joined. Files, locks and maps of files are in sources whose names end with _posix or _win32.

// CREDENET_CLONES before a function compiles it for several instruction sets; the loader picks one
// at run time. That takes GCC and the loader of glibc on x86-64; elsewhere the macro is empty. It
// is also empty under sanitizers, because the resolver would run before their start-up.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CREDENET_CLONES \
  __attribute__((target_clones("arch=icelake-server", "arch=x86-64-v3", "default")))
#else
#define CREDENET_CLONES
#endif

// CREDENET_WIDE_POPCOUNT before a function compiles it for the processors that count the ones of
// 512 bits at once; whether this one does is asked at run time. Where it is not defined, there is
// no such function. GCC for Windows does not align 512 bits on the stack.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define CREDENET_WIDE_POPCOUNT __attribute__((target("avx512f,avx512vpopcntdq")))
#endif

namespace credenet {

// An unsigned number of 128 bits as two words.
class TwoWords {
 public:
  constexpr TwoWords(std::uint64_t low = 0) : low_(low) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit operator std::uint64_t() const { return low_; }

  friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
  }
  friend constexpr TwoWords operator*(TwoWords a, TwoWords b) {
    TwoWords product = multiply(a.low_, b.low_);
    product.high_ += a.high_ * b.low_ + a.low_ * b.high_;
    return product;
  }
  friend constexpr TwoWords operator>>(TwoWords value, unsigned n_bits) {
    if (n_bits == 0) return value;
    if (n_bits >= 64) return {0, value.high_ >> (n_bits - 64)};
    return {value.high_ >> n_bits, value.low_ >> n_bits | value.high_ << (64 - n_bits)};
  }
  constexpr TwoWords& operator+=(TwoWords other) { return *this = *this + other; }
  constexpr TwoWords& operator>>=(unsigned n_bits) { return *this = *this >> n_bits; }

 private:
  constexpr TwoWords(std::uint64_t high, std::uint64_t low) : low_(low), high_(high) {}

  // The product of two words, from those of their halves.
  static constexpr TwoWords multiply(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kHalf = 0xFFFFFFFF;
    const std::uint64_t low = (a & kHalf) * (b & kHalf);
    const std::uint64_t middle = (a >> 32) * (b & kHalf) + (low >> 32);  // Cannot overflow.
    const std::uint64_t other = (a & kHalf) * (b >> 32) + (middle & kHalf);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & kHalf)};
  }

  std::uint64_t low_;
  std::uint64_t high_ = 0;
};

#if defined(__SIZEOF_INT128__)
__extension__ using Wide = unsigned __int128;
#else
using Wide = TwoWords;
#endif

// Stores the sum of two words; returns whether it does not fit into a word.
[[nodiscard]] inline bool add_overflows(std::uint64_t a, std::uint64_t b, std::uint64_t& sum) {
#if defined(__GNUC__)
  return __builtin_add_overflow(a, b, &sum);
#else
  sum = a + b;
  return sum < a;
#endif
}

// Stores the product of two words; returns whether it does not fit into a word.
[[nodiscard]] inline bool multiply_overflows(std::uint64_t a, std::uint64_t b,
                                             std::uint64_t& product) {
#if defined(__GNUC__)
  return __builtin_mul_overflow(a, b, &product);
#else
  const Wide whole = Wide{a} * b;
  product = static_cast<std::uint64_t>(whole);
  return static_cast<std::uint64_t>(whole >> 64) != 0;
#endif
}

// Threads that are joined at the end of the scope. std::jthread does this too, but libc++ had it
// only as an experiment before version 20.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) thread.join();
  }

  void reserve(std::size_t n_threads) { threads_.reserve(n_threads); }

  // Throws std::system_error if the system gives no further thread.
  template <typename... Arguments>
  void start(Arguments&&... arguments) {
    threads_.emplace_back(std::forward<Arguments>(arguments)...);
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace credenet
