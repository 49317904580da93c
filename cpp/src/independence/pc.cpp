// PC (Spirtes and Glymour 1991) in its stable form (Colombo and Maathuis 2014). All pairs are
// joined at first. At order m a pair is tested given sets of m neighbours of one of its ends, and
// parted by the first that makes it independent; neighbours are those at the beginning of the
// order, so the skeleton does not depend on the order of pairs and sets. Neighbours with the
// strongest association are tried first, as these separate most often (a heuristic of Spirtes,
// Glymour and Scheines); only variables that may be parents are tried, as parents suffice.
//
// Questions are asked in rounds: every pair that stands asks for its next k sets, k doubling from
// round to round, and of the answers those up to the first independent one count. So the outcome,
// and the number of tests, are those of one test after another.
//
// Where ambiguity is settled, the separating sets that were found in a round are read with the
// surest first, and all its answers count.
//
// Pairs that are known not to be adjacent are tested as well, for the sets that separate them.
#include "credenet/independence/pc.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>

#include "credenet/independence/ambiguity.hpp"
#include "credenet/independence/candidate_sets.hpp"
#include "credenet/independence/question_round.hpp"
#include "credenet/util/moment.hpp"

namespace credenet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRoundQuestions = std::size_t{1} << 19;  // Most questions of a round.

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Reports the progress of an order, in pairs, instead of the judge's progress in a round.
class OrderControl final : public Control {
 public:
  explicit OrderControl(Control& control) : control_(control) {}
  [[nodiscard]] bool poll(const Progress&) override { return control_.poll(progress); }

  Progress progress;

 private:
  Control& control_;
};

struct Pair {
  Node x = 0;
  Node y = 0;
  bool adjacent = true;
  bool separated = false;
  bool judged = false;  // Whether a test of it was not refused.
  // Association without a conditioning set.
  double association = std::numeric_limits<double>::infinity();
  double weakest = std::numeric_limits<double>::infinity();
  std::vector<Node> weakest_given{};
};

class Search {
 public:
  Search(Judge& judge, const ArcRules& rules, const PcOptions& options, Control& control)
      : judge_(judge),
        rules_(rules),
        options_(options),
        control_(control),
        n_(judge.n_variables()),
        separating_(n_),
        ambiguity_(separating_) {}

