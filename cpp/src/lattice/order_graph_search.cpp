#include "credenet/lattice/order_graph_search.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "credenet/util/bit.hpp"

namespace credenet {
namespace {

std::size_t depth_of(const OrderNode& node) {
  return static_cast<std::size_t>(std::popcount(node.placed));
}

}  // namespace

OrderGraphSearch::OrderGraphSearch(const ComponentLists& lists, const OrderGraph& graph,
                                   std::size_t max_bytes, Control& control)
    : lists_(lists),
      graph_(graph),
      simple_(lists),
      max_bytes_(max_bytes),
      control_(control),
      total_(simple_(0)),
      tolerance_(tolerance(total_)) {}

void OrderGraphSearch::start_from(std::span<const std::int32_t> families) {
  accept({families.begin(), families.end()});
}

void OrderGraphSearch::dive(const Heuristic& heuristic) {
  std::vector<std::int32_t> families(graph_.n_variables());
  std::uint64_t placed = graph_.close(0);
  graph_.fill(0, families);
  OrderGraph::Positions positions;
  while (placed != graph_.everything()) {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t chosen = 0;
    for (std::uint64_t rest = graph_.next(placed, positions); rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t after = graph_.close(placed | bit(v));
      const double score = heuristic(after) - simple_(after) - graph_.loss(v, positions[v]);
      if (score <= best) continue;
      best = score;
      chosen = v;
    }
    families[chosen] = static_cast<std::int32_t>(positions[chosen]);
    graph_.fill(placed | bit(chosen), families);
    placed = graph_.close(placed | bit(chosen));
  }
  accept(std::move(families));
}

void OrderGraphSearch::run(const Heuristic& heuristic, std::size_t other_bytes,
                           const std::function<SearchRound(std::size_t)>& rounds) {
  heuristic_ = &heuristic;
  other_bytes_ = other_bytes;
  result_.peak_bytes = other_bytes;
  const std::uint64_t root = graph_.close(0);
  if (root != graph_.everything()) {
    if (!make_room(1, 1)) {
      status_ = Status::kMemoryLimit;
      return;
    }
    nodes_.insert({.placed = root, .rest_loss = simple_(root) - heuristic(root)});
    scan_bound();
  }
  for (std::size_t number = 0;; ++number) {
    const SearchRound round = rounds(number);
    Status end = begin(round);
    if (end == Status::kComplete && open_.empty()) break;
    if (end == Status::kComplete) end = play(round);
    if (end == Status::kComplete) continue;
    scan_bound();
    status_ = end;
    return;
  }
  least_loss_ = best_loss_;
  status_ = Status::kOptimal;
}

Status OrderGraphSearch::play(const SearchRound& round) {
  const std::size_t n = graph_.n_variables();
  std::size_t deepest = 0;  // Variables of the deepest expanded node, plus one.
  while (!open_.empty()) {
    const Entry top = open_.front();
    if (round.ends_early && top.priority >= limit()) return Status::kComplete;
    if (!make_room(nodes_.size() + n, open_.size() + n)) return Status::kMemoryLimit;
    std::pop_heap(open_.begin(), open_.end());
    open_.pop_back();
    OrderNode& node = nodes_[top.at];
    if (node.state != NodeState::kOpen) continue;
    const double loss = node.loss + node.rest_loss;
    if (loss >= limit()) {
      if (round.weight == 1) open_.clear();
      node.state = NodeState::kClosed;
      continue;
    }
    if (round.window != SearchRound::kNoWindow && depth_of(node) + round.window < deepest) {
      node.state = NodeState::kWaiting;
      has_waiting_ = true;
      continue;
    }
    if (round.weight == 1 && !has_waiting_) {
      lower_bound_to(loss);
    } else if (result_.n_expanded - last_scan_ > nodes_.size()) {
      scan_bound();
    }
    deepest = std::max(deepest, depth_of(node) + 1);
    expand(top.at, round);
    if (!poll()) return Status::kStopped;
  }
  return Status::kComplete;
}

void OrderGraphSearch::expand(std::uint32_t at, const SearchRound& round) {
  nodes_[at].state = NodeState::kClosed;
  const OrderNode node = nodes_[at];
  ++result_.n_expanded;
  // Differences of this size are rounding; ignored at each step, they stay below the tolerance.
  const double rounding = tolerance_ / static_cast<double>(4 * graph_.n_variables());
  OrderGraph::Positions positions;
  for (std::uint64_t rest = graph_.next(node.placed, positions); rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::size_t>(std::countr_zero(rest));
    const double loss = node.loss + graph_.loss(v, positions[v]);
    ++result_.n_generated;
    if (loss >= limit()) continue;
    const std::uint64_t placed = graph_.close(node.placed | bit(v));
    if (placed == graph_.everything()) {
      found(at, v);
      continue;
    }
    std::uint32_t child = nodes_.find(placed);
    if (child == NodeTable::kAbsent) {
      const double rest_loss = std::max(0.0, simple_(placed) - (*heuristic_)(placed));
      if (loss + rest_loss >= limit()) continue;
      child = nodes_.insert({.placed = placed,
                             .loss = loss,
                             .rest_loss = rest_loss,
                             .before = at,
                             .variable = static_cast<std::uint8_t>(v)});
    } else {
      OrderNode& known = nodes_[child];
      if (loss >= known.loss - rounding) continue;
      known.loss = loss;
      known.before = at;
      known.variable = static_cast<std::uint8_t>(v);
      if (known.state == NodeState::kWaiting) continue;
      if (known.state == NodeState::kClosed && round.ends_early) {
        known.state = NodeState::kWaiting;
        continue;
      }
      known.state = NodeState::kOpen;
    }
    open_.push_back(entry(child, round.weight));
    std::push_heap(open_.begin(), open_.end());
  }
}

// Opens all nodes that wait or are open and may lead to something better.
Status OrderGraphSearch::begin(const SearchRound& round) {
  const auto is_promising = [&](const OrderNode& node) {
    return !node.is_closed() && node.loss + node.rest_loss < limit();
  };
  std::size_t n_open = 0;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    OrderNode& node = nodes_[at];
    if (is_promising(node)) ++n_open;
    if (node.state == NodeState::kClosed) node.state = NodeState::kClosedOld;
  }
  open_.clear();
  if (!make_room(nodes_.size(), n_open)) return Status::kMemoryLimit;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (!is_promising(nodes_[at])) continue;
    nodes_[at].state = NodeState::kOpen;
    open_.push_back(entry(static_cast<std::uint32_t>(at), round.weight));
  }
  std::make_heap(open_.begin(), open_.end());
  has_waiting_ = false;
  return open_.empty() || poll() ? Status::kComplete : Status::kStopped;
}

