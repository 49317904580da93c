// All parent sets that can matter, level by level. At each level the parent sets of one size are
// listed for every child, the sets of variables they need are counted (each once, in parallel), and
// the families are judged: a family is dropped when a subset of its parents scores better by more
// than the slack, and a set is not extended any more when a bound says that no superset can come
// within the slack of what is known (MATH of the rules: dropping is safe for every network within
// the slack of the best, with -LL >= 0, the number of parameters and of occupied parent states
// growing with the set). A set dropped by the first rule alone stays alive, since a superset may
// still be good. Of a set's subsets all are alive if it is, so the best score below a set follows
// from the level before.
#include "credenet/families/score_families.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/tail_bound.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rows are told apart by all candidates only where that is cheap.
constexpr unsigned kMostHalvings = 2;
constexpr std::size_t kMostAtomVariables = 64;
constexpr std::size_t kMostAtomCells = std::size_t{1} << 24;

template <std::size_t kWords>
class Scoring {
  using Set = VariableSet<kWords>;

  // A parent set of the level at hand.
  struct Candidate {
    Set parents;
    double best = -kInfinity;  // best score, prior included, of its proper subsets
    double guard =
        -kInfinity;            // best score without prior of these, less what a prior may still add
    double bound = kInfinity;  // on the score without prior of every superset
    double likelihood = 0;     // of the child given the parents (scores that have one)
    double joint = 0;          // term of the parents alone
    std::uint16_t tail = 0;    // the place in the order after its last candidate
    bool open = true;          // whether it is extended
    bool exact = true;         // whether best is that of all its subsets
  };

