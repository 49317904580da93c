"""CPDAGs, extensions, Meek closure and v-structures against their definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import arcs, as_arcs, as_dag, as_sets, dags, pdags


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_class_of_small_dags(n: int) -> None:
    classes = defaultdict(list)
    for graph in brute.all_dags(n):
        classes[brute.class_of(graph)].append(graph)
    assert len(classes) == {1: 1, 2: 2, 3: 11, 4: 185}[n]
    keys = set()
    for graphs in classes.values():
        expected = brute.common(graphs)
        cpdags = [as_dag(n, graph).cpdag() for graph in graphs]
        assert all(as_sets(cpdag) == expected for cpdag in cpdags)
        assert cpdags[0].is_cpdag()
        assert as_arcs(cpdags[0].extension()) in graphs
        keys.add(as_dag(n, graphs[0]).class_key())
    assert len(keys) == len(classes)


@given(dags(min_size=5, max_size=6))
@settings(max_examples=60, deadline=None)
def test_cpdag_of_larger_dags(dag: DAG) -> None:
    members = brute.members(len(dag), as_arcs(dag))
    cpdag = dag.cpdag()
    assert as_sets(cpdag) == brute.common(members)
    assert as_arcs(cpdag.extension()) in members
    for member in members[:20]:
        other = as_dag(len(dag), member)
        assert other.cpdag() == cpdag
        assert other.equivalent(dag)
        assert cpdag.equivalent(other)


@given(dags(min_size=2, max_size=7))
@settings(max_examples=150, deadline=None)
def test_covered_edges_are_those_whose_reversal_keeps_the_class(dag: DAG) -> None:
    covered = set(dag.covered_edges())
    for parent, child in dag.edges:
        try:
            equivalent = dag.reverse_edge(parent, child).equivalent(dag)
        except GraphError:
            equivalent = False
        assert equivalent == ((parent, child) in covered)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_small_pdag(n: int) -> None:
    ends = list(combinations(range(n), 2))
    for marks in product(range(4), repeat=len(ends)):
        chosen = list(zip(ends, marks, strict=True))
        directed = [pair if mark == 1 else pair[::-1] for pair, mark in chosen if mark in (1, 2)]
        undirected = [pair for pair, mark in chosen if mark == 3]
        names = list(map(str, range(n)))
        if brute.is_acyclic(n, directed):
            check_pdag(PDAG.from_indices(names, directed, undirected))
        else:
            with pytest.raises(GraphError, match="cycle"):
                PDAG.from_indices(names, directed, undirected)


@given(pdags(min_size=4, max_size=6))
@settings(max_examples=300, deadline=None)
def test_larger_pdags(pdag: PDAG) -> None:
    check_pdag(pdag)


def check_pdag(pdag: PDAG) -> None:
    extensions = brute.extensions(len(pdag), *as_sets(pdag))
    assert pdag.has_extension() == bool(extensions)
    if not extensions:
        assert not pdag.is_cpdag()
        with pytest.raises(GraphError, match="no consistent extension"):
            pdag.extension()
        return
    assert as_arcs(pdag.extension()) in extensions
    assert as_sets(pdag.meek()) == brute.common(extensions)
    assert pdag.cpdag() == as_dag(len(pdag), extensions[0]).cpdag()
    assert pdag.is_cpdag() == (as_sets(pdag) == as_sets(pdag.cpdag()))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_meek_closes_a_class_with_background_knowledge(data: st.DataObject) -> None:
    """A member's arcs are told one by one; what follows is what all members that agree share."""
    n = data.draw(st.integers(4, 6))
    graph = data.draw(arcs(n))
    members = brute.members(n, graph)
    directed, undirected = as_sets(as_dag(n, graph).cpdag())
    order = data.draw(st.permutations(sorted(pairs(undirected))))
    known = set(directed)
    for first, second in order[:3]:
        known.add((first, second) if (first, second) in graph else (second, first))
        left = undirected - brute.skeleton(known)
        told = PDAG.from_indices(list(map(str, range(n))), known, pairs(left))
        agreeing = [member for member in members if known <= member]
        assert as_sets(told.meek()) == brute.common(agreeing)


def pairs(undirected: Iterable[brute.Pair]) -> list[tuple[int, int]]:
    return [(min(pair), max(pair)) for pair in undirected]


def test_fourth_rule() -> None:
    """The one rule that CPDAGs never need: a - c -> d -> b with a - b, a - d."""
    pdag = PDAG.parse("a -- b; a -- c; a -- d; c -> d -> b")
    assert pdag.meek() == PDAG.parse("a -> b; a -- c; a -- d; c -> d -> b")


@given(dags(max_size=7))
@settings(max_examples=150, deadline=None)
def test_immoralities(dag: DAG) -> None:
    expected = brute.colliders(as_arcs(dag))
    found = {(int(a), int(child), int(b)) for a, child, b in dag.immoralities()}
    assert found == expected
    assert len(dag.immoralities()) == len(expected)
    assert dag.cpdag().immoralities() == dag.immoralities()


def test_immoralities_of_a_pdag_need_two_arrows_and_no_edge_between() -> None:
    assert PDAG.parse("a -> c <- b; a -- b").immoralities() == ()
    assert PDAG.parse("a -> c -- b").immoralities() == ()
    assert PDAG.parse("a -> c <- b").immoralities() == (("a", "c", "b"),)


def test_equivalence_needs_the_same_variables() -> None:
    assert not DAG(["a", "b"]).equivalent(DAG(["x"]))
    assert DAG.parse("a->b").equivalent(DAG.parse("b->a"))
    assert DAG.parse("a->b").class_key() == DAG.parse("b->a").class_key()
    assert DAG.parse("a->b; c").class_key() != DAG.parse("a->b").class_key()
