// Gibbs sampling (Geman and Geman 1984) in several chains, each with its own random stream and a
// start drawn by SampleSearch. The probability of a state is the mean of its probabilities given
// all other variables. Errors come from means of batches within the chains and from the means of
// the chains, whichever is larger; the potential scale reduction (Gelman and Rubin 1992), with the
// variance of the state itself within the chains, says whether the chains agree.
//
// Where tables have zeros a chain may be unable to reach all states; chains with different starts
// then disagree, or, where they happen to agree, are wrong together.
#include "credenet/inference/approximate/gibbs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>

#include "credenet/util/parallel.hpp"
#include "credenet/util/weighted_choice.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBatches = 16;
constexpr double kSmallProduct = 1e-200;  // Products beyond this and its inverse are done by logs.
constexpr std::size_t kMostTries = 32;    // Most tries to find a state to start from.
constexpr std::size_t kRounds = 32;       // Rounds in which the chains get their samples.

// The samples of a chain, as sums over batches of equal size and over what is left.
struct ChainTally {
  std::vector<double> sums;  // Sums over all samples.
  std::vector<double> batch_sums;
  std::vector<std::vector<double>> batch_means;
  std::uint64_t n_samples = 0;
  std::size_t batch_size = 1;
};

std::size_t samples_of(const GibbsOptions& options, std::size_t chain) {
  return options.n_samples / options.n_chains +
         (chain < options.n_samples % options.n_chains ? 1 : 0);
}

// The number of samples, of n_samples, that a chain has after a round.
std::size_t share_of_round(std::size_t n_samples, std::size_t round) {
  return n_samples / kRounds * round + n_samples % kRounds * round / kRounds;
}

// A chain that has begun, with its own random stream.
struct RunningChain {
  Random random;
  GibbsChain chain;
  std::size_t n_samples = 0;
};

// Runs the chains in rounds, so that all have about as many samples where the control stops them:
// first every burn-in, then a share of the samples of each chain at a time. The visitor of a chain
// sees the sweep of every sample, end_sample(chain, sample, gibbs_chain) the state after it.
template <typename MakeVisitor, typename EndSample>
bool run_chains(const SlicedModel& model, const JoinGraphProposal& proposal, SearchRecord& record,
                const GibbsOptions& options, std::uint64_t seed, unsigned n_threads,
                Control& control, MakeVisitor&& make_visitor, EndSample&& end_sample) {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const std::uint64_t total = options.n_chains * options.burn_in + options.n_samples * options.thin;
  std::vector<std::optional<RunningChain>> chains(options.n_chains);
  const auto go_on = [&](unsigned worker) {
    ++done;
    if (worker == 0 && !control.poll({done.load(), total})) stop = true;
    return !stop;
  };
  const auto sweep_unseen = [&](RunningChain& running, std::size_t n_sweeps, unsigned worker) {
    for (std::size_t sweep = 0; sweep < n_sweeps; ++sweep) {
      running.chain.sweep(running.random, [](std::size_t, std::span<const double>, double) {});
      if (!go_on(worker)) return false;
    }
    return true;
  };
  parallel_blocks(options.n_chains, n_threads, stop, [&](std::size_t chain, unsigned worker) {
    if (samples_of(options, chain) == 0) return;
    Random random(seed, chain);
    SampleSearch search(model, proposal, record);
    std::size_t n_tries = 0;
    while (!search.start(random)) {
      if (++n_tries == kMostTries || record.is_impossible || stop) return;
      if (worker == 0 && !control.poll({done.load(), total})) stop = true;
    }
    GibbsChain begun(model, {search.states().begin(), search.states().end()});
    chains[chain].emplace(RunningChain{random, std::move(begun)});
    sweep_unseen(*chains[chain], options.burn_in, worker);
  });
  for (std::size_t round = 1; round <= kRounds && !stop; ++round) {
    parallel_blocks(options.n_chains, n_threads, stop, [&](std::size_t chain, unsigned worker) {
      if (!chains[chain]) return;
      RunningChain& running = *chains[chain];
      auto visitor = make_visitor(chain);
      const std::size_t last = share_of_round(samples_of(options, chain), round);
      while (running.n_samples < last) {
        if (!sweep_unseen(running, options.thin - 1, worker)) return;
        running.chain.sweep(running.random, visitor);
        end_sample(chain, running.n_samples++, running.chain);
        if (!go_on(worker)) return;
      }
    });
  }
  return !stop;
}

