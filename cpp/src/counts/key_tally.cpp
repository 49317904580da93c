#include "credenet/counts/key_tally.hpp"

#include <algorithm>
#include <type_traits>

namespace credenet {
namespace {

// Finds the keys with one more variable. Products fit into 16 bits, as no table has more cells than
// that.
template <typename Code>
void extend_keys(const std::uint16_t* above, const Code* codes, std::size_t n_rows,
                 std::uint16_t n_states, std::uint16_t* keys) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    keys[row] = static_cast<std::uint16_t>(above[row] * n_states + codes[row]);
  }
}

void count_keys(const std::uint16_t* keys, std::size_t n_rows, std::size_t n_cells,
                std::size_t n_copies, std::uint32_t* table) {
  std::size_t row = 0;
  if (n_copies == KeyTally::kCopies) {
    std::uint32_t* second = table + n_cells;
    std::uint32_t* third = second + n_cells;
    std::uint32_t* fourth = third + n_cells;
    for (; row + 4 <= n_rows; row += 4) {
      ++table[keys[row]];
      ++second[keys[row + 1]];
      ++third[keys[row + 2]];
      ++fourth[keys[row + 3]];
    }
  }
  for (; row < n_rows; ++row) ++table[keys[row]];
}

template <typename Count, typename Weight>
void add_weights(const std::uint16_t* keys, const Weight* weights, std::size_t n_rows,
                 Count* table) {
  for (std::size_t row = 0; row < n_rows; ++row) table[keys[row]] += weights[row];
}

}  // namespace

template <typename Count>
void KeyTally::add(std::span<const std::uint16_t> variables, std::size_t first_row,
                   std::size_t n_rows, std::size_t n_cells, Count* table) {
  keep(variables.first(variables.size() - 1), first_row, n_rows);
  const std::uint16_t last = variables.back();
  const auto n_states = static_cast<std::uint16_t>(rows_.n_observed(last));
  rows_.visit_column(last, [&](const auto* codes) {
    for (std::size_t begin = 0; begin < n_rows; begin += keys_.size()) {
      const std::size_t size = std::min(keys_.size(), n_rows - begin);
      const std::size_t row = first_row + begin;
      if (depth_ == 0) {
        std::copy_n(codes + row, size, keys_.data());
      } else {
        extend_keys(stack_[depth_ - 1].keys.data() + begin, codes + row, size, n_states,
                    keys_.data());
      }
      if constexpr (std::is_same_v<Count, double>) {
        add_weights(keys_.data(), rows_.weights().data() + row, size, table);
      } else if (!rows_.multiplicities().empty()) {
        add_weights(keys_.data(), rows_.multiplicities().data() + row, size, table);
      } else {
        count_keys(keys_.data(), size, n_cells, n_copies(rows_, n_cells), table);
      }
    }
  });
}

void KeyTally::keep(std::span<const std::uint16_t> variables, std::size_t first_row,
                    std::size_t n_rows) {
  std::size_t shared = 0;
  if (first_row == first_row_) {
    while (shared < depth_ && shared < variables.size() &&
           stack_[shared].variable == variables[shared]) {
      ++shared;
    }
  }
  first_row_ = first_row;
  if (stack_.size() < variables.size()) stack_.resize(variables.size());
  for (depth_ = shared; depth_ < variables.size(); ++depth_) {
    Level& level = stack_[depth_];
    level.variable = variables[depth_];
    if (level.keys.size() < n_rows) level.keys.resize(n_rows);
    const auto n_states = static_cast<std::uint16_t>(rows_.n_observed(level.variable));
    rows_.visit_column(level.variable, [&](const auto* codes) {
      if (depth_ == 0) {
        std::copy_n(codes + first_row, n_rows, level.keys.data());
      } else {
        extend_keys(stack_[depth_ - 1].keys.data(), codes + first_row, n_rows, n_states,
                    level.keys.data());
      }
    });
  }
}

template void KeyTally::add(std::span<const std::uint16_t>, std::size_t, std::size_t, std::size_t,
                            std::uint32_t*);
template void KeyTally::add(std::span<const std::uint16_t>, std::size_t, std::size_t, std::size_t,
                            double*);

}  // namespace credenet
