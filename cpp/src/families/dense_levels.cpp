#include "credenet/families/dense_levels.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlockSets = 1024;  // Sets of one batch, unless the source asks for more.
constexpr std::size_t kJudgedSets = 64;   // Sets whose families are scored together.
constexpr std::size_t kMostMembers = 64;  // Members of a set of a dense level at most.
// A level is dense if more than one in kDenseShare families may be listed, and is listed again
// below one in kSparseShare.
constexpr double kDenseShare = 4;
constexpr double kSparseShare = 32;
constexpr std::uint64_t kListedBytes = 200;  // Estimated bytes of an open set.
constexpr double kWorkEach = 3;              // Work of a listed family for each row.

// The number of sets of one batch.
std::size_t block_sets(const CountSource& source) {
  return std::max(kBlockSets, source.sets_at_once());
}
std::size_t n_blocks(const CountSource& source, std::uint64_t n_sets) {
  return (n_sets + block_sets(source) - 1) / block_sets(source);
}

// The largest sets that need a rank: families of as many parents as a child may have.
std::size_t largest_set(std::span<const ChildRules> rules) {
  std::size_t most = 0;
  for (const ChildRules& of_child : rules) most = std::max(most, of_child.max_parents);
  return std::min(most, kMostMembers - 1) + 1;
}

}  // namespace

bool SetMembers::contains(std::uint16_t variable) const {
  return std::ranges::binary_search(members, variable);
}

bool DenseLevels::pays(const LevelInput& input, std::size_t n_parents, double most_listed) {
  const FamilyOptions& options = input.options;
  const DenseCosts costs(input);
  if (n_parents < 2 || most_listed <= options.many_families || !costs.can_score()) return false;
  if (most_listed * kDenseShare <= costs.n_families(n_parents)) return false;
  const double n_bytes = costs.n_bytes(n_parents - 1);
  if (options.max_bytes != 0 && 2 * n_bytes > static_cast<double>(options.max_bytes)) return false;
  return !costs.is_too_large(n_parents);
}

bool DenseLevels::run(Families& result) {
  const std::size_t max_bytes = input_.options.max_bytes;
  Table none;
  // A stop leaves sets uncounted. Their terms are 0, which bounds their supersets by a score of 0
  // or by the penalty alone.
  joint_.resize(ranks_.n_sets(size_ + 1));
  if (has_occupied_) occupied_.resize(ranks_.n_sets(size_ + 1));
  if (!count_size(size_, smaller_joint_, none) || !count_size(size_ + 1, joint_, occupied_)) {
    result.status = Status::kStopped;
    return true;
  }
  bool is_last = false;
  while (!is_last && n_open_ > 0 && may_have(size_ + 1)) {
    if (result.n_levels > input_.options.most_added) {
      result.status = Status::kIterationLimit;
      return true;
    }
    if (are_most_closed()) return false;
    if (costs_.is_too_large(size_ + 1)) {
      if (is_too_much_work()) {
        result.status = Status::kIterationLimit;
      } else if (max_bytes != 0 && n_open_ * kListedBytes > max_bytes) {
        result.status = Status::kMemoryLimit;
      }
      return result.status != Status::kComplete;
    }
    is_last = !may_have(size_ + 2);
    const double n_bytes = costs_.n_bytes(size_) + costs_.n_bytes(size_ + 1);
    const bool fits = is_last || max_bytes == 0 || n_bytes < static_cast<double>(max_bytes);
    if (!fits && input_.scorer.abilities().is_dirichlet()) return false;
    const std::uint64_t n_before = result.n_evaluated;
    if (!advance(is_last || !fits, result)) {
      result.status = Status::kStopped;
      return true;
    }
    if (result.n_evaluated == n_before) break;
    ++result.n_levels;
    if (!fits) {
      result.status = Status::kMemoryLimit;
      return true;
    }
  }
  --result.n_levels;  // Becomes the number of the last level, counted from 0.
  return true;
}

