// The candidate parent sets of one variable that have been scored. A set is closed if a bound shows
// that no superset can come within the slack of what is known (the rules of score_families.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/family_terms.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

template <std::size_t kWords>
class ScoredSets {
  using Set = VariableSet<kWords>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 public:
  struct Node {
    double plain = -kInfinity;  // score without prior
    double score = -kInfinity;  // with it
    double best = -kInfinity;   // best score of it and its known subsets
    double guard = -kInfinity;  // the same without prior, less what a prior may still add
    double likelihood = 0;      // of the child given the parents (scores that have one)
    double joint = 0;           // term of the parents alone
    double states = 1;          // product of the parents' numbers of states
    bool scored = false;
    bool closed = false;  // no superset can be useful
  };

  // A parent that can be left out of a set, and the set without it.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t node = 0;
  };

  ScoredSets(const ScoreSettings& settings, const ChildRules& rules, const FamilyOptions& options,
             std::size_t child)
      : settings_(settings),
        rules_(rules),
        options_(options),
        prior_(rules),
        child_(child),
        free_states_(settings.n_states[child] - 1.0) {
    for (const std::uint16_t parent : rules.required) required_.insert(parent);
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const Node& operator[](std::uint32_t at) const { return nodes_[at]; }
  [[nodiscard]] const Set& parents(std::uint32_t at) const { return index_.keys()[at]; }
  // FlatIndex::kAbsent if the set is not known.
  [[nodiscard]] std::uint32_t find(const Set& parents) const { return index_.find(parents); }
  [[nodiscard]] const Set& required() const { return required_; }
  [[nodiscard]] const ChildPrior& prior() const { return prior_; }
  [[nodiscard]] std::uint64_t n_evaluated() const { return n_evaluated_; }
  // As in Families: the most parents tried beyond the required ones, plus one.
  [[nodiscard]] std::size_t n_levels() const { return n_levels_; }

  // Adds the first set: the required parents alone.
  void start(FamilyTerms& terms) {
    parameter_cost_ = options_.prune ? terms.scorer().parameter_cost() : 0;
    add(terms, rules_.required, required_);
  }

  std::uint32_t extend(FamilyTerms& terms, const Set& parents, std::uint16_t added) {
    variables_.clear();
    parents.for_each(
        [&](std::size_t parent) { variables_.push_back(static_cast<std::uint16_t>(parent)); });
    variables_.push_back(added);
    return add(terms, variables_, parents.with(added));
  }

  void close(std::uint32_t at) { nodes_[at].closed = true; }

  // The known sets that lack one of its parents.
  std::span<const Subset> find_subsets(const Set& parents) {
    subsets_.clear();
    parents.for_each([&](std::size_t parent) {
      if (required_.contains(parent)) return;
      const std::uint32_t at = index_.find(parents.without(parent));
      if (at != FlatIndex<Set>::kAbsent) subsets_.push_back({parent, at});
    });
    return subsets_;
  }

  // How many states an added parent may have; with more, a bound prunes the set.
  [[nodiscard]] double most_states(std::uint32_t at) const {
    if (parameter_cost_ <= 0) return kInfinity;
    const Node& node = nodes_[at];
    const double of_one = parameter_cost_ * free_states_ * node.states;
    const double rise = prior_.step_rise(index_.keys()[at].size());
    return std::min((margin() - node.guard) / of_one,
                    1 + (margin() - node.likelihood + rise) / of_one);
  }

  [[nodiscard]] bool needs_too_many_parameters(double states, double guard) const {
    return parameter_cost_ > 0 && parameter_cost_ * free_states_ * states > -guard + margin();
  }

  // Whether a parent is useless together with one of those in a set.
  [[nodiscard]] bool has_closed_pair(const Set& parents, std::uint16_t added) const {
    const std::size_t n_required = rules_.required.size();
    if (parents.size() < n_required + 3) return false;  // the pairs have been looked at
    bool closed = false;
    parents.for_each([&](std::size_t parent) {
      if (closed || required_.contains(parent)) return;
      const std::uint32_t at = index_.find(required_.with(added).with(parent));
      closed = at != FlatIndex<Set>::kAbsent && nodes_[at].closed;
    });
    return closed;
  }

  // Reports the scored families, best first, without those that a subset beats by more than the
  // slack.
  void report(ChildFamilies& output) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      const Node& node = nodes_[at];
      if (!node.scored || node.score == -kInfinity) continue;
      if (options_.prune && node.score < node.best - margin()) continue;
      order.push_back(at);
    }
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].score != nodes_[b].score ? nodes_[a].score > nodes_[b].score : a < b;
    });
    FlatIndex<Set> kept;
    std::size_t n_better = 0;  // kept families that are better by more than the slack
    for (const std::uint32_t at : order) {
      const Set& parents = index_.keys()[at];
      const double score = nodes_[at].score;
      while (n_better < kept.size() && score < output.scores[n_better] - margin()) ++n_better;
      if (options_.prune && has_subset(parents, kept, n_better)) continue;
      kept.insert(parents);
      output.add(parents, score);
    }
  }

 private:
  [[nodiscard]] double margin() const { return options_.slack + options_.tolerance; }

  // Adds a set, given as variables too, and returns its node. Scores it unless a bound shows that
  // it is useless.
  std::uint32_t add(FamilyTerms& terms, std::span<const std::uint16_t> variables,
                    const Set& parents) {
    Node node;
    for (const std::uint16_t parent : variables) node.states *= settings_.n_states[parent];
    find_subsets(parents);
    for (const Subset& subset : subsets_) {
      const Node& smaller = nodes_[subset.node];
      node.best = std::max(node.best, smaller.best);
      node.guard = std::max(node.guard, smaller.guard);
      node.closed = node.closed || smaller.closed;
    }
    n_levels_ = std::max(n_levels_, variables.size() - rules_.required.size() + 1);
    node.closed = node.closed || needs_too_many_parameters(node.states, node.guard);
    if (!node.closed) score(terms, variables, parents, node);
    nodes_.push_back(node);
    return index_.insert(parents);
  }

  void score(FamilyTerms& terms, std::span<const std::uint16_t> variables, const Set& parents,
             Node& node) {
    const SetTerms& alone = terms.of_parents(variables);
    node.joint = alone.joint;
    node.closed = explains_too_little(alone.joint);
    if (node.closed) return;
    const SetTerms& family = terms.of_family(variables, child_);
    const SetScorer& scorer = terms.scorer();
    const CountedFamily counted{child_, variables.size(), node.states, family, alone};
    node.plain = scorer.score(counted);
    node.score = node.plain + prior_.log_factor(parents);
    node.best = std::max(node.best, node.score);
    node.guard = std::max(node.guard, node.plain - prior_.later_rise(parents));
    if (scorer.abilities().has_likelihood) node.likelihood = family.joint - alone.joint;
    node.scored = true;
    ++n_evaluated_;
    node.closed =
        variables.size() >= rules_.max_parents ||
        (options_.prune && scorer.bound(counted, 0, options_.unproven) < node.guard - margin());
  }

  // Whether one of the parents costs more than it can gain, in this set or in a superset.
  [[nodiscard]] bool explains_too_little(double joint) const {
    if (parameter_cost_ <= 0) return false;
    return std::ranges::any_of(subsets_, [&](const Subset& subset) {
      const Node& smaller = nodes_[subset.node];
      const double states = settings_.n_states[subset.parent];
      const double growth = parameter_cost_ * free_states_ * smaller.states * (states - 1);
      const double uncertainty = std::min(-smaller.likelihood, smaller.joint - joint);
      return growth - uncertainty > margin() + prior_.step_rise(index_.keys()[subset.node].size());
    });
  }

  // Whether one of the first sets of an index is a proper subset. Looks up all subsets or compares
  // all sets, whichever is less.
  [[nodiscard]] bool has_subset(const Set& parents, const FlatIndex<Set>& sets,
                                std::size_t n_first) const {
    std::vector<std::size_t> added;
    parents.for_each([&](std::size_t parent) {
      if (!required_.contains(parent)) added.push_back(parent);
    });
    if (added.size() >= 40 || (std::size_t{1} << added.size()) > n_first) {
      const auto end = sets.keys().begin() + static_cast<std::ptrdiff_t>(n_first);
      return std::any_of(sets.keys().begin(), end,
                         [&](const Set& other) { return other.is_subset_of(parents); });
    }
    for (std::size_t bits = 0; bits + 1 < std::size_t{1} << added.size(); ++bits) {
      Set subset = required_;
      for (std::size_t at = 0; at < added.size(); ++at) {
        if ((bits >> at & 1) != 0) subset.insert(added[at]);
      }
      if (sets.find(subset) < n_first) return true;
    }
    return false;
  }

  const ScoreSettings& settings_;
  const ChildRules& rules_;
  const FamilyOptions& options_;
  ChildPrior prior_;
  std::size_t child_;
  double free_states_;         // of the child
  double parameter_cost_ = 0;  // where the bounds may use it
  Set required_;
  FlatIndex<Set> index_;  // of the nodes
  std::vector<Node> nodes_;
  std::vector<Subset> subsets_;
  std::vector<std::uint16_t> variables_;
  std::uint64_t n_evaluated_ = 0;
  std::size_t n_levels_ = 0;
};

}  // namespace credenet
