// All candidate parent sets that can matter, level by level. For each level the parent sets of one
// size are listed for every child, the sets of variables that they need are counted (each once, in
// parallel), and the families are judged. A family is pruned if a subset of its parents scores
// better by more than the slack. A set is closed, that is, not extended any more, if a bound shows
// that no superset can come within the slack of what is known (SetScorer::bound, and
// entropies if parameters have a cost). A set pruned by the first rule alone stays open, since a
// superset may still be good. If a set is open, all its subsets are open, so the best score of its
// subsets follows from the level before. Large levels with mostly open sets are left to
// DenseLevels, others, with a Dirichlet score and few rows, to LargeSetScoring.
#include "credenet/families/score_families.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "credenet/families/child_prior.hpp"
#include "credenet/families/dense_levels.hpp"
#include "credenet/families/large_set_scoring.hpp"
#include "credenet/families/level_input.hpp"
#include "credenet/families/level_terms.hpp"
#include "credenet/families/open_sets.hpp"
#include "credenet/util/flat_index.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/variable_set.hpp"

namespace credenet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Level from which on each child is scored by itself. Before it, counting a set once for all
// children is faster than pruning more sets.
constexpr std::size_t kFirstLevels = 4;
// Families of a level above which large sets are scored by child.
constexpr double kManyFamilies = 1 << 17;
constexpr std::size_t kFewRows = 4096;  // Most rows for which large sets are scored by child.
constexpr std::size_t kJudged = 128;    // Families that are scored together.
// The largest level that is listed only to bound its scores.
constexpr double kMostBounded = 1 << 22;

template <std::size_t kWords>
class Scoring {
  using Set = VariableSet<kWords>;

  // A parent set of the current level.
  struct Candidate : ListedSet<kWords> {
    double likelihood = 0;  // Likelihood of the child given the parents, for scores that have one.
    double joint = 0;       // Joint term of the parents alone.
  };

  // A parent that can be left out, and the place of the set without it among the open ones.
  struct Subset {
    std::size_t parent = 0;
    std::uint32_t at = 0;
  };

  // Estimated bytes of a family, generous because vectors and indices grow by doubling.
  static constexpr std::size_t kFamilyBytes = 3 * sizeof(Candidate) + 2 * (sizeof(Set) + 8);
  // Estimated bytes of a counted set with its terms.
  static constexpr std::size_t kSetBytes = 4 * (sizeof(Set) + 8) + 2 * sizeof(SetTerms);

  struct Child {
    OpenSets<Candidate> level;  // Open sets of the level before.
    std::vector<Candidate> next;
    std::vector<Subset> subsets;  // Subsets of the set being listed.
    OpenSets<Candidate> open;     // Open sets of the current level while it is judged.
  };

 public:
  Scoring(const CountSource& source, const ScoreSettings& settings,
          std::span<const ChildRules> rules, const FamilyOptions& options, Control& control)
      : source_(source),
        settings_(settings),
        rules_(rules),
        options_(options),
        control_(control),
        owned_scorer_(make_scorer(settings, source)),
        priors_(rules.begin(), rules.end()),
        most_likelihood_(most_likelihoods(source, scorer_, rules, options)),
        children_(rules.size()) {
    result_.children.resize(rules.size());
  }

