#include "credenet/lattice/heuristics/fractional_matching.hpp"

#include <array>
#include <bit>
#include <limits>

namespace credenet {
namespace {

constexpr std::size_t kMost = 64;  // Most vertices: bits of a word.

// Maximum weight assignment by shortest augmenting paths (Hungarian algorithm), rows one by one;
// costs are minus the weights. Row and column 0 stand for "none".
double best_assignment(std::span<const double> weights, std::size_t n,
                       std::span<const std::size_t> vertices) {
  const std::size_t m = vertices.size();
  std::array<double, kMost + 1> row_price{};
  std::array<double, kMost + 1> column_price{};
  std::array<std::size_t, kMost + 1> row_of{};
  const auto weight = [&](std::size_t row, std::size_t column) {
    return weights[vertices[row - 1] * n + vertices[column - 1]];
  };
  for (std::size_t row = 1; row <= m; ++row) {
    std::array<double, kMost + 1> slack;
    std::array<std::size_t, kMost + 1> came_from{};
    std::array<bool, kMost + 1> reached{};
    slack.fill(std::numeric_limits<double>::infinity());
    row_of[0] = row;
    std::size_t column = 0;
    do {
      reached[column] = true;
      const std::size_t at = row_of[column];
      double step = std::numeric_limits<double>::infinity();
      std::size_t nearest = 0;
      for (std::size_t j = 1; j <= m; ++j) {
        if (reached[j]) continue;
        const double reduced = -weight(at, j) - row_price[at] - column_price[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          came_from[j] = column;
        }
        if (slack[j] < step) {
          step = slack[j];
          nearest = j;
        }
      }
      for (std::size_t j = 0; j <= m; ++j) {
        if (reached[j]) {
          row_price[row_of[j]] += step;
          column_price[j] -= step;
        } else {
          slack[j] -= step;
        }
      }
      column = nearest;
    } while (row_of[column] != 0);
    while (column != 0) {
      row_of[column] = row_of[came_from[column]];
      column = came_from[column];
    }
  }
  double sum = 0;  // Sum of the weights, not of the prices, so that it is valid under rounding.
  for (std::size_t column = 1; column <= m; ++column) sum += weight(row_of[column], column);
  return sum;
}

}  // namespace

double fractional_matching(std::span<const double> weights, std::size_t n, std::uint64_t vertices) {
  double sum = 0;
  std::array<std::size_t, kMost> piece;
  for (std::uint64_t rest = vertices; rest != 0;) {
    std::size_t size = 0;
    for (std::uint64_t fresh = rest & (0 - rest); fresh != 0;) {
      const auto at = static_cast<std::size_t>(std::countr_zero(fresh));
      piece[size++] = at;
      rest &= ~(std::uint64_t{1} << at);
      fresh &= fresh - 1;
      for (std::uint64_t others = rest & ~fresh; others != 0; others &= others - 1) {
        const auto other = static_cast<std::size_t>(std::countr_zero(others));
        if (weights[at * n + other] > 0) fresh |= std::uint64_t{1} << other;
      }
    }
    if (size == 2) {
      sum += weights[piece[0] * n + piece[1]];
    } else if (size > 2) {
      sum += best_assignment(weights, n, std::span(piece).first(size)) / 2;
    }
  }
  return sum;
}

}  // namespace credenet
