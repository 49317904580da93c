#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/counts/table_counter.hpp"

namespace credenet {

// Counts that something outside the core finds: other machines, or a graphics processor. Its
// functions may be called by several threads at a time.
class FunctionSource final : public CountSource {
 public:
  // Fewest sets of a batch: each batch is one call out of the core.
  static constexpr std::size_t kSetsAtOnce = 4096;

  struct Functions {
    // All cells of each set, one table after another.
    std::function<void(const SetBatch& sets, std::vector<std::uint32_t>& counts)> tables;
    // The occupied cells of one set with more than TableCounter::kMostCells cells.
    std::function<void(std::span<const std::uint16_t> variables, CellCounts& found)> cells;
  };

  FunctionSource(std::vector<std::vector<std::uint16_t>> observed, std::size_t n_rows,
                 Functions functions)
      : functions_(std::move(functions)) {
    observed_ = std::move(observed);
    for (const auto& codes : observed_) {
      n_observed_.push_back(static_cast<std::uint32_t>(codes.size()));
    }
    n_rows_ = n_rows;
    sets_at_once_ = kSetsAtOnce;
    total_ = static_cast<double>(n_rows);
  }

  [[nodiscard]] std::unique_ptr<BatchCounter> counter() const override {
    return std::make_unique<Counter>(*this);
  }

 private:
  class Counter final : public TableCounter {
   public:
    explicit Counter(const FunctionSource& source)
        : TableCounter(source), functions_(source.functions_) {}

    void count_tables(const SetBatch& sets, std::vector<std::uint32_t>& counts) override {
      functions_.tables(sets, counts);
    }
    void count_cells(std::span<const std::uint16_t> variables, CellCounts& found) override {
      functions_.cells(variables, found);
    }

   private:
    const Functions& functions_;
  };

  Functions functions_;
};

}  // namespace credenet
