// The levels of large candidate parent sets of one child, for Dirichlet scores. Each level is an
// ordered list of open sets. A set is extended only by the candidates after its last one. So each
// set has one origin, and neighbours have the same first parents: ParentStates splits rows for the
// last parent only. A set is closed as soon as no superset with these candidates can be useful,
// which happens more often than for all supersets. An open set takes little more than its bits.
//
// The best score of the proper subsets of a set Q with last member x is the larger of two: the best
// of Q without x and its subsets, kept with the open set, and the best of the subsets with x, found
// among the sets that were better than all their own subsets. A subset that was never scored came
// from a closed set. So it is worse than some other subset by more than the slack, and does not
// matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/parent_states.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

// Sets that score better than all their subsets, by their last member, best first.
template <std::size_t kWords>
class BestSubsets {
  using Set = VariableSet<kWords>;

 public:
  explicit BestSubsets(std::size_t n_members) : by_last_(n_members) {}

  // The best score of the subsets with the same last member; least if none is better.
  [[nodiscard]] double find(const Set& set, std::size_t last, double least) const {
    for (const auto& [score, subset] : by_last_[last]) {
      if (score <= least) break;
      if (subset.is_subset_of(set)) return score;
    }
    return least;
  }

  void add(const Set& set, std::size_t last, double score) {
    auto& list = by_last_[last];
    const auto worse = std::ranges::find_if(list, [&](const auto& e) { return e.first < score; });
    list.insert(worse, {score, set});
  }

 private:
  std::vector<std::vector<std::pair<double, Set>>> by_last_;
};

template <std::size_t kWords>
class LargeSetLevels {
  using Set = VariableSet<kWords>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Open {
    Set places;
    double best = -kInfinity;   // Best score of it and its subsets.
    double guard = -kInfinity;  // Best score without the prior, less what a prior may still add.
    double bound = kInfinity;   // Bound on the score without prior of its supersets.
  };

 public:
  // Bytes of an open set, as vectors grow by doubling.
  static constexpr std::size_t kOpenBytes = 3 * sizeof(Open);

  LargeSetLevels(const RowTable& rows, const SetScorer& scorer, const ChildRules& rules,
                 const ChildPrior& prior, const FamilyOptions& options, std::size_t child)
      : rules_(rules),
        prior_(prior),
        margin_(options.slack + options.tolerance),
        order_(best_first(rows, scorer, rules, child)),
        places_(rows.n_variables()),
        states_(rows, scorer, child, rules.required, order_),
        best_(order_.size()),
        guards_(order_.size()) {
    for (std::uint16_t place = 0; place < order_.size(); ++place) places_[order_[place]] = place;
    for (const std::uint16_t parent : rules.required) required_.insert(parent);
  }

  // Adds a kept family of an earlier level; small families come first.
  void add_kept(const Set& parents, double score) {
    const Set places = places_of(parents);
    if (places.size() == 0) return;
    const std::size_t last = last_of(places);
    if (best_.find(places, last, score) == score) best_.add(places, last, score);
    const double guard = score - prior_.log_factor(parents) - prior_.later_rise(parents);
    if (guards_.find(places, last, guard) == guard) guards_.add(places, last, guard);
  }
  // Adds a set of the level before, with its best score and guard and a bound on its supersets.
  void add_open(const Set& parents, double best, double guard, double bound) {
    open_.push_back({places_of(parents), best, guard, bound});
  }
  // Sorts the open sets. Must be called after the last add_open.
  void sort_open() {
    std::ranges::sort(open_,
                      [](const Open& a, const Open& b) { return a.places.precedes(b.places); });
  }

  [[nodiscard]] const ChildPrior& prior() const { return prior_; }
  [[nodiscard]] std::size_t n_open() const { return open_.size(); }
  // Gain and bound of the sets of the next levels.
  [[nodiscard]] UnscoredSets unscored() const {
    UnscoredSets unscored;
    for (const Open& open : open_) {
      Set parents = required_;
      open.places.for_each([&](std::size_t place) { parents.insert(order_[place]); });
      const double bound =
          std::min(open.bound, 0.0) + prior_.log_factor(parents) + prior_.later_rise(parents);
      unscored.add(bound, open.best);
    }
    return unscored;
  }
  [[nodiscard]] std::uint64_t work() const { return states_.work(); }
  // Families that were scored.
  [[nodiscard]] std::uint64_t n_evaluated() const { return n_evaluated_; }
  // An upper bound on the number of families of the next level.
  [[nodiscard]] std::uint64_t n_next() const {
    std::uint64_t count = 0;
    for (const Open& open : open_) {
      count += order_.size() - (open.places.size() == 0 ? 0 : last_of(open.places) + 1);
    }
    return count;
  }

