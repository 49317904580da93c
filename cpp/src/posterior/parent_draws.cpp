#include "credenet/posterior/parent_draws.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace credenet {
namespace {

constexpr double kVisitSteps = 300;  // Steps of a visit that finds its sums known.
constexpr double kPasses = 2;        // Each sum is found, and later spread over its families.

}  // namespace

ParentDraws::ParentDraws(const FamilyWeights& weights)
    : weights_(weights),
      known_(weights.n_variables()),
      blocked_(weights.n_words()),
      shares_(weights.n_variables()),
      places_(weights.n_places()),
      sampled_(weights.n_variables() * weights.n_variables()),
      squares_(sampled_.size()) {}

ParentDraws::Steps ParentDraws::visit(DagState& state, std::size_t variable, bool draws, Use use,
                                      Random& random) {
  Steps steps{.draws = kVisitSteps};
  Known& known = known_[variable];
  const auto candidates = weights_.candidates(variable);
  const auto below = state.descendants(variable);
  for (std::size_t word = 0; word < blocked_.size(); ++word) {
    blocked_[word] = candidates[word] & below[word];
  }
  if (known.families.empty() || blocked_ != known.blocked) {
    if (use == Use::kNothing) {
      if (!draws) return steps;
      const std::size_t drawn = weights_.draw_quickly(variable, blocked_, steps.draws, random);
      if (drawn != FamilyWeights::kNone) {
        move(state, variable, drawn);
        return steps;
      }
    }
    add(variable);
    known.blocked = blocked_;
    weights_.weigh(variable, blocked_, FamilyWeights::kNone, known.families);
    (use == Use::kNothing ? steps.draws : steps.counts) += kPasses * weights_.steps(known.families);
  }
  if (use != Use::kNothing) ++known.n_visits;
  if (use == Use::kSample) ++known.n_sampled;
  if (draws) move(state, variable, weights_.draw(known.families, known.blocked, random));
  return steps;
}

void ParentDraws::move(DagState& state, std::size_t variable, std::size_t family) {
  const auto drawn = static_cast<std::int64_t>(family);
  if (drawn == state.families()[variable]) return;
  state.detach(variable, state.families()[variable]);
  state.attach(variable, drawn);
  state.settle(std::array{DagState::Change{variable, drawn}});
}

void ParentDraws::add(std::size_t variable) {
  Known& known = known_[variable];
  if (known.n_visits == 0) return;
  weights_.spread(known.families, known.blocked, known.n_visits, places_);
  if (known.n_sampled > 0) add_sampled(variable, known.n_sampled);
  known.n_visits = known.n_sampled = 0;
}

void ParentDraws::add_sampled(std::size_t variable, double n_sampled) {
  const Known& known = known_[variable];
  const FamilyLists& lists = weights_.lists();
  weights_.for_each(known.families, known.blocked, [&](std::size_t family, double share) {
    for (const std::int32_t parent : lists.parents_of(family)) {
      shares_[static_cast<std::size_t>(parent)] += share;
    }
  });
  const std::size_t row = variable * shares_.size();
  for (std::size_t parent = 0; parent < shares_.size(); ++parent) {
    const double share = std::exchange(shares_[parent], 0.0);
    sampled_[row + parent] += n_sampled * share;
    squares_[row + parent] += n_sampled * share * share;
  }
}

ParentDraws::Sums ParentDraws::take_sums() {
  const std::size_t n = known_.size();
  for (std::size_t variable = 0; variable < n; ++variable) add(variable);
  const FamilyLists& lists = weights_.lists();
  Sums sums;
  sums.families.resize(lists.scores.size());
  weights_.to_families(places_, sums.families);
  sums.edges.resize(n * n);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      for (const std::int32_t parent : lists.parents_of(family)) {
        sums.edges[v * n + static_cast<std::size_t>(parent)] += sums.families[family];
      }
    }
  }
  sums.sampled = std::exchange(sampled_, std::vector<double>(n * n));
  sums.squares = std::exchange(squares_, std::vector<double>(n * n));
  std::ranges::fill(places_, 0.0);
  return sums;
}

}  // namespace credenet
