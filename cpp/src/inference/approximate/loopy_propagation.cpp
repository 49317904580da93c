// Belief propagation on a graph of clusters. A cluster multiplies its factors and the messages that
// reached it, and sends each neighbour the marginal on their separator, divided by what came from
// there. Where that was 0 the new message is 0 too: a message starts without zeros and loses
// states for good, so what it excludes is excluded indeed, however many loops there are.
//
// Clusters are updated by the largest change of their messages in since the last time, a bound on
// the change of their messages out (Elidan, McGraw and Koller 2006; Sutton and McCallum 2007),
// after one sweep forwards and one backwards, which settle a tree. Changes are measured in logs;
// ties go to the cluster of the smallest index. All on one thread: an update depends on the one
// before.
//
// Messages are logs. One exponential per cell of a cluster serves all its messages; where sums come
// out too small beside the largest cell, they are done again with a largest cell of their own.
#include "credenet/inference/approximate/loopy_propagation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credenet {
namespace {

// Smaller sums are done again with a largest cell of their own.
constexpr double kSmallSum = 1e-200;
constexpr double kLargeChange = 1e3;  // Change of a message that lost a state.

}  // namespace

LoopyPropagation::LoopyPropagation(const FactorsView& factors, const ClusterGraph& graph)
    : factors_(factors), graph_(graph), log_tables_(factors.tables.size()) {
  std::ranges::transform(factors.tables, log_tables_.begin(),
                         [](double value) { return std::log(value); });
  places_.resize(graph.clusters.size());
  for (std::size_t id = 0; id < places_.size(); ++id) {
    const auto& cluster = graph.clusters[id];
    std::vector<std::size_t> sizes;
    for (const Node member : cluster.members) sizes.push_back(factors.states_of(member));
    CliqueTable& table = places_[id].table = empty_clique_table(std::move(sizes));
    for (const std::size_t factor : cluster.factors) {
      table.operands.push_back(
          table_access(table, cluster.members, factors.scope(factor), Arena::kConstant,
                       static_cast<std::size_t>(factors.table_offsets[factor])));
    }
  }
  std::size_t n_cells = 0;
  for (const auto& link : graph.links) {
    std::size_t size = 1;
    for (const Node member : link.separator) size *= factors.states_of(member);
    const auto add = [&](std::int32_t id, std::int32_t neighbour, std::size_t in, std::size_t out) {
      Place& place = places_[static_cast<std::size_t>(id)];
      const auto& members = graph.clusters[static_cast<std::size_t>(id)].members;
      place.ports.push_back({neighbour, in, out, size});
      place.table.operands.push_back(
          table_access(place.table, members, link.separator, Arena::kMessages, in));
      place.table.outputs.push_back(place.table.operands.back());
    };
    add(link.first, link.second, n_cells, n_cells + size);
    add(link.second, link.first, n_cells + size, n_cells);
    n_cells += 2 * size;
  }
  messages_.assign(n_cells, 0.0);
  std::size_t most_out = 0;
  std::size_t most_block = 0;
  for (const Place& place : places_) {
    std::size_t out = 0;
    for (const Port& port : place.ports) out += port.size;
    most_out = std::max(most_out, out);
    most_block = std::max(most_block, place.table.block);
  }
  sums_.resize(most_out);
  terms_.resize(most_block);
  priorities_.assign(places_.size(), 0.0);
}

double loopy_bytes(const FactorsView& factors, const ClusterGraph& graph) {
  const double n_tables =
      static_cast<double>(factors.n_factors()) + 4 * static_cast<double>(graph.links.size());
  return 8 * (static_cast<double>(factors.tables.size()) + 3 * graph.separator_cells) +
         500 * (n_tables + static_cast<double>(graph.clusters.size())) +
         8 * std::min(graph.cells * 4, n_tables * 1024);
}

double LoopyPropagation::iterations() const {
  return places_.empty() ? 0 : static_cast<double>(updates_) / static_cast<double>(places_.size());
}

void LoopyPropagation::set_priority(std::int32_t cluster, double priority) {
  priorities_[static_cast<std::size_t>(cluster)] = priority;
  if (priority == 0) return;
  heap_.emplace_back(priority, -cluster);
  std::ranges::push_heap(heap_);
}

