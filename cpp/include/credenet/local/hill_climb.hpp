#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/families/search_result.hpp"
#include "credenet/local/local_scores.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

struct HillClimbOptions {
  std::uint64_t seed = 0;
  std::size_t n_restarts = 0;  // Climbs from a perturbed best graph after the first climb.
  // Random moves before each climb but the first; 0 for half as many as there are variables, at
  // least 4.
  std::size_t n_perturbations = 0;
  std::size_t tabu_length = 0;  // Graphs that are not returned to; 0 for plain climbing.
  std::size_t max_tabu = 0;     // Most moves in a row that lead to no new best graph.
  // Pairs whose edge may be reversed but not deleted. The start must have it.
  std::vector<std::pair<std::uint16_t, std::uint16_t>> adjacent = {};
  std::size_t gain_bytes = std::size_t{256} << 20;  // Bytes of the gains that are kept for later.
};

struct ClimbResult {
  ParentSets parents;
  double score = -std::numeric_limits<double>::infinity();
  Status status = Status::kStopped;
  std::uint64_t n_expanded = 0;   // Number of local scores asked for.
  std::vector<BoundPoint> trace;  // Best scores over time, without bounds.
};

// Climbs from a graph, which must be acyclic and have the required parents, by adding, deleting and
// reversing edges. The result is never worse than the start and, unless it was stopped, no single
// move improves it. No edge is added that changes no score, but for perturbing.
[[nodiscard]] ClimbResult hill_climb(LocalScores& scores, const ParentSets& start,
                                     const HillClimbOptions& options, Control& control);

// Hill climbing on lists of families. start is empty or has for each variable the position of its
// family. Without a start the climb begins with the empty graph, or with the network of a greedy
// order if a variable needs parents; infeasible, which is proven, if there is no network at all. If
// pairs must be adjacent, a start is needed, and lists that were not pruned: then each parent set
// has its own score.
[[nodiscard]] SearchResult hill_climb(const FamilyLists& lists, std::span<const std::int32_t> start,
                                      const HillClimbOptions& options, Control& control);

}  // namespace credenet
