#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/scores/set_scorer.hpp"

namespace credenet {

// The rows of one child, grouped by the joint states of its parents, for Dirichlet scores of many
// parent sets with the same first parents. One more parent splits the states that still have
// several rows. Candidates are named by their places in an order.
class ParentStates {
 public:
  // The order lists the candidates that are not required.
  ParentStates(const RowTable& rows, const SetScorer& scorer, std::size_t child,
               std::span<const std::uint16_t> required, std::span<const std::uint16_t> order);

  // Sets the parents: the required parents and the candidates at the places, ascending.
  void choose(std::span<const std::uint16_t> places);
  // Splits by one more parent.
  void push(std::uint16_t place);
  void pop() { --depth_; }

  // The score of the current parent set, without prior.
  [[nodiscard]] double score();
  // An upper bound on the score of every superset with one or more candidates from this place on.
  // Needs score first. Below least it need not be tight.
  [[nodiscard]] double superset_bound(std::size_t tail, double least);

  // Points processed so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }
  // Estimated bytes of one object: codes, classes and splits.
  [[nodiscard]] static std::size_t bytes(std::size_t n_rows, std::size_t n_candidates) {
    return 16 * n_rows * (n_candidates + 1);
  }

 private:
  static constexpr double kUnmixed = -1;

  struct Column {
    std::vector<std::uint16_t> codes;  // Codes of the points.
    std::uint32_t n_codes = 1;
    double n_states = 1;  // Number of states, as the score counts them.
  };
  // Parent states and their points, one state after another, without the settled states.
  struct Split {
    std::uint16_t place = 0;
    double n_states = 1;  // Product of the parents' numbers of states.
    // Number of states of a single point, by the kind of the point.
    std::vector<std::uint32_t> settled;
    std::size_t n_settled = 0;  // Number of settled states of all kinds.
    std::vector<std::uint32_t> points;
    std::vector<std::uint32_t> ends;
  };
  // Functions of counts for one concentration.
  struct Functions {
    CountFunction state;
    CountFunction cell;
    std::vector<double> kind_scores;
    std::vector<double> kind_mixing;
  };

  [[nodiscard]] Column column(const RowTable& rows, std::size_t variable) const;
  void find_points(const RowTable& rows, std::span<const std::uint16_t> variables);
  void find_kinds();
  void find_classes();
  void split(const Split& from, const Column& column, Split& to);
  void add_points(std::size_t begin, std::size_t end);
  [[nodiscard]] double atoms_cost(std::size_t begin, std::size_t end, std::size_t tail,
                                  const CountFunction& rising, double pure);
  [[nodiscard]] const Functions& functions(double concentration);
  [[nodiscard]] double pure_cost(const double* counts) const;
  [[nodiscard]] double n_occupied() const;

  std::size_t child_;
  const SetScorer& scorer_;
  double total_;
  std::size_t n_codes_;                        // Number of codes of the child.
  std::vector<std::uint32_t> rows_of_points_;  // First row of each point.
  std::vector<double> point_counts_;           // Counts by point and code of the child.
  std::vector<std::uint32_t> kind_of_;         // Kind of each point.
  std::vector<double> kind_counts_;            // Counts by kind and code of the child.
  std::vector<double> pure_of_kind_;
  std::vector<Column> columns_;        // Columns by place.
  std::vector<double> fewest_states_;  // Fewest states of a candidate from each place on.
  // Class by place and point; empty if no class is mixed.
  std::vector<std::vector<std::uint32_t>> classes_;
  std::vector<Split> stack_;
  std::size_t depth_ = 0;
  double cost_ = 0;           // Least cost of the cells in every superset, as score finds it.
  std::vector<double> pure_;  // Pure part of each state that is not settled; or kUnmixed.
  std::uint64_t work_ = 0;
  std::vector<double> counts_;  // Counts of one state.
  std::vector<std::uint32_t> part_ends_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint32_t> atom_of_;  // Atom of each class.
  std::vector<std::uint32_t> atom_classes_;
  std::vector<double> atom_counts_;  // Counts by atom and code of the child.
  CountFunction n_log_n_;
  std::map<double, Functions> functions_;  // Functions by concentration.
};

}  // namespace credenet
