#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/credible/network_diagram.hpp"
#include "credenet/credible/tick_sums.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/natural.hpp"
#include "credenet/util/random.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// The networks of a node of a diagram within a deviation, counted and weighed by exp(-deviation)
// without listing them.
//
// Nodes with few different deviations have a list of these, with the number of networks of each. A
// larger node is split into its alternatives, which leave less of the deviation to their children
// and to the other nodes that are still to be chosen. When all of these have lists, the lists are
// combined into two of about equal length, and each pair of sums within the limit counts. So memory
// and time go with the square root of the number of networks that differ in these nodes.
//
// Once the number and the weight are known, nothing here changes: several threads may weigh
// families and draw networks at once.
class DiagramSums {
 public:
  using Node = NetworkDiagram::Node;

  DiagramSums(const NetworkDiagram& diagram, Node root, std::int64_t most, double tick,
              std::size_t max_bytes);

  // Finds the number and the weight of the networks. Returns memory limit if there are too many
  // different deviations. The other sums need this one first.
  [[nodiscard]] Status sum(Control& control);
  [[nodiscard]] const Natural& n_networks() const { return n_networks_; }
  [[nodiscard]] double weight() const { return weight_; }

  // The weight of the networks that have a family, for each; the families of a variable stand from
  // its start on.
  [[nodiscard]] Status family_weights(std::span<const std::int64_t> starts,
                                      std::span<double> weights, Control& control) const;

  // Draws networks by their weights, a row of positions each, in no particular order. Adds the
  // steps that it took, each about a nanosecond, to the number of steps.
  [[nodiscard]] Status draw(std::size_t n_networks, Random& random,
                            std::vector<std::uint16_t>& rows, double& n_steps,
                            Control& control) const;

 private:
  // Nodes with lists that are chosen from together, in two halves, within a limit.
  struct Ending;
  class Walk;
  class Visitor;
  class Counting;
  class Weighing;
  class Drawing;

  void find_limits();
  void find_small();
  [[nodiscard]] TickSums sums_of(Node node) const;
  [[nodiscard]] std::vector<const TickSums*> lists_of(std::span<const Node> nodes) const;
  [[nodiscard]] double factor(NetworkDiagram::Number at, Node node) const;
  [[nodiscard]] double root_factor() const {
    return std::exp(-static_cast<double>(diagram_.least(root_)) * tick_);
  }
  [[nodiscard]] bool is_within(NetworkDiagram::Number at, Node node) const;
  [[nodiscard]] Products products_at(NetworkDiagram::Number at, Node node) const;

  const NetworkDiagram& diagram_;
  Node root_;
  double tick_;
  std::size_t max_bytes_;  // Bytes of the lists.
  bool is_full_ = false;
  std::vector<std::int64_t> limits_;  // The largest deviation of each node that can be of use.
  std::vector<TickSums> small_;       // One for each node; empty without a list.
  Natural n_networks_;
  double weight_ = 0;
};

}  // namespace credenet
