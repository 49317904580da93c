#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace credenet {

// Positions 0, 1, … of distinct keys in order of insertion; open addressing, no deletion.
template <typename Key>
class FlatIndex {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

  [[nodiscard]] std::uint32_t find(const Key& key) const {
    if (slots_.empty()) return kAbsent;
    for (std::size_t slot = start(key);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kAbsent || keys_[slots_[slot]] == key) return slots_[slot];
    }
  }

  // The position of a key, which is added if it is new.
  std::uint32_t insert(const Key& key) {
    if ((keys_.size() + 1) * 2 > slots_.size()) grow();
    std::size_t slot = start(key);
    while (slots_[slot] != kAbsent) {
      if (keys_[slots_[slot]] == key) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    return slots_[slot];
  }

 private:
  [[nodiscard]] std::size_t start(const Key& key) const {
    return static_cast<std::size_t>(key.hash()) & (slots_.size() - 1);
  }

  void grow() {
    slots_.assign(std::bit_ceil((keys_.size() + 1) * 4), kAbsent);
    for (std::uint32_t at = 0; at < keys_.size(); ++at) {
      std::size_t slot = start(keys_[at]);
      while (slots_[slot] != kAbsent) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = at;
    }
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace credenet
