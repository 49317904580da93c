#include "credenet/posterior/all_families.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "small_data.hpp"
#include "stop_at.hpp"

using credenet::ChildRules;
using credenet::NoControl;
using credenet::Random;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::WeightTable;

namespace {

using Data = SmallData<std::uint8_t>;

std::vector<ChildRules> rules_of(std::size_t n, Random& random) {
  std::vector<ChildRules> rules(n);
  for (std::size_t child = 0; child < n; ++child) {
    for (std::uint16_t parent = 0; parent < n; ++parent) {
      if (parent == child) continue;
      const std::uint64_t drawn = random.below(8);
      if (drawn == 0) rules[child].required.push_back(parent);
      if (drawn > 1) rules[child].candidates.push_back(parent);
    }
    rules[child].max_parents =
        std::max<std::size_t>(rules[child].required.size(), n - 1 - child % 2);
    std::vector<double> factors;
    for (std::size_t size = 0; size <= rules[child].max_parents; ++size) {
      factors.push_back(-0.3 * static_cast<double>(size * size));
    }
    rules[child].log_factors = credenet::SizeFactors(factors);
    if (child > 0) rules[child].expert.push_back(0);
    rules[child].log_kappa = -0.2;
  }
  return rules;
}

// Checks the scores against the families that are scored one by one.
void check_scores(Random& random, const Score* kind, int weights, bool has_many_states) {
  const std::size_t n = 2 + random.below(6);
  Data data(10 + random.below(60), n, 2 + random.below(3), 0.6, random);
  if (weights == 1) data.draw_weights(random);
  if (weights == 2) {
    for (std::size_t row = 0; row < data.n_rows; ++row) {
      data.weights.push_back(static_cast<double>(1 + random.below(3)));
    }
  }
  std::vector<std::int32_t> n_states(n, 4);
  for (std::size_t variable = 0; has_many_states && variable < n; ++variable) {
    n_states[variable] = static_cast<std::int32_t>(1001 + 2 * random.below(5000));
  }
  const ScoreSettings settings{kind, 2.0, n_states};
  const std::vector<ChildRules> rules = rules_of(n, random);
  const RowTable rows(data.codes.data(), data.n_rows, n, data.weights);
  NoControl control;
  WeightTable found(n);
  CHECK(score_all_families(rows, settings, rules, 2, control, found));
  credenet::FamilyOptions options;
  options.prune = false;
  const credenet::Families expected = score_families(rows, settings, rules, options, control);
  for (std::size_t child = 0; child < n; ++child) {
    const auto& families = expected.children[child];
    std::size_t n_finite = 0;
    for (const double score : found.of(child)) n_finite += std::isfinite(score) ? 1U : 0U;
    CHECK(n_finite == families.scores.size());
    for (std::size_t at = 0; at < families.scores.size(); ++at) {
      std::uint32_t set = 0;
      for (auto place = families.offsets[at]; place < families.offsets[at + 1]; ++place) {
        set |= credenet::bit_of(
            static_cast<std::size_t>(families.parents[static_cast<std::size_t>(place)]));
      }
      const double score = found.of(child)[credenet::without(set, child)];
      CHECK(std::abs(score - families.scores[at]) <= 1e-10 * (1 + std::abs(score)));
    }
  }
}

void check_stop(Random& random) {
  const Data data(50, 9, 3, 0.5, random);
  const std::vector<std::int32_t> n_states(9, 3);
  const ScoreSettings settings{&credenet::scores::bdeu, 1.0, n_states};
  const RowTable rows(data.codes.data(), data.n_rows, 9, {});
  StopAt control(3);
  WeightTable found(9);
  CHECK(!score_all_families(rows, settings, rules_of(9, random), 1, control, found));
}

}  // namespace

int main() {
  Random random(3);
  for (const Score* kind :
       {&credenet::scores::bdeu, &credenet::scores::bic, &credenet::scores::aic,
        &credenet::scores::mdl, &credenet::scores::k2, &credenet::scores::jeffreys,
        &credenet::scores::fnml, &credenet::scores::qnml, &credenet::scores::log_likelihood}) {
    for (int trial = 0; trial < 12; ++trial) check_scores(random, kind, trial % 3, false);
  }
  // The products of the numbers of states are too long for a double.
  for (int trial = 0; trial < 12; ++trial)
    check_scores(random, &credenet::scores::bdeu, trial % 3, true);
  check_stop(random);
}
