// Networks by choosing families for one variable after the other, the variable with the fewest
// families left first. After every choice families are removed that would close a cycle with
// certain arcs (those of chosen families, and those that all families left of a variable have), or
// that lose more than the others leave of the budget. Where no cycle can join two parts of the
// variables any more, each part is chosen by itself, and the networks are the products. Networks
// are different choices, so none comes twice. The closer the bound is to the best network, the
// fewer steps lead to no network; their number is not known beforehand, so they are counted.
#include "credenet/credible/family_choices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <string>
#include <unordered_map>

#include "credenet/credible/choice_losses.hpp"
#include "credenet/credible/choice_problem.hpp"
#include "credenet/util/bit.hpp"

namespace credenet {
namespace {

constexpr std::uint64_t kPollLooks = 100'000;  // Families looked at from one poll to the next.
constexpr std::uint64_t kFruitful = 1'000;  // Families that may be tried for a choice that is kept.
constexpr std::size_t kKnownBytes = 96;     // Bytes of a node that is known by its key.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Chooser {
 public:
  Chooser(const ChoiceProblem& problem, std::span<const std::int32_t> members,
          const ChoiceLimits& limits, NetworkDiagram& diagram, Control& control)
      : problem_(problem),
        members_(members),
        limits_(limits),
        diagram_(diagram),
        n_nodes_(diagram.n_nodes()),
        n_alternatives_(diagram.n_alternatives()),
        control_(control),
        n_(problem.candidates.size()),
        chosen_(n_, nullptr),
        losses_(problem),
        most_saved_(problem.left.size()),
        all_saved_(problem.left.size()) {}

  FamilyChoices run() {
    FamilyChoices found;
    State first;
    first.lost = losses_.first();
    for (std::size_t v = 0; v < n_; ++v) {
      const std::uint32_t begin = pool_end();
      for (const Candidate& candidate : problem_.candidates[v]) {
        pool_.push_back(&candidate);
        parents_[v] |= candidate.parents;
      }
      if (pool_end() == begin) return found;
      first.lists[v] = {begin, pool_end(), 0.0};
      first.open |= bit(v);
    }
    found.root = choose(first);
    found.n_steps = n_steps_;
    if (is_stopped_) {
      diagram_.drop(n_nodes_);
      found.root = kNone;
      found.status = status_;
    }
    return found;
  }

 private:
  using Node = NetworkDiagram::Node;
  static constexpr Node kNone = NetworkDiagram::kNone;

  // The places of the families of a variable that are left, in the pool.
  struct List {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    double least = 0;  // Smallest loss of a family of the list.

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  // The node of some networks, and what they could lose when they were found.
  struct Known {
    double spare = 0;
    Node node = kNone;
    std::vector<std::uint64_t> outside;  // Parents outside that each open variable could have.

    // Whether networks that may lose less are among these. With other parents outside, some may
    // close a cycle with what is chosen for other parts.
    [[nodiscard]] bool holds(double less, std::span<const std::uint64_t> allowed) const {
      for (std::size_t k = 0; k < outside.size(); ++k) {
        if ((outside[k] & ~allowed[k]) != 0) return false;
      }
      return spare >= less;
    }
  };

  struct State {
    std::uint64_t open = 0;  // Variables of this part for which no family was chosen.
    double lost = 0;
    double least = 0;   // Smallest loss of the open variables.
    double others = 0;  // Smallest loss of parts that are chosen separately.
    std::array<List, kMostChoosers> lists{};
    std::array<std::uint64_t, kMostChoosers> certain{};  // Certain parents of each variable.
    // Descendants and ancestors by certain arcs.
    std::array<std::uint64_t, kMostChoosers> descendants{};
    std::array<std::uint64_t, kMostChoosers> ancestors{};
  };

  [[nodiscard]] std::uint32_t pool_end() const { return static_cast<std::uint32_t>(pool_.size()); }

  // The node of all networks of the open variables, or none.
  Node choose(State& state) {
    ++n_steps_;
    if (is_stopped_ || (n_looks_ >= next_poll_ && !go_on())) return kNone;
    const std::size_t n_pooled = pool_.size();
    const std::size_t mark = losses_.mark();
    const std::uint64_t before = state.open;
    Node node = kNone;
    if (filter(state)) node = with(before & ~state.open, state);
    losses_.give_back(mark);
    pool_.resize(n_pooled);
    return node;
  }

  // The node of the families that were chosen as no others were left, and of the open variables.
  Node with(std::uint64_t only, const State& state) {
    const std::vector<std::uint64_t> parts = parts_of(state);
    if (only == 0 && parts.size() == 1) return branch(state);
    NetworkDiagram::Alternative alternative;
    for (; only != 0; only &= only - 1) {
      take_into(alternative, static_cast<std::size_t>(std::countr_zero(only)));
    }
    for (const std::uint64_t part : parts) {
      State child = state;
      child.open = part;
      child.least = 0;
      for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
        child.least += state.lists[static_cast<std::size_t>(std::countr_zero(rest))].least;
      }
      child.others += state.least - child.least;
      const Node node = branch(child);
      if (node == kNone) return kNone;
      alternative.children.push_back(node);
    }
    return added({&alternative, 1});
  }

