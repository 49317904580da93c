#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "credenet/posterior/scaled_table.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Bits by which a term may be smaller than the sum over all DAGs; smaller terms are left out.
inline constexpr Exponent kCut = 110;

// Whether all exponents of a table are short: sums of 26 of them fit into 32 bits.
[[nodiscard]] bool has_short_exponents(const ScaledTable& table);

// The forward and backward sums of DagSums for weights of any size: each number has an exponent.
//
// The best order of the variables of U has the weight 2^E(U), that of the others after U 2^H(U); so
// f(U) is between 2^E(U) and |U|! 2^E(U), and E(U) + H(U) says how much all DAGs weigh that are
// built from U. Terms that are less than 2^-kCut of the best order are left out: adding variables
// never makes a term larger. The more rows the data have, the fewer terms are left. Most of the
// time goes into adding exponents; short ones take less of it.
template <typename Whole>
class ScaledSums {
 public:
  // Takes A_v(U), for one variable after another.
  ScaledSums(std::size_t n_variables, const ScaledTable& of_families, unsigned n_threads);

  // Finds f of all sets. False if the control stopped it.
  [[nodiscard]] bool add_forward(ScaledTable& forward, Control& control);
  // Finds g of all sets, and the derivative of f(V) by each A_v(U). False if the control stopped
  // it.
  [[nodiscard]] bool add_backward(const ScaledTable& forward, ScaledTable& backward,
                                  ScaledTable& derivatives, Control& control);

 private:
  struct Products;
  // The exponent of a set without a DAG. It is below all sums of exponents of the variables, and
  // twice as much is still a number.
  static constexpr Whole kNone = std::numeric_limits<Whole>::min() / 15 * 7;

  [[nodiscard]] static Exponent exponent_of(Whole best) {
    return best == kNone ? Scaled::kZero : best;
  }
  void find_best_orders();
  [[nodiscard]] Scaled of_family(std::size_t variable, std::uint32_t set) const;
  // Whether terms from the set may count.
  [[nodiscard]] bool counts(std::uint32_t set) const;
  // The variables outside U that may be added to it.
  [[nodiscard]] std::uint32_t addable(std::uint32_t set) const;
  void push(std::uint32_t set, std::uint32_t top, Products& products, ScaledTable& forward) const;
  void pull(std::uint32_t set, Products& products, const ScaledTable& forward,
            ScaledTable& backward, ScaledTable& derivatives) const;

  std::size_t n_;
  // Number of last variables, whose presence in S chooses the block of a thread.
  std::size_t n_top_;
  const ScaledTable& of_families_;
  unsigned n_threads_;
  std::vector<Whole> best_before_;  // Exponent E of each set, rounded down; kNone if it has no DAG.
  std::vector<Whole> best_after_;   // Exponent H of each set, rounded down; kNone if there is none.
  Whole least_ = 0;                 // Least exponent that counts, E(V) - kCut.
};

extern template class ScaledSums<std::int32_t>;
extern template class ScaledSums<std::int64_t>;

}  // namespace credenet
