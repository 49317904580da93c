#pragma once

#include <optional>
#include <span>
#include <vector>

#include "credenet/inference/exact/factors.hpp"
#include "credenet/inference/exact/propagation.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Every variable of a Bayesian network after its parents.
[[nodiscard]] std::vector<std::int32_t> order_along_arcs(const FactorsView& factors);

// Draws the states of a Bayesian network along the arcs with the evidence in place: a variable of
// known state multiplies the weight by its probability given its parents, one with likelihoods is
// drawn by these times its probabilities and multiplies the weight by their sum. Weights average to
// the probability of the evidence, without bias (Fung and Chang 1989; Shachter and Peot 1989).
class LikelihoodWeighting {
 public:
  LikelihoodWeighting(const FactorsView& factors, const QueryShape& query, const Evidence& evidence,
                      std::span<const std::int32_t> order)
      : factors_(factors), query_(query), evidence_(evidence), order_(order) {
    likelihood_begin_.push_back(0);
    for (const std::int32_t states : factors.n_states) {
      likelihood_begin_.push_back(likelihood_begin_.back() + static_cast<std::size_t>(states));
    }
  }

  // The log of the weight of a sample.
  std::optional<double> operator()(Random& random, std::span<std::int32_t> states);

 private:
  FactorsView factors_;
  QueryShape query_;
  Evidence evidence_;
  std::span<const std::int32_t> order_;
  std::vector<std::size_t> likelihood_begin_;
  std::vector<double> products_;
};

}  // namespace credenet