  // Goes through the next level and visits every kept family. After each open set it reports how
  // many families and open sets were added, and asks whether to go on; false if not.
  template <typename Keep, typename GoOn>
  bool advance(Keep&& keep, GoOn&& go_on) {
    std::vector<Open> next;
    std::vector<std::uint16_t> places;
    for (const Open& open : open_) {
      places.clear();
      Set parents = required_;
      open.places.for_each([&](std::size_t place) {
        places.push_back(static_cast<std::uint16_t>(place));
        parents.insert(order_[place]);
      });
      states_.choose(places);
      const std::size_t n_before = next.size();
      const std::size_t tail = places.empty() ? 0 : places.back() + std::size_t{1};
      const std::size_t end = first_useless(tail, open.guard - margin_);
      for (std::size_t place = tail; place < end; ++place) {
        extend(open, parents, static_cast<std::uint16_t>(place), keep, next);
      }
      n_evaluated_ += end - tail;
      if (!go_on(order_.size() - tail, next.size() - n_before)) return false;
    }
    open_ = std::move(next);
    is_first_ = false;
    return true;
  }

 private:
  // Candidates that are good alone come first. So most sets are without them, and only weak
  // candidates are after their last one.
  static std::vector<std::uint16_t> best_first(const RowTable& rows, const SetScorer& scorer,
                                               const ChildRules& rules, std::size_t child) {
    ParentStates states(rows, scorer, child, rules.required, rules.candidates);
    std::vector<std::pair<double, std::uint16_t>> ranked;
    for (std::uint16_t place = 0; place < rules.candidates.size(); ++place) {
      states.push(place);
      ranked.emplace_back(-states.score(), rules.candidates[place]);
      states.pop();
    }
    std::ranges::sort(ranked);
    std::vector<std::uint16_t> order;
    for (const auto& [loss, candidate] : ranked) order.push_back(candidate);
    return order;
  }

  // The first place from which on no candidates can make a useful superset of the current set. The
  // later the candidates begin, the fewer rows they tell apart.
  [[nodiscard]] std::size_t first_useless(std::size_t tail, double least) {
    static_cast<void>(states_.score());
    // At later levels the set is known not to close at once.
    std::size_t begin = is_first_ ? tail : tail + 1;
    std::size_t end = order_.size();
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (states_.superset_bound(middle, least) < least) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    return end;
  }

  template <typename Keep>
  void extend(const Open& open, const Set& parents, std::uint16_t place, Keep&& keep,
              std::vector<Open>& next) {
    Open larger{open.places.with(place), open.best, open.guard};
    const Set variables = parents.with(order_[place]);
    states_.push(place);
    const double plain = states_.score();
    const double score = plain + prior_.log_factor(variables);
    larger.best = best_.find(larger.places, place, larger.best);
    if (score > -kInfinity && score >= larger.best - margin_) keep(variables);
    if (score > larger.best) {
      larger.best = score;
      best_.add(larger.places, place, score);
    }
    const double guard = plain - prior_.later_rise(variables);
    larger.guard = guards_.find(larger.places, place, larger.guard);
    if (guard > larger.guard) {
      larger.guard = guard;
      guards_.add(larger.places, place, guard);
    }
    const std::size_t tail = place + std::size_t{1};
    if (tail < order_.size() && variables.size() < rules_.max_parents) {
      const double least = larger.guard - margin_;
      larger.bound = std::min(open.bound, states_.superset_bound(tail, least));
      if (!(larger.bound < least)) next.push_back(larger);
    }
    states_.pop();
  }

  [[nodiscard]] Set places_of(const Set& parents) const {
    Set places;
    parents.for_each([&](std::size_t parent) {
      if (!required_.contains(parent)) places.insert(places_[parent]);
    });
    return places;
  }

  [[nodiscard]] static std::size_t last_of(const Set& places) {
    std::size_t last = 0;
    places.for_each([&](std::size_t place) { last = place; });
    return last;
  }

  const ChildRules& rules_;
  const ChildPrior& prior_;
  double margin_;
  std::vector<std::uint16_t> order_;   // Order of the candidates.
  std::vector<std::uint16_t> places_;  // Place of each variable in the order.
  Set required_;
  ParentStates states_;
  BestSubsets<kWords> best_;
  BestSubsets<kWords> guards_;
  std::vector<Open> open_;
  bool is_first_ = true;  // Whether this is the first level here.
  std::uint64_t n_evaluated_ = 0;
};

}  // namespace credenet
