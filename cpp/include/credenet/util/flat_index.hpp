#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
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
      if (slots_[slot].at == kAbsent || holds(slots_[slot], key)) return slots_[slot].at;
    }
  }

  // The position of a key, which is added if it is new.
  std::uint32_t insert(const Key& key) {
    // At most two thirds of the slots are taken.
    if ((keys_.size() + 1) * 3 > slots_.size() * 2) grow();
    std::size_t slot = start(key);
    while (slots_[slot].at != kAbsent) {
      if (holds(slots_[slot], key)) return slots_[slot].at;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = make(key, static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(key);
    return slots_[slot].at;
  }

 private:
  // A small key is kept in its slot, which saves a cache miss. Of a large key, only some bits of
  // its hash are.
  static constexpr bool kInline = sizeof(Key) <= 16;

  struct WholeSlot {
    Key key{};
    std::uint32_t at = kAbsent;
  };
  struct TaggedSlot {
    std::uint32_t tag = 0;
    std::uint32_t at = kAbsent;
  };
  using Slot = std::conditional_t<kInline, WholeSlot, TaggedSlot>;

  static std::uint32_t tag_of(const Key& key) {
    return static_cast<std::uint32_t>(key.hash() >> 32);
  }

  static Slot make(const Key& key, std::uint32_t at) {
    if constexpr (kInline) {
      return {key, at};
    } else {
      return {tag_of(key), at};
    }
  }

  [[nodiscard]] bool holds(const Slot& slot, const Key& key) const {
    if constexpr (kInline) {
      return slot.key == key;
    } else {
      return slot.tag == tag_of(key) && keys_[slot.at] == key;
    }
  }

  [[nodiscard]] std::size_t start(const Key& key) const {
    return static_cast<std::size_t>(key.hash()) & (slots_.size() - 1);
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(slots_.size() * 2, 16), Slot{});
    for (std::uint32_t at = 0; at < keys_.size(); ++at) {
      std::size_t slot = start(keys_[at]);
      while (slots_[slot].at != kAbsent) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = make(keys_[at], at);
    }
  }

  std::vector<Key> keys_;
  std::vector<Slot> slots_;
};

}  // namespace credenet
