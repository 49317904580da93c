#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/families/family_scorer.hpp"
#include "credenet/posterior/all_families.hpp"
#include "credenet/posterior/blanket_sums.hpp"
#include "credenet/posterior/dag_paths.hpp"
#include "credenet/posterior/dag_sampler.hpp"
#include "credenet/posterior/dag_sums.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

// The log weights of all families, until the sums are made.
class Weights {
 public:
  explicit Weights(const FamilyArrays& families) : weights_(FamilyLists(families)) {}
  explicit Weights(std::size_t n_variables) : weights_(n_variables) {}

  WeightTable& get() { return weights_; }
  [[nodiscard]] const WeightTable& get() const { return weights_; }

 private:
  WeightTable weights_;
};

std::pair<Status, std::unique_ptr<Weights>> weights_of_data(const FamilyScorer& scorer,
                                                            const std::vector<ChildRules>& rules,
                                                            unsigned n_threads,
                                                            const OnProgress& on_progress) {
  const CountedScore* counted = scorer.counted();
  if (counted == nullptr || counted->source->rows() == nullptr) {
    throw nb::value_error("sums of counts need rows");
  }
  auto found = std::make_unique<Weights>(rules.size());
  const Status status = run(on_progress, [&](Control& control) {
    return score_all_families(*counted->source->rows(), counted->settings, rules, n_threads,
                              control, found->get());
  });
  return {status, std::move(found)};
}

// The families above a probability as flat lists, the heaviest of a variable first.
struct Listed {
  std::vector<std::int64_t> starts{0};
  std::vector<double> log_weights;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;
};

Listed listed(const DagSums& sums, const WeightTable& weights, double least) {
  const std::size_t n_sets = weights.n_sets();
  Listed lists;
  for (std::size_t variable = 0; variable < sums.n_variables; ++variable) {
    const double* probabilities = sums.family_probabilities.data() + variable * n_sets;
    const auto own = weights.of(variable);
    std::vector<std::size_t> kept;
    for (std::size_t set = 0; set < n_sets; ++set) {
      if (std::isfinite(own[set]) && probabilities[set] >= least) kept.push_back(set);
    }
    std::ranges::stable_sort(kept, std::ranges::greater{},
                             [&](std::size_t set) { return own[set]; });
    for (const std::size_t set : kept) {
      for (std::uint32_t rest = with_gap(set, variable); rest != 0; rest &= rest - 1) {
        lists.parents.push_back(std::countr_zero(rest));
      }
      lists.offsets.push_back(static_cast<std::int64_t>(lists.parents.size()));
      lists.log_weights.push_back(own[set]);
    }
    lists.starts.push_back(static_cast<std::int64_t>(lists.log_weights.size()));
  }
  return lists;
}

// The probabilities of listed families. Families that differ only in parents outside the lists
// share the probability of their parents inside.
std::vector<double> probabilities_of(const DagSums& sums, const WeightTable& weights,
                                     const FamilyLists& lists) {
  const std::size_t n_sets = weights.n_sets();
  std::vector<double> found(lists.scores.size());
  for (std::size_t variable = 0; variable < sums.n_variables; ++variable) {
    for (std::size_t family = lists.begin(variable); family < lists.end(variable); ++family) {
      const std::size_t at = without(parent_bits(lists, family), variable);
      const double share = std::exp(lists.scores[family] - weights.of(variable)[at]);
      found[family] = sums.family_probabilities[variable * n_sets + at] * std::min(share, 1.0);
    }
  }
  return found;
}

// The probability of each edge, child by child, and the largest deviation of a sum from 1.
std::pair<std::vector<double>, double> edges_of(const DagSums& sums) {
  const std::size_t n = sums.n_variables;
  const std::size_t n_sets = n == 0 ? 0 : std::size_t{1} << (n - 1);
  std::vector<double> edges(n * n, 0.0);
  double worst = 0;
  for (std::size_t child = 0; child < n; ++child) {
    const double* probabilities = sums.family_probabilities.data() + child * n_sets;
    double sum = 0;
    for (std::size_t set = 0; set < n_sets; ++set) {
      sum += probabilities[set];
      for (std::uint32_t rest = with_gap(set, child); rest != 0; rest &= rest - 1) {
        const auto parent = static_cast<std::size_t>(std::countr_zero(rest));
        edges[child * n + parent] += probabilities[set];
      }
    }
    worst = std::max(worst, std::abs(sum - 1));
  }
  return {std::move(edges), worst};
}

