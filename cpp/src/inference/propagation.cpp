// Propagation in a clique tree. Collecting, every clique sends its parent the marginal of the
// product of its factors and its children's messages. Distributing, the product also has the ratio
// of its separator's distribution to the message it sent (0/0 is 0: where the message is 0 so is
// every cell below it), which makes it the posterior of the clique; from it come the distributions
// of the separators to its children. Two walks over the cells of each clique in all, and no clique
// table in memory (Shafer and Shenoy upwards; Jensen, Lauritzen and Olesen downwards).
//
// Powers of two are taken out of factors and messages, which rounds nothing. Where a message still
// comes out tiny, or a posterior does not add up to 1, products have left the range of doubles and
// the clique is done again with sums of logs.
//
// Large cliques are cut into a fixed number of chunks; parts of a sum are added in the order of the
// chunks, so the digits do not depend on the number of threads.
#include "credenet/inference/propagation.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kTiny = 1e-100;              // a smaller message is made again by logs
constexpr std::size_t kChunkCells = 1 << 17;  // cliques of fewer cells are not cut
constexpr std::size_t kChunks = 32;
constexpr std::size_t kParallelCells = 1 << 16;  // levels with fewer cells stay on one thread
constexpr std::int64_t kLargestExponent = 300;

// Walks the outer axes of a clique from block `first`, keeping the offset of every table.
class OuterWalk {
 public:
  OuterWalk(const CliqueTable& clique, std::span<const TableAccess* const> tables,
            std::size_t first, std::vector<std::size_t>& offsets)
      : clique_(clique), tables_(tables), offsets_(offsets), counters_(clique.n_outer) {
    offsets_.assign(tables.size(), 0);
    for (std::size_t axis = clique.n_outer; axis-- > 0;) {
      counters_[axis] = first % clique.sizes[axis];
      first /= clique.sizes[axis];
      for (std::size_t at = 0; at < tables.size(); ++at) {
        offsets_[at] += counters_[axis] * tables[at]->strides[axis];
      }
    }
  }

  void next() {
    for (std::size_t axis = clique_.n_outer; axis-- > 0;) {
      const bool wraps = ++counters_[axis] == clique_.sizes[axis];
      for (std::size_t at = 0; at < tables_.size(); ++at) {
        const std::size_t stride = tables_[at]->strides[axis];
        offsets_[at] += stride;
        if (wraps) offsets_[at] -= stride * clique_.sizes[axis];
      }
      if (!wraps) return;
      counters_[axis] = 0;
    }
  }

 private:
  const CliqueTable& clique_;
  std::span<const TableAccess* const> tables_;
  std::vector<std::size_t>& offsets_;
  std::vector<std::size_t> counters_;
};

bool is_scalar(const TableAccess& access, std::size_t block) {
  return access.pattern.run == block && access.pattern.stays;
}

}  // namespace

struct Propagation::Scratch {
  std::vector<double> block, fixed;
  std::vector<std::size_t> offsets;
  std::vector<const TableAccess*> scalars, varying, all;
};

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
      exponents_(layout.cliques.size(), 0) {}

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

void Propagation::load(const Evidence& evidence) {
  loaded_exponent_ = layout_.constant_exponent;
  loaded_constant_ = 1;
  for (const SlicedTable& slice : layout_.sliced) {
    double* table = sliced_.data() + slice.begin;
    loaded_exponent_ += copy_slice(factors_, slice, evidence.states, table);
    if (slice.sizes.empty()) {
      loaded_constant_ *= *table;
      int exponent = 0;
      loaded_constant_ = std::frexp(loaded_constant_, &exponent);
      loaded_exponent_ += exponent;
    }
  }
  for (const auto& [variable, begin] : layout_.likelihoods) {
    const auto at = static_cast<std::size_t>(variable);
    const std::size_t n_states = factors_.states_of(variable);
    const auto given = evidence.likelihoods.subspan(layout_.marginal_begin[at], n_states);
    const std::span copy(sliced_.data() + begin, n_states);
    std::ranges::copy(given, copy.begin());
    loaded_exponent_ += take_out_exponent(copy);
  }
}

