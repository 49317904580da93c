"""PDAGs as objects: construction, names, equality."""

from __future__ import annotations

import copy
import math
import pickle

import networkx
import numpy as np
import pytest
from hypothesis import given, settings

from credenet.errors import GraphError
from credenet.graphs import PDAG
from graph_strategies import pdags


def test_basics() -> None:
    pdag = PDAG.parse("a -> c <- b; c -- d; e -- d; f")
    assert repr(pdag) == "<PDAG 6 variables, 4 edges>"
    assert pdag.variables == ("a", "c", "b", "d", "e", "f")
    assert pdag.directed == (("a", "c"), ("b", "c"))
    assert pdag.undirected == (("c", "d"), ("d", "e"))
    assert pdag.edges == pdag.directed + pdag.undirected
    assert pdag.parents("c") == ("a", "b")
    assert pdag.children("a") == ("c",)
    assert pdag.neighbours("d") == ("c", "e")
    assert pdag.adjacent("c") == ("a", "b", "d")
    assert pdag.skeleton() == PDAG.parse("a -- c -- b; c -- d -- e; f")
    with pytest.raises(GraphError, match="unknown variable 'z'"):
        pdag.neighbours("z")


@given(pdags(max_size=6))
@settings(max_examples=100, deadline=None)
def test_every_way_in_and_out(pdag: PDAG) -> None:
    assert PDAG.parse(str(pdag)) == pdag
    assert pickle.loads(pickle.dumps(pdag)) == pdag
    assert copy.copy(pdag) == pdag
    matrix = np.zeros((len(pdag), len(pdag)), dtype=bool)
    tails, heads, first, second = pdag.edge_arrays()
    matrix[tails, heads] = matrix[first, second] = matrix[second, first] = True
    assert PDAG.from_adjacency(matrix) == pdag
    assert PDAG.from_networkx(networkx.from_numpy_array(matrix, create_using=networkx.DiGraph)) == pdag
    turned = PDAG(pdag.variables[::-1], pdag.directed, [(b, a) for a, b in pdag.undirected])
    assert turned == pdag
    assert hash(turned) == hash(pdag)


def test_undirected_networkx_graph() -> None:
    graph = networkx.Graph([("a", "b"), ("b", "c")])
    assert PDAG.from_networkx(graph) == PDAG.parse("a -- b -- c")


def test_directed_and_undirected_edges_differ() -> None:
    assert PDAG.parse("a -> b") != PDAG.parse("a -- b")
    assert PDAG.parse("a -> b") != PDAG.parse("b -> a")
    assert PDAG.parse("a -- b") == PDAG.parse("b -- a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b -> c -> a", "cycle: a -> b -> c -> a"),
        ("a -> b; a -- b", "the pair 'a', 'b' has more than one edge"),
        ("a -> b; b -> a", "the pair 'a', 'b' has more than one edge"),
        ("a -- b; b -- a", "the pair 'a', 'b' has more than one edge"),
        ("a -- a", "'a' has an edge to itself"),
    ],
)
def test_what_is_no_pdag(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        PDAG.parse(text)


def test_wrong_positions() -> None:
    with pytest.raises(GraphError, match="must be at least 0 and below 2, got \\(0, 2\\)"):
        PDAG.from_indices(["a", "b"], [(0, 2)])
    with pytest.raises(GraphError, match="must be at least 0"):
        PDAG.from_indices(["a", "b"], [], [(-1, 1)])
    with pytest.raises(GraphError, match="'b' has an edge to itself"):
        PDAG.from_indices(["a", "b"], [(1, 1)])
    assert PDAG.from_indices(["a", "b"], np.array([[0, 1]])).directed == (("a", "b"),)
    assert PDAG.from_indices(["a", "b"], np.empty((0, 2), dtype=np.int32)).n_edges == 0
    for edges in ([()], [(0, 1), (1,)], [("a", "b")], [(0.5, 1)], [(math.nan, 1)], [(0, 2**70)], [(False, True)]):
        with pytest.raises(GraphError, match="pair of positions"):
            PDAG.from_indices(["a", "b"], edges)  # type: ignore[arg-type]


def test_closure_of_a_graph_without_extension_may_end_in_a_cycle() -> None:
    square = PDAG.parse("a -> b -- c -- d -- a")
    with pytest.raises(GraphError, match="cycle"):
        square.meek()
