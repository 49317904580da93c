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
// is taken for what it is where the smallest entries below it show that nothing was lost.
//
// Large cliques are cut into a fixed number of chunks; parts of a sum are added in the order of the
// chunks, so the digits do not depend on the number of threads.
#include "credenet/inference/exact/propagation.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "credenet/inference/exact/product_walk.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kTiny = 1e-100;              // a smaller message is made again by logs
constexpr std::size_t kChunkCells = 1 << 17;  // cliques of fewer cells are not cut
constexpr std::size_t kChunks = 32;
constexpr std::size_t kParallelCells = 1 << 18;  // levels with fewer cells stay on one thread
constexpr int kLargestExponent = 1000;           // of a power of two that is put into a product

}  // namespace

// One clique of a level. Outputs that two chunks may both add to have a copy for every chunk.
struct Propagation::Job {
  std::int32_t clique = 0;
  Pass pass = Pass::kCollect;
  std::size_t n_chunks = 1;
  std::vector<const TableAccess*> outputs;
  std::vector<std::vector<double>> copies;  // per output; empty where the chunks are apart
};

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

bool Propagation::run_level(std::span<const std::int32_t> cliques, Pass pass, unsigned n_threads,
                            Control& control) {
  std::vector<Job> jobs(cliques.size());
  std::vector<std::pair<std::size_t, std::size_t>> tasks;  // job and chunk
  std::size_t cells = 0;
  std::size_t copied = 0;
  constexpr auto most_copied = static_cast<std::size_t>(kCopiedCells);
  for (std::size_t at = 0; at < cliques.size(); ++at) {
    Job& job = jobs[at];
    job.clique = cliques[at];
    job.pass = pass;
    const CliqueTable& clique = table(job.clique);
    const std::size_t size = clique.block * clique.n_blocks;
    cells += size;
    if (pass == Pass::kCollect) {
      job.outputs = {&clique.message};
    } else {
      for (std::size_t output = 0; output < clique.outputs.size(); ++output) {
        if (is_output(clique, output)) job.outputs.push_back(&clique.outputs[output]);
      }
    }
    for (const TableAccess* output : job.outputs) {
      std::fill_n(write(*output), output->size, 0.0);
    }
    if (size >= kChunkCells && !by_logs_)
      copied += cut(job, std::min(size / 2, most_copied - copied));
    for (std::size_t chunk = 0; chunk < job.n_chunks; ++chunk) tasks.emplace_back(at, chunk);
  }

  const unsigned workers = cells < kParallelCells ? 1 : std::max(n_threads, 1U);
  std::vector<WalkScratch> scratch(workers);
  std::atomic<bool> stop{false};
  parallel_blocks(tasks.size(), workers, stop, [&](std::size_t task, unsigned worker) {
    Job& job = jobs[tasks[task].first];
    if (by_logs_) {
      run_by_logs(job.clique, pass, scratch[worker]);
    } else {
      run_job(job, tasks[task].second, scratch[worker]);
      if (job.n_chunks == 1) finish(job.clique, pass);
    }
    if (worker == 0 && !control.poll({done_, layout_.cliques.size()})) stop = true;
  });
  if (stop) return false;
  for (Job& job : jobs) {
    if (job.n_chunks == 1) continue;
    for (std::size_t output = 0; output < job.outputs.size(); ++output) {
      const std::vector<double>& copies = job.copies[output];
      const std::size_t size = job.outputs[output]->size;
      double* total = write(*job.outputs[output]);
      for (std::size_t at = 0; at < copies.size(); ++at) {
        double& value = total[at % size];
        value = kind_of(job.clique) == Marginalisation::kSum ? value + copies[at]
                                                             : std::max(value, copies[at]);
      }
    }
    finish(job.clique, pass);
  }
  done_ += cliques.size();
  if (!has_boosts_) return true;
  has_boosts_ = false;
  std::vector<std::int32_t> again;
  std::ranges::copy_if(cliques, std::back_inserter(again),
                       [&](std::int32_t id) { return boosts_[static_cast<std::size_t>(id)] != 0; });
  return run_level(again, pass, n_threads, control);
}

