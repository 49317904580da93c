"""How networks join pairs of variables: the one account that text, JSON, drawings and the explorer read.

Equivalent networks fit data equally well, so a direction counts only where all networks of an equivalence class that
obey the knowledge have it; otherwise data cannot tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import thread_count
from credenet._text import probability
from credenet.families.table import FamilyTable
from credenet.knowledge.equivalence import ClassRules
from credenet.structures.edges import Edge

DRAWN = 10_000
"""Networks that are drawn where a share has no sum of its own."""
DRAWN_NOTE = f"Directions are those of {DRAWN:,} networks drawn; the standard error of a share is at most 0.005."
HEADERS = ("variable", "with", "joined", "→", "←", "data cannot tell")
_LEAST_SHOWN = 1e-4


class PairProbabilities(NamedTuple):
    """How probable it is that two variables are joined in a direction, joined in one that data cannot tell, or not.

    A direction counts where all networks of a Markov equivalence class that obey the knowledge have it.
    """

    forward: float
    backward: float
    undetermined: float
    absent: float

    @property
    def joined(self) -> float:
        """The probability of an edge, in whatever direction."""
        return min(self.forward + self.backward + self.undetermined, 1.0)


Pairs = dict[Edge, PairProbabilities]


class PairSums:
    """Adds up how networks, each with a share, join pairs of variables."""

    def __init__(self, families: FamilyTable, rules: ClassRules) -> None:
        self._families = families
        self._sums = _core.ClassPairSums(len(families.variables), *rules)

    def add(
        self, choices: NDArray[np.int64], shares: NDArray[np.float64], children: NDArray[np.uint8] | None = None
    ) -> None:
        """Networks by the families of their variables; only edges into children that are marked by 1 count."""
        if children is None:
            children = np.ones(len(self._families.variables), dtype=np.uint8)
        self._sums.add(self._families.flat().lists, choices, shares, children, thread_count(None))

    def pairs(self) -> Pairs:
        """The pairs that are joined in a network, in the order of the variables, the first of two first."""
        names, sums = self._families.variables, self._sums
        directed, undirected = (flat.reshape(len(names), -1) for flat in (sums.directed(), sums.undirected()))
        return {
            (names[a], names[b]): _probabilities(directed[a, b], directed[b, a], undirected[a, b])
            for a, b in zip(*np.nonzero(np.triu(directed + directed.T + undirected, 1)), strict=True)
        }


def _probabilities(forward: float, backward: float, undetermined: float) -> PairProbabilities:
    shares = [min(float(share), 1.0) for share in (forward, backward, undetermined)]
    return PairProbabilities(*shares, max(1.0 - sum(shares), 0.0))


def drawn_pairs(drawn: Pairs, edges: Mapping[Edge, float], variables: tuple[str, ...]) -> Pairs:
    """Pairs by networks drawn, made to agree with the probabilities of edges, which are known better.

    The probability of an edge is that of the pair to be joined in this direction, whether or not data tell it. So it
    bounds the share of the direction, and the two of a pair add up to the probability that it is joined.
    """
    place = {name: at for at, name in enumerate(variables)}
    pairs: Pairs = {}
    for a, b in sorted({_in_order(edge, place) for edge in edges}, key=lambda pair: (place[pair[0]], place[pair[1]])):
        forth, back = edges.get((a, b), 0.0), edges.get((b, a), 0.0)
        joined = min(forth + back, 1.0)
        forward = backward = 0.0
        found = drawn.get((a, b))
        if found is not None and found.joined > 0:
            forward = min(joined * found.forward / found.joined, forth)
            backward = min(joined * found.backward / found.joined, back)
        pairs[a, b] = _probabilities(forward, backward, max(joined - forward - backward, 0.0))
    return pairs


def _in_order(edge: Edge, place: Mapping[str, int]) -> Edge:
    return edge if place[edge[0]] < place[edge[1]] else edge[::-1]


def pair_rows(pairs: Pairs) -> list[list[str]]:
    """The rows of a table with the columns `HEADERS`, the most probable pairs first; pairs below 0.0001 have none."""
    ordered = sorted(pairs.items(), key=lambda item: -item[1].joined)
    return [
        [a, b, *map(probability, (shares.joined, shares.forward, shares.backward, shares.undetermined))]
        for (a, b), shares in ordered
        if shares.joined > _LEAST_SHOWN
    ]


def json_pairs(pairs: Pairs) -> list[list[str | float]]:
    """Each pair with the shares of →, ←, undetermined and not joined."""
    return [[a, b, *shares] for (a, b), shares in pairs.items()]
