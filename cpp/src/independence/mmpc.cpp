// Max-min parents and children (Tsamardinos, Brown and Aliferis 2006). For each target, candidates
// that no subset of those chosen so far separates from it stay in the race; the one whose weakest
// association given any such subset is strongest is chosen next. Then chosen ones are dropped that
// a subset of the others separates from the target. Of the sets a new choice only those with it
// are new, and of the sets in the end only those with a variable chosen later, so no question is
// asked twice for one target. Each target has its own pace, and the questions of all go to the
// judge in rounds. As every answer depends on its question alone, the outcome is that of going
// through targets, candidates and sets one by one.
#include "credenet/independence/mmpc.hpp"

#include <algorithm>
#include <cassert>

#include "credenet/independence/question_round.hpp"
#include "credenet/independence/subset_walk.hpp"

namespace credenet {
namespace {

constexpr std::size_t kAnswersPerPoll = std::size_t{1} << 16;  // A few milliseconds of answers.

// Sets of up to a size that contain at least one of the members from `first_new` on, small first.
class NewSets {
 public:
  NewSets(std::size_t n_members, std::size_t first_new, std::size_t max_size)
      : n_members_(n_members),
        first_new_(first_new),
        max_size_(std::min(max_size, n_members)),
        walk_(n_members, 1),
        is_over_(max_size_ == 0 || first_new == n_members) {
    settle();
  }

  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] std::span<const std::uint32_t> places() const { return walk_.places(); }
  void advance() {
    walk_.advance();
    settle();
  }

 private:
  // Places ascend, so a set has a new member if its last is one.
  void settle() {
    while (!is_over_) {
      if (walk_.is_over()) {
        if (++size_ > max_size_) {
          is_over_ = true;
        } else {
          walk_ = SubsetWalk(n_members_, size_);
        }
      } else if (walk_.places().back() < first_new_) {
        walk_.advance();
      } else {
        return;
      }
    }
  }

  std::size_t n_members_;
  std::size_t first_new_;
  std::size_t max_size_;
  std::size_t size_ = 1;
  SubsetWalk walk_;
  bool is_over_;
};

struct Candidate {
  Node node = 0;
  double weakest = std::numeric_limits<double>::infinity();
  NewSets sets{0, 0, 0};
  std::size_t n_asked = 0;
  std::size_t first_question = 0;
  std::size_t n_questions = 0;
  bool is_separated = false;
};

// The race for one target.
struct Target {
  std::vector<Candidate> running;
  std::vector<Node> chosen;  // Chosen variables in the order of choice.
  std::size_t n_fixed = 0;   // Number of chosen variables that the rules fix.
  std::size_t dropping = 0;  // Place of the chosen variable that is being tested.
  bool is_choosing = true;
  bool is_over = false;
};

class Race {
 public:
  Race(Judge& judge, const ArcRules& rules, const MmpcOptions& options, Control& control)
      : n_(judge.n_variables()),
        judge_(judge),
        rules_(rules),
        options_(options),
        control_(control),
        targets_(n_) {}

  MmpcResult run() {
    MmpcResult result;
    bool goes_on = list_candidates() && marginal_round();
    std::vector<Node> active;
    for (Node t = 0; t < static_cast<Node>(n_) && goes_on; ++t) {
      open(targets_[t], 0);
      active.push_back(t);
      goes_on = control_.poll({});
    }
    while (goes_on && !active.empty()) {
      goes_on = ask_round(active);
      std::erase_if(active, [&](Node t) { return targets_[t].is_over; });
    }
    for (Node t = 0; t < static_cast<Node>(n_); ++t) {
      for (const Node x : targets_[t].chosen) {
        if (t < x && std::ranges::find(targets_[x].chosen, t) != targets_[x].chosen.end()) {
          result.edges.push_back({t, x});
        }
      }
    }
    std::ranges::sort(result.edges);
    result.status = ended(goes_on);
    result.tests_by_order = std::move(tests_);
    result.refused_by_order = std::move(refused_);
    return result;
  }

 private:
  void count_test(std::size_t order, const Answer& answer) {
    if (tests_.size() <= order) {
      tests_.resize(order + 1, 0);
      refused_.resize(order + 1, 0);
    }
    ++tests_[order];
    refused_[order] += answer.refused ? 1 : 0;
  }

  // Lists all other variables that the rules let be neighbours. False if it was stopped.
  bool list_candidates() {
    for (Node t = 0; t < static_cast<Node>(n_); ++t) {
      Target& target = targets_[t];
      for (Node x = 0; x < static_cast<Node>(n_); ++x) {
        if (x == t || !rules_.may_join(x, t)) continue;
        if (rules_.must_join(x, t)) {
          target.chosen.push_back(x);
        } else {
          target.running.push_back({.node = x});
        }
      }
      target.n_fixed = target.chosen.size();
      if (!control_.poll({})) return false;
    }
    return true;
  }

