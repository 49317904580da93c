// Networks by choosing families for one variable after the other, the variable with the fewest
// families left first. After every choice families are removed that would close a cycle with
// certain arcs (those of chosen families, and those that all families left of a variable have), or
// that lose more than the others leave of the budget. Networks are different choices, so none comes
// twice. The closer the bound is to the best network, the fewer steps lead to no network; their
// number is not known beforehand, so they are counted. Where the networks do not fit into memory,
// those that lose most are dropped and the search continues with a smaller budget.
#include "credenet/credible/family_choices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "credenet/lattice/member_bits.hpp"

namespace credenet {
namespace {

constexpr std::uint64_t kPollLooks = 100'000;
constexpr double kRounding = 1e-9;          // nats
constexpr std::uint64_t kFruitful = 1'000;  // families that may be tried for a network
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t bit(std::size_t variable) { return std::uint64_t{1} << variable; }

// How much less of a row's limit a family uses than the most that a family of its variable uses.
struct Saving {
  std::uint32_t row = 0;
  double amount = 0;
};

struct Candidate {
  double loss = 0;
  std::uint64_t parents = 0;  // among the members
  double deviation = 0;
  std::uint16_t position = 0;
  std::size_t first_saving = 0;
  std::size_t end_saving = 0;
  std::size_t first_word = 0;  // of its rows as bits
};

// The families that may be chosen, and the rows whose slack costs.
struct Problem {
  std::vector<std::vector<Candidate>> candidates;  // of each member, cheap ones first
  std::vector<Saving> savings;
  std::vector<std::uint64_t> rows_of;  // the same as bits, for each candidate
  std::size_t n_words = 0;
  std::vector<double> multipliers;
  std::vector<double> left;  // of each row's limit, if all take the most that they still can
};

// Adds what each wanted family saves of a row; what is left of the limit if all take the most.
double add_savings(const FamilyLists& lists, const Row& row, std::uint32_t number,
                   std::span<const std::uint8_t> alive, const std::vector<bool>& is_wanted,
                   std::vector<double>& coefficients,
                   std::vector<std::vector<Saving>>& savings_of) {
  for (std::size_t at = 0; at < row.families.size(); ++at) {
    coefficients[static_cast<std::size_t>(row.families[at])] =
        static_cast<double>(row.coefficients[at]);
  }
  double left = row.limit;
  std::size_t next = 0;  // families of the row ascend
  for (std::size_t v = 0; v < lists.n_variables() && next < row.families.size(); ++v) {
    if (static_cast<std::size_t>(row.families[next]) >= lists.end(v)) continue;
    double most = -kInfinity;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] != 0) most = std::max(most, coefficients[f]);
    }
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (is_wanted[f] && coefficients[f] < most) {
        savings_of[f].push_back({number, most - coefficients[f]});
      }
      coefficients[f] = 0;
    }
    left -= most;
    while (next < row.families.size() &&
           static_cast<std::size_t>(row.families[next]) < lists.end(v)) {
      ++next;
    }
  }
  return left;
}

Problem problem_of(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                   std::span<const double> multipliers, std::span<const std::uint8_t> alive,
                   std::span<const std::int32_t> members, std::span<const double> deviations,
                   double budget) {
  const FamilyLists lists = rows.lists();
  const RowBound bound = rows.bound(numbers, multipliers, alive);
  const MemberBits bits_of(rows.n_variables(), members);
  Problem problem;
  std::vector<bool> is_wanted(rows.n_families());
  for (const std::int32_t member : members) {
    const auto v = static_cast<std::size_t>(member);
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      is_wanted[f] = alive[f] != 0 && bound.losses[f] <= budget;
    }
  }
  std::vector<std::vector<Saving>> savings_of(rows.n_families());
  std::vector<double> coefficients(rows.n_families());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!(multipliers[k] > 0)) continue;
    const Row& row = rows.row(static_cast<std::size_t>(numbers[k]));
    const auto number = static_cast<std::uint32_t>(problem.left.size());
    problem.left.push_back(
        add_savings(lists, row, number, alive, is_wanted, coefficients, savings_of));
    problem.multipliers.push_back(multipliers[k]);
  }
  problem.n_words = (problem.left.size() + 63) / 64;
  for (const std::int32_t member : members) {
    const auto v = static_cast<std::size_t>(member);
    std::vector<Candidate>& own = problem.candidates.emplace_back();
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (!is_wanted[f]) continue;
      assert(f - lists.begin(v) <= std::numeric_limits<std::uint16_t>::max());
      Candidate candidate;
      candidate.loss = bound.losses[f];
      candidate.parents = bits_of(lists.parents_of(f));
      candidate.deviation = deviations[f];
      candidate.position = static_cast<std::uint16_t>(f - lists.begin(v));
      candidate.first_saving = problem.savings.size();
      problem.savings.insert(problem.savings.end(), savings_of[f].begin(), savings_of[f].end());
      candidate.end_saving = problem.savings.size();
      candidate.first_word = problem.rows_of.size();
      problem.rows_of.resize(problem.rows_of.size() + problem.n_words);
      for (const Saving& saving : savings_of[f]) {
        problem.rows_of[candidate.first_word + saving.row / 64] |= bit(saving.row % 64);
      }
      own.push_back(candidate);
    }
    std::ranges::stable_sort(own, {}, &Candidate::loss);
  }
  return problem;
}