// The most families that the next level can have.
double DenseLevels::most_listed() const {
  const auto n_parents = static_cast<double>(size_ + 1);
  return static_cast<double>(n_open_) * (static_cast<double>(n_) - n_parents) / n_parents;
}

bool DenseLevels::are_most_closed() const {
  return most_listed() * kSparseShare < costs_.n_families(size_ + 1);
}

bool DenseLevels::is_too_much_work() const {
  const auto n_rows = static_cast<double>(input_.source.n_rows());
  return input_.options.max_work != 0 &&
         kWorkEach * n_rows * most_listed() > static_cast<double>(input_.options.max_work);
}

DenseLevels::DenseLevels(const LevelInput& input, std::size_t size)
    : input_(input),
      costs_(input),
      n_(input.rules.size()),
      ranks_(n_, largest_set(input.rules)),
      size_(size),
      cost_(std::max(input.scorer.parameter_cost(), 0.0)),
      margin_(input.options.slack + input.options.tolerance),
      has_prior_(costs_.has_prior()),
      has_occupied_(input.scorer.abilities().bounds_by_occupied),
      best_(n_, Table(ranks_.n_sets(size), kInfinity)) {
  if (has_prior_) guard_ = best_;
  const auto counter = input.source.counter();
  const SetTerms nothing = input.scorer.evaluate(*counter, {});
  for (std::uint16_t child = 0; child < n_; ++child) {
    added_share_.push_back(1 - 1 / n_states(child));
    const std::array<std::uint16_t, 1> alone{child};
    const SetTerms of_child = input.scorer.evaluate(*counter, alone);
    const double plain = input.scorer.score({child, 0, 1, of_child, nothing});
    least_.push_back(plain - input.priors[child].later_rise(SetMembers{}));
  }
}

void DenseLevels::add_open(std::size_t child, std::span<const std::uint16_t> parents, double best,
                           double guard) {
  const std::uint64_t rank = ranks_.rank(parents);
  best_[child][rank] = best;
  if (has_prior_) guard_[child][rank] = guard;
  ++n_open_;
}

bool DenseLevels::may_have(std::size_t n_parents) const {
  for (std::size_t child = 0; child < n_; ++child) {
    const ChildRules& rules = input_.rules[child];
    if (n_parents > rules.max_parents || n_parents > rules.candidates.size()) continue;
    std::vector<double> states;
    for (const std::uint16_t candidate : rules.candidates) states.push_back(n_states(candidate));
    std::ranges::sort(states);
    double parameters = n_states(child) - 1;
    for (std::size_t at = 0; at < n_parents; ++at) parameters *= states[at];
    if (cost_ * parameters <= input_.most_likelihood[child] - least_[child] + margin_) return true;
  }
  return false;
}

template <typename Visit>
void DenseLevels::for_each_in(std::size_t block, std::size_t size, Visit&& visit) const {
  std::vector<std::uint16_t> set(size);
  const std::size_t most = block_sets(input_.source);
  const std::uint64_t first = ranks_.n_sets(size) - 1 - block * most;
  ranks_.find(first, set);
  for (std::uint64_t at = 0; at < most && at <= first; ++at) {
    visit(std::span<const std::uint16_t>(set), first - at);
    if (at < first) ranks_.advance(set);
  }
}

void DenseLevels::prepare(std::size_t size) {
  if (!has_occupied_) return;
  for (std::size_t block = 0; block < n_blocks(input_.source, ranks_.n_sets(size)); ++block) {
    SetBatch sets;
    for_each_in(block, size, [&](const auto& set, std::uint64_t) { sets.add(set); });
    input_.scorer.prepare(sets);
  }
}

