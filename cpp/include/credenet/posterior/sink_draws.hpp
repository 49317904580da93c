#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Draws a DAG by its weight from the sums over all DAGs of each set of variables.
//
// The sinks are removed one after another, always the first one in an order of the variables. Those
// before it in this order are no sinks, so each must be its parent or have another child. The
// weight of the DAGs of R in which no variable of O is a sink is the sum over I in O of (-1)^|I|
// f(R \ I) times the product over u in I of A_u(R \ I). A sink is drawn by such weights, and its
// parents by their own weight; they are kept with the probability that the rest obeys what is
// left of the demands. On average there are as many attempts as sinks.
//
// Tables has forward(set), the sum over the DAGs of a set (f); of_family(variable, set), the sum
// over the families of a variable inside a set (A); and draw_family(variable, set, random), one of
// these, whose parents are in the member parents. Numbers are Plain or Scaled.
template <typename Tables>
class SinkDraws {
 public:
  using Number = typename Tables::Number;

  // Any order is right; if probable sinks come first, it is faster.
  SinkDraws(const Tables& tables, std::span<const std::size_t> order)
      : tables_(tables), order_(order) {}

  // Calls visit(variable, family) for each variable. If the sums are over orders, the last variable
  // of the order is drawn first, then the others.
  template <typename Visit>
  void draw(bool by_orders, Random& random, Visit&& visit) const {
    std::uint32_t set = bit_of(order_.size()) - 1;
    std::uint32_t demanding = 0;
    while (set != 0) {
      const auto [sink, demanded] = drawn_sink(set, demanding, by_orders, random);
      const std::uint32_t others = set & ~bit_of(sink);
      while (true) {
        const auto& family = tables_.draw_family(sink, others, random);
        const std::uint32_t open = demanded & ~family.parents;
        if (open != 0 && random.uniform() >= weight(others, open).over(tables_.forward(others))) {
          continue;
        }
        visit(sink, family);
        demanding = open;
        break;
      }
      set = others;
    }
  }

 private:
  struct Sink {
    std::size_t variable = 0;
    std::uint32_t demanded = 0;  // Variables that must have a child.
  };

  [[nodiscard]] Sink drawn_sink(std::uint32_t set, std::uint32_t demanding, bool by_orders,
                                Random& random) const {
    const Number all = weight(set, demanding);
    double left = random.uniform();
    // Variables earlier in the order; no sinks if a later variable is the first sink.
    std::uint32_t before = 0;
    Sink sink;
    for (const std::size_t variable : order_) {
      if ((set & bit_of(variable)) == 0) continue;
      if ((demanding & bit_of(variable)) == 0) {
        const double share = weight_with_sink(set, demanding | before, variable).over(all);
        if (share > 0) {
          sink = {variable, demanding | before};  // Rounding must not end without a sink.
          left -= share;
          if (left < 0) break;
        }
      }
      // Any variable of an order may be the last, and demands nothing of the others.
      if (!by_orders) before |= bit_of(variable);
    }
    return sink;
  }

  // The weight of the DAGs of the set in which none of the demanding is a sink.
  [[nodiscard]] Number weight(std::uint32_t set, std::uint32_t demanding) const {
    Number sum = tables_.forward(set);
    for (std::uint32_t sinks = demanding; sinks != 0; sinks = (sinks - 1) & demanding) {
      sum = sum + with_sinks(tables_.forward(set & ~sinks), sinks, set & ~sinks);
    }
    return sum;
  }
  // The weight of the DAGs of the set in which a given variable is a sink, and none of the
  // demanding.
  [[nodiscard]] Number weight_with_sink(std::uint32_t set, std::uint32_t demanding,
                                        std::size_t sink) const {
    const std::uint32_t others = set & ~bit_of(sink);
    Number sum;
    for (std::uint32_t sinks = demanding;; sinks = (sinks - 1) & demanding) {
      const std::uint32_t before = others & ~sinks;
      sum = sum +
            with_sinks(tables_.forward(before) * tables_.of_family(sink, before), sinks, before);
      if (sinks == 0) return sum;
    }
  }
  [[nodiscard]] Number with_sinks(Number term, std::uint32_t sinks, std::uint32_t before) const {
    for (std::uint32_t rest = sinks; rest != 0 && term.value != 0; rest &= rest - 1) {
      term = term * -tables_.of_family(static_cast<std::size_t>(std::countr_zero(rest)), before);
    }
    return term.value != 0 ? term : Number();
  }

  const Tables& tables_;
  std::span<const std::size_t> order_;
};

}  // namespace credenet
