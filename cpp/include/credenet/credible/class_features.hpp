#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/credible/network_rows.hpp"
#include "credenet/families/family_lists.hpp"
#include "credenet/graphs/allowed_class.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/natural.hpp"

namespace credenet {

// The weight of each edge of a CPDAG, summed over Markov equivalence classes. A class is given by
// any of its networks. Under rules, which the networks obey, an edge is directed if all networks of
// the class that obey them have this direction.
class ClassPairSums {
 public:
  // The arrays that the rules refer to are copied.
  explicit ClassPairSums(std::size_t n_variables, const ParentRules& rules = {});

  // Adds the edges into the children that are marked by 1. False if the control stopped it; then
  // some of the networks are missing.
  bool add(const FamilyLists& lists, const NetworkRows& networks, std::span<const double> weights,
           std::span<const std::uint8_t> children, unsigned n_threads, Control& control);

  // The weights of a -> b, at a * n_variables + b.
  [[nodiscard]] const std::vector<double>& directed() const { return directed_; }
  // The weights of a - b, at a * n_variables + b, where a < b.
  [[nodiscard]] const std::vector<double>& undirected() const { return undirected_; }

 private:
  void add_edges(const FamilyLists& lists, std::span<const std::int64_t> families, double weight,
                 std::span<const std::uint8_t> children, std::span<const std::uint8_t> compelled);

  std::size_t n_variables_;
  std::vector<std::uint8_t> possible_;
  std::vector<std::int32_t> max_parents_;
  std::vector<double> directed_;
  std::vector<double> undirected_;
};

// The number of networks in the class of each network, by the undirected edges into the children
// that are marked by 1. Nothing if the control stopped it. Throws std::invalid_argument if a row is
// no network of the lists.
[[nodiscard]] std::vector<Natural> class_sizes(const FamilyLists& lists,
                                               const NetworkRows& networks,
                                               std::span<const std::uint8_t> children,
                                               unsigned n_threads, Control& control);

}  // namespace credenet
