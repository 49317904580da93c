#include "credenet/credible/network_diagram.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace credenet {

NetworkDiagram::Node NetworkDiagram::add(std::span<const Alternative> alternatives) {
  const Number begin = begin_node();
  for (const Alternative& one : alternatives) {
    add_alternative(one.ticks, one.choices, one.children);
  }
  return end_node(begin);
}

NetworkDiagram::Node NetworkDiagram::add_list(std::span<const std::uint16_t> members,
                                              std::span<const std::uint16_t> positions,
                                              std::span<const std::int64_t> ticks) {
  assert(positions.size() == members.size() * ticks.size());
  const Number begin = begin_node();
  std::vector<Choice> choices(members.size());
  for (std::size_t row = 0; row < ticks.size(); ++row) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      choices[k] = {members[k], positions[row * members.size() + k]};
    }
    add_alternative(ticks[row], choices, {});
  }
  return end_node(begin);
}

std::vector<NetworkDiagram::Node> NetworkDiagram::append(const NetworkDiagram& other,
                                                         std::span<const std::uint16_t> variables) {
  assert(variables.size() == other.n_variables_);
  std::vector<Node> numbers;
  std::vector<Choice> choices;
  std::vector<Node> children;
  for (Node node = 0; node < other.nodes_.size(); ++node) {
    const Number begin = begin_node();
    for (Number at = other.begin(node); at < other.end(node); ++at) {
      choices.assign(other.choices(at).begin(), other.choices(at).end());
      for (Choice& choice : choices) choice.variable = variables[choice.variable];
      children.assign(other.children(at).begin(), other.children(at).end());
      for (Node& child : children) child = numbers[child];
      add_alternative(other.ticks(at), choices, children);
    }
    numbers.push_back(end_node(begin));
  }
  return numbers;
}

void NetworkDiagram::drop(std::size_t n_nodes) {
  if (n_nodes >= nodes_.size()) return;
  std::erase_if(nodes_of_, [&](const auto& entry) { return entry.second >= n_nodes; });
  drop_alternatives(nodes_[n_nodes].begin);
  nodes_.resize(n_nodes);
}

void NetworkDiagram::drop_alternatives(Number first) {
  choices_.resize(alternatives_[first].first_choice);
  children_.resize(alternatives_[first].first_child);
  alternatives_.resize(first);
}

void NetworkDiagram::add_alternative(std::int64_t ticks, std::span<const Choice> choices,
                                     std::span<const Node> children) {
  alternatives_.push_back({ticks, static_cast<std::uint32_t>(choices_.size()),
                           static_cast<std::uint32_t>(children_.size())});
  choices_.insert(choices_.end(), choices.begin(), choices.end());
  children_.insert(children_.end(), children.begin(), children.end());
}

NetworkDiagram::Node NetworkDiagram::end_node(Number begin) {
  assert(begin < alternatives_.size());
  const std::uint64_t key = hash(begin, begin_node());
  const auto [first, last] = nodes_of_.equal_range(key);
  for (auto at = first; at != last; ++at) {
    const NodeData& known = nodes_[at->second];
    bool is_known = known.end - known.begin == begin_node() - begin;
    for (Number k = 0; is_known && begin + k < begin_node(); ++k) {
      is_known = is_same(known.begin + k, begin + k);
    }
    if (!is_known) continue;
    drop_alternatives(begin);
    return at->second;
  }
  nodes_of_.emplace(key, static_cast<Node>(nodes_.size()));
  NodeData node{begin, begin_node(), std::numeric_limits<std::int64_t>::max(),
                std::numeric_limits<std::int64_t>::min()};
  for (Number at = begin; at < node.end; ++at) {
    std::int64_t greatest = ticks(at);
    for (const Node child : children(at)) greatest += nodes_[child].greatest;
    node.least = std::min(node.least, least_of(at));
    node.greatest = std::max(node.greatest, greatest);
  }
  nodes_.push_back(node);
  return static_cast<Node>(nodes_.size() - 1);
}

