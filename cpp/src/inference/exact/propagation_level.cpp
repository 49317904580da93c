// The cliques of a level, which do not depend on each other, on several threads. Large cliques are
// cut into a fixed number of chunks; parts of a sum are added in the order of the chunks, so the
// digits do not depend on the number of threads.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numeric>

#include "credenet/inference/exact/product_walk.hpp"
#include "credenet/inference/exact/propagation.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kTiny = 1e-100;                 // A smaller message is made again by logs.
constexpr std::size_t kChunkCells = 1 << 17;     // Cliques of fewer cells are not cut.
constexpr std::size_t kChunks = 32;              // Most chunks of a clique.
constexpr std::size_t kParallelCells = 1 << 18;  // Levels with fewer cells stay on one thread.
constexpr int kLargestExponent = 1000;           // Largest exponent of a power of two in a product.

}  // namespace

// One clique of a level. Outputs that two chunks may both add to have a copy for every chunk.
struct Propagation::Job {
  std::int32_t clique = 0;
  Pass pass = Pass::kCollect;
  std::size_t n_chunks = 1;
  std::vector<const TableAccess*> outputs;
  // Copies of each output; empty if the chunks do not overlap.
  std::vector<std::vector<double>> copies;
};

bool Propagation::run_level(std::span<const std::int32_t> cliques, Pass pass, unsigned n_threads,
                            Control& control) {
  std::vector<Job> jobs(cliques.size());
  std::vector<std::pair<std::size_t, std::size_t>> tasks;  // Job and chunk of each task.
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

// Cuts a job into as many chunks as the copies that they need allow. Returns the cells of the
// copies.
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
    // The step `finish` will find nothing and say so.
    if (std::abs(exponent) > kLargestExponent) return;
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

// Lists the tables whose product a clique is in a pass.
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
  bool is_small = true;  // Whether no value is large, infinite or not a number.
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

// Reads the marginals that come from a clique's separator.
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

}  // namespace credenet
