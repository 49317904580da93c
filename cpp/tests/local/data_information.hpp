#pragma once

#include <cmath>
#include <cstdint>

#include "small_data.hpp"

// The mutual information of two variables by its definition.
inline double data_information(const SmallData<std::uint8_t>& data, std::uint16_t a,
                               std::uint16_t b) {
  const std::uint16_t both[2] = {a, b};
  const auto joint = data.counts(both);
  const auto first = data.counts({&a, 1});
  const auto second = data.counts({&b, 1});
  double total = 0;
  for (const auto& [cell, count] : first) total += count;
  double sum = 0;
  for (const auto& [cell, count] : joint) {
    sum += count / total * std::log(count * total / (first.at({cell[0]}) * second.at({cell[1]})));
  }
  return sum;
}
