#pragma once

#include <memory>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/independence/independence_test.hpp"
#include "credenet/independence/judge.hpp"

namespace credenet {

// Answers by a test on data.
class DataJudge final : public Judge {
 public:
  // Takes the numbers of states that count for the test (IndependenceTest): by default those
  // observed.
  DataJudge(const CountSource& source, std::span<const std::int32_t> n_states,
            const TestSettings& settings, unsigned n_threads);

  [[nodiscard]] std::size_t n_variables() const override { return source_.n_variables(); }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override;

  // Whether there are too few rows for each cell to judge a question.
  [[nodiscard]] bool refuses(const Question& question) const {
    return workers_[0]->test.refuses(question);
  }

  // The outcome of the test of each question, with the statistic of a test that is refused;
  // otherwise as `answer`, which does not count the rows of such tests.
  [[nodiscard]] bool evidence(std::span<const Question> questions, std::span<Evidence> found,
                              Control& control);

 private:
  // The place of a question in the order of work: by conditioning set (the first four members in
  // one word), then by tile of second variables, then by first variable.
  struct Place {
    std::uint64_t given = 0;
    std::uint64_t pair = 0;
    std::uint32_t question = 0;
  };
  struct Worker {
    std::unique_ptr<BatchCounter> counter;
    IndependenceTest test;
    SetBatch sets;
  };

  [[nodiscard]] std::vector<Place> order_of(std::span<const Question> questions) const;
  template <typename Visit>
  [[nodiscard]] bool judge_all(std::span<const Question> questions, std::vector<Place> places,
                               Control& control, Visit&& visit);
  template <typename Visit>
  void judge(Worker& worker, std::span<const Question> questions, std::span<const Place> places,
             Visit&& visit);

  const CountSource& source_;
  unsigned n_threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace credenet
