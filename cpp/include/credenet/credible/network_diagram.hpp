#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace credenet {

// Networks as sums and products, so that they need not be listed. A node is any of its
// alternatives. An alternative is a family for each of some variables, and any networks of its
// children: nodes of other variables. Children stand before their parents, and nodes with the same
// alternatives are one. Each network of a node is one alternative in one way.
class NetworkDiagram {
 public:
  using Node = std::uint32_t;
  using Number = std::uint32_t;  // The number of an alternative.
  static constexpr Node kNone = ~Node{0};
  static constexpr std::int64_t kNoLimit = std::int64_t{1} << 62;  // Limit beyond all deviations.

  struct Choice {
    std::uint16_t variable = 0;
    std::uint16_t position = 0;  // Position of its family in its list.

    bool operator==(const Choice&) const = default;
  };

  struct Alternative {
    std::int64_t ticks = 0;  // Deviation of its families, in ticks; it may be negative.
    std::vector<Choice> choices;
    std::vector<Node> children;
  };

  // Networks one after the other: a position for each variable, and the deviation.
  struct Rows {
    std::vector<std::uint16_t> positions;
    std::vector<std::int64_t> ticks;
    bool is_whole = true;
  };

  explicit NetworkDiagram(std::size_t n_variables) : n_variables_(n_variables) {}

  // Adds a node with these alternatives, at least one.
  Node add(std::span<const Alternative> alternatives);

  // Adds a node of networks that were listed: a row of positions for each, by members.
  Node add_list(std::span<const std::uint16_t> members, std::span<const std::uint16_t> positions,
                std::span<const std::int64_t> ticks);

  // Adds all nodes of another diagram, whose variable v is variables[v] here. Returns what each of
  // its nodes is here.
  std::vector<Node> append(const NetworkDiagram& other, std::span<const std::uint16_t> variables);

  // Drops all nodes but the first n_nodes.
  void drop(std::size_t n_nodes);

  // The networks of a node whose deviation is above one limit and not above the other.
  [[nodiscard]] Rows listed(Node root, std::int64_t above, std::int64_t most,
                            std::size_t max_rows) const;

  [[nodiscard]] std::size_t n_variables() const { return n_variables_; }
  [[nodiscard]] std::size_t n_nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t n_alternatives() const { return alternatives_.size(); }
  [[nodiscard]] std::size_t n_bytes() const;

  // The alternatives of a node are numbers in a row.
  [[nodiscard]] Number begin(Node node) const { return nodes_[node].begin; }
  [[nodiscard]] Number end(Node node) const { return nodes_[node].end; }
  [[nodiscard]] std::int64_t least(Node node) const { return nodes_[node].least; }
  [[nodiscard]] std::int64_t ticks(Number at) const { return alternatives_[at].ticks; }
  [[nodiscard]] std::span<const Choice> choices(Number at) const;
  [[nodiscard]] std::span<const Node> children(Number at) const;
  // The least deviation of a network of an alternative.
  [[nodiscard]] std::int64_t least_of(Number at) const;

 private:
  struct NodeData {
    Number begin = 0;
    Number end = 0;
    std::int64_t least = 0;
    std::int64_t greatest = 0;
  };
  struct AlternativeData {
    std::int64_t ticks = 0;
    std::uint32_t first_choice = 0;
    std::uint32_t first_child = 0;
  };
  class Lister;

  Number begin_node() const { return static_cast<Number>(alternatives_.size()); }
  void add_alternative(std::int64_t ticks, std::span<const Choice> choices,
                       std::span<const Node> children);
  Node end_node(Number begin);
  [[nodiscard]] std::uint64_t hash(Number begin, Number end) const;
  [[nodiscard]] bool is_same(Number at, Number other) const;
  void drop_alternatives(Number first);

  std::size_t n_variables_;
  std::vector<NodeData> nodes_;
  std::vector<AlternativeData> alternatives_;
  std::vector<Choice> choices_;
  std::vector<Node> children_;
  // Nodes by the hash of their alternatives.
  std::unordered_multimap<std::uint64_t, Node> nodes_of_;
};

}  // namespace credenet