  // Tests every pair given nothing, once for both of its ends.
  bool marginal_round() {
    std::vector<Question> questions;
    std::vector<Answer> answers;
    for (Node t = 0; t < static_cast<Node>(n_); ++t) {
      for (const Candidate& candidate : targets_[t].running) {
        if (candidate.node < t) questions.push_back({candidate.node, t, {}});
      }
    }
    answers.resize(questions.size());
    if (!questions.empty() && !judge_.answer(questions, answers, control_)) return false;
    for (std::size_t at = 0; at < questions.size(); ++at) {
      if (at % kAnswersPerPoll == kAnswersPerPoll - 1 && !control_.poll({})) return false;
      count_test(0, answers[at]);
      for (const auto& [end, other] : {std::pair(questions[at].x, questions[at].y),
                                       std::pair(questions[at].y, questions[at].x)}) {
        const auto candidate =
            std::ranges::lower_bound(targets_[end].running, other, {}, &Candidate::node);
        candidate->weakest = answers[at].association;
        candidate->is_separated = answers[at].independent;
      }
    }
    for (Target& target : targets_) drop_separated(target);
    return true;
  }

  static void drop_separated(Target& target) {
    std::erase_if(target.running,
                  [](const Candidate& candidate) { return candidate.is_separated; });
  }

  // Opens the candidates for tests with the sets that have a member from `first_new` on.
  void open(Target& target, std::size_t first_new) {
    for (Candidate& candidate : target.running) {
      candidate.sets = NewSets(target.chosen.size(), first_new, options_.max_order);
      candidate.n_asked = 0;
    }
    proceed(target);
  }

  // Continues with the next choice or drop if no question is open.
  void proceed(Target& target) {
    while (!target.is_over) {
      const bool waits = std::ranges::any_of(
          target.running, [](const Candidate& candidate) { return !candidate.sets.is_over(); });
      if (waits) return;
      if (target.is_choosing && !target.running.empty()) {
        const auto best = std::ranges::max_element(target.running, {}, &Candidate::weakest);
        target.chosen.push_back(best->node);
        target.running.erase(best);
        for (Candidate& candidate : target.running) {
          candidate.sets =
              NewSets(target.chosen.size(), target.chosen.size() - 1, options_.max_order);
          candidate.n_asked = 0;
        }
        continue;
      }
      if (target.is_choosing) {
        target.is_choosing = false;
        target.dropping = target.n_fixed;
      } else if (!target.running.empty()) {  // The variable that was tested stays.
        target.chosen.insert(target.chosen.begin() + static_cast<std::ptrdiff_t>(target.dropping),
                             target.running[0].node);
        target.running.clear();
        ++target.dropping;
      }
      if (target.dropping >= target.chosen.size()) {
        target.is_over = true;
        return;
      }
      const auto tested = target.chosen.begin() + static_cast<std::ptrdiff_t>(target.dropping);
      target.running.push_back({.node = *tested});
      target.chosen.erase(tested);
      target.running[0].sets = NewSets(target.chosen.size(), target.dropping, options_.max_order);
    }
  }

  void propose(Node t, Target& target, Candidate& candidate) {
    candidate.first_question = round_.size();
    std::vector<Node>& members = round_.members();
    const std::size_t wanted = 1 + candidate.n_asked / 4;
    while (!candidate.sets.is_over() && round_.size() - candidate.first_question < wanted) {
      const auto begin = static_cast<std::ptrdiff_t>(members.size());
      for (const std::uint32_t at : candidate.sets.places()) members.push_back(target.chosen[at]);
      std::sort(members.begin() + begin, members.end());
      round_.close(t, candidate.node);
      candidate.sets.advance();
    }
    candidate.n_questions = round_.size() - candidate.first_question;
    candidate.n_asked += candidate.n_questions;
  }

  bool ask_round(std::span<const Node> active) {
    round_.clear();
    for (const Node t : active) {
      for (Candidate& candidate : targets_[t].running) propose(t, targets_[t], candidate);
    }
    if (round_.size() > 0 && !round_.ask(judge_, control_)) return false;
    for (const Node t : active) {
      for (Candidate& candidate : targets_[t].running) take_answers(candidate);
      drop_separated(targets_[t]);
      proceed(targets_[t]);
    }
    return true;
  }

  void take_answers(Candidate& candidate) {
    const std::size_t end = candidate.first_question + candidate.n_questions;
    for (std::size_t at = candidate.first_question; at < end && !candidate.is_separated; ++at) {
      const Answer& answer = round_.answer(at);
      count_test(round_.given(at).size(), answer);
      if (!answer.refused) candidate.weakest = std::min(candidate.weakest, answer.association);
      candidate.is_separated = answer.independent;
    }
  }

  std::size_t n_;
  Judge& judge_;
  const ArcRules& rules_;
  MmpcOptions options_;
  Control& control_;
  std::vector<Target> targets_;
  std::vector<std::uint64_t> tests_;
  std::vector<std::uint64_t> refused_;
  QuestionRound round_;
};

}  // namespace

MmpcResult max_min_neighbours(Judge& judge, const ArcRules& rules, const MmpcOptions& options,
                              Control& control) {
  return Race(judge, rules, options, control).run();
}

}  // namespace credenet
