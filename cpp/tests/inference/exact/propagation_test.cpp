#include "credenet/inference/exact/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "check.hpp"
#include "credenet/inference/exact/predict.hpp"
#include "inference/random_query.hpp"
#include "stop_at.hpp"

using credenet::Evidence;
using credenet::Marginalisation;
using credenet::NoControl;
using credenet::Propagation;
using credenet::PropagationLayout;
using credenet::QueryShape;
using credenet::Random;

namespace {

struct Truth {
  double largest = -INFINITY;
  double total = 0;  // Sum relative to the largest product.
  std::vector<double> marginals;
  // Whether a state is possible; its probability may still be 0 as a double.
  std::vector<std::uint8_t> possible;
  std::vector<double> pairs;  // Probabilities of the first and the last free variable together.

  explicit Truth(const Case& query)
      : marginals(query.likelihoods.size(), 0), possible(query.likelihoods.size(), 0) {
    const auto free = query.free();
    for (const bool is_second : {false, true}) {
      std::vector<std::int32_t> row(query.size(), 0);
      if (is_second && !free.empty()) {
        pairs.assign(query.factors.view().states_of(free.front()) *
                         query.factors.view().states_of(free.back()),
                     0);
      }
      for (bool more = true; more;) {
        const double weight = query.log_weight(row);
        if (!is_second) {
          largest = std::max(largest, weight);
        } else if (weight > -INFINITY) {
          const double value = std::exp(weight - largest);
          total += value;
          for (std::size_t variable = 0; variable < row.size(); ++variable) {
            marginals[query.begin[variable] + static_cast<std::size_t>(row[variable])] += value;
            possible[query.begin[variable] + static_cast<std::size_t>(row[variable])] = 1;
          }
          if (!free.empty()) {
            pairs[static_cast<std::size_t>(row[static_cast<std::size_t>(free.front())]) *
                      query.factors.view().states_of(free.back()) +
                  static_cast<std::size_t>(row[static_cast<std::size_t>(free.back())])] += value;
          }
        }
        more = next_row(query.factors.n_states, row);
      }
    }
  }
};

PropagationLayout layout_of(const Case& query, const std::vector<std::int32_t>& targets, bool joint,
                            bool whole, const std::vector<std::int32_t>& order = {}) {
  NoControl no_control;
  const QueryShape shape{query.observed, query.weighted, targets, joint, query.directed, whole};
  return {query.factors.view(), shape,
          credenet::clique_tree(query.factors.view(), shape, order, 1, no_control)};
}

void check(const Case& query, Random& random) {
  const Truth truth(query);
  const auto free = query.free();
  const Evidence evidence{query.states, query.likelihoods};
  NoControl no_control;
  std::vector<std::int32_t> order;  // A random elimination order.
  for (std::size_t variable = 0; variable < query.size(); ++variable) {
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(variable + 1)),
                 static_cast<std::int32_t>(variable));
  }
  for (const bool is_given : {false, true}) {
    const PropagationLayout layout =
        layout_of(query, free, false, true, is_given ? order : std::vector<std::int32_t>{});
    Propagation propagation(query.factors.view(), layout);
    CHECK(propagation.collect(evidence, Marginalisation::kSum, 2, no_control));
    CHECK(propagation.is_possible() == (truth.largest > -INFINITY));
    if (!propagation.is_possible()) return;
    CHECK(near(propagation.log_value(), truth.largest + std::log(truth.total)));
    std::vector<std::int32_t> row = query.states;
    propagation.draw(random, row);
    CHECK(query.log_weight(row) > -INFINITY);
    CHECK(propagation.distribute(free, 2, no_control));
    std::vector<std::int32_t> rows;
    CHECK(credenet::draw_rows(propagation, query.states, 3, 9, 1, no_control, rows));
    CHECK(rows.size() == 3 * query.size());
    for (std::size_t draw = 0; draw < 3; ++draw) {
      std::vector<std::int32_t> drawn;
      for (std::size_t variable = 0; variable < query.size(); ++variable) {
        drawn.push_back(rows[variable * 3 + draw]);
      }
      CHECK(query.log_weight(drawn) > -INFINITY);
    }
    const std::vector<double> together = propagation.marginals(free);
    std::size_t place = 0;
    for (const std::int32_t target : free) {
      const auto marginal = propagation.marginal(target);
      for (const double value : marginal) CHECK(together[place++] == value);
      const std::size_t first = query.begin[static_cast<std::size_t>(target)];
      const double* wanted = truth.marginals.data() + first;
      const std::uint8_t* possible = truth.possible.data() + first;
      for (std::size_t state = 0; state < marginal.size(); ++state) {
        CHECK(near(marginal[state], wanted[state] / truth.total));
        if (!possible[state]) CHECK(marginal[state] == 0);
      }
    }
    CHECK(propagation.collect(evidence, Marginalisation::kMax, 1, no_control));
    CHECK(near(propagation.log_value(), truth.largest));
    propagation.trace_back(row);
    CHECK(near(query.log_weight(row), truth.largest));
  }
  if (free.empty()) return;
  for (const bool whole : {true, false}) {
    std::vector<std::int32_t> targets{free.front()};
    if (free.back() != free.front()) targets.push_back(free.back());
    const PropagationLayout layout = layout_of(query, targets, true, whole);
    Propagation propagation(query.factors.view(), layout);
    CHECK(propagation.collect(evidence, Marginalisation::kSum, 1, no_control));
    std::vector<double> joint(propagation.joint_size());
    propagation.joint(joint);
    const bool front_is_slower = layout.tree.position[static_cast<std::size_t>(free.front())] >=
                                 layout.tree.position[static_cast<std::size_t>(free.back())];
    if (targets.size() == 1) continue;
    const std::size_t n_first = query.factors.view().states_of(free.front());
    const std::size_t n_last = query.factors.view().states_of(free.back());
    for (std::size_t first = 0; first < n_first; ++first) {
      for (std::size_t last = 0; last < n_last; ++last) {
        const double found =
            front_is_slower ? joint[first * n_last + last] : joint[last * n_first + first];
        CHECK(near(found, truth.pairs[first * n_last + last] / truth.total));
      }
    }
  }
}

