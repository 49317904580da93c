// Estimates which parent to add to a set next, from sets already scored. The gain of adding v to P
// is estimated by the gain of adding v to a subset T of P, less the penalty for the parameters that
// v and the rest of P need together:
//   s(P + v) ~ s(P) + s(T + v) - s(T) - w (r - 1) (q(P) - q(T)) (r_v - 1).
// With T empty this is the estimate of independence selection (Scanagatta, de Campos, Corani,
// Zaffalon, NIPS 2015), exact for BIC but for the interaction of P and v. With T equal to P without
// one member it notices redundant parents; the smallest estimate of this kind that is known is
// taken. For scores without a penalty for parameters, w is that of BIC, to which they tend.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/scored_sets.hpp"

namespace credenet {

// How promising a set is.
struct Promise {
  bool improves = false;  // Whether the set improves on its subsets, by the estimate.
  double value = -std::numeric_limits<double>::infinity();

  bool operator<(const Promise& other) const {
    return improves != other.improves ? other.improves : value < other.value;
  }
};

template <std::size_t kWords>
class ExtensionEstimates {
  using Set = VariableSet<kWords>;
  using Sets = ScoredSets<kWords>;
  using Node = typename Sets::Node;
  using Subset = typename Sets::Subset;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 public:
  static constexpr std::size_t kBatch = 16;  // Extensions that are tried together.

  // A parent that may be added, and its gain with the required parents alone.
  struct Candidate {
    std::uint16_t variable = 0;
    // Change of the number of differences from the expert's parents, 1 or -1.
    double differences = 1;
    double states = 1;
    double gain = 0;
    double best = -kInfinity;
    bool is_useless = false;  // Whether the candidate is useless in every set.
  };

  struct Extension {
    Promise promise;
    const Candidate* added = nullptr;

    bool operator<(const Extension& other) const {  // Better extensions come first.
      if (promise < other.promise || other.promise < promise) return other.promise < promise;
      return added->variable < other.added->variable;
    }
  };

  ExtensionEstimates(const ScoreShape& shape, const ChildRules& rules, const FamilyOptions& options,
                     std::size_t child)
      : rules_(rules), slack_(options.slack) {
    const double free_states = shape.n_states[child] - 1.0;
    charge_ = shape.parameter_cost * free_states;
    if (charge_ == 0 && shape.has_penalty) {
      charge_ = std::log(std::max(shape.total, 2.0)) / 2 * free_states;
      most_charged_ = shape.total;  // Only states that occur matter.
    }
    for (const std::uint16_t variable : rules.candidates) {
      Candidate candidate;
      candidate.variable = variable;
      if (std::ranges::binary_search(rules.expert, variable)) candidate.differences = -1;
      candidate.states = shape.n_states[variable];
      candidates_.push_back(candidate);
    }
  }

  [[nodiscard]] std::vector<Candidate>& candidates() { return candidates_; }

  // Visits the parents that can be added to a set, with the first estimate of their promise.
  template <typename Visit>
  void for_each(const Sets& sets, std::uint32_t at, Visit&& visit) const {
    const Node& node = sets[at];
    const Set& parents = sets.parents(at);
    const double most = sets.most_states(at);
    const double base = node.plain + prior_with_one_more(sets, parents);
    const double charge = shared_charge(node, sets[0]);
    for (const Candidate& candidate : candidates_) {
      if (candidate.states > most || parents.contains(candidate.variable)) continue;
      const double estimate = base + candidate.gain - charge * (candidate.states - 1) +
                              rules_.log_kappa * candidate.differences;
      visit(candidate, promise_of(node, estimate, std::max(node.best, candidate.best)));
    }
  }

  // The untried extensions of a set. The best ones, enough for a batch, are in front. If some
  // improve on their subsets and only_improving is true, the others are not refined.
  std::span<const Extension> list(Sets& sets, std::uint32_t at, bool only_improving) {
    extensions_.clear();
    if (sets[at].closed) return {};
    const Set parents = sets.parents(at);
    for_each(sets, at, [&](const Candidate& candidate, const Promise& promise) {
      if (sets.find(parents.with(candidate.variable)) == FlatIndex<Set>::kAbsent) {
        extensions_.push_back({promise, &candidate});
      }
    });
    if (parents.size() > rules_.required.size() + 1) refine_all(sets, at, only_improving);
    const std::size_t n_sorted = std::min(extensions_.size(), kBatch + 1);
    const auto sorted = extensions_.begin() + static_cast<std::ptrdiff_t>(n_sorted);
    std::partial_sort(extensions_.begin(), sorted, extensions_.end());
    return extensions_;
  }