  // A parent that can be left out, and where the set without it is among those alive.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t at = 0;
  };

  // Generous, as vectors and indices grow by doubling.
  static constexpr std::size_t kIndexBytes = 4 * (sizeof(Set) + 8);
  static constexpr std::size_t kFamilyBytes = 3 * sizeof(Candidate) + kIndexBytes / 2;
  static constexpr std::size_t kSetBytes = kIndexBytes + 2 * sizeof(SetTerms);

  struct Child {
    std::vector<std::uint16_t> order;  // candidates; sets are extended by those after their last
    std::vector<Candidate> level;      // alive sets of the level before
    FlatIndex<Set> index;              // of their parents
    FlatIndex<Set> dead;               // sets of the level before with no superset of use
    std::vector<Candidate> next;
    FlatIndex<Set> next_dead;
    std::vector<Subset> subsets;  // of the set being listed
    double most_likelihood = 0;     // that any parents give
    std::size_t n_levels = 0;       // that were judged
    bool finished = false;
    std::vector<std::size_t> unsure;  // kept families of which a subset may be better
  };

 public:
  Scoring(const RowTable& rows, const ScoreSettings& settings, std::span<const ChildRules> rules,
          const FamilyOptions& options, Control& control)
      : rows_(rows),
        settings_(settings),
        rules_(rules),
        options_(options),
        control_(control),
        scorer_(settings, rows),
        priors_(rules.begin(), rules.end()),
        tails_(options.prune && scorer_.is_dirichlet()),
        children_(rules.size()) {
    result_.children.resize(rules.size());
  }

  Families run() {
    for (std::size_t child = 0; child < rules_.size(); ++child) {
      Set required;
      for (const std::uint16_t parent : rules_[child].required) required.insert(parent);
      if (rules_[child].required.size() <= rules_[child].max_parents) {
        children_[child].next.push_back({.parents = required});
      }
      children_[child].order = rules_[child].candidates;
    }
    find_most_likelihoods();
    std::vector<std::size_t> all(children_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!all.empty()) go_through_levels(all, kMostHalvings);
    drop_dominated();
    std::size_t most = 1;
    std::size_t least = children_.size();
    for (const Child& child : children_) {
      most = std::max(most, child.n_levels);
      if (!child.finished) least = std::min(least, child.n_levels);
    }
    result_.n_levels = result_.status == FamilyStatus::kComplete ? most - 1 : least;
    return std::move(result_);
  }

 private:
  // Level after level for a group of children. If a level does not fit in memory, the two halves of
  // the group go on one after the other; sets are counted once for all children of a group.
  void go_through_levels(std::span<const std::size_t> group, unsigned n_halvings) {
    group_ = group;
    waiting_bytes_ = 0;
    for (const Child& child : children_) waiting_bytes_ += bytes_of_level(child);
    for (const std::size_t child : group) waiting_bytes_ -= bytes_of_level(children_[child]);
    const bool is_first = children_[group[0]].n_levels == 0;
    bool fits = is_first || list_level();
    for (;;) {
      fits = fits && count_level();
      if (!fits) break;
      judge_level();
      fits = list_level();
      const auto has_next = [&](std::size_t child) { return !children_[child].next.empty(); };
      if (fits && std::ranges::none_of(group, has_next)) {
        for (const std::size_t child : group) finish(children_[child]);
        return;
      }
    }
    for (const std::size_t child : group) forget_next(children_[child]);
    const bool can_halve = n_halvings > 0 && group.size() > 1 && children_[group[0]].n_levels > 0;
    if (result_.status != FamilyStatus::kMemory || !can_halve) return;
    result_.status = FamilyStatus::kComplete;
    go_through_levels(group.first(group.size() / 2), n_halvings - 1);
    if (result_.status != FamilyStatus::kComplete) return;
    go_through_levels(group.subspan(group.size() / 2), n_halvings - 1);
  }

  [[nodiscard]] static std::size_t bytes_of_level(const Child& child) {
    return child.level.size() * (sizeof(Candidate) + kIndexBytes) + child.dead.size() * kIndexBytes;
  }

  static void forget_next(Child& child) {
    child.next = {};
    child.next_dead = {};
  }

  static void finish(Child& child) {
    forget_next(child);
    child.finished = true;
    child.level = {};
    child.index = {};
    child.dead = {};
  }

  // What the families of a level and the sets that they need take while they are counted and
  // judged: a family is listed, kept and indexed, a set has a place in the index, in the order and
  // its terms.
  [[nodiscard]] bool exceeds_memory(std::size_t n_families, std::size_t n_sets) {
    const std::size_t needed = n_families * kFamilyBytes + n_sets * kSetBytes + waiting_bytes_;
    if (options_.max_bytes == 0 || needed <= options_.max_bytes) return false;
    result_.status = FamilyStatus::kMemory;
    return true;
  }

  // Counts the sets that the listed families need and that are not known yet.
  bool count_level() {
    FlatIndex<Set> index;
    std::size_t n_listed = 0;
    for (const std::size_t child : group_) {
      n_listed += children_[child].next.size() + children_[child].next_dead.size();
      for (const Candidate& candidate : children_[child].next) {
        index.insert(candidate.parents);
        index.insert(candidate.parents.with(child));
        if (exceeds_memory(n_listed, index.size())) return false;
      }
    }
    std::vector<SetTerms> terms(index.size());
    std::vector<std::pair<Set, std::uint32_t>> wanted;
    for (std::uint32_t at = 0; at < index.size(); ++at) {
      const std::uint32_t known = known_.find(index.keys()[at]);
      if (known != FlatIndex<Set>::kAbsent) {
        terms[at] = std::move(terms_[known]);
      } else {
        wanted.emplace_back(index.keys()[at], at);
        scorer_.prepare(states_product(index.keys()[at]));
      }
    }
    parallel_sort(wanted, options_.n_threads,
                  [](const auto& a, const auto& b) { return a.first.precedes(b.first); });
    constexpr std::size_t kBlockSets = 128;
    const std::size_t n_blocks = (wanted.size() + kBlockSets - 1) / kBlockSets;
    std::vector<SetCounter> counters(std::max(options_.n_threads, 1U), SetCounter(rows_));
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};
    parallel_blocks(n_blocks, options_.n_threads, stop, [&](std::size_t block, unsigned worker) {
      SetBatch sets;
      const auto listed = std::span(wanted).subspan(block * kBlockSets);
      const std::size_t n_sets = std::min(listed.size(), kBlockSets);
      for (std::size_t at = 0; at < n_sets; ++at) {
        listed[at].first.for_each(
            [&](std::size_t variable) { sets.push_back(static_cast<std::uint16_t>(variable)); });
        sets.close();
      }
      std::vector<SetTerms> found(n_sets);
      scorer_.evaluate(counters[worker], sets, found);
      for (std::size_t at = 0; at < n_sets; ++at) {
        terms[listed[at].second] = std::move(found[at]);
      }
      done += n_sets;
      if (worker == 0 && !control_.poll({done.load(), wanted.size()})) stop = true;
    });
    if (stop) {
      result_.status = FamilyStatus::kStopped;
      return false;
    }
    known_ = std::move(index);
    terms_ = std::move(terms);
    return true;
  }

  // The log-likelihood of a child with all that may be its parents.
  void find_most_likelihoods() {
    if (!options_.prune || !scorer_.has_likelihood()) return;
    std::vector<SetCounter> counters(std::max(options_.n_threads, 1U), SetCounter(rows_));
    std::atomic<bool> stop{false};
    parallel_blocks(
        children_.size(), options_.n_threads, stop, [&](std::size_t child, unsigned worker) {
          std::vector<std::uint16_t> all = rules_[child].required;
          all.insert(all.end(), rules_[child].candidates.begin(), rules_[child].candidates.end());
          if (all.size() > kMostAtomVariables || all.size() * rows_.n_rows() > kMostAtomCells)
            return;
          std::ranges::sort(all);
          const double joint = scorer_.evaluate(counters[worker], all).joint;
          all.insert(std::ranges::upper_bound(all, child), static_cast<std::uint16_t>(child));
          children_[child].most_likelihood = scorer_.evaluate(counters[worker], all).joint - joint;
        });
  }

  [[nodiscard]] double states_product(const Set& set) const {
    double product = 1;
    set.for_each([&](std::size_t variable) { product *= settings_.n_states[variable]; });
    return product;
  }

  void judge_level() {
    std::atomic<bool> stop{false};
    std::vector<std::uint64_t> evaluated(children_.size(), 0);
    parallel_blocks(group_.size(), options_.n_threads, stop, [&](std::size_t place, unsigned) {
      const std::size_t child = group_[place];
      evaluated[child] = children_[child].next.size();
      judge(child);
      ++children_[child].n_levels;
    });
    for (const std::uint64_t count : evaluated) result_.n_evaluated += count;
  }

  void judge(std::size_t child) {
    Child& state = children_[child];
    const ChildRules& rules = rules_[child];
    ChildFamilies& output = result_.children[child];
    const double margin = options_.slack + options_.tolerance;
    std::vector<std::uint16_t> places(settings_.n_states.size());
    for (std::uint16_t place = 0; place < state.order.size(); ++place) {
      places[state.order[place]] = place;
    }
    std::optional<TailBound> tail_bound;
    if (tails_ && state.n_levels > 1) {
      tail_bound.emplace(rows_, scorer_, child, rules.required, state.order);
    }
    std::vector<double> plains;
    state.level.clear();
    state.index = {};
    state.dead = std::move(state.next_dead);
    state.next_dead = {};
    for (Candidate& candidate : state.next) {
      const SetTerms& family = terms_[known_.find(candidate.parents.with(child))];
      const SetTerms& parents = terms_[known_.find(candidate.parents)];
      const std::size_t size = candidate.parents.size();
      const double parent_states = states_product(candidate.parents);
      const double plain = scorer_.local(child, size, parent_states, family, parents);
      const double score = plain + priors_[child].log_factor(candidate.parents);
      if (score > -kInfinity && (!options_.prune || score >= candidate.best - margin)) {
        if (!candidate.exact) state.unsure.push_back(output.scores.size());
        output.scores.push_back(score);
        candidate.parents.for_each([&](std::size_t parent) {
          output.parents.push_back(static_cast<std::int32_t>(parent));
        });
        output.offsets.push_back(static_cast<std::int64_t>(output.parents.size()));
      }
      candidate.best = std::max(candidate.best, score);
      candidate.guard =
          std::max(candidate.guard, plain - priors_[child].later_rise(candidate.parents));
      if (scorer_.has_likelihood()) candidate.likelihood = family.joint - parents.joint;
      candidate.joint = parents.joint;
      if (size >= rules.max_parents) continue;
      if (options_.prune) {
        const double bound = scorer_.superset_bound(child, parent_states, family, parents,
                                                    state.most_likelihood, options_.unproven);
        candidate.bound = std::min(candidate.bound, bound);
        if (candidate.bound < candidate.guard - margin) {
          if (tails_) state.dead.insert(candidate.parents);
          continue;
        }
        if (tail_bound && tail_bound->is_useful(candidate.tail) &&
            score < candidate.best - margin) {
          candidate.open = !tail_bound->closes(places_of(candidate.parents, rules, places),
                                               candidate.guard - margin);
        }
      }
      state.index.insert(candidate.parents);
      state.level.push_back(candidate);
      plains.push_back(plain);
    }
    if (tails_ && state.n_levels == 1) order_candidates(state, rules, plains);
    state.next.clear();
    state.next.shrink_to_fit();
  }

  // Ascending.
  [[nodiscard]] static std::vector<std::uint16_t> places_of(
      const Set& parents, const ChildRules& rules, const std::vector<std::uint16_t>& places) {
    std::vector<std::uint16_t> found;
    parents.for_each([&](std::size_t parent) {
      if (!is_required(rules, parent)) found.push_back(places[parent]);
    });
    std::ranges::sort(found);
    return found;
  }

  // Candidates that are good alone come first, so that most sets are without them and have a tail
  // that tells little.
  static void order_candidates(Child& state, const ChildRules& rules,
                               const std::vector<double>& plains) {
    std::vector<double> value(rules.candidates.size(), -kInfinity);
    const auto place_of = [&](std::size_t candidate) {
      return std::ranges::lower_bound(rules.candidates, candidate) - rules.candidates.begin();
    };
    for (std::size_t at = 0; at < state.level.size(); ++at) {
      state.level[at].parents.for_each([&](std::size_t parent) {
        if (!is_required(rules, parent)) {
          value[static_cast<std::size_t>(place_of(parent))] = plains[at];
        }
      });
    }
    std::vector<std::uint16_t> places(rules.candidates.size());
    std::iota(places.begin(), places.end(), std::uint16_t{0});
    std::ranges::stable_sort(places, [&](auto a, auto b) { return value[a] > value[b]; });
    std::vector<Candidate> level;
    for (std::uint16_t place = 0; place < places.size(); ++place) {
      state.order[place] = rules.candidates[places[place]];
      for (Candidate& candidate : state.level) {
        if (candidate.parents.contains(state.order[place])) {
          level.push_back(candidate);
          level.back().tail = static_cast<std::uint16_t>(place + 1);
        }
      }
    }
    state.level = std::move(level);
    state.index = {};
    for (const Candidate& candidate : state.level) state.index.insert(candidate.parents);
  }

  // A family that is better than all of its subsets is kept, so the best of its subsets is among
  // the families kept; where not all sets between the two were gone through it is looked for here.
  void drop_dominated() {
    std::atomic<bool> stop{false};
    parallel_blocks(children_.size(), options_.n_threads, stop, [&](std::size_t child, unsigned) {
      const std::vector<std::size_t>& unsure = children_[child].unsure;
      ChildFamilies& families = result_.children[child];
      if (unsure.empty()) return;
      std::vector<std::pair<double, Set>> ranked;
      for (std::size_t at = 0; at < families.scores.size(); ++at) {
        ranked.emplace_back(families.scores[at], parents_of(families, at));
      }
      std::ranges::sort(ranked, std::greater{}, [](const auto& family) { return family.first; });
      std::vector<bool> dropped(families.scores.size(), false);
      for (const std::size_t at : unsure) {
        const Set parents = parents_of(families, at);
        const double enough = families.scores[at] + options_.slack + options_.tolerance;
        for (const auto& [score, subset] : ranked) {
          if (score <= enough) break;
          if (subset.is_subset_of(parents)) {
            dropped[at] = true;
            break;
          }
        }
      }
      ChildFamilies kept;
      for (std::size_t at = 0; at < families.scores.size(); ++at) {
        if (dropped[at]) continue;
        kept.scores.push_back(families.scores[at]);
        kept.parents.insert(kept.parents.end(), families.parents.begin() + families.offsets[at],
                            families.parents.begin() + families.offsets[at + 1]);
        kept.offsets.push_back(static_cast<std::int64_t>(kept.parents.size()));
      }
      families = std::move(kept);
    });
  }

  [[nodiscard]] static Set parents_of(const ChildFamilies& families, std::size_t at) {
    Set parents;
    for (auto place = families.offsets[at]; place < families.offsets[at + 1]; ++place) {
      parents.insert(static_cast<std::size_t>(families.parents[static_cast<std::size_t>(place)]));
    }
    return parents;
  }

  bool list_level() {
    n_listed_ = 0;
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};
    parallel_blocks(group_.size(), options_.n_threads, stop,
                    [&](std::size_t place, unsigned worker) {
                      list(group_[place]);
                      done += 1;
                      if (worker == 0 && !control_.poll({done.load(), group_.size()})) stop = true;
                    });
    if (stop) result_.status = FamilyStatus::kStopped;
    return !stop;
  }

  // Every set all of whose subsets that keep the required parents are alive. Such a set without its
  // last and without its last but one member is alive, so it comes from two alive sets that differ
  // in their last member only; these stand next to each other, as each level is listed in order.
  // With tails a set comes from that without its last member, if that is open.
  void list(std::size_t child) {
    Child& state = children_[child];
    const ChildRules& rules = rules_[child];
    const std::size_t n_alive = state.level.size();
    if (n_alive == 0) return;
    const auto n_places = static_cast<std::uint16_t>(state.order.size());
    const bool is_first = state.level[0].parents.size() == rules.required.size();
    for (std::size_t at = 0; at < n_alive && !has_listed_too_many(); ++at) {
      const Candidate& smaller = state.level[at];
      if (tails_ || is_first) {
        for (std::uint16_t place = smaller.tail; smaller.open && place < n_places; ++place) {
          extend(child, smaller, place);
        }
        continue;
      }
      const Set common = smaller.parents.without(state.order[smaller.tail - 1U]);
      for (std::size_t other = at + 1; other < n_alive; ++other) {
        const std::uint16_t place = static_cast<std::uint16_t>(state.level[other].tail - 1U);
        if (!(state.level[other].parents.without(state.order[place]) == common)) break;
        extend(child, smaller, place);
      }
    }
  }

  // Lists a set with one more parent, unless a subset is dead or a bound rules it out.
  void extend(std::size_t child, const Candidate& smaller, std::uint16_t place) {
    Child& state = children_[child];
    const std::uint16_t added = state.order[place];
    const double cost = options_.prune ? scorer_.parameter_cost() : 0;
    const double margin = options_.slack + options_.tolerance;
    if (cost > 0 && cost * (settings_.n_states[child] - 1.0) * states_product(smaller.parents) *
                            settings_.n_states[added] >
                        state.most_likelihood - smaller.guard + margin) {
      return;
    }
    const Set parents = smaller.parents.with(added);
    Candidate& candidate = state.next.emplace_back();
    candidate.parents = parents;
    candidate.tail = static_cast<std::uint16_t>(place + 1);
    if (!join(state, rules_[child], candidate, state.subsets) ||
        (options_.prune && candidate.bound < candidate.guard - margin) ||
        is_bounded_out(child, state, candidate, state.subsets)) {
      state.next.pop_back();
      if (!tails_) return;
      state.next_dead.insert(parents);
    }
    n_listed_.fetch_add(1, std::memory_order_relaxed);
  }

  // Whether so many families are listed that the level will be refused; the rest is then not
  // listed.
  [[nodiscard]] bool has_listed_too_many() const {
    return options_.max_bytes != 0 &&
           n_listed_.load(std::memory_order_relaxed) * kFamilyBytes + waiting_bytes_ >
               options_.max_bytes;
  }

  [[nodiscard]] static bool is_required(const ChildRules& rules, std::size_t parent) {
    return std::ranges::binary_search(rules.required, static_cast<std::uint16_t>(parent));
  }

  // Finds the subsets and takes over the best of them; false if one of them is dead. With tails a
  // subset may be absent without being dead.
  [[nodiscard]] bool join(const Child& state, const ChildRules& rules, Candidate& candidate,
                          std::vector<Subset>& subsets) const {
    bool alive = true;
    subsets.clear();
    candidate.parents.for_each([&](std::size_t parent) {
      if (!alive || is_required(rules, parent)) return;
      const Set smaller = candidate.parents.without(parent);
      const std::uint32_t at = state.index.find(smaller);
      if (at == FlatIndex<Set>::kAbsent) {
        alive = tails_ && state.dead.find(smaller) == FlatIndex<Set>::kAbsent;
        candidate.exact = false;
        return;
      }
      candidate.exact = candidate.exact && state.level[at].exact;
      candidate.bound = std::min(candidate.bound, state.level[at].bound);
      subsets.push_back({parent, at});
      candidate.best = std::max(candidate.best, state.level[at].best);
      candidate.guard = std::max(candidate.guard, state.level[at].guard);
    });
    return alive;
  }

  // Bounds that need no counting of the candidate itself.
  [[nodiscard]] bool is_bounded_out(std::size_t child, const Child& state,
                                    const Candidate& candidate,
                                    std::span<const Subset> subsets) const {
    const double cost = scorer_.parameter_cost();
    if (!options_.prune || cost <= 0) return false;
    const double margin = options_.slack + options_.tolerance;
    const double free_states = settings_.n_states[child] - 1.0;
    const double product = states_product(candidate.parents);
    if (cost * free_states * product > state.most_likelihood - candidate.guard + margin)
      return true;
    const double rise = priors_[child].step_rise(candidate.parents.size() - 1);
    const std::uint32_t counted = known_.find(candidate.parents);
    const double joint = counted == FlatIndex<Set>::kAbsent ? -kInfinity : terms_[counted].joint;
    return std::ranges::any_of(subsets, [&](const Subset& subset) {
      const Candidate& smaller = state.level[subset.at];
      const double states = settings_.n_states[subset.parent];
      // N min{H(child | smaller), H(parent | smaller)}, the second where it has been counted.
      const double uncertainty = std::min(-smaller.likelihood, smaller.joint - joint);
      const double growth = cost * free_states * (product / states) * (states - 1);
      return growth - uncertainty > margin + rise;
    });
  }

  const RowTable& rows_;
  const ScoreSettings& settings_;
  std::span<const ChildRules> rules_;
  const FamilyOptions& options_;
  Control& control_;
  SetScorer scorer_;
  std::vector<ChildPrior> priors_;
  bool tails_;  // whether sets are extended by later candidates only, with the bound for these
  std::vector<Child> children_;
  std::span<const std::size_t> group_;  // of the children that are gone through; ascending
  FlatIndex<Set> known_;                // sets of the level, and their terms
  std::vector<SetTerms> terms_;
  std::size_t waiting_bytes_ = 0;         // of the children that are not
  std::atomic<std::size_t> n_listed_{0};  // families of the level being listed
  Families result_;
};

}  // namespace

double ChildRules::log_prior(const std::vector<std::uint16_t>& parents) const {
  std::size_t shared = 0;
  for (const std::uint16_t parent : parents) {
    shared += std::ranges::binary_search(expert, parent) ? 1U : 0U;
  }
  const std::size_t differences = parents.size() + expert.size() - 2 * shared;
  return log_factors[parents.size()] + log_kappa * static_cast<double>(differences);
}

Families score_families(const RowTable& rows, const ScoreSettings& settings,
                        std::span<const ChildRules> rules, const FamilyOptions& options,
                        Control& control) {
  const std::size_t n = rules.size();
  if (n <= 64) return Scoring<1>(rows, settings, rules, options, control).run();
  if (n <= 128) return Scoring<2>(rows, settings, rules, options, control).run();
  if (n <= 256) return Scoring<4>(rows, settings, rules, options, control).run();
  if (n <= 1088) return Scoring<17>(rows, settings, rules, options, control).run();
  return Scoring<64>(rows, settings, rules, options, control).run();
}

}  // namespace credenet
