// Propagation with sums of logs, for models whose products leave the range of doubles. Messages are
// logs, each cell with its own largest term taken out, so nothing underflows; beliefs are
// probabilities, since what underflows there is negligible to every variable below. An exponential
// per cell makes it several times as slow.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "credenet/inference/exact/product_walk.hpp"
#include "credenet/inference/exact/propagation.hpp"

namespace credenet {

double Propagation::log_sum(std::span<const double> logs) {
  const double largest = std::ranges::max(logs);
  if (largest == -INFINITY) return largest;
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

void Propagation::run_by_logs(std::int32_t id, Pass pass, WalkScratch& scratch) {
  list_operands(id, pass, scratch);
  const std::size_t n_operands = scratch.tables.size();
  std::vector<std::vector<double>> copies;
  std::vector<const double*> operands;
  for (const TableAccess* operand : scratch.tables) {
    const double* values = read(*operand);
    if (operand->arena != Arena::kMessages && operand->arena != Arena::kBeliefs) {
      copies.emplace_back(values, values + operand->size);
      for (double& value : copies.back()) value = std::log(value);
      values = copies.back().data();
    }
    operands.push_back(values);
  }
  if (pass == Pass::kCollect) {
    exponents_[static_cast<std::size_t>(id)] = 0;
    scratch.tables.push_back(&table(id).message);
    collect_by_logs(id, operands, scratch);
  } else {
    for (const TableAccess& output : table(id).outputs) scratch.tables.push_back(&output);
    distribute_by_logs(id, operands, scratch);
  }
  scratch.tables.resize(n_operands);
}

void Propagation::collect_by_logs(std::int32_t id, std::span<const double* const> operands,
                                  WalkScratch& scratch) {
  const CliqueTable& clique = table(id);
  const std::span message(write(clique.message), clique.message.size);
  const BlockPattern& pattern = clique.message.pattern;
  std::ranges::fill(message, -INFINITY);
  walk_products<true>(clique, scratch, operands, 0, 0, clique.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        marginalise_block(block, message.data() + offsets[0], pattern,
                                          Marginalisation::kMax);
                      });
  if (kind_of(id) == Marginalisation::kMax) return;
  std::vector<double> shifts(message.size());
  std::ranges::transform(message, shifts.begin(),
                         [](double value) { return value == -INFINITY ? 0 : -value; });
  std::vector<double> sums(message.size(), 0);
  std::vector<double> terms(clique.block);
  walk_products<true>(clique, scratch, operands, 0, 0, clique.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        std::ranges::copy(block, terms.begin());
                        add_to_block(terms, shifts.data() + offsets[0], pattern);
                        for (double& term : terms) term = std::exp(term);
                        marginalise_block(terms, sums.data() + offsets[0], pattern,
                                          Marginalisation::kSum);
                      });
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] > -INFINITY) message[at] += std::log(sums[at]);
  }
}

void Propagation::distribute_by_logs(std::int32_t id, std::span<const double* const> operands,
                                     WalkScratch& scratch) {
  const CliqueTable& clique = table(id);
  const bool has_parent = layout_.tree.cliques[static_cast<std::size_t>(id)].parent >= 0;
  const double start = has_parent ? 0 : -*read(clique.message);
  for (const TableAccess& output : clique.outputs) std::fill_n(write(output), output.size, 0.0);
  std::vector<double> terms(clique.block);
  walk_products<true>(clique, scratch, operands, start, 0, clique.n_blocks,
                      [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                        std::ranges::transform(block, terms.begin(),
                                               [](double value) { return std::exp(value); });
                        for (std::size_t output = 0; output < clique.outputs.size(); ++output) {
                          const TableAccess& access = clique.outputs[output];
                          marginalise_block(terms, write(access) + offsets[output], access.pattern,
                                            Marginalisation::kSum);
                        }
                      });
  for (std::size_t output = 0; output < clique.outputs.size(); ++output) {
    if (!is_output(clique, output)) continue;
    const TableAccess& access = clique.outputs[output];
    const std::span values(write(access), access.size);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    for (double& value : values) value /= sum;
    const std::int32_t child = clique.output_cliques[output];
    if (child < 0) continue;
    read_belief(child);
    const double* message = read(table(child).message);
    for (std::size_t at = 0; at < values.size(); ++at) {
      values[at] = values[at] == 0 ? -INFINITY : std::log(values[at]) - message[at];
    }
  }
}

}  // namespace credenet
