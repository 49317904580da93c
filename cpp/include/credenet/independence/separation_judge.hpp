#pragma once

#include "credenet/independence/judge.hpp"

namespace credenet {

// Answers by d-separation in a DAG: the truth that tests on data of that network approach.
class SeparationJudge final : public Judge {
 public:
  explicit SeparationJudge(const Digraph& graph) : graph_(graph) {}

  [[nodiscard]] std::size_t n_variables() const override { return graph_.n_nodes(); }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override;

 private:
  const Digraph& graph_;
};

}  // namespace credenet
