"""d-separation, ancestors, topological order and moral graphs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import GraphError
from credenet.graphs import DAG
from graph_strategies import as_arcs, as_dag, dags


@pytest.mark.parametrize("n", [2, 3, 4])
def test_d_separation_of_all_small_dags(n: int) -> None:
    for graph in brute.all_dags(n):
        dag = as_dag(n, graph)
        for given_nodes in brute.subsets(range(2, n)):
            expected = brute.d_separated(graph, 0, 1, given_nodes)
            assert dag.d_separated("0", "1", map(str, given_nodes)) == expected


@given(dags(min_size=5, max_size=7), st.data())
@settings(max_examples=200, deadline=None)
def test_d_separation_of_sets(dag: DAG, data: st.DataObject) -> None:
    side = data.draw(st.lists(st.sampled_from("xyz-"), min_size=len(dag), max_size=len(dag)))
    x, y, z = ([node for node, letter in enumerate(side) if letter == name] for name in "xyz")
    expected = all(brute.d_separated(as_arcs(dag), a, b, z) for a in x for b in y)
    assert dag.d_separated(map(str, x), map(str, y), map(str, z)) == expected
    assert dag.d_separated(map(str, y), map(str, x), map(str, z)) == expected


def test_d_separation_refuses_overlap() -> None:
    dag = DAG.parse("a -> b -> c")
    with pytest.raises(GraphError, match="x and given must not share variables, both have 'a'"):
        dag.d_separated("a", "c", given=["a", "b"])
    with pytest.raises(GraphError, match="x and y must not share"):
        dag.d_separated(["a", "b"], "b")


@given(dags(max_size=7))
@settings(max_examples=100, deadline=None)
def test_ancestors_descendants_and_order(dag: DAG) -> None:
    graph = as_arcs(dag)
    for node, name in enumerate(dag.variables):
        assert set(map(int, dag.ancestors(name))) == brute.ancestors(graph, node) - {node}
        assert set(map(int, dag.descendants(name))) == brute.descendants(graph, node) - {node}
        assert set(map(int, dag.parents(name))) == brute.parents(graph, node)
        assert all(name in dag.parents(child) for child in dag.children(name))
    assert sum(len(dag.children(name)) for name in dag.variables) == dag.n_edges
    order = dag.topological_order()
    assert sorted(order) == sorted(dag.variables)
    assert all(order.index(parent) < order.index(child) for parent, child in dag.edges)


def test_ancestors_of_several_include_one_of_them_above_another() -> None:
    dag = DAG.parse("a -> b -> c; d -> c")
    assert dag.ancestors(["b", "c"]) == ("a", "b", "d")
    assert dag.descendants(["a", "d"]) == ("b", "c")
    assert dag.ancestors("a") == ()


def test_topological_order_prefers_the_first_variable() -> None:
    assert DAG(["c", "b", "a"], [("a", "c")]).topological_order() == ("b", "a", "c")


@given(dags(max_size=7))
@settings(max_examples=100, deadline=None)
def test_moral_graph_and_skeleton(dag: DAG) -> None:
    names = list(map(str, range(len(dag))))
    moral = {frozenset(map(names.index, pair)) for pair in dag.moral().undirected}
    assert moral == brute.moral(len(dag), as_arcs(dag))
    assert dag.moral().directed == ()
    assert {frozenset(pair) for pair in dag.skeleton().undirected} == {frozenset(pair) for pair in dag.edges}
