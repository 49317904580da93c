"""Hypothesis strategies shared by the tests."""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st

import brute
from credenet.graphs import DAG, PDAG

# Whatever a user may call a column; surrogates cannot be written to a file.
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@st.composite
def arcs(draw: st.DrawFn, n: int) -> brute.Arcs:
    """The arcs of a DAG on 0..n-1."""
    order = draw(st.permutations(range(n)))
    pairs = list(combinations(order, 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return frozenset(pair for pair, keep in zip(pairs, chosen, strict=True) if keep)


@st.composite
def dags(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 6) -> DAG:
    """DAGs named "0", "1", …"""
    n = draw(st.integers(min_size, max_size))
    return as_dag(n, draw(arcs(n)))


@st.composite
def pdags(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 5) -> PDAG:
    """PDAGs named "0", "1", …, with or without an extension."""
    n = draw(st.integers(min_size, max_size))
    edges = sorted(draw(arcs(n)))
    kinds = draw(st.lists(st.booleans(), min_size=len(edges), max_size=len(edges)))
    chosen = list(zip(edges, kinds, strict=True))
    return PDAG.from_indices(
        list(map(str, range(n))),
        [edge for edge, directed in chosen if directed],
        [edge for edge, directed in chosen if not directed],
    )


def as_dag(n: int, graph: brute.Arcs) -> DAG:
    """Arcs as a DAG named "0", "1", …"""
    return DAG(list(map(str, range(n))), [(str(tail), str(head)) for tail, head in sorted(graph)])


def as_arcs(dag: DAG) -> brute.Arcs:
    """The arcs of a DAG by position."""
    return frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)


def as_sets(pdag: PDAG) -> tuple[brute.Arcs, frozenset[brute.Pair]]:
    """Directed and undirected edges of a PDAG by position."""
    tails, heads, first, second = (array.tolist() for array in pdag.edge_arrays())
    undirected = frozenset(map(frozenset, zip(first, second, strict=True)))
    return frozenset(zip(tails, heads, strict=True)), undirected
