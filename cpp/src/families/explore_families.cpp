// Best-first exploration of parent sets. A set is scored only after an estimate from sets already
// scored speaks for it: the gain of a parent v of P is taken to be what it was next to P without
// one of its members u, less the parameters that u and v need together,
//   s(P + v) ~ s(P) + s(P - u + v) - s(P - u) - w (r - 1) (q(P) - q(P - u)) (r_v - 1),
// the smallest over all u whose sets are known. With all of P for u this is the estimate of
// independence selection (Scanagatta, de Campos, Corani, Zaffalon, NIPS 2015), exact for BIC but
// for the interaction of P and v; with one member it notices parents that say the same. For scores
// without a charge for parameters w is that of BIC, to which they tend.
//
// A set is of use only if it scores better than all its subsets. So sets estimated to do so come
// first, by their estimates; then the others, by how little they lack. An open set stands in the
// queue once, with the key of its best extension that has not been tried; the key is taken from the
// first estimate and made sharper when the set is at the head. Extensions are scored a few at a
// time, as they share the work on their common parents.
//
// Bounds close a set when no superset can come within the slack of what is known (the rules of
// score_families.cpp). Every set that no bound closes is reached by adding its parents in any
// order, so a variable whose queue is empty is complete.
#include "credenet/families/explore_families.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "credenet/families/child_prior.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 16;

// What all variables share.
struct Problem {
  const RowTable& rows;
  const ScoreSettings& settings;
  const FamilyOptions& options;
  const SetScorer& scorer;
  std::size_t max_families;  // of one variable; 0 for no limit
  std::size_t max_bytes;     // of one variable; 0 for no limit

  [[nodiscard]] double margin() const { return options.slack + options.tolerance; }
};

// Counters and functions of counts of one thread. The added parent is the last of a set, so that
// the extensions of a set share its cells, with the child and without.
class FamilyCounter {
 public:
  FamilyCounter(const RowTable& rows, const ScoreSettings& settings)
      : settings_(settings), scorer_(settings, rows), of_parents_(rows), of_families_(rows) {}

  [[nodiscard]] SetTerms parents(std::span<const std::uint16_t> parents) {
    return terms(of_parents_, parents);
  }

  [[nodiscard]] SetTerms family(std::span<const std::uint16_t> parents, std::size_t child) {
    family_.assign(parents.begin(), parents.end());
    family_.insert(family_.end() - (parents.empty() ? 0 : 1), static_cast<std::uint16_t>(child));
    return terms(of_families_, family_);
  }

  [[nodiscard]] double local(std::size_t child, std::size_t n_parents, double parent_states,
                             const SetTerms& family, const SetTerms& parents) const {
    return scorer_.local(child, n_parents, parent_states, family, parents);
  }

 private:
  [[nodiscard]] SetTerms terms(SetCounter& counter, std::span<const std::uint16_t> variables) {
    double n_cells = 1;
    for (const std::uint16_t variable : variables) n_cells *= settings_.n_states[variable];
    scorer_.prepare(n_cells);
    return scorer_.evaluate(counter, variables);
  }

  const ScoreSettings& settings_;
  SetScorer scorer_;
  SetCounter of_parents_;
  SetCounter of_families_;
  std::vector<std::uint16_t> family_;
};

// How promising a set is.
struct Key {
  bool improves = false;  // on its subsets, by the estimate
  double value = -kInfinity;

  [[nodiscard]] bool operator<(const Key& other) const {
    return improves != other.improves ? other.improves : value < other.value;
  }
};

// The parent sets of one variable.
template <std::size_t kWords>
class Exploration {
  using Set = VariableSet<kWords>;

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

  struct Open {
    Key key;
    std::uint32_t node = 0;

    [[nodiscard]] bool operator<(const Open& other) const {
      if (key < other.key || other.key < key) return key < other.key;
      return node > other.node;
    }
  };

