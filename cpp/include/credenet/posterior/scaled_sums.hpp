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
  // A_v(U), for one variable after another.
  ScaledSums(std::size_t n_variables, const ScaledTable& of_families, unsigned n_threads);

  // f of all sets. False if the control stopped it.
  [[nodiscard]] bool add_forward(ScaledTable& forward, Control& control);
  // g of all sets, and the derivative of f(V) by each A_v(U). False if the control stopped it.
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
  std::size_t n_top_;  // last variables, whose presence in S chooses the block of a thread
  const ScaledTable& of_families_;
  unsigned n_threads_;
  std::vector<Whole> best_before_;  // E, rounded down; kNone if the set has no DAG
  std::vector<Whole> best_after_;   // H, the same
  Whole least_ = 0;                 // E(V) - kCut
};

extern template class ScaledSums<std::int32_t>;
extern template class ScaledSums<std::int64_t>;

}  // namespace credenet
