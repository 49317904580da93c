"""Structural distances against their definitions and against gadjid."""

from __future__ import annotations

import json
from itertools import combinations

import gadjid
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG, PDAG
from credenet.networks.comparison import Comparison, compare
from graph_strategies import arcs, as_arcs, as_dag, as_sets, dags, pdags


def edge_marks(pdag: PDAG) -> dict[brute.Pair, object]:
    directed, undirected = as_sets(pdag)
    return {frozenset(arc): arc for arc in directed} | dict.fromkeys(undirected, "undirected")


@pytest.mark.parametrize("n", [2, 3])
def test_all_pairs_of_small_dags(n: int) -> None:
    graphs = brute.all_dags(n)
    for truth in graphs:
        for learned in graphs:
            check(as_dag(n, truth), as_dag(n, learned))


def test_shd_of_all_pairs_of_classes_on_four_nodes() -> None:
    representatives = {as_dag(4, graph).class_key(): as_dag(4, graph) for graph in brute.all_dags(4)}
    graphs = [(dag, edge_marks(dag.cpdag())) for dag in representatives.values()]
    assert len(graphs) == 185
    for truth, first in graphs:
        for learned, second in graphs:
            expected = sum(first.get(pair) != second.get(pair) for pair in first.keys() | second.keys())
            assert compare(truth, learned, n_threads=1).shd == expected


@given(dags(min_size=4, max_size=6), st.data())
@settings(max_examples=300, deadline=None)
def test_larger_dags(truth: DAG, data: st.DataObject) -> None:
    check(truth, as_dag(len(truth), data.draw(arcs(len(truth)))))


def check(truth: DAG, learned: DAG) -> None:
    found = compare(truth, learned, n_threads=1)
    first, second = edge_marks(truth.cpdag()), edge_marks(learned.cpdag())
    pairs = [frozenset(pair) for pair in combinations(range(len(truth)), 2)]
    assert found.shd == sum(first.get(pair) != second.get(pair) for pair in pairs)
    assert found.extra == len(second.keys() - first.keys())
    assert found.missing == len(first.keys() - second.keys())
    assert found.misdirected == found.shd - found.extra - found.missing
    directions = [{frozenset(arc): arc for arc in as_arcs(dag)} for dag in (truth, learned)]
    assert found.shd_dag == sum(directions[0].get(pair) != directions[1].get(pair) for pair in pairs)
    assert found.sid == brute.sid(len(truth), as_arcs(truth), as_arcs(learned))
    assert found.sid_exact
    assert found.f1_skeleton == pytest.approx(f1(set(first), set(second)))
    directed = [as_sets(dag.cpdag())[0] for dag in (truth, learned)]
    assert found.f1_arrow == pytest.approx(f1(set(directed[0]), set(directed[1])))


def f1(truth: set[object], learned: set[object]) -> float:
    if not truth and not learned:
        return 1.0
    if not truth & learned:
        return 0.0
    precision = len(truth & learned) / len(learned)
    recall = len(truth & learned) / len(truth)
    return 2 * precision * recall / (precision + recall)


@given(dags(min_size=3, max_size=5), st.data())
@settings(max_examples=150, deadline=None)
def test_sid_bounds_are_the_extremes_over_the_class(truth: DAG, data: st.DataObject) -> None:
    n = len(truth)
    learned = as_dag(n, data.draw(arcs(n)))
    distances = [brute.sid(n, as_arcs(truth), member) for member in brute.members(n, as_arcs(learned))]
    found = compare(truth, learned.cpdag())
    assert found.sid == (min(distances), max(distances))
    assert found.sid_exact


