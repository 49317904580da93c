#include "credenet/posterior/tiled_sums.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

#include "credenet/posterior/weight_table.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kLow = 8;      // Low variables: those of a tile.
constexpr std::size_t kTopHigh = 4;  // High variables of the outermost loop.
constexpr std::size_t kColumns = 5;  // High variables whose sets are the columns of a block.

// Spreads the bits of a number over the members of a set.
std::uint32_t spread(std::uint32_t number, std::uint32_t set) {
  std::uint32_t result = 0;
  for (; number != 0; number >>= 1) {
    const std::uint32_t lowest = set & (~set + 1);
    if ((number & 1) != 0) result |= lowest;
    set ^= lowest;
  }
  return result;
}

std::uint32_t lowest_members(std::uint32_t set, std::size_t most) {
  std::uint32_t chosen = 0;
  for (std::size_t at = 0; at < most && set != 0; ++at) {
    chosen |= set & (~set + 1);
    set &= set - 1;
  }
  return chosen;
}

// The loops below run over columns, mostly a full block of them, which the compiler then knows.
constexpr std::size_t kFull = std::size_t{1} << kColumns;

[[gnu::always_inline]] inline void add_rows(const double* products, const std::uint16_t* supersets,
                                            std::size_t n, const double* columns,
                                            std::size_t n_columns, double* sums) {
  for (std::size_t at = 0; at < n; ++at) {
    double* row = sums + supersets[at] * n_columns;
    const double product = products[at];
    for (std::size_t column = 0; column < n_columns; ++column) {
      row[column] += product * columns[column];
    }
  }
}

// Adds each product times the columns of one set to the rows of its supersets.
CREDENET_CLONES
void add_products(const double* products, const std::uint16_t* supersets, std::size_t n,
                  const double* columns, std::size_t n_columns, double* sums) {
  if (n_columns == kFull) return add_rows(products, supersets, n, columns, kFull, sums);
  add_rows(products, supersets, n, columns, n_columns, sums);
}

[[gnu::always_inline]] inline void fold_rows(double* rows, std::size_t half, std::size_t n_columns,
                                             double* sums) {
  const double* second = rows + half * n_columns;
  for (std::size_t column = 0; column < n_columns; ++column) sums[column] = 0;
  for (std::size_t at = 0; at < half; ++at) {
    for (std::size_t column = 0; column < n_columns; ++column) {
      const double number = second[at * n_columns + column];
      sums[column] += number;
      rows[at * n_columns + column] += number;
    }
  }
}

// Adds the second half of the rows to the first, and sums up the second half.
CREDENET_CLONES
void fold(double* rows, std::size_t half, std::size_t n_columns, double* sums) {
  if (n_columns == kFull) return fold_rows(rows, half, kFull, sums);
  fold_rows(rows, half, n_columns, sums);
}

[[gnu::always_inline]] inline void fold_multiplied(const double* products,
                                                   const std::uint16_t* supersets, std::size_t half,
                                                   const double* rows, std::size_t n_columns,
                                                   double* result, double* sums) {
  for (std::size_t column = 0; column < n_columns; ++column) sums[column] = 0;
  for (std::size_t at = 0; at < half; ++at) {
    const double* first = rows + supersets[at] * n_columns;
    const double* second = rows + supersets[half + at] * n_columns;
    const double product = products[at];
    const double second_product = products[half + at];
    for (std::size_t column = 0; column < n_columns; ++column) {
      const double number = second_product * second[column];
      sums[column] += number;
      result[at * n_columns + column] = product * first[column] + number;
    }
  }
}

// Folds the rows of the supersets, each times its product, like fold.
CREDENET_CLONES
void multiply_and_fold(const double* products, const std::uint16_t* supersets, std::size_t half,
                       const double* rows, std::size_t n_columns, double* result, double* sums) {
  if (n_columns == kFull) {
    return fold_multiplied(products, supersets, half, rows, kFull, result, sums);
  }
  fold_multiplied(products, supersets, half, rows, n_columns, result, sums);
}

}  // namespace

// Memory of one thread.
struct TiledSums::Room {
  Room(std::size_t n_low, std::size_t n_products, std::size_t n_variables)
      : products(n_products),
        rows((std::size_t{1} << n_low) << kColumns),
        folded((std::size_t{1} << n_low) << kColumns),
        with_variable((std::size_t{1} << n_low) * n_variables),
        total(std::size_t{1} << n_low) {}

