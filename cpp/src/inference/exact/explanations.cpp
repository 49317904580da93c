// Most relevant explanations by enumeration (Yuan, Lim and Lu, JAIR 2011). All partial assignments
// of the targets are the cells of one table, in which every axis has a last place for "says
// nothing"; the sums over the other places of an axis fill it, so that each cell holds the
// probability of its assignment. The probability of everything else is added up along the
// assignment, as P(not x1) + P(x1, not x2) + ...: never 1 - P, which would lose small complements
// and the zeros that make a factor infinite. The best factor of all parts (and of all that an
// assignment is a part of) comes from one sweep along each axis. Time is the number of cells times
// that of targets.
#include "credenet/inference/exact/explanations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace credenet {
namespace {

constexpr double kTolerance = 1e-9;  // Relative difference up to which factors are equal.
constexpr double kNone = -1;         // Factor of an assignment that cannot be an explanation.

class Lattice {
 public:
  Lattice(std::span<const std::int32_t> n_states, Control& control) : control_(control) {
    for (const std::int32_t size : n_states) sizes_.push_back(static_cast<std::size_t>(size));
    strides_.resize(sizes_.size());
    for (std::size_t axis = sizes_.size(); axis-- > 0;) {
      strides_[axis] = n_cells_;
      n_cells_ *= sizes_[axis] + 1;
    }
  }

  bool run(std::span<const double> prior, std::span<const double> posterior) {
    factors_.assign(n_cells_, kNone);
    std::vector<double> without = marginals(prior);
    if (!poll()) return false;
    {
      const std::vector<double> with = marginals(posterior);
      add_factors(without, with, 0, n_cells_ - 1, 0, 0);
    }
    if (!poll()) return false;
    is_dominated_.assign(n_cells_, 0);
    std::vector<double>& best = without;
    best = factors_;
    return by_parts(best) && by_wholes(best);
  }

