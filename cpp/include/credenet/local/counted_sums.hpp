#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/local/whole_functions.hpp"
#include "credenet/util/flat_index.hpp"

namespace credenet {

// The contribution of counts to the scores of families, from the tables of any count source without
// weights. The sums are those of AdditionScores, to the last digit.
class CountedSums {
 public:
  [[nodiscard]] static bool supports(const CountSource& source, const ScoreSettings& settings);

  CountedSums(const CountSource& source, const ScoreSettings& settings, unsigned n_threads);

  // Asks for the family of a child with some parents and those added. Its sum is known after the
  // next count.
  struct Family {
    std::uint32_t cells = 0;
    std::uint32_t parent_cells = 0;
  };
  Family ask(std::uint16_t child, std::span<const std::uint16_t> parents,
             std::span<const std::uint16_t> added);
  void count();
  [[nodiscard]] std::int64_t sum(const Family& family) const {
    return sums_[family.cells] - sums_[family.parent_cells];
  }
  [[nodiscard]] double value(std::int64_t sum) const { return functions_.value(sum); }
  // Forgets sums, if there are many. What ask returned is then no longer valid.
  void forget();

 private:
  struct Key {
    std::vector<std::uint16_t> variables;  // Variables, ascending.
    // Number of states of the child, if the variables are parents and the function of their counts
    // depends on it.
    std::int32_t child_states = 0;

    [[nodiscard]] std::uint64_t hash() const;
    bool operator==(const Key&) const = default;
  };
  struct Wanted {
    std::vector<std::uint16_t> variables;  // Variables in the order of counting.
    const WholeFunction* function = nullptr;
    std::uint32_t at = 0;  // Place in the index.
  };

  [[nodiscard]] double n_cells(std::span<const std::uint16_t> variables) const;

  ScoreSettings settings_;
  unsigned n_threads_;
  WholeFunctions functions_;
  std::vector<std::unique_ptr<BatchCounter>> counters_;
  std::size_t block_sets_;
  FlatIndex<Key> index_;
  std::vector<std::int64_t> sums_;
  std::vector<Wanted> families_;  // Families to be counted.
  // Parent sets to be counted after the families, so that neighbours begin alike.
  std::vector<Wanted> parents_;
};

}  // namespace credenet