  TestedGraph run() {
    pairs_.reserve(n_ * (n_ - (n_ > 0 ? 1 : 0)) / 2);
    for (Node x = 0; x < static_cast<Node>(n_); ++x) {
      for (Node y = x + 1; y < static_cast<Node>(n_); ++y) {
        pairs_.push_back({.x = x, .y = y, .adjacent = rules_.may_join(x, y)});
      }
    }
    for (std::size_t order = 0; order <= options_.max_order && complete_; ++order) {
      const auto start = Clock::now();
      if (!test_order(order)) break;
      result_.counts.seconds.push_back(seconds_since(start));
    }
    const auto start = Clock::now();
    orient();
    result_.counts.orientation_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  struct Pending {
    std::size_t pair = 0;
    CandidateSets::Cursor cursor;
    std::size_t n_asked = 0;
  };

  // Tests all pairs at an order. False if no pair has enough neighbours.
  bool test_order(std::size_t order) {
    if (order > 0 && !control_.poll({})) {
      complete_ = false;
      return true;
    }
    // The empty set is asked for without neighbours, whose lists are long while all pairs are
    // joined.
    const CandidateSets sets(order == 0 ? std::vector<std::vector<Node>>(n_) : neighbours());
    const auto has_sets = [&](const Pair& pair) {
      return !rules_.must_join(pair.x, pair.y) && sets.has_sets(pair.x, pair.y, order);
    };
    const auto n_pending = static_cast<std::size_t>(std::ranges::count_if(pairs_, has_sets));
    if (n_pending == 0) return false;
    result_.counts.tests.push_back(0);
    result_.counts.refused.push_back(0);
    control_.progress = {.done = 0, .total = n_pending};
    if (options_.on_order) options_.on_order(order);
    // Ambiguity is settled among all pairs after each round. Otherwise pairs do not depend on each
    // other, and blocks of them take less memory.
    const std::size_t block = options_.settles_ambiguity ? pairs_.size() : kRoundQuestions;
    for (std::size_t first = 0; first < pairs_.size() && complete_; first += block) {
      std::vector<Pending> pending;
      const std::size_t end = std::min(first + block, pairs_.size());
      for (std::size_t at = first; at < end; ++at) {
        const Pair& pair = pairs_[at];
        if (!has_sets(pair)) continue;
        pending.push_back({.pair = at, .cursor = sets.start(pair.x, pair.y, order)});
      }
      complete_ = test_pairs(sets, std::move(pending));
    }
    drop_separated();
    return true;
  }

  // Tests the pending pairs. False if it was stopped.
  bool test_pairs(const CandidateSets& sets, std::vector<Pending> pending) {
    for (std::size_t n_sets = 1; !pending.empty(); n_sets *= 2) {
      const std::size_t n_pairs = std::max<std::size_t>(kRoundQuestions / n_sets, 1);
      for (std::size_t first = 0; first < pending.size(); first += n_pairs) {
        const std::size_t size = std::min(n_pairs, pending.size() - first);
        if (!ask(sets, std::span(pending).subspan(first, size), n_sets)) return false;
      }
      for (const std::size_t pair : ambiguity_.settle()) pairs_[pair].separated = true;
      const std::size_t n_before = pending.size();
      std::erase_if(pending, [&](const Pending& waiting) {
        return pairs_[waiting.pair].separated || waiting.n_asked < n_sets;
      });
      control_.progress.done += n_before - pending.size();
    }
    return true;
  }

  // Asks one round: the next sets of each pair. False if it was stopped.
  bool ask(const CandidateSets& sets, std::span<Pending> pending, std::size_t n_sets) {
    round_.clear();
    for (Pending& waiting : pending) {
      if (!control_.poll({})) return false;
      const Pair& pair = pairs_[waiting.pair];
      waiting.n_asked = 0;
      while (waiting.n_asked < n_sets && sets.next(waiting.cursor, round_.members())) {
        round_.close(pair.x, pair.y);
        ++waiting.n_asked;
      }
    }
    if (!round_.ask(judge_, control_)) return false;
    std::size_t at = 0;
    for (const Pending& waiting : pending) {
      Pair& pair = pairs_[waiting.pair];
      const std::size_t end = at + waiting.n_asked;
      for (; at < end && !pair.separated; ++at) {
        read(waiting.pair, round_.given(at), round_.answer(at));
      }
      at = end;
    }
    return true;
  }

  void read(std::size_t place, std::span<const Node> given, const Answer& answer) {
    Pair& pair = pairs_[place];
    ++result_.counts.tests.back();
    result_.counts.refused.back() += answer.refused ? 1 : 0;
    pair.judged = pair.judged || !answer.refused;
    if (given.empty()) pair.association = answer.association;
    if (answer.independent && options_.settles_ambiguity && !given.empty()) {
      ambiguity_.add(place, pair.x, pair.y, given, answer.association, pair.association);
    } else if (answer.independent) {
      pair.separated = true;
      separating_.record(pair.x, pair.y, given, answer.association);
    } else if (!answer.refused && answer.association < pair.weakest) {
      pair.weakest = answer.association;
      pair.weakest_given.assign(given.begin(), given.end());
    }
  }

  void drop_separated() {
    std::erase_if(pairs_, [](const Pair& pair) { return pair.separated; });
  }

  // The neighbours of each variable that may be parents, the most associated first.
  [[nodiscard]] std::vector<std::vector<Node>> neighbours() const {
    std::vector<std::vector<std::pair<double, Node>>> found(n_);
    for (const Pair& pair : pairs_) {
      if (!pair.adjacent) continue;
      const auto x = static_cast<std::size_t>(pair.x);
      const auto y = static_cast<std::size_t>(pair.y);
      if (rules_.allows(pair.y, pair.x)) found[x].emplace_back(-pair.association, pair.y);
      if (rules_.allows(pair.x, pair.y)) found[y].emplace_back(-pair.association, pair.x);
    }
    std::vector<std::vector<Node>> lists(n_);
    for (std::size_t node = 0; node < n_; ++node) {
      std::ranges::sort(found[node]);
      for (const auto& [association, neighbour] : found[node]) lists[node].push_back(neighbour);
    }
    return lists;
  }

  void orient() {
    std::vector<std::array<Node, 2>> edges;
    std::vector<Node> from;
    std::vector<Node> to;
    for (const Pair& pair : pairs_) {
      if (!pair.adjacent) continue;
      edges.push_back({pair.x, pair.y});
      from.push_back(pair.x);
      to.push_back(pair.y);
      if (complete_ && pair.judged && !rules_.must_join(pair.x, pair.y)) {
        result_.weakest.push_back({pair.x, pair.y, pair.weakest_given, pair.weakest});
      }
    }
    const Adjacency skeleton = Adjacency::symmetric(n_, std::array{Edges{from, to}});
    Moment moment(control_);
    std::vector<Collider> colliders;
    if (!options_.majority || !complete_ || !colliders_by_majority(skeleton, colliders)) {
      colliders = listed_colliders(skeleton, separating_, moment);
    }
    result_.graph = orient_skeleton(n_, edges, std::move(colliders), rules_, moment);
    result_.status = ended(complete_ && result_.graph.complete);
  }

  // The sets that separate the two ends of some triples vote on each middle.
  struct Vote {
    Node a = 0;
    Node b = 0;
    std::size_t n_sets = 0;
    std::vector<Node> middles{};
    std::vector<std::size_t> n_with{};  // Number of sets with each middle.
  };

  // Finds the colliders by the majority of the sets. False if it was stopped.
  bool colliders_by_majority(const Adjacency& skeleton, std::vector<Collider>& colliders) {
    std::vector<Vote> votes;
    for (Node a = 0; a < static_cast<Node>(n_); ++a) {
      for (Node b = a + 1; b < static_cast<Node>(n_); ++b) {
        if (skeleton.contains(a, b)) continue;
        Vote vote{.a = a, .b = b};
        std::ranges::set_intersection(skeleton[a], skeleton[b], std::back_inserter(vote.middles));
        vote.n_with.resize(vote.middles.size());
        if (!vote.middles.empty()) votes.push_back(std::move(vote));
      }
    }
    const CandidateSets sets(neighbours());
    control_.progress = {.done = 0, .total = votes.size()};
    std::vector<Vote*> voters;  // The vote that each question belongs to.
    round_.clear();
    for (Vote& vote : votes) {
      for (std::size_t order = 0; order < result_.counts.tests.size(); ++order) {
        CandidateSets::Cursor cursor = sets.start(vote.a, vote.b, order);
        while (sets.next(cursor, round_.members())) {
          round_.close(vote.a, vote.b);
          voters.push_back(&vote);
          if (round_.size() == kRoundQuestions && !count_votes(voters)) return false;
        }
      }
      ++control_.progress.done;
    }
    if (!count_votes(voters)) return false;
    for (const Vote& vote : votes) {
      for (std::size_t at = 0; at < vote.middles.size(); ++at) {
        const Node middle = vote.middles[at];
        const bool is_collider = vote.n_sets > 0
                                     ? 2 * vote.n_with[at] < vote.n_sets
                                     : separating_.find(vote.a, vote.b) &&
                                           !separating_.separates(vote.a, vote.b, middle);
        if (!is_collider) continue;
        colliders.push_back({vote.a, middle, vote.b, separating_.association(vote.a, vote.b)});
      }
    }
    return true;
  }

  bool count_votes(std::vector<Vote*>& voters) {
    complete_ = round_.ask(judge_, control_);
    if (!complete_) return false;
    for (std::size_t at = 0; at < round_.size(); ++at) {
      if (!round_.answer(at).independent) continue;
      Vote& vote = *voters[at];
      ++vote.n_sets;
      for (std::size_t place = 0; place < vote.middles.size(); ++place) {
        const bool is_with = std::ranges::binary_search(round_.given(at), vote.middles[place]);
        vote.n_with[place] += is_with ? 1 : 0;
      }
    }
    round_.clear();
    voters.clear();
    return true;
  }

  Judge& judge_;
  const ArcRules& rules_;
  const PcOptions& options_;
  OrderControl control_;
  std::size_t n_;
  std::vector<Pair> pairs_;
  SeparatingSets separating_;
  Ambiguity ambiguity_;
  QuestionRound round_;
  TestedGraph result_;
  bool complete_ = true;
};

}  // namespace

TestedGraph pc(Judge& judge, const ArcRules& rules, const PcOptions& options, Control& control) {
  return Search(judge, rules, options, control).run();
}

}  // namespace credenet