std::uint64_t NetworkDiagram::hash(Number begin, Number end) const {
  std::uint64_t hash = end - begin;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  };
  for (Number at = begin; at < end; ++at) {
    mix(static_cast<std::uint64_t>(ticks(at)));
    for (const Choice choice : choices(at)) mix((choice.variable << 16U) | choice.position);
    for (const Node child : children(at)) mix(child);
  }
  return hash;
}

bool NetworkDiagram::is_same(Number at, Number other) const {
  return ticks(at) == ticks(other) && std::ranges::equal(choices(at), choices(other)) &&
         std::ranges::equal(children(at), children(other));
}

std::span<const NetworkDiagram::Choice> NetworkDiagram::choices(Number at) const {
  const std::size_t first = alternatives_[at].first_choice;
  const std::size_t end =
      at + 1 < alternatives_.size() ? alternatives_[at + 1].first_choice : choices_.size();
  return {choices_.data() + first, end - first};
}

std::span<const NetworkDiagram::Node> NetworkDiagram::children(Number at) const {
  const std::size_t first = alternatives_[at].first_child;
  const std::size_t end =
      at + 1 < alternatives_.size() ? alternatives_[at + 1].first_child : children_.size();
  return {children_.data() + first, end - first};
}

std::int64_t NetworkDiagram::least_of(Number at) const {
  std::int64_t least = ticks(at);
  for (const Node child : children(at)) least += nodes_[child].least;
  return least;
}

std::size_t NetworkDiagram::n_bytes() const {
  return nodes_.size() * sizeof(NodeData) + alternatives_.size() * sizeof(AlternativeData) +
         choices_.size() * sizeof(Choice) + children_.size() * sizeof(Node) +
         nodes_of_.size() * 4 * sizeof(std::uint64_t);
}

// One network after the other: nodes that wait are replaced by the children of an alternative.
class NetworkDiagram::Lister {
 public:
  Lister(const NetworkDiagram& diagram, std::int64_t above, std::int64_t most, std::size_t max_rows)
      : diagram_(diagram),
        above_(above),
        most_(most),
        max_rows_(max_rows),
        row_(diagram.n_variables_) {}

  Rows run(Node root) {
    push(root);
    (void)list(0);
    return std::move(rows_);
  }

 private:
  void push(Node node) {
    waiting_.push_back(node);
    least_ += diagram_.nodes_[node].least;
    greatest_ += diagram_.nodes_[node].greatest;
  }

  Node pop() {
    const Node node = waiting_.back();
    waiting_.pop_back();
    least_ -= diagram_.nodes_[node].least;
    greatest_ -= diagram_.nodes_[node].greatest;
    return node;
  }

  // Lists the networks. False if there are too many.
  bool list(std::int64_t ticks) {
    if (ticks + least_ > most_ || ticks + greatest_ <= above_) return true;
    if (waiting_.empty()) {
      if (rows_.ticks.size() == max_rows_) {
        rows_.is_whole = false;
        return false;
      }
      rows_.ticks.push_back(ticks);
      rows_.positions.insert(rows_.positions.end(), row_.begin(), row_.end());
      return true;
    }
    const Node node = pop();
    bool goes_on = true;
    for (Number at = diagram_.begin(node); goes_on && at < diagram_.end(node); ++at) {
      for (const Choice choice : diagram_.choices(at)) row_[choice.variable] = choice.position;
      for (const Node child : diagram_.children(at)) push(child);
      goes_on = list(ticks + diagram_.ticks(at));
      for (std::size_t k = diagram_.children(at).size(); k > 0; --k) (void)pop();
    }
    push(node);
    return goes_on;
  }

  const NetworkDiagram& diagram_;
  std::int64_t above_;
  std::int64_t most_;
  std::size_t max_rows_;
  std::vector<Node> waiting_;
  std::int64_t least_ = 0;     // Smallest deviation of the waiting alternatives.
  std::int64_t greatest_ = 0;  // Largest deviation of the waiting alternatives.
  std::vector<std::uint16_t> row_;
  Rows rows_;
};

NetworkDiagram::Rows NetworkDiagram::listed(Node root, std::int64_t above, std::int64_t most,
                                            std::size_t max_rows) const {
  return Lister(*this, above, most, max_rows).run(root);
}

}  // namespace credenet
