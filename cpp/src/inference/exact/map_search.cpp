// Marginal MAP. Where all sums can come before all maxima one propagation answers. Elsewhere the
// tree takes the maxima of some variables before sums that should come first; since a sum of maxima
// is at least the maximum of the sums, its value bounds the truth, and it is the truth once these
// variables have states. Depth-first branch and bound over them alone (Park and Darwiche, UAI
// 2003), each node evaluated by an update of the messages that its state changes (Yuan and Hansen,
// 2009); the start is the most probable explanation, improved one state at a time. The trees of a
// forest are searched one after another, the others standing at their best so far: their logs add
// up.
#include "credenet/inference/exact/map_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace credenet {
namespace {

constexpr double kCheapCells = 1 << 18;  // Cells of a tree that is cheap enough for many updates.
constexpr double kNothing = -std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-12;  // Relative difference that counts as none.
// Log2 of the most cells of a table, tried in turn.
constexpr std::array kLog2Most{24, 22, 20, 18, 16, 14, 12, 10};

// Polls with the progress of the search, not that of one propagation.
class SearchControl final : public Control {
 public:
  explicit SearchControl(Control& outer) : outer_(outer) {}
  [[nodiscard]] bool poll(const Progress&) override { return outer_.poll(progress); }

  Progress progress;

 private:
  Control& outer_;
};

class Search {
 public:
  Search(const FactorsView& factors, const PropagationLayout& layout, const Evidence& evidence,
         unsigned n_threads, Control& control)
      : factors_(factors),
        layout_(layout),
        states_(evidence.states.begin(), evidence.states.end()),
        given_(evidence.likelihoods),
        likelihoods_(given_.begin(), given_.end()),
        n_threads_(n_threads),
        control_(control),
        propagation_(factors, layout) {}

  MapResult run() {
    find_early_maxima();
    if (!propagation_.collect(evidence(), Marginalisation::kSum, n_threads_, control_)) {
      return std::move(result_);
    }
    if (!propagation_.is_possible()) {
      result_.log_bound = result_.log_value;
      result_.status = Status::kInfeasible;
      return std::move(result_);
    }
    const double relaxed = propagation_.log_value();
    result_.log_bound = relaxed;
    if (early_.empty()) {
      keep(relaxed);
      result_.status = Status::kOptimal;
      return std::move(result_);
    }
    control_.progress.bound = relaxed;
    if (start() && result_.has_states() && climb() && search()) {
      result_.status = Status::kOptimal;
      result_.log_bound = result_.log_value;
    }
    result_.log_bound = std::max(result_.log_bound, result_.log_value);
    return std::move(result_);
  }

 private:
  [[nodiscard]] Evidence evidence() const { return {states_, likelihoods_}; }

  // Finds the variables whose maximum comes before some sum.
  void find_early_maxima() {
    const auto& cliques = layout_.tree.cliques;
    std::vector<std::uint8_t> is_below_sum(cliques.size(), 0);
    std::vector<std::size_t> root(cliques.size());
    std::vector<std::vector<Node>> early(cliques.size());  // Early variables by root.
    for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
      for (const std::int32_t id : *level) {
        const Clique& clique = cliques[static_cast<std::size_t>(id)];
        if (clique.parent >= 0) {
          const auto parent = static_cast<std::size_t>(clique.parent);
          is_below_sum[static_cast<std::size_t>(id)] =
              is_below_sum[parent] || !cliques[parent].is_maximised ? 1 : 0;
          root[static_cast<std::size_t>(id)] = root[parent];
        } else {
          root[static_cast<std::size_t>(id)] = static_cast<std::size_t>(id);
        }
        if (!clique.is_maximised || !is_below_sum[static_cast<std::size_t>(id)]) continue;
        std::copy(clique.members.begin() + static_cast<std::ptrdiff_t>(clique.n_separator),
                  clique.members.end(),
                  std::back_inserter(early[root[static_cast<std::size_t>(id)]]));
      }
    }
    for (auto& group : early) {
      early_.insert(early_.end(), group.begin(), group.end());
      if (!group.empty()) groups_.push_back(std::move(group));
    }
  }

