// Where counts come from. Scores of families, tests of independence and local search list sets of
// variables in batches and ask for their tables; they do not know where the rows are. Rows in
// memory (RowTable) are one source.
//
// A source promises:
// - the tables of a batch come in the order of its sets, and all that is wanted of them comes once;
// - cells are numbered by the states that occur, in mixed radix, last variable fastest;
// - counts are the same whatever else is in the batch and whoever counts: whole numbers are exact,
//   weights are added in the order of the rows, so that sums over a table have the same digits;
// - one counter is used by one thread, several counters of a source by several threads at a time.
//
// A counter is asked once for a block of tables, not once for a table. One who needs a table before
// the next set is known asks with batches of one set (best-first exploration of families). What
// splits rows instead of counting tables, the large parent sets of Dirichlet scores (ParentStates),
// asks for the rows themselves and goes without where a source has none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/set_batch.hpp"

namespace credenet {

class CountSource;
class RowTable;

// What is wanted of the table of a set.
enum class TableShape : std::uint8_t {
  kOccupied,  // the cells that occur
  kAll,       // all cells
  // All cells of the last two variables, a pair, for each joint state of the others that occurs;
  // states that do not occur may be among them.
  kStrata,
};

// Tables of a batch, one after another. Of strata, those of a set may come in several parts.
struct TableBlock {
  struct Table {
    std::size_t set = 0;  // its place in the batch
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  std::vector<Table> tables;
  std::vector<std::uint32_t> counts;
  std::vector<double> weighted_counts;  // in the place of counts where rows have weights
};

// How far a batch has been counted; the part means something to the counter alone.
struct BatchPlace {
  std::size_t set = 0;
  std::size_t part = 0;
};

// Counts batches for one thread.
class BatchCounter {
 public:
  virtual ~BatchCounter() = default;

  // Visits every set of the batch in order: its place in the batch, and the counts of the cells
  // that occur (whole numbers, or doubles where rows have weights). The empty set has one cell.
  template <typename Visit>
  void count(const SetBatch& sets, Visit&& visit) {
    for_each_table(sets, TableShape::kOccupied, visit);
  }
  // The same with all cells.
  template <typename Visit>
  void count_all(const SetBatch& sets, Visit&& visit) {
    for_each_table(sets, TableShape::kAll, visit);
  }

  // Tables of pairs of variables given the states of others: the last two of each set are the pair.
  // Visits, for each set in order and each joint state of the others that occurs in mixed-radix
  // order, the place of the set and the table of the pair with all cells, the last variable's
  // states fastest. Sets with the same conditioning variables, and then pairs with the same first
  // variable, should be neighbours.
  template <typename Visit>
  void count_strata(const SetBatch& sets, Visit&& visit);

 protected:
  explicit BatchCounter(const CountSource& source) : source_(source) {}
  BatchCounter(const BatchCounter&) = default;

  // Puts the next tables of the batch into the block, as many as are good to have at once but at
  // least a part of one, and moves the place on. A block is filled from begin to end of a batch.
  virtual void fill(const SetBatch& sets, TableShape shape, BatchPlace& place,
                    TableBlock& block) = 0;

 private:
  template <typename Visit>
  void for_each_table(const SetBatch& sets, TableShape shape, Visit&& visit);

  const CountSource& source_;
  TableBlock block_;
};

class CountSource {
 public:
  virtual ~CountSource() = default;

  [[nodiscard]] std::size_t n_variables() const { return observed_.size(); }
  // The codes of a variable that occur, ascending, at least one: a state that never occurs adds
  // nothing to any score.
  [[nodiscard]] std::span<const std::uint16_t> observed(std::size_t variable) const {
    return observed_[variable];
  }
  [[nodiscard]] std::uint32_t n_observed(std::size_t variable) const {
    return n_observed_[variable];
  }
  // Rows gone through for a table, by which work is estimated; equal ones may have been merged.
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] bool is_weighted() const { return is_weighted_; }

  [[nodiscard]] virtual std::unique_ptr<BatchCounter> counter() const = 0;
  // One for each thread.
  [[nodiscard]] std::vector<std::unique_ptr<BatchCounter>> counters(unsigned n_threads) const {
    std::vector<std::unique_ptr<BatchCounter>> found(std::max(n_threads, 1U));
    for (auto& each : found) each = counter();
    return found;
  }
  // Null where they are not in memory.
  [[nodiscard]] virtual const RowTable* rows() const { return nullptr; }

 protected:
  CountSource() = default;
  CountSource(const CountSource&) = default;
  CountSource& operator=(const CountSource&) = default;

  std::vector<std::vector<std::uint16_t>> observed_;
  std::vector<std::uint32_t> n_observed_;
  std::size_t n_rows_ = 0;
  double total_ = 0;
  bool is_weighted_ = false;
};

template <typename Visit>
void BatchCounter::for_each_table(const SetBatch& sets, TableShape shape, Visit&& visit) {
  const bool is_weighted = source_.is_weighted();
  for (BatchPlace place; place.set < sets.size();) {
    fill(sets, shape, place, block_);
    for (const auto& [set, begin, size] : block_.tables) {
      if (is_weighted) {
        visit(set, std::span<const double>(block_.weighted_counts).subspan(begin, size));
      } else {
        visit(set, std::span<const std::uint32_t>(block_.counts).subspan(begin, size));
      }
    }
  }
}

template <typename Visit>
void BatchCounter::count_strata(const SetBatch& sets, Visit&& visit) {
  for_each_table(sets, TableShape::kStrata, [&](std::size_t at, const auto& table) {
    const auto pair = sets[at].last(2);
    const std::size_t size =
        static_cast<std::size_t>(source_.n_observed(pair[0])) * source_.n_observed(pair[1]);
    for (std::size_t begin = 0; begin < table.size(); begin += size) {
      const auto stratum = table.subspan(begin, size);
      for (const auto count : stratum) {
        if (count > 0) {
          visit(at, stratum);
          break;
        }
      }
    }
  });
}

}  // namespace credenet