bool Propagation::collect(const Evidence& evidence, Marginalisation kind, unsigned n_threads,
                          Control& control) {
  kind_ = kind;
  is_possible_ = false;
  done_ = 0;
  load(evidence);
  if (loaded_constant_ == 0) return true;
  for (const auto& level : layout_.levels) {
    if (!run_level(level, Pass::kCollect, n_threads, control)) return false;
  }
  double log_value = std::log(loaded_constant_);
  std::int64_t exponent = loaded_exponent_;
  for (std::size_t id = 0; id < layout_.cliques.size(); ++id) {
    exponent += exponents_[id];
    if (layout_.tree.cliques[id].parent >= 0) continue;
    const TableAccess& message = layout_.cliques[id].message;
    const double* values = read(message);
    log_value += std::log(std::accumulate(values, values + message.size, 0.0));
  }
  log_value_ = log_value + static_cast<double>(exponent) * std::numbers::ln2;
  is_possible_ = std::isfinite(log_value_);
  return true;
}

bool Propagation::distribute(unsigned n_threads, Control& control) {
  assert(is_possible_ && kind_ == Marginalisation::kSum && !layout_.query.joint);
  beliefs_.resize(layout_.message_size);
  std::vector<std::int32_t> needed;
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    needed.clear();
    std::ranges::copy_if(*level, std::back_inserter(needed),
                         [&](std::int32_t id) { return table(id).is_needed; });
    if (!run_level(needed, Pass::kDistribute, n_threads, control)) return false;
  }
  read_beliefs();
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
      for (const TableAccess& output : clique.outputs) job.outputs.push_back(&output);
    }
    for (const TableAccess* output : job.outputs) {
      std::fill_n(write(*output), output->size, 0.0);
    }
    if (size >= kChunkCells) copied += cut(job, std::min(size / 2, most_copied - copied));
    for (std::size_t chunk = 0; chunk < job.n_chunks; ++chunk) tasks.emplace_back(at, chunk);
  }

  const unsigned workers = cells < kParallelCells ? 1 : std::max(n_threads, 1U);
  std::vector<Scratch> scratch(workers);
  std::atomic<bool> stop{false};
  parallel_blocks(tasks.size(), workers, stop, [&](std::size_t task, unsigned worker) {
    Job& job = jobs[tasks[task].first];
    run_job(job, tasks[task].second, scratch[worker]);
    if (job.n_chunks == 1) finish(job.clique, pass);
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
        value = kind_ == Marginalisation::kSum ? value + copies[at] : std::max(value, copies[at]);
      }
    }
    finish(job.clique, pass);
  }
  done_ += cliques.size();
  return true;
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

void Propagation::run_job(Job& job, std::size_t chunk, Scratch& scratch) {
  const CliqueTable& clique = table(job.clique);
  const std::size_t first = clique.n_blocks * chunk / job.n_chunks;
  const std::size_t last = clique.n_blocks * (chunk + 1) / job.n_chunks;
  double coefficient = 1;
  if (job.pass == Pass::kDistribute) {
    const std::int64_t exponent = exponents_[static_cast<std::size_t>(job.clique)];
    if (std::abs(exponent) > kLargestExponent) return;  // finish does it by logs
    coefficient = std::ldexp(1.0, -static_cast<int>(exponent));
    if (layout_.tree.cliques[static_cast<std::size_t>(job.clique)].parent < 0) {
      coefficient /= *read(clique.message);
    }
  }
  scratch.fixed.assign(clique.block, coefficient);
  scratch.block.resize(clique.block);
  scratch.scalars.clear();
  scratch.varying.clear();
  const auto add = [&](const TableAccess& operand) {
    if (operand.fixed) {
      multiply_block(scratch.fixed, read(operand), operand.pattern);
    } else if (is_scalar(operand, clique.block)) {
      scratch.scalars.push_back(&operand);
    } else {
      scratch.varying.push_back(&operand);
    }
  };
  for (const TableAccess& operand : clique.operands) add(operand);
  const bool has_parent = layout_.tree.cliques[static_cast<std::size_t>(job.clique)].parent >= 0;
  if (job.pass == Pass::kDistribute && has_parent) add(clique.message);

  scratch.all = scratch.scalars;
  scratch.all.insert(scratch.all.end(), scratch.varying.begin(), scratch.varying.end());
  scratch.all.insert(scratch.all.end(), job.outputs.begin(), job.outputs.end());
  const std::size_t n_scalars = scratch.scalars.size();
  const std::size_t n_operands = n_scalars + scratch.varying.size();
  std::vector<const double*> tables;
  for (std::size_t at = 0; at < n_operands; ++at) tables.push_back(read(*scratch.all[at]));
  std::vector<double*> targets;
  for (std::size_t output = 0; output < job.outputs.size(); ++output) {
    const bool has_copies = job.n_chunks > 1 && !job.copies[output].empty();
    targets.push_back(has_copies ? job.copies[output].data() + chunk * job.outputs[output]->size
                                 : write(*job.outputs[output]));
  }

  OuterWalk walk(clique, scratch.all, first, scratch.offsets);
  for (std::size_t block = first; block < last; ++block, walk.next()) {
    double scalar = 1;
    for (std::size_t at = 0; at < n_scalars; ++at) scalar *= tables[at][scratch.offsets[at]];
    if (scalar == 0) continue;
    for (std::size_t cell = 0; cell < clique.block; ++cell) {
      scratch.block[cell] = scratch.fixed[cell] * scalar;
    }
    for (std::size_t at = n_scalars; at < n_operands; ++at) {
      multiply_block(scratch.block, tables[at] + scratch.offsets[at], scratch.all[at]->pattern);
    }
    for (std::size_t output = 0; output < targets.size(); ++output) {
      marginalise_block(scratch.block, targets[output] + scratch.offsets[n_operands + output],
                        job.outputs[output]->pattern, kind_);
    }
  }
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
  exponent = 0;
  if (!(std::ranges::max(values) >= kTiny)) collect_by_logs(id);
  exponent += take_out_exponent(values);
}