  std::vector<Explanation> best(std::size_t k) const {
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < n_cells_; ++cell) {
      if (factors_[cell] > 0 && !is_dominated_[cell]) cells.push_back(cell);
    }
    std::vector<Explanation> found;
    const auto n_kept = static_cast<std::ptrdiff_t>(std::min(k, cells.size()));
    std::partial_sort(cells.begin(), cells.begin() + n_kept, cells.end(),
                      [&](std::size_t a, std::size_t b) {
                        if (factors_[a] != factors_[b]) return factors_[a] > factors_[b];
                        const std::size_t first = n_named(a);
                        const std::size_t second = n_named(b);
                        return first != second ? first < second : a < b;
                      });
    cells.resize(static_cast<std::size_t>(n_kept));
    for (const std::size_t cell : cells) {
      Explanation explanation;
      explanation.bayes_factor = factors_[cell];
      for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
        const std::size_t state = state_of(cell, axis);
        explanation.states.push_back(state == sizes_[axis] ? -1 : static_cast<std::int32_t>(state));
      }
      found.push_back(std::move(explanation));
    }
    return found;
  }

 private:
  [[nodiscard]] bool poll() { return control_.poll({n_steps_++, 2 * sizes_.size() + 2}); }

  [[nodiscard]] std::size_t state_of(std::size_t cell, std::size_t axis) const {
    return cell / strides_[axis] % (sizes_[axis] + 1);
  }

  [[nodiscard]] std::size_t n_named(std::size_t cell) const {
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      if (state_of(cell, axis) < sizes_[axis]) ++result;
    }
    return result;
  }

  // Calls visit(cell, cell that says nothing of the axis) for all cells that name the axis.
  template <typename Visit>
  void along(std::size_t axis, Visit&& visit) const {
    const std::size_t inner = strides_[axis];
    const std::size_t slab = inner * (sizes_[axis] + 1);
    for (std::size_t first = 0; first < n_cells_; first += slab) {
      const std::size_t nothing = first + slab - inner;
      for (std::size_t begin = first; begin < nothing; begin += inner) {
        for (std::size_t at = 0; at < inner; ++at) visit(begin + at, nothing + at);
      }
    }
  }

  [[nodiscard]] std::vector<double> marginals(std::span<const double> joint) const {
    std::vector<double> table(n_cells_, 0);
    std::vector<std::size_t> counters(sizes_.size(), 0);
    std::size_t cell = 0;
    for (const double value : joint) {
      table[cell] = value;
      for (std::size_t axis = sizes_.size(); axis-- > 0;) {
        cell += strides_[axis];
        if (++counters[axis] < sizes_[axis]) break;
        cell -= strides_[axis] * sizes_[axis];
        counters[axis] = 0;
      }
    }
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      along(axis, [&](std::size_t named, std::size_t nothing) { table[nothing] += table[named]; });
    }
    return table;
  }

  // Adds the factors of all assignments that name further axes from this one on.
  void add_factors(std::span<const double> prior, std::span<const double> posterior,
                   std::size_t from, std::size_t cell, double not_prior, double not_posterior) {
    for (std::size_t axis = from; axis < sizes_.size(); ++axis) {
      const std::size_t first = cell - strides_[axis] * sizes_[axis];
      for (std::size_t state = 0; state < sizes_[axis]; ++state) {
        const std::size_t named = first + state * strides_[axis];
        double other_prior = not_prior;
        double other_posterior = not_posterior;
        for (std::size_t other = 0; other < sizes_[axis]; ++other) {
          if (other == state) continue;
          other_prior += prior[first + other * strides_[axis]];
          other_posterior += posterior[first + other * strides_[axis]];
        }
        // No assignment that includes this assignment has a factor either.
        if (prior[named] == 0) continue;
        if (other_prior > 0) {
          factors_[named] = other_posterior > 0
                                ? posterior[named] / prior[named] * (other_prior / other_posterior)
                                : std::numeric_limits<double>::infinity();
        }
        add_factors(prior, posterior, axis + 1, named, other_prior, other_posterior);
      }
    }
  }

  // A part with as large a factor dominates.
  bool by_parts(std::vector<double>& best) {
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      along(axis, [&](std::size_t named, std::size_t nothing) {
        best[named] = std::max(best[named], best[nothing]);
      });
    }
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      along(axis, [&](std::size_t named, std::size_t nothing) {
        if (best[nothing] >= factors_[named] * (1 - kTolerance)) is_dominated_[named] = 1;
      });
      if (!poll()) return false;
    }
    return true;
  }

  // A larger factor of a superset also rules out an explanation.
  bool by_wholes(std::vector<double>& best) {
    best = factors_;
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      along(axis, [&](std::size_t named, std::size_t nothing) {
        best[nothing] = std::max(best[nothing], best[named]);
      });
    }
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      along(axis, [&](std::size_t named, std::size_t nothing) {
        if (best[named] > factors_[nothing] * (1 + kTolerance)) is_dominated_[nothing] = 1;
      });
      if (!poll()) return false;
    }
    return true;
  }

  Control& control_;
  std::vector<std::size_t> sizes_, strides_;
  std::size_t n_cells_ = 1;
  std::vector<double> factors_;
  std::vector<std::uint8_t> is_dominated_;
  std::uint64_t n_steps_ = 0;
};

}  // namespace

double explanation_bytes(std::span<const std::int32_t> n_states) {
  double cells = 1;
  for (const std::int32_t size : n_states) cells *= static_cast<double>(size) + 1;
  // Memory is three tables and a flag for each cell, and the cells that are left to choose from.
  return (3 * sizeof(double) + 1 + sizeof(std::size_t)) * cells;
}

bool explanations(std::span<const std::int32_t> n_states, std::span<const double> prior,
                  std::span<const double> posterior, std::size_t k, Control& control,
                  std::vector<Explanation>& found) {
  Lattice lattice(n_states, control);
  if (!lattice.run(prior, posterior)) return false;
  found = lattice.best(k);
  return true;
}

}  // namespace credenet