  std::vector<double> products;
  std::vector<double> rows;
  std::vector<double> folded;
  // Sum of all terms, and of those that have a variable in S \ U, for each U of the tile.
  std::vector<double> with_variable;
  std::vector<double> total;
  std::array<double, std::size_t{1} << kColumns> columns{};
  std::array<double, std::size_t{1} << kColumns> sums{};
};

TiledSums::TiledSums(std::size_t n_variables, std::span<const double> of_families,
                     unsigned n_threads)
    : n_(n_variables),
      n_low_(std::min(n_variables, kLow)),
      n_high_(n_ - n_low_),
      n_top_(n_high_ > kTopHigh ? kTopHigh : 0),
      of_families_(of_families),
      n_threads_(std::max(n_threads, 1U)) {
  const std::uint32_t all = bit_of(n_low_) - 1;
  for (std::uint32_t low = 0; low <= all; ++low) {
    begins_.push_back(static_cast<std::uint32_t>(supersets_.size()));
    const std::uint32_t others = all & ~low;
    const std::uint32_t n_supersets = bit_of(static_cast<std::size_t>(std::popcount(others)));
    for (std::uint32_t at = 0; at < n_supersets; ++at) {
      supersets_.push_back(static_cast<std::uint16_t>(low | spread(at, others)));
    }
  }
  begins_.push_back(static_cast<std::uint32_t>(supersets_.size()));
}

double TiledSums::factor(std::size_t variable, std::uint32_t set) const {
  return -of_families_[(variable << (n_ - 1)) + without(set, variable)];
}

std::vector<std::vector<std::uint32_t>> TiledSums::layers() const {
  std::vector<std::vector<std::uint32_t>> found(n_high_ + 1);
  for (std::uint32_t high = 0; high < bit_of(n_high_); ++high) {
    found[static_cast<std::size_t>(std::popcount(high))].push_back(high);
  }
  return found;
}

void TiledSums::fill_products(std::uint32_t high, Room& room) const {
  for (std::uint32_t low = 0; low < bit_of(n_low_); ++low) {
    double* products = room.products.data() + begins_[low];
    products[0] = 1;
    std::size_t n = 1;
    for (std::size_t variable = 0; variable < n_low_; ++variable) {
      if ((low & bit_of(variable)) != 0) continue;
      const double next = factor(variable, high << n_low_ | low);
      for (std::size_t at = 0; at < n; ++at) products[n + at] = products[at] * next;
      n *= 2;
    }
  }
}

// Adds the terms with the same high part.
void TiledSums::finish_tile(std::uint32_t high, Room& room, std::span<double> forward) const {
  fill_products(high, room);
  double* tile = forward.data() + (std::size_t{high} << n_low_);
  for (std::uint32_t low = 0; low < bit_of(n_low_); ++low) {
    const double sum = -tile[low];
    for (std::uint32_t at = begins_[low] + 1; at < begins_[low + 1]; ++at) {
      tile[supersets_[at]] += sum * room.products[at];
    }
  }
}

// Adds the terms from a tile to tiles whose last variables are the given ones.
void TiledSums::push_tile(std::uint32_t high, std::uint32_t top, Room& room,
                          std::span<double> forward) const {
  const std::uint32_t all_top = (bit_of(n_top_) - 1) << (n_high_ - n_top_);
  if ((high & all_top & ~top) != 0) return;
  fill_products(high, room);
  const std::uint32_t added_top = top & ~high;
  const std::uint32_t others = (bit_of(n_high_) - 1) & ~all_top & ~high;
  const std::uint32_t in_columns = lowest_members(others, kColumns);
  const std::uint32_t in_loop = others & ~in_columns;
  const std::size_t n_columns = std::size_t{1} << std::popcount(in_columns);
  const std::uint32_t n_tile = bit_of(n_low_);
  const double* tile = forward.data() + (std::size_t{high} << n_low_);
  for (std::uint32_t loop = in_loop;; loop = (loop - 1) & in_loop) {
    const std::uint32_t fixed = added_top | loop;
    std::fill_n(room.rows.data(), n_tile * n_columns, 0.0);
    for (std::uint32_t low = 0; low < n_tile; ++low) {
      const std::uint32_t set = high << n_low_ | low;
      double* columns = room.columns.data();
      columns[0] = -tile[low];
      for (std::uint32_t rest = fixed; rest != 0; rest &= rest - 1) {
        columns[0] *= factor(n_low_ + static_cast<std::size_t>(std::countr_zero(rest)), set);
      }
      if (columns[0] == 0) continue;
      std::size_t n = 1;
      for (std::uint32_t rest = in_columns; rest != 0; rest &= rest - 1) {
        const double next = factor(n_low_ + static_cast<std::size_t>(std::countr_zero(rest)), set);
        for (std::size_t at = 0; at < n; ++at) columns[n + at] = columns[at] * next;
        n *= 2;
      }
      if (fixed == 0) columns[0] = 0;  // The terms of the same high part are done by finish_tile.
      add_products(room.products.data() + begins_[low], supersets_.data() + begins_[low],
                   begins_[low + 1] - begins_[low], columns, n_columns, room.rows.data());
    }
    for (std::uint32_t column = 0; column < n_columns; ++column) {
      const std::uint32_t target = high | fixed | spread(column, in_columns);
      if (target == high) continue;
      double* sums = forward.data() + (std::size_t{target} << n_low_);
      for (std::uint32_t low = 0; low < n_tile; ++low) {
        sums[low] += room.rows[low * n_columns + column];
      }
    }
    if (loop == 0) break;
  }
}