 private:
  // The penalty for the parameters that an added parent needs together with the parents that only
  // the larger set has, for each of its states but one.
  [[nodiscard]] double shared_charge(const Node& larger, const Node& smaller) const {
    return charge_ *
           (std::min(larger.states, most_charged_) - std::min(smaller.states, most_charged_));
  }

  // The promise of an extension, from its estimated score and the best known score of its subsets.
  // If the set itself is worse than one of its subsets, its extension is not expected to improve.
  [[nodiscard]] Promise promise_of(const Node& node, double estimate, double best) const {
    const double own = node.score + slack_ - node.best;
    const double lead = estimate + slack_ - best;
    if (own < 0) return {false, std::min(own, lead)};
    return lead > 0 ? Promise{true, estimate} : Promise{false, lead};
  }

  // The log prior factor of a set with one more parent, without the expert's opinion of that
  // parent. If it is minus infinity, it is left out, because a larger set may still be possible.
  [[nodiscard]] double prior_with_one_more(const Sets& sets, const Set& parents) const {
    const std::size_t size = parents.size();
    const double now = rules_.log_factors[size];
    const double then = rules_.log_factors[size + 1];
    return now == -kInfinity || then == -kInfinity ? 0
                                                   : sets.prior().log_factor(parents) - now + then;
  }

  // Estimates again from the sets that differ in one parent, and drops useless extensions. With
  // only_improving, extensions that do not seem to improve are left as they are.
  void refine_all(Sets& sets, std::uint32_t at, bool only_improving) {
    const Set parents = sets.parents(at);
    const double prior = prior_with_one_more(sets, parents);
    const auto subsets = sets.find_subsets(parents);
    if (std::ranges::any_of(subsets, [&](const Subset& s) { return sets[s.node].closed; })) {
      sets.close(at);  // The closed subset was found after the set.
      extensions_.clear();
      return;
    }
    std::size_t n_kept = 0;
    for (const Extension& extension : extensions_) {
      Extension refined = extension;
      if ((only_improving && !extension.promise.improves) ||
          refine(sets, at, subsets, prior, refined)) {
        extensions_[n_kept++] = refined;
      }
    }
    extensions_.resize(n_kept);
  }

  // Estimates an extension again. False if it is known to be useless.
  [[nodiscard]] bool refine(const Sets& sets, std::uint32_t at, std::span<const Subset> subsets,
                            double prior, Extension& extension) const {
    const Set& parents = sets.parents(at);
    const Node& node = sets[at];
    const Candidate& added = *extension.added;
    const Set extended = parents.with(added.variable);
    double estimate = kInfinity;
    double best = std::max(node.best, added.best);
    double guard = node.guard;
    bool closed = false;
    for (const Subset& subset : subsets) {
      const std::uint32_t known = sets.find(extended.without(subset.parent));
      if (known == FlatIndex<Set>::kAbsent) continue;
      const Node& other = sets[known];
      const Node& common = sets[subset.node];
      closed = closed || other.closed;
      best = std::max(best, other.best);
      guard = std::max(guard, other.guard);
      if (!other.scored) continue;
      estimate = std::min(estimate, node.plain + other.plain - common.plain -
                                        shared_charge(node, common) * (added.states - 1));
    }
    if (closed || sets.has_closed_pair(parents, added.variable) ||
        sets.needs_too_many_parameters(node.states * added.states, guard)) {
      return false;
    }
    if (estimate < kInfinity) {
      estimate += prior + rules_.log_kappa * added.differences;
      extension.promise = std::min(extension.promise, promise_of(node, estimate, best));
    }
    return true;
  }

  const ChildRules& rules_;
  double slack_;
  double charge_ = 0;                // Penalty for a parent state.
  double most_charged_ = kInfinity;  // Most parent states that are charged.
  std::vector<Candidate> candidates_;
  std::vector<Extension> extensions_;
};

}  // namespace credenet
