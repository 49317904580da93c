"""Markov equivalence classes of credible networks, and how many networks a class has in all."""

from __future__ import annotations

from dataclasses import dataclass

from credenet import _core
from credenet.graphs import DAG, PDAG


@dataclass(frozen=True, slots=True)
class EquivalenceClass:
    """Credible networks that are Markov equivalent.

    Attributes
    ----------
    dag
        The best of them.
    score
        Its score; with a score or a prior that is not the same for equivalent networks others may score lower.
    members
        The number of credible networks in the class.
    probability
        Their weight among all credible networks.
    """

    dag: DAG
    score: float
    members: int
    probability: float

    @property
    def cpdag(self) -> PDAG:
        """The class as a graph."""
        return self.dag.cpdag()

    @property
    def size(self) -> int:
        """The number of all networks in the class, credible or not; counted without listing them."""
        return class_size(self.cpdag)


def class_size(cpdag: PDAG) -> int:
    """The number of DAGs in the class of a CPDAG: the undirected parts can be directed independently.

    Examples
    --------
    >>> class_size(DAG.parse("a -> b -> c").cpdag())
    3
    """
    return _core.count_orientations(len(cpdag), *cpdag.edge_arrays()[2:])
