"""The pairs on which candidates agree, and the distance of a graph from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from credenet._json import AsJson
from credenet.graphs import PDAG
from credenet.graphs.edge_marks import UNDIRECTED, UP, Differences, Marks, differences, edge_marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(AsJson):
    """The agreement graph: pairs of variables that all candidates treat alike when they learn from all rows.

    Attributes
    ----------
    graph
        The edges that all candidates agree on, with their directions.
    disputed
        The pairs that candidates differ on. All other pairs are agreed: joined as in ``graph``, or without an edge.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.validate(credenet.datasets.asia(1000), scores=["bic", "bdeu"], repetitions=2)
    >>> result.agreement.n_pairs
    28
    """

    graph: PDAG
    disputed: tuple[tuple[str, str], ...]

    @property
    def n_pairs(self) -> int:
        """The number of agreed pairs, with or without an edge."""
        n = len(self.graph.variables)
        return n * (n - 1) // 2 - len(self.disputed)

    @property
    def n_edges(self) -> int:
        """The number of agreed pairs that have an edge."""
        return self.graph.n_edges

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "pairs": self.n_pairs,
            "edges": self.n_edges,
            "directed": [list(edge) for edge in self.graph.directed],
            "undirected": [list(edge) for edge in self.graph.undirected],
            "disputed": [list(pair) for pair in self.disputed],
        }


def agreement_of(graphs: Sequence[PDAG]) -> Agreement:
    """The pairs on which graphs over the same variables, in the same order, agree."""
    variables = graphs[0].variables
    every = [edge_marks(graph) for graph in graphs]
    common = {pair: mark for pair, mark in every[0].items() if all(marks.get(pair) == mark for marks in every)}
    disputed = sorted({pair for marks in every for pair in marks if pair not in common})
    return Agreement(
        graph=_graph_of(variables, common),
        disputed=tuple((variables[first], variables[second]) for first, second in disputed),
    )


def partial_differences(agreement: Agreement, learned: PDAG) -> Differences:
    """The agreed pairs that a graph treats otherwise; their number is the partial Hamming distance."""
    place = {name: at for at, name in enumerate(agreement.graph.variables)}
    left_out = {(place[first], place[second]) for first, second in agreement.disputed}
    marks = {pair: mark for pair, mark in edge_marks(learned).items() if pair not in left_out}
    return differences(edge_marks(agreement.graph), marks)


def _graph_of(variables: Sequence[str], marks: Marks) -> PDAG:
    directed = [pair if mark == UP else pair[::-1] for pair, mark in marks.items() if mark != UNDIRECTED]
    undirected = [pair for pair, mark in marks.items() if mark == UNDIRECTED]
    return PDAG.from_indices(variables, directed, undirected)
