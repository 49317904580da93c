"""The average network as a graph that can be drawn: joined pairs with their probabilities."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from credenet.graphs._base import IndexPair
from credenet.structures.pairs import Pairs, arrows

_WIDEST = 4.0  # Width of the line of an edge that all networks have.
_THINNEST = 0.4


class Averaged(Protocol):
    """Networks that say together how probable each edge is: a credible set, or a posterior."""

    @property
    def variables(self) -> tuple[str, ...]: ...
    @property
    def has_probabilities(self) -> bool: ...
    @property
    def among(self) -> str: ...
    def edge_probabilities(self) -> dict[tuple[str, str], float]: ...
    def pair_probabilities(self) -> Pairs: ...


class AverageGraph(NamedTuple):
    """Edges by the positions of the variables, and the widths of their lines: directed, then undirected."""

    directed: list[IndexPair]
    undirected: list[IndexPair]
    widths: list[float]


def average_graph(averaged: Averaged, threshold: float) -> AverageGraph:
    """Pairs that are joined with a probability above the threshold, with the heads that `arrows` gives them."""
    place = {name: at for at, name in enumerate(averaged.variables)}
    pairs = averaged.pair_probabilities()
    joined = {pair: shares.joined for pair, shares in pairs.items() if shares.joined > threshold}
    directed = [edge for edge in arrows(averaged.variables, pairs) if edge in joined or edge[::-1] in joined]
    turned = {frozenset(edge) for edge in directed}
    undirected = [pair for pair in joined if frozenset(pair) not in turned]
    shares = [joined[edge] if edge in joined else joined[edge[::-1]] for edge in (*directed, *undirected)]
    return AverageGraph(
        [(place[a], place[b]) for a, b in directed],
        [(place[a], place[b]) for a, b in undirected],
        [max(_WIDEST * share, _THINNEST) for share in shares],
    )