  Families run() {
    for (std::size_t child = 0; child < rules_.size(); ++child) {
      Set required;
      for (const std::uint16_t parent : rules_[child].required) required.insert(parent);
      if (rules_[child].required.size() <= rules_[child].max_parents) {
        children_[child].next.push_back({{.parents = required}});
      }
    }
    for (;;) {
      if (!count_level() || !judge_level()) {
        bound_unscored(!has_listed_too_many());
        break;
      }
      ++result_.n_levels;
      if (result_.n_levels > options_.most_added) {
        bound_larger_sets();
        break;
      }
      if (DenseLevels::pays(input_, result_.n_levels, most_listed()) && score_dense_levels()) {
        return std::move(result_);
      }
      if (are_sets_large()) {
        bound_unscored(false);
        return score_large_sets();
      }
      if (!list_level()) {
        bound_unscored(false);
        break;
      }
      if (is_nothing_listed()) {
        --result_.n_levels;  // Becomes the number of the last level, counted from 0.
        break;
      }
    }
    if (result_.status == Status::kMemoryLimit && result_.n_levels > 0 && can_split_rows() &&
        large_set_bytes() <= options_.max_bytes) {
      result_.status = Status::kComplete;
      return score_large_sets();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool can_split_rows() const {
    return options_.prune && scorer_.abilities().is_dirichlet() && source_.rows() != nullptr;
  }

  // The most families that the next level can have. Each of these comes from as many sets as it has
  // parents that are not required.
  [[nodiscard]] double most_listed() const {
    const auto size = static_cast<double>(result_.n_levels);
    double n_families = 0;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      const double n_added = static_cast<double>(rules_[child].candidates.size()) + 1 - size;
      n_families += static_cast<double>(children_[child].level.size()) * n_added / size;
    }
    return n_families;
  }

  // Whether the sets are large, by the estimated number of families of the next level.
  [[nodiscard]] bool are_sets_large() const {
    if (!can_split_rows() || source_.n_rows() > kFewRows || result_.n_levels < kFirstLevels) {
      return false;
    }
    const bool are_more_levels = std::ranges::any_of(rules_, [&](const ChildRules& rules) {
      return rules.max_parents > rules.required.size() + result_.n_levels &&
             options_.most_added > result_.n_levels;
    });
    return are_more_levels && most_listed() > kManyFamilies &&
           (options_.max_bytes == 0 || large_set_bytes() <= options_.max_bytes / 4);
  }

  // The bytes of LargeSetScoring before it has scored a set.
  [[nodiscard]] std::size_t large_set_bytes() const {
    std::size_t n_bytes = 0;
    for (const ChildRules& rules : rules_) {
      n_bytes += ParentStates::bytes(source_.n_rows(), rules.candidates.size());
    }
    return n_bytes;
  }

  // Scores levels as DenseLevels does, as long as most sets are open. False if the rest is to be
  // listed.
  bool score_dense_levels() {
    DenseLevels dense(input_, result_.n_levels - 1);
    for (std::size_t child = 0; child < children_.size(); ++child) {
      for (const Candidate& set : children_[child].level.sets()) {
        std::vector<std::uint16_t> members;
        set.parents.for_each(
            [&](std::size_t at) { members.push_back(static_cast<std::uint16_t>(at)); });
        dense.add_open(child, members, set.best, set.guard);
      }
      children_[child].level.clear();
    }
    terms_.clear();
    if (!dense.run(result_)) {
      list_open(dense);
      return false;
    }
    if (result_.status == Status::kComplete) return true;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      result_.unscored.push_back(dense.unscored(child));
    }
    return true;
  }

  void list_open(const DenseLevels& dense) {
    for (std::size_t child = 0; child < children_.size(); ++child) {
      Child& state = children_[child];
      dense.for_each_open(child, [&](const DenseLevels::Open& open) {
        Set parents;
        for (const std::uint16_t parent : open.parents) parents.insert(parent);
        state.level.add(
            {{parents, open.best, open.guard, open.bound}, open.likelihood, open.joint});
      });
    }
  }

  // Ends before the next level, unless that has no set. The bounds are tighter if it is listed.
  void bound_larger_sets() {
    const double n_bytes = most_listed() * kFamilyBytes;
    const bool is_listed =
        most_listed() < kMostBounded &&
        (options_.max_bytes == 0 || n_bytes < static_cast<double>(options_.max_bytes));
    if (is_listed && !list_level()) {
      bound_unscored(false);
    } else if (is_listed && is_nothing_listed()) {
      --result_.n_levels;  // Becomes the number of the last level, counted from 0.
    } else {
      bound_unscored(is_listed);
      result_.status = Status::kIterationLimit;
    }
  }

  [[nodiscard]] bool is_nothing_listed() const {
    return std::ranges::all_of(children_, [](const Child& child) { return child.next.empty(); });
  }

  Families score_large_sets() {
    terms_.clear();
    for (Child& child : children_) {  // This memory is freed before more is taken.
      child.next = {};
    }
    LargeSetScoring<kWords> scoring(*source_.rows(), settings_, scorer_, rules_, options_, control_,
                                    result_);
    for (std::size_t child = 0; child < children_.size(); ++child) {
      scoring.add_child(child, priors_[child], children_[child].level.sets());
      children_[child].level.clear();
    }
    scoring.run();
    return std::move(result_);
  }

  // Bounds the scores of the sets that were not scored. Each of them contains a listed set or, if
  // not all are listed, an open set of the level before. The supersets of a set score at most its
  // bound, and the best of its subsets is among the families kept.
  void bound_unscored(bool are_all_listed) {
    if (!options_.prune) return;
    result_.unscored.assign(children_.size(), {});
    for (std::size_t child = 0; child < children_.size(); ++child) {
      const Child& state = children_[child];
      // The fewest states of one parent added to a set of the level before.
      const double least_added = are_all_listed ? 1 : fewest_states(input_, child);
      for (const Candidate& set : are_all_listed ? state.next : state.level.sets()) {
        result_.unscored[child].add(
            unscored_bound(input_, child, set.parents, set.bound, least_added), set.best);
      }
    }
  }

