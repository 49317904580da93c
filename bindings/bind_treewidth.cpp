#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "credenet/treewidth/tree_decomposition.hpp"
#include "python_control.hpp"

namespace credenet::python {

void bind_treewidth(nb::module_& module) {
  nb::class_<BoundedResult, SearchResult>(module, "BoundedResult",
                                          "A network within the bags of a tree decomposition.")
      .def_prop_ro("bags", [](const BoundedResult& self) { return self.decomposition.bags; })
      .def_prop_ro("bag_parents",
                   [](const BoundedResult& self) { return self.decomposition.parents; });
}

}  // namespace credenet::python
