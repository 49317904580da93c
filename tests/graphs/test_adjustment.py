"""Adjustment sets against their meaning (adjusting gives the effect), all extensions, and gadjid."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import brute
from adjustment_checks import check_class, check_sets
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import as_dag, as_sets, dags, pdags


@pytest.mark.parametrize("n", [2, 3])
def test_all_small_dags(n: int) -> None:
    for arcs in brute.all_dags(n):
        for x, y in permutations(range(n), 2):
            check_sets(as_dag(n, arcs), (x,), (y,))


def test_all_dags_of_four_variables() -> None:
    for arcs in brute.all_dags(4):
        check_sets(as_dag(4, arcs), (0,), (1,))


@given(dags(min_size=5, max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_larger_dags_and_sets(dag: DAG, data: st.DataObject) -> None:
    side = data.draw(st.lists(st.sampled_from("xy--"), min_size=len(dag), max_size=len(dag)))
    x, y = (tuple(node for node, letter in enumerate(side) if letter == name) for name in "xy")
    assume(x and y)
    check_sets(dag, x, y)


def optimal_by_definition(arcs: brute.Arcs, x: int, y: int) -> set[int]:
    """pa(cn) without forbidden variables: cn on causal paths from x to y, forbidden below them or x."""
    causal = (brute.descendants(arcs, x) & brute.ancestors(arcs, y)) - {x}
    forbidden = {x}.union(*(brute.descendants(arcs, node) for node in causal))
    return set().union(*(brute.parents(arcs, node) for node in causal)) - forbidden


def test_optimal_sets_of_all_dags_of_five_variables() -> None:
    for arcs in brute.all_dags(5)[::23]:
        for x, y in permutations(range(5), 2):
            found = as_dag(5, arcs).adjustment_sets(str(x), str(y), limit=0)
            is_below = y in brute.descendants(arcs, x)
            expected = optimal_by_definition(arcs, x, y) if is_below else None
            assert (None if found.optimal is None else set(map(int, found.optimal))) == expected


def test_all_classes_of_four_variables() -> None:
    seen: dict[object, brute.Arcs] = {}
    for arcs in brute.all_dags(4):
        seen.setdefault(brute.class_of(arcs), arcs)
    for arcs in seen.values():
        members = [as_dag(4, each) for each in brute.members(4, arcs)]
        for x, y in ((0, 1), (2, 0), (3, 1)):
            check_class(as_dag(4, arcs).cpdag(), members, x, y)


@given(pdags(min_size=3, max_size=5), st.data())
@settings(max_examples=250, deadline=None)
def test_pdags_with_known_directions(pdag: PDAG, data: st.DataObject) -> None:
    members = [as_dag(len(pdag), each) for each in brute.extensions(len(pdag), *as_sets(pdag))]
    assume(members)
    x, y = data.draw(st.sampled_from(list(permutations(range(len(pdag)), 2))))
    check_class(pdag, members, x, y)


def test_parents_of_a_graph_without_extensions() -> None:
    cycle = PDAG(list("abcd"), undirected=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    with pytest.raises(GraphError, match="no consistent extension"):
        cycle.possible_parents("a")


def adjacency(graph: PDAG) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    """As gadjid has it: 1 for a directed edge, 2 for an undirected one."""
    matrix = np.zeros((len(graph), len(graph)), dtype=np.int8)
    place = {name: at for at, name in enumerate(graph.variables)}
    for mark, edges in ((1, graph.directed), (2, graph.undirected)):
        for first, second in edges:
            matrix[place[first], place[second]] = mark
    return matrix


def wrong_answers(truth: PDAG, learned: PDAG) -> int:
    """Pairs for which what one graph says is wrong in the other: the optimal set, no effect, or that it cannot tell."""
    wrong = 0
    for x, y in permutations(truth.variables, 2):
        is_told = truth.is_amenable(x, y)
        if not learned.is_amenable(x, y):
            wrong += is_told
            continue
        found = learned.adjustment_sets(x, y, limit=0)
        if found.optimal is None:
            wrong += not is_told or truth.adjustment_sets(x, y, limit=0).has_effect
        else:
            wrong += not truth.is_adjustment_set(x, y, found.optimal)
    return wrong


@pytest.mark.parametrize("as_class", [False, True], ids=["DAGs", "CPDAGs"])
@given(truth=dags(min_size=6, max_size=6), learned=dags(min_size=6, max_size=6))
@settings(max_examples=50, deadline=None)
def test_optimal_sets_agree_with_gadjid(truth: DAG, learned: DAG, as_class: bool) -> None:
    gadjid = pytest.importorskip("gadjid")
    graphs = [dag.cpdag() if as_class else PDAG(dag.variables, dag.edges) for dag in (truth, learned)]
    expected = gadjid.oset_aid(*map(adjacency, graphs), edge_direction="from row to column")[1]
    assert wrong_answers(*graphs) == expected


def test_many_minimal_sets_are_cut() -> None:
    """Five confounding paths of two variables each: one of each must be chosen, 32 minimal sets."""
    paths = "; ".join(f"a{k} -> x; a{k} -> b{k} -> y" for k in range(5))
    dag = DAG.parse(f"x -> y; {paths}")
    assert len(dag.adjustment_sets("x", "y").minimal) == 32
    some = dag.adjustment_sets("x", "y", limit=10)
    assert len(some.minimal) == 10
    assert not some.complete
    assert all(dag.is_adjustment_set("x", "y", each) for each in some.minimal)


def test_wrong_questions() -> None:
    dag = DAG.parse("a -> b -> c")
    for x, y in combinations("abc", 2):
        assert dag.adjustment_sets(x, y).has_effect
    with pytest.raises(GraphError, match="x and y must not share variables, both have 'a'"):
        dag.adjustment_sets("a", ["a", "b"])
    with pytest.raises(GraphError, match="unknown variable 'd'"):
        dag.is_adjustment_set("a", "b", "d")
    with pytest.raises(GraphError, match="x must name a variable"):
        dag.adjustment_sets([], "b")
    with pytest.raises(ArgumentError, match="limit must be at least 0"):
        dag.adjustment_sets("a", "b", limit=-1)
