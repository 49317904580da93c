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
#include "credenet/families/family_asker.hpp"
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
    double plain = -kInfinity;  // Score without the prior.
    double score = -kInfinity;  // Score with the prior.
    double best = -kInfinity;   // Best score of it and its known subsets.
    double guard = -kInfinity;  // Best score without the prior, less what a prior may still add.
    double likelihood = 0;  // Likelihood of the child given the parents, for scores that have one.
    double joint = 0;       // Joint term of the parents alone.
    double states = 1;      // Product of the parents' numbers of states.
    bool scored = false;
    bool closed = false;  // Whether no superset can be useful.
  };

  // A parent that can be left out of a set, and the set without it.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t node = 0;
  };

  ScoredSets(const ScoreShape& shape, const ChildRules& rules, const FamilyOptions& options,
             std::size_t child)
      : shape_(shape),
        rules_(rules),
        options_(options),
        prior_(rules),
        child_(child),
        free_states_(shape.n_states[child] - 1.0) {
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
  // The largest number of parents tried beyond the required ones, plus one, as in Families.
  [[nodiscard]] std::size_t n_levels() const { return n_levels_; }

  // Adds the first set: the required parents alone.
  void start(FamilyAsker& asker) {
    parameter_cost_ = options_.prune ? shape_.parameter_cost : 0;
    prepare(1);
    added_[0].set = required_;
    added_[0].family.parents = rules_.required;
    add(asker);
  }

  // Adds a set with one parent more for each further parent, scored together unless a bound shows
  // that they are useless. Returns the node of the first; the others follow.
  std::uint32_t extend(FamilyAsker& asker, const Set& parents,
                       std::span<const std::uint16_t> further) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    prepare(further.size());
    for (std::size_t at = 0; at < further.size(); ++at) {
      added_[at].set = parents.with(further[at]);
      std::vector<std::uint16_t>& variables = added_[at].family.parents;
      variables.clear();
      parents.for_each(
          [&](std::size_t parent) { variables.push_back(static_cast<std::uint16_t>(parent)); });
      variables.push_back(further[at]);
    }
    add(asker);
    return first;
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

  // Whether a parent is useless together with a parent of a set.
  [[nodiscard]] bool has_closed_pair(const Set& parents, std::uint16_t added) const {
    const std::size_t n_required = rules_.required.size();
    // Smaller sets have had their pairs looked at.
    if (parents.size() < n_required + 3) return false;
    bool closed = false;
    parents.for_each([&](std::size_t parent) {
      if (closed || required_.contains(parent)) return;
      const std::uint32_t at = index_.find(required_.with(added).with(parent));
      closed = at != FlatIndex<Set>::kAbsent && nodes_[at].closed;
    });
    return closed;
  }

  // Reports the scored families, best first, except families that a subset beats by more than the
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
    std::size_t n_better = 0;  // Number of kept families that are better by more than the slack.
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

  // A set that is being added.
  struct Added {
    Set set;
    Node node;
    std::vector<Subset> subsets;
    AskedFamily family;
  };

  // Prepares n_added sets to add. Further sets are kept for their memory.
  void prepare(std::size_t n_added) {
    n_added_ = n_added;
    if (added_.size() < n_added) added_.resize(n_added);
  }

  // Adds sets of one size, none of which is known. Scores the sets that no bound shows to be
  // useless.
  void add(FamilyAsker& asker) {
    asked_.clear();
    places_.clear();
    for (std::size_t at = 0; at < n_added_; ++at) {
      Added& added = added_[at];
      Node& node = added.node = {};
      const std::vector<std::uint16_t>& variables = added.family.parents;
      for (const std::uint16_t parent : variables) node.states *= shape_.n_states[parent];
      const auto subsets = find_subsets(added.set);
      added.subsets.assign(subsets.begin(), subsets.end());
      for (const Subset& subset : subsets) {
        const Node& smaller = nodes_[subset.node];
        node.best = std::max(node.best, smaller.best);
        node.guard = std::max(node.guard, smaller.guard);
        node.closed = node.closed || smaller.closed;
      }
      n_levels_ = std::max(n_levels_, variables.size() - rules_.required.size() + 1);
      node.closed = node.closed || needs_too_many_parameters(node.states, node.guard);
      if (node.closed) continue;
      places_.push_back(at);
      asked_.push_back(&added.family);
    }
    asker.ask(child_, asked_, options_.unproven, [&](std::size_t at, double joint) {
      return explains_too_little(added_[places_[at]].subsets, joint);
    });
    for (const std::size_t at : places_) note(added_[at]);
    for (std::size_t at = 0; at < n_added_; ++at) {
      nodes_.push_back(added_[at].node);
      index_.insert(added_[at].set);
    }
  }

  // Takes over what a family's scorer answered.
  void note(Added& added) {
    const AskedFamily& asked = added.family;
    Node& node = added.node;
    node.joint = asked.joint;
    node.closed = asked.is_useless;
    if (node.closed) return;
    node.plain = asked.scored.score;
    node.score = node.plain + prior_.log_factor(added.set);
    node.best = std::max(node.best, node.score);
    node.guard = std::max(node.guard, node.plain - prior_.later_rise(added.set));
    node.likelihood = asked.likelihood;
    node.scored = true;
    ++n_evaluated_;
    node.closed = asked.parents.size() >= rules_.max_parents ||
                  (options_.prune && asked.scored.bound < node.guard - margin());
  }

  // Whether one of the parents costs more than it can gain, in a set with these subsets or in a
  // superset.
  [[nodiscard]] bool explains_too_little(std::span<const Subset> subsets, double joint) const {
    if (parameter_cost_ <= 0) return false;
    return std::ranges::any_of(subsets, [&](const Subset& subset) {
      const Node& smaller = nodes_[subset.node];
      const double states = shape_.n_states[subset.parent];
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

  const ScoreShape& shape_;
  const ChildRules& rules_;
  const FamilyOptions& options_;
  ChildPrior prior_;
  std::size_t child_;
  double free_states_;         // Free states of the child.
  double parameter_cost_ = 0;  // Cost of a parameter, if bounds may use it.
  Set required_;
  FlatIndex<Set> index_;  // Index of the nodes.
  std::vector<Node> nodes_;
  std::vector<Subset> subsets_;
  std::vector<Added> added_;
  std::size_t n_added_ = 0;
  std::vector<AskedFamily*> asked_;  // Families of the added sets that are scored.
  std::vector<std::size_t> places_;  // Places of the asked families among the added sets.
  std::uint64_t n_evaluated_ = 0;
  std::size_t n_levels_ = 0;
};

}  // namespace credenet