  void take_into(NetworkDiagram::Alternative& alternative, std::size_t v) const {
    alternative.ticks += chosen_[v]->ticks;
    alternative.choices.push_back({static_cast<std::uint16_t>(members_[v]), chosen_[v]->position});
  }

  Node added(std::span<const NetworkDiagram::Alternative> alternatives) {
    if (diagram_.n_bytes() + known_bytes_ > limits_.max_bytes) {
      known_.clear();  // Known nodes can be found again.
      known_bytes_ = 0;
    }
    if (diagram_.n_bytes() > limits_.max_bytes) {
      is_stopped_ = true;
      status_ = Status::kMemoryLimit;
      return kNone;
    }
    return diagram_.add(alternatives);
  }

  // The node of the networks of the open variables, which may have been found before.
  Node branch(const State& state) {
    if (std::has_single_bit(state.open)) return branched(state);
    const std::string key = key_of(state);
    const double spare = limits_.budget - state.lost - state.others;
    const std::vector<std::uint64_t> outside = parents_outside(state);
    const auto known = known_.find(key);
    if (known != known_.end() && known->second.holds(spare, outside)) return known->second.node;
    const Node node = branched(state);
    if (!is_stopped_ && known_.insert_or_assign(key, Known{spare, node, outside}).second) {
      known_bytes_ += key.size() + outside.size() * sizeof(std::uint64_t) + kKnownBytes;
    }
    return node;
  }

  // The parents that each open variable may have besides the others.
  std::vector<std::uint64_t> parents_outside(const State& state) const {
    std::vector<std::uint64_t> outside;
    for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
      const List& list = state.lists[static_cast<std::size_t>(std::countr_zero(rest))];
      std::uint64_t parents = 0;
      for (std::size_t at = list.begin; at < list.end; ++at) parents |= pool_[at]->parents;
      outside.push_back(parents & ~state.open);
    }
    return outside;
  }

