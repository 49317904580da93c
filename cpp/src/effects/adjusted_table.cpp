#include "credenet/effects/adjusted_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace credenet {
namespace {

// Joint states that never occur share little probability. The last part of it, less than this, is
// given to a single one of them.
constexpr double kRest = 1e-4;

double entropy_term(double share) { return share > 0 ? -share * std::log(share) : 0; }

}  // namespace

void AdjustedTable::start(std::size_t x_states, std::size_t y_states, double set_states, double ess,
                          double total) {
  x_states_ = x_states;
  y_states_ = y_states;
  set_states_ = set_states;
  ess_ = ess;
  total_ = total;
  counts_.clear();
}

std::span<double> AdjustedTable::add_state() {
  counts_.resize(counts_.size() + n_cells(), 0.0);
  return std::span(counts_).last(n_cells());
}

double AdjustedTable::n_unseen() const {
  return std::max(set_states_ - static_cast<double>(n_seen()), 0.0);
}

void AdjustedTable::add_counts(std::span<double> sums) const {
  assert(sums.size() == n_cells());
  for (std::size_t at = 0; at < counts_.size(); ++at) sums[at % n_cells()] += counts_[at];
}

void AdjustedTable::mean(std::span<double> means) const {
  assert(means.size() == n_cells());
  const double of_state = ess_ / set_states_;
  const double of_row = of_state / static_cast<double>(x_states_);
  const double of_cell = of_row / static_cast<double>(y_states_);
  const double unseen = n_unseen() * of_state / static_cast<double>(y_states_);
  std::ranges::fill(means, unseen);
  for (std::size_t begin = 0; begin < counts_.size(); begin += n_cells()) {
    const auto table = std::span(counts_).subspan(begin, n_cells());
    const double weight = std::accumulate(table.begin(), table.end(), of_state);
    for (std::size_t row = 0; row < n_cells(); row += y_states_) {
      const auto counts = table.subspan(row, y_states_);
      const double scale = weight / std::accumulate(counts.begin(), counts.end(), of_row);
      for (std::size_t y = 0; y < y_states_; ++y) means[row + y] += scale * (counts[y] + of_cell);
    }
  }
  for (double& each : means) each /= total_ + ess_;
}

void AdjustedTable::draw(Random& random, std::size_t first, std::size_t last, std::size_t stride,
                         std::span<double> draws) {
  if (first == last) return;
  draw_shares(random, last - first);
  draw_seen(random, first, last - first, stride, draws);
  if (n_unseen() > 0) draw_unseen(random, first, last - first, stride, draws);
}

void AdjustedTable::draw_shares(Random& random, std::size_t n_draws) {
  const double of_state = ess_ / set_states_;
  shapes_.clear();
  for (std::size_t begin = 0; begin < counts_.size(); begin += n_cells()) {
    const auto table = std::span(counts_).subspan(begin, n_cells());
    shapes_.push_back(std::accumulate(table.begin(), table.end(), of_state));
  }
  if (n_unseen() > 0) shapes_.push_back(n_unseen() * of_state);
  const DirichletShape shape(shapes_);
  shares_.resize(n_draws * shapes_.size());
  for (std::size_t begin = 0; begin < shares_.size(); begin += shapes_.size()) {
    shape.draw(random, std::span(shares_).subspan(begin, shapes_.size()));
  }
}

void AdjustedTable::draw_seen(Random& random, std::size_t first, std::size_t n_draws,
                              std::size_t stride, std::span<double> draws) {
  const double of_cell = ess_ / set_states_ / static_cast<double>(n_cells());
  const std::size_t n_shares = shares_.size() / n_draws;
  const GammaShape empty(of_cell);
  row_.resize(y_states_);
  for (std::size_t begin = 0; begin < counts_.size(); begin += y_states_) {
    const std::size_t state = begin / n_cells();
    const std::size_t cell = begin % n_cells();
    shape_.clear();
    for (std::size_t y = 0; y < y_states_; ++y) {
      const double count = counts_[begin + y];
      shape_.add(count == 0 ? empty : GammaShape(count + of_cell));
    }
    for (std::size_t at = 0; at < n_draws; ++at) {
      shape_.draw(random, row_);
      const double share = shares_[at * n_shares + state];
      for (std::size_t y = 0; y < y_states_; ++y) {
        draws[(cell + y) * stride + first + at] += share * row_[y];
      }
    }
  }
}

// Gives the joint states that never occur their parts of the share one after another, by Beta
// draws.
void AdjustedTable::draw_unseen(Random& random, std::size_t first, std::size_t n_draws,
                                std::size_t stride, std::span<double> draws) {
  const double of_state = ess_ / set_states_;
  const std::size_t n_shares = shares_.size() / n_draws;
  row_.resize(y_states_);
  shapes_.assign(y_states_, of_state / static_cast<double>(n_cells()));
  const DirichletShape shape(shapes_);
  for (std::size_t at = 0; at < n_draws; ++at) {
    double left = shares_[(at + 1) * n_shares - 1];
    for (double n_left = n_unseen(); left > 0; --n_left) {
      double part = left;
      if (n_left > 1 && left > kRest) {
        const double pair[] = {of_state, (n_left - 1) * of_state};
        double parts[2];
        DirichletShape(pair).draw(random, parts);
        part = left * parts[0];
      }
      left -= part;
      for (std::size_t cell = 0; cell < n_cells(); cell += y_states_) {
        shape.draw(random, row_);
        for (std::size_t y = 0; y < y_states_; ++y) {
          draws[(cell + y) * stride + first + at] += part * row_[y];
        }
      }
    }
  }
}

double jensen_shannon(std::span<const double> cells, std::size_t n_rows, std::size_t n_columns,
                      std::size_t stride) {
  double divergence = 0;
  for (std::size_t column = 0; column < n_columns; ++column) {
    double sum = 0;
    double terms = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double share = cells[(row * n_columns + column) * stride];
      sum += share;
      terms += entropy_term(share);
    }
    divergence +=
        entropy_term(sum / static_cast<double>(n_rows)) - terms / static_cast<double>(n_rows);
  }
  return std::max(divergence, 0.0);
}

}  // namespace credenet