// The parts that pickle copies: numbers and arrays.
template <typename T>
using Sent = nb::ndarray<T, nb::numpy, nb::ndim<1>>;

using WeightsState = std::tuple<std::size_t, Vector<double>>;
std::tuple<std::size_t, Sent<double>> weights_state(const Weights& self) {
  const WeightTable& weights = self.get();
  std::vector<double> all;
  for (std::size_t variable = 0; variable < weights.n_variables(); ++variable) {
    const auto own = weights.of(variable);
    all.insert(all.end(), own.begin(), own.end());
  }
  return {weights.n_variables(), to_array(std::move(all))};
}
void set_state(Weights& self, const WeightsState& state) {
  const auto& [n_variables, values] = state;
  new (&self) Weights(n_variables);
  WeightTable& weights = self.get();
  if (values.size() != n_variables * weights.n_sets()) throw nb::value_error("not weights");
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    std::ranges::copy(view(values).subspan(variable * weights.n_sets(), weights.n_sets()),
                      weights.of(variable).begin());
  }
}

using TableState = std::pair<Vector<double>, Vector<std::int64_t>>;
using SumsState =
    std::tuple<std::size_t, bool, double, std::vector<TableState>, Vector<double>, Vector<double>>;
auto sums_state(const DagSums& self) {
  std::vector<std::pair<Sent<double>, Sent<std::int64_t>>> tables;
  for (const ScaledTable* table : {&self.of_families, &self.forward, &self.backward}) {
    tables.emplace_back(to_array(std::vector(table->values)),
                        to_array(std::vector(table->exponents)));
  }
  return std::tuple(self.n_variables, self.by_orders, self.log_sum, std::move(tables),
                    to_array(std::vector(self.log_shift)),
                    to_array(std::vector(self.family_probabilities)));
}
template <typename T>
std::vector<T> taken(const Vector<T>& array) {
  return {array.data(), array.data() + array.size()};
}
void set_state(DagSums& self, const SumsState& state) {
  new (&self) DagSums;
  const auto& [n_variables, by_orders, log_sum, tables, log_shift, probabilities] = state;
  if (tables.size() != 3) throw nb::value_error("not sums");
  self.n_variables = n_variables;
  self.by_orders = by_orders;
  self.log_sum = log_sum;
  std::size_t at = 0;
  for (ScaledTable* table : {&self.of_families, &self.forward, &self.backward}) {
    table->values = taken(tables[at].first);
    table->exponents = taken(tables[at].second);
    ++at;
  }
  self.log_shift = taken(log_shift);
  self.family_probabilities = taken(probabilities);
}

void def_weights_of_data(nb::module_& module) {
  module.def("weights_of_all_families", &weights_of_data, "scorer"_a, "rules"_a, "n_threads"_a,
             "on_progress"_a.none(),
             "The status, and the log weights of all families that the rules allow.");
}

}  // namespace

