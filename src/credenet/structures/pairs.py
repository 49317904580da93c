"""The probabilities with which networks join pairs of variables, for text, JSON, drawings and the explorer alike.

Equivalent networks fit data equally well. So a direction counts only if all networks of an equivalence class that obey
the knowledge agree on it; otherwise data cannot tell the direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import thread_count
from credenet._text import JOINED_HEADERS, probability
from credenet.families.table import FamilyTable
from credenet.knowledge.equivalence import ClassRules
from credenet.structures.edges import Edge, consensus

DRAWN = 10_000
"""Networks that are sampled to estimate a share that has no exact sum."""
DRAWN_NOTE = f"Directions are those of {DRAWN:,} networks drawn; the standard error of a share is at most 0.005."
HEADERS = ("variable", "with", *JOINED_HEADERS)
LEAST_SHOWN = 1e-4
"""The smallest probability of an edge with which a pair has a row in a table."""
_ROUNDING = 1e-9  # Largest difference of two sums of shares that is rounding.
OVER_ALL = "joined, all networks"
"""The header of the column with the probability over all networks that a pair is joined."""


class PairProbabilities(NamedTuple):
    """The probabilities that two variables are joined in either direction, joined undetermined, or not joined.

    A direction counts if all networks of a Markov equivalence class that obey the knowledge agree on it.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> pair = credible.pair_probabilities()["either", "xray"]
    >>> abs(pair.forward + pair.backward + pair.undetermined + pair.absent - 1) < 1e-9
    True
    """

    forward: float
    backward: float
    undetermined: float
    absent: float

    @property
    def joined(self) -> float:
        """The probability of an edge in any direction."""
        return min(self.forward + self.backward + self.undetermined, 1.0)

    def turned(self) -> PairProbabilities:
        """The probabilities as seen from the second variable."""
        return PairProbabilities(self.backward, self.forward, self.undetermined, self.absent)

    @property
    def leads_forward(self) -> bool:
        """Whether → is more probable than ← and "data cannot tell" together."""
        return self.forward > self.backward + self.undetermined + _ROUNDING

    @property
    def leads_backward(self) -> bool:
        """Whether ← is more probable than → and "data cannot tell" together."""
        return self.backward > self.forward + self.undetermined + _ROUNDING


NOT_JOINED = PairProbabilities(0.0, 0.0, 0.0, 1.0)
Pairs = dict[Edge, PairProbabilities]


class PairSums:
    """Sums the shares of networks by how they join each pair of variables."""

    def __init__(self, families: FamilyTable, rules: ClassRules) -> None:
        self._families = families
        self._sums = _core.ClassPairSums(len(families.variables), *rules)

    def add(
        self, choices: NDArray[np.int64], shares: NDArray[np.float64], children: NDArray[np.uint8] | None = None
    ) -> None:
        """Adds networks, given by the families of their variables; only edges into children marked by 1 count."""
        if children is None:
            children = np.ones(len(self._families.variables), dtype=np.uint8)
        self._sums.add(self._families.flat().lists, choices, shares, children, thread_count(None))

    def pairs(self) -> Pairs:
        """The pairs that some network joins, in the order of the variables."""
        names, sums = self._families.variables, self._sums
        directed, undirected = (flat.reshape(len(names), -1) for flat in (sums.directed(), sums.undirected()))
        return {
            (names[a], names[b]): _probabilities(directed[a, b], directed[b, a], undirected[a, b])
            for a, b in zip(*np.nonzero(np.triu(directed + directed.T + undirected, 1)), strict=True)
        }


def _probabilities(forward: float, backward: float, undetermined: float) -> PairProbabilities:
    forward, backward, undetermined = (min(float(share), 1.0) for share in (forward, backward, undetermined))
    return PairProbabilities(forward, backward, undetermined, max(1.0 - (forward + backward + undetermined), 0.0))


def pairs_of_networks(
    drawn: Pairs, edges: Mapping[Edge, float], variables: tuple[str, ...], rules: ClassRules
) -> Pairs:
    """The pairs of sampled networks, adjusted to the probabilities of edges, which are more exact.

    The probability of an edge counts all networks with that edge, whether or not data tell its direction. So it bounds
    the share of the direction, and the two edges of a pair add up to the probability that it is joined. If the rules
    exclude one direction of a pair, every network with the pair has the other one.
    """
    place = {name: at for at, name in enumerate(variables)}
    pairs: Pairs = {}
    for a, b in sorted({_sort_pair(edge, place) for edge in edges}, key=lambda pair: (place[pair[0]], place[pair[1]])):
        forth, back = edges.get((a, b), 0.0), edges.get((b, a), 0.0)
        joined = min(forth + back, 1.0)
        forward = backward = 0.0
        table = drawn.get((a, b))
        if not rules.allows(place[b], place[a]):
            forward = joined
        elif not rules.allows(place[a], place[b]):
            backward = joined
        elif table is not None and table.joined > 0:
            forward = min(joined * table.forward / table.joined, forth)
            backward = min(joined * table.backward / table.joined, back)
        pairs[a, b] = _probabilities(forward, backward, max(joined - forward - backward, 0.0))
    return pairs


def _sort_pair(edge: Edge, place: Mapping[str, int]) -> Edge:
    return edge if place[edge[0]] < place[edge[1]] else edge[::-1]


def arrows(variables: tuple[str, ...], pairs: Pairs) -> tuple[Edge, ...]:
    """The pairs drawn with an arrow head, each as (tail, head); all others are lines without a head.

    A pair has a head if, given that it is joined, data and knowledge more probably determine this direction than not.
    Heads that would close a cycle are left out, the least probable first.

    Examples
    --------
    >>> mostly_open, backward = PairProbabilities(0.32, 0.0, 0.68, 0.0), PairProbabilities(0.1, 0.3, 0.0, 0.6)
    >>> arrows(("a", "b", "c"), {("a", "b"): mostly_open, ("b", "c"): backward})
    (('c', 'b'),)
    """
    leading = {(a, b): shares.forward for (a, b), shares in pairs.items() if shares.leads_forward}
    leading |= {(b, a): shares.backward for (a, b), shares in pairs.items() if shares.leads_backward}
    return consensus(variables, leading, 0.0).edges


def pair_rows(pairs: Pairs, over_all: Mapping[Edge, float] | None = None) -> list[list[str]]:
    """The rows of a table with the columns `HEADERS`, the most probable pairs first, without pairs below 0.0001.

    Given ``over_all``, the probabilities over all networks are a further column and determine the order. Pairs that
    only other networks join then have rows, too.
    """
    others = {} if over_all is None else {pair: NOT_JOINED for pair in over_all if pair not in pairs}
    joined = {pair: shares.joined for pair, shares in pairs.items()} if over_all is None else over_all
    every = {**pairs, **others}
    ordered = sorted(every.items(), key=lambda item: (-joined.get(item[0], 0.0), -item[1].joined))
    return [
        [a, b, *map(probability, shown)]
        for (a, b), shares in ordered
        if max(shown := _list_shares(shares, None if over_all is None else over_all.get((a, b), 0.0))) > LEAST_SHOWN
    ]


def say_nothing_joined(pairs: Pairs) -> str:
    """The sentence in place of a table of pairs without rows."""
    return "No two variables are joined" + (f" with a probability above {LEAST_SHOWN:g}" if pairs else "")


def _list_shares(shares: PairProbabilities, over_all: float | None) -> list[float]:
    """The numbers that a row shows."""
    own = [shares.joined, shares.forward, shares.backward, shares.undetermined]
    return own if over_all is None else [*own, over_all]


def join_pairs(edges: Mapping[Edge, float], variables: tuple[str, ...]) -> dict[Edge, float]:
    """The probability that each pair is joined, from those of its two edges; in the order of the variables."""
    place = {name: at for at, name in enumerate(variables)}
    sums: dict[Edge, float] = {}
    for edge, share in edges.items():
        pair = _sort_pair(edge, place)
        sums[pair] = min(sums.get(pair, 0.0) + share, 1.0)
    return dict(sorted(sums.items(), key=lambda item: (place[item[0][0]], place[item[0][1]])))


def json_pairs(pairs: Pairs) -> list[list[str | float]]:
    """Each pair with the shares of →, ←, undetermined and not joined."""
    return [[a, b, *shares] for (a, b), shares in pairs.items()]