// How many nodes there are to expand is not known, so progress has no total.
bool OrderGraphSearch::poll() {
  return control_.poll(
      {.done = result_.n_expanded, .total = 0, .score = result_.score, .bound = bound()});
}

OrderGraphSearch::Entry OrderGraphSearch::entry(std::uint32_t at, double weight) const {
  const OrderNode& node = nodes_[at];
  return {.priority = node.loss + weight * node.rest_loss,
          .depth = static_cast<std::uint32_t>(depth_of(node)),
          .at = at};
}

// Whether n_nodes nodes, n_open of them open, fit into the memory allowed.
bool OrderGraphSearch::make_room(std::size_t n_nodes, std::size_t n_open) {
  if (n_nodes >= NodeTable::kAbsent) return false;
  std::size_t bytes = other_bytes_ + nodes_.bytes(n_nodes) + open_.capacity() * sizeof(Entry);
  const bool grows = n_open > open_.capacity();
  const std::size_t capacity = std::max<std::size_t>(n_open, open_.capacity() * 3 / 2);
  // The old entries and the new ones exist at once for a moment.
  if (grows) bytes += capacity * sizeof(Entry);
  if (bytes > max_bytes_) return false;
  if (grows) open_.reserve(capacity);
  result_.peak_bytes = std::max(result_.peak_bytes, bytes);
  return true;
}

// Half of the tolerance covers what was dropped and all rounding.
double OrderGraphSearch::bound() const { return total_ - least_loss_ + tolerance_ / 2; }

// No network loses less than that. The history gets the larger steps of it only.
void OrderGraphSearch::lower_bound_to(double loss) {
  least_loss_ = std::max(least_loss_, std::min(loss, best_loss_));
  if (least_loss_ - last_recorded_ <= best_loss_ / 512) return;
  last_recorded_ = least_loss_;
  trace_.record(result_.score, bound());
}

void OrderGraphSearch::scan_bound() {
  last_scan_ = result_.n_expanded;
  double least = best_loss_;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    const OrderNode& node = nodes_[at];
    if (!node.is_closed()) least = std::min(least, node.loss + node.rest_loss);
  }
  lower_bound_to(least);
}

void OrderGraphSearch::found(std::uint32_t before, std::size_t variable) {
  std::vector<std::int32_t> families(graph_.n_variables());
  graph_.fill(0, families);
  for (std::uint32_t at = before;;) {
    const std::uint64_t placed = nodes_[at].placed;
    families[variable] = static_cast<std::int32_t>(graph_.best_parents()(variable, placed));
    graph_.fill(placed | bit(variable), families);
    if (at == 0) break;
    variable = nodes_[at].variable;
    at = nodes_[at].before;
  }
  accept(std::move(families));
}

void OrderGraphSearch::accept(std::vector<std::int32_t> families) {
  double loss = 0;
  double score = 0;
  for (std::size_t v = 0; v < families.size(); ++v) {
    const auto k = static_cast<std::size_t>(families[v]);
    loss += graph_.loss(v, k);
    score += lists_.scores(v)[k];
  }
  if (loss >= best_loss_) return;
  best_loss_ = loss;
  result_.score = score;
  result_.families = std::move(families);
  trace_.record(result_.score, bound());
}

SearchResult OrderGraphSearch::take() {
  result_.status = status_;
  result_.bound = bound();
  if (status_ == Status::kOptimal) result_.bound = result_.score;
  trace_.record(result_.score, result_.bound);
  result_.trace = trace_.take();
  return std::move(result_);
}

}  // namespace credenet