Status LoopyPropagation::run(const LoopyOptions& options, Control& control) {
  const std::size_t n = places_.size();
  const std::uint64_t most = n * std::max<std::uint64_t>(options.max_iterations, 2);
  const auto go_on = [&] { return control.poll({updates_, most}); };
  for (std::size_t at = 0; at < 2 * n; ++at) {
    const auto cluster = static_cast<std::int32_t>(at < n ? at : 2 * n - 1 - at);
    if (!update(cluster, 0)) return Status::kInfeasible;
    if (!go_on()) return Status::kStopped;
  }
  while (!heap_.empty()) {
    const auto [priority, negated] = heap_.front();
    std::ranges::pop_heap(heap_);
    heap_.pop_back();
    if (priorities_[static_cast<std::size_t>(-negated)] != priority) continue;
    if (priority <= options.tolerance) return Status::kComplete;
    if (updates_ >= most) return Status::kIterationLimit;
    if (!update(-negated, options.damping)) return Status::kInfeasible;
    if (!go_on()) return Status::kStopped;
  }
  return Status::kComplete;
}

void LoopyPropagation::list_operands(const Place& place) {
  scratch_.tables.clear();
  operands_.clear();
  for (const TableAccess& access : place.table.operands) {
    const auto& arena = access.arena == Arena::kConstant ? log_tables_ : messages_;
    scratch_.tables.push_back(&access);
    operands_.push_back(arena.data() + access.begin);
  }
  for (const TableAccess& access : place.table.outputs) scratch_.tables.push_back(&access);
}

double LoopyPropagation::largest_cell(const Place& place) {
  double largest = -INFINITY;
  walk_products<true>(place.table, scratch_, operands_, 0, 0, place.table.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t>) {
                        largest = std::max(largest, std::ranges::max(block));
                      });
  return largest;
}

bool LoopyPropagation::update(std::int32_t id, double damping) {
  const Place& place = places_[static_cast<std::size_t>(id)];
  ++updates_;
  list_operands(place);
  const double largest = largest_cell(place);
  if (largest == -INFINITY) return false;
  std::ranges::fill(sums_, 0.0);
  walk_products<true>(
      place.table, scratch_, operands_, -largest, 0, place.table.n_blocks,
      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
        std::ranges::transform(block, terms_.begin(), [](double log) { return std::exp(log); });
        double* sums = sums_.data();
        for (std::size_t port = 0; port < place.ports.size(); ++port) {
          marginalise_block(std::span(terms_).first(block.size()), sums + offsets[port],
                            place.table.outputs[port].pattern, Marginalisation::kSum);
          sums += place.ports[port].size;
        }
      });
  std::size_t begin = 0;
  double rest = 0;
  for (std::size_t at = 0; at < place.ports.size(); ++at) {
    const Port& port = place.ports[at];
    const std::span sums(sums_.data() + begin, port.size);
    begin += port.size;
    if (std::ranges::any_of(sums, [](double sum) { return sum < kSmallSum; })) {
      precise_sums(place, at, sums);
    } else {
      for (double& sum : sums) sum = std::log(sum);
    }
    const double change = send(port, sums, damping);
    rest = std::max(rest, damping * change);
    const double before = priorities_[static_cast<std::size_t>(port.neighbour)];
    if (change > 0) set_priority(port.neighbour, before + (1 - damping) * change);
  }
  set_priority(id, rest);
  return true;
}

// Finds the logs of the sums of one message, each with its own largest term taken out.
void LoopyPropagation::precise_sums(const Place& place, std::size_t port, std::span<double> sums) {
  const BlockPattern& pattern = place.table.outputs[port].pattern;
  std::vector<double> largest(sums.size(), -INFINITY);
  walk_products<true>(place.table, scratch_, operands_, 0, 0, place.table.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        marginalise_block(block, largest.data() + offsets[port], pattern,
                                          Marginalisation::kMax);
                      });
  std::vector<double> shifts(sums.size());
  std::ranges::transform(largest, shifts.begin(),
                         [](double value) { return value == -INFINITY ? 0 : -value; });
  std::ranges::fill(sums, 0.0);
  walk_products<true>(place.table, scratch_, operands_, 0, 0, place.table.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        const std::span terms(terms_.data(), block.size());
                        std::ranges::copy(block, terms.begin());
                        add_to_block(terms, shifts.data() + offsets[port], pattern);
                        for (double& term : terms) term = std::exp(term);
                        marginalise_block(terms, sums.data() + offsets[port], pattern,
                                          Marginalisation::kSum);
                      });
  for (std::size_t at = 0; at < sums.size(); ++at) {
    sums[at] = largest[at] == -INFINITY ? -INFINITY : largest[at] + std::log(sums[at]);
  }
}