// Into as many chunks as the copies that they need allow; the cells of these.
std::size_t Propagation::cut(Job& job, std::size_t most_copied) const {
  const CliqueTable& clique = table(job.clique);
  std::size_t shared = 0;
  std::vector<std::uint8_t> is_shared;
  for (const TableAccess* output : job.outputs) {
    bool lacks_axis = false;
    for (std::size_t axis = 0; axis < clique.n_outer; ++axis) {
      lacks_axis = lacks_axis || (output->strides[axis] == 0 && clique.sizes[axis] > 1);
    }
    is_shared.push_back(lacks_axis ? 1 : 0);
    if (lacks_axis) shared += output->size;
  }
  job.n_chunks = std::min(kChunks, clique.n_blocks);
  while (job.n_chunks > 1 && job.n_chunks * shared > most_copied) job.n_chunks /= 2;
  if (job.n_chunks < 2) {
    job.n_chunks = 1;
    return 0;
  }
  job.copies.resize(job.outputs.size());
  for (std::size_t output = 0; output < job.outputs.size(); ++output) {
    if (is_shared[output]) job.copies[output].assign(job.n_chunks * job.outputs[output]->size, 0);
  }
  return job.n_chunks * shared;
}

void Propagation::run_job(Job& job, std::size_t chunk, WalkScratch& scratch) {
  const CliqueTable& clique = table(job.clique);
  const std::size_t first = clique.n_blocks * chunk / job.n_chunks;
  const std::size_t last = clique.n_blocks * (chunk + 1) / job.n_chunks;
  double coefficient = std::ldexp(1.0, boosts_[static_cast<std::size_t>(job.clique)]);
  if (job.pass == Pass::kDistribute) {
    const std::int64_t exponent = exponents_[static_cast<std::size_t>(job.clique)];
    if (std::abs(exponent) > kLargestExponent) return;  // finish will find nothing and say so
    coefficient = std::ldexp(1.0, -static_cast<int>(exponent));
    if (layout_.tree.cliques[static_cast<std::size_t>(job.clique)].parent < 0) {
      coefficient /= *read(clique.message);
    }
  }
  const Marginalisation kind = kind_of(job.clique);
  list_operands(job.clique, job.pass, scratch);
  const std::size_t n_operands = scratch.tables.size();
  scratch.tables.insert(scratch.tables.end(), job.outputs.begin(), job.outputs.end());

  std::vector<const double*> operands;
  for (std::size_t at = 0; at < n_operands; ++at) operands.push_back(read(*scratch.tables[at]));
  std::vector<double*> outputs;
  for (std::size_t output = 0; output < job.outputs.size(); ++output) {
    const bool has_copies = job.n_chunks > 1 && !job.copies[output].empty();
    outputs.push_back(has_copies ? job.copies[output].data() + chunk * job.outputs[output]->size
                                 : write(*job.outputs[output]));
  }

  walk_products<false>(clique, scratch, operands, coefficient, first, last,
                       [&](std::span<const double> block, std::span<const std::size_t> offsets) {
                         for (std::size_t output = 0; output < outputs.size(); ++output) {
                           marginalise_block(block, outputs[output] + offsets[output],
                                             job.outputs[output]->pattern, kind);
                         }
                       });
}

// The tables whose product a clique is in a pass.
void Propagation::list_operands(std::int32_t id, Pass pass, WalkScratch& scratch) const {
  scratch.tables.clear();
  for (const TableAccess& operand : table(id).operands) scratch.tables.push_back(&operand);
  const bool has_parent = layout_.tree.cliques[static_cast<std::size_t>(id)].parent >= 0;
  if (pass == Pass::kDistribute && has_parent) scratch.tables.push_back(&table(id).ratio);
}

void Propagation::finish(std::int32_t clique, Pass pass) {
  if (pass == Pass::kCollect) {
    finish_message(clique);
  } else {
    finish_beliefs(clique);
  }
}

