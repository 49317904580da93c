// Importance sampling of models with zeros (Gogate and Dechter 2011). Variables are drawn one after
// the other from the proposal; where one has no state left, the search goes back and crosses out
// the state that led there. The complete states so found follow the backtrack-free distribution:
// at each variable, the proposal restricted to the states that can be completed. For its
// probability one must know which of the states that were not tried could be: each is settled by a
// search of its own, which stops as soon as what differs from the sample no longer matters. So
// weights average to the sum of the product, without bias. A search that takes too long leaves the
// state in, which makes the weight too large; such cases are counted.
//
// No search is needed behind the last variable that can be left without a state: one whose bucket
// was split, with zeros in two of its parts. Each part has passed its own zeros on to the variables
// before it.
#include "credenet/inference/approximate/sample_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "credenet/util/weighted_choice.hpp"

namespace credenet {
namespace {

constexpr std::size_t kMostSteps = 200000;  // Steps of the search for one sample at most.
// Steps of the search that settles one state at most.
constexpr std::size_t kMostStepsOfOne = 5000;
constexpr double kLeastShare = 0.01;  // Largest share that each possible state is left.

}  // namespace

// With r mini-buckets b_1 ... b_r that share only the variable, the joint of all is
// b_1 ... b_r / b^(r-1), where b is the marginal of the variable. Entries are kept off zero unless
// they are zero, so that products of rows do not vanish. Around loops messages may be far too sure
// of themselves: states that they all but exclude would be missed, and no error bar would show it.
// So each is left a share that spoils at most about two samples in five.
JoinGraphProposal::JoinGraphProposal(const SlicedModel& model, const ClusterGraph& graph,
                                     LoopyPropagation& propagation, bool is_settled) {
  const FactorsView factors = model.view();
  const std::size_t n = model.n_variables();
  if (!graph.is_tree) least_share = std::min(kLeastShare, 0.5 / static_cast<double>(n));
  tables.resize(n);
  last_use.resize(n);
  std::iota(last_use.begin(), last_use.end(), 0);
  for (std::size_t variable = 0; variable < n; ++variable) {
    const auto& bucket = graph.buckets[variable];
    const auto node = static_cast<Node>(variable);
    const std::size_t n_states = factors.states_of(node);
    const double floor =
        std::max(1e-30, std::pow(10.0, -250.0 / static_cast<double>(bucket.size())));
    std::vector<double> log_marginal(n_states, 0.0);
    if (bucket.size() > 1) log_marginal = propagation.log_marginal(node);
    std::size_t n_with_zeros = 0;
    for (const std::int32_t id : bucket) {
      bool has_zeros = false;
      const auto& members = graph.clusters[static_cast<std::size_t>(id)].members;
      Table& table = tables[variable].emplace_back();
      table.others.assign(members.begin(), members.end() - 1);
      table.strides.resize(table.others.size());
      std::size_t stride = n_states;
      for (std::size_t at = table.others.size(); at-- > 0;) {
        table.strides[at] = stride;
        stride *= factors.states_of(table.others[at]);
        auto& last = last_use[static_cast<std::size_t>(table.others[at])];
        last = std::max(last, node);
      }
      table.values = propagation.log_belief(id);
      const bool is_first = tables[variable].size() == 1;
      for (std::size_t begin = 0; begin < table.values.size(); begin += n_states) {
        const auto row = std::span(table.values).subspan(begin, n_states);
        for (std::size_t state = 0; state < n_states; ++state) {
          // The variable's own zeros are in every mini-bucket and make nothing risky.
          if (log_marginal[state] == -INFINITY) {
            row[state] = -INFINITY;
          } else if (row[state] == -INFINITY) {
            has_zeros = true;
          } else if (!is_first) {
            row[state] -= log_marginal[state];
          }
        }
        const double largest = std::ranges::max(row);
        for (double& value : row) {
          value = value == -INFINITY ? 0 : std::max(floor, std::exp(value - largest));
        }
      }
      if (has_zeros) ++n_with_zeros;
    }
    if (n_with_zeros > (is_settled ? 1 : 0)) last_risky = node;
  }
}

SampleSearch::SampleSearch(const SlicedModel& model, const JoinGraphProposal& proposal,
                           SearchRecord& record)
    : model_(model),
      proposal_(proposal),
      record_(record),
      log_tables_(model.tables.size()),
      rows_(model.state_offsets.back()),
      tried_rows_(model.state_offsets.back()),
      states_(model.n_variables(), 0),
      tried_(model.n_variables(), 0),
      until_(model.n_variables(), 0) {
  std::ranges::transform(model.tables, log_tables_.begin(),
                         [](double value) { return std::log(value); });
}

std::span<double> SampleSearch::row_of(std::vector<double>& rows, std::int32_t variable) const {
  const auto at = static_cast<std::size_t>(variable);
  const std::size_t begin = model_.state_offsets[at];
  return {rows.data() + begin, model_.state_offsets[at + 1] - begin};
}

// Fills in the proposal for a variable given the earlier ones; returns its sum.
double SampleSearch::fill_row(std::int32_t variable, std::span<const std::int32_t> states,
                              std::span<double> row) const {
  bool is_first = true;
  for (const auto& table : proposal_.tables[static_cast<std::size_t>(variable)]) {
    const double* values = table.values.data();
    for (std::size_t at = 0; at < table.others.size(); ++at) {
      values += table.strides[at] *
                static_cast<std::size_t>(states[static_cast<std::size_t>(table.others[at])]);
    }
    for (std::size_t state = 0; state < row.size(); ++state) {
      row[state] = is_first ? values[state] : row[state] * values[state];
    }
    is_first = false;
  }
  if (proposal_.least_share > 0) {
    const double least = proposal_.least_share * std::ranges::max(row);
    for (double& value : row) value = value > 0 ? std::max(value, least) : 0;
  }
  return std::accumulate(row.begin(), row.end(), 0.0);
}

// Draws a sample. Afterwards rows_ has the proposals along it, without the states that cannot be
// completed.
bool SampleSearch::search(Random& random) {
  const auto n = static_cast<std::int32_t>(states_.size());
  std::size_t n_steps = 0;
  for (std::int32_t variable = 0; variable < n;) {
    double total = fill_row(variable, states_, row_of(rows_, variable));
    while (total == 0) {
      if (--variable < 0) {
        record_.is_impossible = true;
        return false;
      }
      const auto row = row_of(rows_, variable);
      row[static_cast<std::size_t>(states_[static_cast<std::size_t>(variable)])] = 0;
      total = std::accumulate(row.begin(), row.end(), 0.0);
    }
    if (++n_steps > kMostSteps) return false;
    states_[static_cast<std::size_t>(variable)] =
        static_cast<std::int32_t>(weighted_choice(row_of(rows_, variable), total, random));
    ++variable;
  }
  return true;
}

// Whether the sample, with another state of one variable, can be completed. States of the sample
// are tried first: once all that differ bear on nothing further, the sample completes it.
SampleSearch::Answer SampleSearch::can_go_on(std::int32_t variable, std::int32_t state) {
  const auto at = [](std::int32_t index) { return static_cast<std::size_t>(index); };
  std::copy_n(states_.begin(), variable, tried_.begin());
  tried_[at(variable)] = state;
  until_[at(variable)] = std::min(proposal_.last_use[at(variable)], proposal_.last_risky);
  std::size_t n_steps = 0;
  std::int32_t here = variable + 1;
  while (here <= until_[at(here - 1)]) {
    auto row = row_of(tried_rows_, here);
    double total = fill_row(here, tried_, row);
    while (total == 0) {
      if (--here == variable) return Answer::kNo;
      row = row_of(tried_rows_, here);
      row[at(tried_[at(here)])] = 0;
      total = std::accumulate(row.begin(), row.end(), 0.0);
    }
    if (++n_steps > kMostStepsOfOne) return Answer::kUnknown;
    const std::int32_t own = states_[at(here)];
    tried_[at(here)] = row[at(own)] > 0
                           ? own
                           : static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin());
    until_[at(here)] = until_[at(here - 1)];
    if (tried_[at(here)] != own) {
      const std::int32_t last = std::min(proposal_.last_use[at(here)], proposal_.last_risky);
      until_[at(here)] = std::max(until_[at(here)], last);
    }
    ++here;
  }
  return Answer::kYes;
}

