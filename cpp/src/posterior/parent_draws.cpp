#include "credenet/posterior/parent_draws.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace credenet {

ParentDraws::ParentDraws(const FamilyWeights& weights)
    : weights_(weights),
      known_(weights.n_variables()),
      blocked_(weights.n_words()),
      shares_(weights.n_variables()) {
  sums_.families.resize(weights.lists().scores.size());
  sums_.edges.resize(weights.n_variables() * weights.n_variables());
  sums_.squares.resize(weights.n_variables() * weights.n_variables());
}

void ParentDraws::visit(DagState& state, std::size_t variable, bool draws, Random& random) {
  Known& known = known_[variable];
  const auto candidates = weights_.candidates(variable);
  const auto below = state.descendants(variable);
  for (std::size_t word = 0; word < blocked_.size(); ++word) {
    blocked_[word] = candidates[word] & below[word];
  }
  if (known.families.empty() || blocked_ != known.blocked) {
    add(variable);
    known.blocked = blocked_;
    weights_.weigh(variable, blocked_, FamilyWeights::kNone, known.families);
  }
  ++known.n_visits;
  if (!draws) return;
  const std::int64_t family = known.families.families[known.families.draw(random)];
  if (family == state.families()[variable]) return;
  state.detach(variable, state.families()[variable]);
  state.attach(variable, family);
  state.settle(std::array{DagState::Change{variable, family}});
}

void ParentDraws::add(std::size_t variable) {
  Known& known = known_[variable];
  if (known.n_visits == 0) return;
  const double n_visits = std::exchange(known.n_visits, 0.0);
  const FamilyLists& lists = weights_.lists();
  for (std::size_t place = 0; place < known.families.families.size(); ++place) {
    const auto family = static_cast<std::size_t>(known.families.families[place]);
    const double share = known.families.share(place);
    sums_.families[family] += n_visits * share;
    for (const std::int32_t parent : lists.parents_of(family)) {
      shares_[static_cast<std::size_t>(parent)] += share;
    }
  }
  const std::size_t row = variable * shares_.size();
  for (std::size_t parent = 0; parent < shares_.size(); ++parent) {
    const double share = std::exchange(shares_[parent], 0.0);
    sums_.edges[row + parent] += n_visits * share;
    sums_.squares[row + parent] += n_visits * share * share;
  }
}

void ParentDraws::settle() {
  for (std::size_t variable = 0; variable < known_.size(); ++variable) add(variable);
}

void ParentDraws::clear() {
  for (Known& known : known_) known.n_visits = 0;
  std::ranges::fill(sums_.families, 0.0);
  std::ranges::fill(sums_.edges, 0.0);
  std::ranges::fill(sums_.squares, 0.0);
}

}  // namespace credenet
