// Propagation in a clique tree. Collecting, every clique sends its parent the marginal of the
// product of its factors and its children's messages. Distributing, the product also has the ratio
// of its separator's distribution to the message it sent (0/0 is 0: where the message is 0 so is
// every cell below it), which makes it the posterior of the clique; from it come the distributions
// of the separators to its children. Two walks over the cells of each clique in all, and no clique
// table in memory (Shafer and Shenoy upwards; Jensen, Lauritzen and Olesen downwards).
//
// Other evidence changes the messages from the cliques that it enters up to the roots; update makes
// only these again.
//
// Powers of two are taken out of factors and messages, which rounds nothing. Where a message still
// comes out tiny or zero, or a posterior does not add up to 1, products may have left the range of
// doubles, and everything is done again with sums of logs (log_propagation.cpp). What is lost
// without that being noticed is less than 1e-250 of a message's largest entry. A message of zeros
// is accepted where the smallest entries below it show that nothing was lost.
#include "credenet/inference/exact/propagation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace credenet {

Propagation::Propagation(const FactorsView& factors, const PropagationLayout& layout)
    : factors_(factors),
      layout_(layout),
      sliced_(layout.sliced_size),
      messages_(layout.message_size),
      marginals_(layout.marginal_begin.back()),
      exponents_(layout.cliques.size(), 0),
      boosts_(layout.cliques.size(), 0),
      is_stale_(layout.cliques.size(), 1),
      zeros_(layout.cliques.size(), Zeros::kUnknown),
      slice_exponents_(layout.sliced.size() + layout.likelihoods.size(), 0) {}

Marginalisation Propagation::kind_of(std::int32_t clique) const {
  const bool is_maximised = layout_.tree.cliques[static_cast<std::size_t>(clique)].is_maximised;
  return is_maximised ? Marginalisation::kMax : kind_;
}

const double* Propagation::read(const TableAccess& access) const {
  switch (access.arena) {
    case Arena::kConstant:
      return layout_.constants.data() + access.begin;
    case Arena::kSliced:
      return sliced_.data() + access.begin;
    case Arena::kMessages:
      return messages_.data() + access.begin;
    case Arena::kBeliefs:
      return beliefs_.data() + access.begin;
    case Arena::kMarginals:
      break;
  }
  return marginals_.data() + access.begin;
}

double* Propagation::write(const TableAccess& access) {
  assert(access.arena != Arena::kConstant);
  return const_cast<double*>(read(access));
}

bool Propagation::is_new(const SlicedTable& slice, const Evidence& evidence) const {
  return std::ranges::any_of(slice.observed, [&](const auto& observed) {
    const auto at = static_cast<std::size_t>(observed.first);
    return evidence.states[at] != loaded_states_[at];
  });
}

void Propagation::load(const Evidence& evidence, bool is_update) {
  const auto mark = [&](std::int32_t clique) {
    if (clique >= 0) is_stale_[static_cast<std::size_t>(clique)] = 1;
  };
  loaded_exponent_ = layout_.constant_exponent;
  loaded_constant_ = 1;
  for (std::size_t at = 0; at < layout_.sliced.size(); ++at) {
    const SlicedTable& slice = layout_.sliced[at];
    double* table = sliced_.data() + slice.begin;
    if (!is_update || is_new(slice, evidence)) {
      slice_exponents_[at] = copy_slice(factors_, slice, evidence.states, table);
      mark(slice.clique);
    }
    loaded_exponent_ += slice_exponents_[at];
    if (slice.sizes.empty()) {
      int exponent = 0;
      loaded_constant_ = std::frexp(loaded_constant_ * *table, &exponent);
      loaded_exponent_ += exponent;
    }
  }
  for (std::size_t at = 0; at < layout_.likelihoods.size(); ++at) {
    const auto& [variable, begin] = layout_.likelihoods[at];
    const auto first = layout_.marginal_begin[static_cast<std::size_t>(variable)];
    const std::size_t n_states = factors_.states_of(variable);
    const auto given = evidence.likelihoods.subspan(first, n_states);
    std::int64_t& exponent = slice_exponents_[layout_.sliced.size() + at];
    if (!is_update ||
        !std::ranges::equal(given, std::span(loaded_likelihoods_).subspan(first, n_states))) {
      const std::span copy(sliced_.data() + begin, n_states);
      std::ranges::copy(given, copy.begin());
      exponent = take_out_exponent(copy);
      mark(layout_.tree.clique_of[static_cast<std::size_t>(variable)]);
    }
    loaded_exponent_ += exponent;
  }
  loaded_states_.assign(evidence.states.begin(), evidence.states.end());
  if (layout_.likelihoods.empty()) return;
  loaded_likelihoods_.assign(evidence.likelihoods.begin(), evidence.likelihoods.end());
}

bool Propagation::collect(const Evidence& evidence, Marginalisation kind, unsigned n_threads,
                          Control& control) {
  kind_ = kind;
  by_logs_ = false;
  load(evidence, false);
  std::ranges::fill(is_stale_, std::uint8_t{1});
  return collect_loaded(n_threads, control);
}

bool Propagation::update(const Evidence& evidence, unsigned n_threads, Control& control) {
  if (!is_collected_) return collect(evidence, kind_, n_threads, control);
  load(evidence, true);
  return collect_loaded(n_threads, control);
}

