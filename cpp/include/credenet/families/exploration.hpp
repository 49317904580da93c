// Best-first exploration of the candidate parent sets of one variable. Estimates from sets already
// scored decide which set is scored next (ExtensionEstimates).
//
// A set is useful only if it scores better than all its subsets. So sets that are estimated to do
// so come first, by their estimates; then the others, by how little they lack. The queue holds each
// open set with the promise of its best untried extension. The promise is the first estimate, and
// is refined when the set is at the head. A few extensions are scored at a time, as they share the
// work on their common parents. One batch in four goes to the sets with the fewest parents instead,
// whatever the estimates: if parents are informative only together, no estimate from a part of them
// shows it.
//
// A set that no bound closes (ScoredSets) is reached by adding its parents in any order. So the
// exploration is complete when the queue is empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/extension_estimates.hpp"
#include "credenet/families/scored_sets.hpp"

namespace credenet {

struct ExplorationLimits {
  std::size_t max_families = 0;  // Families of one variable; 0 for no limit.
  std::size_t max_bytes = 0;     // Estimated bytes of one variable; 0 for no limit.
};

template <std::size_t kWords>
class Exploration {
  using Set = VariableSet<kWords>;
  using Estimates = ExtensionEstimates<kWords>;
  using Candidate = typename Estimates::Candidate;
  using Extension = typename Estimates::Extension;

  struct Open {
    Promise promise;
    std::uint32_t node = 0;

    bool operator<(const Open& other) const {
      if (promise < other.promise || other.promise < promise) return promise < other.promise;
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

 public:
  static constexpr std::size_t kBatch = Estimates::kBatch;

  Exploration(const ScoreShape& shape, const ChildRules& rules, const FamilyOptions& options,
              const ExplorationLimits& limits, std::size_t child)
      : limits_(limits),
        sets_(shape, rules, options, child),
        estimates_(shape, rules, options, child),
        is_done_(rules.required.size() > rules.max_parents) {}

  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] Status status() const { return is_done_ ? status_ : Status::kStopped; }
  [[nodiscard]] const ScoredSets<kWords>& sets() const { return sets_; }

  // Scores this many further families, or a few more. Asks after every batch whether to go on.
  template <typename GoOn>
  void run(FamilyAsker& asker, std::uint64_t n_families, GoOn&& go_on) {
    const std::uint64_t end = sets_.n_evaluated() + n_families;
    while (!is_done_ && sets_.n_evaluated() < end) {
      step(asker);
      if (!go_on()) return;
    }
  }

  // Scores a parent set, its subsets, and the most promising sets with one further parent, also in
  // the place of one of its members.
  template <typename GoOn>
  void run_near(FamilyAsker& asker, std::span<const std::uint16_t> parents, std::size_t n_further,
                GoOn&& go_on) {
    while (!is_done_ && (sets_.size() == 0 || n_singles_ < estimates_.candidates().size())) {
      step(asker);
      if (!go_on()) return;
    }
    if (is_done_) return;
    Set centre = sets_.required();
    for (const std::uint16_t parent : parents) {
      if (centre.contains(parent)) continue;
      centre.insert(parent);
      ensure(asker, centre);
    }
    if (!go_on()) return;
    extend_best(asker, centre, n_further);
    for (const std::uint16_t parent : parents) {
      if (sets_.required().contains(parent)) continue;
      if (!go_on()) return;
      ensure(asker, centre.without(parent));
      extend_best(asker, centre.without(parent), n_further);
    }
  }

 private:
  // Estimated bytes of a node, generous because vectors and the index grow by doubling.
  static constexpr std::size_t kNodeBytes =
      2 * (sizeof(typename ScoredSets<kWords>::Node) + sizeof(Set) + sizeof(Open) + sizeof(Small)) +
      3 * (sizeof(Set) <= 16 ? 24 : 8);

  void step(FamilyAsker& asker) {
    if (limits_.max_families != 0 && sets_.n_evaluated() >= limits_.max_families) {
      finish(Status::kIterationLimit);
    } else if (sets_.size() == 0) {
      start(asker);
    } else if (limits_.max_bytes != 0 &&
               (sets_.size() + estimates_.candidates().size()) * kNodeBytes > limits_.max_bytes) {
      finish(Status::kMemoryLimit);
    } else if (n_singles_ < estimates_.candidates().size()) {
      expand_root(asker);
    } else if (queue_.empty()) {
      finish(Status::kComplete);
    } else if (++n_steps_ % 4 == 0 && !smallest_.empty()) {
      expand_smallest(asker);
    } else {
      expand_best(asker);
    }
  }

  void finish(Status status) {
    status_ = status;
    is_done_ = true;
  }

  [[nodiscard]] std::size_t batch_size() const {
    if (limits_.max_families == 0) return kBatch;
    return std::min<std::size_t>(kBatch, limits_.max_families - sets_.n_evaluated());
  }

