// Distinct strings of one column, coded in order of first appearance. A string of one byte is
// looked up by that byte, one of up to seven bytes by these bytes packed into a word, a longer one
// by hash and comparison.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace credenet {

class LabelDictionary {
 public:
  LabelDictionary() : slots_(64) { single_.fill(kNone); }

  // The code of a string in memory that ends at end; row is kept for a string that is new.
  std::uint32_t code(std::string_view field, const char* end, std::uint64_t row) {
    if (field.size() == 1) {
      std::uint32_t& code = single_[static_cast<unsigned char>(field[0])];
      if (code == kNone) code = add(field, row);
      return code;
    }
    const bool is_short = field.size() <= 7;
    const std::uint64_t key = is_short ? packed(field, end) : hash_of_long(field);
    std::size_t slot = position(key);
    while (slots_[slot].key != 0) {
      if (slots_[slot].key == key && (is_short || labels[slots_[slot].code] == field)) {
        return slots_[slot].code;
      }
      slot = (slot + 1) & (slots_.size() - 1);
    }
    const std::uint32_t code = add(field, row);
    slots_[slot] = {key, code};
    if (++n_used_ * 2 > slots_.size()) grow();
    return code;
  }

  // A new code that no string has.
  std::uint32_t code_apart(std::uint64_t row) { return add({}, row); }

  std::vector<std::string> labels;
  std::vector<std::uint64_t> rows;  // The row in which each label appears first.

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t code = 0;
  };

  // The bytes of a string of at most seven, packed into a word. A whole word is loaded if the
  // memory has one at this place.
  [[nodiscard]] static std::uint64_t packed(std::string_view field, const char* end) {
    std::uint64_t word = 0;
    if (end - field.data() >= 8) {
      std::memcpy(&word, field.data(), 8);
      word &= (std::uint64_t{1} << (8 * field.size())) - 1;
    } else {
      std::memcpy(&word, field.data(), field.size());
    }
    // The last byte is not 0, so the word is never 0.
    return word | (static_cast<std::uint64_t>(field.size() + 1) << 56);
  }

  [[nodiscard]] static std::uint64_t hash_of_long(std::string_view field) {
    std::uint64_t hash = 0xCBF29CE484222325ULL ^ field.size();
    std::size_t at = 0;
    for (; at + 8 <= field.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, field.data() + at, 8);
      hash = std::rotl((hash ^ word) * 0x9E3779B97F4A7C15ULL, 29);
    }
    std::uint64_t word = 0;
    if (at < field.size()) std::memcpy(&word, field.data() + at, field.size() - at);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    // The last byte tells the hash from every packed word.
    return hash | (std::uint64_t{0xFF} << 56);
  }

  std::uint32_t add(std::string_view field, std::uint64_t row) {
    labels.emplace_back(field);
    rows.push_back(row);
    return static_cast<std::uint32_t>(labels.size() - 1);
  }

  [[nodiscard]] std::size_t position(std::uint64_t key) const {
    return (key * 0x9E3779B97F4A7C15ULL) >> (64 - std::countr_zero(slots_.size()));
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.key == 0) continue;
      std::size_t slot = position(entry.key);
      while (slots_[slot].key != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = entry;
    }
  }

  std::array<std::uint32_t, 256> single_;
  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
};

}  // namespace credenet
