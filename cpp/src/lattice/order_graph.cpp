#include "credenet/lattice/order_graph.hpp"

#include <bit>
#include <limits>

namespace credenet {
namespace {

bool check_feasible(const ComponentLists& lists) {
  std::uint64_t placed = 0;
  const std::size_t n = lists.n_variables();
  for (bool moved = true; moved;) {  // What can be placed stays so, so any order will do.
    moved = false;
    for (std::size_t v = 0; v < n; ++v) {
      if ((placed >> v & 1) != 0 || lists.best(v, placed) == lists.size(v)) continue;
      placed |= std::uint64_t{1} << v;
      moved = true;
    }
  }
  return static_cast<std::size_t>(std::popcount(placed)) == n;
}

}  // namespace

OrderGraph::OrderGraph(const ComponentLists& lists)
    : lists_(lists),
      best_(lists),
      n_(lists.n_variables()),
      everything_(n_ == 0 ? 0 : ~std::uint64_t{0} >> (64 - n_)),
      is_feasible_(check_feasible(lists)) {
  for (std::size_t v = 0; v < n_; ++v) {
    starts_.push_back(losses_.size());
    const auto parents = lists.parents(v);
    const auto scores = lists.scores(v);
    std::uint64_t all = 0;
    std::uint64_t better = 0;
    for (std::size_t k = 0; k < parents.size(); ++k) {
      if (k > 0 && scores[k] < scores[k - 1]) better = all;
      all |= parents[k];
      losses_.push_back(scores[0] - scores[k]);
      wanted_.push_back(better);
    }
    losses_.push_back(std::numeric_limits<double>::infinity());
    wanted_.push_back(all);
  }
}

std::uint64_t OrderGraph::close(std::uint64_t placed) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint64_t rest = everything_ & ~placed; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t* parents = lists_.parents(v).data();
      const double* losses = losses_.data() + starts_[v];
      for (std::size_t k = 0; losses[k] == 0; ++k) {
        if ((parents[k] & ~placed) != 0) continue;
        placed |= std::uint64_t{1} << v;
        moved = true;
        break;
      }
    }
  }
  return placed;
}

std::uint64_t OrderGraph::next(std::uint64_t placed, Positions& families) const {
  const std::uint64_t unplaced = everything_ & ~placed;
  std::array<std::uint64_t, ComponentLists::kMostVariables> wants;
  std::uint64_t can_follow = 0;
  for (std::uint64_t rest = unplaced; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::size_t>(std::countr_zero(rest));
    const std::size_t k = best_(v, placed);
    families[v] = static_cast<std::uint32_t>(k);
    wants[v] = wanted_[starts_[v] + k] & ~placed;
    if (k < lists_.size(v)) can_follow |= std::uint64_t{1} << v;
  }
  // Each v reaches all that it wants, directly or not; the smallest of these sets counts.
  std::uint64_t smallest = unplaced;
  for (std::uint64_t rest = unplaced; rest != 0; rest &= rest - 1) {
    const std::uint64_t first = rest & (0 - rest);
    std::uint64_t reached = first;
    for (std::uint64_t fresh = first; fresh != 0;) {
      const auto v = static_cast<std::size_t>(std::countr_zero(fresh));
      const std::uint64_t more = wants[v] & ~reached;
      reached |= more;
      fresh = (fresh & (fresh - 1)) | more;
    }
    if (std::popcount(reached) < std::popcount(smallest)) smallest = reached;
  }
  return smallest & can_follow;
}

void OrderGraph::fill(std::uint64_t placed, std::span<std::int32_t> families) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint64_t rest = everything_ & ~placed; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t k = best_(v, placed);
      if (loss(v, k) != 0) continue;
      families[v] = static_cast<std::int32_t>(k);
      placed |= std::uint64_t{1} << v;
      moved = true;
    }
  }
}

}  // namespace credenet
