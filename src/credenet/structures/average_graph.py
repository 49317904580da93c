"""The average network as a graph to draw: joined pairs with their probabilities."""

from __future__ import annotations

from typing import NamedTuple

from credenet.graphs._base import IndexPair
from credenet.structures.pairs import arrows
from credenet.structures.weighted_networks import WeightedNetworks

_WIDEST = 4.0  # Line width of an edge that all networks have, in points.
_THINNEST = 0.4


class AverageGraph(NamedTuple):
    """Edges by positions of the variables, and their line widths: first the directed ones, then the undirected ones."""

    directed: list[IndexPair]
    undirected: list[IndexPair]
    widths: list[float]


def average_graph(networks: WeightedNetworks, threshold: float) -> AverageGraph:
    """The pairs joined with a probability above the threshold, with the arrow heads of `arrows`."""
    place = {name: at for at, name in enumerate(networks.variables)}
    pairs = networks.pair_probabilities()
    joined = {pair: shares.joined for pair, shares in pairs.items() if shares.joined > threshold}
    directed = [edge for edge in arrows(networks.variables, pairs) if edge in joined or edge[::-1] in joined]
    turned = {frozenset(edge) for edge in directed}
    undirected = [pair for pair in joined if frozenset(pair) not in turned]
    shares = [joined[edge] if edge in joined else joined[edge[::-1]] for edge in (*directed, *undirected)]
    return AverageGraph(
        [(place[a], place[b]) for a, b in directed],
        [(place[a], place[b]) for a, b in undirected],
        [max(_WIDEST * share, _THINNEST) for share in shares],
    )
