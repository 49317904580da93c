// The effect p(y | do(x)) = sum over z of p(z) p(y | x, z) for one adjustment set, with independent
// Dirichlet priors on p(z) and on each p(y | x, z): ess spread evenly over all cells of the table.
// The posteriors are Dirichlet distributions as well, so the mean is exact and draws are
// independent (Kvisgaard and Pensar 2025).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "credenet/effects/dirichlet_draws.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Tables have a row for each state of x and a column for each of y.
class AdjustedTable {
 public:
  // Begins a set with this number of joint states.
  void start(std::size_t x_states, std::size_t y_states, double set_states, double ess,
             double total);
  // The counts of x and y in a joint state of the set that occurs: a table of zeros to be filled.
  [[nodiscard]] std::span<double> add_state();

  // The counts of x and y in all joint states of the set together.
  void add_counts(std::span<double> sums) const;
  // The posterior mean.
  void mean(std::span<double> means) const;
  // Adds draws [first, last) of each cell, which begin at 0. The draws of a cell lie together,
  // stride of them.
  void draw(Random& random, std::size_t first, std::size_t last, std::size_t stride,
            std::span<double> draws);

 private:
  [[nodiscard]] std::size_t n_cells() const { return x_states_ * y_states_; }
  [[nodiscard]] std::size_t n_seen() const { return counts_.size() / n_cells(); }
  [[nodiscard]] double n_unseen() const;
  void draw_shares(Random& random, std::size_t n_draws);
  void draw_seen(Random& random, std::size_t first, std::size_t n_draws, std::size_t stride,
                 std::span<double> draws);
  void draw_unseen(Random& random, std::size_t first, std::size_t n_draws, std::size_t stride,
                   std::span<double> draws);

  std::size_t x_states_ = 1;
  std::size_t y_states_ = 1;
  double set_states_ = 1;
  double ess_ = 1;
  double total_ = 0;
  std::vector<double> counts_;  // A table for each joint state that occurs.
  std::vector<double> shares_;  // Draws of p(z): joint states that occur, then all others.
  std::vector<double> row_;     // Draw of p(y | x, z) for one x and z.
  std::vector<double> shapes_;
  DirichletShape shape_;
};

// The Jensen-Shannon divergence of the rows of a table, each weighted alike, in nats. Cells are
// stride apart.
[[nodiscard]] double jensen_shannon(std::span<const double> cells, std::size_t n_rows,
                                    std::size_t n_columns, std::size_t stride);

}  // namespace credenet
