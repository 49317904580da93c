#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace credenet {

// Networks, one in each row: the position in the lists of a family of each variable.
struct NetworkRows {
  std::span<const std::int64_t> families;
  std::size_t n_variables;

  [[nodiscard]] std::size_t size() const {
    return n_variables == 0 ? 0 : families.size() / n_variables;
  }
  [[nodiscard]] std::span<const std::int64_t> operator[](std::size_t row) const {
    return families.subspan(row * n_variables, n_variables);
  }
};

}  // namespace credenet
