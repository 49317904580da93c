"""Markov blankets by sums over all networks.

The condition that the Markov blanket of a variable lies within a set is a rule on single families. So its probability
takes one sum over the networks of the families that obey the rule. Such sums give the probability that another variable
is in the blanket (the set then holds all others) and, by inclusion and exclusion over subsets, that of each blanket.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import thread_count

MOST_FOR_MEMBERS = 18
"""Variables up to which memberships are summed, which takes a sum for each other variable and some seconds."""
MOST_FOR_BLANKETS = 11
"""Variables up to which all blankets are summed, which takes a sum for each set of others and about a second."""
_LEAST = 1e-9  # Smallest probability of a blanket; rounding of inclusion and exclusion is below it.


MixedWeights = Sequence[tuple[float, _core.WeightTable]]
"""The weights of families with the shares of their networks in a mixture."""


def member_probabilities(several: MixedWeights, n: int, by_orders: bool, variable: int) -> NDArray[np.float64]:
    """For each variable the probability that it is in the blanket of ``variable``, 0 for ``variable`` itself."""
    others = [at for at in range(n) if at != variable]
    whole = sum(1 << at for at in others)
    found = np.zeros(n)
    found[others] = 1 - _sums_within(several, by_orders, variable, [whole ^ 1 << at for at in others])
    return np.clip(found, 0.0, 1.0)


def blanket_probabilities(
    several: MixedWeights, n: int, by_orders: bool, variable: int
) -> dict[tuple[int, ...], float]:
    """The probability of each blanket above 1e-9."""
    others = [at for at in range(n) if at != variable]
    members = [tuple(at for bit, at in enumerate(others) if place >> bit & 1) for place in range(1 << len(others))]
    shares = _sums_within(several, by_orders, variable, [sum(1 << at for at in one) for one in members])
    for bit in range(len(others)):
        halves = shares.reshape(-1, 2, 1 << bit)
        halves[:, 1] -= halves[:, 0]
    return {one: share for one, share in zip(members, shares.tolist(), strict=True) if share > _LEAST}


def _sums_within(several: MixedWeights, by_orders: bool, variable: int, sets: Sequence[int]) -> NDArray[np.float64]:
    bits = np.array(sets, dtype=np.uint32)
    total = np.zeros(len(bits))
    for share, weights in several:
        status, found = weights.blanket_within(by_orders, variable, bits, thread_count(None), None)
        if status != "complete":
            raise KeyboardInterrupt
        total += share * found
    return total