  void start(FamilyAsker& asker) {
    sets_.start(asker);
    if (sets_[0].closed) finish(Status::kComplete);
  }

  // Scores the sets with one parent beyond the required ones. All of them are scored before any is
  // extended, because the estimates need them.
  void expand_root(FamilyAsker& asker) {
    std::vector<Candidate>& candidates = estimates_.candidates();
    const std::size_t end = std::min(candidates.size(), n_singles_ + batch_size());
    const double most = sets_.most_states(0);
    const auto tried = std::span(candidates).subspan(n_singles_, end - n_singles_);
    further_.clear();
    for (Candidate& candidate : tried) {
      candidate.is_useless = candidate.states > most;
      if (!candidate.is_useless) further_.push_back(candidate.variable);
    }
    std::uint32_t at = sets_.extend(asker, sets_.required(), further_);
    for (Candidate& candidate : tried) {
      if (candidate.is_useless) continue;
      const auto& node = sets_[at++];
      candidate.is_useless = node.closed;
      candidate.gain = node.plain - sets_[0].plain;
      candidate.best = node.best;
    }
    n_singles_ = end;
    if (n_singles_ < candidates.size()) return;
    std::erase_if(candidates, [](const Candidate& candidate) { return candidate.is_useless; });
    n_singles_ = candidates.size();
    for (std::uint32_t single = 1; single < sets_.size(); ++single) open(single);
  }

  // Scores the best untried extensions of the set at the head of the queue, or puts the set back
  // with a refined promise.
  void expand_best(FamilyAsker& asker) {
    const Open head = pop(queue_);
    const auto extensions = estimates_.list(sets_, head.node, head.promise.improves);
    if (extensions.empty()) return;
    std::size_t n_tried = 0;
    if (queue_.empty() || !(extensions[0].promise < queue_.front().promise)) {
      n_tried = std::min(extensions.size(), batch_size());
      while (extensions[n_tried - 1].promise.improves != extensions[0].promise.improves) --n_tried;
    }
    if (n_tried < extensions.size()) push(queue_, Open{extensions[n_tried].promise, head.node});
    try_extensions(asker, head.node, extensions.first(n_tried));
  }

  // Expands the set with the fewest parents; of several such sets, the best.
  void expand_smallest(FamilyAsker& asker) {
    const Small head = pop(smallest_);
    const auto extensions = estimates_.list(sets_, head.node, false);
    const std::size_t n_tried = std::min(extensions.size(), batch_size());
    if (n_tried < extensions.size()) push(smallest_, head);
    try_extensions(asker, head.node, extensions.first(n_tried));
  }

  void try_extensions(FamilyAsker& asker, std::uint32_t at, std::span<const Extension> extensions) {
    further_.clear();
    for (const Extension& extension : extensions) further_.push_back(extension.added->variable);
    const Set parents = sets_.parents(at);
    const std::uint32_t first = sets_.extend(asker, parents, further_);
    for (std::uint32_t which = 0; which < further_.size(); ++which) open(first + which);
  }

  // The node of a set, which is scored now unless it was before.
  std::uint32_t ensure(FamilyAsker& asker, const Set& parents) {
    const std::uint32_t known = sets_.find(parents);
    if (known != FlatIndex<Set>::kAbsent) return known;
    std::size_t last = 0;
    parents.for_each([&](std::size_t parent) {
      if (!sets_.required().contains(parent)) last = parent;
    });
    const auto further = static_cast<std::uint16_t>(last);
    const std::uint32_t added = sets_.extend(asker, parents.without(last), {&further, 1});
    open(added);
    return added;
  }

  void extend_best(FamilyAsker& asker, const Set& parents, std::size_t n_further) {
    const std::uint32_t at = ensure(asker, parents);
    while (n_further != 0) {
      const auto extensions = estimates_.list(sets_, at, false);
      const std::size_t n_tried = std::min({extensions.size(), n_further, kBatch});
      if (n_tried == 0) return;
      try_extensions(asker, at, extensions.first(n_tried));
      n_further -= n_tried;
    }
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
    if (sets_[at].closed) return;
    Promise best;
    bool any = false;
    estimates_.for_each(sets_, at, [&](const Candidate&, const Promise& promise) {
      any = true;
      best = std::max(best, promise);
    });
    if (!any) return;
    push(queue_, Open{best, at});
    push(smallest_, Small{sets_.parents(at).size(), sets_[at].score, at});
  }

  const ExplorationLimits& limits_;
  ScoredSets<kWords> sets_;
  Estimates estimates_;
  std::size_t n_singles_ = 0;    // Number of candidates that have been tried alone.
  std::vector<Open> queue_;      // Heap of open sets by promise.
  std::vector<Small> smallest_;  // Heap of open sets by number of parents.
  std::uint64_t n_steps_ = 0;
  std::vector<std::uint16_t> further_;  // Parents that are tried together.
  bool is_done_;
  Status status_ = Status::kComplete;
};

}  // namespace credenet
