// A round of questions is sorted so that those with the same conditioning set, and among them those
// with the same first variable, are neighbours: the counter then has the bits or keys of the
// beginning of a set at hand and pays for the last variable only. Second variables come in tiles of
// 32, whose bits stay in the second-level cache while the first variables pass: for the empty
// conditioning set this is a blocked product of bit matrices. Workers take blocks of neighbours; on
// long data a block is counted on some thousand rows before the next rows are fetched.
#include "credenet/independence/data_judge.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kTile = 32;            // Second variables of a tile.
constexpr std::size_t kPackedMembers = 4;    // Members of a conditioning set that fit in a word.
constexpr std::size_t kMostQuestions = 512;  // Most questions of a block.
constexpr std::size_t kMostCells = std::size_t{1} << 19;  // Most cells of the tables of a block.

// Questions in a block: many, as neighbours share work, but enough blocks for all workers, and each
// done in a moment.
std::size_t block_size(std::size_t n_questions, std::size_t n_rows, unsigned n_threads) {
  // Rows times questions of a block that take a moment.
  constexpr std::size_t kRowsAMoment = 400'000'000;
  const std::size_t share =
      n_threads == 1 ? n_questions : n_questions / (std::size_t{4} * n_threads);
  return std::clamp<std::size_t>(std::min(share, kRowsAMoment / std::max<std::size_t>(n_rows, 1)),
                                 16, kMostQuestions);
}

Question ordered(const Question& question) {
  return {std::min(question.x, question.y), std::max(question.x, question.y), question.given};
}

}  // namespace

DataJudge::DataJudge(const CountSource& source, std::span<const std::int32_t> n_states,
                     const TestSettings& settings, unsigned n_threads)
    : source_(source), n_threads_(std::max(n_threads, 1U)) {
  std::vector<std::int32_t> states(n_states.begin(), n_states.end());
  for (std::size_t variable = states.size(); variable < source.n_variables(); ++variable) {
    states.push_back(static_cast<std::int32_t>(source.n_observed(variable)));
  }
  for (unsigned worker = 0; worker < n_threads_; ++worker) {
    workers_.push_back(std::make_unique<Worker>(
        Worker{source.counter(), IndependenceTest(settings, states, source.total()), {}}));
  }
}

std::vector<DataJudge::Place> DataJudge::order_of(std::span<const Question> questions) const {
  std::vector<Place> places(questions.size());
  for (std::size_t at = 0; at < questions.size(); ++at) {
    const Question question = ordered(questions[at]);
    std::uint64_t given = 0;
    for (std::size_t member = 0; member < kPackedMembers; ++member) {
      // Sets that are shorter come first.
      const bool ends = member >= question.given.size();
      given = given << 16 | (ends ? 0 : static_cast<std::uint64_t>(question.given[member]) + 1);
    }
    const auto x = static_cast<std::uint64_t>(question.x);
    const auto y = static_cast<std::uint64_t>(question.y);
    places[at] = {given, (y / kTile) << 32 | x << 16 | y, static_cast<std::uint32_t>(at)};
  }
  parallel_sort(places, n_threads_, [&](const Place& a, const Place& b) {
    if (a.given != b.given) return a.given < b.given;
    const auto& of_a = questions[a.question].given;
    const auto& of_b = questions[b.question].given;
    if (std::max(of_a.size(), of_b.size()) > kPackedMembers) {
      const auto order = std::lexicographical_compare_three_way(of_a.begin(), of_a.end(),
                                                                of_b.begin(), of_b.end());
      if (order != 0) return order < 0;
    }
    return a.pair != b.pair ? a.pair < b.pair : a.question < b.question;
  });
  return places;
}

bool DataJudge::answer(std::span<const Question> questions, std::span<Answer> answers,
                       Control& control) {
  assert(questions.size() == answers.size());
  if (!control.poll({.done = 0, .total = questions.size()})) return false;
  std::vector<Place> places = order_of(questions);
  std::erase_if(places, [&](const Place& place) {
    const bool refused = refuses(questions[place.question]);
    if (refused) answers[place.question] = {.refused = true};
    return refused;
  });
  const auto visit = [&](std::size_t question, const Evidence& found) {
    answers[question] = found.answer;
  };
  return places.empty() || judge_all(questions, std::move(places), control, visit);
}

bool DataJudge::evidence(std::span<const Question> questions, std::span<Evidence> found,
                         Control& control) {
  assert(questions.size() == found.size());
  if (!control.poll({.done = 0, .total = questions.size()})) return false;
  const auto visit = [&](std::size_t question, const Evidence& evidence) {
    found[question] = evidence;
  };
  return judge_all(questions, order_of(questions), control, visit);
}

template <typename Visit>
bool DataJudge::judge_all(std::span<const Question> questions, std::vector<Place> places,
                          Control& control, Visit&& visit) {
  const std::size_t most =
      std::max(block_size(questions.size(), source_.n_rows(), n_threads_), source_.sets_at_once());
  const std::size_t most_cells = kMostCells * (source_.sets_at_once() > 1 ? 8 : 1);
  std::vector<std::size_t> begins{0};
  double n_cells = 0;
  for (std::size_t at = 0; at < places.size(); ++at) {
    const Question& question = questions[places[at].question];
    double cells = static_cast<double>(source_.n_observed(static_cast<std::size_t>(question.x))) *
                   source_.n_observed(static_cast<std::size_t>(question.y));
    for (const Node variable : question.given) {
      cells *= source_.n_observed(static_cast<std::size_t>(variable));
    }
    n_cells += cells;
    if (at > begins.back() &&
        (at - begins.back() >= most || n_cells > static_cast<double>(most_cells))) {
      begins.push_back(at);
      n_cells = cells;
    }
  }
  begins.push_back(places.size());

  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> n_done{0};
  parallel_blocks(begins.size() - 1, n_threads_, stop, [&](std::size_t block, unsigned worker) {
    const std::size_t n_questions = begins[block + 1] - begins[block];
    judge(*workers_[worker], questions, std::span(places).subspan(begins[block], n_questions),
          visit);
    n_done += n_questions;
    if (worker == 0 && !control.poll({.done = n_done, .total = questions.size()})) stop = true;
  });
  return !stop;
}

template <typename Visit>
void DataJudge::judge(Worker& worker, std::span<const Question> questions,
                      std::span<const Place> places, Visit&& visit) {
  worker.sets.clear();
  for (const Place& place : places) {
    const Question question = ordered(questions[place.question]);
    for (const Node variable : question.given) {
      worker.sets.push_back(static_cast<std::uint16_t>(variable));
    }
    worker.sets.push_back(static_cast<std::uint16_t>(question.x));
    worker.sets.push_back(static_cast<std::uint16_t>(question.y));
    worker.sets.close();
  }
  std::size_t next = 0;  // Next question to be started.
  const auto go_to = [&](std::size_t end) {
    for (; next < end; ++next) {
      if (next > 0) visit(places[next - 1].question, worker.test.finish());
      if (next < places.size()) worker.test.start(ordered(questions[places[next].question]));
    }
  };
  worker.counter->count_strata(worker.sets, [&](std::size_t at, const auto& table) {
    go_to(at + 1);
    const Question question = ordered(questions[places[at].question]);
    worker.test.add(table, source_.n_observed(static_cast<std::size_t>(question.x)),
                    source_.n_observed(static_cast<std::size_t>(question.y)));
  });
  go_to(places.size() + 1);
}

}  // namespace credenet
