#include "credenet/treewidth/root_clique.hpp"

#include <algorithm>
#include <limits>

namespace credenet {
namespace {

constexpr double kMostSets = 1e6;  // Sets up to which all are looked at.

double n_sets(std::size_t n, std::size_t size) {
  double count = 1;
  for (std::size_t at = 0; at < size; ++at) {
    count *= static_cast<double>(n - at) / static_cast<double>(at + 1);
  }
  return count;
}

// A set with its sum, and the sum of each variable's weights with its members.
struct GrowingSet {
  std::vector<std::int32_t> members;
  double sum = 0;
  std::vector<double> with;

  explicit GrowingSet(std::size_t n_variables) : with(n_variables, 0.0) {}

  [[nodiscard]] bool has(std::size_t variable) const {
    return std::ranges::find(members, static_cast<std::int32_t>(variable)) != members.end();
  }
  void add(const PairWeights& weights, std::int32_t variable) {
    sum += with[static_cast<std::size_t>(variable)];
    members.push_back(variable);
    const auto row = weights.row(variable);
    for (std::size_t v = 0; v < with.size(); ++v) with[v] += row[v];
  }
  void remove(const PairWeights& weights, std::int32_t variable) {
    std::erase(members, variable);
    const auto row = weights.row(variable);
    for (std::size_t v = 0; v < with.size(); ++v) with[v] -= row[v];
    sum -= with[static_cast<std::size_t>(variable)];
  }
};

// Goes through all sets, with members in ascending order. Branches end where the members left, with
// the largest of their sums and the largest weight for each pair among them, cannot lead to a
// better set.
class Enumeration {
 public:
  Enumeration(const PairWeights& weights, std::size_t size, Control& control)
      : weights_(weights), size_(size), control_(control) {
    largest_ = *std::ranges::max_element(weights.values);
  }

  std::vector<std::int32_t> run(const GrowingSet& first) {
    best_ = first;
    extend(GrowingSet(weights_.n_variables), 0);
    return best_.members;
  }

 private:
  void extend(const GrowingSet& set, std::size_t from) {
    const std::size_t left = size_ - set.members.size();
    if (left == 0) {
      if (set.sum > best_.sum) best_ = set;
      return;
    }
    const double pairs = static_cast<double>(left * (left - 1)) / 2;
    std::vector<double> most(set.with);  // Largest sum from each variable on.
    for (std::size_t v = most.size() - 1; v > from; --v)
      most[v - 1] = std::max(most[v - 1], most[v]);
    for (std::size_t v = from; v + left <= weights_.n_variables && !stop_; ++v) {
      if (set.sum + most[v] * static_cast<double>(left) + largest_ * pairs <= best_.sum) return;
      if (left == 1) {
        if (set.sum + set.with[v] <= best_.sum) continue;
      } else if (++n_visited_ % 64 == 0 && !control_.poll({})) {
        stop_ = true;
      }
      GrowingSet larger = set;
      larger.add(weights_, static_cast<std::int32_t>(v));
      extend(larger, v + 1);
    }
  }

  const PairWeights& weights_;
  std::size_t size_;
  Control& control_;
  double largest_;
  GrowingSet best_{0};
  std::size_t n_visited_ = 0;
  bool stop_ = false;
};

void grow(const PairWeights& weights, std::size_t size, GrowingSet& set) {
  while (set.members.size() < size) {
    std::size_t next = weights.n_variables;
    for (std::size_t v = 0; v < weights.n_variables; ++v) {
      if (set.has(v)) continue;
      if (next == weights.n_variables || set.with[v] > set.with[next]) next = v;
    }
    set.add(weights, static_cast<std::int32_t>(next));
  }
}

// Exchanges a member for another variable, always by the largest gain, until none is left.
void improve(const PairWeights& weights, GrowingSet& set) {
  while (true) {
    double gain = 1e-12 * set.sum;  // Least gain, more than rounding.
    std::int32_t out = -1;
    std::int32_t in = -1;
    for (const std::int32_t member : set.members) {
      const auto row = weights.row(member);
      const double loss = set.with[static_cast<std::size_t>(member)];
      for (std::size_t v = 0; v < weights.n_variables; ++v) {
        if (set.with[v] - row[v] - loss <= gain || set.has(v)) continue;
        gain = set.with[v] - row[v] - loss;
        out = member;
        in = static_cast<std::int32_t>(v);
      }
    }
    if (out < 0) return;
    set.remove(weights, out);
    set.add(weights, in);
  }
}

}  // namespace

std::vector<std::int32_t> best_root_clique(const PairWeights& weights, std::size_t size,
                                           Control& control) {
  const std::size_t n = weights.n_variables;
  GrowingSet best(n);
  for (std::size_t v = 0; v < n; ++v) {
    GrowingSet set(n);
    set.add(weights, static_cast<std::int32_t>(v));
    grow(weights, size, set);
    improve(weights, set);
    if (best.members.empty() || set.sum > best.sum) best = std::move(set);
    if (!control.poll({})) break;
  }
  std::vector<std::int32_t> members = best.members;
  if (n_sets(n, size) <= kMostSets) members = Enumeration(weights, size, control).run(best);
  std::ranges::sort(members);
  return members;
}

}  // namespace credenet