  // A parent that may be added, and what it gives next to the required ones alone.
  struct Candidate {
    std::uint16_t variable = 0;
    double expert = 0;  // by how much adding it changes the number of differences
    double states = 1;
    double gain = -kInfinity;  // where no set with it can be of use
    double best = -kInfinity;
  };

  struct Extension {
    Key key;
    const Candidate* added = nullptr;

    [[nodiscard]] bool operator<(const Extension& other) const {  // better ones first
      if (key < other.key || other.key < key) return other.key < key;
      return added->variable < other.added->variable;
    }
  };

  // A parent that can be left out of a set, and the set without it.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t node = 0;
  };

  // Generous, as vectors and the index grow by doubling.
  static constexpr std::size_t kNodeBytes =
      2 * (sizeof(Node) + sizeof(Set) + sizeof(Open)) + 3 * (sizeof(Set) <= 16 ? 24 : 8);

 public:
  Exploration(const Problem& problem, const ChildRules& rules, std::size_t child)
      : problem_(problem),
        rules_(rules),
        prior_(rules),
        child_(child),
        free_states_(problem.settings.n_states[child] - 1.0),
        is_done_(rules.required.size() > rules.max_parents) {
    for (const std::uint16_t parent : rules.required) required_.insert(parent);
    for (const std::uint16_t variable : rules.candidates) {
      Candidate candidate;
      candidate.variable = variable;
      candidate.expert = std::ranges::binary_search(rules.expert, variable) ? -1 : 1;
      candidate.states = problem.settings.n_states[variable];
      candidates_.push_back(candidate);
    }
  }

  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] FamilyStatus status() const { return is_done_ ? status_ : FamilyStatus::kStopped; }
  [[nodiscard]] std::uint64_t n_evaluated() const { return n_evaluated_; }
  [[nodiscard]] std::size_t n_levels() const { return n_levels_; }

  // Scores so many families more, or a few more than that; after every batch asks whether to go on.
  template <typename GoOn>
  void run(FamilyCounter& counter, std::uint64_t n_families, GoOn&& go_on) {
    const std::uint64_t end = n_evaluated_ + n_families;
    while (!is_done_ && n_evaluated_ < end) {
      step(counter);
      if (!go_on()) return;
    }
  }

  // The families scored, best first, without those that a subset beats by more than the slack.
  void report(ChildFamilies& output) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      const Node& node = nodes_[at];
      if (!node.scored || node.score == -kInfinity) continue;
      if (problem_.options.prune && node.score < node.best - problem_.margin()) continue;
      order.push_back(at);
    }
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].score != nodes_[b].score ? nodes_[a].score > nodes_[b].score : a < b;
    });
    FlatIndex<Set> kept;
    std::size_t n_better = 0;  // of those kept: better by more than the slack
    for (const std::uint32_t at : order) {
      const Set& parents = index_.keys()[at];
      const double score = nodes_[at].score;
      while (n_better < kept.size() && score < output.scores[n_better] - problem_.margin()) {
        ++n_better;
      }
      if (problem_.options.prune && has_subset(parents, kept, n_better)) continue;
      kept.insert(parents);
      output.scores.push_back(score);
      parents.for_each(
          [&](std::size_t parent) { output.parents.push_back(static_cast<std::int32_t>(parent)); });
      output.offsets.push_back(static_cast<std::int64_t>(output.parents.size()));
    }
  }

 private:
  void step(FamilyCounter& counter) {
    if (problem_.max_families != 0 && n_evaluated_ >= problem_.max_families) {
      finish(FamilyStatus::kBudget);
    } else if (problem_.max_bytes != 0 && !nodes_.empty() &&
               (nodes_.size() + candidates_.size()) * kNodeBytes > problem_.max_bytes) {
      finish(FamilyStatus::kMemory);
    } else if (nodes_.empty()) {
      add(counter, rules_.required, required_);
      if (nodes_[0].closed) finish(FamilyStatus::kComplete);
    } else if (n_singles_ < candidates_.size()) {
      expand_root(counter);
    } else if (queue_.empty()) {
      finish(FamilyStatus::kComplete);
    } else {
      expand_best(counter);
    }
  }

  void finish(FamilyStatus status) {
    status_ = status;
    is_done_ = true;
  }

  [[nodiscard]] std::size_t batch_size() const {
    if (problem_.max_families == 0) return kBatch;
    return std::min<std::size_t>(kBatch, problem_.max_families - n_evaluated_);
  }

  // One parent beyond the required ones: all of these are scored before any is extended, as the
  // estimates need them.
  void expand_root(FamilyCounter& counter) {
    const std::size_t end = std::min(candidates_.size(), n_singles_ + batch_size());
    const double most = most_states(nodes_[0], rules_.required.size());
    for (; n_singles_ < end; ++n_singles_) {
      Candidate& candidate = candidates_[n_singles_];
      if (candidate.states > most) continue;
      const Node& node = nodes_[extend(counter, required_, candidate.variable)];
      if (node.scored) candidate.best = node.best;
      if (!node.closed) candidate.gain = node.plain - nodes_[0].plain;
    }
    if (n_singles_ < candidates_.size()) return;
    for (std::uint32_t at = 1; at < nodes_.size(); ++at) open(at);
  }

  // Scores the best extensions, of those not tried, of the set at the head of the queue; or puts it
  // back where it belongs.
  void expand_best(FamilyCounter& counter) {
    const Open head = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    list_extensions(head.node, true);
    refine_extensions(head);
    if (extensions_.empty()) return;
    const std::size_t n_sorted = std::min(extensions_.size(), kBatch + 1);
    std::partial_sort(extensions_.begin(),
                      extensions_.begin() + static_cast<std::ptrdiff_t>(n_sorted),
                      extensions_.end());
    std::size_t n_tried = 0;
    if (queue_.empty() || !(extensions_[0].key < queue_.front().key)) {
      const std::size_t most = std::min(extensions_.size(), batch_size());
      const bool improves = extensions_[0].key.improves;
      std::array<std::uint32_t, kBatch> added{};
      for (; n_tried < most && extensions_[n_tried].key.improves == improves; ++n_tried) {
        const Set parents = index_.keys()[head.node];
        added[n_tried] = extend(counter, parents, extensions_[n_tried].added->variable);
      }
      if (n_tried < extensions_.size()) push({extensions_[n_tried].key, head.node});
      for (std::size_t at = 0; at < n_tried; ++at) open(added[at]);
    } else {
      push({extensions_[0].key, head.node});
    }
  }

  void push(const Open& open) {
    queue_.push_back(open);
    std::push_heap(queue_.begin(), queue_.end());
  }

  // Puts a set into the queue.
  void open(std::uint32_t at) {
    if (nodes_[at].closed) return;
    list_extensions(at, false);
    if (extensions_.empty()) return;
    push({std::min_element(extensions_.begin(), extensions_.end())->key, at});
  }

  // The more states an added parent has, the sooner a bound rules it out: how many it may have.
  [[nodiscard]] double most_states(const Node& node, std::size_t size) const {
    const double cost = problem_.scorer.parameter_cost();
    if (!problem_.options.prune || cost <= 0) return kInfinity;
    const double of_one = cost * free_states_ * node.states;
    const double needed = -node.guard + problem_.margin();
    const double uncertainty = -node.likelihood + problem_.margin() + prior_.step_rise(size);
    return std::min(needed / of_one, 1 + uncertainty / of_one);
  }

  // The charge for the parameters that parents need together, more than each by itself.
  [[nodiscard]] double shared_charge(double states, double smaller, double added) const {
    if (problem_.settings.kind == ScoreKind::kLogLikelihood) return 0;
    const double cost = problem_.scorer.parameter_cost();
    if (cost > 0) return cost * free_states_ * (states - smaller) * (added - 1);
    const double total = problem_.rows.total();  // only occupied states matter
    return std::log(std::max(total, 2.0)) / 2 * free_states_ *
           (std::min(states, total) - std::min(smaller, total)) * (added - 1);
  }

  // With the estimated score of a set and the best known of its subsets.
  [[nodiscard]] Key key_of(double estimate, double best) const {
    const double lead = estimate + problem_.options.slack - best;
    return lead > 0 ? Key{true, estimate} : Key{false, lead};
  }

  // The parents that can be added to a set, with the first estimate of their keys.
  void list_extensions(std::uint32_t at, bool only_new) {
    extensions_.clear();
    const Node& node = nodes_[at];
    const Set& parents = index_.keys()[at];
    const double most = most_states(node, parents.size());
    const double prior = prior_with_one_more(parents);
    for (const Candidate& candidate : candidates_) {
      if (candidate.gain == -kInfinity || candidate.states > most) continue;
      if (parents.contains(candidate.variable)) continue;
      if (only_new && index_.find(parents.with(candidate.variable)) != FlatIndex<Set>::kAbsent) {
        continue;
      }
      const double estimate = node.plain + candidate.gain -
                              shared_charge(node.states, nodes_[0].states, candidate.states) +
                              prior + rules_.log_kappa * candidate.expert;
      extensions_.push_back({key_of(estimate, std::max(node.best, candidate.best)), &candidate});
    }
  }

  // The log factor of a set with one more parent, which is not the expert's; for the estimates, so
  // that sets without a chance of their own count as they are.
  [[nodiscard]] double prior_with_one_more(const Set& parents) const {
    const std::size_t size = parents.size();
    const double factor = rules_.log_factors[size + 1];
    const double now = rules_.log_factors[size];
    if (factor == -kInfinity || now == -kInfinity) return 0;
    return prior_.log_factor(parents) - now + factor;
  }

  // Estimates again with the sets that differ in one parent from the one at the head, and drops the
  // extensions that are known to be of no use. Those that did not promise anything wait until the
  // others are done.
  void refine_extensions(const Open& head) {
    const Set parents = index_.keys()[head.node];
    const std::size_t size = parents.size();
    if (size <= rules_.required.size() + 1) return;
    find_subsets(parents);
    const bool closed_since = std::ranges::any_of(
        subsets_, [&](const Subset& subset) { return nodes_[subset.node].closed; });
    if (closed_since) {
      nodes_[head.node].closed = true;
      extensions_.clear();
      return;
    }
    const double prior = prior_with_one_more(parents);
    std::erase_if(extensions_, [&](Extension& extension) {
      if (head.key.improves && !extension.key.improves) return false;
      const Candidate& added = *extension.added;
      const Node& node = nodes_[head.node];
      const Set extended = parents.with(added.variable);
      double estimate = kInfinity;
      double best = std::max(node.best, added.best);
      double guard = node.guard;
      bool closed = false;
      for (const Subset& subset : subsets_) {
        const std::uint32_t at = index_.find(extended.without(subset.parent));
        if (at == FlatIndex<Set>::kAbsent) continue;
        const Node& other = nodes_[at];
        const Node& common = nodes_[subset.node];
        closed = closed || other.closed;
        best = std::max(best, other.best);
        guard = std::max(guard, other.guard);
        if (!other.scored) continue;
        estimate = std::min(estimate, node.plain + other.plain - common.plain -
                                          shared_charge(node.states, common.states, added.states));
      }
      if (closed || needs_too_many_parameters(node.states * added.states, guard)) {
        close(extended);
        return true;
      }
      if (estimate < kInfinity) {
        estimate += prior + rules_.log_kappa * added.expert;
        extension.key = std::min(extension.key, key_of(estimate, best));
      }
      return false;
    });
  }

  void close(const Set& parents) {
    if (index_.insert(parents) == nodes_.size()) nodes_.emplace_back();
    nodes_.back().closed = true;
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

  [[nodiscard]] bool needs_too_many_parameters(double states, double guard) const {
    const double cost = problem_.scorer.parameter_cost();
    return problem_.options.prune && cost > 0 &&
           cost * free_states_ * states > -guard + problem_.margin();
  }

  // Whether parameters that a parent needs cost more than it, or it with later ones, can explain.
  [[nodiscard]] bool explains_too_little(double joint) const {
    const double cost = problem_.scorer.parameter_cost();
    if (!problem_.options.prune || cost <= 0) return false;
    return std::ranges::any_of(subsets_, [&](const Subset& subset) {
      const Node& smaller = nodes_[subset.node];
      if (!smaller.scored) return false;
      const double states = problem_.settings.n_states[subset.parent];
      const double growth = cost * free_states_ * smaller.states * (states - 1);
      const double uncertainty = std::min(-smaller.likelihood, smaller.joint - joint);
      return growth - uncertainty >
             problem_.margin() + prior_.step_rise(index_.keys()[subset.node].size());
    });
  }

  std::uint32_t extend(FamilyCounter& counter, const Set& parents, std::uint16_t added) {
    variables_.clear();
    parents.for_each(
        [&](std::size_t parent) { variables_.push_back(static_cast<std::uint16_t>(parent)); });
    variables_.push_back(added);
    return add(counter, variables_, parents.with(added));
  }

  // Scores a new set, given as variables too, unless a bound says that it need not be; its node.
  std::uint32_t add(FamilyCounter& counter, std::span<const std::uint16_t> variables,
                    const Set& parents) {
    const std::uint32_t at = index_.insert(parents);
    Node node;
    for (const std::uint16_t parent : variables) node.states *= problem_.settings.n_states[parent];
    find_subsets(parents);
    for (const Subset& subset : subsets_) {
      const Node& smaller = nodes_[subset.node];
      node.best = std::max(node.best, smaller.best);
      node.guard = std::max(node.guard, smaller.guard);
      node.closed = node.closed || smaller.closed;
    }
    n_levels_ = std::max(n_levels_, variables.size() - rules_.required.size() + 1);
    node.closed = node.closed || needs_too_many_parameters(node.states, node.guard);
    if (!node.closed) score(counter, variables, parents, node);
    nodes_.push_back(node);
    return at;
  }

  void score(FamilyCounter& counter, std::span<const std::uint16_t> variables, const Set& parents,
             Node& node) {
    const SetTerms alone = counter.parents(variables);
    node.joint = alone.joint;
    if (explains_too_little(alone.joint)) {
      node.closed = true;
      return;
    }
    const SetTerms family = counter.family(variables, child_);
    node.plain = counter.local(child_, variables.size(), node.states, family, alone);
    node.score = node.plain + prior_.log_factor(parents);
    node.best = std::max(node.best, node.score);
    node.guard = std::max(node.guard, node.plain - prior_.later_rise(parents));
    if (problem_.scorer.has_likelihood()) node.likelihood = family.joint - alone.joint;
    node.scored = true;
    ++n_evaluated_;
    // Every superset has at least as many occupied parent states, and the first row in each costs
    // log n_states, which is not so for fractions of rows.
    node.closed = variables.size() >= rules_.max_parents ||
                  (problem_.options.prune && problem_.scorer.has_occupancy_bound() &&
                   problem_.rows.weights().empty() &&
                   alone.occupied * std::log(free_states_ + 1) > -node.guard + problem_.margin());
  }

  // Whether one of the first sets of an index is a proper subset: looked up one by one, or all
  // compared, whichever is less.
  [[nodiscard]] bool has_subset(const Set& parents, const FlatIndex<Set>& sets,
                                std::size_t n_first) const {
    std::vector<std::size_t> free;
    parents.for_each([&](std::size_t parent) {
      if (!required_.contains(parent)) free.push_back(parent);
    });
    if (free.size() >= 40 || (std::size_t{1} << free.size()) > n_first) {
      return std::any_of(sets.keys().begin(),
                         sets.keys().begin() + static_cast<std::ptrdiff_t>(n_first),
                         [&](const Set& other) { return other.is_subset_of(parents); });
    }
    for (std::size_t bits = 0; bits + 1 < std::size_t{1} << free.size(); ++bits) {
      Set subset = required_;
      for (std::size_t at = 0; at < free.size(); ++at) {
        if ((bits >> at & 1) != 0) subset.insert(free[at]);
      }
      if (sets.find(subset) < n_first) return true;
    }
    return false;
  }

  const Problem& problem_;
  const ChildRules& rules_;
  ChildPrior prior_;
  std::size_t child_;
  double free_states_;  // of the child
  Set required_;
  std::vector<Candidate> candidates_;
  std::size_t n_singles_ = 0;  // candidates that have been tried alone
  FlatIndex<Set> index_;       // of the nodes
  std::vector<Node> nodes_;
  std::vector<Open> queue_;  // a heap
  std::vector<Extension> extensions_;
  std::vector<Subset> subsets_;
  std::vector<std::uint16_t> variables_;
  std::uint64_t n_evaluated_ = 0;
  std::size_t n_levels_ = 0;
  bool is_done_;
  FamilyStatus status_ = FamilyStatus::kComplete;
};

