#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/credible/diagram_sums.hpp"
#include "credenet/credible/dual_lattice.hpp"
#include "credenet/credible/network_diagram.hpp"
#include "python_control.hpp"

namespace credenet::python {

using namespace nb::literals;

void bind_diagram(nb::module_& module) {
  using Node = NetworkDiagram::Node;
  nb::class_<NetworkDiagram>(
      module, "NetworkDiagram",
      "Networks as sums and products. A node is any of its alternatives; an alternative is a "
      "family for each of some variables, and any networks of its children.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def_ro_static("no_limit", &NetworkDiagram::kNoLimit)
      .def_prop_ro("n_variables", &NetworkDiagram::n_variables)
      .def_prop_ro("n_nodes", &NetworkDiagram::n_nodes)
      .def_prop_ro("n_bytes", &NetworkDiagram::n_bytes)
      .def(
          "add_products",
          [](NetworkDiagram& self, const std::vector<std::vector<Node>>& products) {
            std::vector<NetworkDiagram::Alternative> alternatives;
            for (const auto& children : products) alternatives.push_back({0, {}, children});
            return self.add(alternatives);
          },
          "products"_a, "A node with an alternative for each list of children.")
      .def(
          "add_list",
          [](NetworkDiagram& self, const Vector<std::uint16_t>& members,
             const Vector<std::uint16_t>& positions, const Vector<std::int64_t>& ticks) {
            return self.add_list(view(members), view(positions), view(ticks));
          },
          "members"_a.noconvert(), "positions"_a.noconvert(), "ticks"_a.noconvert(),
          "A node of networks that are given one after the other.")
      .def(
          "append",
          [](NetworkDiagram& self, const NetworkDiagram& other, Node root,
             const Vector<std::uint16_t>& variables) {
            return self.append(other, view(variables))[root];
          },
          "other"_a, "root"_a, "variables"_a.noconvert(),
          "Adds the nodes of another diagram; what one of them is here.")
      .def(
          "listed",
          [](const NetworkDiagram& self, Node root, std::int64_t above, std::int64_t most,
             std::size_t max_rows) {
            NetworkDiagram::Rows rows =
                released([&] { return self.listed(root, above, most, max_rows); });
            return std::tuple(to_array(std::move(rows.positions)), to_array(std::move(rows.ticks)),
                              rows.is_whole);
          },
          "root"_a, "above"_a, "most"_a, "max_rows"_a,
          "The networks that deviate by more than one limit and at most by the other: positions of "
          "families, deviations, and whether these are all.");
  nb::class_<DiagramSums>(module, "DiagramSums",
                          "The networks of a diagram within a deviation, counted and weighed.")
      .def(
          "__init__",
          [](DiagramSums* self, const NetworkDiagram& diagram, Node root, std::int64_t most,
             double tick, std::size_t max_bytes) {
            released([&] {
              new (self) DiagramSums(diagram, root, most, tick, max_bytes);
              return 0;
            });
          },
          "diagram"_a, "root"_a, "most"_a, "tick"_a, "max_bytes"_a, nb::keep_alive<1, 2>())
      .def(
          "sum",
          [](DiagramSums& self, const OnProgress& on_progress) {
            return run(on_progress, [&](Control& control) { return self.sum(control); });
          },
          "on_progress"_a.none())
      .def_prop_ro("n_networks", [](const DiagramSums& self) { return to_int(self.n_networks()); })
      .def_prop_ro("weight", &DiagramSums::weight)
      .def(
          "family_weights",
          [](const DiagramSums& self, const Vector<std::int64_t>& starts, std::size_t n_families,
             const OnProgress& on_progress) {
            std::vector<double> weights(n_families, 0.0);
            const Status status = run(on_progress, [&](Control& control) {
              return self.family_weights(view(starts), weights, control);
            });
            return std::pair(status, to_array(std::move(weights)));
          },
          "starts"_a.noconvert(), "n_families"_a, "on_progress"_a.none())
      .def(
          "draw",
          [](const DiagramSums& self, std::size_t n_networks, std::uint64_t seed,
             const OnProgress& on_progress) {
            std::vector<std::uint16_t> rows;
            double n_steps = 0;
            Random random(seed);
            const Status status = run(on_progress, [&](Control& control) {
              return self.draw(n_networks, random, rows, n_steps, control);
            });
            return std::tuple(status, to_array(std::move(rows)), n_steps);
          },
          "n_networks"_a, "seed"_a, "on_progress"_a.none());
  nb::class_<DualLattice>(
      module, "DualLattice",
      "The subsets of some variables that dual values leave on the way to networks that reach a "
      "target.")
      .def(
          "__init__",
          [](DualLattice* self, const FamilyRows& rows, const Vector<std::int32_t>& numbers,
             const Vector<double>& multipliers, const Vector<std::uint8_t>& alive,
             const Vector<std::int32_t>& members, double target) {
            new (self) DualLattice(rows, view(numbers), view(multipliers), view(alive),
                                   view(members), target);
          },
          "rows"_a, "numbers"_a.noconvert(), "multipliers"_a.noconvert(), "alive"_a.noconvert(),
          "members"_a.noconvert(), "target"_a)
      .def_prop_ro("n_sets", &DualLattice::n_sets)
      .def(
          "grow",
          [](DualLattice& self, std::size_t max_sets, unsigned n_threads,
             const OnProgress& on_progress) {
            return run(on_progress,
                       [&](Control& control) { return self.grow(max_sets, n_threads, control); });
          },
          "max_sets"_a, "n_threads"_a, "on_progress"_a.none(),
          "Finds the subsets, before all else; iteration_limit if there are more.")
      .def(
          "best_families",
          [](const DualLattice& self) {
            return to_array(released([&] { return self.best_families(); }));
          },
          "The best network by the families of the rows; empty if none reaches the target.")
      .def(
          "families",
          [](const DualLattice& self, const OnProgress& on_progress) {
            std::vector<std::uint8_t> keep;
            const Status status = run(on_progress, [&](Control& control) {
              keep = self.families(control);
              return !keep.empty();
            });
            return std::pair(status, to_array(std::move(keep)));
          },
          "on_progress"_a.none(),
          "For each family of the rows 1 if it is in a network that reaches the target.")
      .def(
          "networks",
          [](const DualLattice& self, const Vector<std::uint16_t>& positions,
             const Vector<std::int64_t>& ticks, std::size_t max_bytes, unsigned n_threads,
             NetworkDiagram& diagram, const OnProgress& on_progress) {
            const FamilyChoices found = run(on_progress, [&](Control& control) {
              return self.networks({view(positions), view(ticks)}, max_bytes, n_threads, diagram,
                                   control);
            });
            std::optional<NetworkDiagram::Node> root;
            if (found.root != NetworkDiagram::kNone) root = found.root;
            return std::tuple(found.status, root, found.n_steps);
          },
          "positions"_a.noconvert(), "ticks"_a.noconvert(), "max_bytes"_a, "n_threads"_a,
          "diagram"_a, "on_progress"_a.none(),
          "Adds the networks that reach the target to a diagram: the status, their node, if there "
          "are any, and the number of steps.");
}

}  // namespace credenet::python
