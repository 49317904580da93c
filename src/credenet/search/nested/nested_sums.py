"""Sums over all networks under a prior that depends on the largest in-degree, such as `SSP`.

Let w(d) be the prior weight of a network of largest in-degree d, and Z(d) the sum over the networks of largest
in-degree at most d. The sum over all networks is sum_d w(d) (Z(d) - Z(d-1)) = sum_d (w(d) - w(d+1)) Z(d). So the
posterior is a mixture of the posteriors under the uniform prior within each in-degree; the share of d is
(w(d) - w(d+1)) Z(d) over the whole sum. Shares may be negative where a larger in-degree weighs more.

A modular prior is the case of one sum with the share 1. In-degrees whose shares are negligible are left out: Z(d) is at
most the sum without a limit, which is made first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet._text import byte_count
from credenet.errors import ArgumentError
from credenet.families.nested_penalties import log_penalties
from credenet.search.dag_sums import FamilyLogWeights, sum_over_networks
from credenet.settings.priors import Prior

_NEGLIGIBLE = 1e-18  # Share of the whole sum that is left out.


@dataclass(frozen=True, slots=True)
class NestedSum:
    """The sums over the networks within an in-degree (None is no limit), and their share in the mixture."""

    max_in_degree: int | None
    share: float
    weights: _core.WeightTable
    sums: _core.DagSums


@dataclass(frozen=True, slots=True)
class NestedSums:
    """The log of the sum over all networks, prior included, and the sums that make up the posterior."""

    log_sum: float
    several: tuple[NestedSum, ...]

    def edges(self) -> tuple[NDArray[np.float64], float]:
        """The probability of each edge, by child and parent, and a bound on the rounding of the sums."""
        found = [(one.share, one.sums.edges()) for one in self.several]
        edges = sum((share * edges for share, (edges, _) in found), start=np.zeros(()))
        return np.asarray(edges), math.fsum(abs(share) * rounding for share, (_, rounding) in found)


def sum_nested(
    weights: FamilyLogWeights, prior: Prior | None, n_variables: int, by_orders: bool, backward: bool, run: Run
) -> tuple[CoreStatus, NestedSums | None]:
    """The status, and the sums under any prior, given the weights of families without a prior on whole networks.

    Without ``backward`` only the total is known.
    """
    if prior is None or prior.is_modular:
        status, sums = sum_over_networks(weights.core, by_orders, backward, run)
        if sums is None:
            return status, None
        return status, NestedSums(sums.log_sum, (NestedSum(None, 1.0, weights.core, sums),))
    status, whole = sum_over_networks(weights.core, by_orders, False, run)
    if whole is None:
        return status, None
    if not math.isfinite(whole.log_sum):
        return status, NestedSums(-math.inf, (NestedSum(None, 1.0, weights.core, whole),))
    limited = _LimitedWeights(weights.core)
    penalties = log_penalties(prior, n_variables, limited.largest)
    status, log_sums = _log_sums(limited, penalties, whole.log_sum, by_orders, run)
    if status != "complete":
        return status, None
    log_total, shares = _mixture(log_sums, penalties)
    needed = [d for d, share in enumerate(shares) if abs(share) > _NEGLIGIBLE]
    if not backward:
        return status, NestedSums(log_total, ())
    _check_memory(len(needed), len(weights.variables), run)
    several = []
    for d in needed:
        table = limited.limit(d)
        status, sums = sum_over_networks(table, by_orders, True, run)
        if sums is None:
            return status, None
        several.append(NestedSum(d, float(shares[d]), table, sums))
    return status, NestedSums(log_total, tuple(several))


class _LimitedWeights:
    """The weights of families within each in-degree."""

    def __init__(self, weights: _core.WeightTable) -> None:
        self._weights = weights
        self._n, flat = weights.__getstate__()
        self._by_child = np.asarray(flat).reshape(self._n, -1) if self._n else np.zeros((0, 1))
        # A set is numbered by its members without the variable itself, so the number has as many bits as the set.
        self._sizes = np.bitwise_count(np.arange(self._by_child.shape[1]))
        self.largest = int(self._sizes[np.isfinite(self._by_child).any(axis=0)].max(initial=0))

    def limit(self, d: int) -> _core.WeightTable:
        """The weights of the families of at most d parents."""
        if d >= self.largest:
            return self._weights
        kept = np.where(self._sizes <= d, self._by_child, -np.inf)
        table = _core.WeightTable.__new__(_core.WeightTable)
        table.__setstate__((self._n, np.ascontiguousarray(kept.ravel())))
        return table


def _log_sums(
    limited: _LimitedWeights, penalties: NDArray[np.float64], log_whole: float, by_orders: bool, run: Run
) -> tuple[CoreStatus, list[float]]:
    """The logs of the sums within the in-degrees 0, 1, … up to the last that is not negligible."""
    log_sums: list[float] = []
    best = -math.inf  # A lower bound on the log of the whole sum.
    for d in range(limited.largest + 1):
        if penalties[d:].max() + log_whole < best + math.log(_NEGLIGIBLE):
            break
        if d == limited.largest:
            log_sums.append(log_whole)
        else:
            status, sums = _core.sum_over_dags(limited.limit(d), by_orders, False, run.n_threads, run.callback())
            if sums is None:
                return status, []
            log_sums.append(min(sums.log_sum, log_whole))
        before = log_sums[d - 1] if d else -math.inf
        best = max(best, float(penalties[d]) + _log_difference(log_sums[d], before))
    return "complete", log_sums


def _mixture(log_sums: Sequence[float], penalties: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """The log of the whole sum, and the share of each in-degree in the mixture."""
    number = len(log_sums)
    own = [_log_difference(later, before) for later, before in zip(log_sums, [-math.inf, *log_sums[:-1]], strict=True)]
    terms = [float(penalties[d]) + own[d] for d in range(number)]
    highest = max(terms)
    log_total = highest + math.log(math.fsum(math.exp(term - highest) for term in terms))
    shares = np.zeros(number)
    for d, log_sum in enumerate(log_sums):
        if math.isfinite(log_sum):
            own_weight = math.exp(float(penalties[d]) + log_sum - log_total)
            next_weight = math.exp(float(penalties[d + 1]) + log_sum - log_total) if d + 1 < number else 0.0
            shares[d] = own_weight - next_weight
    return log_total, shares


def _log_difference(larger: float, smaller: float) -> float:
    """log(exp(larger) - exp(smaller)); minus infinity where rounding leaves nothing."""
    if larger <= smaller or larger == -math.inf:
        return -math.inf
    return larger + math.log(-math.expm1(smaller - larger))


def _check_memory(number: int, n_variables: int, run: Run) -> None:
    needed = number * _core.dag_sums_bytes(n_variables, True)
    if needed > run.memory:
        raise ArgumentError(
            f"the sums over the networks of {number} largest in-degrees need {byte_count(needed)} of memory; the limit "
            f"is {byte_count(run.memory)}; give max_parents, or a prior other than SSP, which takes one sum"
        )