@given(pdags(min_size=3, max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_sid_bounds_of_any_pdag(learned: PDAG, data: st.DataObject) -> None:
    n = len(learned)
    truth = data.draw(arcs(n))
    found = compare(as_dag(n, truth), learned)
    extensions = brute.extensions(n, *as_sets(learned))
    if not extensions:
        assert found.sid is None
        return
    distances = [brute.sid(n, truth, member) for member in extensions]
    assert found.sid == (min(distances), max(distances))


@given(dags(min_size=4, max_size=6), st.data(), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_sid_bounds_cut_short_are_outer_bounds(truth: DAG, data: st.DataObject, limit: int) -> None:
    learned = as_dag(len(truth), data.draw(arcs(len(truth)))).cpdag()
    full, cut = compare(truth, learned), compare(truth, learned, max_branchings=limit)
    assert isinstance(full.sid, tuple)
    assert isinstance(cut.sid, tuple)
    assert cut.sid[0] <= full.sid[0] <= full.sid[1] <= cut.sid[1] <= len(truth) * (len(truth) - 1)
    if cut.sid_exact:
        assert cut.sid == full.sid
    if limit == 0:
        assert cut.sid_exact == (not learned.undirected)


def test_sid_agrees_with_gadjid() -> None:
    random = np.random.default_rng(7)
    for _ in range(200):
        n = int(random.integers(2, 31))
        truth, learned = (random_adjacency(random, n) for _ in range(2))
        expected = gadjid.sid(truth, learned, edge_direction="from row to column")[1]
        assert compare(DAG.from_adjacency(truth), DAG.from_adjacency(learned)).sid == expected


def random_adjacency(random: np.random.Generator, n: int) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    order = random.permutation(n)
    upper = np.triu(random.random((n, n)) < random.uniform(0, 4 / n), 1)
    return upper[np.ix_(order, order)].astype(np.int8)


def test_a_long_undirected_path_is_no_search_over_all_orientations() -> None:
    path = DAG.parse(" -> ".join(f"v{number}" for number in range(300)))
    found = compare(path, path.cpdag())
    assert found.sid == (0, 300 * 299)
    assert found.sid_exact


def test_a_large_clique_is_cut_short() -> None:
    names = [f"v{number}" for number in range(30)]
    clique = DAG.from_parents({name: names[:place] for place, name in enumerate(names)})
    found = compare(clique, clique.cpdag(), max_branchings=50)
    assert not found.sid_exact
    assert found.sid == (0, 30 * 29)
    assert "(outer bounds)" in str(found)


def test_threads_change_nothing() -> None:
    random = np.random.default_rng(1)
    truth, learned = (DAG.from_adjacency(random_adjacency(random, 200)) for _ in range(2))
    for graph in (learned, learned.cpdag()):
        assert compare(truth, graph, n_threads=1) == compare(truth, graph, n_threads=4)


@given(dags(min_size=2, max_size=6), st.data())
@settings(max_examples=50, deadline=None)
def test_the_order_of_variables_does_not_matter(truth: DAG, data: st.DataObject) -> None:
    learned = as_dag(len(truth), data.draw(arcs(len(truth))))
    names = data.draw(st.permutations(learned.variables))
    assert compare(truth, DAG(names, learned.edges)) == compare(truth, learned)
    cpdag = learned.cpdag()
    reordered = PDAG(names, cpdag.directed, cpdag.undirected)
    assert compare(truth, reordered) == compare(truth, cpdag)


def test_pdags_are_taken_as_they_are() -> None:
    reference = PDAG.parse("a -> b -- c; d -> e")
    learned = PDAG.parse("a -- b -- c; e -> d; c -- d")
    found = compare(reference, learned)
    assert (found.shd, found.extra, found.missing, found.misdirected) == (3, 1, 0, 2)
    assert found.shd_dag is None
    assert found.sid is None
    assert found.f1_arrow == 0.0
    assert compare(DAG.parse("a -> b; c; d -> e"), learned).shd_dag is None


def test_different_variables() -> None:
    with pytest.raises(GraphError, match="only in the reference: b; only in the learned graph: c"):
        compare(DAG(["a", "b"]), DAG(["a", "c"]))
    with pytest.raises(ArgumentError, match="max_branchings must be at least 0, got -1"):
        compare(DAG(["a"]), DAG(["a"]), max_branchings=-1)


def test_report_and_json() -> None:
    truth = DAG.parse("a -> c <- b; c -> d")
    found = compare(truth, DAG.parse("a -> c -> b; c -> d").cpdag())
    assert json.loads(found.to_json()) == found.to_dict()
    assert isinstance(found.sid, tuple)
    assert found.to_dict()["sid"] == list(found.sid)
    report = str(found)
    assert "SHD of the CPDAGs    3" in report
    assert "misdirected        3" in report
    assert "SHD of the DAGs" not in report
    assert "SHD of the DAGs      1" in str(compare(truth, DAG.parse("a -> c -> b; c -> d")))


def test_the_same_graph_has_no_distance() -> None:
    dag = DAG.parse("a -> c <- b; d")
    assert compare(dag, dag) == Comparison(
        shd=0,
        extra=0,
        missing=0,
        misdirected=0,
        shd_dag=0,
        sid=0,
        sid_exact=True,
        f1_skeleton=1.0,
        f1_arrow=1.0,
    )
    assert compare(DAG([]), DAG([])).f1_skeleton == 1.0