double squared(double value) { return value * value; }

// The standard error and scale reduction of one state from the tallies of the chains.
struct Spread {
  double error = 0;
  double scale_reduction = 1;
};

Spread spread_of(const std::vector<ChainTally>& chains, std::size_t state, double mean) {
  double within = 0;        // Variance of the means of batches about the mean of their chain.
  double own_variance = 0;  // Variance of the state itself within a chain.
  double between = 0;
  std::size_t n_batches = 0;
  std::size_t n_free = 0;
  std::size_t n_chains = 0;
  for (const ChainTally& chain : chains) {
    if (chain.n_samples == 0) continue;
    ++n_chains;
    const double chain_mean = chain.sums[state] / static_cast<double>(chain.n_samples);
    between += squared(chain_mean - mean);
    own_variance += chain_mean * (1 - chain_mean);
    double batch_mean = 0;
    for (const auto& batch : chain.batch_means) batch_mean += batch[state];
    batch_mean /= static_cast<double>(std::max<std::size_t>(chain.batch_means.size(), 1));
    for (const auto& batch : chain.batch_means) within += squared(batch[state] - batch_mean);
    n_batches += chain.batch_means.size();
    n_free += chain.batch_means.size() - std::min<std::size_t>(chain.batch_means.size(), 1);
  }
  const auto count = static_cast<double>(n_chains);
  Spread spread;
  if (n_free == 0 && n_chains < 2) {
    spread.error = INFINITY;
    return spread;
  }
  double variance = 0;
  if (n_free > 0) variance = within / static_cast<double>(n_free) / static_cast<double>(n_batches);
  if (n_chains > 1) {
    between /= count - 1;
    variance = std::max(variance, between / count);
    constexpr double kNegligible = 1e-12;  // Largest difference of equal means by rounding.
    if (between > kNegligible) {
      spread.scale_reduction = std::sqrt(1 + between / (own_variance / count));
    }
  }
  spread.error = std::sqrt(variance);
  return spread;
}

}  // namespace

GibbsChain::GibbsChain(const SlicedModel& model, std::vector<std::int32_t> states)
    : model_(model), states_(std::move(states)), neighbours_(model.n_variables()) {
  const FactorsView factors = model.view();
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    const auto scope = factors.scope(factor);
    std::size_t cell = static_cast<std::size_t>(factors.table_offsets[factor]);
    std::size_t stride = 1;
    for (std::size_t at = scope.size(); at-- > 0;) {
      const auto variable = static_cast<std::size_t>(scope[at]);
      neighbours_[variable].push_back({factor, stride});
      cell += stride * static_cast<std::size_t>(states_[variable]);
      stride *= factors.states_of(scope[at]);
    }
    cells_.push_back(cell);
  }
  weights_.resize(
      model.n_states.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(model.n_states)));
}

double GibbsChain::fill_weights(std::size_t variable) {
  const auto n_states = static_cast<std::size_t>(model_.n_states[variable]);
  const std::span weights(weights_.data(), n_states);
  const auto own = static_cast<std::size_t>(states_[variable]);
  std::ranges::fill(weights, 1.0);
  for (const auto& [factor, stride] : neighbours_[variable]) {
    const double* cell = model_.tables.data() + cells_[factor] - own * stride;
    for (std::size_t state = 0; state < n_states; ++state) weights[state] *= cell[state * stride];
  }
  double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total > kSmallProduct && total < 1 / kSmallProduct) return total;
  std::ranges::fill(weights, 0.0);  // Products left the range of doubles, so logs are added.
  for (const auto& [factor, stride] : neighbours_[variable]) {
    const double* cell = model_.tables.data() + cells_[factor] - own * stride;
    for (std::size_t state = 0; state < n_states; ++state) {
      weights[state] += std::log(cell[state * stride]);
    }
  }
  const double largest = std::ranges::max(weights);
  total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - largest);
  return total;
}

