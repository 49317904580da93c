#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credenet/inference/approximate/sample_search.hpp"
#include "credenet/inference/exact/sliced_model.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/random.hpp"
#include "credenet/util/status.hpp"

namespace credenet {

// A state of a model in which one variable at a time is drawn given all the others.
class GibbsChain {
 public:
  // The states, one per variable of the model, must have positive weight.
  GibbsChain(const SlicedModel& model, std::vector<std::int32_t> states);

  // Draws every variable once; visit(variable, weights, total) receives its distribution.
  template <typename Visit>
  void sweep(Random& random, Visit&& visit) {
    for (std::size_t variable = 0; variable < states_.size(); ++variable) {
      const double total = fill_weights(variable);
      const std::span<const double> weights(weights_.data(),
                                            static_cast<std::size_t>(model_.n_states[variable]));
      visit(variable, weights, total);
      move(variable, weights, total, random);
    }
  }
  [[nodiscard]] std::span<const std::int32_t> states() const { return states_; }

 private:
  struct Neighbour {
    std::size_t factor, stride;
  };

  double fill_weights(std::size_t variable);
  void move(std::size_t variable, std::span<const double> weights, double total, Random& random);

  const SlicedModel& model_;
  std::vector<std::int32_t> states_;
  std::vector<std::size_t> cells_;  // Cell of each factor at the current states.
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<double> weights_;
};

struct GibbsOptions {
  std::size_t n_samples = 0;  // Samples of all chains together.
  std::size_t burn_in = 0;    // Sweeps of each chain before its first sample.
  std::size_t n_chains = 1;
  std::size_t thin = 1;  // Sweeps from one sample to the next.
};

// How far messages must have settled before starts are drawn from what they say.
inline constexpr LoopyOptions kStartOptions{0, 5, 1e-3};

struct GibbsEstimate {
  // Values for each state of each variable of the model.
  std::vector<double> probabilities, standard_errors;
  std::uint64_t n_samples = 0;
  std::size_t n_chains = 0;          // Chains that found a state to start from.
  double scale_reduction = 1;        // Largest value of all states.
  double effective_sample_size = 0;  // Smallest value of all states.
  Status status = Status::kStopped;
};

// The mean over the samples of the probability of each state given all other variables; see the
// source file for the errors.
[[nodiscard]] GibbsEstimate gibbs(const SlicedModel& model, const JoinGraphProposal& proposal,
                                  SearchRecord& record, const GibbsOptions& options,
                                  std::uint64_t seed, unsigned n_threads, Control& control);

// Samples as rows: column-major states, one column per variable of the whole model; the columns of
// observed variables are left alone. Each chain has its own rows, one after the other, and fills
// the first n_drawn of them: none if it found no state to start from, fewer than all where the
// control stopped it.
[[nodiscard]] Status gibbs_rows(const SlicedModel& model, const JoinGraphProposal& proposal,
                                SearchRecord& record, const GibbsOptions& options,
                                std::uint64_t seed, unsigned n_threads, Control& control,
                                std::span<std::int32_t> rows, std::span<std::int64_t> n_drawn);

}  // namespace credenet