// Divides by the message in, scales, and replaces the message out. Returns the change before
// damping.
double LoopyPropagation::send(const Port& port, std::span<double> logs, double damping) {
  double largest = -INFINITY;
  for (std::size_t at = 0; at < port.size; ++at) {
    const double in = messages_[port.in + at];
    logs[at] = in == -INFINITY ? in : logs[at] - in;
    largest = std::max(largest, logs[at]);
  }
  double change = 0;
  for (std::size_t at = 0; at < port.size; ++at) {
    double& old = messages_[port.out + at];
    const double value = logs[at] - largest;
    if (value == -INFINITY) {
      if (old != -INFINITY) change = kLargeChange;
      old = value;
    } else if (old != -INFINITY) {
      change = std::max(change, std::abs(value - old));
      old += (1 - damping) * (value - old);
    }
  }
  return change;
}

double LoopyPropagation::log_sum(const Place& place) {
  list_operands(place);
  const double largest = largest_cell(place);
  if (largest == -INFINITY) return largest;
  double sum = 0;
  walk_products<true>(place.table, scratch_, operands_, -largest, 0, place.table.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t>) {
                        for (const double value : block) sum += std::exp(value);
                      });
  return largest + std::log(sum);
}

double LoopyPropagation::log_value() {
  double value = 0;
  for (const Place& place : places_) value += log_sum(place);
  for (std::size_t id = 0; id < places_.size(); ++id) {
    for (const Port& port : places_[id].ports) {
      if (port.in > port.out) continue;  // Every link counts once.
      double largest = -INFINITY;
      for (std::size_t at = 0; at < port.size; ++at) {
        largest = std::max(largest, messages_[port.in + at] + messages_[port.out + at]);
      }
      double sum = 0;
      for (std::size_t at = 0; at < port.size; ++at) {
        sum += std::exp(messages_[port.in + at] + messages_[port.out + at] - largest);
      }
      value -= largest + std::log(sum);
    }
  }
  return value;
}

std::vector<double> LoopyPropagation::log_belief(std::int32_t cluster) {
  const Place& place = places_[static_cast<std::size_t>(cluster)];
  list_operands(place);
  std::vector<double> belief(place.table.n_blocks * place.table.block, -INFINITY);
  std::vector<TableAccess> whole(1);
  whole[0].strides.assign(place.table.sizes.size(), 0);
  std::size_t stride = 1;
  for (std::size_t axis = place.table.sizes.size(); axis-- > 0;) {
    whole[0].strides[axis] = stride;
    stride *= place.table.sizes[axis];
  }
  scratch_.tables.resize(operands_.size());
  scratch_.tables.push_back(whole.data());
  double largest = -INFINITY;
  walk_products<true>(place.table, scratch_, operands_, 0, 0, place.table.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        std::ranges::copy(block,
                                          belief.begin() + static_cast<std::ptrdiff_t>(offsets[0]));
                        largest = std::max(largest, std::ranges::max(block));
                      });
  if (largest > -INFINITY) {
    for (double& value : belief) value -= largest;
  }
  return belief;
}

std::vector<double> LoopyPropagation::log_marginal(Node variable) {
  std::int32_t home = -1;
  double fewest = INFINITY;
  for (std::size_t id = 0; id < places_.size(); ++id) {
    const CliqueTable& table = places_[id].table;
    const auto cells = static_cast<double>(table.n_blocks * table.block);
    if (cells < fewest && std::ranges::binary_search(graph_.clusters[id].members, variable)) {
      fewest = cells;
      home = static_cast<std::int32_t>(id);
    }
  }
  const Place& place = places_[static_cast<std::size_t>(home)];
  const std::vector<double> belief = log_belief(home);
  const auto& members = graph_.clusters[static_cast<std::size_t>(home)].members;
  const auto axis =
      static_cast<std::size_t>(std::ranges::find(members, variable) - members.begin());
  std::size_t inner = 1;
  for (std::size_t at = axis + 1; at < members.size(); ++at) inner *= place.table.sizes[at];
  const std::size_t n_states = factors_.states_of(variable);
  std::vector<double> largest(n_states, -INFINITY);
  for (std::size_t cell = 0; cell < belief.size(); ++cell) {
    double& most = largest[cell / inner % n_states];
    most = std::max(most, belief[cell]);
  }
  std::vector<double> sums(n_states, 0.0);
  for (std::size_t cell = 0; cell < belief.size(); ++cell) {
    const std::size_t state = cell / inner % n_states;
    if (largest[state] > -INFINITY) sums[state] += std::exp(belief[cell] - largest[state]);
  }
  for (std::size_t state = 0; state < n_states; ++state) {
    sums[state] = largest[state] == -INFINITY ? -INFINITY : largest[state] + std::log(sums[state]);
  }
  return sums;
}

std::vector<double> LoopyPropagation::marginal(Node variable) {
  std::vector<double> result = log_marginal(variable);
  double sum = 0;
  for (double& value : result) sum += value = std::exp(value);
  for (double& value : result) value /= sum;
  return result;
}

}  // namespace credenet
