#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// The set that was found to separate each pair of variables, if any, with the association that was
// left given it. All sets are in two flat arrays, as nearly every pair of a large network has one.
class SeparatingSets {
 public:
  explicit SeparatingSets(std::size_t n_variables)
      : records_(n_variables * (n_variables - (n_variables > 0 ? 1 : 0)) / 2) {}

  // Records a set, which replaces one recorded before.
  void record(Node a, Node b, std::span<const Node> given, double association) {
    records_[at(a, b)] = {.begin = static_cast<std::uint32_t>(members_.size()),
                          .size = static_cast<std::uint16_t>(given.size()),
                          .found = true,
                          .association = association};
    members_.insert(members_.end(), given.begin(), given.end());
  }

  // The recorded set of a pair, if any; valid until the next record.
  [[nodiscard]] std::optional<std::span<const Node>> find(Node a, Node b) const {
    const Record& record = records_[at(a, b)];
    if (!record.found) return std::nullopt;
    return std::span(members_).subspan(record.begin, record.size);
  }
  [[nodiscard]] double association(Node a, Node b) const { return records_[at(a, b)].association; }
  [[nodiscard]] bool separates(Node a, Node b, Node member) const {
    const auto given = find(a, b);
    return given && std::ranges::find(*given, member) != given->end();
  }

 private:
  struct Record {
    std::uint32_t begin = 0;
    std::uint16_t size = 0;
    bool found = false;
    double association = 0;
  };

  [[nodiscard]] static std::size_t at(Node a, Node b) {
    assert(a != b);
    const auto low = static_cast<std::size_t>(std::min(a, b));
    const auto high = static_cast<std::size_t>(std::max(a, b));
    return high * (high - 1) / 2 + low;
  }

  std::vector<Record> records_;
  std::vector<Node> members_;
};

}  // namespace credenet