  // Whether the families of a level and their sets exceed the memory limit while they are counted
  // and judged. A family is listed, kept and indexed. A set is in the index and in the order, and
  // has its terms. Each thread has a table of most_cells, if all cells are needed.
  [[nodiscard]] bool exceeds_memory(std::size_t n_families, std::size_t n_sets, double most_cells) {
    const double needed = static_cast<double>(n_families * kFamilyBytes + n_sets * kSetBytes) +
                          options_.n_threads * most_cells * SetScorer::kCellBytes;
    if (options_.max_bytes == 0 || needed <= static_cast<double>(options_.max_bytes)) return false;
    result_.status = Status::kMemoryLimit;
    return true;
  }

  // Counts the sets that the listed families need and that are not known yet.
  bool count_level() {
    FlatIndex<Set> index;
    std::size_t n_listed = 0;
    double most_cells = 0;  // Largest number of cells of a set.
    for (std::size_t child = 0; child < children_.size(); ++child) {
      if (!control_.poll({child, children_.size()})) {
        result_.status = Status::kStopped;
        return false;
      }
      n_listed += children_[child].next.size();
      for (const Candidate& candidate : children_[child].next) {
        index.insert(candidate.parents);
        index.insert(candidate.parents.with(child));
        if (scorer_.abilities().needs_all_cells) {
          most_cells = std::max(most_cells, input_.states_product(candidate.parents.with(child)));
        }
        if (exceeds_memory(n_listed, index.size(), most_cells)) return false;
      }
    }
    if (!terms_.count(std::move(index))) {
      result_.status = Status::kStopped;
      return false;
    }
    return true;
  }

