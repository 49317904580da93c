#pragma once

#include <span>

#include "credenet/families/family_scorer.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The families of any scorer, asked for level by level.
[[nodiscard]] Families ask_families(const FamilyScorer& scorer, std::span<const ChildRules> rules,
                                    const FamilyOptions& options, Control& control);

// Scores families from counts if the score sits on them, else by asking the scorer.
[[nodiscard]] Families score_families(const FamilyScorer& scorer, std::span<const ChildRules> rules,
                                      const FamilyOptions& options, Control& control);

}  // namespace credenet
