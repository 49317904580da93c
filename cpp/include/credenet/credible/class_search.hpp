#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/credible/credible_search.hpp"

namespace credenet {

// Markov equivalence classes of networks of a component, best first: one network and the size of
// each.
struct CredibleClasses {
  CredibleNetworks networks;
  // Number of networks of each class; 0 if it does not fit into 64 bits.
  std::vector<std::uint64_t> sizes;
};

// All classes with a credible network, each once, without enumerating their networks. The score
// must be the same for all networks of a class. The search must have been solved for the same
// members and at least these families.
[[nodiscard]] CredibleClasses credible_classes(const CredibleSearch& search,
                                               const FamilyLists& lists,
                                               std::span<const std::int32_t> members,
                                               const CredibleLimits& limits, Control& control);

}  // namespace credenet
