#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/families/family_scorer.hpp"
#include "credenet/families/score_families.hpp"

namespace credenet {

// Scores the promising candidate parent sets of each variable, best first, for data with too many
// variables to go through all sets. The work can be interrupted, and goes on where it ended. The
// scorer must outlive the explorer.
//
// Each variable gets the same number of families, at most max_families (0 for no limit), and may
// take an equal share of options.max_bytes. As long as the control stops nothing, what is found for
// a variable depends on that number alone.
class FamilyExplorer {
 public:
  FamilyExplorer(const FamilyScorer& scorer, std::vector<ChildRules> rules,
                 const FamilyOptions& options, std::size_t max_families);
  ~FamilyExplorer();
  FamilyExplorer(const FamilyExplorer&) = delete;
  FamilyExplorer& operator=(const FamilyExplorer&) = delete;

  // Scores further families; variables take turns. False if the control stopped it.
  bool explore(Control& control);

  // Scores the parent sets of a network and those nearest to them: each with the most promising
  // further parents, this many, also in the place of one of its members.
  bool explore_near(std::span<const std::vector<std::uint16_t>> network, std::size_t n_further,
                    Control& control);

  // The families scored so far, best first. Complete if superset bounds leave nothing to explore.
  [[nodiscard]] Families families() const;

  class Variables;  // The explorer for one number of words in a set.

 private:
  std::unique_ptr<Variables> variables_;
};

}  // namespace credenet
