#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "credenet/credible/network_rows.hpp"
#include "credenet/families/family_lists.hpp"

namespace credenet {

// Numbers Markov equivalence classes in the order in which they are met: two networks are in one
// class iff they have the same skeleton and the same unshielded colliders (Verma and Pearl 1990).
class ClassIndex {
 public:
  explicit ClassIndex(std::size_t n_variables);

  // The number of the class of each network.
  std::vector<std::int64_t> add(const FamilyLists& lists, const NetworkRows& networks);

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::size_t add_one(const FamilyLists& lists, std::span<const std::int64_t> families);

  std::size_t n_variables_;
  // Adjacency matrix of the network that is being added: 1 for adjacent variables.
  std::vector<std::uint8_t> joined_;
  std::vector<std::uint64_t> pairs_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace credenet
