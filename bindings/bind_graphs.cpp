#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "credenet/graphs/allowed_class.hpp"
#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/elimination.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/graphs/meek.hpp"
#include "credenet/graphs/reachability.hpp"
#include "credenet/graphs/sid_bounds.hpp"
#include "credenet/graphs/topological_order.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Nodes = Vector<Node>;
using OutNodes = nb::ndarray<Node, nb::numpy, nb::ndim<1>>;
using OutMask = nb::ndarray<std::uint8_t, nb::numpy, nb::ndim<1>>;

Edges edges(const Nodes& from, const Nodes& to) { return {view(from), view(to)}; }

template <std::size_t kWidth>
OutNodes flat(const std::vector<std::array<Node, kWidth>>& rows) {
  std::vector<Node> values;
  values.reserve(rows.size() * kWidth);
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return to_array(std::move(values));
}

OutNodes order(std::size_t n_nodes, const Nodes& from, const Nodes& to) {
  return to_array(topological_order(Digraph(n_nodes, edges(from, to))));
}

OutNodes cycle(std::size_t n_nodes, const Nodes& from, const Nodes& to) {
  return to_array(find_cycle(Digraph(n_nodes, edges(from, to))));
}

OutMask compelled(std::size_t n_nodes, const Nodes& from, const Nodes& to) {
  return to_array(compelled_edges(n_nodes, edges(from, to)));
}

OutMask allowed_compelled(std::size_t n_nodes, const Nodes& from, const Nodes& to,
                          const Vector<std::uint8_t>& possible, const Nodes& max_parents) {
  return to_array(compelled_edges(n_nodes, edges(from, to), {view(possible), view(max_parents)}));
}

nb::int_ allowed_size(std::size_t n_nodes, const Nodes& from, const Nodes& to,
                      const Vector<std::uint8_t>& possible, const Nodes& max_parents) {
  const auto count = run_whole([&](Control& control) {
    return allowed_class_size(n_nodes, edges(from, to), {view(possible), view(max_parents)},
                              control);
  });
  return to_int(count.value_or(0));
}

OutNodes moral(std::size_t n_nodes, const Nodes& from, const Nodes& to) {
  return flat(moral_edges(Digraph(n_nodes, edges(from, to))));
}

OutMask reached(std::size_t n_nodes, const Nodes& from, const Nodes& to, const Nodes& sources) {
  return to_array(reachable(Adjacency(n_nodes, view(from), view(to)), view(sources)));
}

OutMask connected(std::size_t n_nodes, const Nodes& from, const Nodes& to, const Nodes& x,
                  const Nodes& z) {
  return to_array(d_connected(Digraph(n_nodes, edges(from, to)), view(x), view(z)));
}

OutNodes colliders(std::size_t n_nodes, const Nodes& from, const Nodes& to,
                   const Nodes& undirected_from, const Nodes& undirected_to) {
  const std::array parts{edges(from, to), edges(undirected_from, undirected_to)};
  return flat(unshielded_colliders(Adjacency(n_nodes, view(to), view(from)),
                                   Adjacency::symmetric(n_nodes, parts)));
}

// Marks every undirected edge by 0 if it stays undirected, 1 if it goes from -> to, 2 if to ->
// from.
OutMask meek(std::size_t n_nodes, const Nodes& from, const Nodes& to, const Nodes& undirected_from,
             const Nodes& undirected_to) {
  MixedGraph graph(n_nodes, edges(from, to), edges(undirected_from, undirected_to));
  close_under_meek(graph);
  std::vector<std::uint8_t> marks;
  for (const auto mark : graph.marks(edges(undirected_from, undirected_to))) {
    marks.push_back(static_cast<std::uint8_t>(mark));
  }
  return to_array(std::move(marks));
}

std::optional<OutNodes> extension(std::size_t n_nodes, const Nodes& from, const Nodes& to,
                                  const Nodes& undirected_from, const Nodes& undirected_to) {
  auto order_found =
      extension_order({n_nodes, edges(from, to), edges(undirected_from, undirected_to)});
  if (!order_found) return std::nullopt;
  return to_array(std::move(*order_found));
}

