// A* over partial k-trees. g is the information so far and h the most that the variables left can
// add, which is admissible and consistent; f is then the sum of regrets. From a root clique each
// variable of a k-tree has one clique whatever the order of insertion (the k vertices that separate
// it from the root), so a partial k-tree is known by the cliques of its variables, and all ways to
// it have the same f: no state is ever opened again. What has no less regret than the greedy k-tree
// is not kept.
#include <algorithm>
#include <map>
#include <queue>
#include <span>
#include <vector>

#include "credenet/families/search_result.hpp"
#include "credenet/treewidth/guided_k_tree.hpp"

namespace credenet {
namespace {

using Clique = std::vector<std::int32_t>;  // Variables, ascending.

// Partial k-trees, each once: the number of a clique for each variable outside the root. They lie
// in one array, as there may be millions.
class PartialTrees {
 public:
  explicit PartialTrees(std::size_t n_variables) : n_variables_(n_variables), slots_(16, kFree) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t at) const {
    return std::span(cliques_).subspan(at * n_variables_, n_variables_);
  }
  // Inserts a k-tree as the last one if it is new. Returns whether it is new.
  bool insert(std::span<const std::uint32_t> tree) {
    if (size_ * 3 > slots_.size() * 2) grow();
    std::uint32_t& slot = slot_of(tree);
    if (slot != kFree) return false;
    slot = static_cast<std::uint32_t>(size_++);
    cliques_.insert(cliques_.end(), tree.begin(), tree.end());
    return true;
  }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  // The slot of the tree, or the free slot where it belongs.
  std::uint32_t& slot_of(std::span<const std::uint32_t> tree) {
    std::uint64_t hash = 0;
    for (const std::uint32_t clique : tree) {
      hash = (hash ^ clique) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
    }
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != kFree && !std::ranges::equal((*this)[slots_[at]], tree)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::size_t at = 0; at < size_; ++at)
      slot_of((*this)[at]) = static_cast<std::uint32_t>(at);
  }

  std::size_t n_variables_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> cliques_;
  std::vector<std::uint32_t> slots_;
};

