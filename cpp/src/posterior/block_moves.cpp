#include "credenet/posterior/block_moves.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace credenet {
namespace {

constexpr double kDrawSteps = 500;  // Steps of one draw beside its sum.
constexpr double kBothWays = 2;     // The way back takes about as many steps.

}  // namespace

double BlockMoves::reverse_edge(DagState& state, Random& random) {
  if (state.n_edges() == 0) return 0;
  std::size_t left = random.below(state.n_edges());
  std::size_t head = 0;
  while (left >= state.parents(head).size()) left -= state.parents(head++).size();
  const auto tail = static_cast<std::size_t>(state.parents(head)[left]);
  there_.assign({{tail, head}, {head, FamilyWeights::kNone}});
  back_.assign({{head, tail}, {tail, FamilyWeights::kNone}});
  return run(state, true, random);
}

double BlockMoves::resample_blanket(DagState& state, Random& random) {
  const std::size_t centre = random.below(state.n_variables());
  there_.assign({{centre, FamilyWeights::kNone}});
  const auto children = state.children(centre);
  for (std::size_t word = 0; word < children.size(); ++word) {
    for (std::uint64_t rest = children[word]; rest != 0; rest &= rest - 1) {
      there_.push_back({word * 64 + static_cast<std::size_t>(std::countr_zero(rest)), centre});
    }
  }
  for (std::size_t at = there_.size() - 1; at > 1; --at) {
    std::swap(there_[at], there_[1 + random.below(at)]);
  }
  back_.assign(there_.rbegin(), there_.rend() - 1);
  back_.insert(back_.begin(), there_[0]);
  return run(state, false, random);
}

double BlockMoves::run(DagState& state, bool counts_edges, Random& random) {
  blocked_.resize(state.n_words());
  old_.clear();
  for (const Step& step : there_) old_.push_back({step.variable, state.families()[step.variable]});
  double log_q = 0;
  steps_ = 0;
  if (!draw_new(state, log_q, random)) {
    restore(state);
    return steps_;
  }
  double n_edges = static_cast<double>(state.n_edges());
  if (counts_edges) log_q += std::log(n_edges);
  for (std::size_t at = 0; at < old_.size(); ++at) {
    const auto size_of = [&](const DagState::Change& change) {
      return static_cast<double>(
          state.lists().parents_of(static_cast<std::size_t>(change.family)).size());
    };
    n_edges += size_of(new_[at]) - size_of(old_[at]);
  }
  if (counts_edges) log_q -= std::log(n_edges);
  weigh_back(state, log_q);
  if (log_q < 0 && random.uniform() >= std::exp(log_q)) return kBothWays * steps_;
  for (const auto& [variable, family] : old_) state.detach(variable, family);
  for (const auto& [variable, family] : new_) state.attach(variable, family);
  state.settle(new_);
  return kBothWays * steps_;
}

// Draws new families. False if a variable has no family left to draw; such a proposal is rejected.
bool BlockMoves::draw_new(DagState& state, double& log_q, Random& random) {
  new_.clear();
  open(state, there_, old_);
  for (const auto& [variable, required] : there_) {
    state.reach(variable, blocked_);
    weights_.weigh(variable, blocked_, required, weighed_);
    steps_ += kDrawSteps + weights_.steps(weighed_);
    if (weighed_.empty()) return false;
    log_q += weighed_.log_sum();
    const auto family = static_cast<std::int64_t>(weights_.draw(weighed_, blocked_, random));
    state.attach(variable, family);
    new_.push_back({variable, family});
  }
  return true;
}

// Weighs the way back, which leaves the edges of the old families.
void BlockMoves::weigh_back(DagState& state, double& log_q) {
  open(state, back_, new_);
  for (const auto& [variable, required] : back_) {
    state.reach(variable, blocked_);
    log_q -= weights_.log_sum(variable, blocked_, required);
    state.attach(variable, state.families()[variable]);
  }
}

void BlockMoves::open(DagState& state, std::span<const Step> steps,
                      std::span<const DagState::Change> families) {
  for (const auto& [variable, family] : families) state.detach(variable, family);
  for (const auto& [variable, required] : steps) {
    if (required != FamilyWeights::kNone) state.join(required, variable);
  }
}

void BlockMoves::restore(DagState& state) {
  for (const auto& [variable, required] : there_) {
    if (required != FamilyWeights::kNone) state.cut(required, variable);
  }
  for (const auto& [variable, family] : new_) state.detach(variable, family);
  for (const auto& [variable, family] : old_) state.attach(variable, family);
}

}  // namespace credenet
