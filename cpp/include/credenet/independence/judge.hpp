#pragma once

#include <cstdint>
#include <span>

#include "credenet/graphs/adjacency.hpp"
#include "credenet/util/control.hpp"

namespace credenet {

// Is x independent of y given a set? `given` is ascending and holds neither of them.
struct Question {
  Node x = 0;
  Node y = 0;
  std::span<const Node> given;
};

struct Answer {
  // The strength of the evidence against independence. It is comparable between all questions of
  // one judge.
  double association = 0;
  bool independent = false;
  // Whether the judge had too few rows to judge. Such an answer is neither for nor against
  // independence, and the variables do not count as independent.
  bool refused = false;
};

// Answers questions of conditional independence: by a test on data, by d-separation in a known
// graph, or by a function of the caller.
class Judge {
 public:
  Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;

  [[nodiscard]] virtual std::size_t n_variables() const = 0;

  // One answer to each question, the same on any number of threads and whatever the other
  // questions are. The control is polled with the questions done; false if it stopped the work,
  // and then no answer counts.
  [[nodiscard]] virtual bool answer(std::span<const Question> questions, std::span<Answer> answers,
                                    Control& control) = 0;
};

}  // namespace credenet