class CompleteSearch {
 public:
  CompleteSearch(const KTreeGuide& guide, std::span<const std::int32_t> root, std::size_t max_bytes,
                 Control& control)
      : guide_(guide),
        root_(root.begin(), root.end()),
        control_(control),
        trees_(guide.n_variables() - root.size()) {
    std::ranges::sort(root_);
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(guide.n_variables()); ++v) {
      if (!std::ranges::binary_search(root_, v)) others_.push_back(v);
    }
    // Arrays grow to twice what they hold.
    max_trees_ =
        max_bytes /
        (2 * (others_.size() * sizeof(std::uint32_t) + sizeof(Open) + 2 * sizeof(std::uint32_t)));
  }

  CompleteKTree run() {
    KTree greedy = greedy_k_tree(guide_, root_);
    for (std::size_t place = guide_.k() + 1; place < guide_.n_variables(); ++place) {
      const std::int32_t variable = greedy.order()[place];
      limit_ += guide_.regret(variable, greedy.clique(variable));
    }
    limit_ -= tolerance(limit_);
    add(Partial(others_.size(), kLeft), 0, 0);
    while (!open_.empty()) {
      const Open next = open_.top();
      open_.pop();
      if (next.n_inserted == others_.size()) {
        KTree best = tree_of(trees_[next.tree]);
        const double gain =
            best.information(guide_.weights()) - greedy.information(guide_.weights());
        return {std::move(best), gain, Status::kOptimal};
      }
      expand(next);
      if (trees_.size() > max_trees_) return {std::move(greedy), 0, Status::kMemoryLimit};
      if (!control_.poll({})) return {std::move(greedy), 0, Status::kStopped};
    }
    return {std::move(greedy), 0, Status::kOptimal};
  }

 private:
  using Partial = std::vector<std::uint32_t>;
  // Marks a variable that is not inserted yet.
  static constexpr std::uint32_t kLeft = ~std::uint32_t{0};

  struct Open {
    double regret = 0;
    std::uint32_t n_inserted = 0;  // Variables inserted after the root clique.
    std::uint32_t tree = 0;

    bool operator<(const Open& other) const {
      if (regret != other.regret) return regret > other.regret;
      return n_inserted < other.n_inserted;
    }
  };

  void add(const Partial& tree, double regret, std::uint32_t n_inserted) {
    const auto at = static_cast<std::uint32_t>(trees_.size());
    if (trees_.insert(tree)) open_.push({regret, n_inserted, at});
  }

  std::uint32_t number_of(const Clique& clique) {
    const auto [at, is_new] =
        numbers_.try_emplace(clique, static_cast<std::uint32_t>(cliques_.size()));
    if (is_new) cliques_.push_back(clique);
    return at->second;
  }

  // Appends the k-cliques within a (k + 1)-clique that hold the variable kept; all of them for -1.
  void add_cliques(const Clique& large, std::int32_t kept, std::vector<std::uint32_t>& numbers) {
    for (const std::int32_t leaves_out : large) {
      if (leaves_out == kept) continue;
      Clique clique = large;
      std::erase(clique, leaves_out);
      numbers.push_back(number_of(clique));
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> cliques_in(const Partial& tree) {
    std::vector<std::uint32_t> numbers;
    add_cliques(root_, -1, numbers);
    for (std::size_t at = 0; at < tree.size(); ++at) {
      if (tree[at] == kLeft) continue;
      Clique large = cliques_[tree[at]];
      large.insert(std::ranges::lower_bound(large, others_[at]), others_[at]);
      add_cliques(large, others_[at], numbers);
    }
    return numbers;
  }

  void expand(const Open& state) {
    const auto stored = trees_[state.tree];
    Partial tree(stored.begin(), stored.end());
    const std::vector<std::uint32_t> numbers = cliques_in(tree);
    for (std::size_t at = 0; at < tree.size(); ++at) {
      if (tree[at] != kLeft) continue;
      for (const std::uint32_t number : numbers) {
        const double regret = state.regret + guide_.regret(others_[at], cliques_[number]);
        if (regret >= limit_) continue;
        tree[at] = number;
        add(tree, regret, state.n_inserted + 1);
      }
      tree[at] = kLeft;
    }
  }

  [[nodiscard]] KTree tree_of(std::span<const std::uint32_t> partial) const {
    KTree tree(guide_.n_variables(), guide_.k(), root_);
    std::vector<std::uint8_t> is_left(guide_.n_variables(), 0);
    for (const std::int32_t variable : others_) is_left[static_cast<std::size_t>(variable)] = 1;
    while (tree.order().size() < guide_.n_variables()) {
      for (std::size_t at = 0; at < others_.size(); ++at) {
        const auto v = static_cast<std::size_t>(others_[at]);
        const Clique& clique = cliques_[partial[at]];
        if (is_left[v] == 0 || std::ranges::any_of(clique, [&](std::int32_t member) {
              return is_left[static_cast<std::size_t>(member)] != 0;
            })) {
          continue;
        }
        tree.insert(others_[at], clique);
        is_left[v] = 0;
      }
    }
    return tree;
  }

  const KTreeGuide& guide_;
  Clique root_;
  Control& control_;
  std::vector<std::int32_t> others_;  // Variables outside the root.
  std::size_t max_trees_ = 0;
  double limit_ = 0;  // Regret of the greedy k-tree.
  std::map<Clique, std::uint32_t> numbers_;
  std::vector<Clique> cliques_;
  PartialTrees trees_;
  std::priority_queue<Open> open_;
};

}  // namespace

CompleteKTree complete_k_tree(const KTreeGuide& guide, std::span<const std::int32_t> root,
                              std::size_t max_bytes, Control& control) {
  return CompleteSearch(guide, root, max_bytes, control).run();
}

}  // namespace credenet