bool DenseLevels::count_size(std::size_t size, Table& joint, Table& occupied) {
  prepare(size);
  const std::uint64_t n_sets = ranks_.n_sets(size);
  joint.resize(n_sets);
  if (has_occupied_) occupied.resize(n_sets);
  const auto counters = input_.source.counters(input_.options.n_threads);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(n_blocks(input_.source, n_sets), input_.options.n_threads, stop,
                  [&](std::size_t block, unsigned worker) {
                    SetBatch sets;
                    std::uint64_t last = 0;
                    for_each_in(block, size, [&](const auto& set, std::uint64_t rank) {
                      sets.add(set);
                      last = rank;
                    });
                    std::vector<SetTerms> found(sets.size());
                    input_.scorer.evaluate(*counters[worker], sets, found);
                    for (std::size_t at = 0; at < found.size(); ++at) {
                      const std::uint64_t rank = last + found.size() - 1 - at;
                      joint[rank] = found[at].joint;
                      if (has_occupied_) occupied[rank] = found[at].occupied;
                    }
                    done += sets.size();
                    if (worker == 0 && !input_.control.poll({done.load(), n_sets})) stop = true;
                  });
  return !stop;
}

void DenseLevels::add_if_wanted(std::span<const std::uint16_t> set, std::uint64_t rank,
                                Wanted& wanted) const {
  const std::size_t begin = wanted.members.size();
  const std::size_t end = begin + set.size();
  wanted.best.resize(end);
  wanted.guard.resize(end);
  wanted.ranks.resize(end);
  if (!is_wanted(set, wanted.best.data() + begin, wanted.guard.data() + begin,
                 wanted.ranks.data() + begin)) {
    return;
  }
  wanted.members.insert(wanted.members.end(), set.begin(), set.end());
  wanted.own_ranks.push_back(rank);
  wanted.sets.add(set);
}

// The rank of a set without one or two members follows from sums over its members: one before a
// member that is left out is one place nearer to the last.
bool DenseLevels::is_wanted(std::span<const std::uint16_t> set, double* best, double* guard,
                            std::uint64_t* ranks) const {
  const std::size_t m = set.size();
  std::array<std::uint64_t, kMostMembers + 1> before2;  // Two later members are left out.
  std::array<std::uint64_t, kMostMembers + 1> before;   // One later member is left out.
  std::array<std::uint64_t, kMostMembers + 1> after;
  before2[0] = before[0] = after[m] = 0;
  double product = 1;
  for (std::size_t at = 0; at < m; ++at) {
    const std::size_t place = m - at;
    before[at + 1] = before[at] + ranks_.share(set[at], place - 1);
    before2[at + 1] = before2[at] + (place < 2 ? 0 : ranks_.share(set[at], place - 2));
    product *= n_states(set[at]);
  }
  for (std::size_t at = m; at-- > 0;) after[at] = after[at + 1] + ranks_.share(set[at], m - at);
  std::array<double, kMostMembers> joint;
  // Penalty of the rest of the set as parents of each member.
  std::array<double, kMostMembers> penalty;
  bool is_any = false;
  for (std::size_t at = 0; at < m; ++at) {
    const std::uint16_t child = set[at];
    penalty[at] = cost_ * (n_states(child) - 1) * product / n_states(child);
    const bool is_closed = penalty[at] > input_.most_likelihood[child] - least_[child] + margin_;
    best[at] = is_closed ? kInfinity : -kInfinity;
    guard[at] = -kInfinity;
    is_any = is_any || !is_closed;
  }
  if (!is_any) return false;
  for (std::size_t at = 0; at < m; ++at) {
    ranks[at] = before[at] + after[at + 1];
    joint[at] = joint_[ranks[at]];
  }
  for (std::size_t first = 0; first < m; ++first) {
    for (std::size_t second = first + 1; second < m; ++second) {
      const std::uint64_t rank =
          before2[first] + before[second] - before[first + 1] + after[second + 1];
      // N min{H(child | rest), H(parent | rest)}, whichever of the two is the child.
      const double uncertainty = smaller_joint_[rank] - std::max(joint[first], joint[second]);
      const auto add = [&](std::size_t child, std::size_t parent) {
        const std::uint16_t variable = set[child];
        best[child] = std::max(best[child], best_[variable][rank]);
        double rise = 0;
        if (has_prior_) {
          guard[child] = std::max(guard[child], guard_[variable][rank]);
          rise = input_.priors[variable].step_rise(size_);
        }
        const double growth = penalty[child] * added_share_[set[parent]];
        if (growth > 0 && growth - uncertainty > margin_ + rise) best[child] = kInfinity;
      };
      add(first, second);
      add(second, first);
    }
  }
  is_any = false;
  for (std::size_t at = 0; at < m; ++at) {
    if (best[at] == kInfinity) continue;
    if (!has_prior_) guard[at] = best[at];
    const std::uint16_t child = set[at];
    bool is_closed = penalty[at] > input_.most_likelihood[child] - guard[at] + margin_;
    if (has_occupied_) {
      double occupied = 0;
      for (std::size_t other = 0; other < m; ++other) {
        if (other != at) occupied = std::max(occupied, occupied_[ranks[other]]);
      }
      is_closed = input_.scorer.bound_by_occupied(child, occupied) < guard[at] - margin_;
    }
    if (is_closed) best[at] = kInfinity;
    is_any = is_any || !is_closed;
  }
  return is_any;
}

