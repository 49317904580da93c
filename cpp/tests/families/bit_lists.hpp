#pragma once

#include <cstdint>
#include <vector>

#include "credenet/families/owned_lists.hpp"

// Lists of families whose parents may be given as bits.
struct BitLists : credenet::OwnedLists {
  using credenet::OwnedLists::add_family;

  void add_family(double score, std::uint64_t set) {
    std::vector<std::int32_t> members;
    for (std::int32_t parent = 0; parent < 64; ++parent) {
      if ((set >> parent & 1) != 0) members.push_back(parent);
    }
    add_family(score, members);
  }
};