void GibbsChain::move(std::size_t variable, std::span<const double> weights, double total,
                      Random& random) {
  const auto state = static_cast<std::int32_t>(weighted_choice(weights, total, random));
  const std::int32_t change = state - states_[variable];
  if (change == 0) return;
  for (const auto& [factor, stride] : neighbours_[variable]) {
    // The sum wraps round if the change is negative.
    cells_[factor] += static_cast<std::size_t>(change) * stride;
  }
  states_[variable] = state;
}

GibbsEstimate gibbs(const SlicedModel& model, const JoinGraphProposal& proposal,
                    SearchRecord& record, const GibbsOptions& options, std::uint64_t seed,
                    unsigned n_threads, Control& control) {
  const std::size_t n_places = model.state_offsets.back();
  std::vector<ChainTally> chains(options.n_chains);
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    chains[chain].sums.assign(n_places, 0.0);
    chains[chain].batch_sums.assign(n_places, 0.0);
    chains[chain].batch_size = std::max<std::size_t>(samples_of(options, chain) / kBatches, 1);
  }
  GibbsEstimate estimate;
  const bool is_finished = run_chains(
      model, proposal, record, options, seed, n_threads, control,
      [&](std::size_t chain) {
        return [&model, &tally = chains[chain]](std::size_t variable,
                                                std::span<const double> weights, double total) {
          double* sums = tally.batch_sums.data() + model.state_offsets[variable];
          for (std::size_t state = 0; state < weights.size(); ++state) {
            sums[state] += weights[state] / total;
          }
        };
      },
      [&](std::size_t chain, std::size_t sample, const GibbsChain&) {
        ChainTally& tally = chains[chain];
        ++tally.n_samples;
        if ((sample + 1) % tally.batch_size != 0) return;
        for (std::size_t at = 0; at < n_places; ++at) {
          tally.sums[at] += tally.batch_sums[at];
          tally.batch_sums[at] /= static_cast<double>(tally.batch_size);
        }
        tally.batch_means.push_back(std::move(tally.batch_sums));
        tally.batch_sums.assign(n_places, 0.0);
      });
  estimate.status = ended(is_finished);
  std::vector<double> totals(n_places, 0.0);
  for (ChainTally& chain : chains) {
    if (chain.n_samples == 0) continue;
    ++estimate.n_chains;
    estimate.n_samples += chain.n_samples;
    for (std::size_t at = 0; at < n_places; ++at) {
      chain.sums[at] += chain.batch_sums[at];
      totals[at] += chain.sums[at];
    }
  }
  if (estimate.n_samples == 0) return estimate;
  const auto n = static_cast<double>(estimate.n_samples);
  estimate.effective_sample_size = n;
  for (std::size_t at = 0; at < n_places; ++at) {
    const double p = totals[at] / n;
    const Spread spread = spread_of(chains, at, p);
    estimate.probabilities.push_back(p);
    estimate.standard_errors.push_back(p == 0 || p == 1 ? std::max(spread.error, 1 / n)
                                                        : spread.error);
    estimate.scale_reduction = std::max(estimate.scale_reduction, spread.scale_reduction);
    if (spread.error > 0) {
      estimate.effective_sample_size =
          std::min(estimate.effective_sample_size, p * (1 - p) / squared(spread.error));
    }
  }
  return estimate;
}

Status gibbs_rows(const SlicedModel& model, const JoinGraphProposal& proposal, SearchRecord& record,
                  const GibbsOptions& options, std::uint64_t seed, unsigned n_threads,
                  Control& control, std::span<std::int32_t> rows, std::span<std::int64_t> n_drawn) {
  std::vector<std::size_t> first_row(options.n_chains + 1, 0);
  for (std::size_t chain = 0; chain < options.n_chains; ++chain) {
    first_row[chain + 1] = first_row[chain] + samples_of(options, chain);
  }
  return ended(run_chains(
      model, proposal, record, options, seed, n_threads, control,
      [](std::size_t) { return [](std::size_t, std::span<const double>, double) {}; },
      [&](std::size_t chain, std::size_t sample, const GibbsChain& gibbs_chain) {
        const std::size_t row = first_row[chain] + sample;
        for (std::size_t variable = 0; variable < model.n_variables(); ++variable) {
          const auto column = static_cast<std::size_t>(model.variables[variable]);
          rows[column * options.n_samples + row] = gibbs_chain.states()[variable];
        }
        ++n_drawn[chain];
      }));
}

}  // namespace credenet
