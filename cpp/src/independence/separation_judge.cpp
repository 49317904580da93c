#include "credenet/independence/separation_judge.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "credenet/graphs/reachability.hpp"

namespace credenet {

bool SeparationJudge::answer(std::span<const Question> questions, std::span<Answer> answers,
                             Control& control) {
  assert(questions.size() == answers.size());
  const Question* before = nullptr;
  // Nodes connected to x given the set of the question before.
  std::vector<std::uint8_t> connected;
  for (std::size_t at = 0; at < questions.size(); ++at) {
    const Question& question = questions[at];
    if (before == nullptr || before->x != question.x ||
        !std::ranges::equal(before->given, question.given)) {
      connected = d_connected(graph_, std::span(&question.x, 1), question.given);
      if (!control.poll({.done = at, .total = questions.size()})) return false;
    }
    before = &question;
    const bool is_connected = connected[static_cast<std::size_t>(question.y)] != 0;
    answers[at] = {.association = is_connected ? 1.0 : 0.0, .independent = !is_connected};
  }
  return true;
}

}  // namespace credenet
