#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credenet {

// The contribution of the counts of one set of variables to scores. The set is either a whole
// family (child and parents) or the parents of one.
struct SetTerms {
  double joint = 0;  // Sum over the cells of the score's function of a count.
  // Number of occupied cells; one with less than a row counts as that fraction.
  double occupied = 0;
  // Sums by the child's number of states, where that matters. MIT: the quantiles, if the set is the
  // parents. BDs: pairs of a count and the number of cells that have it. Empty for other scores.
  std::vector<double> further;
};

// The terms of a set that are stored elsewhere.
struct TermsView {
  TermsView() = default;
  TermsView(const SetTerms& terms)  // NOLINT(google-explicit-constructor)
      : joint(terms.joint), occupied(terms.occupied), further(terms.further) {}
  TermsView(double joint_term, double occupied_cells, std::span<const double> further_terms)
      : joint(joint_term), occupied(occupied_cells), further(further_terms) {}

  double joint = 0;
  double occupied = 0;
  std::span<const double> further;
};

// A family whose sets have been counted.
struct CountedFamily {
  std::size_t child = 0;
  std::size_t n_parents = 0;
  double parent_states = 1;  // Product of the parents' numbers of states.
  TermsView family;
  TermsView parents;
};

}  // namespace credenet