void bind_posterior(nb::module_& module) {
  module.attr("most_summed") = kMostSummed;
  module.def("dag_sums_bytes", &dag_sums_bytes, "n_variables"_a, "backward"_a);
  module.def("all_families_bytes", &all_families_bytes, "n_variables"_a, "n_rows"_a);
  nb::class_<Weights>(module, "WeightTable", "The log weights of all families.")
      .def(nb::init<const FamilyArrays&>(), "families"_a)
      .def("__getstate__", &weights_state)
      .def("__setstate__", [](Weights& self, const WeightsState& state) { set_state(self, state); })
      .def(
          "blanket_within",
          [](const Weights& self, bool by_orders, std::size_t variable,
             const Vector<std::uint32_t>& sets, unsigned n_threads, const OnProgress& on_progress) {
            std::optional<std::vector<double>> found;
            const Status status = run(on_progress, [&](Control& control) {
              found =
                  blanket_within(self.get(), by_orders, variable, view(sets), n_threads, control);
              return found.has_value();
            });
            return std::pair(status, to_array(std::move(found).value_or(std::vector<double>())));
          },
          "by_orders"_a, "variable"_a, "sets"_a.noconvert(), "n_threads"_a, "on_progress"_a.none(),
          "The status, and for each set the probability that it holds the Markov blanket.");
  def_weights_of_data(module);
  nb::class_<DagSums>(module, "DagSums", "Sums of the weights of all DAGs.")
      .def("__getstate__", &sums_state)
      .def("__setstate__", [](DagSums& self, const SumsState& state) { set_state(self, state); })
      .def_ro("log_sum", &DagSums::log_sum)
      .def_ro("is_cut", &DagSums::is_cut)
      .def(
          "edges",
          [](const DagSums& self) {
            auto [edges, worst] = released([&] { return edges_of(self); });
            return std::pair(to_array(std::move(edges)), worst);
          },
          "The probability of each edge, for each child those of its parents, and the largest "
          "deviation of the sum over a variable's families from 1.")
      .def(
          "families",
          [](const DagSums& self, const Weights& weights, double least) {
            Listed lists = released([&] { return listed(self, weights.get(), least); });
            return std::tuple(
                to_array(std::move(lists.starts)), to_array(std::move(lists.log_weights)),
                to_array(std::move(lists.offsets)), to_array(std::move(lists.parents)));
          },
          "weights"_a, "least"_a,
          "Starts, log weights, offsets and parents of the families that are at least so probable.")
      .def(
          "probabilities",
          [](const DagSums& self, const Weights& weights, const FamilyArrays& families) {
            return to_array(
                released([&] { return probabilities_of(self, weights.get(), families); }));
          },
          "weights"_a, "families"_a, "Those of listed families.")
      .def("forget_families", [](DagSums& self) { self.family_probabilities = {}; })
      .def(
          "paths",
          [](const DagSums& self, unsigned n_threads, const OnProgress& on_progress) {
            std::vector<double> paths;
            const Status status = run(on_progress, [&](Control& control) {
              paths = path_probabilities(self, n_threads, control);
              return !paths.empty() || self.n_variables == 0;
            });
            return std::pair(status, to_array(std::move(paths)));
          },
          "n_threads"_a, "on_progress"_a.none(),
          "The status, and for each variable the probabilities of paths to the others.")
      .def(
          "drawn",
          [](const DagSums& self, const FamilyArrays& families, std::size_t n_networks,
             std::uint64_t seed, const OnProgress& on_progress) {
            std::vector<std::int64_t> drawn(n_networks * self.n_variables);
            const Status status = run(on_progress, [&](Control& control) {
              DagSampler sampler(self, families);
              for (std::size_t network = 0; network < n_networks; ++network) {
                Random random(seed, network);
                sampler.draw(
                    random, std::span(drawn).subspan(network * self.n_variables, self.n_variables));
                if (!control.poll({network, n_networks})) return false;
              }
              return true;
            });
            return std::pair(status, to_array(std::move(drawn)));
          },
          "families"_a, "n_networks"_a, "seed"_a, "on_progress"_a.none(),
          "The status, and for each network drawn the family of each variable.");
  module.def(
      "sum_over_dags",
      [](const Weights& weights, bool by_orders, bool backward, unsigned n_threads,
         const OnProgress& on_progress) {
        std::unique_ptr<DagSums> sums;
        const Status status = run(on_progress, [&](Control& control) {
          sums = by_orders ? order_sums(weights.get(), backward, n_threads, control)
                           : dag_sums(weights.get(), backward, n_threads, control);
          return sums != nullptr;
        });
        auto found = sums == nullptr ? std::nullopt : std::optional(std::move(sums));
        return std::pair(status, std::move(found));
      },
      "weights"_a, "by_orders"_a, "backward"_a, "n_threads"_a, "on_progress"_a.none(),
      "The status, and the sums if they were not stopped.");
}

}  // namespace credenet::python
