#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "arrays.hpp"
#include "credenet/counts/count_source.hpp"
#include "credenet/independence/data_judge.hpp"
#include "credenet/independence/mmpc.hpp"
#include "credenet/independence/pc.hpp"
#include "credenet/independence/rai.hpp"
#include "credenet/independence/separation_judge.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

TestKind kind_of_test(const std::string& name) {
  if (name == "natori") return TestKind::kNatori;
  if (name == "steck") return TestKind::kSteck;
  if (name == "g2") return TestKind::kG2;
  if (name == "chi2") return TestKind::kChiSquared;
  if (name == "cmi") return TestKind::kMutualInformation;
  throw nb::value_error("unknown test");
}

FreedomRule freedom_of(const std::string& name) {
  if (name == "classical") return FreedomRule::kClassical;
  if (name == "observed") return FreedomRule::kObserved;
  if (name == "adjusted") return FreedomRule::kAdjusted;
  throw nb::value_error("unknown degrees of freedom");
}

// Tests on the counts of a source, which Python owns.
class CountJudge final : public Judge {
 public:
  CountJudge(const CountSource& source, std::span<const std::int32_t> n_states,
             const TestSettings& settings, unsigned n_threads)
      : judge_(source, n_states, settings, n_threads) {}

  [[nodiscard]] std::size_t n_variables() const override { return judge_.n_variables(); }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override {
    return judge_.answer(questions, answers, control);
  }
  [[nodiscard]] bool evidence(std::span<const Question> questions, std::span<Evidence> found,
                              Control& control) {
    return judge_.evidence(questions, found, control);
  }
  [[nodiscard]] bool refuses(Node x, Node y, const std::vector<Node>& given) const {
    return judge_.refuses({x, y, given});
  }

 private:
  DataJudge judge_;
};

class GraphJudge final : public Judge {
 public:
  GraphJudge(std::size_t n_nodes, Edges edges) : graph_(n_nodes, edges), judge_(graph_) {}

  [[nodiscard]] std::size_t n_variables() const override { return judge_.n_variables(); }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override {
    return judge_.answer(questions, answers, control);
  }

 private:
  Digraph graph_;
  SeparationJudge judge_;
};

using TestFunction = nb::typed<nb::callable, bool(int, int, std::vector<int>)>;

// Asks a Python function, one question after another.
class FunctionJudge final : public Judge {
 public:
  FunctionJudge(std::size_t n_variables, TestFunction function)
      : n_variables_(n_variables), function_(std::move(function)) {}

  [[nodiscard]] std::size_t n_variables() const override { return n_variables_; }
  [[nodiscard]] bool answer(std::span<const Question> questions, std::span<Answer> answers,
                            Control& control) override {
    for (std::size_t at = 0; at < questions.size(); ++at) {
      if (!control.poll({.done = at, .total = questions.size()})) return false;
      const Question& question = questions[at];
      const GilAcquire gil;
      try {
        const std::vector<int> given(question.given.begin(), question.given.end());
        const bool independent = nb::cast<bool>(function_(question.x, question.y, given));
        answers[at] = {.association = independent ? 0.0 : 1.0, .independent = independent};
      } catch (const nb::python_error& error) {
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        return false;
      }
    }
    return true;
  }

 private:
  std::size_t n_variables_;
  TestFunction function_;
};

std::unique_ptr<CountJudge> count_judge(const CountSource& source,
                                        const Vector<std::int32_t>& n_states,
                                        const std::string& test, double prior, double threshold,
                                        const std::string& freedom, unsigned n_threads,
                                        double min_rows_per_cell) {
  const TestSettings settings{.kind = kind_of_test(test),
                              .prior = prior,
                              .threshold = threshold,
                              .freedom = freedom_of(freedom),
                              .min_rows_per_cell = min_rows_per_cell};
  const GilRelease release;
  return std::make_unique<CountJudge>(source, view(n_states), settings, n_threads);
}

