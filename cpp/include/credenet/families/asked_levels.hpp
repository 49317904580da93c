// Candidate parent sets level by level, as in score_families.cpp, for any family scorer. A family
// is pruned if a subset of its parents scores better by more than the slack. A set is closed if the
// scorer's bound shows that no superset can come within the slack; without a bound all sets stay
// open.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/family_scorer.hpp"
#include "credenet/families/open_sets.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

template <std::size_t kWords>
class AskedLevels {
  using Set = VariableSet<kWords>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kBatch = 256;  // Families that are asked for together.

  using Listed = ListedSet<kWords>;
  // Estimated bytes of a family, generous because vectors and indices grow by doubling.
  static constexpr std::size_t kFamilyBytes = 3 * sizeof(Listed) + 2 * (sizeof(Set) + 8);

  struct Child {
    OpenSets<Listed> open;  // Open sets of the level before.
    std::vector<Listed> next;
  };

 public:
  AskedLevels(const FamilyScorer& scorer, std::span<const ChildRules> rules,
              const FamilyOptions& options, Control& control)
      : scorer_(scorer),
        rules_(rules),
        options_(options),
        control_(control),
        priors_(rules.begin(), rules.end()),
        children_(rules.size()) {
    result_.children.resize(rules.size());
  }

  Families run() {
    for (std::size_t child = 0; child < rules_.size(); ++child) {
      if (rules_[child].required.size() > rules_[child].max_parents) continue;
      Listed first;
      for (const std::uint16_t parent : rules_[child].required) first.parents.insert(parent);
      children_[child].next.push_back(first);
    }
    while (score_level()) {
      ++result_.n_levels;
      if (!list_level()) {
        bound_unscored(false);
        return std::move(result_);
      }
      if (is_nothing_listed()) {
        --result_.n_levels;  // Becomes the number of the last level, counted from 0.
        return std::move(result_);
      }
      if (result_.n_levels > options_.most_added) {
        result_.status = Status::kIterationLimit;
        break;
      }
    }
    bound_unscored(true);
    return std::move(result_);
  }

 private:
  [[nodiscard]] double margin() const { return options_.slack + options_.tolerance; }
  [[nodiscard]] bool is_nothing_listed() const {
    return std::ranges::all_of(children_, [](const Child& child) { return child.next.empty(); });
  }

  // Scores and judges the listed families. False if stopped; then no family was judged.
  bool score_level() {
    // Child of each family, and its place in the child's list.
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      for (std::size_t at = 0; at < children_[child].next.size(); ++at) {
        places.emplace_back(child, at);
      }
    }
    std::vector<ScoredFamily> scored(places.size());
    std::atomic<bool> stop{!control_.poll({0, places.size()})};
    std::atomic<std::uint64_t> done{0};
    const unsigned n_threads = scorer_.takes_threads() ? options_.n_threads : 1;
    const auto work = [&](std::size_t block, unsigned worker) {
      const std::size_t begin = block * kBatch;
      const auto some = std::span(places).subspan(begin, std::min(kBatch, places.size() - begin));
      FamilyBatch families;
      for (const auto& [child, at] : some) {
        families.add(static_cast<std::uint16_t>(child), members(children_[child].next[at].parents));
      }
      scorer_.score(families, std::span(scored).subspan(begin, some.size()));
      done += some.size();
      if (worker == 0 && !control_.poll({done.load(), places.size()})) stop = true;
    };
    if (!stop) parallel_blocks((places.size() + kBatch - 1) / kBatch, n_threads, stop, work);
    if (stop) {
      result_.status = Status::kStopped;
      return false;
    }
    for (Child& child : children_) child.open.clear();
    for (std::size_t at = 0; at < places.size(); ++at) {
      const auto [child, place] = places[at];
      judge(child, children_[child].next[place], scored[at]);
    }
    result_.n_evaluated += places.size();
    for (Child& child : children_) child.next.clear();
    return true;
  }

  void judge(std::size_t child, Listed family, const ScoredFamily& scored) {
    const double score = scored.score + priors_[child].log_factor(family.parents);
    if (score > -kInfinity && (!options_.prune || score >= family.best - margin())) {
      result_.children[child].add(family.parents, score);
    }
    family.best = std::max(family.best, score);
    family.guard = std::max(family.guard, scored.score - priors_[child].later_rise(family.parents));
    family.bound = std::min(family.bound, scored.bound);
    if (family.parents.size() >= rules_[child].max_parents) return;
    if (options_.prune && family.bound < family.guard - margin()) return;
    children_[child].open.add(family);
  }

  // Lists every set whose subsets with the required parents are all open. False if they do not fit
  // in memory or the control stopped it.
  bool list_level() {
    std::size_t n_listed = 0;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      Child& state = children_[child];
      for (const Listed& open : state.open.sets()) {
        for (auto at = rules_[child].candidates.rbegin(); at != rules_[child].candidates.rend();
             ++at) {
          if (is_later_member(child, open.parents, *at)) break;
          Listed larger{.parents = open.parents.with(*at)};
          if (!state.open.join(rules_[child], larger, [](auto...) {})) continue;
          if (options_.prune && larger.bound < larger.guard - margin()) continue;
          state.next.push_back(larger);
          ++n_listed;
        }
        if (options_.max_bytes != 0 && n_listed * kFamilyBytes > options_.max_bytes) {
          result_.status = Status::kMemoryLimit;
          return false;
        }
      }
      if (!control_.poll({child, children_.size()})) {
        result_.status = Status::kStopped;
        return false;
      }
    }
    return true;
  }

  // Whether a candidate is not above all members that are not required: a set is listed from the
  // one without its last such member.
  [[nodiscard]] bool is_later_member(std::size_t child, const Set& parents,
                                     std::uint16_t added) const {
    bool is_any = false;
    parents.for_each([&](std::size_t parent) {
      is_any = is_any || (parent >= added && !rules_[child].is_required(parent));
    });
    return is_any;
  }

  // Bounds what was not scored. It contains a listed set, or an open one of the level before.
  void bound_unscored(bool are_all_listed) {
    if (!options_.prune) return;
    result_.unscored.assign(children_.size(), {});
    for (std::size_t child = 0; child < children_.size(); ++child) {
      const Child& state = children_[child];
      for (const Listed& set : are_all_listed ? state.next : state.open.sets()) {
        const double highest_prior =
            priors_[child].log_factor(set.parents) + priors_[child].later_rise(set.parents);
        result_.unscored[child].add(set.bound + highest_prior, set.best);
      }
    }
  }

  [[nodiscard]] static std::vector<std::uint16_t> members(const Set& set) {
    std::vector<std::uint16_t> variables;
    set.for_each([&](std::size_t at) { variables.push_back(static_cast<std::uint16_t>(at)); });
    return variables;
  }

  const FamilyScorer& scorer_;
  std::span<const ChildRules> rules_;
  const FamilyOptions& options_;
  Control& control_;
  std::vector<ChildPrior> priors_;
  std::vector<Child> children_;
  Families result_;
};

}  // namespace credenet
