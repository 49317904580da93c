"""Sums over all networks with 50 decimal digits, from log weights of families; no code is shared with the library.

A family is a variable and the set of its parents, as bits. A number of the library is a double, whose log weights are
taken as they are, so that a difference is an error of its sums and not of the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import Any

import numpy as np

from credenet import FamilyTable

LogWeights = Sequence[dict[int, float]]
"""For each variable, by the set of parents."""

DIGITS = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN)


def log_weights(families: FamilyTable) -> list[dict[int, float]]:
    place = {name: at for at, name in enumerate(families.variables)}
    return [
        {sum(1 << place[parent] for parent in family.parents): family.score for family in families.families(name)}
        for name in families.variables
    ]


def log_sum_by_layers(weights: LogWeights) -> float:
    """The log of the sum of the weights of all networks."""
    return float(DIGITS.ln(_sum_by_layers(weights)))


def _sum_by_layers(weights: LogWeights) -> Decimal:
    """The variables of a network are in layers: each has a parent in the layer before its own, and none in a later one.

    All terms are positive. There are 4^n: each variable is before the last layer, in it, in the next, or later.
    """
    everything = (1 << len(weights)) - 1
    with localcontext(DIGITS):
        exact = [{parents: Decimal(weight).exp() for parents, weight in one.items()} for one in weights]
        sums = {(0, 0): Decimal(1)}  # Indexed by the placed variables and the last layer.
        for placed in range(everything + 1):
            for last in _subsets(placed):
                if (placed, last) not in sums:
                    continue
                factors = {
                    variable: sum(
                        weight
                        for parents, weight in exact[variable].items()
                        if parents & ~placed == 0 and (placed == 0 or parents & last)
                    )
                    for variable in _members(everything & ~placed)
                }
                for layer in _subsets(everything & ~placed):
                    term = sums[placed, last]
                    for variable in _members(layer):
                        term *= factors[variable]
                    if layer and term:
                        sums[placed | layer, layer] = sums.get((placed | layer, layer), Decimal(0)) + term
        return sum((sums.get((everything, last), Decimal(0)) for last in _subsets(everything)), Decimal(0))


def edges_by_layers(weights: LogWeights) -> dict[tuple[int, int], float]:
    """The probability of each edge: the networks with it, over all networks."""
    total = _sum_by_layers(weights)
    found = {}
    for child, own in enumerate(weights):
        for parent in range(len(weights)):
            with_parent = {parents: weight for parents, weight in own.items() if parents >> parent & 1}
            part = _sum_by_layers([*weights[:child], with_parent, *weights[child + 1 :]])
            found[parent, child] = float(DIGITS.divide(part, total))
    return found


class SinkSums:
    """Sums by inclusion and exclusion over sinks, 3^n terms, for tables that have all families.

    Half of the digits may cancel.
    """

    def __init__(self, weights: LogWeights) -> None:
        self._n = len(weights)
        with localcontext(DIGITS):
            self._weights = [self._table(one) for one in weights]
            self._inside = [_summed(table, upwards=True) for table in self._weights]
            self._forward()
            self.log_sum = float(self._before[-1].ln())

    def _table(self, weights: dict[int, float]) -> Any:
        table = np.full(1 << self._n, Decimal(0), dtype=object)
        for parents, weight in weights.items():
            table[parents] = Decimal(weight).exp()
        return table

    def _products(self, first: Decimal, placed: int) -> tuple[Any, Any]:
        """Over all sets of further variables: the product of their negated sums of families, and all variables."""
        values, sets = np.array([first], dtype=object), np.array([placed])
        for variable in _members((1 << self._n) - 1 & ~placed):
            values = np.concatenate((values, values * -self._inside[variable][placed]))
            sets = np.concatenate((sets, sets | 1 << variable))
        return values, sets

    def _forward(self) -> None:
        self._before = np.full(1 << self._n, Decimal(0), dtype=object)
        self._before[0] = Decimal(1)
        for placed in range(1 << self._n):
            values, sets = self._products(-self._before[placed], placed)
            self._before[sets[1:]] += values[1:]

    def edges(self) -> dict[tuple[int, int], float]:
        """The probability of each edge, from the derivatives of the sum by the weights of families."""
        with localcontext(DIGITS):
            after = np.full(1 << self._n, Decimal(0), dtype=object)
            after[-1] = Decimal(1)
            slopes = [np.full(1 << self._n, Decimal(0), dtype=object) for _ in range(self._n)]
            for placed in range((1 << self._n) - 2, -1, -1):
                values, sets = self._products(Decimal(-1), placed)
                terms = values[1:] * after[sets[1:]]
                after[placed] = terms.sum()
                for variable in _members((1 << self._n) - 1 & ~placed):
                    with_it = terms[(sets[1:] >> variable & 1).astype(bool)].sum()
                    slopes[variable][placed] = self._before[placed] * with_it / self._inside[variable][placed]
            everything = self._before[-1]
            found = {}
            for child in range(self._n):
                shares = self._weights[child] * _summed(slopes[child], upwards=False) / everything
                for parent in range(self._n):
                    has_parent = (np.arange(1 << self._n) >> parent & 1).astype(bool)
                    found[parent, child] = float(shares[has_parent].sum())
            return found


def _summed(table: Any, *, upwards: bool) -> Any:
    """Sums over all subsets (upwards) or supersets."""
    sums = table.copy()
    for bit in range(len(sums).bit_length() - 1):
        halves = sums.reshape(-1, 2, 1 << bit)
        halves[:, int(upwards)] += halves[:, int(not upwards)]
    return sums


def _members(bits: int) -> list[int]:
    return [at for at in range(bits.bit_length()) if bits >> at & 1]


def _subsets(bits: int) -> list[int]:
    found, one = [0], bits
    while one:
        found.append(one)
        one = (one - 1) & bits
    return found
