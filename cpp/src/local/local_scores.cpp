#include "credenet/local/local_scores.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

std::vector<std::uint16_t> with_change(const std::vector<std::uint16_t>& parents,
                                       std::uint16_t changed) {
  std::vector<std::uint16_t> result = parents;
  const auto at = std::ranges::lower_bound(result, changed);
  if (at != result.end() && *at == changed) {
    result.erase(at);
  } else {
    result.insert(at, changed);
  }
  return result;
}

}  // namespace

TableScores::TableScores(const FamilyLists& lists, bool is_exact)
    : lists_(lists),
      is_exact_(is_exact),
      candidates_(lists.n_variables()),
      marked_(lists.n_variables(), 0) {
  assert(lists.n_variables() <= std::size_t{1} << 16);
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    std::vector<std::uint16_t>& all = candidates_[v];
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      const auto parents = lists.parents_of(family);
      if (parents.empty() && !is_exact) break;  // The families behind the empty set score less.
      for (const std::int32_t parent : parents) all.push_back(static_cast<std::uint16_t>(parent));
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

std::size_t TableScores::best_of_marked(std::size_t child, std::size_t n_marked) const {
  std::size_t family = lists_.begin(child);
  const auto is_within = [&](std::span<const std::int32_t> parents) {
    return (!is_exact_ || parents.size() == n_marked) &&
           std::ranges::all_of(parents, [&](std::int32_t parent) {
             return marked_[static_cast<std::size_t>(parent)] != 0;
           });
  };
  while (family < lists_.end(child) && !is_within(lists_.parents_of(family))) ++family;
  return family - lists_.begin(child);
}

double TableScores::score_of_marked(std::size_t child, std::size_t n_marked) {
  const std::size_t family = lists_.begin(child) + best_of_marked(child, n_marked);
  return family < lists_.end(child) ? lists_.scores[family]
                                    : -std::numeric_limits<double>::infinity();
}

std::size_t TableScores::best_family(std::size_t child, const std::vector<std::uint16_t>& parents) {
  for (const std::uint16_t parent : parents) marked_[parent] = 1;
  const std::size_t family = best_of_marked(child, parents.size());
  for (const std::uint16_t parent : parents) marked_[parent] = 0;
  return family;
}

double TableScores::score(std::size_t child, const std::vector<std::uint16_t>& parents) {
  for (const std::uint16_t parent : parents) marked_[parent] = 1;
  const double score = score_of_marked(child, parents.size());
  for (const std::uint16_t parent : parents) marked_[parent] = 0;
  return score;
}

void TableScores::find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                             std::span<double> gains) {
  double before = 0;  // Sum of the current child before the change.
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    if (at == 0 || changes[at - 1].child != child) before = score(child, graph[child]);
    for (const std::uint16_t parent : graph[child]) marked_[parent] = 1;
    marked_[changed] ^= 1;
    gains[at] = score_of_marked(child, marked_[changed] != 0 ? graph[child].size() + 1
                                                             : graph[child].size() - 1) -
                before;
    for (const std::uint16_t parent : graph[child]) marked_[parent] = 0;
    marked_[changed] = 0;
  }
}

std::uint64_t DataScores::Key::hash() const {
  std::uint64_t value = variables.size();
  for (const std::uint16_t variable : variables) {
    value = (value ^ variable) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
  }
  return value;
}

DataScores::DataScores(const CountSource& source, const ScoreSettings& settings,
                       std::span<const ChildRules> rules, unsigned n_threads, double most_bytes)
    : settings_(settings),
      rules_(rules),
      n_threads_(std::max(n_threads, 1U)),
      scorer_(make_scorer(settings, source)),
      counters_(source.counters(n_threads_)),
      block_sets_(std::max<std::size_t>(32, source.sets_at_once())) {
  if (AdditionScores::supports(source, settings, n_threads_, most_bytes) &&
      AdditionScores::pays(*source.rows())) {
    additions_.emplace(*source.rows(), settings, n_threads_);
    last_.resize(rules.size());
  } else if (CountedSums::supports(source, settings)) {
    sums_.emplace(source, settings, n_threads_);
  }
}

double DataScores::parent_states(std::span<const std::uint16_t> parents) const {
  double states = 1;
  for (const std::uint16_t parent : parents) states *= settings_.n_states[parent];
  return states;
}

std::uint32_t DataScores::place_of(const std::vector<std::uint16_t>& parents,
                                   std::span<const std::uint16_t> added) {
  Key key{parents};
  key.variables.insert(key.variables.end(), added.begin(), added.end());
  // The added variables are counted last: sets that differ in the last one share the work on the
  // others.
  std::vector<std::uint16_t> in_order = key.variables;
  std::ranges::sort(key.variables);
  const std::uint32_t at = index_.insert(key);
  if (at == terms_.size()) {
    scorer_->prepare(in_order);
    terms_.emplace_back();
    wanted_.push_back({std::move(in_order), at});
  }
  return at;
}