class Chooser {
 public:
  Chooser(Problem& problem, const ChoiceLimits& limits, Control& control)
      : problem_(problem),
        limits_(limits),
        budget_(limits.budget),
        control_(control),
        n_(problem.candidates.size()),
        chosen_(n_, nullptr),
        costly_(problem.n_words) {
    found_.budget = budget_;
    for (std::size_t row = 0; row < problem.left.size(); ++row) {
      if (problem.left[row] < 0) continue;
      costly_[row / 64] |= bit(row % 64);
      first_loss_ += problem.multipliers[row] * problem.left[row];
    }
  }

  FamilyChoices run() {
    State first;
    first.lost = first_loss_;
    for (std::size_t v = 0; v < n_; ++v) {
      const std::uint32_t begin = pool_end();
      for (const Candidate& candidate : problem_.candidates[v]) pool_.push_back(&candidate);
      if (pool_end() == begin) return std::move(found_);
      first.lists[v] = {begin, pool_end(), 0.0};
      first.open |= bit(v);
    }
    State state = first;
    bool is_done = choose(state);
    if (is_done && budget_ < limits_.budget && losses_.empty()) {
      // Too many networks lose the least possible; only some of them are returned.
      is_last_ = true;
      budget_ = dropped_ + kRounding;
      is_done = choose(first);
    }
    if (!is_done) found_.status = status_;
    found_.budget = budget_;
    return std::move(found_);
  }

 private:
  // The places of the families of a variable that are left, in the pool.
  struct List {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    double least = 0;  // what one of them loses at least

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  struct State {
    std::uint64_t open = 0;  // variables that no family was chosen for
    double lost = 0;
    double least = 0;  // that the open ones lose
    std::array<List, kMostChoosers> lists{};
    std::array<std::uint64_t, kMostChoosers> certain{};  // parents of each variable
    // Descendants and ancestors by certain arcs.
    std::array<std::uint64_t, kMostChoosers> descendants{};
    std::array<std::uint64_t, kMostChoosers> ancestors{};
  };

  [[nodiscard]] std::uint32_t pool_end() const { return static_cast<std::uint32_t>(pool_.size()); }

  // All networks from here on; false if the search ends.
  bool choose(State& state) {
    ++found_.n_steps;
    if (n_looks_ >= next_poll_ && !go_on()) return false;
    const std::size_t n_pooled = pool_.size();
    const std::size_t n_taken = trail_.size();
    bool goes_on = true;
    if (filter(state)) goes_on = state.open == 0 ? add(state.lost) : branch(state);
    give_back(n_taken);
    pool_.resize(n_pooled);
    return goes_on;
  }

  bool branch(const State& state) {
    std::size_t next = kMostChoosers;
    for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      if (next == kMostChoosers || state.lists[v].size() < state.lists[next].size()) next = v;
    }
    const double others = state.least - state.lists[next].least;
    bool goes_on = true;
    for (std::size_t at = state.lists[next].begin; goes_on && at < state.lists[next].end; ++at) {
      const std::size_t n_taken = trail_.size();
      chosen_[next] = pool_[at];
      const double lost = state.lost + take(*pool_[at]);
      if (lost + others <= budget_) {
        State child = state;
        child.open &= ~bit(next);
        child.lost = lost;
        if (add_parents(child, next, pool_[at]->parents)) goes_on = choose(child);
      }
      give_back(n_taken);
    }
    return goes_on;
  }

