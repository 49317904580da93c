#include "credenet/inference/approximate/sample_search.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "credenet/inference/approximate/gibbs.hpp"
#include "credenet/inference/approximate/likelihood_weighting.hpp"
#include "credenet/inference/approximate/weighted_samples.hpp"
#include "small_network.hpp"
#include "stop_at.hpp"

using credenet::ClusterGraph;
using credenet::Evidence;
using credenet::FactorsView;
using credenet::JoinGraphProposal;
using credenet::LoopyPropagation;
using credenet::NoControl;
using credenet::QueryShape;
using credenet::Random;
using credenet::SearchRecord;
using credenet::SlicedModel;
using credenet::Status;

namespace {

// A small network with many zeros, and evidence on some of its variables.
struct Case {
  SmallNetwork network;
  std::vector<std::int64_t> scope_offsets{0};
  std::vector<std::int32_t> scopes;
  std::vector<std::uint8_t> observed, weighted;
  std::vector<std::int32_t> states;
  std::vector<double> likelihoods;
  std::vector<std::size_t> offsets{0};

  explicit Case(Random& random) : network(7, 3, random) {
    for (std::size_t variable = 0; variable < network.size(); ++variable) {
      const auto parents = network.view().parents_of(variable);
      scopes.insert(scopes.end(), parents.begin(), parents.end());
      scopes.push_back(static_cast<std::int32_t>(variable));
      scope_offsets.push_back(static_cast<std::int64_t>(scopes.size()));
      const auto size = static_cast<std::uint64_t>(network.n_states[variable]);
      const std::uint64_t kind = random.below(5);
      observed.push_back(kind == 0 ? 1 : 0);
      weighted.push_back(kind == 1 ? 1 : 0);
      states.push_back(static_cast<std::int32_t>(random.below(size)));
      for (std::uint64_t state = 0; state < size; ++state) likelihoods.push_back(random.uniform());
      offsets.push_back(likelihoods.size());
    }
  }

  [[nodiscard]] FactorsView view() const {
    return {network.n_states, scope_offsets, scopes, network.table_offsets, network.tables};
  }
  [[nodiscard]] QueryShape shape() const { return {observed, weighted, {}, false, true, true}; }
  [[nodiscard]] Evidence evidence() const { return {states, likelihoods}; }

  // The sum over all joint states, and for each state of each variable the sum over those that have
  // it.
  [[nodiscard]] std::pair<double, std::vector<double>> brute_force() const {
    std::vector<double> sums(offsets.back(), 0.0);
    double total = 0;
    std::vector<std::size_t> row(network.size(), 0);
    for (;;) {
      double weight = 1;
      for (std::size_t variable = 0; variable < row.size(); ++variable) {
        weight *= network.tables[network.cell(variable, row)];
        if (observed[variable] && row[variable] != static_cast<std::size_t>(states[variable])) {
          weight = 0;
        }
        if (weighted[variable]) weight *= likelihoods[offsets[variable] + row[variable]];
      }
      total += weight;
      for (std::size_t variable = 0; variable < row.size(); ++variable) {
        sums[offsets[variable] + row[variable]] += weight;
      }
      std::size_t at = 0;
      while (at < row.size() && ++row[at] == static_cast<std::size_t>(network.n_states[at])) {
        row[at++] = 0;
      }
      if (at == row.size()) return {total, sums};
    }
  }
};

struct Scores {
  double sum = 0;
  double squares = 0;
  std::size_t n = 0;

  void add(double score) {
    CHECK(std::abs(score) < 7);
    sum += score;
    squares += score * score;
    ++n;
  }
  void check() const {
    const auto count = static_cast<double>(n);
    CHECK(n > 30);
    CHECK(std::abs(sum / std::sqrt(count)) < 4);  // The estimates have no bias.
    CHECK(squares / count < 2);
  }
};

}  // namespace

