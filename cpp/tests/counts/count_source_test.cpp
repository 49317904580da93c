// The test checks that a source that has no rows gives every user of counts the answers that rows
// in memory give.
#include "credenet/counts/count_source.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "check.hpp"
#include "counts/packed_blocks.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/independence/data_judge.hpp"
#include "credenet/local/chow_liu.hpp"
#include "credenet/local/hill_climb.hpp"
#include "families/family_helpers.hpp"
#include "small_data.hpp"

using namespace credenet;

namespace {

using Data = SmallData<std::uint8_t>;

// Counts the slow way: one table in a block, and strata in blocks of one stratum.
class SlowCounter final : public BatchCounter {
 public:
  SlowCounter(const CountSource& source, const Data& data)
      : BatchCounter(source), source_(source), data_(data) {}

 private:
  void fill(const SetBatch& sets, TableShape shape, BatchPlace& place, TableBlock& block) override {
    const auto variables = sets[place.set];
    std::vector<double> table(1, source_.total());
    for (const std::uint16_t variable : variables) {
      table.resize(table.size() * source_.n_observed(variable));
    }
    if (!variables.empty()) std::ranges::fill(table, 0.0);
    for (const auto& [cell, count] : data_.counts(variables)) {
      std::size_t at = 0;
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const auto codes = source_.observed(variables[k]);
        const auto state = std::ranges::lower_bound(codes, cell[k]) - codes.begin();
        at = at * codes.size() + static_cast<std::size_t>(state);
      }
      table[at] = count;
    }
    const std::size_t whole = table.size();
    std::size_t size = whole;
    if (shape == TableShape::kStrata) {
      size = std::size_t{source_.n_observed(variables.end()[-2])} *
             source_.n_observed(variables.back());
      table.erase(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(place.part));
      table.resize(size);
    }
    if (shape == TableShape::kOccupied && !variables.empty()) std::erase(table, 0.0);
    block.tables.assign(1, {place.set, 0, table.size()});
    block.counts.assign(table.begin(), table.end());
    block.weighted_counts = std::move(table);
    place.part += size;
    if (place.part >= whole) place = {place.set + 1, 0};
  }

  const CountSource& source_;
  const Data& data_;
};

class SlowSource final : public CountSource {
 public:
  explicit SlowSource(const Data& data) : data_(data) {
    for (std::uint16_t variable = 0; variable < data.n_variables; ++variable) {
      std::vector<std::uint16_t>& codes = observed_.emplace_back();
      for (const auto& [cell, count] : data.counts({&variable, 1})) {
        codes.push_back(static_cast<std::uint16_t>(cell[0]));
      }
      n_observed_.push_back(static_cast<std::uint32_t>(codes.size()));
    }
    n_rows_ = data.n_rows;
    for (std::size_t row = 0; row < data.n_rows; ++row) total_ += data.weight(row);
    is_weighted_ = !data.weights.empty();
  }
  [[nodiscard]] std::unique_ptr<BatchCounter> counter() const override {
    return std::make_unique<SlowCounter>(*this, data_);
  }

 private:
  const Data& data_;
};

void check_families(const CountSource& rows, const CountSource& slow,
                    const std::vector<std::int32_t>& n_states) {
  const std::vector<ChildRules> rules = free_rules(n_states.size(), 3);
  NoControl no_control;
  for (const Score* kind : kKinds) {
    const ScoreSettings settings{kind, kEss, n_states};
    FamilyOptions options;
    options.n_threads = 2;
    const Families expected = score_families(rows, settings, rules, options, no_control);
    CHECK(same(score_families(slow, settings, rules, options, no_control), expected));
  }
  // Without rows the search ends where a level does not fit.
  const ScoreSettings settings{&credenet::scores::bdeu, kEss, n_states};
  FamilyOptions options;
  options.slack = 1000;
  options.max_bytes = 10'000;
  CHECK(score_families(slow, settings, rules, options, no_control).status == Status::kMemoryLimit);
}

void check_tests(const CountSource& rows, const CountSource& slow, Random& random) {
  std::vector<std::vector<Node>> sets(40);
  std::vector<Question> questions;
  for (auto& given : sets) {
    for (const auto variable : random_variables(rows.n_variables(), 0.4, random)) {
      if (variable > 1) given.push_back(variable);
    }
    questions.push_back({0, 1, given});
  }
  const auto answers_of = [&](const CountSource& source) {
    DataJudge judge(source, {}, {.kind = TestKind::kG2, .threshold = 0.05}, 2);
    std::vector<Answer> answers(questions.size());
    NoControl no_control;
    CHECK(judge.answer(questions, answers, no_control));
    return answers;
  };
  CHECK(
      std::ranges::equal(answers_of(slow), answers_of(rows), [](const Answer& a, const Answer& b) {
        return a.independent == b.independent && a.association == b.association;
      }));
}

void check_local(const CountSource& rows, const CountSource& slow,
                 const std::vector<std::int32_t>& n_states) {
  const std::vector<ChildRules> rules = free_rules(n_states.size(), 3);
  const auto climbed = [&](const CountSource& source) {
    DataScores scores(source, {&credenet::scores::bdeu, kEss, n_states}, rules, 2, 1e9);
    NoControl no_control;
    return hill_climb(scores, ParentSets(n_states.size()), {}, no_control);
  };
  CHECK(climbed(slow).parents == climbed(rows).parents);
  CHECK(climbed(slow).score == climbed(rows).score);
  NoControl no_control;
  const ChowLiuTree tree = chow_liu(slow, 0, {}, 2, no_control);
  CHECK(tree.parents == chow_liu(rows, 0, {}, 2, no_control).parents);
  CHECK(tree.information == chow_liu(rows, 0, {}, 2, no_control).information);
}

}  // namespace

int main() {
  Random random(3);
  for (const bool weighted : {false, true}) {
    Data data(60, 6, 3, 0.7, random);
    if (weighted) data.draw_weights(random);
    const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
    const SlowSource slow(data);
    const std::vector<std::int32_t> n_states(data.n_variables, 4);
    CHECK(slow.rows() == nullptr && rows.rows() == &rows);
    check_families(rows, slow, n_states);
    check_tests(rows, slow, random);
    check_local(rows, slow, n_states);
    if (weighted) continue;
    const PackedBlocks packed(data, 512, false);
    const BlockTable blocks = packed.table();
    check_families(rows, blocks, n_states);
    check_tests(rows, blocks, random);
    check_local(rows, blocks, n_states);
  }
  return 0;
}
