#include "credenet/posterior/window_moves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>

namespace credenet {
namespace {

constexpr std::size_t kFewMembers = 8;  // Members of most windows at least.
constexpr std::uint64_t kRarer = 3;     // Factor by which a window with one more member is rarer.
// Steps to fold a family, and those for each way to split the members into three sets.
constexpr double kFoldSteps = 5;
constexpr double kSumSteps = 2;
// Bits between the largest and the smallest product of doubles.
constexpr Exponent kMostBits = 900;

// The most members whose sums take no longer than to fold their families.
std::size_t cheap_members(const FamilyWeights& weights) {
  const double families = static_cast<double>(weights.lists().scores.size()) /
                          static_cast<double>(std::max<std::size_t>(weights.n_variables(), 1));
  std::size_t members = kFewMembers;
  while (members < WindowMoves::kMostMembers &&
         kSumSteps * std::pow(3.0, static_cast<double>(members + 1)) <=
             kFoldSteps * families * static_cast<double>(members + 1)) {
    ++members;
  }
  return members;
}

}  // namespace

WindowMoves::WindowMoves(const FamilyWeights& weights, const WindowChoice& choice,
                         std::size_t most_members)
    : weights_(weights),
      choice_(choice),
      most_members_(std::min(most_members, weights.n_variables())),
      few_members_(std::min(cheap_members(weights), most_members_)),
      folded_(most_members_) {
  focus(std::vector<double>(weights.n_variables(), 1.0));
}

void WindowMoves::focus(std::span<const double> weights) {
  first_sums_.resize(weights.size());
  std::partial_sum(weights.begin(), weights.end(), first_sums_.begin());
}

void WindowMoves::choose(Random& random) {
  const double mark = random.uniform() * first_sums_.back();
  auto first = std::ranges::upper_bound(first_sums_, mark);
  if (first == first_sums_.end()) --first;  // By rounding.
  std::size_t n_members = few_members_;
  while (n_members < most_members_ && random.below(kRarer) == 0) ++n_members;
  choice_.choose(static_cast<std::size_t>(first - first_sums_.begin()), n_members, random,
                 members_);
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

double WindowMoves::resample(DagState& state, Random& random) {
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
  double steps = kSumSteps * std::pow(3.0, static_cast<double>(members_.size()));
  for (std::size_t member = 0; member < members_.size(); ++member) {
    steps += kFoldSteps * static_cast<double>(folded_[member].touched.size());
  }
  return steps;
}

}  // namespace credenet
