"""The average network as a graph that can be drawn: adjacent pairs with their probabilities."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from credenet.graphs import DAG
from credenet.graphs._base import IndexPair

_WIDEST = 4.0  # of a line for an edge that all networks have
_THINNEST = 0.4


class Averaged(Protocol):
    """Networks that say together how probable each edge is: a credible set, or a posterior."""

    @property
    def variables(self) -> tuple[str, ...]: ...
    @property
    def has_probabilities(self) -> bool: ...
    def edge_probabilities(self) -> dict[tuple[str, str], float]: ...
    def consensus(self, threshold: float = 0.5) -> DAG: ...


class AverageGraph(NamedTuple):
    """Edges by the positions of the variables, and the widths of their lines: directed, then undirected."""

    directed: list[IndexPair]
    undirected: list[IndexPair]
    widths: list[float]


def average_graph(averaged: Averaged, threshold: float) -> AverageGraph:
    """Pairs that are adjacent with a probability above the threshold; directed if one direction has more than half.

    Directed edges that would close a cycle are drawn without direction.
    """
    edges = averaged.edge_probabilities()
    place = {name: at for at, name in enumerate(averaged.variables)}
    joined: dict[frozenset[str], float] = {}
    for edge, share in edges.items():
        joined[frozenset(edge)] = joined.get(frozenset(edge), 0.0) + share
    median = set(averaged.consensus().edges)
    directed = [edge for edge in edges if edge in median and joined[frozenset(edge)] > threshold]
    turned = {frozenset(edge) for edge in directed}
    others = [pair for pair, share in joined.items() if share > threshold and pair not in turned]
    undirected = [(a, b) if place[a] < place[b] else (b, a) for a, b in map(tuple, others)]
    shares = [joined[frozenset(edge)] for edge in (*directed, *undirected)]
    return AverageGraph(
        [(place[a], place[b]) for a, b in directed],
        [(place[a], place[b]) for a, b in undirected],
        [max(_WIDEST * min(share, 1.0), _THINNEST) for share in shares],
    )
