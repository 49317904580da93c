#include "credenet/local/asked_scores.hpp"

#include <algorithm>
#include <utility>

namespace credenet {

std::uint64_t AskedScores::Key::hash() const {
  std::uint64_t value = family.size();
  for (const std::uint16_t variable : family) {
    value = (value ^ variable) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
  }
  return value;
}

std::uint32_t AskedScores::place_of(std::size_t child, const std::vector<std::uint16_t>& parents) {
  Key key{{static_cast<std::uint16_t>(child)}};
  key.family.insert(key.family.end(), parents.begin(), parents.end());
  const std::uint32_t at = index_.insert(key);
  if (at == scores_.size()) {
    scores_.push_back(rules_[child].log_prior(parents));
    wanted_.add(static_cast<std::uint16_t>(child), parents);
  }
  return at;
}

void AskedScores::ask_wanted() {
  if (wanted_.size() == 0) return;
  std::vector<ScoredFamily> scored(wanted_.size());
  scorer_.score(wanted_, scored);
  const std::size_t first = scores_.size() - wanted_.size();
  for (std::size_t at = 0; at < scored.size(); ++at) scores_[first + at] += scored[at].score;
  wanted_.clear();
}

double AskedScores::score(std::size_t child, const std::vector<std::uint16_t>& parents) {
  const std::uint32_t at = place_of(child, parents);
  ask_wanted();
  return scores_[at];
}

void AskedScores::find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                             std::span<double> gains) {
  // Families above which all are forgotten; a climb needs few of the old ones again.
  constexpr std::size_t kMostFamilies = std::size_t{1} << 21;
  if (index_.size() > kMostFamilies) {
    index_ = {};
    scores_.clear();
  }
  // Places of the family before and after each change.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const auto [child, changed] : changes) {
    std::vector<std::uint16_t> parents = graph[child];
    const std::uint32_t before = place_of(child, parents);
    const auto at = std::ranges::lower_bound(parents, changed);
    if (at != parents.end() && *at == changed) {
      parents.erase(at);
    } else {
      parents.insert(at, changed);
    }
    places.emplace_back(before, place_of(child, parents));
  }
  ask_wanted();
  for (std::size_t at = 0; at < places.size(); ++at) {
    gains[at] = scores_[places[at].second] - scores_[places[at].first];
  }
}

std::unique_ptr<LocalScores> local_scores(const FamilyScorer& scorer,
                                          std::span<const ChildRules> rules, unsigned n_threads,
                                          double most_bytes) {
  const CountedScore* counted = scorer.counted();
  if (counted == nullptr) return std::make_unique<AskedScores>(scorer, rules);
  return std::make_unique<DataScores>(*counted->source, counted->settings, rules, n_threads,
                                      most_bytes);
}

}  // namespace credenet
