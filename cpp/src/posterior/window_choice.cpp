#include "credenet/posterior/window_choice.hpp"

#include <algorithm>

namespace credenet {
namespace {

constexpr std::size_t kAttempts = 4;  // Attempts for each member to add a neighbour.

// The probability of each edge, at child * n + parent, if any parents may go together.
std::vector<double> free_edge_shares(const FamilyWeights& weights) {
  const std::size_t n = weights.n_variables();
  std::vector<double> shares(n * n);
  const std::vector<std::uint64_t> nothing(weights.n_words());
  FamilyWeights::Weighed families;
  for (std::size_t child = 0; child < n; ++child) {
    weights.weigh(child, nothing, FamilyWeights::kNone, families);
    weights.for_each(families, nothing, [&](std::size_t family, double share) {
      for (const std::int32_t parent : weights.lists().parents_of(family)) {
        shares[child * n + static_cast<std::size_t>(parent)] += share;
      }
    });
  }
  return shares;
}

}  // namespace

WindowChoice::WindowChoice(const FamilyWeights& weights) : near_(weights.n_variables()) {
  const std::size_t n = weights.n_variables();
  const std::vector<double> shares = free_edge_shares(weights);
  const auto is_candidate = [&](std::size_t parent, std::size_t child) {
    return (weights.candidates(child)[parent / 64] >> (parent % 64) & 1) != 0;
  };
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!is_candidate(a, b) && !is_candidate(b, a)) continue;
      near_[a].push_back({static_cast<std::uint32_t>(b), shares[a * n + b] + shares[b * n + a]});
    }
    double sum = 0;
    for (Neighbour& one : near_[a]) one.sum = sum += one.sum;
  }
}

const WindowChoice::Neighbour& WindowChoice::draw(const std::vector<Neighbour>& near,
                                                  Random& random) {
  const double mark = random.uniform() * near.back().sum;
  const auto next = std::ranges::upper_bound(near, mark, {}, &Neighbour::sum);
  return next == near.end() ? near.back() : *next;  // By rounding there may be none.
}

void WindowChoice::choose(std::size_t first, std::size_t n_members, Random& random,
                          std::vector<std::uint32_t>& members) const {
  members.assign(1, static_cast<std::uint32_t>(first));
  std::size_t left = kAttempts * n_members;
  const bool takes_all_alike = random.below(2) == 0;
  for (; members.size() < n_members && left > 0; --left) {
    const auto& near = near_[members[random.below(members.size())]];
    if (near.empty()) continue;
    const Neighbour& next = takes_all_alike ? near[random.below(near.size())] : draw(near, random);
    if (std::ranges::find(members, next.variable) == members.end()) {
      members.push_back(next.variable);
    }
  }
}

}  // namespace credenet
