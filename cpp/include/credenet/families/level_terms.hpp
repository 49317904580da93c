#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/level_input.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {

// The terms of the sets of variables that the listed families of a level need.
template <std::size_t kWords>
class LevelTerms {
  using Set = VariableSet<kWords>;
  // Number of sets counted between two polls of the control.
  static constexpr std::uint32_t kPolled = 1 << 12;

 public:
  explicit LevelTerms(const LevelInput& input) : input_(input) {}

  // The terms of a set; null if the set is not known.
  [[nodiscard]] const SetTerms* find(const Set& set) const {
    const std::uint32_t at = known_.find(set);
    return at == FlatIndex<Set>::kAbsent ? nullptr : &terms_[at];
  }
  void clear() {
    known_ = {};
    terms_ = {};
  }

  // Counts the sets that are not known yet, each once, and forgets all others. False if stopped;
  // then nothing has changed but that terms may be missing.
  bool count(FlatIndex<Set> index) {
    std::vector<SetTerms> terms(index.size());
    std::vector<std::pair<Set, std::uint32_t>> wanted;
    SetBatch unprepared;
    for (std::uint32_t at = 0; at < index.size(); ++at) {
      if (at % kPolled == 0) {
        input_.scorer.prepare(unprepared);
        unprepared.clear();
        if (!input_.control.poll({at, index.size()})) return false;
      }
      const std::uint32_t known = known_.find(index.keys()[at]);
      if (known != FlatIndex<Set>::kAbsent) {
        terms[at] = std::move(terms_[known]);
      } else {
        wanted.emplace_back(index.keys()[at], at);
        index.keys()[at].for_each([&](std::size_t variable) {
          unprepared.push_back(static_cast<std::uint16_t>(variable));
        });
        unprepared.close();
      }
    }
    input_.scorer.prepare(unprepared);
    parallel_sort(wanted, input_.options.n_threads,
                  [](const auto& a, const auto& b) { return a.first.precedes(b.first); });
    if (!count_all(wanted, terms)) return false;
    known_ = std::move(index);
    terms_ = std::move(terms);
    return true;
  }

 private:
  bool count_all(std::span<const std::pair<Set, std::uint32_t>> wanted,
                 std::vector<SetTerms>& terms) {
    const std::size_t block_sets = std::max<std::size_t>(128, input_.source.sets_at_once());
    const unsigned n_threads = input_.options.n_threads;
    const std::size_t n_blocks = (wanted.size() + block_sets - 1) / block_sets;
    const auto counters = input_.source.counters(n_threads);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};
    parallel_blocks(n_blocks, n_threads, stop, [&](std::size_t block, unsigned worker) {
      SetBatch sets;
      const auto listed = wanted.subspan(block * block_sets);
      const std::size_t n_sets = std::min(listed.size(), block_sets);
      for (std::size_t at = 0; at < n_sets; ++at) {
        listed[at].first.for_each(
            [&](std::size_t variable) { sets.push_back(static_cast<std::uint16_t>(variable)); });
        sets.close();
      }
      std::vector<SetTerms> found(n_sets);
      input_.scorer.evaluate(*counters[worker], sets, found);
      for (std::size_t at = 0; at < n_sets; ++at) {
        terms[listed[at].second] = std::move(found[at]);
      }
      done += n_sets;
      if (worker == 0 && !input_.control.poll({done.load(), wanted.size()})) stop = true;
    });
    return !stop;
  }

  const LevelInput& input_;
  FlatIndex<Set> known_;
  std::vector<SetTerms> terms_;  // Terms of the known sets.
};

}  // namespace credenet