// The log of the probability of the sample under the backtrack-free distribution.
double SampleSearch::log_proposal() {
  double log_probability = 0;
  for (std::int32_t variable = 0; variable < static_cast<std::int32_t>(states_.size());
       ++variable) {
    const auto row = row_of(rows_, variable);
    const auto own = static_cast<std::size_t>(states_[static_cast<std::size_t>(variable)]);
    if (variable < proposal_.last_risky) {
      for (std::size_t state = 0; state < row.size(); ++state) {
        if (state == own || row[state] == 0) continue;
        const Answer answer = can_go_on(variable, static_cast<std::int32_t>(state));
        if (answer == Answer::kNo) row[state] = 0;
        if (answer == Answer::kUnknown) ++record_.n_unsettled;
      }
    }
    log_probability += std::log(row[own] / std::accumulate(row.begin(), row.end(), 0.0));
  }
  return log_probability;
}

double SampleSearch::log_product() const {
  const FactorsView factors = model_.view();
  double sum = 0;
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    std::size_t cell = 0;
    for (const Node member : factors.scope(factor)) {
      cell = cell * factors.states_of(member) +
             static_cast<std::size_t>(states_[static_cast<std::size_t>(member)]);
    }
    sum += log_tables_[static_cast<std::size_t>(factors.table_offsets[factor]) + cell];
  }
  return sum;
}

std::optional<double> SampleSearch::operator()(Random& random, std::span<std::int32_t> states) {
  if (!start(random)) return std::nullopt;
  for (std::size_t variable = 0; variable < states_.size(); ++variable) {
    states[static_cast<std::size_t>(model_.variables[variable])] = states_[variable];
  }
  return log_product() - log_proposal();
}

}  // namespace credenet
