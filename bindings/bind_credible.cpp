#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/credible/class_features.hpp"
#include "credenet/credible/class_index.hpp"
#include "credenet/credible/class_search.hpp"
#include "credenet/credible/credible_search.hpp"
#include "credenet/credible/dag_sum.hpp"
#include "credenet/credible/network_features.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Rows = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The networks of one component, or one of each class with the size of the class, and whether
// Ctrl-C ended the search.
struct Listing {
  CredibleNetworks networks;
  std::vector<std::uint64_t> sizes;
  bool interrupted = false;
};

NetworkRows networks_of(const Rows& rows) { return {{rows.data(), rows.size()}, rows.shape(1)}; }

const char* name_of(CredibleStatus status) {
  switch (status) {
    case CredibleStatus::kComplete:
      return "complete";
    case CredibleStatus::kStopped:
      return "stopped";
    case CredibleStatus::kMemory:
      return "memory_limit";
  }
  return "";
}

}  // namespace

void bind_credible(nb::module_& module) {
  nb::class_<Listing>(module, "CredibleListing", "Networks of one component, best first.")
      .def("take_ticks", [](Listing& self) { return to_array(std::move(self.networks.ticks)); })
      .def("take_families",
           [](Listing& self) { return to_array(std::move(self.networks.families)); })
      .def("take_sizes", [](Listing& self) { return to_array(std::move(self.sizes)); })
      .def_prop_ro("status", [](const Listing& self) { return name_of(self.networks.status); })
      .def_prop_ro("n_expanded", [](const Listing& self) { return self.networks.n_expanded; })
      .def_ro("interrupted", &Listing::interrupted);
  nb::class_<CredibleSearch>(module, "CredibleSearch",
                             "All credible networks of variables that are learned apart.")
      .def(
          "__init__",
          [](CredibleSearch* self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Vector<std::int32_t>& members) {
            new (self) CredibleSearch({view(starts), view(scores), view(offsets), view(parents)},
                                      view(members));
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "members"_a.noconvert())
      .def_ro_static("most_families", &CredibleSearch::kMostFamilies)
      .def_ro_static("margin_ticks", &CredibleLimits::kMarginTicks)
      .def_prop_ro("optimum", &CredibleSearch::optimum)
      .def_prop_ro("best_families", &CredibleSearch::best_families)
      .def(
          "narrow",
          [](CredibleSearch& self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Vector<std::int32_t>& members) {
            self.narrow({view(starts), view(scores), view(offsets), view(parents)}, view(members));
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "members"_a.noconvert())
      .def(
          "solve",
          [](CredibleSearch& self, unsigned n_threads, const OnProgress& on_progress) {
            PythonControl control(on_progress);
            bool solved = false;
            {
              const nb::gil_scoped_release release;
              solved = self.solve(n_threads, control);
            }
            return solved && !control.was_interrupted();
          },
          "n_threads"_a, "on_progress"_a.none())
      .def(
          "credible_families",
          [](const CredibleSearch& self, double slack, const OnProgress& on_progress) {
            PythonControl control(on_progress);
            std::vector<std::uint8_t> keep;
            {
              const nb::gil_scoped_release release;
              keep = self.credible_families(slack, control);
            }
            if (control.was_interrupted()) keep.clear();
            return to_array(std::move(keep));
          },
          "slack"_a, "on_progress"_a.none())
      .def(
          "networks",
          [](const CredibleSearch& self, double tick, std::int64_t most_ticks,
             std::size_t max_bytes, unsigned n_threads, const OnProgress& on_progress) {
            PythonControl control(on_progress);
            Listing listing;
            {
              const nb::gil_scoped_release release;
              listing.networks = self.networks({tick, most_ticks, max_bytes, n_threads}, control);
            }
            listing.interrupted = control.was_interrupted();
            return listing;
          },
          "tick"_a, "most_ticks"_a, "max_bytes"_a, "n_threads"_a, "on_progress"_a.none())
      .def(
          "classes",
          [](const CredibleSearch& self, const Vector<std::int64_t>& starts,
             const Vector<double>& scores, const Vector<std::int64_t>& offsets,
             const Vector<std::int32_t>& parents, const Vector<std::int32_t>& members, double tick,
             std::int64_t most_ticks, std::size_t max_bytes, unsigned n_threads,
             const OnProgress& on_progress) {
            PythonControl control(on_progress);
            Listing listing;
            {
              const nb::gil_scoped_release release;
              CredibleClasses found = credible_classes(
                  self, {view(starts), view(scores), view(offsets), view(parents)}, view(members),
                  {tick, most_ticks, max_bytes, n_threads}, control);
              listing.networks = std::move(found.networks);
              listing.sizes = std::move(found.sizes);
            }
            listing.interrupted = control.was_interrupted();
            return listing;
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "members"_a.noconvert(), "tick"_a, "most_ticks"_a, "max_bytes"_a,
          "n_threads"_a, "on_progress"_a.none(),
          "One network of each Markov equivalence class, with the size of the class.");
  nb::class_<PathSums>(module, "PathSums", "The weight of each path, summed over networks.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "add",
          [](PathSums& self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Rows& families, const Vector<double>& weights) {
            const nb::gil_scoped_release release;
            self.add({view(starts), view(scores), view(offsets), view(parents)},
                     networks_of(families), view(weights));
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "families"_a.noconvert(), "weights"_a.noconvert())
      .def("sums", [](const PathSums& self) { return to_array(std::vector(self.sums())); });
  module.def(
      "markov_blankets",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         const Rows& families, const Vector<double>& weights, std::size_t variable) {
        std::map<std::vector<std::int32_t>, double> sums;
        {
          const nb::gil_scoped_release release;
          sums = markov_blankets({view(starts), view(scores), view(offsets), view(parents)},
                                 networks_of(families), view(weights), variable);
        }
        return std::vector<std::pair<std::vector<std::int32_t>, double>>(sums.begin(), sums.end());
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "families"_a.noconvert(), "weights"_a.noconvert(), "variable"_a,
      "The weight of each Markov blanket of a variable.");
  nb::class_<ClassIndex>(module, "ClassIndex", "Numbers of Markov equivalence classes.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "add",
          [](ClassIndex& self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Rows& families) {
            std::vector<std::int64_t> numbers;
            {
              const nb::gil_scoped_release release;
              numbers = self.add({view(starts), view(scores), view(offsets), view(parents)},
                                 networks_of(families));
            }
            return to_array(std::move(numbers));
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "families"_a.noconvert(),
          "For each row, a family of each variable, the number of its class.");
  nb::class_<ClassPairSums>(module, "ClassPairSums", "The weight of each edge of CPDAGs.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "add",
          [](ClassPairSums& self, const Vector<std::int64_t>& starts, const Vector<double>& scores,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const Rows& families, const Vector<double>& weights,
             const Vector<std::uint8_t>& children, unsigned n_threads) {
            const OnProgress silent;
            PythonControl control(silent);
            {
              const nb::gil_scoped_release release;
              (void)self.add({view(starts), view(scores), view(offsets), view(parents)},
                             networks_of(families), view(weights), view(children), n_threads,
                             control);
            }
            control.rethrow();
          },
          "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
          "parents"_a.noconvert(), "families"_a.noconvert(), "weights"_a.noconvert(),
          "children"_a.noconvert(), "n_threads"_a)
      .def("directed",
           [](const ClassPairSums& self) { return to_array(std::vector(self.directed())); })
      .def("undirected",
           [](const ClassPairSums& self) { return to_array(std::vector(self.undirected())); });
  module.def(
      "class_sizes",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         const Rows& families, const Vector<std::uint8_t>& children, unsigned n_threads) {
        const OnProgress silent;
        PythonControl control(silent);
        std::vector<Natural> sizes;
        {
          const nb::gil_scoped_release release;
          sizes = class_sizes({view(starts), view(scores), view(offsets), view(parents)},
                              networks_of(families), view(children), n_threads, control);
        }
        control.rethrow();
        std::vector<nb::int_> numbers;
        for (const Natural& size : sizes) numbers.push_back(to_int(size));
        return numbers;
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "families"_a.noconvert(), "children"_a.noconvert(), "n_threads"_a,
      "The number of networks in the class of each network.");
  module.attr("most_summed") = kMostSummed;
  module.def("dag_sum_bytes", &dag_sum_bytes, "n_variables"_a);
  module.def(
      "log_sum_of_dags",
      [](const Vector<std::int64_t>& starts, const Vector<double>& scores,
         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
         unsigned n_threads, const OnProgress& on_progress) {
        PythonControl control(on_progress);
        double sum = 0;
        {
          const nb::gil_scoped_release release;
          sum = log_sum_of_dags({view(starts), view(scores), view(offsets), view(parents)},
                                n_threads, control);
        }
        control.rethrow();
        return sum;
      },
      "starts"_a.noconvert(), "scores"_a.noconvert(), "offsets"_a.noconvert(),
      "parents"_a.noconvert(), "n_threads"_a, "on_progress"_a.none(),
      "The logarithm of the sum of exp(score) over all DAGs; not a number if it was stopped.");
}

}  // namespace credenet::python