  // All that the networks of the open variables depend on, but for what they may lose: which
  // variables would close a cycle as parents, and the rows of which savings cost, or may cost.
  // With less to lose there are no others.
  std::string key_of(const State& state) {
    std::string key;
    const auto write = [&](std::uint64_t word) {
      key.append(reinterpret_cast<const char*>(&word), sizeof word);
    };
    std::uint64_t relevant = state.open;
    touched_.clear();
    for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t n_before = touched_.size();
      relevant |= parents_[v];
      for (std::size_t at = state.lists[v].begin; at < state.lists[v].end; ++at) {
        for (std::size_t k = pool_[at]->first_saving; k < pool_[at]->end_saving; ++k) {
          const Saving& saving = problem_.savings[k];
          double& most = most_saved_[saving.row];
          if (most == 0) touched_.push_back(saving.row);
          most = std::max(most, saving.amount);
        }
      }
      for (std::size_t k = n_before; k < touched_.size(); ++k) {
        all_saved_[touched_[k]] += most_saved_[touched_[k]];
        most_saved_[touched_[k]] = 0;
      }
    }
    write(state.open);
    for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
      write(state.descendants[static_cast<std::size_t>(std::countr_zero(rest))] & relevant);
    }
    std::ranges::sort(touched_);
    for (const std::uint32_t row : touched_) {
      if (all_saved_[row] == 0) continue;  // Each row is written once.
      const double left = losses_.left(row);
      if (left + all_saved_[row] > 0) {
        write(row);
        write(std::bit_cast<std::uint64_t>(left > 0 ? 0.0 : left));
      }
      all_saved_[row] = 0;
    }
    return key;
  }

  // The families left of one variable, each with all networks of the others.
  Node branched(const State& state) {
    std::size_t next = kMostChoosers;
    for (std::uint64_t rest = state.open; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      if (next == kMostChoosers || state.lists[v].size() < state.lists[next].size()) next = v;
    }
    const double others = state.least - state.lists[next].least + state.others;
    std::vector<NetworkDiagram::Alternative> alternatives;
    for (std::size_t at = state.lists[next].begin; at < state.lists[next].end; ++at) {
      const std::size_t mark = losses_.mark();
      chosen_[next] = pool_[at];
      const double lost = state.lost + losses_.take(*pool_[at]);
      if (lost + others <= limits_.budget) {
        NetworkDiagram::Alternative alternative;
        take_into(alternative, next);
        if (state.open == bit(next)) {
          alternatives.push_back(std::move(alternative));
        } else if (const Node rest = choose_rest(state, next, lost); rest != kNone) {
          alternative.children.push_back(rest);
          alternatives.push_back(std::move(alternative));
        }
      }
      losses_.give_back(mark);
      if (is_stopped_) return kNone;
    }
    return alternatives.empty() ? kNone : added(alternatives);
  }

  Node choose_rest(const State& state, std::size_t next, double lost) {
    State child = state;
    child.open &= ~bit(next);
    child.lost = lost;
    return add_parents(child, next, chosen_[next]->parents) ? choose(child) : kNone;
  }

  // The open variables in parts that no cycle can join, small ones first.
  std::vector<std::uint64_t> parts_of(const State& state) const {
    std::array<std::uint64_t, kMostChoosers> parents{};
    std::array<std::uint64_t, kMostChoosers> children{};
    for (std::size_t v = 0; v < n_; ++v) {
      parents[v] = state.certain[v];
      if ((state.open & bit(v)) == 0) continue;
      for (std::size_t at = state.lists[v].begin; at < state.lists[v].end; ++at) {
        parents[v] |= pool_[at]->parents;
      }
    }
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::uint64_t rest = parents[v]; rest != 0; rest &= rest - 1) {
        children[static_cast<std::size_t>(std::countr_zero(rest))] |= bit(v);
      }
    }
    std::vector<std::uint64_t> parts;
    for (std::uint64_t rest = state.open; rest != 0;) {
      const std::uint64_t first = rest & (~rest + 1);
      const std::uint64_t part =
          (reached(first, parents) & reached(first, children) & state.open) | first;
      parts.push_back(part);
      rest &= ~part;
    }
    std::ranges::stable_sort(parts, {}, [](std::uint64_t part) { return std::popcount(part); });
    return parts;
  }

  static std::uint64_t reached(std::uint64_t from,
                               const std::array<std::uint64_t, kMostChoosers>& next) {
    std::uint64_t seen = from;
    for (std::uint64_t fresh = from; fresh != 0;) {
      std::uint64_t further = 0;
      for (; fresh != 0; fresh &= fresh - 1) {
        further |= next[static_cast<std::size_t>(std::countr_zero(fresh))];
      }
      fresh = further & ~seen;
      seen |= further;
    }
    return seen;
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
        const double most = limits_.budget - state.lost - others - state.others;
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
          state.lost += losses_.take(first);
          state.least = others;
          state.open &= ~bit(v);
        }
      }
    }
    return state.lost + state.least + state.others <= limits_.budget && has_order(state);
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

  // The families of a list that lose at most `most` and have none of the impossible parents.
  List kept(const List& list, double most, std::uint64_t impossible) {
    List result{pool_end(), 0, kInfinity};
    n_looks_ += list.size();
    for (std::size_t at = list.begin; at < list.end && pool_[at]->loss <= most; ++at) {
      const Candidate* candidate = pool_[at];
      if ((candidate->parents & impossible) != 0) continue;
      const double loss = candidate->loss + losses_.extra(*candidate);
      if (loss > most) continue;
      pool_.push_back(candidate);
      result.least = std::min(result.least, loss);
    }
    result.end = pool_end();
    return result;
  }

  // Makes parents certain for a variable, besides its certain parents so far. False if that closes
  // a cycle.
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

  bool go_on() {
    next_poll_ = n_looks_ + kPollLooks;
    const std::uint64_t n_kept = diagram_.n_alternatives() - n_alternatives_;
    if (n_looks_ >= limits_.max_work + kFruitful * n_kept) {
      is_stopped_ = true;
      status_ = Status::kIterationLimit;
    } else if (!control_.poll({n_kept, 0})) {
      is_stopped_ = true;
      status_ = Status::kStopped;
    }
    return !is_stopped_;
  }

  const ChoiceProblem& problem_;
  std::span<const std::int32_t> members_;
  const ChoiceLimits& limits_;
  NetworkDiagram& diagram_;
  std::size_t n_nodes_;         // Nodes before this call.
  std::size_t n_alternatives_;  // Alternatives before this call.
  Control& control_;
  std::size_t n_;
  std::vector<const Candidate*> chosen_;
  std::vector<const Candidate*> pool_;
  ChoiceLosses losses_;
  std::array<std::uint64_t, kMostChoosers> parents_{};  // Parents in the families of each variable.
  std::unordered_map<std::string, Known> known_;
  std::size_t known_bytes_ = 0;
  std::vector<std::uint32_t> touched_;  // Rows that a key looks at.
  std::vector<double> most_saved_;      // Most that a family of one variable saves of each row.
  std::vector<double> all_saved_;  // Most that families of all variables save of each row together.
  std::uint64_t n_looks_ = 0;
  std::uint64_t next_poll_ = 0;
  std::uint64_t n_steps_ = 0;
  bool is_stopped_ = false;
  Status status_ = Status::kComplete;
};

}  // namespace

FamilyChoices family_choices(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                             std::span<const double> multipliers,
                             std::span<const std::uint8_t> alive,
                             std::span<const std::int32_t> members, const ChoiceNames& names,
                             const ChoiceLimits& limits, NetworkDiagram& diagram,
                             Control& control) {
  assert(members.size() <= kMostChoosers);
  const ChoiceProblem problem =
      choice_problem(rows, numbers, multipliers, alive, members, names, limits.budget);
  return Chooser(problem, members, limits, diagram, control).run();
}

}  // namespace credenet