TermsView DenseLevels::terms_of(std::uint64_t rank) const {
  return {joint_[rank], has_occupied_ ? occupied_[rank] : 0, {}};
}

void DenseLevels::judge(const Wanted& wanted, std::span<const SetTerms> terms, bool is_last,
                        Kept& kept) {
  const std::size_t n_members = size_ + 2;
  std::vector<std::size_t> places;  // Places of the children among the members of all sets.
  std::vector<CountedFamily> families;
  std::vector<double> most_likelihood;
  std::vector<double> scores;
  std::vector<double> bounds;
  for (std::size_t first = 0; first < terms.size(); first += kJudgedSets) {
    places.clear();
    families.clear();
    most_likelihood.clear();
    for (std::size_t at = first; at < std::min(first + kJudgedSets, terms.size()); ++at) {
      const auto set = std::span(wanted.members).subspan(at * n_members, n_members);
      double product = 1;
      for (const std::uint16_t member : set) product *= n_states(member);
      for (std::size_t which = 0; which < n_members; ++which) {
        const std::size_t place = at * n_members + which;
        if (wanted.best[place] == kInfinity) continue;
        const std::uint16_t child = set[which];
        places.push_back(place);
        families.push_back({child, size_ + 1, product / n_states(child), terms[at],
                            terms_of(wanted.ranks[place])});
        most_likelihood.push_back(input_.most_likelihood[child]);
      }
    }
    scores.resize(families.size());
    bounds.resize(families.size());
    input_.scorer.score(families, scores);
    if (!is_last) input_.scorer.bound(families, most_likelihood, false, bounds);
    for (std::size_t at = 0; at < families.size(); ++at) {
      judge(wanted, places[at], scores[at], is_last ? -kInfinity : bounds[at], kept);
    }
  }
}

void DenseLevels::judge(const Wanted& wanted, std::size_t place, double plain, double bound,
                        Kept& kept) {
  const std::size_t n_members = size_ + 2;
  const std::size_t n_parents = size_ + 1;
  const std::size_t which = place % n_members;
  const auto set = std::span(wanted.members).subspan(place - which, n_members);
  const std::uint16_t child = set[which];
  const double best = wanted.best[place];
  ++kept.n_evaluated;
  double score = plain;
  double guard = plain;
  std::vector<std::uint16_t>& parents = kept.judged;
  if (has_prior_ || plain >= best - margin_) {
    parents.assign(set.begin(), set.end());
    parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(which));
  }
  if (has_prior_) {
    score += input_.priors[child].log_factor(SetMembers{parents});
    guard -= input_.priors[child].later_rise(SetMembers{parents});
  }
  if (score > -kInfinity && score >= best - margin_) {
    kept.children.push_back(child);
    kept.parents.insert(kept.parents.end(), parents.begin(), parents.end());
    kept.scores.push_back(score);
  }
  if (bound == -kInfinity || n_parents >= input_.rules[child].max_parents) return;
  guard = std::max(guard, wanted.guard[place]);
  if (bound < guard - margin_) return;
  const std::uint64_t rank = wanted.ranks[place];
  next_best_[child][rank] = std::max(score, best);
  if (has_prior_) next_guard_[child][rank] = guard;
  ++kept.n_open;
}

