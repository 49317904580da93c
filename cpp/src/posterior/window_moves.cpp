#include "credenet/posterior/window_moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "credenet/posterior/dag_sampler.hpp"
#include "credenet/posterior/dag_sums.hpp"

namespace credenet {
namespace {

constexpr std::size_t kAttempts = 4;  // to add a neighbour, for each member

}  // namespace

WindowMoves::WindowMoves(const FamilyLists& lists, std::size_t most_members)
    : lists_(lists),
      most_members_(std::min(most_members, lists.n_variables())),
      near_(lists.n_variables()),
      sources_(lists.n_variables()) {
  for (std::size_t child = 0; child < near_.size(); ++child) {
    for (std::size_t family = lists.begin(child); family < lists.end(child); ++family) {
      for (const std::int32_t parent : lists.parents_of(family)) {
        near_[child].push_back(static_cast<std::uint32_t>(parent));
        near_[static_cast<std::size_t>(parent)].push_back(static_cast<std::uint32_t>(child));
      }
    }
  }
  for (auto& near : near_) {
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
  }
}

void WindowMoves::choose(Random& random) {
  members_.assign(1, static_cast<std::uint32_t>(random.below(near_.size())));
  std::size_t left = kAttempts * most_members_;
  for (; members_.size() < most_members_ && left > 0; --left) {
    const auto& near = near_[members_[random.below(members_.size())]];
    if (near.empty()) continue;
    const std::uint32_t next = near[random.below(near.size())];
    if (std::ranges::find(members_, next) == members_.end()) members_.push_back(next);
  }
}

void WindowMoves::find_sources(DagState& state) {
  std::ranges::fill(sources_, 0U);
  reached_.resize(state.n_words());
  for (std::size_t member = 0; member < members_.size(); ++member) {
    state.reach(members_[member], reached_);  // and itself; no edge leads to another member now
    for (std::size_t word = 0; word < reached_.size(); ++word) {
      for (std::uint64_t rest = reached_[word]; rest != 0; rest &= rest - 1) {
        const std::size_t variable = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        sources_[variable] |= bit_of(member);
      }
    }
  }
}

std::uint32_t WindowMoves::inside(std::size_t family) const {
  std::uint32_t set = 0;
  for (const std::int32_t parent : lists_.parents_of(family)) {
    set |= sources_[static_cast<std::size_t>(parent)];
  }
  return set;
}

void WindowMoves::weigh() {
  weights_ = WeightTable(members_.size());
  sets_ = {};
  std::vector<std::int32_t> others;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const std::span<double> weights = weights_.of(member);
    for (std::size_t family = lists_.begin(members_[member]); family < lists_.end(members_[member]);
         ++family) {
      const std::uint32_t set = inside(family);
      if ((set & bit_of(member)) == 0) weights_.add(member, set, lists_.scores[family]);
    }
    for (std::size_t place = 0; place < weights.size(); ++place) {
      if (!std::isfinite(weights[place])) continue;
      others.clear();
      for (std::uint32_t rest = with_gap(place, member); rest != 0; rest &= rest - 1) {
        others.push_back(std::countr_zero(rest));
      }
      sets_.add_family(weights[place], others);
    }
    sets_.end_variable();
  }
}

std::int64_t WindowMoves::drawn_family(std::size_t member, std::uint32_t set, double log_weight,
                                       Random& random) const {
  double left = random.uniform();
  std::int64_t chosen = -1;
  for (std::size_t family = lists_.begin(members_[member]); family < lists_.end(members_[member]);
       ++family) {
    if (inside(family) != set) continue;
    chosen = static_cast<std::int64_t>(family);  // rounding must not end without one
    left -= std::exp(lists_.scores[family] - log_weight);
    if (left < 0) break;
  }
  return chosen;
}

void WindowMoves::resample(DagState& state, Random& random) {
  choose(random);
  for (const std::uint32_t variable : members_) state.detach(variable, state.families()[variable]);
  find_sources(state);
  weigh();
  NoControl control;
  const std::unique_ptr<DagSums> sums = dag_sums(weights_, false, 1, control);
  std::vector<std::int64_t> drawn(members_.size());
  const FamilyLists sets = sets_.view();
  DagSampler(*sums, sets).draw(random, drawn);
  changes_.clear();
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const auto place = static_cast<std::size_t>(drawn[member]);
    const std::uint32_t set = parent_bits(sets, place);
    const std::int64_t family = drawn_family(member, set, sets.scores[place], random);
    state.attach(members_[member], family);
    changes_.push_back({members_[member], family});
  }
  state.settle(changes_);
}

}  // namespace credenet