bool Propagation::collect_loaded(unsigned n_threads, Control& control) {
  is_collected_ = false;
  is_possible_ = false;
  done_ = 0;
  if (loaded_constant_ == 0) return true;
  if (!collect_levels(n_threads, control)) return false;
  if (out_of_range_) {
    by_logs_ = true;
    std::ranges::fill(is_stale_, std::uint8_t{1});
    if (!collect_levels(n_threads, control)) return false;
  }
  is_collected_ = true;
  double log_value = std::log(loaded_constant_);
  std::int64_t exponent = loaded_exponent_;
  for (std::size_t id = 0; id < layout_.cliques.size(); ++id) {
    exponent += exponents_[id];
    if (layout_.tree.cliques[id].parent >= 0) continue;
    const TableAccess& message = layout_.cliques[id].message;
    const std::span values(read(message), message.size);
    log_value +=
        by_logs_ ? log_sum(values) : std::log(std::accumulate(values.begin(), values.end(), 0.0));
  }
  log_value_ = log_value + static_cast<double>(exponent) * std::numbers::ln2;
  is_possible_ = std::isfinite(log_value_);
  return true;
}

bool Propagation::collect_levels(unsigned n_threads, Control& control) {
  out_of_range_ = false;
  std::vector<std::int32_t> stale;
  for (const auto& level : layout_.levels) {
    stale.clear();
    for (const std::int32_t id : level) {
      const auto at = static_cast<std::size_t>(id);
      if (!is_stale_[at]) continue;
      stale.push_back(id);
      is_stale_[at] = 0;
      boosts_[at] = 0;
      zeros_[at] = Zeros::kUnknown;
      const std::int32_t parent = layout_.tree.cliques[at].parent;
      if (parent >= 0) is_stale_[static_cast<std::size_t>(parent)] = 1;
    }
    if (stale.empty()) continue;
    if (!run_level(stale, Pass::kCollect, n_threads, control)) return false;
    if (out_of_range_) return true;
  }
  return true;
}

bool Propagation::distribute(std::span<const Node> targets, unsigned n_threads, Control& control) {
  assert(is_possible_ && kind_ == Marginalisation::kSum && !layout_.query.joint);
  assert(layout_.maximised.empty());
  beliefs_.resize(layout_.message_size);
  find_needed(targets);
  if (!distribute_levels(n_threads, control)) return false;
  if (out_of_range_) {
    by_logs_ = true;
    std::ranges::fill(is_stale_, std::uint8_t{1});
    if (!collect_levels(n_threads, control) || !distribute_levels(n_threads, control)) return false;
  }
  return true;
}

void Propagation::find_needed(std::span<const Node> targets) {
  is_walked_.assign(layout_.cliques.size(), 0);
  is_read_.assign(layout_.cliques.size(), 0);
  for (const Node target : targets) {
    const auto variable = static_cast<std::size_t>(target);
    std::int32_t id = layout_.belief_home[variable];
    if (id < 0) {
      id = layout_.tree.clique_of[variable];
      is_walked_[static_cast<std::size_t>(id)] = 1;
    }
    while (id >= 0 && !is_read_[static_cast<std::size_t>(id)]) {
      is_read_[static_cast<std::size_t>(id)] = 1;
      id = layout_.tree.cliques[static_cast<std::size_t>(id)].parent;
      if (id >= 0) is_walked_[static_cast<std::size_t>(id)] = 1;
    }
  }
}

bool Propagation::is_output(const CliqueTable& clique, std::size_t output) const {
  const std::int32_t child = clique.output_cliques[output];
  return child < 0 || is_read_[static_cast<std::size_t>(child)] != 0;
}

bool Propagation::distribute_levels(unsigned n_threads, Control& control) {
  out_of_range_ = false;
  std::vector<std::int32_t> needed;
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    needed.clear();
    std::ranges::copy_if(*level, std::back_inserter(needed),
                         [&](std::int32_t id) { return is_walked_[static_cast<std::size_t>(id)]; });
    if (!run_level(needed, Pass::kDistribute, n_threads, control)) return false;
    if (out_of_range_) return true;
  }
  return true;
}

std::span<const double> Propagation::marginal(Node target) const {
  return std::span(marginals_)
      .subspan(layout_.marginal_begin[static_cast<std::size_t>(target)],
               factors_.states_of(target));
}

std::vector<double> Propagation::marginals(std::span<const Node> targets) const {
  std::vector<double> values;
  for (const Node target : targets) {
    const auto own = marginal(target);
    values.insert(values.end(), own.begin(), own.end());
  }
  return values;
}

std::size_t Propagation::joint_size() const {
  return layout_.joint_root < 0 ? 1 : table(layout_.joint_root).message.size;
}

void Propagation::joint(std::span<double> out) const {
  assert(is_possible_ && out.size() == joint_size());
  if (layout_.joint_root < 0) {
    out[0] = 1;
    return;
  }
  const std::span values(read(table(layout_.joint_root).message), out.size());
  const double shift = by_logs_ ? std::ranges::max(values) : 0;
  for (std::size_t at = 0; at < out.size(); ++at) {
    out[at] = by_logs_ ? std::exp(values[at] - shift) : values[at];
  }
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& value : out) value /= sum;
}

}  // namespace credenet