void DataScores::count_wanted() {
  std::atomic<bool> stop{false};
  parallel_blocks((wanted_.size() + block_sets_ - 1) / block_sets_, n_threads_, stop,
                  [&](std::size_t block, unsigned worker) {
                    const auto listed = std::span(wanted_).subspan(block * block_sets_);
                    const std::size_t n_sets = std::min(listed.size(), block_sets_);
                    SetBatch sets;
                    for (std::size_t at = 0; at < n_sets; ++at) sets.add(listed[at].variables);
                    std::vector<SetTerms> found(n_sets);
                    scorer_->evaluate(*counters_[worker], sets, found);
                    for (std::size_t at = 0; at < n_sets; ++at) {
                      terms_[listed[at].at] = std::move(found[at]);
                    }
                  });
  wanted_.clear();
}

double DataScores::local(std::size_t child, const std::vector<std::uint16_t>& parents,
                         std::uint32_t family, std::uint32_t alone) const {
  return scorer_->score(
             {child, parents.size(), parent_states(parents), terms_[family], terms_[alone]}) +
         rules_[child].log_prior(parents);
}

// Penalties for parameters are compared by the number of parameters, a whole number: moves that are
// equally good for every data set have equal gains.
double DataScores::gain(std::size_t child, const std::vector<std::uint16_t>& parents, double states,
                        std::uint16_t changed, double counted, double further) const {
  const bool is_parent = std::ranges::binary_search(parents, changed);
  const std::size_t size = is_parent ? parents.size() - 1 : parents.size() + 1;
  const double own = settings_.n_states[changed];
  const double after = is_parent ? states / own : states * own;
  const double cost = scorer_->parameter_cost();
  const double penalty = -cost * (scorer_->n_states(child) - 1) * (after - states) - further;
  const ChildRules& rules = rules_[child];
  const double prior =
      rules.log_kappa == 0
          ? rules.log_factors[size] - rules.log_factors[parents.size()]
          : rules.log_prior(with_change(parents, changed)) - rules.log_prior(parents);
  return counted + penalty + prior;
}

// The family is always counted as a set, so the score of a network does not depend on how gains are
// found.
double DataScores::score(std::size_t child, const std::vector<std::uint16_t>& parents) {
  const auto own = static_cast<std::uint16_t>(child);
  const std::uint32_t family = place_of(parents, {&own, 1});
  const std::uint32_t alone = place_of(parents, {});
  count_wanted();
  return local(child, parents, family, alone);
}

void DataScores::find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                            std::span<double> gains) {
  if (additions_) {
    find_added_gains(graph, changes, gains);
  } else if (sums_) {
    find_summed_gains(graph, changes, gains);
  } else {
    find_counted_gains(graph, changes, gains);
  }
}

void DataScores::prepare_further(std::size_t child, const std::vector<std::uint16_t>& parents) {
  if (!settings_.abilities().has_further_penalty) return;
  std::vector<std::uint16_t> family = parents;
  family.push_back(static_cast<std::uint16_t>(child));
  family.push_back(static_cast<std::uint16_t>(std::ranges::max_element(settings_.n_states) -
                                              settings_.n_states.begin()));
  scorer_->prepare(family);
}

std::vector<double> DataScores::further_growth(const ParentSets& graph,
                                               std::span<const ParentChange> changes) const {
  if (!settings_.abilities().has_further_penalty) return {};
  std::vector<CountedFamily> before;
  std::vector<CountedFamily> after;
  for (const auto [child, changed] : changes) {
    const std::vector<std::uint16_t>& parents = graph[child];
    const double states = parent_states(parents);
    const double own = settings_.n_states[changed];
    const bool is_parent = std::ranges::binary_search(parents, changed);
    before.push_back({.child = child,
                      .n_parents = parents.size(),
                      .parent_states = states,
                      .family = {},
                      .parents = {}});
    after.push_back({.child = child,
                     .n_parents = is_parent ? parents.size() - 1 : parents.size() + 1,
                     .parent_states = is_parent ? states / own : states * own,
                     .family = {},
                     .parents = {}});
  }
  std::vector<double> less(changes.size());
  std::vector<double> growth(changes.size());
  scorer_->further_penalty(before, less);
  scorer_->further_penalty(after, growth);
  for (std::size_t at = 0; at < growth.size(); ++at) growth[at] -= less[at];
  return growth;
}

