#include "credenet/lattice/best_parents.hpp"

#include <algorithm>
#include <bit>

namespace credenet {
namespace {

constexpr std::size_t kScanned = 12;  // Families that are tested one by one.
constexpr std::size_t kWordBits = 64;

}  // namespace

BestParents::BestParents(const ComponentLists& lists) : n_(lists.n_variables()) {
  for (std::size_t variable = 0; variable < n_; ++variable) {
    const auto parents = lists.parents(variable);
    List list{.parents = parents.data(),
              .size = parents.size(),
              .n_scanned = std::min(kScanned, parents.size()),
              .used = 0,
              .start = uses_.size()};
    uses_.resize(uses_.size() + (parents.size() + kWordBits - 1) / kWordBits * n_, 0);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      list.used |= parents[k];
      std::uint64_t* word = uses_.data() + list.start + k / kWordBits * n_;
      for (std::uint64_t rest = parents[k]; rest != 0; rest &= rest - 1) {
        word[std::countr_zero(rest)] |= std::uint64_t{1} << (k % kWordBits);
      }
    }
    lists_.push_back(list);
  }
}

std::size_t BestParents::among_words(const List& list, std::uint64_t available) const {
  const std::uint64_t missing = list.used & ~available;
  const std::uint64_t* word = uses_.data() + list.start;
  for (std::size_t first = 0; first < list.size; first += kWordBits, word += n_) {
    std::uint64_t out_of_reach = 0;
    for (std::uint64_t rest = missing; rest != 0; rest &= rest - 1) {
      out_of_reach |= word[std::countr_zero(rest)];
    }
    if (~out_of_reach != 0) {
      const auto k = first + static_cast<std::size_t>(std::countr_one(out_of_reach));
      return std::min(k, list.size);  // Bits past the end are free.
    }
  }
  return list.size;
}

}  // namespace credenet
