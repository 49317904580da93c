#include <nanobind/nanobind.h>

#include "python_control.hpp"

namespace credenet::python {
void bind_process_end(nanobind::module_& module);
void bind_errors(nanobind::module_& module);
void bind_bounded_dp(nanobind::module_& module);
void bind_chains(nanobind::module_& module);
void bind_counts(nanobind::module_& module);
void bind_cuts(nanobind::module_& module);
void bind_credible(nanobind::module_& module);
void bind_diagram(nanobind::module_& module);
void bind_effects(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_families(nanobind::module_& module);
void bind_scorers(nanobind::module_& module);
void bind_graphs(nanobind::module_& module);
void bind_approximate(nanobind::module_& module);
void bind_independence(nanobind::module_& module);
void bind_inference(nanobind::module_& module);
void bind_k_trees(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_posterior(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_treewidth(nanobind::module_& module);
}  // namespace credenet::python

NB_MODULE(_core, module) {
  module.doc() =
      "The compiled core; its arguments are prepared by the Python modules that call it.";
  module.def(
      "set_poll_interval",
      [](double seconds) { credenet::python::PythonControl::interval = seconds; },
      nanobind::arg("seconds"), "The least time between two calls of a callback.");
  credenet::python::bind_process_end(module);
  credenet::python::bind_errors(module);
  credenet::python::bind_counts(module);
  credenet::python::bind_scorers(module);
  credenet::python::bind_families(module);
  credenet::python::bind_diagram(module);
  credenet::python::bind_cuts(module);
  credenet::python::bind_effects(module);
  credenet::python::bind_data(module);
  credenet::python::bind_graphs(module);
  credenet::python::bind_independence(module);
  credenet::python::bind_inference(module);
  credenet::python::bind_approximate(module);
  credenet::python::bind_network(module);
  credenet::python::bind_search(module);
  credenet::python::bind_treewidth(module);
  credenet::python::bind_bounded_dp(module);
  credenet::python::bind_k_trees(module);
  credenet::python::bind_credible(module);
  credenet::python::bind_posterior(module);
  credenet::python::bind_chains(module);
}