bool DenseLevels::advance(bool is_last, Families& result) {
  const std::size_t size = size_ + 2;
  const std::uint64_t n_sets = ranks_.n_sets(size);
  if (is_last) {
    prepare(size);
  } else {
    if (!count_size(size, next_joint_, next_occupied_)) return false;
    next_best_.assign(n_, Table(ranks_.n_sets(size_ + 1), kInfinity));
    if (has_prior_) next_guard_ = next_best_;
  }
  std::vector<Kept> found(n_blocks(input_.source, n_sets));
  const auto counters = input_.source.counters(input_.options.n_threads);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const auto work = [&](std::size_t block, unsigned worker) {
    Wanted wanted;
    for_each_in(block, size,
                [&](const auto& set, std::uint64_t rank) { add_if_wanted(set, rank, wanted); });
    std::vector<SetTerms> terms(wanted.sets.size());
    if (is_last) {
      input_.scorer.evaluate(*counters[worker], wanted.sets, terms);
    } else {
      for (std::size_t at = 0; at < terms.size(); ++at) {
        terms[at].joint = next_joint_[wanted.own_ranks[at]];
        if (has_occupied_) terms[at].occupied = next_occupied_[wanted.own_ranks[at]];
      }
    }
    judge(wanted, terms, is_last, found[block]);
    done += 1;
    if (worker == 0 && !input_.control.poll({done.load(), found.size()})) stop = true;
  };
  parallel_blocks(found.size(), input_.options.n_threads, stop, work);
  if (!stop) keep(found, is_last, result);
  return !stop;
}

void DenseLevels::keep(const std::vector<Kept>& found, bool is_last, Families& result) {
  const std::size_t n_parents = size_ + 1;
  std::uint64_t n_open = 0;
  for (const Kept& kept : found) {
    result.n_evaluated += kept.n_evaluated;
    n_open += kept.n_open;
    for (std::size_t at = 0; at < kept.scores.size(); ++at) {
      const SetMembers parents{std::span(kept.parents).subspan(at * n_parents, n_parents)};
      result.children[kept.children[at]].add(parents, kept.scores[at]);
    }
  }
  if (is_last) return;
  ++size_;
  n_open_ = n_open;
  best_ = std::move(next_best_);
  guard_ = std::move(next_guard_);
  smaller_joint_ = std::move(joint_);
  joint_ = std::move(next_joint_);
  occupied_ = std::move(next_occupied_);
}

UnscoredSets DenseLevels::unscored(std::size_t child) const {
  UnscoredSets unscored;
  const double least_added = fewest_states(input_, child);
  for_each_open(child, [&](const Open& open) {
    const SetMembers parents{open.parents};
    unscored.add(unscored_bound(input_, child, parents, open.bound, least_added), open.best);
  });
  return unscored;
}

DenseLevels::Open DenseLevels::open(std::size_t child, std::uint64_t rank,
                                    std::span<const std::uint16_t> parents) const {
  std::vector<std::uint16_t> members(parents.begin(), parents.end());
  const auto variable = static_cast<std::uint16_t>(child);
  members.insert(std::ranges::upper_bound(members, variable), variable);
  double parent_states = 1;
  for (const std::uint16_t parent : parents) parent_states *= n_states(parent);
  const TermsView family = terms_of(ranks_.rank(members));
  const double best = best_[child][rank];
  return {parents,
          best,
          has_prior_ ? guard_[child][rank] : best,
          input_.scorer.bound({child, parents.size(), parent_states, family, {}},
                              input_.most_likelihood[child], false),
          smaller_joint_[rank],
          input_.scorer.abilities().has_likelihood ? family.joint - smaller_joint_[rank] : 0};
}

}  // namespace credenet
