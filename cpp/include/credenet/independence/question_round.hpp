#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "credenet/independence/judge.hpp"

namespace credenet {

// Questions that are asked together, with their answers. The sets that they speak of lie in one
// array, which grows while they are listed.
class QuestionRound {
 public:
  void clear() {
    questions_.clear();
    members_.clear();
    ends_.clear();
  }

  // The members of the set of the next question are added here, ascending; close ends the set. Of
  // the pair the question names the smaller variable first.
  [[nodiscard]] std::vector<Node>& members() { return members_; }
  void close(Node x, Node y) {
    questions_.push_back({std::min(x, y), std::max(x, y), {}});
    ends_.push_back(members_.size());
  }
  void add(Node x, Node y, std::span<const Node> given) {
    members_.insert(members_.end(), given.begin(), given.end());
    close(x, y);
  }

  // Calls ask(questions, answers), which fills in the answers; false if that is stopped.
  template <typename Ask>
  [[nodiscard]] bool ask(Ask&& ask) {
    for (std::size_t at = 0; at < questions_.size(); ++at) {
      const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
      questions_[at].given = std::span(members_).subspan(begin, ends_[at] - begin);
    }
    answers_.resize(questions_.size());
    return ask(std::span<const Question>(questions_), std::span<Answer>(answers_));
  }
  [[nodiscard]] bool ask(Judge& judge, Control& control) {
    return ask([&](std::span<const Question> questions, std::span<Answer> answers) {
      return judge.answer(questions, answers, control);
    });
  }

  [[nodiscard]] std::size_t size() const { return questions_.size(); }
  [[nodiscard]] std::span<const Node> given(std::size_t at) const { return questions_[at].given; }
  [[nodiscard]] const Answer& answer(std::size_t at) const { return answers_[at]; }

 private:
  std::vector<Question> questions_;
  std::vector<Node> members_;
  std::vector<std::size_t> ends_;  // End of the set of each question among the members.
  std::vector<Answer> answers_;
};

}  // namespace credenet
