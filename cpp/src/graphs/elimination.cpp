// Greedy elimination. The remaining graph is a bit matrix, so the neighbours two nodes share are
// one AND over n/64 words. Costs are kept up to date: the fill of a node (pairs of neighbours not
// joined) changes only where an edge or a node disappears or appears next to it, its weight only
// with its neighbours. One order costs n^2 for the choices plus n/64 and the shared neighbours for
// every edge added; n^2/8 bytes of memory.
#include "credenet/graphs/elimination.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <mutex>
#include <tuple>

#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

// The type holds log2 of a number of cells in units of 2^-32: sums are exact, so equal tables tie
// exactly.
using FixedLog2 = std::int64_t;
constexpr double kFixedUnit = 0x1.0p32;  // Units of FixedLog2 in one bit.

class Eliminator {
 public:
  Eliminator(std::size_t n_nodes, Edges edges, std::span<const std::int32_t> n_states,
             EliminationRule rule, std::span<const std::uint8_t> last, double log2_most)
      : rule_(rule),
        last_(last),
        most_(static_cast<FixedLog2>(std::clamp(log2_most, -1.0, 1e6) * kFixedUnit)),
        n_nodes_(n_nodes),
        n_words_((n_nodes + 63) / 64),
        bits_(n_nodes * n_words_, 0),
        degree_(n_nodes, 0),
        weight_(n_nodes),
        cost_(n_nodes, 0) {
    for (std::size_t node = 0; node < n_nodes; ++node) {
      weight_[node] = static_cast<FixedLog2>(
          std::llround(std::log2(static_cast<double>(n_states[node])) * kFixedUnit));
      if (rule == EliminationRule::kMinWeight) cost_[node] = weight_[node];
    }
    for (std::size_t edge = 0; edge < edges.size(); ++edge) join(edges.from[edge], edges.to[edge]);
  }

  // Eliminates all nodes. Ties go to the smallest index, or at random if a generator is given.
  Elimination run(Random* random) {
    Elimination result;
    result.order.reserve(n_nodes_);
    std::vector<FixedLog2> table_sizes;
    table_sizes.reserve(n_nodes_);
    std::vector<Node> remaining(n_nodes_);
    for (std::size_t node = 0; node < n_nodes_; ++node) remaining[node] = static_cast<Node>(node);
    while (!remaining.empty()) {
      const auto place = remaining.begin() + cheapest(remaining, random);
      const Node node = *place;
      remaining.erase(place);
      result.order.push_back(node);
      result.width = std::max(result.width, degree_[node]);
      table_sizes.push_back(eliminate(node));
    }
    result.log2_table_size = log2_sum(table_sizes);
    return result;
  }

 private:
  std::uint64_t* row(Node node) { return bits_.data() + static_cast<std::size_t>(node) * n_words_; }

  bool joined(Node a, Node b) { return ((row(a)[b / 64] >> (b % 64)) & 1U) != 0; }

