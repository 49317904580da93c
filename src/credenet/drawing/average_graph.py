"""The average network as a graph that can be drawn: joined pairs with their probabilities."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from credenet.graphs._base import IndexPair
from credenet.structures.edges import consensus
from credenet.structures.pairs import Pairs

_WIDEST = 4.0  # Width of the line of an edge that all networks have.
_THINNEST = 0.4


class Averaged(Protocol):
    """Networks that say together how probable each edge is: a credible set, or a posterior."""

    @property
    def variables(self) -> tuple[str, ...]: ...
    @property
    def has_probabilities(self) -> bool: ...
    def edge_probabilities(self) -> dict[tuple[str, str], float]: ...
    def pair_probabilities(self) -> Pairs: ...


class AverageGraph(NamedTuple):
    """Edges by the positions of the variables, and the widths of their lines: directed, then undirected."""

    directed: list[IndexPair]
    undirected: list[IndexPair]
    widths: list[float]


def average_graph(averaged: Averaged, threshold: float) -> AverageGraph:
    """Pairs that are joined with a probability above the threshold.

    An edge has a direction if it is more probable than not that data and knowledge determine this direction. Directed
    edges that would close a cycle are drawn without direction.
    """
    place = {name: at for at, name in enumerate(averaged.variables)}
    pairs = averaged.pair_probabilities()
    joined = {pair: shares.joined for pair, shares in pairs.items() if shares.joined > threshold}
    told = {(a, b): pairs[a, b].forward for a, b in joined} | {(b, a): pairs[a, b].backward for a, b in joined}
    directed = list(consensus(averaged.variables, told, 0.5).edges)
    turned = {frozenset(edge) for edge in directed}
    undirected = [pair for pair in joined if frozenset(pair) not in turned]
    shares = [joined[edge] if edge in joined else joined[edge[::-1]] for edge in (*directed, *undirected)]
    return AverageGraph(
        [(place[a], place[b]) for a, b in directed],
        [(place[a], place[b]) for a, b in undirected],
        [max(_WIDEST * share, _THINNEST) for share in shares],
    )