void Propagation::finish_message(std::int32_t id) {
  const TableAccess& message = table(id).message;
  const std::span values(write(message), message.size);
  std::int64_t& exponent = exponents_[static_cast<std::size_t>(id)];
  double largest = 0;
  bool is_small = true;  // no infinity, no NaN
  for (const double value : values) {
    largest = std::max(largest, value);
    is_small = is_small && value <= 1 / kTiny;
  }
  int& boost = boosts_[static_cast<std::size_t>(id)];
  if (largest >= kTiny && is_small) {
    exponent = take_out_exponent(values) - boost;
  } else if (is_small && boost == 0 && largest > std::ldexp(1.0, -kLargestExponent)) {
    boost = -std::ilogb(largest);
    has_boosts_ = true;
  } else if (largest == 0 && is_small && has_exact_zeros(id)) {
    exponent = 0;
    zeros_[static_cast<std::size_t>(id)] = Zeros::kNothingElse;
  } else {
    out_of_range_ = true;
  }
}

// Whether no product of entries that are not 0 can have come out as 0, here and below.
bool Propagation::has_exact_zeros(std::int32_t id) {
  Zeros& known = zeros_[static_cast<std::size_t>(id)];
  if (known == Zeros::kUnknown) {
    int lowest = 0;
    for (const TableAccess& operand : table(id).operands) {
      const double* values = read(operand);
      double smallest = 1;
      for (std::size_t at = 0; at < operand.size; ++at) {
        if (values[at] > 0) smallest = std::min(smallest, values[at]);
      }
      lowest += std::ilogb(smallest);
    }
    known = lowest < -kLargestExponent ? Zeros::kMayBeLost : Zeros::kExact;
    for (const std::int32_t child : layout_.tree.cliques[static_cast<std::size_t>(id)].children) {
      if (!has_exact_zeros(child)) known = Zeros::kMayBeLost;
      if (zeros_[static_cast<std::size_t>(child)] != Zeros::kNothingElse) continue;
      known = Zeros::kExact;
      break;
    }
  }
  return known != Zeros::kMayBeLost;
}

void Propagation::finish_beliefs(std::int32_t id) {
  const CliqueTable& clique = table(id);
  const auto sum_of_output = [&](const TableAccess& output) {
    const double* values = read(output);
    return std::accumulate(values, values + output.size, 0.0);
  };
  for (std::size_t output = 0; output < clique.outputs.size(); ++output) {
    if (!is_output(clique, output)) continue;
    const TableAccess& access = clique.outputs[output];
    const double sum = sum_of_output(access);
    if (!(sum > 0.5 && sum < 2)) {
      out_of_range_ = true;
      return;
    }
    double* values = write(access);
    for (std::size_t at = 0; at < access.size; ++at) values[at] /= sum;
    const std::int32_t child = clique.output_cliques[output];
    if (child < 0) continue;
    read_belief(child);
    const double* message = read(table(child).message);
    for (std::size_t at = 0; at < access.size; ++at) {
      values[at] = values[at] == 0 ? 0 : values[at] / message[at];
    }
  }
}

// The marginals that are read from a clique's separator.
void Propagation::read_belief(std::int32_t id) {
  const CliqueTable& clique = table(id);
  const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
  std::size_t inner = 1;
  for (std::size_t axis = members.n_separator; axis-- > 0; inner *= clique.sizes[axis]) {
    const Node target = members.members[axis];
    const auto variable = static_cast<std::size_t>(target);
    if (layout_.belief_home[variable] != id) continue;
    const std::size_t n_states = factors_.states_of(target);
    const std::span out(marginals_.data() + layout_.marginal_begin[variable], n_states);
    std::ranges::fill(out, 0.0);
    const double* values = beliefs_.data() + clique.message.begin;
    for (std::size_t at = 0; at < clique.message.size; at += n_states * inner) {
      for (std::size_t state = 0; state < n_states; ++state, values += inner) {
        out[state] += std::accumulate(values, values + inner, 0.0);
      }
    }
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& value : out) value /= sum;
  }
}

std::span<const double> Propagation::marginal(Node target) const {
  return std::span(marginals_)
      .subspan(layout_.marginal_begin[static_cast<std::size_t>(target)],
               factors_.states_of(target));
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