  template <typename Word, typename Visit>
  void for_each_bit(Word&& word_at, Visit&& visit) {
    for (std::size_t index = 0; index < n_words_; ++index) {
      for (std::uint64_t word = word_at(index); word != 0; word &= word - 1) {
        visit(static_cast<Node>(index * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }

  // Adds an edge a - b. It closes the pair (a, b) at every shared neighbour, and at a makes a pair
  // of b with every neighbour of a that is not one of b.
  void join(Node a, Node b) {
    if (rule_ == EliminationRule::kMinFill) {
      std::size_t n_shared = 0;
      for_each_bit([&](std::size_t word) { return row(a)[word] & row(b)[word]; },
                   [&](Node shared) {
                     --cost_[shared];
                     ++n_shared;
                   });
      cost_[a] += static_cast<std::int64_t>(degree_[a] - n_shared);
      cost_[b] += static_cast<std::int64_t>(degree_[b] - n_shared);
    } else {
      cost_[a] += weight_[b];
      cost_[b] += weight_[a];
    }
    row(a)[b / 64] |= std::uint64_t{1} << (b % 64);
    row(b)[a / 64] |= std::uint64_t{1} << (a % 64);
    ++degree_[a];
    ++degree_[b];
  }

  // Joins the neighbours of the node, removes it, and returns the size of its table.
  FixedLog2 eliminate(Node node) {
    std::vector<Node> neighbours;
    FixedLog2 table_size = weight_[node];
    for_each_bit([&](std::size_t word) { return row(node)[word]; },
                 [&](Node neighbour) {
                   neighbours.push_back(neighbour);
                   table_size += weight_[neighbour];
                 });
    for (std::size_t first = 0; first < neighbours.size(); ++first) {
      for (std::size_t second = first + 1; second < neighbours.size(); ++second) {
        if (!joined(neighbours[first], neighbours[second])) {
          join(neighbours[first], neighbours[second]);
        }
      }
    }
    for (const Node neighbour : neighbours) {
      // The neighbours are a clique now, so those of this one that node lacks are all the others.
      cost_[neighbour] -= rule_ == EliminationRule::kMinFill
                              ? static_cast<std::int64_t>(degree_[neighbour] - neighbours.size())
                              : weight_[node];
      row(neighbour)[node / 64] &= ~(std::uint64_t{1} << (node % 64));
      --degree_[neighbour];
    }
    return table_size;
  }

  // Whether a node goes behind those of small tables that are not marked as last.
  [[nodiscard]] bool waits(Node node) const {
    return !last_.empty() && (last_[static_cast<std::size_t>(node)] != 0 || cost_[node] > most_);
  }

  std::ptrdiff_t cheapest(const std::vector<Node>& remaining, Random* random) {
    std::size_t best = 0;
    std::uint64_t n_ties = 1;
    for (std::size_t place = 1; place < remaining.size(); ++place) {
      const int rank = waits(remaining[place]) - waits(remaining[best]);
      const std::int64_t difference =
          rank != 0 ? rank : cost_[remaining[place]] - cost_[remaining[best]];
      if (difference < 0) {
        best = place;
        n_ties = 1;
      } else if (difference == 0 && random != nullptr && random->below(++n_ties) == 0) {
        best = place;
      }
    }
    return static_cast<std::ptrdiff_t>(best);
  }

  static double log2_sum(const std::vector<FixedLog2>& terms) {
    if (terms.empty()) return -INFINITY;
    const FixedLog2 largest = std::ranges::max(terms);
    double sum = 0;
    for (const FixedLog2 term : terms) {
      sum += std::exp2(static_cast<double>(term - largest) / kFixedUnit);
    }
    return static_cast<double>(largest) / kFixedUnit + std::log2(sum);
  }

  EliminationRule rule_;
  std::span<const std::uint8_t> last_;
  FixedLog2 most_;
  std::size_t n_nodes_;
  std::size_t n_words_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::size_t> degree_;
  std::vector<FixedLog2> weight_;
  std::vector<std::int64_t> cost_;
};

}  // namespace

Elimination elimination_order(std::size_t n_nodes, Edges edges,
                              std::span<const std::int32_t> n_states, EliminationRule rule,
                              std::size_t n_restarts, std::uint64_t seed, unsigned n_threads,
                              Control& control, std::span<const std::uint8_t> last,
                              double log2_most) {
  assert(n_states.size() == n_nodes);
  assert(last.empty() || (last.size() == n_nodes && rule == EliminationRule::kMinWeight));
  const auto quality = [rule](const Elimination& order, std::size_t restart) {
    const auto width = static_cast<double>(order.width);
    return rule == EliminationRule::kMinFill ? std::tuple(width, order.log2_table_size, restart)
                                             : std::tuple(order.log2_table_size, width, restart);
  };
  const Eliminator start(n_nodes, edges, n_states, rule, last, log2_most);
  Elimination best = Eliminator(start).run(nullptr);
  std::size_t best_restart = 0;
  std::size_t done = 1;
  std::mutex mutex;
  std::atomic<bool> stop{false};
  parallel_blocks(n_restarts - std::min<std::size_t>(n_restarts, 1), n_threads, stop,
                  [&](std::size_t block, unsigned worker) {
                    const std::size_t restart = block + 1;
                    Random random(seed, restart);
                    Elimination order = Eliminator(start).run(&random);
                    const std::scoped_lock lock(mutex);
                    if (quality(order, restart) < quality(best, best_restart)) {
                      best = std::move(order);
                      best_restart = restart;
                    }
                    ++done;
                    if (worker == 0 && !control.poll({done, n_restarts})) stop = true;
                  });
  return best;
}

}  // namespace credenet
