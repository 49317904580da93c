#include "credenet/families/parent_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "check.hpp"
#include "credenet/counts/row_counter.hpp"
#include "small_data.hpp"

using credenet::make_scorer;
using credenet::ParentStates;
using credenet::Random;
using credenet::RowCounter;
using credenet::RowTable;
using credenet::Score;
using credenet::ScoreSettings;
using credenet::SetScorer;
using credenet::SetTerms;

namespace {

using Variables = std::vector<std::uint16_t>;
using Data = SmallData<std::uint8_t>;

constexpr std::size_t kVariables = 8;
constexpr std::uint16_t kChild = 7;

// The scores of the last variable: all others are parents or may be, and every subset of them is
// scored once.
class AllScores {
 public:
  AllScores(const RowTable& rows, const ScoreSettings& settings)
      : owned_(make_scorer(settings, rows)), counter_(rows), n_states_(settings.n_states) {
    for (unsigned bits = 0; bits < 2U << kChild; ++bits) scorer.prepare(members(bits));
    for (unsigned bits = 0; bits < 2U << kChild; ++bits) {
      terms.push_back(scorer.evaluate(counter_, members(bits)));
    }
    for (unsigned bits = 0; bits < 1U << kChild; ++bits) {
      scores.push_back(scorer.score(counted(bits)));
    }
  }

  [[nodiscard]] static Variables members(unsigned bits) {
    Variables found;
    for (std::uint16_t variable = 0; variable < kVariables; ++variable) {
      if ((bits >> variable & 1) != 0) found.push_back(variable);
    }
    return found;
  }
  [[nodiscard]] double product(unsigned bits) const {
    double result = 1;
    for (const std::uint16_t variable : members(bits)) result *= n_states_[variable];
    return result;
  }
  [[nodiscard]] const SetTerms& family(unsigned bits) const { return terms[bits | 1U << kChild]; }
  [[nodiscard]] credenet::CountedFamily counted(unsigned bits) const {
    return {kChild, members(bits).size(), product(bits), family(bits), terms[bits]};
  }
  // The best score of a proper superset with members of allowed only.
  [[nodiscard]] double best_superset(unsigned bits, unsigned allowed) const {
    double best = -std::numeric_limits<double>::infinity();
    for (unsigned other = 0; other < 1U << kChild; ++other) {
      if ((other & bits) == bits && other != bits && (other & ~(bits | allowed)) == 0) {
        best = std::max(best, scores[other]);
      }
    }
    return best;
  }

 private:
  std::unique_ptr<SetScorer> owned_;

 public:
  SetScorer& scorer = *owned_;
  std::vector<SetTerms> terms;  // Terms by the bits of the set, the child included.
  std::vector<double> scores;   // Scores by the bits of the parents.

 private:
  RowCounter counter_;
  std::span<const std::int32_t> n_states_;
};

double below(double bound) { return bound + 1e-9 * std::max(1.0, std::abs(bound)); }

// Checks some required parents, the others in a random order.
void check_states(const AllScores& all, const RowTable& rows, Random& random, std::size_t& checked,
                  std::size_t& closed) {
  Variables order{0, 1, 2, 3, 4, 5, 6};
  for (std::size_t at = order.size(); at > 1; --at) {
    std::swap(order[at - 1], order[random.below(at)]);
  }
  const Variables required(order.begin(), order.begin() + static_cast<int>(random.below(2)));
  order.erase(order.begin(), order.begin() + static_cast<int>(required.size()));
  ParentStates states(rows, all.scorer, kChild, required, order);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const std::size_t chosen = random.below(std::size_t{1} << order.size());
    Variables places;
    unsigned bits = 0;
    for (const std::uint16_t variable : required) bits |= 1U << variable;
    for (std::uint16_t place = 0; place < order.size(); ++place) {
      if ((chosen >> place & 1) == 0) continue;
      places.push_back(place);
      bits |= 1U << order[place];
    }
    states.choose(places);
    CHECK(std::abs(states.score() - all.scores[bits]) <
          1e-9 * std::max(1.0, std::abs(all.scores[bits])));
    const std::size_t tail = places.empty() ? 0 : places.back() + std::size_t{1};
    if (tail == order.size()) continue;
    unsigned later = 0;
    for (std::size_t place = tail; place < order.size(); ++place) later |= 1U << order[place];
    const double best = all.best_superset(bits, later);
    const double tight = states.superset_bound(tail, -std::numeric_limits<double>::infinity());
    CHECK(tight >= best - 1e-9 * std::max(1.0, std::abs(best)));
    // Whatever the cells alone prune is pruned, and sometimes more.
    const double simple = all.scorer.bound(all.counted(bits), 0, false);
    CHECK(tight <= below(simple));
    const double least = simple - 0.5 * (simple - best);
    const bool is_closed = states.superset_bound(tail, least) < least;
    CHECK(is_closed == (tight < least));
    ++checked;
    closed += is_closed ? 1U : 0U;
  }
}

}  // namespace

int main() {
  Random random(7);
  std::size_t checked = 0;
  std::size_t closed = 0;
  std::size_t n_simple = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t n_rows = 1 + random.below(repeat % 2 == 0 ? 40 : 200);
    Data data(n_rows, kVariables, 2 + random.below(2), 0.7 * random.uniform(), random);
    const bool weighted = repeat % 3 == 0;
    if (weighted) data.draw_weights(random);
    const double scale = repeat % 2 == 0 ? 1 : 0.2;
    for (double& weight : data.weights) weight *= scale;
    if (weighted) data.weights[0] = 1;
    std::vector<std::int32_t> n_states(kVariables);
    for (std::int32_t& states : n_states) states = static_cast<std::int32_t>(3 + random.below(2));
    const RowTable rows(data.codes.data(), data.n_rows, data.n_variables, data.weights);
    const double ess = std::exp(4 * random.uniform() - 1);
    for (const Score* kind :
         {&credenet::scores::bdeu, &credenet::scores::k2, &credenet::scores::jeffreys,
          &credenet::scores::bds, &credenet::scores::bic, &credenet::scores::aic,
          &credenet::scores::mdl, &credenet::scores::fnml, &credenet::scores::qnml}) {
      const ScoreSettings settings{kind, ess, n_states};
      const AllScores all(rows, settings);
      const bool normalised = kind == &credenet::scores::fnml || kind == &credenet::scores::qnml;
      if (normalised && weighted) continue;
      const unsigned everything = (1U << kChild) - 1;
      const double most_likelihood =
          all.scorer.abilities().has_likelihood
              ? all.family(everything).joint - all.terms[everything].joint
              : 0;
      for (unsigned bits = 0; bits < everything; ++bits) {
        const double bound = all.scorer.bound(all.counted(bits), most_likelihood, true);
        CHECK(std::isfinite(bound) || rows.total() <= 1);
        CHECK(std::max(all.scores[bits], all.best_superset(bits, everything)) <= below(bound));
        ++n_simple;
        if (normalised) {
          CHECK(all.scorer.bound(all.counted(bits), 0, false) ==
                std::numeric_limits<double>::infinity());
        }
      }
      if (!all.scorer.abilities().is_dirichlet()) continue;
      for (int turn = 0; turn < 4; ++turn) check_states(all, rows, random, checked, closed);
    }
  }
  CHECK(n_simple > 50'000);
  CHECK(checked > 5'000);
  CHECK(closed * 4 > checked);
  return 0;
}
