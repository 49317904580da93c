#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/lattice/component_lists.hpp"

namespace credenet {

// The best family of a variable among those available, faster than ComponentLists::best on long
// lists. For each word of 64 families and each parent there are the bits of the families that use
// it; or-ing those of the parents that are missing leaves the families within reach, and the first
// of these is the best. The first few families are tested one by one, as the best is mostly among
// them.
class BestParents {
 public:
  explicit BestParents(const ComponentLists& lists);

  // Position in the list, or its size if there is none.
  [[nodiscard]] std::size_t operator()(std::size_t variable, std::uint64_t available) const {
    const List& list = lists_[variable];
    for (std::size_t k = 0; k < list.n_scanned; ++k) {
      if ((list.parents[k] & ~available) == 0) return k;
    }
    return list.n_scanned == list.size ? list.size : among_words(list, available);
  }

 private:
  struct List {
    const std::uint64_t* parents;
    std::size_t size;
    std::size_t n_scanned;
    std::uint64_t used;  // Parents of any family of the variable.
    std::size_t start;   // Start of its words in uses_.
  };

  [[nodiscard]] std::size_t among_words(const List& list, std::uint64_t available) const;

  std::size_t n_;
  std::vector<List> lists_;
  // One word per parent, for each variable and each word of its list.
  std::vector<std::uint64_t> uses_;
};

}  // namespace credenet
