#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "credenet/inference/exact/joint_table.hpp"
#include "credenet/scores/set_terms.hpp"
#include "factor_arrays.hpp"

namespace credenet::python {

namespace nb = nanobind;

inline ScoreKind kind_of(const std::string& name) {
  if (name == "loglik") return ScoreKind::kLogLikelihood;
  if (name == "bic") return ScoreKind::kBic;
  if (name == "aic") return ScoreKind::kAic;
  if (name == "mdl") return ScoreKind::kMdl;
  if (name == "bdeu") return ScoreKind::kBdeu;
  if (name == "k2") return ScoreKind::kK2;
  if (name == "jeffreys") return ScoreKind::kJeffreys;
  if (name == "bds") return ScoreKind::kBds;
  if (name == "fnml") return ScoreKind::kFnml;
  if (name == "qnml") return ScoreKind::kQnml;
  if (name == "bde") return ScoreKind::kBde;
  if (name == "mit") return ScoreKind::kMit;
  throw nb::value_error(name.c_str());
}

// The prior network of BDe, the place of each variable of the data in it, and the most bytes that a
// table may take.
struct PriorNetwork {
  FactorArrays factors;
  Vector<std::int32_t> places;
  double max_bytes = 0;
};

// The parameter is the equivalent sample size; for MIT it is the confidence level.
inline ScoreSettings settings_of(const std::string& name, double parameter,
                                 const Vector<std::int32_t>& n_states, const PriorNetwork* prior) {
  ScoreSettings settings{kind_of(name), parameter, view(n_states), parameter};
  if (prior == nullptr) return settings;
  settings.max_bytes = prior->max_bytes;
  settings.prior = [prior](std::span<const std::uint16_t> variables, std::span<double> filled) {
    std::vector<Node> places;
    for (const std::uint16_t variable : variables) places.push_back(view(prior->places)[variable]);
    if (!joint_table(prior->factors.view_all(), places, prior->max_bytes, filled)) {
      throw PriorTooLarge(variables.size());
    }
  };
  return settings;
}

}  // namespace credenet::python
