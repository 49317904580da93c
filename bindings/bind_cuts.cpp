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
#include "credenet/ilp/lp_rounding.hpp"
#include "credenet/ilp/small_facets.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Members = std::vector<std::int32_t>;
using Pairs = std::vector<PairRules::Pair>;
using KindAndMembers = std::pair<std::int32_t, Members>;

std::vector<KindAndMembers> to_pairs(std::vector<Cut>&& cuts) {
  std::vector<KindAndMembers> result;
  for (Cut& cut : cuts) result.emplace_back(cut.kind, std::move(cut.members));
  return result;
}

const char* name_of(ChoiceStatus status) {
  switch (status) {
    case ChoiceStatus::kComplete:
      return "complete";
    case ChoiceStatus::kStopped:
      return "stopped";
    case ChoiceStatus::kMemory:
      return "memory_limit";
    case ChoiceStatus::kTooLong:
      break;
  }
  return "too_long";
}

// Runs work without the GIL.
template <typename Work>
auto released(Work&& work) {
  const nb::gil_scoped_release release;
  return work();
}

// The terms of some rows in some columns, row by row: where each row starts, columns, coefficients
// and limits.
auto matrix(const FamilyRows& self, const Vector<std::int32_t>& numbers,
            const Vector<std::int32_t>& column_of) {
  std::vector<std::int32_t> starts;
  std::vector<std::int32_t> columns;
  std::vector<double> coefficients;
  std::vector<double> limits;
  for (const std::int32_t number : view(numbers)) {
    const Row& row = self.row(static_cast<std::size_t>(number));
    starts.push_back(static_cast<std::int32_t>(columns.size()));
    limits.push_back(row.limit);
    for (std::size_t at = 0; at < row.families.size(); ++at) {
      const std::int32_t column = view(column_of)[static_cast<std::size_t>(row.families[at])];
      if (column < 0) continue;
      columns.push_back(column);
      coefficients.push_back(static_cast<double>(row.coefficients[at]));
    }
  }
  return std::tuple(to_array(std::move(starts)), to_array(std::move(columns)),
                    to_array(std::move(coefficients)), to_array(std::move(limits)));
}

}  // namespace

void bind_cuts(nb::module_& module) {
  module.attr("n_small_facets") = small_facets().size();
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
          [](FamilyRows* self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
            new (self) FamilyRows({view(starts), view(scores), view(offsets), view(parents)});
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert())
      .def("__len__", &FamilyRows::size)
      .def_prop_ro("bytes", &FamilyRows::bytes)
      .def(
          "add_cut",
          [](FamilyRows& self, std::int32_t kind, Members members) {
            return self.add(Cut{kind, std::move(members)});
          },
          "kind"_a, "members"_a)
      .def(
          "add_row",
          [](FamilyRows& self, Members families, std::vector<float> coefficients, double limit) {
            return self.add(Row{std::move(families), std::move(coefficients), limit});
          },
          "families"_a, "coefficients"_a, "limit"_a)
      .def("drop", &FamilyRows::drop, "number"_a)
      .def("matrix", &matrix, "numbers"_a.noconvert(), "column_of"_a.noconvert())
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
             const Vector<std::int32_t>& members, const Vector<double>& deviations, double budget,
             std::uint64_t max_work, std::size_t max_bytes, const OnProgress& on_progress) {
            PythonControl control(on_progress);
            FamilyChoices found = released([&] {
              return family_choices(self, view(numbers), view(multipliers), view(alive),
                                    view(members), view(deviations), {budget, max_work, max_bytes},
                                    control);
            });
            const char* status = control.was_interrupted() ? "interrupted" : name_of(found.status);
            return std::tuple(status, to_array(std::move(found.positions)),
                              to_array(std::move(found.deviations)), found.budget, found.n_steps);
          },
          "numbers"_a.noconvert(), "multipliers"_a.noconvert(), "alive"_a.noconvert(),
          "members"_a.noconvert(), "deviations"_a.noconvert(), "budget"_a, "max_work"_a,
          "max_bytes"_a, "on_progress"_a.none(),
          "All acyclic choices of living families within a budget: how that ended, the positions "
          "of "
          "the families of one network after the other, sums of deviations, the budget that memory "
          "left of the one given, and the steps it took.")
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
            return to_pairs(released(
                [&] { return cluster_cuts(self.lists(), view(x), least_violation, max_cuts); }));
          },
          "x"_a.noconvert(), "least_violation"_a, "max_cuts"_a)
      .def(
          "small_cuts",
          [](const FamilyRows& self, const Vector<double>& x, double least_violation,
             std::size_t max_cuts, std::size_t max_sets) {
            return to_pairs(released([&] {
              return small_cuts(self.lists(), view(x), least_violation, max_cuts, max_sets);
            }));
          },
          "x"_a.noconvert(), "least_violation"_a, "max_cuts"_a, "max_sets"_a)
      .def(
          "dual_ascent",
          [](const FamilyRows& self, const Vector<std::uint8_t>& alive,
             const Vector<double>& losses, std::size_t max_cuts, const OnProgress& on_progress) {
            PythonControl control(on_progress);
            DualAscent ascent = released([&] {
              return dual_ascent(self.lists(), view(alive), view(losses), max_cuts, control);
            });
            return std::tuple(to_pairs(std::move(ascent.cuts)),
                              to_array(std::move(ascent.multipliers)), control.was_interrupted());
          },
          "alive"_a.noconvert(), "losses"_a.noconvert(), "max_cuts"_a, "on_progress"_a.none())
      .def(
          "components",
          [](const FamilyRows& self, const Vector<std::uint8_t>& alive) {
            return released([&] { return living_components(self.lists(), view(alive)); });
          },
          "alive"_a.noconvert(), "The variables in groups that no cycle of living families leaves.")
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
