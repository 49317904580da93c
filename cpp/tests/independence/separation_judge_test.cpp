#include "credenet/independence/separation_judge.hpp"

#include <vector>

#include "check.hpp"
#include "graphs/random_graphs.hpp"
#include "stop_at.hpp"

using namespace credenet;

int main() {
  EdgeList edges;  // The graph is 0 -> 2 <- 1, 2 -> 3.
  edges.add(0, 2);
  edges.add(1, 2);
  edges.add(2, 3);
  const Digraph graph(4, edges.view());
  SeparationJudge judge(graph);
  const std::vector<Node> two{2};
  const std::vector<Node> three{3};
  const std::vector<Question> questions{
      {0, 1, {}}, {0, 1, two}, {0, 1, three}, {0, 3, {}}, {0, 3, two}};
  const std::vector<bool> expected{true, false, false, false, true};
  std::vector<Answer> answers(questions.size());
  NoControl control;
  CHECK(judge.answer(questions, answers, control));
  for (std::size_t at = 0; at < answers.size(); ++at) {
    CHECK(answers[at].independent == expected[at]);
    CHECK((answers[at].association > 0) != expected[at]);
  }
  StopAt stop(1);
  CHECK(!judge.answer(questions, answers, stop));
  return 0;
}