// Checks tables of many blocks and chunks, whose digits must not depend on the threads. They are
// compared with a second elimination order, since the joint is out of reach.
void check_large(Random& random) {
  Factors factors(26, 0, 1, random);
  factors.n_states.assign(26, 3);
  for (std::int32_t variable = 0; variable < 26; ++variable) {
    for (const std::int32_t other : {variable + 1, variable + 11}) {
      if (other >= 26) continue;
      factors.scopes.insert(factors.scopes.end(), {variable, other});
      factors.scope_offsets.push_back(static_cast<std::int64_t>(factors.scopes.size()));
      for (int cell = 0; cell < 9; ++cell) factors.tables.push_back(random.uniform());
      factors.table_offsets.push_back(static_cast<std::int64_t>(factors.tables.size()));
    }
  }
  Case query(factors, false, random);
  query.observed.assign(26, 0);
  query.weighted.assign(26, 0);
  std::vector<std::int32_t> order;
  for (std::int32_t variable = 0; variable < 26; ++variable) order.push_back(variable);
  NoControl no_control;
  const Evidence evidence{query.states, query.likelihoods};
  const PropagationLayout layout = layout_of(query, query.free(), false, true);
  const PropagationLayout other = layout_of(query, query.free(), false, true, order);
  CHECK(other.tree.largest > 3e5);
  Propagation one(factors.view(), other);
  Propagation three(factors.view(), other);
  Propagation second(factors.view(), layout);
  for (const Marginalisation kind : {Marginalisation::kMax, Marginalisation::kSum}) {
    CHECK(one.collect(evidence, kind, 1, no_control));
    CHECK(three.collect(evidence, kind, 3, no_control));
    CHECK(second.collect(evidence, kind, 2, no_control));
    CHECK(one.log_value() == three.log_value());
    CHECK(near(one.log_value(), second.log_value()));
  }
  CHECK(one.distribute(query.free(), 1, no_control));
  CHECK(three.distribute(query.free(), 3, no_control));
  CHECK(second.distribute(query.free(), 2, no_control));
  for (const std::int32_t target : query.free()) {
    for (std::size_t state = 0; state < 3; ++state) {
      CHECK(one.marginal(target)[state] == three.marginal(target)[state]);
      CHECK(near(one.marginal(target)[state], second.marginal(target)[state]));
    }
  }
  StopAt stop(3);
  CHECK(!one.collect(evidence, Marginalisation::kSum, 2, stop));
}