// A tile of variables is counted at once if several of them are asked for; a single change is a
// family of its own.
void DataScores::find_added_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                                  std::span<double> gains) {
  // Variables of a tile from which on it is counted at once.
  constexpr std::size_t kFewVariables = 4;
  constexpr std::size_t kNone = ~std::size_t{0};
  const StateBits& bits = additions_->bits();
  std::vector<AdditionScores::Family> families;
  // Family of each change before it; none if that was summed last.
  std::vector<std::size_t> of_child;
  std::vector<std::size_t> of_change;  // Family of each change after it; none if that is in a tile.
  std::vector<std::size_t> n_asked;    // Number of variables of each tile that are asked for.
  for (std::size_t begin = 0, end = 0; begin < changes.size(); begin = end) {
    const std::uint16_t child = changes[begin].child;
    const std::vector<std::uint16_t>& parents = graph[child];
    const auto tile_of = [&](std::uint16_t changed) {
      const bool is_parent = std::ranges::binary_search(parents, changed);
      return is_parent ? StateBits::kNoTile : bits.tile_of(changed);
    };
    n_asked.assign(bits.tiles().size(), 0);
    for (; end < changes.size() && changes[end].child == child; ++end) {
      const std::uint32_t tile = tile_of(changes[end].changed);
      if (tile != StateBits::kNoTile) ++n_asked[tile];
    }
    AdditionScores::Family family(child, parents);
    for (std::size_t tile = 0; tile < n_asked.size(); ++tile) {
      if (n_asked[tile] < kFewVariables) continue;
      family.tiles.resize(n_asked.size());
      family.tiles[tile] = 1;
    }
    std::size_t own = kNone;
    if (!family.tiles.empty() || !is_last(child, parents)) {
      own = families.size();
      families.push_back(std::move(family));
    }
    of_child.insert(of_child.end(), end - begin, own);
    for (std::size_t at = begin; at < end; ++at) {
      const std::uint32_t tile = tile_of(changes[at].changed);
      const bool is_alone = tile == StateBits::kNoTile || n_asked[tile] < kFewVariables;
      of_change.push_back(is_alone ? families.size() : kNone);
      if (is_alone) families.emplace_back(child, with_change(parents, changes[at].changed));
    }
    prepare_further(child, parents);
  }
  additions_->find(families);
  const std::vector<double> further = further_growth(graph, changes);
  double states = 1;  // Joint states of the parents of the current child.
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    const std::size_t own = of_child[at];
    const bool is_first = at == 0 || changes[at - 1].child != child;
    if (own != kNone && is_first) last_[child] = {graph[child], families[own].sum, true};
    const std::int64_t sum =
        of_change[at] == kNone ? families[own].with[changed] : families[of_change[at]].sum;
    if (is_first) states = parent_states(graph[child]);
    gains[at] =
        gain(child, graph[child], states, changed, additions_->value(sum - last_[child].sum),
             further.empty() ? 0.0 : further[at]);
  }
}

void DataScores::find_summed_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                                   std::span<double> gains) {
  sums_->forget();
  std::vector<CountedSums::Family> before(changes.size());
  std::vector<CountedSums::Family> after(changes.size());
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    const std::vector<std::uint16_t>& parents = graph[child];
    const bool is_first = at == 0 || changes[at - 1].child != child;
    before[at] = is_first ? sums_->ask(child, parents, {}) : before[at - 1];
    after[at] = std::ranges::binary_search(parents, changed)
                    ? sums_->ask(child, with_change(parents, changed), {})
                    : sums_->ask(child, parents, {&changes[at].changed, 1});
    if (is_first) prepare_further(child, parents);
  }
  sums_->count();
  const std::vector<double> further = further_growth(graph, changes);
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    const std::int64_t gained = sums_->sum(after[at]) - sums_->sum(before[at]);
    gains[at] = gain(child, graph[child], parent_states(graph[child]), changed,
                     sums_->value(gained), further.empty() ? 0.0 : further[at]);
  }
}

void DataScores::find_counted_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                                    std::span<double> gains) {
  // Sets (some 300 MB) above which all are forgotten; a climb needs few of the old ones again.
  constexpr std::size_t kMostSets = std::size_t{1} << 21;
  if (index_.size() > kMostSets) {
    index_ = {};
    terms_.clear();
  }
  std::vector<std::uint32_t> families(changes.size());
  std::vector<std::uint32_t> alone(changes.size());
  // Families come first, then sets without the child, so that neighbours begin alike.
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    const std::vector<std::uint16_t>& parents = graph[child];
    if (std::ranges::binary_search(parents, changed)) {
      families[at] = place_of(with_change(parents, changed), {&changes[at].child, 1});
    } else {
      const std::uint16_t added[2] = {child, changed};
      families[at] = place_of(parents, added);
    }
  }
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    const std::vector<std::uint16_t>& parents = graph[child];
    if (std::ranges::binary_search(parents, changed)) {
      alone[at] = place_of(with_change(parents, changed), {});
    } else {
      alone[at] = place_of(parents, {&changes[at].changed, 1});
    }
  }
  count_wanted();
  double before = 0;  // Sum of the current child before the change.
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const auto [child, changed] = changes[at];
    if (at == 0 || changes[at - 1].child != child) before = score(child, graph[child]);
    gains[at] = local(child, with_change(graph[child], changed), families[at], alone[at]) - before;
  }
}

}  // namespace credenet
