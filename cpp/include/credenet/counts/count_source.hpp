// The source of counts. Scores, independence tests and local search list sets of variables in
// batches and ask for their contingency tables. They do not know where the rows are. Rows in memory
// (RowTable) are one source.
//
// A source promises:
// - The tables of a batch come in the order of its sets, each once and complete.
// - Cells are numbered by the states that occur, in mixed radix, last variable fastest.
// - Counts depend neither on the rest of the batch nor on who counts. Whole numbers are exact.
//   Weights are added in the order of the rows, so sums over a table have the same digits.
// - One thread uses one counter. Several threads may use several counters of a source at a time.
//
// A counter is asked for a block of tables at a time, not for each table. A caller that needs a
// table before it knows the next set uses batches of one set (best-first exploration of families).
// The large parent sets of Dirichlet scores (ParentStates) split rows instead of counting tables.
// They need the rows themselves, so a source without rows does not have them.
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

// Which cells of the table of a set are wanted.
enum class TableShape : std::uint8_t {
  kOccupied,  // Only the cells that occur.
  kAll,       // All cells, also those that do not occur.
  // All cells of the last two variables (a pair) for each joint state of the other variables that
  // occurs. Joint states that do not occur may be included.
  kStrata,
};

// Tables of a batch, one after another. The strata of one set may come in several parts.
struct TableBlock {
  struct Table {
    std::size_t set = 0;  // Place of the set in the batch.
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  std::vector<Table> tables;
  std::vector<std::uint32_t> counts;
  std::vector<double> weighted_counts;  // Cells of weighted rows; counts is then empty.
};

// How far a batch has been counted. Only the counter interprets the part.
struct BatchPlace {
  std::size_t set = 0;
  std::size_t part = 0;
};

// Counts batches for one thread.
class BatchCounter {
 public:
  virtual ~BatchCounter() = default;

  // Visits every set of the batch in order, with its place in the batch and the counts of the cells
  // that occur (whole numbers, or doubles if rows have weights). The empty set has one cell.
  template <typename Visit>
  void count(const SetBatch& sets, Visit&& visit) {
    for_each_table(sets, TableShape::kOccupied, visit);
  }
  // Visits every set like count, but with all cells, also those that do not occur.
  template <typename Visit>
  void count_all(const SetBatch& sets, Visit&& visit) {
    for_each_table(sets, TableShape::kAll, visit);
  }

  // Tables of pairs of variables given others; the last two variables of each set are the pair.
  // Visits each set in order and, for it, each joint state of the others that occurs, in
  // mixed-radix order: with the place of the set and the whole table of the pair, last variable
  // fastest. Sets with the same conditioning variables should be neighbours, and among these, pairs
  // with the same first variable.
  template <typename Visit>
  void count_strata(const SetBatch& sets, Visit&& visit);

 protected:
  explicit BatchCounter(const CountSource& source) : source_(source) {}
  BatchCounter(const BatchCounter&) = default;

  // Fills the block with the next tables of the batch and moves the place on. The block gets a
  // convenient number of tables, but at least a part of one. A batch must be read from begin to
  // end.
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
  // The codes of a variable that occur, ascending; at least one. A state that never occurs adds
  // nothing to any score.
  [[nodiscard]] std::span<const std::uint16_t> observed(std::size_t variable) const {
    return observed_[variable];
  }
  [[nodiscard]] std::uint32_t n_observed(std::size_t variable) const {
    return n_observed_[variable];
  }
  // Rows to go through for a table, to estimate work. Equal rows may have been merged.
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] bool is_weighted() const { return is_weighted_; }

  [[nodiscard]] virtual std::unique_ptr<BatchCounter> counter() const = 0;
  // One counter for each thread.
  [[nodiscard]] std::vector<std::unique_ptr<BatchCounter>> counters(unsigned n_threads) const {
    std::vector<std::unique_ptr<BatchCounter>> found(std::max(n_threads, 1U));
    for (auto& each : found) each = counter();
    return found;
  }
  // The smallest number of sets that a batch should have, if enough sets exist: each batch takes
  // some time of its own if something outside the core counts it.
  [[nodiscard]] std::size_t sets_at_once() const { return sets_at_once_; }
  // The rows; null if they are not in memory.
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
  std::size_t sets_at_once_ = 1;
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
