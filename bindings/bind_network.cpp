#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "credenet/models/family_counts.hpp"
#include "credenet/models/forward.hpp"
#include "credenet/models/log_likelihood.hpp"
#include "factor_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

template <typename Code>
Status sample(const FactorArrays& network, const Vector<std::int32_t>& order, std::uint64_t seed,
              unsigned n_threads, const OutColumns<Code>& codes, const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return sample_forward(network.view_all(), view(order), codes.shape(0), seed, n_threads, control,
                          codes.data());
  });
}

template <typename Code>
Status row_log_likelihood(const FactorArrays& network, const Columns<Code>& codes,
                          unsigned n_threads, const OutVector<double>& log_probabilities,
                          const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return log_likelihood(network.view_all(), codes.data(), n_threads, control,
                          view(log_probabilities));
  });
}

template <typename Code>
Status count(const FactorArrays& structure, const Columns<Code>& codes,
             const Vector<double>& weights, unsigned n_threads, const OutVector<double>& counts,
             const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    return family_counts(structure.view_all(), codes.data(), codes.shape(0), view(weights),
                         n_threads, control, view(counts));
  });
}

template <typename Code>
void bind_for(nb::module_& module) {
  module.def("sample_forward", &sample<Code>, "network"_a, "order"_a.noconvert(), "seed"_a,
             "n_threads"_a, "codes"_a.noconvert(), "on_progress"_a.none() = nb::none());
  module.def("log_likelihood", &row_log_likelihood<Code>, "network"_a, "codes"_a.noconvert(),
             "n_threads"_a, "log_probabilities"_a.noconvert(), "on_progress"_a.none() = nb::none());
  module.def("family_counts", &count<Code>, "structure"_a, "codes"_a.noconvert(),
             "weights"_a.noconvert(), "n_threads"_a, "counts"_a.noconvert(),
             "on_progress"_a.none() = nb::none());
}

}  // namespace

void bind_network(nb::module_& module) {
  nb::class_<FactorArrays>(module, "FactorArrays",
                           "The factors of a model as flat arrays; of a network, its tables.")
      .def(
          "__init__",
          [](FactorArrays* self, Vector<std::int32_t> n_states, Vector<std::int64_t> scope_offsets,
             Vector<std::int32_t> scopes, Vector<std::int64_t> table_offsets,
             Vector<double> tables) {
            new (self) FactorArrays{std::move(n_states), std::move(scope_offsets),
                                    std::move(scopes), std::move(table_offsets), std::move(tables)};
          },
          "n_states"_a.noconvert(), "scope_offsets"_a.noconvert(), "scopes"_a.noconvert(),
          "table_offsets"_a.noconvert(), "tables"_a.noconvert());
  bind_for<std::uint8_t>(module);
  bind_for<std::uint16_t>(module);
}

}  // namespace credenet::python
