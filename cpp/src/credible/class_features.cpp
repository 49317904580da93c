#include "credenet/credible/class_features.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <stdexcept>

#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/orientations.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlock = 64;    // Networks that a worker takes at once.
constexpr std::size_t kRound = 4096;  // Networks whose edges are kept at once.

// The edges of a network by children, and for each 1 if all networks of its class that obey the
// rules have it.
struct LabelledEdges {
  std::vector<Node> from;
  std::vector<Node> to;
  std::vector<std::uint8_t> compelled;

  LabelledEdges(const FamilyLists& lists, std::span<const std::int64_t> families,
                const ParentRules& rules = {}) {
    if (families.size() != lists.n_variables()) {
      throw std::invalid_argument("choices must have one column for each variable of families");
    }
    for (std::size_t child = 0; child < families.size(); ++child) {
      const auto family = static_cast<std::size_t>(families[child]);
      if (family < lists.begin(child) || family >= lists.end(child)) {
        throw std::invalid_argument("choices must have a family of each variable in its column");
      }
      const auto parents = lists.parents_of(family);
      from.insert(from.end(), parents.begin(), parents.end());
      to.insert(to.end(), parents.size(), static_cast<Node>(child));
    }
    compelled = compelled_edges(families.size(), {from, to}, rules);
  }
};

// A control for workers other than the first, which do not poll.
class FlagControl final : public Control {
 public:
  explicit FlagControl(const std::atomic<bool>& stop) : stop_(stop) {}
  [[nodiscard]] bool poll(const Progress&) override { return !stop_; }

 private:
  const std::atomic<bool>& stop_;
};

// Calls work(row, control) for the rows from first to last, in blocks that the workers share.
// False if it was stopped.
template <typename Work>
bool for_each_row(std::size_t first, std::size_t last, std::size_t total, unsigned n_threads,
                  Control& control, Work&& work) {
  std::atomic<bool> stop{false};
  FlagControl flag(stop);
  parallel_blocks((last - first + kBlock - 1) / kBlock, n_threads, stop,
                  [&](std::size_t block, unsigned worker) {
                    Control& own = worker == 0 ? control : static_cast<Control&>(flag);
                    const std::size_t begin = first + block * kBlock;
                    const std::size_t end = std::min(last, begin + kBlock);
                    for (std::size_t row = begin; row < end; ++row) work(row, own);
                    if (worker == 0 && !control.poll({end, total})) stop = true;
                  });
  return !stop;
}

}  // namespace

ClassPairSums::ClassPairSums(std::size_t n_variables, const ParentRules& rules)
    : n_variables_(n_variables),
      possible_(rules.possible.begin(), rules.possible.end()),
      max_parents_(rules.max_parents.begin(), rules.max_parents.end()),
      directed_(n_variables * n_variables, 0.0),
      undirected_(n_variables * n_variables, 0.0) {}

bool ClassPairSums::add(const FamilyLists& lists, const NetworkRows& networks,
                        std::span<const double> weights, std::span<const std::uint8_t> children,
                        unsigned n_threads, Control& control) {
  assert(networks.n_variables == n_variables_ && weights.size() == networks.size());
  // Weights are added in the order of the networks, so sums do not depend on the number of threads.
  std::vector<std::vector<std::uint8_t>> compelled(std::min(networks.size(), kRound));
  for (std::size_t first = 0; first < networks.size(); first += kRound) {
    const std::size_t last = std::min(networks.size(), first + kRound);
    const bool done = for_each_row(
        first, last, networks.size(), n_threads, control, [&](std::size_t row, Control&) {
          compelled[row - first] =
              LabelledEdges(lists, networks[row], {possible_, max_parents_}).compelled;
        });
    if (!done) return false;
    for (std::size_t row = first; row < last; ++row) {
      add_edges(lists, networks[row], weights[row], children, compelled[row - first]);
    }
  }
  return true;
}

void ClassPairSums::add_edges(const FamilyLists& lists, std::span<const std::int64_t> families,
                              double weight, std::span<const std::uint8_t> children,
                              std::span<const std::uint8_t> compelled) {
  std::size_t edge = 0;
  for (std::size_t child = 0; child < n_variables_; ++child) {
    for (const std::int32_t tail : lists.parents_of(static_cast<std::size_t>(families[child]))) {
      const auto parent = static_cast<std::size_t>(tail);
      const bool is_compelled = compelled[edge++] != 0;
      if (children[child] == 0) continue;
      if (is_compelled) {
        directed_[parent * n_variables_ + child] += weight;
      } else {
        undirected_[std::min(parent, child) * n_variables_ + std::max(parent, child)] += weight;
      }
    }
  }
}

std::vector<Natural> class_sizes(const FamilyLists& lists, const NetworkRows& networks,
                                 std::span<const std::uint8_t> children, unsigned n_threads,
                                 Control& control) {
  std::vector<Natural> sizes(networks.size());
  const bool done = for_each_row(
      0, networks.size(), networks.size(), n_threads, control, [&](std::size_t row, Control& own) {
        const LabelledEdges edges(lists, networks[row]);
        std::vector<Node> first;
        std::vector<Node> second;
        for (std::size_t at = 0; at < edges.to.size(); ++at) {
          if (edges.compelled[at] != 0 || children[static_cast<std::size_t>(edges.to[at])] == 0) {
            continue;
          }
          first.push_back(edges.from[at]);
          second.push_back(edges.to[at]);
        }
        const Edges undirected{first, second};
        const auto size =
            count_orientations(Adjacency::symmetric(networks.n_variables, {&undirected, 1}), own);
        if (size) sizes[row] = *size;
      });
  if (!done) sizes.clear();
  return sizes;
}

}  // namespace credenet