// Two variables and their conditioning set.
using Asked = std::tuple<Node, Node, std::vector<Node>>;

// The status, and for each question the statistic, the degrees of freedom, and whether the
// variables are independent. These are answers only if the status is complete.
std::pair<Status, std::vector<std::tuple<double, double, bool>>> evidence(
    CountJudge& judge, const std::vector<Asked>& asked, const OnProgress& on_progress) {
  std::vector<Question> questions;
  for (const auto& [x, y, given] : asked) questions.push_back({x, y, given});
  std::vector<Evidence> found(questions.size());
  const Status status =
      run(on_progress, [&](Control& control) { return judge.evidence(questions, found, control); });
  std::vector<std::tuple<double, double, bool>> said;
  for (const Evidence& each : found) {
    said.emplace_back(each.statistic, each.degrees_of_freedom, each.answer.independent);
  }
  return {status, std::move(said)};
}

const char* name_of(Conflict::Kind kind) {
  switch (kind) {
    case Conflict::Kind::kOpposed:
      return "opposed";
    case Conflict::Kind::kCycle:
      return "cycle";
    case Conflict::Kind::kUnlisted:
      return "unlisted";
    case Conflict::Kind::kNoArc:
      return "no_arc";
  }
  return "";
}

using Triple = std::tuple<std::string, Node, Node, Node>;