int main() {
  Random random(11);
  NoControl no_control;
  Scores searched, weighted;
  for (int round = 0; round < 1000; ++round) {
    const Case model(random);
    const auto [total, sums] = model.brute_force();
    const SlicedModel sliced(model.view(), model.shape(), model.evidence(), {});
    if (!sliced.is_possible) {
      CHECK(total == 0);
      continue;
    }
    for (const std::size_t i_bound : {1, 9}) {
      const ClusterGraph graph = credenet::join_graph(sliced.view(), i_bound);
      LoopyPropagation propagation(sliced.view(), graph);
      const Status outcome = propagation.run({0, 20, 1e-9}, no_control);
      if (outcome == Status::kInfeasible) {
        CHECK(total == 0);
        continue;
      }
      if (i_bound == 9) {  // The join graph is exact.
        CHECK(total > 0);
        CHECK(std::abs(propagation.log_value() + sliced.log_constant - std::log(total)) < 1e-9);
        for (std::size_t at = 0; at < sliced.n_variables(); ++at) {
          const auto marginal = propagation.marginal(static_cast<credenet::Node>(at));
          const auto variable = static_cast<std::size_t>(sliced.variables[at]);
          for (std::size_t state = 0; state < marginal.size(); ++state) {
            const double expected = sums[model.offsets[variable] + state] / total;
            CHECK(std::abs(marginal[state] - expected) < 1e-9);
          }
        }
      }
      const JoinGraphProposal proposal(sliced, graph, propagation, outcome == Status::kComplete);
      SearchRecord record;
      bool finished = false;
      const auto make = [&] { return credenet::SampleSearch(sliced, proposal, record); };
      const auto tally =
          credenet::tally_samples(1500, model.offsets, 3, 3, no_control, make, finished);
      CHECK(finished && record.n_unsettled == 0 && tally.n_abandoned() == (total > 0 ? 0 : 1500));
      CHECK(record.is_impossible == (total == 0));
      if (total == 0) continue;
      const double error = tally.log_mean_error();
      const double ratio = std::exp(tally.log_mean() + sliced.log_constant - std::log(total));
      if (error < 2.0 / 1500) {  // The weights hardly differ.
        CHECK(std::abs(ratio - 1) < 6 * error);
      } else if (tally.effective_sample_size() > 100) {
        searched.add((ratio - 1) / error);
      }
      const auto chains =
          credenet::gibbs(sliced, proposal, record, {200, 5, 4, 1}, 1, 3, no_control);
      CHECK(chains.status == Status::kComplete && chains.n_samples == 200 && chains.n_chains == 4);
      for (std::size_t at = 0; at < sliced.n_variables(); ++at) {
        const auto variable = static_cast<std::size_t>(sliced.variables[at]);
        double sum = 0;
        for (std::size_t state = sliced.state_offsets[at]; state < sliced.state_offsets[at + 1];
             ++state) {
          sum += chains.probabilities[state];
          const std::size_t place = model.offsets[variable] + state - sliced.state_offsets[at];
          CHECK(sums[place] > 0 || chains.probabilities[state] == 0);
        }
        CHECK(std::abs(sum - 1) < 1e-9);
      }
      StopAt stop(20);
      const auto stopped = credenet::gibbs(sliced, proposal, record, {200, 5, 4, 1}, 1, 1, stop);
      CHECK(stopped.status == Status::kStopped);
    }
    if (total == 0) continue;
    const auto order = credenet::order_along_arcs(model.view());
    bool finished = false;
    const auto tally = credenet::tally_samples(
        4000, model.offsets, 3, 3, no_control,
        [&] {
          return credenet::LikelihoodWeighting(model.view(), model.shape(), model.evidence(),
                                               order);
        },
        finished);
    if (tally.has_weight() && tally.effective_sample_size() > 200 &&
        tally.log_mean_error() > 2.0 / 4000) {
      weighted.add((std::exp(tally.log_mean()) / total - 1) / tally.log_mean_error());
    }
  }
  searched.check();
  weighted.check();
}
