#pragma once

#include <cstddef>
#include <span>

#include "credenet/families/score_families.hpp"

namespace credenet {

// The promising candidate parent sets of each variable, best first, for data with too many
// variables to go through all sets. Variables take turns. Each gets the same number of families, at
// most max_families (0 for no limit). Unless the control stops the work, what is found for a
// variable depends on that number alone. The result is complete if superset bounds leave nothing to
// explore. Each variable may take an equal share of options.max_bytes.
[[nodiscard]] Families explore_families(const CountSource& source, const ScoreSettings& settings,
                                        std::span<const ChildRules> rules,
                                        const FamilyOptions& options, std::size_t max_families,
                                        Control& control);

}  // namespace credenet