// Checks other evidence of the same shape, step by step: an update gives what a new start gives.
void check_updates(Case query, Random& random) {
  NoControl no_control;
  const PropagationLayout layout = layout_of(query, query.free(), false, true);
  for (const Marginalisation kind : {Marginalisation::kSum, Marginalisation::kMax}) {
    Propagation kept(query.factors.view(), layout);
    CHECK(kept.collect({query.states, query.likelihoods}, kind, 1, no_control));
    for (int step = 0; step < 6; ++step) {
      const auto changed = static_cast<std::size_t>(random.below(query.size()));
      query.states[changed] = static_cast<std::int32_t>(
          random.below(static_cast<std::uint64_t>(query.factors.n_states[changed])));
      for (std::size_t at = query.begin[changed]; at < query.begin[changed + 1]; ++at) {
        query.likelihoods[at] = random.below(3) == 0 ? 0.0 : random.uniform();
      }
      const Evidence evidence{query.states, query.likelihoods};
      Propagation fresh(query.factors.view(), layout);
      if (step == 3) {
        StopAt at_once(1);
        (void)kept.update(evidence, 1, at_once);  // The next update must start anew.
      }
      CHECK(kept.update(evidence, 1, no_control));
      CHECK(fresh.collect(evidence, kind, 1, no_control));
      CHECK(kept.is_possible() == fresh.is_possible());
      if (!fresh.is_possible()) continue;
      CHECK(near(kept.log_value(), fresh.log_value()));
      if (kind == Marginalisation::kMax) {
        std::vector<std::int32_t> row = query.states;
        kept.trace_back(row);
        CHECK(near(query.log_weight(row), fresh.log_value()));
        continue;
      }
      std::vector<std::int32_t> some;
      std::ranges::copy_if(query.free(), std::back_inserter(some),
                           [&](std::int32_t) { return random.below(2) == 0; });
      CHECK(kept.distribute(some, 1, no_control));
      CHECK(fresh.distribute(query.free(), 1, no_control));
      for (const std::int32_t target : some) {
        for (std::size_t state = 0; state < fresh.marginal(target).size(); ++state) {
          CHECK(near(kept.marginal(target)[state], fresh.marginal(target)[state]));
        }
      }
    }
  }
}

void check_prediction(Random& random) {
  const SmallNetwork network(7, 3, random);
  const Factors factors(network);
  const std::size_t n_rows = 150;
  const std::vector<std::uint8_t> codes = network.random_codes<std::uint8_t>(n_rows, random);
  std::vector<std::int32_t> columns;
  for (std::int32_t variable = 0; variable < 7; ++variable) columns.push_back(variable);
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < n_rows; ++row) rows.push_back(static_cast<std::int64_t>(row));
  Case query(factors, true, random);
  const auto target = static_cast<std::int32_t>(random.below(7));
  const std::size_t n_states = factors.view().states_of(target);
  NoControl no_control;
  std::vector<std::vector<double>> results;
  for (const bool by_slices : {true, false}) {
    query.observed.assign(7, by_slices ? 1 : 0);
    query.weighted.assign(7, by_slices ? 0 : 1);
    query.observed[static_cast<std::size_t>(target)] = 0;
    query.weighted[static_cast<std::size_t>(target)] = 0;
    const PropagationLayout layout = layout_of(query, {target}, true, true);
    const credenet::EvidenceRows<std::uint8_t> evidence{codes.data(), n_rows, columns, 255};
    results.emplace_back(n_rows * n_states);
    CHECK(credenet::predict(factors.view(), layout, evidence, rows, by_slices ? 3U : 1U, no_control,
                            results.back()));
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::vector<std::int32_t> states;
    for (std::size_t variable = 0; variable < 7; ++variable) {
      states.push_back(codes[variable * n_rows + row]);
    }
    std::vector<double> weights;
    double total = 0;
    for (std::size_t state = 0; state < n_states; ++state) {
      states[static_cast<std::size_t>(target)] = static_cast<std::int32_t>(state);
      weights.push_back(std::exp(factors.log_product(states)));
      total += weights.back();
    }
    for (std::size_t state = 0; state < n_states; ++state) {
      for (const auto& result : results) {
        const double found = result[row * n_states + state];
        CHECK(total == 0 ? std::isnan(found) : near(found, weights[state] / total));
      }
    }
  }
}

}  // namespace

int main() {
  Random random(8);
  for (int repeat = 0; repeat < 150; ++repeat) {
    const SmallNetwork network(1 + random.below(7), 4, random);
    const Factors factors(network);
    check(Case(factors, true, random), random);
    check(Case(factors, false, random), random);
    // The last scale leaves the range of doubles.
    for (const double scale : {2.0, 200.0, 1300.0}) {
      const std::size_t n_variables = 1 + random.below(7);
      const Factors markov(n_variables, random.below(12), scale, random);
      check(Case(markov, false, random), random);
      check_updates(Case(markov, false, random), random);
    }
    check_updates(Case(factors, true, random), random);
  }
  check_large(random);
  for (int repeat = 0; repeat < 20; ++repeat) check_prediction(random);
  return 0;
}
