#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/posterior/dag_chain.hpp"
#include "family_arrays.hpp"
#include "python_control.hpp"

namespace credenet::python {

using namespace nb::literals;

void bind_chains(nb::module_& module) {
  nb::class_<ChainTables>(module, "ChainTables", "What chains over the same families share.")
      .def(
          "__init__",
          [](ChainTables* self, const FamilyArrays& families) {
            const GilRelease release;
            new (self) ChainTables(families);
          },
          "families"_a, nb::keep_alive<1, 2>())
      .def_static(
          "bytes", [](const FamilyArrays& families) { return ChainTables::bytes(families); },
          "families"_a);
  nb::class_<ChainMoves>(module, "ChainMoves", "The moves of a sweep of a chain.")
      .def(
          "__init__",
          [](ChainMoves* self, bool draws_parents, double n_reversals, double n_blankets,
             double arc_time, double n_windows) {
            new (self) ChainMoves{draws_parents, n_reversals, n_blankets, arc_time, n_windows};
          },
          "draws_parents"_a = ChainMoves{}.draws_parents,
          "n_reversals"_a = ChainMoves{}.n_reversals, "n_blankets"_a = ChainMoves{}.n_blankets,
          "arc_time"_a = ChainMoves{}.arc_time, "n_windows"_a = ChainMoves{}.n_windows);
  nb::class_<ChainSums>(module, "ChainSums", "What a chain summed up over some sweeps.")
      .def_ro("n_sweeps", &ChainSums::n_sweeps)
      .def_ro("n_counted", &ChainSums::n_counted)
      .def_ro("n_sampled", &ChainSums::n_sampled)
      .def_ro("time", &ChainSums::time)
      .def_ro("score_sum", &ChainSums::score_sum)
      .def_ro("score_squares", &ChainSums::score_squares)
      .def("take_families",
           [](ChainSums& self) { return to_array(std::move(self.parents.families)); })
      .def("take_edges", [](ChainSums& self) { return to_array(std::move(self.parents.edges)); })
      .def("take_sampled",
           [](ChainSums& self) { return to_array(std::move(self.parents.sampled)); })
      .def("take_squares",
           [](ChainSums& self) { return to_array(std::move(self.parents.squares)); })
      .def("take_paths", [](ChainSums& self) { return to_array(std::move(self.path_times)); })
      .def("take_networks", [](ChainSums& self) { return to_array(std::move(self.networks)); })
      .def("take_scores", [](ChainSums& self) { return to_array(std::move(self.scores)); });
  nb::class_<ChainSteps>(module, "ChainSteps", "What the moves of a chain cost, counted in steps.")
      .def_ro("windows", &ChainSteps::windows)
      .def_ro("counts", &ChainSteps::counts)
      .def_ro("others", &ChainSteps::others)
      .def_ro("n_counted", &ChainSteps::n_counted)
      .def_ro("n_windows", &ChainSteps::n_windows)
      .def_ro("n_visits", &ChainSteps::n_visits);
  nb::class_<DagChain>(module, "DagChain", "A Markov chain over the DAGs made of listed families.")
      .def(
          "__init__",
          [](DagChain* self, const ChainTables& tables, const Vector<std::int64_t>& start,
             const ChainMoves& moves, std::uint64_t seed, std::uint64_t stream) {
            new (self) DagChain(tables, view(start), moves, seed, stream);
          },
          "tables"_a, "start"_a.noconvert(), "moves"_a, "seed"_a, "stream"_a,
          nb::keep_alive<1, 2>())
      .def(
          "offer",
          [](DagChain& self, const Vector<std::int64_t>& networks, double least_score) {
            const auto values = view(networks);
            self.offer({values.begin(), values.end()}, least_score);
          },
          "networks"_a.noconvert(), "least_score"_a,
          "Networks for the next sweeps, drawn from all that score at least so much.")
      .def(
          "pace",
          [](DagChain& self, double n_windows, const Vector<double>& focus,
             std::uint64_t count_every) { self.pace(n_windows, view(focus), count_every); },
          "n_windows"_a, "focus"_a.noconvert(), "count_every"_a,
          "Sets the number of windows for each visit, the weights of the variables that they begin "
          "with, and every how many sweeps probabilities are counted.")
      .def(
          "run",
          [](DagChain& self, std::size_t n_sweeps, std::size_t record_every,
             const OnProgress& on_progress) {
            return run(on_progress,
                       [&](Control& control) { return self.run(n_sweeps, record_every, control); });
          },
          "n_sweeps"_a, "record_every"_a, "on_progress"_a.none())
      .def("take_sums", [](DagChain& self) { return released([&] { return self.take_sums(); }); })
      .def_prop_ro("steps", &DagChain::steps)
      .def_prop_ro("n_taken", &DagChain::n_taken)
      .def_prop_ro("n_moves", &DagChain::n_moves);
}

}  // namespace credenet::python