template <std::size_t kWords>
Families explore(const Problem& problem, std::span<const ChildRules> rules, Control& control) {
  // First one family for each, then more at a time, up to some milliseconds of work.
  std::size_t n_in_turn = 1;
  const std::size_t most_in_turn =
      std::max(kBatch, (std::size_t{1} << 22) / std::max<std::size_t>(problem.rows.n_rows(), 1));
  const unsigned n_threads = std::max(problem.options.n_threads, 1U);
  std::vector<Exploration<kWords>> explorations;
  std::vector<std::size_t> active;
  for (std::size_t child = 0; child < rules.size(); ++child) {
    explorations.emplace_back(problem, rules[child], child);
    if (!explorations.back().is_done()) active.push_back(child);
  }
  std::vector<FamilyCounter> counters(n_threads, FamilyCounter(problem.rows, problem.settings));
  std::atomic<bool> stop{false};
  while (!active.empty() && !stop) {
    const Progress progress{rules.size() - active.size(), rules.size()};
    parallel_blocks(active.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
      explorations[active[block]].run(counters[worker], n_in_turn, [&] {
        if (worker == 0 && !control.poll(progress)) stop = true;
        return !stop.load(std::memory_order_relaxed);
      });
    });
    std::erase_if(active, [&](std::size_t child) { return explorations[child].is_done(); });
    n_in_turn = std::min(most_in_turn, std::max(kBatch, 2 * n_in_turn));
  }
  Families result;
  result.children.resize(rules.size());
  std::atomic<bool> never{false};
  parallel_blocks(rules.size(), n_threads, never, [&](std::size_t child, unsigned) {
    explorations[child].report(result.children[child]);
  });
  const auto some = [&](FamilyStatus status) {
    return std::ranges::any_of(explorations,
                               [&](const auto& each) { return each.status() == status; });
  };
  for (const FamilyStatus status :
       {FamilyStatus::kBudget, FamilyStatus::kMemory, FamilyStatus::kStopped}) {
    if (some(status)) result.status = status;
  }
  for (const auto& each : explorations) {
    result.n_evaluated += each.n_evaluated();
    result.n_levels = std::max(result.n_levels, each.n_levels());
  }
  return result;
}

}  // namespace

Families explore_families(const RowTable& rows, const ScoreSettings& settings,
                          std::span<const ChildRules> rules, const FamilyOptions& options,
                          std::size_t max_families, Control& control) {
  const std::size_t n = rules.size();
  const SetScorer scorer(settings, rows);
  const std::size_t share =
      options.max_bytes == 0
          ? 0
          : std::max<std::size_t>(options.max_bytes / std::max<std::size_t>(n, 1), 1);
  const Problem problem{rows, settings, options, scorer, max_families, share};
  if (n <= 64) return explore<1>(problem, rules, control);
  if (n <= 128) return explore<2>(problem, rules, control);
  if (n <= 256) return explore<4>(problem, rules, control);
  if (n <= 1088) return explore<17>(problem, rules, control);
  return explore<64>(problem, rules, control);
}

}  // namespace credenet
