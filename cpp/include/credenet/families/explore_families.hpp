#pragma once

#include <cstddef>
#include <span>

#include "credenet/families/score_families.hpp"

namespace credenet {

// The promising parent sets of each variable, best first, for data with too many variables to go
// through all sets. Every variable is given the same number of families in turn, and at most
// max_families in all (0 for no limit); what is found for a variable depends on that number alone
// unless the control stops the work. Complete where the bounds of the score leave nothing to
// explore. Of options.max_bytes each variable may take an equal share.
[[nodiscard]] Families explore_families(const CountSource& source, const ScoreSettings& settings,
                                        std::span<const ChildRules> rules,
                                        const FamilyOptions& options, std::size_t max_families,
                                        Control& control);

}  // namespace credenet
