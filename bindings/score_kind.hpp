#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "credenet/scores/set_terms.hpp"

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
  throw nb::value_error(name.c_str());
}

}  // namespace credenet::python