  // Scores the listed families of all children. False if it was stopped; then no family was scored.
  bool judge_level() {
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};
    std::vector<std::size_t> n_before;
    for (const ChildFamilies& families : result_.children) {
      n_before.push_back(families.scores.size());
    }
    parallel_blocks(children_.size(), options_.n_threads, stop,
                    [&](std::size_t child, unsigned worker) {
                      judge(child);
                      done += 1;
                      if (worker == 0 && !control_.poll({done.load(), children_.size()}))
                        stop = true;
                    });
    const bool are_all_judged = done == children_.size();
    for (std::size_t at = 0; at < children_.size(); ++at) {
      Child& child = children_[at];
      if (are_all_judged) {
        result_.n_evaluated += child.next.size();
        child.level = std::exchange(child.open, {});
        child.next = {};
      } else {
        result_.children[at].keep_first(n_before[at]);
      }
    }
    if (!are_all_judged) result_.status = Status::kStopped;
    return are_all_judged;
  }

  void judge(std::size_t child) {
    std::vector<CountedFamily> families;
    std::vector<double> scores;
    std::vector<double> bounds;
    const std::span<Candidate> listed = children_[child].next;
    for (std::size_t first = 0; first < listed.size(); first += kJudged) {
      const auto some = listed.subspan(first, std::min(kJudged, listed.size() - first));
      families.clear();
      for (const Candidate& candidate : some) {
        families.push_back(
            {child, candidate.parents.size(), input_.states_product(candidate.parents),
             *terms_.find(candidate.parents.with(child)), *terms_.find(candidate.parents)});
      }
      scores.resize(some.size());
      bounds.assign(some.size(), kInfinity);
      scorer_.score(families, scores);
      // All listed sets of a child have the same size.
      if (options_.prune && some[0].parents.size() < rules_[child].max_parents) {
        const std::vector<double> most(some.size(), most_likelihood_[child]);
        scorer_.bound(families, most, options_.unproven, bounds);
      }
      for (std::size_t at = 0; at < some.size(); ++at) {
        if (scorer_.abilities().has_likelihood) {
          some[at].likelihood = families[at].family.joint - families[at].parents.joint;
        }
        some[at].joint = families[at].parents.joint;
        judge(child, some[at], scores[at], bounds[at]);
      }
    }
  }

  // Judges a family, given its score without prior and the bound on its supersets.
  void judge(std::size_t child, Candidate candidate, double plain, double bound) {
    Child& state = children_[child];
    ChildFamilies& output = result_.children[child];
    const double margin = options_.slack + options_.tolerance;
    const double score = plain + priors_[child].log_factor(candidate.parents);
    if (score > -kInfinity && (!options_.prune || score >= candidate.best - margin)) {
      output.add(candidate.parents, score);
    }
    candidate.best = std::max(candidate.best, score);
    candidate.guard =
        std::max(candidate.guard, plain - priors_[child].later_rise(candidate.parents));
    if (candidate.parents.size() >= rules_[child].max_parents) return;
    if (options_.prune) {
      candidate.bound = std::min(candidate.bound, bound);
      if (candidate.bound < candidate.guard - margin) return;
    }
    state.open.add(candidate);
  }

  bool list_level() {
    n_listed_ = 0;
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{0};
    parallel_blocks(children_.size(), options_.n_threads, stop,
                    [&](std::size_t child, unsigned worker) {
                      list(child);
                      done += 1;
                      if (worker == 0 && !control_.poll({done.load(), children_.size()}))
                        stop = true;
                    });
    if (stop) result_.status = Status::kStopped;
    return !stop;
  }

  void list(std::size_t child) {
    children_[child].level.for_each_larger(
        rules_[child], [&] { return !has_listed_too_many(); },
        [&](const Candidate& smaller, std::uint16_t added) { extend(child, smaller, added); });
  }

  // Lists a set with one more parent, unless a subset is not open or a bound prunes the set.
  void extend(std::size_t child, const Candidate& smaller, std::uint16_t added) {
    Child& state = children_[child];
    const double cost = options_.prune ? scorer_.parameter_cost() : 0;
    const double margin = options_.slack + options_.tolerance;
    if (cost > 0 && cost * (settings_.n_states[child] - 1.0) *
                            input_.states_product(smaller.parents) * settings_.n_states[added] >
                        most_likelihood_[child] - smaller.guard + margin) {
      return;
    }
    Candidate candidate{{.parents = smaller.parents.with(added)}};
    std::vector<Subset>& subsets = state.subsets;
    subsets.clear();
    const auto add = [&](std::size_t parent, std::uint32_t at) { subsets.push_back({parent, at}); };
    if (state.level.join(rules_[child], candidate, add) &&
        !(options_.prune && candidate.bound < candidate.guard - margin) &&
        !is_bounded_out(child, state, candidate, subsets)) {
      state.next.push_back(candidate);
      n_listed_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Whether so many families are listed that the level will be refused. The rest is then not
  // listed.
  [[nodiscard]] bool has_listed_too_many() const {
    return options_.max_bytes != 0 &&
           n_listed_.load(std::memory_order_relaxed) * kFamilyBytes > options_.max_bytes;
  }

  // Whether bounds that need no counting of the candidate itself rule it out.
  [[nodiscard]] bool is_bounded_out(std::size_t child, const Child& state,
                                    const Candidate& candidate,
                                    std::span<const Subset> subsets) const {
    const double cost = scorer_.parameter_cost();
    if (!options_.prune || cost <= 0) return false;
    const double margin = options_.slack + options_.tolerance;
    const double free_states = settings_.n_states[child] - 1.0;
    const double product = input_.states_product(candidate.parents);
    if (cost * free_states * product > most_likelihood_[child] - candidate.guard + margin) {
      return true;
    }
    const double rise = priors_[child].step_rise(candidate.parents.size() - 1);
    const SetTerms* counted = terms_.find(candidate.parents);
    const double joint = counted == nullptr ? -kInfinity : counted->joint;
    return std::ranges::any_of(subsets, [&](const Subset& subset) {
      const Candidate& smaller = state.level[subset.at];
      const double states = settings_.n_states[subset.parent];
      // N min{H(child | smaller), H(parent | smaller)}, the second where it has been counted.
      const double uncertainty = std::min(-smaller.likelihood, smaller.joint - joint);
      const double growth = cost * free_states * (product / states) * (states - 1);
      return growth - uncertainty > margin + rise;
    });
  }

  const CountSource& source_;
  const ScoreSettings& settings_;
  std::span<const ChildRules> rules_;
  const FamilyOptions& options_;
  Control& control_;
  std::unique_ptr<SetScorer> owned_scorer_;
  SetScorer& scorer_ = *owned_scorer_;
  std::vector<ChildPrior> priors_;
  std::vector<double> most_likelihood_;  // Largest likelihood of each child under any parents.
  const LevelInput input_{source_, settings_,        scorer_,  rules_,
                          priors_, most_likelihood_, options_, control_};
  LevelTerms<kWords> terms_{input_};
  std::vector<Child> children_;
  std::atomic<std::size_t> n_listed_{0};  // Families of the level that is listed.
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

Families score_families(const CountSource& source, const ScoreSettings& settings,
                        std::span<const ChildRules> rules, const FamilyOptions& options,
                        Control& control) {
  const std::size_t n = rules.size();
  if (n <= 64) return Scoring<1>(source, settings, rules, options, control).run();
  if (n <= 128) return Scoring<2>(source, settings, rules, options, control).run();
  if (n <= 256) return Scoring<4>(source, settings, rules, options, control).run();
  if (n <= 1088) return Scoring<17>(source, settings, rules, options, control).run();
  if (n > 4096) throw std::invalid_argument("families of at most 4096 variables can be scored");
  return Scoring<64>(source, settings, rules, options, control).run();
}

}  // namespace credenet
