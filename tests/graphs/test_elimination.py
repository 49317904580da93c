"""Elimination orders against the exact tree-width and a replay of the elimination."""

from __future__ import annotations

from math import log2, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG, PDAG, EliminationOrder
from graph_strategies import as_arcs, dags


def check_order(dag: DAG, found: EliminationOrder, states: list[int]) -> None:
    cliques = brute.elimination_cliques(len(dag), brute.moral(len(dag), as_arcs(dag)), map(int, found.order))
    assert sorted(found.order) == sorted(dag.variables)
    assert found.width == max(len(clique) for clique in cliques) - 1
    cells = sum(prod(states[node] for node in clique) for clique in cliques)
    assert found.log2_table_size == pytest.approx(log2(cells), abs=1e-8)


@given(dags(max_size=6), st.integers(0, 2**64 - 1), st.sampled_from([1, 3]))
@settings(max_examples=60, deadline=None)
def test_min_fill_bounds_the_tree_width(dag: DAG, seed: int, restarts: int) -> None:
    found = dag.elimination_order(restarts=restarts, seed=seed, n_threads=2)
    check_order(dag, found, [2] * len(dag))
    assert found.width >= brute.tree_width(len(dag), brute.moral(len(dag), as_arcs(dag)))
    assert dag.tree_width_bound(restarts=restarts, seed=seed) == found.width
    assert dag.moral().elimination_order(restarts=restarts, seed=seed) == found


@given(dags(max_size=9), st.data())
@settings(max_examples=100, deadline=None)
def test_min_weight_takes_the_smallest_table(dag: DAG, data: st.DataObject) -> None:
    states = data.draw(st.lists(st.integers(1, 30), min_size=len(dag), max_size=len(dag)))
    by_name = {str(node): number for node, number in enumerate(states)}
    found = dag.elimination_order(method="min_weight", n_states=by_name)
    check_order(dag, found, states)
    edges = brute.moral(len(dag), as_arcs(dag))
    first = int(found.order[0])
    tables = [
        prod(states[other] for other in range(len(dag)) if other == node or {other, node} in edges)
        for node in range(len(dag))
    ]
    assert tables[first] == min(tables)


@given(dags(max_size=9))
@settings(max_examples=100, deadline=None)
def test_min_fill_adds_the_fewest_edges_at_every_step(dag: DAG) -> None:
    order = [int(name) for name in dag.elimination_order().order]
    edges = set(brute.moral(len(dag), as_arcs(dag)))
    for step, node in enumerate(order):
        fills = {other: fill_edges(edges, other) for other in order[step:]}
        assert min(fills, key=lambda other: (len(fills[other]), other)) == node
        edges = {edge for edge in edges | fills[node] if node not in edge}


def fill_edges(edges: set[brute.Pair], node: int) -> set[brute.Pair]:
    around = {other for edge in edges if node in edge for other in edge} - {node}
    return {frozenset((a, b)) for a in around for b in around if a < b} - edges


@pytest.mark.parametrize(("rows", "width"), [(1, 1), (3, 3), (5, 5)])
def test_grid(rows: int, width: int) -> None:
    names = [f"{row},{column}" for row in range(rows) for column in range(rows + 1)]
    edges = [(f"{row},{column}", f"{row},{column + 1}") for row in range(rows) for column in range(rows)]
    edges += [(f"{row},{c}", f"{row + 1},{c}") for row in range(rows - 1) for c in range(rows + 1)]
    grid = PDAG(names, (), edges)
    assert grid.tree_width_bound(restarts=20) == width


def test_restarts_never_make_it_worse_and_threads_change_nothing() -> None:
    names = [str(node) for node in range(40)]
    dag = DAG(names, [(str(a), str(b)) for b in range(40) for a in range(b) if (a * 7 + b * 13) % 11 == 0])
    states = {name: 2 + int(name) % 5 for name in names}
    one = dag.elimination_order(method="min_weight", n_states=states)
    many = dag.elimination_order(method="min_weight", n_states=states, restarts=50, seed=3, n_threads=1)
    assert many.log2_table_size <= one.log2_table_size
    assert many == dag.elimination_order(method="min_weight", n_states=states, restarts=50, seed=3, n_threads=4)
    assert dag.tree_width_bound(restarts=50) <= dag.tree_width_bound()


def test_tables_beyond_the_range_of_numbers() -> None:
    names = [str(node) for node in range(200)]
    dag = DAG.from_parents({name: names[:place] for place, name in enumerate(names)})
    found = dag.elimination_order(n_states=dict.fromkeys(names, 1024))
    assert found.width == 199
    assert found.log2_table_size == pytest.approx(2000 + log2(1 / (1 - 1 / 1024)))


def test_no_variables() -> None:
    found = DAG([]).elimination_order()
    assert (found.order, found.width, found.log2_table_size) == ((), 0, float("-inf"))


def test_wrong_arguments() -> None:
    dag = DAG.parse("a -> b")
    with pytest.raises(GraphError, match="'min_weight' needs n_states"):
        dag.elimination_order(method="min_weight")
    with pytest.raises(GraphError, match="n_states lacks variable 'b'"):
        dag.elimination_order(n_states={"a": 2})
    with pytest.raises(ArgumentError, match=r"n_states\['b'\] must be at least 1, got 0"):
        dag.elimination_order(n_states={"a": 2, "b": 0})
    with pytest.raises(ArgumentError, match="restarts must be at least 1, got 0"):
        dag.elimination_order(restarts=0)
    with pytest.raises(ArgumentError, match="seed must be at least 0"):
        dag.elimination_order(seed=-1)
    with pytest.raises(ArgumentError, match="n_threads must be at least 1, got 0"):
        dag.elimination_order(n_threads=0)
    with pytest.raises(ArgumentError, match="method must be min_fill or min_weight, got 'best'"):
        dag.elimination_order(method="best")  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="without directed edges"):
        PDAG.parse("a -> b").elimination_order()


def test_repr() -> None:
    assert repr(DAG.parse("a -> b").elimination_order()) == (
        "<EliminationOrder 2 variables, width 1, tables of 2^2.6 cells>"
    )
