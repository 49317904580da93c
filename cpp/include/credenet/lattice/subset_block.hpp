#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/lattice/component_lists.hpp"

namespace credenet {

// One step of the dynamic programming over subsets: the best scores of all subsets that agree on
// the high variables. The low variables come first; a block holds one value for each set of low
// variables.
class SubsetBlocks {
 public:
  explicit SubsetBlocks(const ComponentLists& lists);

  // How n variables are split; a block never has fewer than kLanes entries, of which those with
  // variables that do not exist stay at minus infinity.
  [[nodiscard]] static std::size_t n_low(std::size_t n_variables);
  [[nodiscard]] static std::size_t n_high(std::size_t n_variables);

  // The memory that one worker needs besides the blocks.
  class Workspace {
   public:
    explicit Workspace(std::size_t n_variables);
    [[nodiscard]] static std::size_t bytes(std::size_t n_variables);

   private:
    friend class SubsetBlocks;
    std::vector<double> tables_;  // Tables of each low variable, and one of a high variable.
    // Sinks, in a wide type so that they are compared along with the scores.
    std::vector<std::int64_t> sinks_;
  };

  [[nodiscard]] std::size_t block_size() const { return std::size_t{1} << n_low_; }

  // Computes best[L], the best score of a network on high and L, minus infinity if there is none.
  // `before` holds the blocks without one of the high variables each, ascending. If sinks is given,
  // it receives the variable that is a sink of such a network: of several the first, high before
  // low.
  void compute(std::uint64_t high, std::span<const double* const> before, double* best,
               std::uint8_t* sinks, Workspace& workspace) const;

 private:
  // Families whose parents have the same high part.
  struct Group {
    std::uint64_t high;
    std::size_t begin;
    std::size_t end;
  };

  bool fill_table(std::size_t variable, std::uint64_t high, double* table) const;

  std::size_t n_low_;
  std::size_t n_variables_;
  std::vector<std::size_t> starts_{0};  // Start of each variable's groups.
  std::vector<Group> groups_;
  std::vector<std::uint32_t> low_parts_;
  std::vector<double> scores_;
};

}  // namespace credenet
