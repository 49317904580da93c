#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/treewidth/bag_orders.hpp"
#include "credenet/treewidth/lane_splits.hpp"
#include "credenet/treewidth/row_store.hpp"
#include "credenet/treewidth/subset_scores.hpp"
#include "credenet/treewidth/tree_decomposition.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// The tables of the dynamic programme over all tree decompositions of width k < n - 1.
//
// Every network of tree-width at most k is within a k-tree: bags of k + 1 variables, each new one
// with k members of the one above. Its root can be a bag with variable 0, so that 0 is never below.
//
// bag(B, R)[D, order]: the best score if the variables R hang below the bag B, whose members D take
// their families in it or below it. separator(C, S)[U, order]: if the variables S hang below C by
// one bag, and the members U of C take their families there. A bag with R gives away the part of R
// that holds its first variable to one of its separators; a separator with S takes one of S to make
// a bag. Sets R and S are numbered by the variables outside the bag or separator, without 0.
//
// Values are losses: a score less that of the best families without any condition. So a value only
// falls when more families come to it. All others have at least the loss of their best families
// without parents from below. What is then below the loss of a known network needs no more work;
// only sets with a value of use are stored.
class BoundedTables {
 public:
  using Set = std::uint32_t;
  using Arcs = std::vector<std::pair<std::int32_t, std::int32_t>>;

  static constexpr std::size_t kMostVariables = 20;
  static constexpr std::size_t kMostMembers = 9;

  // Every clique must lie in a bag; the first of an arc comes before the second in every bag. Only
  // networks of at least this score matter. Every variable must have a family.
  BoundedTables(const FamilyLists& lists, std::size_t tree_width,
                const std::vector<std::vector<std::int32_t>>& cliques, const Arcs& arcs,
                double at_least);

  // The memory that it takes at the most, and without any row; the largest number there is for
  // sizes that do not fit.
  [[nodiscard]] static std::size_t bytes(std::size_t n_variables, std::size_t tree_width);
  [[nodiscard]] static std::size_t least_bytes(std::size_t n_variables, std::size_t tree_width);

  // The approximate number of additions and comparisons.
  [[nodiscard]] static double steps(std::size_t n_variables, std::size_t tree_width);

  // Works on as many threads as there are stores, which hold the rows as long as this is in use.
  // Status kComplete, kStopped or kMemoryLimit.
  [[nodiscard]] Status fill(std::size_t max_bytes, std::span<RowStore> stores, double bound,
                            Control& control);

  // The memory taken so far.
  [[nodiscard]] std::size_t n_bytes() const { return n_bytes_; }

  // Sets the families and the bags of a best network; false if there is none.
  [[nodiscard]] bool find_best(BoundedResult& result) const;

 private:
  // A bag of the best network, with what hangs below it.
  struct Task {
    std::size_t bag = 0;
    Set rest = 0;
    Set to_place = 0;
    std::size_t order = 0;
    std::int32_t above = -1;  // Bag of the result above this bag; -1 for the root.
  };
  // A set of members in two: those placed below a part that hangs on all members but one, as a set
  // of the separator, and the others.
  struct SetSplit {
    std::uint16_t kept;
    std::uint16_t given;
  };
  // The splits of all sets of members, for one member left out.
  struct SetSplits {
    std::vector<SetSplit> splits;
    std::vector<std::size_t> starts{0};
  };
  // The values of bags, or of separators. A row has n_orders values for each of n_sets sets.
  struct Rows {
    std::size_t n_sets = 0;
    std::size_t n_orders = 0;
    // Values of each row: those of the sets of use, one set after the other.
    std::vector<double*> values{};
    // Largest value by row and set; minus infinity if the set is of no use.
    std::vector<double> tops{};
    // Place of the set in its row, by row and set, if it is of use.
    std::vector<std::uint16_t> slots{};

    Rows(std::size_t n_members, std::size_t n_rows);
    [[nodiscard]] std::size_t size() const { return n_sets * n_orders; }
    [[nodiscard]] bool is_of_use(std::size_t row, std::size_t set) const;
    // The values of a set that is of use.
    [[nodiscard]] const double* of(std::size_t row, std::size_t set) const {
      return values[row] + slots[row * n_sets + set] * n_orders;
    }
  };
  // The memory of one thread.
  struct Worker {
    RowStore* stored = nullptr;
    RowStore unfinished{};           // Rows with all their sets.
    std::vector<double*> pending{};  // Unfinished row of a bag, by rest.
    std::vector<double> given{};     // Values of a separator by order of the bag.
    std::vector<Split> splits{};
    std::vector<std::size_t> starts{};
    std::vector<double> least{};  // Least value that is of use, by set.
  };

  [[nodiscard]] Set outside(Set members) const;
  // The numbers of rows.
  [[nodiscard]] std::size_t bag(std::size_t at, Set rest) const { return bag_starts_[at] + rest; }
  [[nodiscard]] std::size_t separator(std::size_t at, Set below) const {
    return separator_starts_[at] + below;
  }
  [[nodiscard]] std::uint64_t work(std::size_t size) const;
  std::size_t number_sets(std::size_t size, std::vector<Set>& sets,
                          std::vector<std::size_t>& starts);
  [[nodiscard]] SetSplits list_splits(std::size_t left_out) const;
  [[nodiscard]] Set before(Set members, std::size_t at, std::size_t order) const;
  [[nodiscard]] bool obeys_arcs(Set members, std::size_t order) const;
  [[nodiscard]] bool allows_cliques(Set members, std::size_t variable, Set rest) const;

  [[nodiscard]] static double* new_row(const Rows& rows, Worker& worker);
  void find_least(Set members, Set below, Worker& worker) const;
  void store(const double* values, Rows& rows, std::size_t row, Worker& worker);
  void fill_leaf(std::size_t at, Worker& worker);
  void fill_bag(std::size_t at, std::size_t size, Worker& worker);
  void hang_part(std::size_t at, std::size_t size, Set part, std::size_t left_out, Worker& worker);
  [[nodiscard]] bool choose_splits(std::size_t kept, std::size_t given, std::size_t left_out,
                                   bool is_root, Worker& worker) const;
  void spread(std::size_t row, std::size_t left_out, std::vector<double>& result) const;
  void fill_separator(std::size_t at, std::size_t size, Worker& worker);

  void place(const Task& task, std::vector<Task>& tasks, BoundedResult& result) const;
  void give_part(const Task& task, std::int32_t here, Set& to_place, Set& rest,
                 std::vector<Task>& tasks) const;
  [[nodiscard]] Task bag_below(std::size_t at, Set below, Set set, std::size_t order,
                               std::int32_t above) const;

  std::size_t n_;
  std::size_t k_;
  SubsetScores scores_;
  BagOrders orders_;
  std::vector<Set> cliques_;
  Arcs arcs_;
  double least_;                                    // Least value that is of use.
  std::vector<const std::uint32_t*> restrictions_;  // Restrictions by the member left out.
  std::vector<SetSplits> splits_;                   // Splits by the member left out.
  std::vector<std::uint8_t> sizes_;                 // Sizes of sets.
  std::vector<std::uint32_t> numbers_;  // Numbers of bags and separators, by their members.
  std::vector<Set> bags_;
  std::vector<Set> separators_;
  std::vector<std::size_t> bag_starts_;
  std::vector<std::size_t> separator_starts_;
  Rows bag_rows_;
  Rows separator_rows_;
  std::vector<Worker> workers_;
  std::atomic<std::size_t> n_bytes_{0};
};

}  // namespace credenet