// Leaves the message with a power of two taken out already; of zeros where the evidence excludes
// every state.
void Propagation::collect_by_logs(std::int32_t id) {
  const CliqueTable& clique = table(id);
  std::vector<const TableAccess*> tables;
  for (const TableAccess& operand : clique.operands) tables.push_back(&operand);
  tables.push_back(&clique.message);
  std::vector<double> block(clique.block);
  std::vector<std::size_t> offsets;
  double* out = write(clique.message);
  double shift = -INFINITY;
  std::fill_n(out, clique.message.size, 0.0);
  for (const bool is_second : {false, true}) {
    OuterWalk walk(clique, tables, 0, offsets);
    for (std::size_t at = 0; at < clique.n_blocks; ++at, walk.next()) {
      std::ranges::fill(block, 0.0);
      for (std::size_t operand = 0; operand < clique.operands.size(); ++operand) {
        add_logs_to_block(block, read(*tables[operand]) + offsets[operand],
                          tables[operand]->pattern);
      }
      if (!is_second) {
        shift = std::max(shift, std::ranges::max(block));
        continue;
      }
      for (double& value : block) value = std::exp(value - shift);
      marginalise_block(block, out + offsets.back(), clique.message.pattern, kind_);
    }
    if (shift == -INFINITY) return;
    if (!is_second) {
      const double exponent = std::round(shift / std::numbers::ln2);
      exponents_[static_cast<std::size_t>(id)] = static_cast<std::int64_t>(exponent);
      shift = exponent * std::numbers::ln2;
    }
  }
}

void Propagation::finish_beliefs(std::int32_t id) {
  const CliqueTable& clique = table(id);
  const auto sum_of_output = [&](const TableAccess& output) {
    const double* values = read(output);
    return std::accumulate(values, values + output.size, 0.0);
  };
  const double first = sum_of_output(clique.outputs.front());
  if (!(first > 0.5 && first < 2)) distribute_by_logs(id);
  for (std::size_t output = 0; output < clique.outputs.size(); ++output) {
    const TableAccess& access = clique.outputs[output];
    const double sum = sum_of_output(access);
    double* values = write(access);
    for (std::size_t at = 0; at < access.size; ++at) values[at] /= sum;
    const std::int32_t child = clique.output_cliques[output];
    if (child < 0) continue;
    double* ratio = write(table(child).message);
    for (std::size_t at = 0; at < access.size; ++at) {
      ratio[at] = values[at] == 0 ? 0 : values[at] / ratio[at];
    }
  }
}

void Propagation::distribute_by_logs(std::int32_t id) {
  const CliqueTable& clique = table(id);
  const auto at_id = static_cast<std::size_t>(id);
  const bool has_parent = layout_.tree.cliques[at_id].parent >= 0;
  double shift = static_cast<double>(exponents_[at_id]) * std::numbers::ln2;
  if (!has_parent) shift += std::log(*read(clique.message));
  std::vector<const TableAccess*> tables;
  for (const TableAccess& operand : clique.operands) tables.push_back(&operand);
  if (has_parent) tables.push_back(&clique.message);
  const std::size_t n_operands = tables.size();
  for (const TableAccess& output : clique.outputs) {
    tables.push_back(&output);
    std::fill_n(write(output), output.size, 0.0);
  }
  std::vector<double> block(clique.block);
  std::vector<std::size_t> offsets;
  OuterWalk walk(clique, tables, 0, offsets);
  for (std::size_t at = 0; at < clique.n_blocks; ++at, walk.next()) {
    std::ranges::fill(block, -shift);
    for (std::size_t operand = 0; operand < n_operands; ++operand) {
      add_logs_to_block(block, read(*tables[operand]) + offsets[operand], tables[operand]->pattern);
    }
    for (double& value : block) value = std::exp(value);
    for (std::size_t output = n_operands; output < tables.size(); ++output) {
      marginalise_block(block, write(*tables[output]) + offsets[output], tables[output]->pattern,
                        Marginalisation::kSum);
    }
  }
}