bool TiledSums::add_forward(std::span<double> forward, Control& control) {
  std::ranges::fill(forward, 0.0);
  forward[0] = 1;
  // The blocks with most terms come first.
  std::vector<std::uint32_t> tops(std::size_t{1} << n_top_);
  std::iota(tops.begin(), tops.end(), std::uint32_t{0});
  std::ranges::stable_sort(tops, std::ranges::greater{},
                           [](std::uint32_t top) { return std::popcount(top); });
  std::vector<Room> rooms(n_threads_, Room(n_low_, supersets_.size(), n_));
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const auto layered = layers();
  const std::uint64_t all = std::uint64_t{1} << n_high_;
  for (const auto& layer : layered) {
    parallel_blocks(layer.size(), n_threads_, stop, [&](std::size_t at, unsigned worker) {
      finish_tile(layer[at], rooms[worker], forward);
    });
    parallel_blocks(tops.size(), n_threads_, stop, [&](std::size_t block, unsigned worker) {
      const std::uint32_t top = tops[block] << (n_high_ - n_top_);
      for (const std::uint32_t high : layer) {
        push_tile(high, top, rooms[worker], forward);
        if (worker == 0 && !control.poll({done.load(), all})) stop = true;
        if (stop) return;
      }
    });
    done += layer.size();
    if (stop) return false;
  }
  return true;
}

// Adds up the terms from a tile to those with these high variables more, and any of the free ones.
void TiledSums::pull_block(std::uint32_t high, std::uint32_t fixed, std::uint32_t free, Room& room,
                           std::span<const double> backward) const {
  const std::uint32_t n_tile = bit_of(n_low_);
  const std::size_t n_columns = std::size_t{1} << std::popcount(free);
  for (std::uint32_t column = 0; column < n_columns; ++column) {
    const std::uint32_t target = high | fixed | spread(column, free);
    const double* tile = backward.data() + (std::size_t{target} << n_low_);
    for (std::uint32_t low = 0; low < n_tile; ++low) {
      room.rows[low * n_columns + column] = target == high ? 0.0 : tile[low];
    }
  }
  double* columns = room.columns.data();
  double* sums = room.sums.data();
  for (std::uint32_t low = 0; low < n_tile; ++low) {
    const std::uint32_t set = high << n_low_ | low;
    double* with_variable = room.with_variable.data() + low * n_;
    columns[0] = -1;
    for (std::uint32_t rest = fixed; rest != 0; rest &= rest - 1) {
      columns[0] *= factor(n_low_ + static_cast<std::size_t>(std::countr_zero(rest)), set);
    }
    if (columns[0] == 0) continue;
    std::size_t n = 1;
    for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
      const double next = factor(n_low_ + static_cast<std::size_t>(std::countr_zero(rest)), set);
      for (std::size_t at = 0; at < n; ++at) columns[n + at] = columns[at] * next;
      n *= 2;
    }
    std::size_t n_rows = begins_[low + 1] - begins_[low];
    double* folded = room.folded.data();
    if (n_rows == 1) std::copy_n(room.rows.data() + low * n_columns, n_columns, folded);
    bool is_first = true;
    for (std::size_t variable = n_low_; variable-- > 0;) {
      if ((low & bit_of(variable)) != 0) continue;
      n_rows /= 2;
      if (is_first) {
        multiply_and_fold(room.products.data() + begins_[low], supersets_.data() + begins_[low],
                          n_rows, room.rows.data(), n_columns, folded, sums);
      } else {
        fold(folded, n_rows, n_columns, sums);
      }
      is_first = false;
      with_variable[variable] += std::inner_product(sums, sums + n_columns, columns, 0.0);
    }
    for (std::size_t column = 0; column < n_columns; ++column) folded[column] *= columns[column];
    std::size_t n_left = n_columns;
    for (std::uint32_t rest = free; rest != 0;) {
      const auto highest = static_cast<std::size_t>(std::bit_width(rest) - 1);
      rest ^= bit_of(highest);
      n_left /= 2;
      fold(folded, n_left, 1, sums);
      with_variable[n_low_ + highest] += sums[0];
    }
    for (std::uint32_t rest = fixed; rest != 0; rest &= rest - 1) {
      with_variable[n_low_ + static_cast<std::size_t>(std::countr_zero(rest))] += folded[0];
    }
    room.total[low] += folded[0];
  }
}

