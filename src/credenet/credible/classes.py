"""Markov equivalence classes of credible networks, and how many networks a class has in all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from credenet.graphs import DAG, PDAG

Edge = tuple[int, int]


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
    place = {name: at for at, name in enumerate(cpdag.variables)}
    edges = [(place[a], place[b]) for a, b in cpdag.undirected]
    return math.prod(_orientations(part) for part in _connected(edges))


def _connected(edges: Iterable[Edge]) -> list[frozenset[Edge]]:
    """The edges of each connected part, the nodes of each numbered anew in their order."""
    around: dict[int, set[int]] = {}
    for a, b in edges:
        around.setdefault(a, set()).add(b)
        around.setdefault(b, set()).add(a)
    parts = []
    while around:
        part, new = set(), [next(iter(around))]
        while new:
            node = new.pop()
            if node not in part:
                part.add(node)
                new += around[node]
        number = {node: at for at, node in enumerate(sorted(part))}
        parts.append(frozenset((number[a], number[b]) for a in part for b in around.pop(a) if a < b))
    return parts


@cache
def _orientations(edges: frozenset[Edge]) -> int:
    """The acyclic orientations without unshielded colliders of a connected chordal graph.

    Each has one source. A source directs edges away from it, level by level; what stays undirected falls into parts
    that are directed independently (He, Jia and Yu, JMLR 2015).
    """
    around: dict[int, set[int]] = {}
    for a, b in edges:
        around.setdefault(a, set()).add(b)
        around.setdefault(b, set()).add(a)
    n = len(around)
    if len(edges) == n - 1:  # a tree, directed by its root
        return n
    if 2 * len(edges) == n * (n - 1):
        return math.factorial(n)
    return sum(math.prod(map(_orientations, _connected(_undirected(around, root)))) for root in around)


def _undirected(around: dict[int, set[int]], root: int) -> list[Edge]:
    """The edges that a source leaves undirected: within a level, where no collider would be forced."""
    left: list[Edge] = []
    level, before, seen = {root}, set[int](), {root}
    while level:
        parents = {node: around[node] & before for node in level}
        free = {(a, b) for a in level for b in around[a] & level if a < b}
        while True:
            forced = {
                (a, b)
                for pair in free
                for a, b in (pair, pair[::-1])
                if any(parent not in around[b] for parent in parents[a])
            }
            if not forced:
                break
            for a, b in forced:
                parents[b].add(a)
                free.discard((min(a, b), max(a, b)))
        left += free
        before = level
        level = set().union(*(around[node] for node in level)) - seen
        seen |= level
    return left