// The two ends of each edge, edge by edge.
auto ends_of(std::span<const std::array<Node, 2>> edges) {
  std::vector<Node> ends;
  ends.reserve(2 * edges.size());
  for (const auto& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
  return to_array(std::move(ends));
}

std::vector<Triple> conflicts_of(const Orientation& graph) {
  std::vector<Triple> conflicts;
  for (const Conflict& conflict : graph.conflicts) {
    conflicts.emplace_back(name_of(conflict.kind), conflict.a, conflict.child, conflict.b);
  }
  return conflicts;
}

// A callback that gets the order of the tests that begin: the size of their conditioning sets.
using OnOrder = std::optional<nb::typed<nb::callable, void(std::size_t)>>;

// Reports the orders from work that runs without the GIL.
std::function<void(std::size_t)> order_listener(const OnOrder& on_order) {
  if (!on_order) return {};
  return [&on_order](std::size_t order) {
    const GilAcquire gil;
    (*on_order)(order);
  };
}

TestedGraph run_pc(Judge& judge, const Vector<std::uint8_t>& rules, std::size_t max_order,
                   bool majority, bool settles_ambiguity, const OnOrder& on_order,
                   const OnProgress& on_progress) {
  const PcOptions options{.max_order = max_order,
                          .majority = majority,
                          .settles_ambiguity = settles_ambiguity,
                          .on_order = order_listener(on_order)};
  return run(on_progress, [&](Control& control) {
    return pc(judge, ArcRules(judge.n_variables(), view(rules)), options, control);
  });
}

TestedGraph run_rai(Judge& judge, const Vector<std::uint8_t>& rules, const Vector<Node>& start_from,
                    const Vector<Node>& start_to, std::size_t max_order, bool published,
                    bool settles_ambiguity, const OnOrder& on_order,
                    const OnProgress& on_progress) {
  return run(on_progress, [&](Control& control) {
    std::vector<std::array<Node, 2>> start;
    for (std::size_t edge = 0; edge < start_from.size(); ++edge) {
      start.push_back({start_from.data()[edge], start_to.data()[edge]});
    }
    const RaiOptions options{published ? RaiVariant::kPublished : RaiVariant::kCorrected, max_order,
                             settles_ambiguity, order_listener(on_order)};
    return rai(judge, start, ArcRules(judge.n_variables(), view(rules)), options, control);
  });
}

// The status, the edges, and the numbers of tests and of refused tests by order.
std::tuple<Status, std::vector<std::array<Node, 2>>, std::vector<std::uint64_t>,
           std::vector<std::uint64_t>>
run_mmpc(Judge& judge, const Vector<std::uint8_t>& rules, std::size_t max_order,
         const OnProgress& on_progress) {
  MmpcResult found = run(on_progress, [&](Control& control) {
    return max_min_neighbours(judge, ArcRules(judge.n_variables(), view(rules)), {max_order},
                              control);
  });
  return {found.status, std::move(found.edges), std::move(found.tests_by_order),
          std::move(found.refused_by_order)};
}

void bind_pc(nb::module_& module) {
  nb::class_<TestedGraph>(module, "TestedGraph",
                          "The graph that independence tests led to, and the work that they took.")
      .def_ro("status", &TestedGraph::status)
      .def_prop_ro(
          "directed", [](const TestedGraph& self) { return ends_of(self.graph.directed); },
          nb::rv_policy::move)
      .def_prop_ro(
          "undirected", [](const TestedGraph& self) { return ends_of(self.graph.undirected); },
          nb::rv_policy::move)
      .def_prop_ro("conflicts", [](const TestedGraph& self) { return conflicts_of(self.graph); })
      .def_prop_ro("weakest",
                   [](const TestedGraph& self) {
                     std::vector<Asked> found;
                     for (const WeakestAnswer& answer : self.weakest) {
                       found.emplace_back(answer.a, answer.b, answer.given);
                     }
                     return found;
                   })
      .def_prop_ro("tests", [](const TestedGraph& self) { return self.counts.tests; })
      .def_prop_ro("refused", [](const TestedGraph& self) { return self.counts.refused; })
      .def_prop_ro("order_seconds", [](const TestedGraph& self) { return self.counts.seconds; })
      .def_prop_ro("orientation_seconds",
                   [](const TestedGraph& self) { return self.counts.orientation_seconds; });
  module.def("rai", &run_rai, "judge"_a, "rules"_a.noconvert(), "start_from"_a.noconvert(),
             "start_to"_a.noconvert(), "max_order"_a, "published"_a, "settles_ambiguity"_a,
             "on_order"_a.none() = nb::none(), "on_progress"_a.none() = nb::none());
  module.def("max_min_neighbours", &run_mmpc, "judge"_a, "rules"_a.noconvert(), "max_order"_a,
             "on_progress"_a.none() = nb::none());
  module.def("pc", &run_pc, "judge"_a, "rules"_a.noconvert(), "max_order"_a, "majority"_a,
             "settles_ambiguity"_a, "on_order"_a.none() = nb::none(),
             "on_progress"_a.none() = nb::none());
}

}  // namespace

void bind_independence(nb::module_& module) {
  nb::class_<Judge>(module, "Judge", "Decides whether variables are conditionally independent.");
  nb::class_<CountJudge, Judge>(module, "CountJudge")
      .def("evidence", &evidence, "asked"_a, "on_progress"_a.none() = nb::none())
      .def("refuses", &CountJudge::refuses, "x"_a, "y"_a, "given"_a,
           "Whether there are too few rows for each cell to judge a question.");
  nb::class_<GraphJudge, Judge>(module, "GraphJudge")
      .def(
          "__init__",
          [](GraphJudge* self, std::size_t n_nodes, const Vector<Node>& from,
             const Vector<Node>& to) { new (self) GraphJudge(n_nodes, {view(from), view(to)}); },
          "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert());
  nb::class_<FunctionJudge, Judge>(module, "FunctionJudge")
      .def(nb::init<std::size_t, TestFunction>(), "n_variables"_a, "function"_a);
  module.def("count_judge", &count_judge, "source"_a, "n_states"_a.noconvert(), "test"_a, "prior"_a,
             "threshold"_a, "freedom"_a, "n_threads"_a, "min_rows_per_cell"_a = 0.0,
             nb::keep_alive<0, 1>());
  bind_pc(module);
}

}  // namespace credenet::python
