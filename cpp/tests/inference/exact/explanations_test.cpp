#include "credenet/inference/exact/explanations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "stop_at.hpp"

using credenet::Explanation;
using credenet::NoControl;
using credenet::Random;

namespace {

using States = std::vector<std::int32_t>;  // State of each target; -1 if nothing is said of it.

struct Problem {
  States n_states;
  std::vector<double> prior, posterior;

  explicit Problem(Random& random) {
    std::size_t cells = 1;
    for (std::uint64_t target = 0, n = 1 + random.below(4); target < n; ++target) {
      n_states.push_back(static_cast<std::int32_t>(1 + random.below(3)));
      cells *= static_cast<std::size_t>(n_states.back());
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const bool is_last = cell + 1 == cells;  // At least the last cell is possible.
      prior.push_back(random.below(4) == 0 && !is_last ? 0.0 : random.uniform());
      posterior.push_back(random.below(3) == 0 && !is_last ? 0.0 : prior.back() * random.uniform());
    }
    for (auto* table : {&prior, &posterior}) {
      const double sum = std::accumulate(table->begin(), table->end(), 0.0);
      for (double& value : *table) value /= sum;
    }
  }

  // The probability of the states, or of all others, by going through all cells.
  [[nodiscard]] double sum(const std::vector<double>& table, const States& states,
                           bool of_others) const {
    double total = 0;
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
      bool agrees = true;
      std::size_t rest = cell;
      for (std::size_t target = n_states.size(); target-- > 0;) {
        const auto size = static_cast<std::size_t>(n_states[target]);
        const auto state = static_cast<std::int32_t>(rest % size);
        agrees = agrees && (states[target] < 0 || states[target] == state);
        rest /= size;
      }
      if (agrees != of_others) total += table[cell];
    }
    return total;
  }

  // The Bayes factor of the states; not positive if they are no explanation.
  [[nodiscard]] double factor(const States& states) const {
    const double not_prior = sum(prior, states, true);
    const double not_posterior = sum(posterior, states, true);
    if (std::ranges::max(states) < 0 || sum(prior, states, false) == 0 || not_prior == 0) return -1;
    if (sum(posterior, states, false) == 0) return 0;
    if (not_posterior == 0) return std::numeric_limits<double>::infinity();
    return sum(posterior, states, false) / sum(prior, states, false) / (not_posterior / not_prior);
  }
};

bool is_part(const States& part, const States& whole) {
  for (std::size_t target = 0; target < part.size(); ++target) {
    if (part[target] >= 0 && part[target] != whole[target]) return false;
  }
  return part != whole;
}

void check(const Problem& problem) {
  std::vector<States> all;
  std::vector<double> factors;
  States states(problem.n_states.size(), -1);
  for (bool more = true; more;) {
    all.push_back(states);
    factors.push_back(problem.factor(states));
    more = false;
    for (std::size_t target = states.size(); target-- > 0 && !more;) {
      more = ++states[target] < problem.n_states[target];
      if (!more) states[target] = -1;
    }
  }
  std::vector<double> expected;
  for (std::size_t at = 0; at < all.size(); ++at) {
    bool is_minimal = factors[at] > 0;
    for (std::size_t other = 0; other < all.size() && is_minimal; ++other) {
      if (is_part(all[other], all[at]) && factors[other] >= factors[at] * (1 - 1e-9)) {
        is_minimal = false;
      }
      if (is_part(all[at], all[other]) && factors[other] > factors[at] * (1 + 1e-9)) {
        is_minimal = false;
      }
    }
    if (is_minimal) expected.push_back(factors[at]);
  }
  std::ranges::sort(expected, std::greater{});
  for (const std::size_t k : {std::size_t{2}, all.size()}) {
    NoControl no_control;
    std::vector<Explanation> found;
    CHECK(explanations(problem.n_states, problem.prior, problem.posterior, k, no_control, found));
    CHECK(found.size() == std::min(k, expected.size()));
    for (std::size_t at = 0; at < found.size(); ++at) {
      const double factor = problem.factor(found[at].states);
      CHECK(std::isinf(factor) ? found[at].bayes_factor == factor
                               : std::abs(found[at].bayes_factor - factor) <= 1e-9 * factor);
      CHECK(std::isinf(factor) ? std::isinf(expected[at])
                               : std::abs(expected[at] - factor) <= 1e-9 * factor);
    }
  }
}

}  // namespace

int main() {
  Random random(6);
  for (int repeat = 0; repeat < 500; ++repeat) check(Problem(random));
  const Problem problem(random);
  StopAt at_once(1);
  std::vector<Explanation> found;
  CHECK(!explanations(problem.n_states, problem.prior, problem.posterior, 1, at_once, found));
  const States n_states{2, 3};
  CHECK(credenet::explanation_bytes(n_states) == 12.0 * 33);
  return 0;
}
