#include "credenet/posterior/window_moves.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

namespace credenet {
namespace {

constexpr std::size_t kFewMembers = 8;
constexpr std::uint64_t kRarer = 3;   // Factor by which a window with one more member is rarer.
constexpr std::size_t kAttempts = 4;  // Attempts for each member to add a neighbour.
// Bits between the largest and the smallest product of doubles.
constexpr Exponent kMostBits = 900;

}  // namespace

WindowMoves::WindowMoves(const FamilyWeights& weights, std::size_t most_members)
    : weights_(weights),
      most_members_(std::min(most_members, weights.n_variables())),
      near_(weights.n_variables()),
      folded_(most_members_) {
  const std::size_t n = weights.n_variables();
  const auto is_candidate = [&](std::size_t parent, std::size_t child) {
    return (weights.candidates(child)[parent / 64] >> (parent % 64) & 1) != 0;
  };
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (is_candidate(a, b) || is_candidate(b, a))
        near_[a].push_back(static_cast<std::uint32_t>(b));
    }
  }
}

void WindowMoves::choose(Random& random) {
  members_.assign(1, static_cast<std::uint32_t>(random.below(near_.size())));
  std::size_t n_members = std::min(kFewMembers, most_members_);
  while (n_members < most_members_ && random.below(kRarer) == 0) ++n_members;
  std::size_t left = kAttempts * n_members;
  for (; members_.size() < n_members && left > 0; --left) {
    const auto& near = near_[members_[random.below(members_.size())]];
    if (near.empty()) continue;
    const std::uint32_t next = near[random.below(near.size())];
    if (std::ranges::find(members_, next) == members_.end()) members_.push_back(next);
  }
}

bool WindowMoves::is_narrow() const {
  Exponent bits = 0;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    // Weight of the families without members that lead to it.
    const Scaled& alone = folded_[member].weights[0];
    if (alone.value == 0 || alone.exponent < -kMostBits) return false;
    bits -= alone.exponent;
  }
  return bits < kMostBits;
}

template <typename Number>
void WindowMoves::draw(WindowSums<Number>& sums, Random& random) {
  sums.start(members_.size());
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const auto& weights = folded_[member].weights;
    for (std::uint32_t set = 0; set < weights.size(); ++set) {
      // A family with the member itself would close a cycle.
      if ((set & bit_of(member)) != 0 || weights[set].value == 0) continue;
      if constexpr (std::is_same_v<Number, Plain>) {
        sums.weight(member, set) = {weights[set].value * power_of_two(weights[set].exponent)};
      } else {
        sums.weight(member, set) = weights[set];
      }
    }
  }
  sums.sum();
  sums.draw(random, [&](std::size_t member, std::uint32_t set) {
    const auto family = static_cast<std::int64_t>(weights_.draw(folded_[member], set, random));
    changes_.push_back({members_[member], family});
  });
}

void WindowMoves::resample(DagState& state, Random& random) {
  choose(random);
  for (const std::uint32_t variable : members_) state.detach(variable, state.families()[variable]);
  const std::size_t n_words = state.n_words();
  groups_.resize(members_.size() * n_words);
  for (std::size_t member = 0; member < members_.size(); ++member) {
    state.reach(members_[member], std::span(groups_).subspan(member * n_words, n_words));
  }
  for (std::size_t member = 0; member < members_.size(); ++member) {
    weights_.fold(members_[member], groups_, folded_[member]);
  }
  changes_.clear();
  if (is_narrow()) {
    draw(plain_, random);
  } else {
    draw(scaled_, random);
  }
  for (const auto& [variable, family] : changes_) state.attach(variable, family);
  state.settle(changes_);
}

}  // namespace credenet