// Marginals of the targets that stand in a separator.
void Propagation::read_beliefs() {
  for (const Node target : layout_.targets) {
    const auto variable = static_cast<std::size_t>(target);
    const std::int32_t home = layout_.belief_home[variable];
    if (home < 0) continue;
    const CliqueTable& clique = table(home);
    const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(home)];
    std::size_t inner = 1;
    for (std::size_t at = members.n_separator; members.members[--at] != target;) {
      inner *= clique.sizes[at];
    }
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

std::size_t Propagation::joint_size() const { return table(layout_.joint_root).message.size; }

void Propagation::joint(std::span<double> out) const {
  assert(is_possible_ && out.size() == joint_size());
  const double* values = read(table(layout_.joint_root).message);
  const double sum = std::accumulate(values, values + out.size(), 0.0);
  for (std::size_t at = 0; at < out.size(); ++at) out[at] = values[at] / sum;
}

// The product of a clique's operands for every joint state of the variables summed out in it, given
// the states of its separator; up to a factor.
void Propagation::residual_weights(std::int32_t id, std::span<const std::int32_t> states,
                                   std::vector<double>& weights) const {
  const CliqueTable& clique = table(id);
  const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
  const std::size_t n_axes = clique.sizes.size();
  std::size_t size = 1;
  for (std::size_t axis = members.n_separator; axis < n_axes; ++axis) size *= clique.sizes[axis];
  for (const bool by_logs : {false, true}) {
    weights.assign(size, by_logs ? 0.0 : 1.0);
    for (const TableAccess& operand : clique.operands) {
      const double* values = read(operand);
      for (std::size_t axis = 0; axis < members.n_separator; ++axis) {
        const auto member = static_cast<std::size_t>(members.members[axis]);
        values += static_cast<std::size_t>(states[member]) * operand.strides[axis];
      }
      std::vector<std::size_t> counters(n_axes, 0);
      for (double& weight : weights) {
        weight = by_logs ? weight + std::log(*values) : weight * *values;
        for (std::size_t axis = n_axes; axis-- > members.n_separator;) {
          values += operand.strides[axis];
          if (++counters[axis] < clique.sizes[axis]) break;
          values -= operand.strides[axis] * clique.sizes[axis];
          counters[axis] = 0;
        }
      }
    }
    const double largest = std::ranges::max(weights);
    if (by_logs) {
      for (double& weight : weights) weight = std::exp(weight - largest);
    } else if (largest >= kTiny) {
      return;
    }
  }
}

void Propagation::trace_back(std::span<std::int32_t> states) const {
  assert(is_possible_ && kind_ == Marginalisation::kMax);
  std::vector<double> weights;
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    for (const std::int32_t id : *level) {
      residual_weights(id, states, weights);
      auto best = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
      const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
      for (std::size_t axis = members.members.size(); axis-- > members.n_separator;) {
        const std::size_t size = table(id).sizes[axis];
        states[static_cast<std::size_t>(members.members[axis])] =
            static_cast<std::int32_t>(best % size);
        best /= size;
      }
    }
  }
}

void Propagation::draw(Random& random, std::span<std::int32_t> states) const {
  assert(is_possible_ && kind_ == Marginalisation::kSum);
  std::vector<double> weights;
  for (auto level = layout_.levels.rbegin(); level != layout_.levels.rend(); ++level) {
    for (const std::int32_t id : *level) {
      residual_weights(id, states, weights);
      double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
      std::size_t chosen = 0;
      for (std::size_t at = 0; at < weights.size(); ++at) {
        if (weights[at] == 0) continue;
        chosen = at;  // rounding must not end on a state of weight 0
        left -= weights[at];
        if (left < 0) break;
      }
      const Clique& members = layout_.tree.cliques[static_cast<std::size_t>(id)];
      for (std::size_t axis = members.members.size(); axis-- > members.n_separator;) {
        const std::size_t size = table(id).sizes[axis];
        states[static_cast<std::size_t>(members.members[axis])] =
            static_cast<std::int32_t>(chosen % size);
        chosen /= size;
      }
    }
  }
}

}  // namespace credenet
