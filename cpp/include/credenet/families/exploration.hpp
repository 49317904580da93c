// Best-first exploration of the parent sets of one variable. A set is scored when an estimate from
// sets already scored speaks for it: the gain of v next to P is taken to be what it was next to a
// subset T of P, less the charge for the parameters that the rest of P and v need together,
//   s(P + v) ~ s(P) + s(T + v) - s(T) - w (r - 1) (q(P) - q(T)) (r_v - 1).
// With no parents in T this is the estimate of independence selection (Scanagatta, de Campos,
// Corani, Zaffalon, NIPS 2015), exact for BIC but for the interaction of P and v; with P less one
// of its members it notices parents that say the same, and the smallest of these that are known is
// taken. For scores without a charge for parameters, w is that of BIC, to which they tend.
//
// A set is of use only if it scores better than all its subsets. So sets estimated to do so come
// first, by their estimates; then the others, by how little they lack. An open set stands in the
// queue with the key of its best extension that has not been tried; the key is taken from the first
// estimate and made sharper when the set is at the head. Extensions are scored a few at a time, as
// they share the work on their common parents. One batch in four goes to the sets of fewest parents
// instead, whatever the estimates: no part speaks for parents that only together tell something.
//
// Bounds close a set when no superset can come within the slack of what is known (the rules of
// score_families.cpp). A set that no bound closes is reached by adding its parents in any order, so
// with an empty queue the exploration is complete.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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

struct ExplorationLimits {
  std::size_t max_families = 0;  // of one variable; 0 for no limit
  std::size_t max_bytes = 0;     // of one variable, by estimate; 0 for no limit
};

template <std::size_t kWords>
class Exploration {
  using Set = VariableSet<kWords>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Node {
    double plain = -kInfinity;  // score without prior
    double score = -kInfinity;  // with it
    double best = -kInfinity;   // score, of it and the subsets known
    double guard = -kInfinity;  // the same without prior, less what a prior may still add
    double likelihood = 0;      // of the child given the parents (scores that have one)
    double joint = 0;           // term of the parents alone
    double states = 1;          // product of the parents' numbers of states
    bool scored = false;
    bool closed = false;  // no superset can be of use
  };

  // How promising a set is.
  struct Key {
    bool improves = false;  // on its subsets, by the estimate
    double value = -kInfinity;

    bool operator<(const Key& other) const {
      return improves != other.improves ? other.improves : value < other.value;
    }
  };

  struct Open {
    Key key;
    std::uint32_t node = 0;

    bool operator<(const Open& other) const {
      if (key < other.key || other.key < key) return key < other.key;
      return node > other.node;
    }
  };

  struct Small {
    std::size_t size = 0;
    double score = 0;
    std::uint32_t node = 0;

    bool operator<(const Small& other) const {
      if (size != other.size) return size > other.size;
      return score != other.score ? score < other.score : node > other.node;
    }
  };

  // A parent that may be added, and what it gives next to the required ones alone.
  struct Candidate {
    std::uint16_t variable = 0;
    double differences = 1;  // from the expert's parents, that adding it makes
    double states = 1;
    double gain = 0;
    double best = -kInfinity;
    bool is_useless = false;  // in every set
  };

  struct Extension {
    Key key;
    const Candidate* added = nullptr;

    bool operator<(const Extension& other) const {  // better ones first
      if (key < other.key || other.key < key) return other.key < key;
      return added->variable < other.added->variable;
    }
  };