  void assign(Node variable, std::int32_t state) {
    release(variable);
    const auto begin = layout_.marginal_begin[static_cast<std::size_t>(variable)];
    for (std::size_t at = 0; at < factors_.states_of(variable); ++at) {
      if (static_cast<std::int32_t>(at) != state) likelihoods_[begin + at] = 0;
    }
  }

  void release(Node variable) {
    const auto begin = layout_.marginal_begin[static_cast<std::size_t>(variable)];
    std::copy_n(given_.begin() + static_cast<std::ptrdiff_t>(begin), factors_.states_of(variable),
                likelihoods_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  // Computes the value of the tree for the current assignment. False if the control stopped it.
  bool evaluate(double& value) {
    ++result_.n_nodes;
    control_.progress.done = result_.n_nodes;
    if (!propagation_.update(evidence(), n_threads_, control_)) return false;
    value = propagation_.is_possible() ? propagation_.log_value() : kNothing;
    return true;
  }

  // Takes over the states of the last evaluation, in which no maximum came early.
  void keep(double value) {
    result_.log_value = value;
    result_.states = states_;
    for (const Node variable : early_) {
      const auto at = static_cast<std::size_t>(variable);
      const std::size_t begin = layout_.marginal_begin[at];
      const auto first = likelihoods_.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto found =
          std::find_if(first, first + static_cast<std::ptrdiff_t>(factors_.states_of(variable)),
                       [](double likelihood) { return likelihood > 0; });
      result_.states[at] = static_cast<std::int32_t>(found - first);
    }
    propagation_.trace_back(result_.states);
    control_.progress.score = value;
  }

  [[nodiscard]] bool is_better(double value) const {
    const double best = result_.log_value;
    return value > best + (std::isfinite(best) ? kTolerance * std::max(1.0, std::abs(best)) : 0);
  }

  // Starts from the most probable explanation, as far as the variables that need states go.
  bool start() {
    std::vector<std::int32_t> states = states_;
    {
      Propagation maxima(factors_, layout_);
      if (!maxima.collect(evidence(), Marginalisation::kMax, n_threads_, control_)) return false;
      if (maxima.is_possible()) maxima.trace_back(states);
    }
    for (const Node variable : early_) {
      assign(variable, states[static_cast<std::size_t>(variable)]);
    }
    double value = 0;
    if (!evaluate(value)) return false;
    if (is_better(value)) keep(value);
    return true;
  }

  // Takes better states of one variable at a time, until there are none.
  bool climb() {
    for (bool is_improving = result_.has_states(); is_improving;) {
      is_improving = false;
      for (const Node variable : early_) {
        const auto at = static_cast<std::size_t>(variable);
        for (std::int32_t state = 0; state < factors_.n_states[at]; ++state) {
          if (state == result_.states[at]) continue;
          assign(variable, state);
          double value = 0;
          if (!evaluate(value)) return false;
          if (!is_better(value)) continue;
          keep(value);
          is_improving = true;
        }
        assign(variable, result_.states[at]);
      }
    }
    return true;
  }

  // Searches group by group; a group's slack is how far its bound is above its part of the best.
  bool search() {
    std::vector<double> slacks;
    for (const auto& group : groups_) {
      for (const Node variable : group) release(variable);
      double value = 0;
      if (!evaluate(value)) return false;
      slacks.push_back(std::max(0.0, value - result_.log_value));
      take_best(group);
    }
    slack_ = std::accumulate(slacks.begin(), slacks.end(), 0.0);
    for (std::size_t at = 0; at < groups_.size(); ++at) {
      group_ = std::move(groups_[at]);
      slack_ -= slacks[at];
      for (const Node variable : group_) release(variable);
      const double bound = result_.log_value + slacks[at];
      if (!sort_variables(bound) || !branch(0, bound)) return false;
      take_best(group_);
    }
    return true;
  }

  void take_best(std::span<const Node> group) {
    for (const Node variable : group) {
      assign(variable, result_.states[static_cast<std::size_t>(variable)]);
    }
  }

  // Sorts the variables so that those come first whose states bring the bound down most.
  bool sort_variables(double relaxed) {
    std::vector<std::pair<double, Node>> weights;
    for (const Node variable : group_) {
      double weight = 0;
      for (std::int32_t state = 0; state < factors_.n_states[static_cast<std::size_t>(variable)];
           ++state) {
        assign(variable, state);
        double value = 0;
        if (!evaluate(value)) return false;
        weight += std::exp(value - relaxed);
      }
      release(variable);
      weights.emplace_back(weight, variable);
    }
    std::ranges::stable_sort(weights, {}, &std::pair<double, Node>::first);
    for (std::size_t at = 0; at < group_.size(); ++at) group_[at] = weights[at].second;
    return true;
  }

  // Goes through all states of the variables from this depth on. The variables before have states,
  // which give node_bound.
  bool branch(std::size_t depth, double node_bound) {
    tighten(node_bound);
    const Node variable = group_[depth];
    std::vector<std::pair<double, std::int32_t>> children;
    for (std::int32_t state = 0; state < factors_.n_states[static_cast<std::size_t>(variable)];
         ++state) {
      assign(variable, state);
      double value = 0;
      if (!evaluate(value)) return false;
      if (!is_better(value)) continue;
      if (depth + 1 == group_.size()) {
        keep(value);
      } else {
        children.emplace_back(value, state);
      }
    }
    std::ranges::stable_sort(children, std::greater{}, &std::pair<double, std::int32_t>::first);
    open_.push_back(0);
    for (std::size_t at = 0; at < children.size() && is_better(children[at].first); ++at) {
      open_.back() = at + 1 < children.size() ? children[at + 1].first : kNothing;
      assign(variable, children[at].second);
      if (!branch(depth + 1, children[at].first)) return false;
    }
    open_.pop_back();
    release(variable);
    return true;
  }

  // Lowers the bound to the largest of what is left to search: a node, at every depth above it the
  // states after the current one, and the groups to come.
  void tighten(double node_bound) {
    for (const double bound : open_) node_bound = std::max(node_bound, bound);
    node_bound = std::max(node_bound, result_.log_value);
    result_.log_bound = std::min(result_.log_bound, node_bound + slack_);
    control_.progress.bound = std::max(result_.log_bound, result_.log_value);
  }

  const FactorsView& factors_;
  const PropagationLayout& layout_;
  std::vector<std::int32_t> states_;
  std::span<const double> given_;
  std::vector<double> likelihoods_;
  unsigned n_threads_;
  SearchControl control_;
  Propagation propagation_;
  std::vector<Node> early_;
  std::vector<std::vector<Node>> groups_;  // Early variables by tree.
  std::vector<Node> group_;                // Variables of the current group.
  double slack_ = 0;                       // Slack of the later groups.
  std::vector<double> open_;  // Bound of the states after the current one, for each depth.
  MapResult result_;
};

}  // namespace

CliqueTree map_tree(const FactorsView& factors, const QueryShape& query,
                    std::span<const Node> order, const MapBudget& budget, unsigned n_threads,
                    Control& control) {
  CliqueTree exact = clique_tree(factors, query, order, n_threads, control);
  if (exact.cells <= budget.cells && propagation_bytes(factors, exact) <= budget.bytes) {
    return exact;
  }
  CliqueTree smallest = clique_tree(factors, query, {}, n_threads, control, kNothing);
  const double affordable = std::max(kCheapCells, 4 * smallest.cells);
  for (const int log2_most : kLog2Most) {
    CliqueTree tree = clique_tree(factors, query, {}, n_threads, control, log2_most);
    if (tree.cells <= affordable && propagation_bytes(factors, tree) <= budget.bytes) return tree;
  }
  return smallest;
}

MapResult map_search(const FactorsView& factors, const PropagationLayout& layout,
                     const Evidence& evidence, unsigned n_threads, Control& control) {
  return Search(factors, layout, evidence, n_threads, control).run();
}

}  // namespace credenet
