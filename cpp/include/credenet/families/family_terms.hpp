#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/scores/set_scorer.hpp"

namespace credenet {

// Terms of the sets of one and of two variables, which the families of many variables share.
// Whoever needs a set first counts it; others that need it meanwhile count it themselves.
class SharedTerms {
 public:
  // Estimated bytes of a set, including those that a score keeps.
  static constexpr std::size_t kSetBytes = 128;

  // Takes terms of sets of the first n_variables variables.
  explicit SharedTerms(std::size_t n_variables)
      : n_variables_(n_variables), entries_(n_variables * (n_variables + 1) / 2) {}

  // The terms of a set; null unless it has one or two variables and can be shared.
  template <typename Count>
  const SetTerms* find(std::span<const std::uint16_t> variables, Count&& count) {
    if (variables.empty() || variables.size() > 2) return nullptr;
    const std::size_t larger = std::max(variables.front(), variables.back());
    const std::size_t smaller = std::min(variables.front(), variables.back());
    if (larger >= n_variables_) return nullptr;
    Entry& entry = entries_[larger * (larger + 1) / 2 + smaller];
    std::uint8_t state = entry.state.load(std::memory_order_acquire);
    if (state == kCounted) return &entry.terms;
    if (state != kUnknown || !entry.state.compare_exchange_strong(state, kClaimed)) return nullptr;
    count(entry.terms);
    entry.state.store(kCounted, std::memory_order_release);
    return &entry.terms;
  }

 private:
  static constexpr std::uint8_t kUnknown = 0;  // No thread has counted the set.
  static constexpr std::uint8_t kClaimed = 1;  // A thread is counting the set.
  static constexpr std::uint8_t kCounted = 2;  // The terms of the set are there.

  struct Entry {
    std::atomic<std::uint8_t> state{kUnknown};
    SetTerms terms;
  };

  std::size_t n_variables_;
  std::vector<Entry> entries_;
};

// The terms of the two sets of single families; one for each thread. The parent added last is
// counted last. So the extensions of a set share its cells, with and without the child.
class FamilyTerms {
 public:
  FamilyTerms(const CountSource& source, const ScoreSettings& settings, SharedTerms& shared)
      : shared_(&shared),
        scorer_(make_scorer(settings, source)),
        of_parents_(source.counter()),
        of_family_(source.counter()) {}

  // The returned terms are in the given place or among the shared terms.
  [[nodiscard]] const SetTerms& of_parents(std::span<const std::uint16_t> parents,
                                           SetTerms& place) {
    return terms(*of_parents_, parents, place);
  }
  [[nodiscard]] const SetTerms& of_family(std::span<const std::uint16_t> parents, std::size_t child,
                                          SetTerms& place) {
    variables_.assign(parents.begin(), parents.end());
    variables_.insert(variables_.end() - (parents.empty() ? 0 : 1),
                      static_cast<std::uint16_t>(child));
    return terms(*of_family_, variables_, place);
  }

  [[nodiscard]] const SetScorer& scorer() const { return *scorer_; }

 private:
  const SetTerms& terms(BatchCounter& counter, std::span<const std::uint16_t> variables,
                        SetTerms& place) {
    set_.clear();
    if (variables.size() == 2) {
      // The order is always the same, so a shared set has the same digits whoever counts it.
      const auto [smaller, larger] = std::minmax(variables[0], variables[1]);
      set_.add(std::array{smaller, larger});
    } else {
      set_.add(variables);
    }
    scorer_->prepare(set_);
    const auto count = [&](SetTerms& found) {
      found.joint = found.occupied = 0;
      found.further.clear();
      scorer_->evaluate(counter, set_, {&found, 1});
    };
    if (const SetTerms* found = shared_->find(variables, count)) return *found;
    count(place);
    return place;
  }

  SharedTerms* shared_;
  std::unique_ptr<SetScorer> scorer_;
  std::unique_ptr<BatchCounter> of_parents_;
  std::unique_ptr<BatchCounter> of_family_;
  std::vector<std::uint16_t> variables_;
  SetBatch set_;
};

}  // namespace credenet
