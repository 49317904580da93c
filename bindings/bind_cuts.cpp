#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrays.hpp"
#include "credenet/credible/family_choices.hpp"
#include "credenet/ilp/active_trails.hpp"
#include "credenet/ilp/arc_propagation.hpp"
#include "credenet/ilp/cluster_cuts.hpp"
#include "credenet/ilp/dual_ascent.hpp"
#include "credenet/ilp/family_rows.hpp"
#include "credenet/ilp/local_cuts.hpp"
#include "credenet/ilp/lp_rounding.hpp"
#include "credenet/ilp/small_facets.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Members = std::vector<std::int32_t>;
using Pairs = std::vector<PairRules::Pair>;
using Terms = std::vector<std::tuple<std::int32_t, std::uint32_t, std::int32_t>>;
using CutParts = std::tuple<std::int32_t, Members, Terms>;

std::vector<CutParts> to_parts(std::vector<Cut>&& cuts) {
  std::vector<CutParts> result;
  for (Cut& cut : cuts) {
    Terms terms;
    for (const LocalTerm& term : cut.terms) {
      terms.emplace_back(term.child, term.parents, term.weight);
    }
    result.emplace_back(cut.kind, std::move(cut.members), std::move(terms));
  }
  return result;
}

}  // namespace

void bind_cuts(nb::module_& module) {
  module.attr("n_small_facets") = small_facets().size();
  module.attr("most_local_members") = kMostLocalMembers;
  nb::class_<PairRules>(module, "PairRules", "What is known of pairs of variables.")
      .def(
          "__init__",
          [](PairRules* self, Pairs ancestral, Pairs not_ancestral, Pairs adjacent) {
            new (self)
                PairRules{std::move(ancestral), std::move(not_ancestral), std::move(adjacent)};
          },
          "ancestral"_a = Pairs(), "not_ancestral"_a = Pairs(), "adjacent"_a = Pairs());
  module.def(
      "lightest_active_trail",
      [](std::size_t n_variables, const Vector<std::int32_t>& tails,
         const Vector<std::int32_t>& heads, const Vector<double>& weights, const Members& x,
         const Members& y, const Members& z, double limit) {
        std::vector<WeightedArc> arcs;
        for (std::size_t at = 0; at < view(tails).size(); ++at) {
          arcs.push_back({view(tails)[at], view(heads)[at], view(weights)[at]});
        }
        return lightest_active_trail(n_variables, arcs, x, y, z, limit);
      },
      "n_variables"_a, "tails"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert(), "x"_a,
      "y"_a, "z"_a, "limit"_a);
  module.attr("most_choosers") = kMostChoosers;
  nb::class_<FamilyRows>(module, "FamilyRows", "Inequalities over the families of a component.")
      .def(
          "__init__",
          [](FamilyRows* self, const FamilyArrays& families) { new (self) FamilyRows(families); },
          "families"_a, nb::keep_alive<1, 2>())
      .def("__len__", &FamilyRows::size)
      .def_prop_ro("bytes", &FamilyRows::bytes)
      .def(
          "add_cut",
          [](FamilyRows& self, std::int32_t kind, Members members, const Terms& terms) {
            Cut cut{kind, std::move(members)};
            for (const auto& [child, parents, weight] : terms) {
              cut.terms.push_back({child, parents, weight});
            }
            return self.add(cut);
          },
          "kind"_a, "members"_a, "terms"_a = Terms())
      .def(
          "add_row",
          [](FamilyRows& self, Members families, std::vector<float> coefficients, double limit) {
            return self.add(Row{std::move(families), std::move(coefficients), limit});
          },
          "families"_a, "coefficients"_a, "limit"_a)
      .def("drop", &FamilyRows::drop, "number"_a)
      .def(
          "matrix",
          [](const FamilyRows& self, const Vector<std::int32_t>& numbers,
             const Vector<std::int32_t>& column_of) {
            RowMatrix matrix = self.matrix(view(numbers), view(column_of));
            return std::tuple(
                to_array(std::move(matrix.starts)), to_array(std::move(matrix.columns)),
                to_array(std::move(matrix.coefficients)), to_array(std::move(matrix.limits)));
          },
          "numbers"_a.noconvert(), "column_of"_a.noconvert(),
          "Where each row starts, the columns and coefficients of its terms, and the limits.")
      .def(
          "bound",
          [](const FamilyRows& self, const Vector<std::int32_t>& numbers,
             const Vector<double>& multipliers, const Vector<std::uint8_t>& alive) {
            RowBound bound =
                released([&] { return self.bound(view(numbers), view(multipliers), view(alive)); });
            return std::tuple(bound.bound, to_array(std::move(bound.losses)));
          },
          "numbers"_a.noconvert(), "multipliers"_a.noconvert(), "alive"_a.noconvert())
      .def(
          "choices",
          [](const FamilyRows& self, const Vector<std::int32_t>& numbers,
             const Vector<double>& multipliers, const Vector<std::uint8_t>& alive,
             const Vector<std::int32_t>& members, const Vector<std::uint16_t>& positions,
             const Vector<std::int64_t>& ticks, double budget, std::uint64_t max_work,
             std::size_t max_bytes, NetworkDiagram& diagram, const OnProgress& on_progress) {
            const FamilyChoices found = run(on_progress, [&](Control& control) {
              return family_choices(self, view(numbers), view(multipliers), view(alive),
                                    view(members), {view(positions), view(ticks)},
                                    {budget, max_work, max_bytes}, diagram, control);
            });
            std::optional<NetworkDiagram::Node> root;
            if (found.root != NetworkDiagram::kNone) root = found.root;
            return std::tuple(found.status, root, found.n_steps);
          },
          "numbers"_a.noconvert(), "multipliers"_a.noconvert(), "alive"_a.noconvert(),
          "members"_a.noconvert(), "positions"_a.noconvert(), "ticks"_a.noconvert(), "budget"_a,
          "max_work"_a, "max_bytes"_a, "diagram"_a, "on_progress"_a.none(),
          "Adds all acyclic choices of remaining families within a budget to a diagram: the "
          "status, their node, if there are any, and the number of steps.")
      .def(
          "violations",
          [](const FamilyRows& self, const Vector<double>& x) {
            return to_array(released([&] { return self.violations(view(x)); }));
          },
          "x"_a.noconvert())
      .def(
          "cluster_cuts",
          [](const FamilyRows& self, const Vector<double>& x, double least_violation,
             std::size_t max_cuts) {
            return to_parts(released(
                [&] { return cluster_cuts(self.lists(), view(x), least_violation, max_cuts); }));
          },
          "x"_a.noconvert(), "least_violation"_a, "max_cuts"_a)
      .def(
          "small_cuts",
          [](const FamilyRows& self, const Vector<double>& x, double least_violation,
             std::size_t max_cuts, std::size_t max_sets) {
            return to_parts(released([&] {
              return small_cuts(self.lists(), view(x), least_violation, max_cuts, max_sets);
            }));
          },
          "x"_a.noconvert(), "least_violation"_a, "max_cuts"_a, "max_sets"_a)
      .def(
          "local_cuts",
          [](const FamilyRows& self, const Vector<double>& x, std::size_t n_members,
             std::size_t n_sets, double least_violation, std::size_t max_cuts, std::uint64_t seed) {
            return to_parts(released([&] {
              return local_cuts(self.lists(), view(x), n_members, n_sets, least_violation, max_cuts,
                                seed);
            }));
          },
          "x"_a.noconvert(), "n_members"_a, "n_sets"_a, "least_violation"_a, "max_cuts"_a, "seed"_a)
      .def(
          "dual_ascent",
          [](const FamilyRows& self, const Vector<std::uint8_t>& alive,
             const Vector<double>& losses, std::size_t max_cuts, const OnProgress& on_progress) {
            DualAscent ascent = run(on_progress, [&](Control& control) {
              return dual_ascent(self.lists(), view(alive), view(losses), max_cuts, control);
            });
            return std::tuple(ascent.status, to_parts(std::move(ascent.cuts)),
                              to_array(std::move(ascent.multipliers)));
          },
          "alive"_a.noconvert(), "losses"_a.noconvert(), "max_cuts"_a, "on_progress"_a.none())
      .def(
          "components",
          [](const FamilyRows& self, const Vector<std::uint8_t>& alive) {
            return released([&] { return remaining_components(self.lists(), view(alive)); });
          },
          "alive"_a.noconvert(), "The strongly connected components of the remaining families.")
      .def(
          "propagate",
          [](const FamilyRows& self, const PairRules& rules, const OutVector<std::uint8_t>& alive) {
            return released([&] { return propagate_arcs(self.lists(), rules, view(alive)); });
          },
          "rules"_a, "alive"_a.noconvert())
      .def(
          "restrict_pair",
          [](const FamilyRows& self, std::int32_t first, std::int32_t second, int relation,
             const OutVector<std::uint8_t>& alive) {
            restrict_pair(self.lists(), first, second, static_cast<PairRelation>(relation),
                          view(alive));
          },
          "first"_a, "second"_a, "relation"_a, "alive"_a.noconvert())
      .def(
          "rounded",
          [](const FamilyRows& self, const Vector<double>& x) {
            return released([&] { return rounded_network(self.lists(), view(x)); });
          },
          "x"_a.noconvert())
      .def(
          "rounded_by_sinks",
          [](const FamilyRows& self, const Vector<double>& x) {
            return released([&] { return rounded_by_sinks(self.lists(), view(x)); });
          },
          "x"_a.noconvert());
}

}  // namespace credenet::python
