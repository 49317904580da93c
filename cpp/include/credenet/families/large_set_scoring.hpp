// The families of large candidate parent sets, level by level as in score_families.cpp, but each
// child by itself (LargeSetLevels). For Dirichlet scores this prunes far more sets and stores less
// of each. A level that would take too long or too much memory is not begun, or not finished. Both
// decisions use sums over all children, so they do not depend on the number of threads. The
// reported scores are those of SetScorer, with the same digits as in the other levels.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/large_set_levels.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

template <std::size_t kWords>
class LargeSetScoring {
  using Set = VariableSet<kWords>;

  struct Child {
    std::size_t number = 0;
    std::unique_ptr<LargeSetLevels<kWords>> levels;
    std::vector<Set> kept;     // Sets of the current level.
    std::uint64_t n_next = 0;  // Number of families of the next level.
  };

 public:
  // Adds to the result, which has the families of earlier levels and bounds on later ones.
  LargeSetScoring(const RowTable& rows, const ScoreSettings& settings, SetScorer& scorer,
                  std::span<const ChildRules> rules, const FamilyOptions& options, Control& control,
                  Families& result)
      : rows_(rows),
        settings_(settings),
        scorer_(scorer),
        rules_(rules),
        options_(options),
        control_(control),
        result_(result) {}

  // Adds a child with the sets of the level before that may be extended.
  template <typename Candidates>
  void add_child(std::size_t child, const ChildPrior& prior, const Candidates& open) {
    if (open.empty() || result_.status != Status::kComplete) return;
    state_bytes_ += ParentStates::bytes(rows_.n_rows(), rules_[child].candidates.size());
    n_open_ += open.size();
    if (exceeds_memory(n_open_)) {
      result_.status = Status::kMemoryLimit;
      return;
    }
    auto levels = std::make_unique<LargeSetLevels<kWords>>(rows_, scorer_, rules_[child], prior,
                                                           options_, child);
    const ChildFamilies& families = result_.children[child];
    for (std::size_t at = 0; at < families.scores.size(); ++at) {
      Set parents;
      for (auto place = families.offsets[at]; place < families.offsets[at + 1]; ++place) {
        parents.insert(static_cast<std::size_t>(families.parents[static_cast<std::size_t>(place)]));
      }
      levels->add_kept(parents, families.scores[at]);
    }
    for (const auto& set : open) {
      levels->add_open(set.parents, set.best, set.guard, set.bound);
    }
    levels->sort_open();
    children_.push_back({child, std::move(levels), {}, 0});
  }

  void run() {
    double work_each = 3 * static_cast<double>(rows_.n_rows());  // Rows visited for a family.
    double work = 0;
    const std::uint64_t n_before = result_.n_evaluated;
    while (result_.status == Status::kComplete) {
      std::uint64_t n_next = 0;
      for (Child& child : children_) {
        n_next += child.n_next = child.levels->n_next();
        result_.unscored[child.number] = child.levels->unscored();
      }
      if (n_next == 0) {
        --result_.n_levels;  // Becomes the number of the last level, counted from 0.
        return;
      }
      if (result_.n_levels > options_.most_added) {
        result_.status = Status::kIterationLimit;
        return;
      }
      const double expected = work + work_each * static_cast<double>(n_next);
      if (options_.max_work != 0 && expected > static_cast<double>(options_.max_work)) {
        result_.status = Status::kIterationLimit;
        return;
      }
      if (!advance(n_next)) return;
      report();
      ++result_.n_levels;
      double sum = 0;
      result_.n_evaluated = n_before;
      for (const Child& child : children_) {
        sum += static_cast<double>(child.levels->work());
        result_.n_evaluated += child.levels->n_evaluated();
      }
      work_each = (sum - work) / static_cast<double>(n_next);
      work = sum;
    }
  }

 private:
  [[nodiscard]] bool exceeds_memory(std::size_t n_open) const {
    const std::size_t needed = state_bytes_ + n_open * LargeSetLevels<kWords>::kOpenBytes;
    return options_.max_bytes != 0 && needed > options_.max_bytes;
  }

  bool advance(std::uint64_t n_next) {
    // The longest children come first, so that no thread works alone at the end.
    std::ranges::stable_sort(children_, std::greater{}, &Child::n_next);
    std::atomic<bool> stop{false};
    std::atomic<bool> is_full{false};
    std::atomic<std::size_t> n_open{n_open_};
    std::atomic<std::uint64_t> done{0};
    parallel_blocks(children_.size(), options_.n_threads, stop,
                    [&](std::size_t at, unsigned worker) {
                      Child& child = children_[at];
                      child.kept.clear();
                      const auto keep = [&](const Set& parents) { child.kept.push_back(parents); };
                      child.levels->advance(keep, [&](std::size_t n_families, std::size_t n_more) {
                        n_open += n_more;
                        done += n_families;
                        if (exceeds_memory(n_open)) stop = is_full = true;
                        if (worker == 0 && !control_.poll({done.load(), n_next})) stop = true;
                        return !stop;
                      });
                    });
    if (is_full) {
      result_.status = Status::kMemoryLimit;
    } else if (stop) {
      result_.status = Status::kStopped;
    }
    n_open_ = 0;
    for (const Child& child : children_) n_open_ += child.levels->n_open();
    return !stop;
  }

  void report() {
    for (const Child& child : children_) {
      SetBatch sets;
      for (const Set& parents : child.kept) {
        sets.add(members(parents));
        sets.add(members(parents.with(child.number)));
      }
      scorer_.prepare(sets);
    }
    const auto counters = rows_.counters(options_.n_threads);
    std::atomic<bool> never{false};
    parallel_blocks(children_.size(), options_.n_threads, never,
                    [&](std::size_t at, unsigned worker) {
                      const Child& child = children_[at];
                      for (const Set& parents : child.kept) {
                        add_family(*counters[worker], child, parents);
                      }
                    });
  }

  void add_family(BatchCounter& counter, const Child& child, const Set& parents) {
    const SetTerms family = scorer_.evaluate(counter, members(parents.with(child.number)));
    const SetTerms alone = scorer_.evaluate(counter, members(parents));
    const double score =
        scorer_.score({child.number, parents.size(), states_product(parents), family, alone});
    result_.children[child.number].add(parents, score + child.levels->prior().log_factor(parents));
  }

  [[nodiscard]] static std::vector<std::uint16_t> members(const Set& set) {
    std::vector<std::uint16_t> variables;
    set.for_each([&](std::size_t at) { variables.push_back(static_cast<std::uint16_t>(at)); });
    return variables;
  }

  [[nodiscard]] double states_product(const Set& set) const {
    double product = 1;
    set.for_each([&](std::size_t variable) { product *= settings_.n_states[variable]; });
    return product;
  }

  const RowTable& rows_;
  const ScoreSettings& settings_;
  SetScorer& scorer_;
  std::span<const ChildRules> rules_;
  const FamilyOptions& options_;
  Control& control_;
  Families& result_;
  std::vector<Child> children_;
  std::size_t state_bytes_ = 0;
  std::size_t n_open_ = 0;  // Number of open sets of the level before.
};

}  // namespace credenet