// Adds up the terms with the same high part.
void TiledSums::pull_inside(std::uint32_t high, Room& room, std::span<double> backward) const {
  double* tile = backward.data() + (std::size_t{high} << n_low_);
  double* folded = room.folded.data();
  for (std::uint32_t low = bit_of(n_low_); low-- > 0;) {
    double* with_variable = room.with_variable.data() + low * n_;
    std::size_t n_rows = begins_[low + 1] - begins_[low];
    folded[0] = 0;
    for (std::size_t at = 1; at < n_rows; ++at) {
      folded[at] = -room.products[begins_[low] + at] * tile[supersets_[begins_[low] + at]];
    }
    for (std::size_t variable = n_low_; variable-- > 0;) {
      if ((low & bit_of(variable)) != 0) continue;
      n_rows /= 2;
      fold(folded, n_rows, 1, room.sums.data());
      with_variable[variable] += room.sums[0];
    }
    const bool is_all = low + 1 == bit_of(n_low_) && high + 1 == bit_of(n_high_);
    tile[low] = is_all ? 1.0 : room.total[low] + folded[0];
  }
}

void TiledSums::pull_tile(std::uint32_t high, Room& room, std::span<const double> forward,
                          std::span<double> backward, std::span<double> derivatives) const {
  fill_products(high, room);
  std::ranges::fill(room.with_variable, 0.0);
  std::ranges::fill(room.total, 0.0);
  const std::uint32_t others = (bit_of(n_high_) - 1) & ~high;
  const std::uint32_t free = lowest_members(others, kColumns);
  const std::uint32_t in_loop = others & ~free;
  for (std::uint32_t fixed = in_loop;; fixed = (fixed - 1) & in_loop) {
    pull_block(high, fixed, free, room, backward);
    if (fixed == 0) break;
  }
  pull_inside(high, room, backward);
  for (std::uint32_t low = 0; low < bit_of(n_low_); ++low) {
    const std::uint32_t set = high << n_low_ | low;
    const double sum = forward[set];
    for (std::size_t variable = 0; variable < n_; ++variable) {
      if ((set & bit_of(variable)) != 0) continue;
      const double with_variable = room.with_variable[low * n_ + variable];
      const double of_families = -factor(variable, set);
      derivatives[(variable << (n_ - 1)) + without(set, variable)] =
          of_families == 0 ? 0.0 : sum * with_variable / of_families;
    }
  }
}

bool TiledSums::add_backward(std::span<const double> forward, std::span<double> backward,
                             std::span<double> derivatives, Control& control) {
  std::vector<Room> rooms(n_threads_, Room(n_low_, supersets_.size(), n_));
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const auto layered = layers();
  const std::uint64_t all = std::uint64_t{1} << n_high_;
  for (std::size_t size = layered.size(); size-- > 0 && !stop;) {
    const auto& layer = layered[size];
    parallel_blocks(layer.size(), n_threads_, stop, [&](std::size_t at, unsigned worker) {
      pull_tile(layer[at], rooms[worker], forward, backward, derivatives);
      const std::uint64_t n_done = ++done;
      if (worker == 0 && !control.poll({n_done, all})) stop = true;
    });
  }
  return !stop;
}

}  // namespace credenet