  // A parent that can be left out of a set, and the set without it.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t node = 0;
  };

 public:
  static constexpr std::size_t kBatch = 16;

  Exploration(const CountSource& source, const ScoreSettings& settings, const ChildRules& rules,
              const FamilyOptions& options, const ExplorationLimits& limits, std::size_t child)
      : source_(source),
        settings_(settings),
        rules_(rules),
        options_(options),
        limits_(limits),
        prior_(rules),
        child_(child),
        free_states_(settings.n_states[child] - 1.0),
        is_done_(rules.required.size() > rules.max_parents) {
    for (const std::uint16_t parent : rules.required) required_.insert(parent);
    for (const std::uint16_t variable : rules.candidates) {
      Candidate candidate;
      candidate.variable = variable;
      if (std::ranges::binary_search(rules.expert, variable)) candidate.differences = -1;
      candidate.states = settings.n_states[variable];
      candidates_.push_back(candidate);
    }
  }

  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] FamilyStatus status() const { return is_done_ ? status_ : FamilyStatus::kStopped; }
  [[nodiscard]] std::uint64_t n_evaluated() const { return n_evaluated_; }
  // As in Families: the most parents tried beyond those required, and one.
  [[nodiscard]] std::size_t n_levels() const { return n_levels_; }

  // Scores so many families more, or a few above that; after every batch asks whether to go on.
  template <typename GoOn>
  void run(FamilyTerms& terms, std::uint64_t n_families, GoOn&& go_on) {
    const std::uint64_t end = n_evaluated_ + n_families;
    while (!is_done_ && n_evaluated_ < end) {
      step(terms);
      if (!go_on()) return;
    }
  }

  // The families scored, best first, without those that a subset beats by more than the slack.
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
    std::size_t n_better = 0;  // of those kept, by more than the slack
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
  // Generous, as vectors and the index grow by doubling.
  static constexpr std::size_t kNodeBytes =
      2 * (sizeof(Node) + sizeof(Set) + sizeof(Open) + sizeof(Small)) +
      3 * (sizeof(Set) <= 16 ? 24 : 8);

  [[nodiscard]] double margin() const { return options_.slack + options_.tolerance; }

  void step(FamilyTerms& terms) {
    if (limits_.max_families != 0 && n_evaluated_ >= limits_.max_families) {
      finish(FamilyStatus::kBudget);
    } else if (nodes_.empty()) {
      start(terms);
    } else if (limits_.max_bytes != 0 &&
               (nodes_.size() + candidates_.size()) * kNodeBytes > limits_.max_bytes) {
      finish(FamilyStatus::kMemory);
    } else if (n_singles_ < candidates_.size()) {
      expand_root(terms);
    } else if (queue_.empty()) {
      finish(FamilyStatus::kComplete);
    } else if (++n_steps_ % 4 == 0 && !smallest_.empty()) {
      expand_smallest(terms);
    } else {
      expand_best(terms);
    }
  }

  void finish(FamilyStatus status) {
    status_ = status;
    is_done_ = true;
  }

  [[nodiscard]] std::size_t batch_size() const {
    if (limits_.max_families == 0) return kBatch;
    return std::min<std::size_t>(kBatch, limits_.max_families - n_evaluated_);
  }

  void start(FamilyTerms& terms) {
    parameter_cost_ = options_.prune ? terms.scorer().parameter_cost() : 0;
    charge_ = terms.scorer().parameter_cost() * free_states_;
    if (charge_ == 0 && settings_.kind != ScoreKind::kLogLikelihood) {
      charge_ = std::log(std::max(source_.total(), 2.0)) / 2 * free_states_;
      most_charged_ = source_.total();  // only states that occur matter
    }
    add(terms, rules_.required, required_);
    if (nodes_[0].closed) finish(FamilyStatus::kComplete);
  }

  // One parent beyond the required ones: all of these are scored before any is extended, as the
  // estimates need them.
  void expand_root(FamilyTerms& terms) {
    const std::size_t end = std::min(candidates_.size(), n_singles_ + batch_size());
    const double most = most_states(0);
    for (; n_singles_ < end; ++n_singles_) {
      Candidate& candidate = candidates_[n_singles_];
      candidate.is_useless = candidate.states > most;
      if (candidate.is_useless) continue;
      const Node& node = nodes_[extend(terms, required_, candidate.variable)];
      candidate.is_useless = node.closed;
      candidate.gain = node.plain - nodes_[0].plain;
      candidate.best = node.best;
    }
    if (n_singles_ < candidates_.size()) return;
    std::erase_if(candidates_, [](const Candidate& candidate) { return candidate.is_useless; });
    n_singles_ = candidates_.size();
    for (std::uint32_t at = 1; at < nodes_.size(); ++at) open(at);
  }

  // Scores the best extensions, of those not tried, of the set at the head of the queue; or puts it
  // back where it belongs.
  void expand_best(FamilyTerms& terms) {
    const Open head = pop(queue_);
    list_extensions(head.node, head.key.improves);
    if (extensions_.empty()) return;
    std::size_t n_tried = 0;
    if (queue_.empty() || !(extensions_[0].key < queue_.front().key)) {
      n_tried = std::min(extensions_.size(), batch_size());
      while (extensions_[n_tried - 1].key.improves != extensions_[0].key.improves) --n_tried;
    }
    if (n_tried < extensions_.size()) push(queue_, Open{extensions_[n_tried].key, head.node});
    try_extensions(terms, head.node, n_tried);
  }

  // The same for the set with the fewest parents, and of these the best.
  void expand_smallest(FamilyTerms& terms) {
    const Small head = pop(smallest_);
    list_extensions(head.node, false);
    const std::size_t n_tried = std::min(extensions_.size(), batch_size());
    if (n_tried < extensions_.size()) push(smallest_, head);
    try_extensions(terms, head.node, n_tried);
  }

  void try_extensions(FamilyTerms& terms, std::uint32_t at, std::size_t n_tried) {
    const Set parents = index_.keys()[at];
    std::array<std::uint32_t, kBatch> added{};
    for (std::size_t which = 0; which < n_tried; ++which) {
      added[which] = extend(terms, parents, extensions_[which].added->variable);
    }
    for (std::size_t which = 0; which < n_tried; ++which) open(added[which]);
  }

  template <typename T>
  static void push(std::vector<T>& heap, const T& entry) {
    heap.push_back(entry);
    std::push_heap(heap.begin(), heap.end());
  }

  template <typename T>
  static T pop(std::vector<T>& heap) {
    std::pop_heap(heap.begin(), heap.end());
    const T head = heap.back();
    heap.pop_back();
    return head;
  }

  // Puts a set into the queues.
  void open(std::uint32_t at) {
    if (nodes_[at].closed) return;
    Key best;
    bool any = false;
    for_each_extension(at, [&](const Candidate&, const Key& key) {
      any = true;
      best = std::max(best, key);
    });
    if (!any) return;
    push(queue_, Open{best, at});
    push(smallest_, Small{index_.keys()[at].size(), nodes_[at].score, at});
  }

  // The more states an added parent has, the sooner a bound rules it out: how many it may have.
  [[nodiscard]] double most_states(std::uint32_t at) const {
    if (parameter_cost_ <= 0) return kInfinity;
    const Node& node = nodes_[at];
    const double of_one = parameter_cost_ * free_states_ * node.states;
    const double rise = prior_.step_rise(index_.keys()[at].size());
    return std::min((margin() - node.guard) / of_one,
                    1 + (margin() - node.likelihood + rise) / of_one);
  }

  // The charge for the parameters that an added parent needs together with those in the larger set
  // that are not in the smaller one, for each of its states but one.
  [[nodiscard]] double shared_charge(const Node& larger, const Node& smaller) const {
    return charge_ *
           (std::min(larger.states, most_charged_) - std::min(smaller.states, most_charged_));
  }

  // Of an extension, with its estimated score and the best known of its subsets. Where a parent is
  // of no use in the set, it is not expected to be in the extension.
  [[nodiscard]] Key key_of(const Node& node, double estimate, double best) const {
    const double own = node.score + options_.slack - node.best;
    const double lead = estimate + options_.slack - best;
    if (own < 0) return {false, std::min(own, lead)};
    return lead > 0 ? Key{true, estimate} : Key{false, lead};
  }

  // The parents that can be added to a set, with the first estimate of their keys.
  template <typename Visit>
  void for_each_extension(std::uint32_t at, Visit&& visit) const {
    const Node& node = nodes_[at];
    const Set& parents = index_.keys()[at];
    const double most = most_states(at);
    const double base = node.plain + prior_with_one_more(parents);
    const double charge = shared_charge(node, nodes_[0]);
    for (const Candidate& candidate : candidates_) {
      if (candidate.states > most || parents.contains(candidate.variable)) continue;
      const double estimate = base + candidate.gain - charge * (candidate.states - 1) +
                              rules_.log_kappa * candidate.differences;
      visit(candidate, key_of(node, estimate, std::max(node.best, candidate.best)));
    }
  }

  // The log factor of a set with one more parent, but for an expert's opinion of that one. Where it
  // is minus infinity a larger set may still be possible, so it plays no part.
  [[nodiscard]] double prior_with_one_more(const Set& parents) const {
    const std::size_t size = parents.size();
    const double now = rules_.log_factors[size];
    const double then = rules_.log_factors[size + 1];
    return now == -kInfinity || then == -kInfinity ? 0 : prior_.log_factor(parents) - now + then;
  }

  // The extensions of a set that have not been tried, the best ones, enough for a batch, in front.
  // Where some improve on their subsets and only_improving is true, the others are not looked at
  // closely.
  void list_extensions(std::uint32_t at, bool only_improving) {
    extensions_.clear();
    if (nodes_[at].closed) return;
    const Set parents = index_.keys()[at];
    for_each_extension(at, [&](const Candidate& candidate, const Key& key) {
      if (index_.find(parents.with(candidate.variable)) == FlatIndex<Set>::kAbsent) {
        extensions_.push_back({key, &candidate});
      }
    });
    if (parents.size() > rules_.required.size() + 1) refine_extensions(at, only_improving);
    const std::size_t n_sorted = std::min(extensions_.size(), kBatch + 1);
    const auto sorted = extensions_.begin() + static_cast<std::ptrdiff_t>(n_sorted);
    std::partial_sort(extensions_.begin(), sorted, extensions_.end());
  }

  // Estimates again from the sets that differ in one parent, and drops the extensions that are of
  // no use, unless only those that seem to improve are wanted.
  void refine_extensions(std::uint32_t at, bool only_improving) {
    const Set parents = index_.keys()[at];
    const double prior = prior_with_one_more(parents);
    find_subsets(parents);
    if (std::ranges::any_of(subsets_, [&](const Subset& s) { return nodes_[s.node].closed; })) {
      nodes_[at].closed = true;  // the subset was found after it
      extensions_.clear();
      return;
    }
    std::size_t n_kept = 0;
    for (const Extension& extension : extensions_) {
      Extension refined = extension;
      if ((only_improving && !extension.key.improves) || refine(at, parents, prior, refined)) {
        extensions_[n_kept++] = refined;
      }
    }
    extensions_.resize(n_kept);
  }

  // False if the extension is known to be of no use.
  [[nodiscard]] bool refine(std::uint32_t at, const Set& parents, double prior,
                            Extension& extension) const {
    const Node& node = nodes_[at];
    const Candidate& added = *extension.added;
    const Set extended = parents.with(added.variable);
    double estimate = kInfinity;
    double best = std::max(node.best, added.best);
    double guard = node.guard;
    bool closed = false;
    for (const Subset& subset : subsets_) {
      const std::uint32_t known = index_.find(extended.without(subset.parent));
      if (known == FlatIndex<Set>::kAbsent) continue;
      const Node& other = nodes_[known];
      const Node& common = nodes_[subset.node];
      closed = closed || other.closed;
      best = std::max(best, other.best);
      guard = std::max(guard, other.guard);
      if (!other.scored) continue;
      estimate = std::min(estimate, node.plain + other.plain - common.plain -
                                        shared_charge(node, common) * (added.states - 1));
    }
    if (closed || has_closed_pair(parents, added.variable) ||
        needs_too_many_parameters(node.states * added.states, guard)) {
      return false;
    }
    if (estimate < kInfinity) {
      estimate += prior + rules_.log_kappa * added.differences;
      extension.key = std::min(extension.key, key_of(node, estimate, best));
    }
    return true;
  }

  // Whether a parent is of no use next to one of those in a set.
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

  // The known subsets of a set without one of its parents.
  void find_subsets(const Set& parents) {
    subsets_.clear();
    parents.for_each([&](std::size_t parent) {
      if (required_.contains(parent)) return;
      const std::uint32_t at = index_.find(parents.without(parent));
      if (at != FlatIndex<Set>::kAbsent) subsets_.push_back({parent, at});
    });
  }

  std::uint32_t extend(FamilyTerms& terms, const Set& parents, std::uint16_t added) {
    variables_.clear();
    parents.for_each(
        [&](std::size_t parent) { variables_.push_back(static_cast<std::uint16_t>(parent)); });
    variables_.push_back(added);
    return add(terms, variables_, parents.with(added));
  }

  // Scores a new set, given as variables too, unless a bound says that it need not be; its node.
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
    node.plain = scorer.local(child_, variables.size(), node.states, family, alone);
    node.score = node.plain + prior_.log_factor(parents);
    node.best = std::max(node.best, node.score);
    node.guard = std::max(node.guard, node.plain - prior_.later_rise(parents));
    if (scorer.has_likelihood()) node.likelihood = family.joint - alone.joint;
    node.scored = true;
    ++n_evaluated_;
    node.closed =
        variables.size() >= rules_.max_parents ||
        (options_.prune && scorer.superset_bound(child_, node.states, family, alone, 0,
                                                 options_.unproven) < node.guard - margin());
  }

  [[nodiscard]] bool needs_too_many_parameters(double states, double guard) const {
    return parameter_cost_ > 0 && parameter_cost_ * free_states_ * states > -guard + margin();
  }

  // Whether one of the parents costs more than it, or a set with it, can gain over the set without.
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

  // Whether one of the first sets of an index is a proper subset: all subsets looked up, or all
  // sets compared, whichever is less.
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

  const CountSource& source_;
  const ScoreSettings& settings_;
  const ChildRules& rules_;
  const FamilyOptions& options_;
  const ExplorationLimits& limits_;
  ChildPrior prior_;
  std::size_t child_;
  double free_states_;               // of the child
  double parameter_cost_ = 0;        // where the bounds may use it
  double charge_ = 0;                // of a parent state, in the estimates,
  double most_charged_ = kInfinity;  // up to so many of them
  Set required_;
  std::vector<Candidate> candidates_;
  std::size_t n_singles_ = 0;  // candidates that have been tried alone
  FlatIndex<Set> index_;       // of the nodes
  std::vector<Node> nodes_;
  std::vector<Open> queue_;      // heaps: by promise,
  std::vector<Small> smallest_;  // and by number of parents
  std::vector<Extension> extensions_;
  std::vector<Subset> subsets_;
  std::vector<std::uint16_t> variables_;
  std::uint64_t n_steps_ = 0;
  std::uint64_t n_evaluated_ = 0;
  std::size_t n_levels_ = 0;
  bool is_done_;
  FamilyStatus status_ = FamilyStatus::kComplete;
};

}  // namespace credenet
