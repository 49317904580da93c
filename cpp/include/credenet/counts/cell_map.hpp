#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "credenet/counts/table_counter.hpp"

namespace credenet {

// Counts by cell number: a hash table with linear probing that is at most half full.
class CellMap {
 public:
  CellMap() : slots_(std::size_t{1} << 16) {}

  void add(std::uint64_t cell, std::uint32_t count) {
    Slot& slot = slot_of(cell);
    if (slot.count == 0) {
      slot.cell = cell;
      ++n_used_;
    }
    slot.count += count;
    if (n_used_ * 2 > slots_.size()) grow();
  }

  void sorted(CellCounts& found) const {
    std::vector<Slot> used;
    used.reserve(n_used_);
    std::ranges::copy_if(slots_, std::back_inserter(used),
                         [](const Slot& slot) { return slot.count > 0; });
    std::ranges::sort(used, {}, &Slot::cell);
    for (const Slot& slot : used) {
      found.cells.push_back(slot.cell);
      found.counts.push_back(slot.count);
    }
  }

 private:
  struct Slot {
    std::uint64_t cell = 0;
    std::uint32_t count = 0;  // Rows of the cell; 0 if the slot is free.
  };

  Slot& slot_of(std::uint64_t cell) {
    std::uint64_t hash = cell * 0x9E3779B97F4A7C15ULL;
    for (std::size_t at = (hash ^ (hash >> 29U)) & (slots_.size() - 1);;
         at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].count == 0 || slots_[at].cell == cell) return slots_[at];
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.count > 0) slot_of(slot.cell) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
};

}  // namespace credenet
