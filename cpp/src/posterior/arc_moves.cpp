#include "credenet/posterior/arc_moves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace credenet {

ArcMoves::ArcMoves(const FamilyLists& lists, const FamilySteps& steps)
    : steps_(steps),
      n_leaves_(std::bit_ceil(std::max<std::size_t>(lists.n_variables(), 1))),
      tree_(2 * n_leaves_) {}

// Calls visit(arc, rate) for every change that makes or removes an edge into the head, cyclic or
// not; stops once it returns false.
template <typename Visit>
void ArcMoves::for_each_arc(const DagState& state, std::size_t head, Visit&& visit) const {
  const auto family = static_cast<std::size_t>(state.families()[head]);
  for (const FamilySteps::Step& step : steps_.removals(family)) {
    const Arc arc{static_cast<std::size_t>(step.parent), step.family, 0, false};
    if (!visit(arc, step.rate)) return;
  }
  for (const FamilySteps::Step& step : steps_.additions(family)) {
    Arc arc{static_cast<std::size_t>(step.parent), step.family, 0, false};
    double rate = step.rate;
    if (state.has_edge(head, arc.tail)) {
      const FamilySteps::Step* loss =
          steps_.removal(static_cast<std::size_t>(state.families()[arc.tail]), head);
      if (loss == nullptr) continue;
      arc.tail_family = loss->family;
      arc.is_reversal = true;
      rate = std::exp(std::min(0.0, step.gain + loss->gain));
    }
    if (!visit(arc, rate)) return;
  }
}

void ArcMoves::update(const DagState& state, std::size_t head) {
  double sum = 0;
  for_each_arc(state, head, [&](const Arc&, double rate) {
    sum += rate;
    return true;
  });
  std::size_t node = n_leaves_ + head;
  tree_[node] = sum;
  while ((node /= 2) > 0) tree_[node] = tree_[2 * node] + tree_[2 * node + 1];
}

std::size_t ArcMoves::draw_head(Random& random) const {
  double mark = random.uniform() * tree_[1];
  std::size_t node = 1;
  while (node < n_leaves_) {
    node *= 2;
    // Rounding must not lead to a sum of 0.
    if (mark >= tree_[node] && tree_[node + 1] > 0) mark -= tree_[node++];
  }
  return node - n_leaves_;
}

ArcMoves::Arc ArcMoves::draw_arc(const DagState& state, std::size_t head, Random& random) const {
  double mark = random.uniform() * tree_[n_leaves_ + head];
  Arc drawn;
  for_each_arc(state, head, [&](const Arc& arc, double rate) {
    drawn = arc;
    mark -= rate;
    return mark >= 0;
  });
  return drawn;
}

bool ArcMoves::closes_cycle(const DagState& state, std::size_t head, const Arc& arc) {
  // There is no path if the edge is removed.
  if (!arc.is_reversal) return state.has_path(head, arc.tail);
  return std::ranges::any_of(state.parents(arc.tail), [&](std::int32_t parent) {
    return state.has_path(head, static_cast<std::size_t>(parent));
  });
}

void ArcMoves::apply(DagState& state, std::size_t head, const Arc& arc) {
  const std::array<DagState::Change, 2> changes{{{head, arc.family}, {arc.tail, arc.tail_family}}};
  const std::span made(changes.data(), arc.is_reversal ? 2 : 1);
  for (const auto& [variable, family] : made) {
    state.detach(variable, state.families()[variable]);
    state.attach(variable, family);
  }
  state.settle(made);
}

std::size_t ArcMoves::run(DagState& state, double time, Random& random) {
  std::size_t n_changes = 0;
  double left = time;
  while (true) {
    state.visit_touched([&](std::size_t variable) { update(state, variable); });
    const double stay = tree_[1] > 0 ? -std::log1p(-random.uniform()) / tree_[1] : left;
    if (stay >= left) {
      state.advance(left);
      return n_changes;
    }
    state.advance(stay);
    left -= stay;
    const std::size_t head = draw_head(random);
    const Arc arc = draw_arc(state, head, random);
    if (closes_cycle(state, head, arc)) continue;
    apply(state, head, arc);
    ++n_changes;
  }
}

}  // namespace credenet