std::tuple<OutNodes, std::size_t, double> eliminate(std::size_t n_nodes, const Nodes& from,
                                                    const Nodes& to,
                                                    const Vector<std::int32_t>& n_states,
                                                    bool by_weight, std::size_t n_restarts,
                                                    std::uint64_t seed, unsigned n_threads) {
  Elimination found = run_whole([&](Control& control) {
    return elimination_order(n_nodes, edges(from, to), view(n_states),
                             by_weight ? EliminationRule::kMinWeight : EliminationRule::kMinFill,
                             n_restarts, seed, n_threads, control);
  });
  return {to_array(std::move(found.order)), found.width, found.log2_table_size};
}

std::int64_t distance(std::size_t n_nodes, const Nodes& true_from, const Nodes& true_to,
                      const Nodes& from, const Nodes& to, unsigned n_threads) {
  return run_whole([&](Control& control) {
    return sid(Digraph(n_nodes, edges(true_from, true_to)), Digraph(n_nodes, edges(from, to)),
               n_threads, control);
  });
}

std::tuple<std::int64_t, std::int64_t, bool> distance_bounds(
    std::size_t n_nodes, const Nodes& true_from, const Nodes& true_to, const Nodes& from,
    const Nodes& to, const Nodes& undirected_from, const Nodes& undirected_to,
    std::uint64_t max_branchings, unsigned n_threads) {
  const SidBounds found = run_whole([&](Control& control) {
    MixedGraph learned(n_nodes, edges(from, to), edges(undirected_from, undirected_to));
    close_under_meek(learned);
    return sid_bounds(Digraph(n_nodes, edges(true_from, true_to)), learned, max_branchings,
                      n_threads, control);
  });
  return {found.low, found.high, found.exact};
}

}  // namespace

void bind_graphs(nb::module_& module) {
  module.def("topological_order", &order, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert());
  module.def("find_cycle", &cycle, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert());
  module.def("compelled_edges", &compelled, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert());
  module.def("allowed_compelled_edges", &allowed_compelled, "n_nodes"_a, "from_"_a.noconvert(),
             "to"_a.noconvert(), "possible"_a.noconvert(), "max_parents"_a.noconvert(),
             "For every edge of a DAG 1 if all equivalent DAGs that obey the rules have it.");
  module.def("allowed_class_size", &allowed_size, "n_nodes"_a, "from_"_a.noconvert(),
             "to"_a.noconvert(), "possible"_a.noconvert(), "max_parents"_a.noconvert());
  module.def("moral_edges", &moral, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert());
  module.def("reachable", &reached, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert(),
             "sources"_a.noconvert());
  module.def("d_connected", &connected, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert(),
             "x"_a.noconvert(), "z"_a.noconvert());
  module.def("unshielded_colliders", &colliders, "n_nodes"_a, "from_"_a.noconvert(),
             "to"_a.noconvert(), "undirected_from"_a.noconvert(), "undirected_to"_a.noconvert());
  module.def("meek_marks", &meek, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert(),
             "undirected_from"_a.noconvert(), "undirected_to"_a.noconvert());
  module.def("extension_order", &extension, "n_nodes"_a, "from_"_a.noconvert(), "to"_a.noconvert(),
             "undirected_from"_a.noconvert(), "undirected_to"_a.noconvert());
  module.def("elimination_order", &eliminate, "n_nodes"_a, "from_"_a.noconvert(),
             "to"_a.noconvert(), "n_states"_a.noconvert(), "by_weight"_a, "n_restarts"_a, "seed"_a,
             "n_threads"_a);
  module.def("sid", &distance, "n_nodes"_a, "true_from"_a.noconvert(), "true_to"_a.noconvert(),
             "from_"_a.noconvert(), "to"_a.noconvert(), "n_threads"_a);
  module.def("sid_bounds", &distance_bounds, "n_nodes"_a, "true_from"_a.noconvert(),
             "true_to"_a.noconvert(), "from_"_a.noconvert(), "to"_a.noconvert(),
             "undirected_from"_a.noconvert(), "undirected_to"_a.noconvert(), "max_branchings"_a,
             "n_threads"_a);
}

}  // namespace credenet::python