  // Drops families that cannot be chosen any more, until there are none, and chooses those that are
  // left alone; false if a variable has none.
  bool filter(State& state) {
    bool has_changed = true;
    while (has_changed) {
      has_changed = false;
      state.least = 0;
      for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        state.least += state.lists[v].least;
      }
      for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        const double others = state.least - state.lists[v].least;
        const double most = budget_ - state.lost - others;
        const List left = kept(state.lists[v], most, state.descendants[v]);
        if (left.size() == 0) return false;
        const Candidate& first = *pool_[left.begin];
        std::uint64_t common = first.parents;
        for (std::size_t at = left.begin; at < left.end; ++at) common &= pool_[at]->parents;
        if (common != state.certain[v]) has_changed = true;
        if (!add_parents(state, v, common)) return false;
        state.lists[v] = left;
        state.least = others + left.least;
        if (left.size() == 1) {
          chosen_[v] = &first;
          state.lost += take(first);
          state.least = others;
          state.open &= ~bit(v);
        }
      }
    }
    return state.lost + state.least <= budget_ && has_order(state);
  }

  // Whether families that are left can be put in an order, parents first.
  bool has_order(const State& state) const {
    const std::uint64_t all = n_ == 64 ? ~std::uint64_t{0} : bit(n_) - 1;
    std::uint64_t placed = 0;
    bool has_grown = true;
    while (has_grown && placed != all) {
      has_grown = false;
      for (std::uint64_t rest = all & ~placed; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(rest));
        if ((state.certain[v] & ~placed) != 0) continue;
        bool can_be = (state.open & bit(v)) == 0;
        for (std::size_t at = state.lists[v].begin; !can_be && at < state.lists[v].end; ++at) {
          can_be = (pool_[at]->parents & ~placed) == 0;
        }
        if (!can_be) continue;
        placed |= bit(v);
        has_grown = true;
      }
    }
    return placed == all;
  }

  // The families of a list that lose at most so much and have none of the variables as parents.
  List kept(const List& list, double most, std::uint64_t impossible) {
    List result{pool_end(), 0, kInfinity};
    n_looks_ += list.size();
    for (std::size_t at = list.begin; at < list.end && pool_[at]->loss <= most; ++at) {
      const Candidate* candidate = pool_[at];
      if ((candidate->parents & impossible) != 0) continue;
      const double loss = candidate->loss + extra(*candidate);
      if (loss > most) continue;
      pool_.push_back(candidate);
      result.least = std::min(result.least, loss);
    }
    result.end = pool_end();
    return result;
  }

  // What a family loses at least by rows of which every saving costs; savings are whole numbers.
  double extra(const Candidate& candidate) const {
    double loss = 0;
    for (std::size_t word = 0; word < problem_.n_words; ++word) {
      std::uint64_t rest = problem_.rows_of[candidate.first_word + word] & costly_[word];
      for (; rest != 0; rest &= rest - 1) {
        loss += problem_.multipliers[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    return loss;
  }

  // Makes these certain parents of a variable, among others so far; false if that closes a cycle.
  static bool add_parents(State& state, std::size_t v, std::uint64_t parents) {
    const std::uint64_t fresh = parents & ~state.certain[v];
    state.certain[v] = parents;
    std::uint64_t above = fresh;
    for (std::uint64_t rest = fresh; rest != 0; rest &= rest - 1) {
      above |= state.ancestors[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    const std::uint64_t below = state.descendants[v] | bit(v);
    if ((above & below) != 0) return false;
    for (std::uint64_t rest = above & ~state.ancestors[v]; rest != 0; rest &= rest - 1) {
      state.descendants[static_cast<std::size_t>(std::countr_zero(rest))] |= below;
    }
    for (std::uint64_t rest = above == 0 ? 0 : below; rest != 0; rest &= rest - 1) {
      state.ancestors[static_cast<std::size_t>(std::countr_zero(rest))] |= above;
    }
    return true;
  }

  // What choosing a family loses.
  double take(const Candidate& candidate) {
    double loss = candidate.loss;
    for (std::size_t at = candidate.first_saving; at < candidate.end_saving; ++at) {
      const Saving& saving = problem_.savings[at];
      double& left = problem_.left[saving.row];
      trail_.push_back({saving.row, left});
      const double before = std::max(left, 0.0);
      left += saving.amount;
      loss += problem_.multipliers[saving.row] * (std::max(left, 0.0) - before);
      if (left >= 0) costly_[saving.row / 64] |= bit(saving.row % 64);
    }
    return loss;
  }

  void give_back(std::size_t n_taken) {
    for (; trail_.size() > n_taken; trail_.pop_back()) {
      const auto [row, left] = trail_.back();
      problem_.left[row] = left;
      if (left < 0) costly_[row / 64] &= ~bit(row % 64);
    }
  }

  bool add(double lost) {
    double deviation = 0;
    for (const Candidate* candidate : chosen_) {
      found_.positions.push_back(candidate->position);
      deviation += candidate->deviation;
    }
    found_.deviations.push_back(deviation);
    losses_.push_back(lost);
    ++n_added_;
    return losses_.size() * (16 + 2 * n_) <= limits_.max_bytes || lower_budget();
  }

  // Drops about half of the networks, those that lose most, or all if they lose the same, and
  // lowers the budget accordingly; false if nothing would be left.
  bool lower_budget() {
    if (is_last_) {
      status_ = Status::kMemoryLimit;
      return false;
    }
    std::vector<double> losses = losses_;
    const auto middle = losses.begin() + static_cast<std::ptrdiff_t>(losses.size() / 2);
    std::ranges::nth_element(losses, middle);
    // Networks that score the same go together; their sums may differ by rounding.
    const double high = *middle + kRounding;
    const auto n_above = static_cast<std::size_t>(
        std::ranges::count_if(losses, [&](double loss) { return loss > high; }));
    const double least = 4 * n_above >= losses.size() ? high : *middle - kRounding;
    dropped_ = kInfinity;
    for (const double loss : losses) {
      if (loss > least) dropped_ = std::min(dropped_, loss);
    }
    budget_ = std::nextafter(dropped_, -kInfinity);
    std::size_t n_kept = 0;
    for (std::size_t at = 0; at < losses_.size(); ++at) {
      if (losses_[at] > budget_) continue;
      losses_[n_kept] = losses_[at];
      found_.deviations[n_kept] = found_.deviations[at];
      std::copy_n(found_.positions.begin() + static_cast<std::ptrdiff_t>(at * n_), n_,
                  found_.positions.begin() + static_cast<std::ptrdiff_t>(n_kept * n_));
      ++n_kept;
    }
    losses_.resize(n_kept);
    found_.deviations.resize(n_kept);
    found_.positions.resize(n_kept * n_);
    return true;
  }

  bool go_on() {
    next_poll_ = n_looks_ + kPollLooks;
    if (n_looks_ >= limits_.max_work + kFruitful * n_added_) {
      status_ = Status::kIterationLimit;
      return false;
    }
    status_ = Status::kStopped;
    return control_.poll({n_added_, 0});
  }

  Problem& problem_;
  const ChoiceLimits& limits_;
  double budget_;
  double dropped_ = 0;    // the least loss of a network that was dropped
  bool is_last_ = false;  // whether nothing would be left with a smaller budget
  Control& control_;
  std::size_t n_;
  std::vector<const Candidate*> chosen_;
  std::vector<const Candidate*> pool_;
  double first_loss_ = 0;              // by rows that are never used up
  std::vector<std::uint64_t> costly_;  // rows of which every saving costs
  std::vector<Saving> trail_;          // rows, and what was left of them before
  std::uint64_t n_looks_ = 0;
  std::uint64_t next_poll_ = 0;
  Status status_ = Status::kComplete;
  FamilyChoices found_;
  std::vector<double> losses_;  // of the networks found
  std::uint64_t n_added_ = 0;   // to these, also if they were dropped again
};

}  // namespace

FamilyChoices family_choices(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                             std::span<const double> multipliers,
                             std::span<const std::uint8_t> alive,
                             std::span<const std::int32_t> members,
                             std::span<const double> deviations, const ChoiceLimits& limits,
                             Control& control) {
  assert(members.size() <= kMostChoosers);
  Problem problem =
      problem_of(rows, numbers, multipliers, alive, members, deviations, limits.budget);
  return Chooser(problem, limits, control).run();
}

}  // namespace credenet
