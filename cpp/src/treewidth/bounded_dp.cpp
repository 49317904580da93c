#include "credenet/treewidth/bounded_dp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "credenet/treewidth/bounded_tables.hpp"
#include "credenet/treewidth/subset_scores.hpp"
#include "credenet/util/no_score.hpp"

namespace credenet {
namespace {

using Set = std::uint32_t;

bool is_one_bag(std::size_t n_variables, std::size_t tree_width) {
  return tree_width + 1 >= n_variables;
}

// Finds the best network if one bag holds everything, by dynamic programming over subsets. False if
// there is none.
bool best_of_one_bag(const FamilyLists& lists, const BoundedDpOptions& options,
                     BoundedResult& result) {
  const std::size_t n = lists.n_variables();
  const SubsetScores scores(lists);
  std::vector<Set> earlier(n, 0);  // Variables that must come before.
  for (const auto& [first, second] : options.arcs) {
    earlier[static_cast<std::size_t>(second)] |= Set{1} << first;
  }
  std::vector<double> best(std::size_t{1} << n, kNoScore);
  std::vector<std::uint8_t> last(best.size());
  best[0] = 0;
  for (Set set = 1; set < best.size(); ++set) {
    for (Set left = set; left != 0; left &= left - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(left));
      const Set others = set ^ Set{1} << v;
      if ((earlier[v] & ~others) != 0) continue;
      const double sum = best[others] + scores.score(v, others);
      if (sum <= best[set]) continue;
      best[set] = sum;
      last[set] = static_cast<std::uint8_t>(v);
    }
  }
  if (best.back() == kNoScore || best.back() < options.at_least - tolerance(options.at_least)) {
    return false;
  }
  result.families.resize(n);
  for (auto set = static_cast<Set>(best.size() - 1); set != 0;) {
    const std::size_t v = last[set];
    set ^= Set{1} << v;
    result.families[v] = scores.family(v, set);
  }
  auto& bag = result.decomposition.bags.emplace_back(n);
  for (std::size_t v = 0; v < n; ++v) bag[v] = static_cast<std::int32_t>(v);
  result.decomposition.parents.push_back(-1);
  return true;
}

double sum_of_best(const FamilyLists& lists) {
  double sum = 0;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    sum += lists.begin(v) == lists.end(v) ? kNoScore : lists.scores[lists.begin(v)];
  }
  return sum;
}

Status solve(const FamilyLists& lists, const BoundedDpOptions& options, std::span<RowStore> stores,
             BoundedResult& result, Control& control) {
  const std::size_t n = lists.n_variables();
  if (n == 0) return Status::kOptimal;
  if (result.bound == kNoScore) return Status::kInfeasible;
  if (is_one_bag(n, options.tree_width)) {
    return best_of_one_bag(lists, options, result) ? Status::kOptimal : Status::kInfeasible;
  }
  BoundedTables tables(lists, options.tree_width, options.cliques, options.arcs, options.at_least);
  const Status status = tables.fill(options.max_bytes, stores, result.bound, control);
  result.peak_bytes = tables.n_bytes();
  if (status != Status::kComplete) return status;
  return tables.find_best(result) ? Status::kOptimal : Status::kInfeasible;
}

}  // namespace

std::size_t bounded_dp_bytes(std::size_t n_variables, std::size_t tree_width) {
  if (n_variables > BoundedTables::kMostVariables || !is_one_bag(n_variables, tree_width)) {
    return BoundedTables::bytes(n_variables, tree_width);
  }
  return SubsetScores::bytes(n_variables) +
         ((sizeof(double) + sizeof(std::uint8_t)) << n_variables);
}

double bounded_dp_steps(std::size_t n_variables, std::size_t tree_width) {
  const auto n = static_cast<double>(n_variables);
  if (is_one_bag(n_variables, tree_width)) return n * std::exp2(n);
  return BoundedTables::steps(n_variables, tree_width);
}

BoundedResult bounded_dp(const FamilyLists& lists, const BoundedDpOptions& options,
                         Control& control) {
  std::vector<RowStore> stores(std::max(options.n_threads, 1U));
  return bounded_dp(lists, options, stores, control);
}

BoundedResult bounded_dp(const FamilyLists& lists, const BoundedDpOptions& options,
                         std::span<RowStore> stores, Control& control) {
  const std::size_t n = lists.n_variables();
  BoundedResult result;
  BoundTrace trace;
  result.bound = sum_of_best(lists);
  trace.record(result.score, result.bound);
  const std::size_t bytes = options.at_least == kNoScore || is_one_bag(n, options.tree_width)
                                ? bounded_dp_bytes(n, options.tree_width)
                                : BoundedTables::least_bytes(n, options.tree_width);
  if (bytes > options.max_bytes || bytes == std::numeric_limits<std::size_t>::max()) {
    result.status = Status::kMemoryLimit;
  } else {
    result.peak_bytes = bytes;
    result.status = solve(lists, options, stores, result, control);
  }
  if (result.status == Status::kInfeasible) result.bound = kNoScore;
  if (result.status == Status::kOptimal) {
    result.score = 0;
    for (std::size_t v = 0; v < n; ++v) {
      result.score += lists.scores[lists.begin(v) + static_cast<std::size_t>(result.families[v])];
    }
    result.bound = result.score;
  }
  trace.record(result.score, result.bound);
  result.trace = trace.take();
  return result;
}

}  // namespace credenet
