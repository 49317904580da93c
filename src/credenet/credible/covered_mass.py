"""The share of the posterior over all networks that a credible set holds, and edge probabilities over all networks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from credenet._run.memory import usable_memory
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._text import byte_count, count
from credenet.credible.growth.phases import begin
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.learners.results import Provenance
from credenet.search.cost import SUMMED_BY_DEFAULT
from credenet.search.dag_sums import (
    MOST_SUMMED,
    SummedNetworks,
    check_fits,
    sum_bytes,
    takes_seconds,
    variables_to_sum,
    weights_of_data,
)
from credenet.search.nested.nested_sums import sum_nested
from credenet.structures.edges import Edge, most_probable_first


@dataclass(slots=True)
class AllNetworks:
    """Sums over all networks that the options allow. A set shares this object with all sets derived from it.

    Attributes
    ----------
    digest
        The digest of the data of the sum; None before a sum.
    log_total
        The logarithm of the sum of exp(score).
    edges
        The probability of each edge, most probable first; None if only the total was computed.
    ended
        The limit that ended the last sum, if one did.
    data
        The data that the set was made from, while in memory: a sum that takes seconds is made of them when a result
        first needs it. Files do not hold them.
    """

    digest: str | None = None
    log_total: float | None = None
    edges: Mapping[Edge, float] | None = None
    ended: Status | None = None
    data: Dataset | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, data: Dataset | None) -> AllNetworks:
        """An object without sums yet, which keeps the data for them."""
        known = cls()
        known.data = data
        return known


def check_known(made: Provenance) -> None:
    """Refuses a score or a prior that data cannot be scored with."""
    if made.score is None or made.prior is None:
        raise ArgumentError("the score or the prior is known by its table only, so the data cannot be scored with it")


def why_not_unasked(made: Provenance, data: Dataset, memory: float | None = None) -> str | None:
    """The reason why the sum needs a request; None if it takes a few seconds and fits into memory."""
    check_known(made)
    networks = _networks(made)
    n, memory = len(variables_to_sum(data, networks)), usable_memory() if memory is None else memory
    if n > MOST_SUMMED:
        return f"there are more than {MOST_SUMMED} variables"
    if not takes_seconds(data, networks):
        rows = "" if n > SUMMED_BY_DEFAULT else f" in {count(data.n_rows, 'row')}"
        return f"the sum over all networks of {count(n, 'variable')}{rows} takes more than a few seconds"
    needed = sum_bytes(n, len(data), backward=False)
    return f"the sum over all networks needs {byte_count(needed)} of memory" if needed > memory else None


def sum_all(known: AllNetworks, made: Provenance, data: Dataset, run: Run) -> None:
    """Sums over all networks that the options allow, and stores the results in ``known``.

    The probabilities of edges need a backward sum, too, which is made if it takes seconds and fits into memory.
    """
    check_known(made)
    if made.data_digest is not None and data.digest() != made.data_digest:
        raise ArgumentError("data must be those that the credible set was made from")
    networks = _networks(made)
    n = len(variables_to_sum(data, networks))
    is_backward = n <= SUMMED_BY_DEFAULT and sum_bytes(n, len(data), backward=True) <= run.memory
    check_fits(n, len(data), run.memory, backward=is_backward)
    begin("summing over all networks", run)
    try:
        is_known = _sum(known, networks, data, run, is_backward=is_backward)
    except KeyboardInterrupt:  # Results of an earlier sum are kept.
        is_known = False
    known.ended = None if is_known else run.status_of("stopped")
    if is_known:
        known.digest = data.digest()


def _sum(known: AllNetworks, networks: SummedNetworks, data: Dataset, run: Run, *, is_backward: bool) -> bool:
    """Makes the sum; False if it was stopped."""
    _, weights = weights_of_data(data, networks, run)
    if weights is None:
        return False
    _, sums = sum_nested(weights, networks.prior, data.n_variables, False, is_backward, run)
    if sums is None:
        return False
    known.log_total = sums.log_sum + math.fsum(weights.alone.values())
    known.edges = _name_edges(weights.variables, sums.edges()[0]) if is_backward else None
    return True


def _name_edges(names: tuple[str, ...], shares: NDArray[np.float64]) -> Mapping[Edge, float]:
    """The edge probabilities by names (parent, child), from an array by child and parent."""
    by_child = np.clip(shares.reshape(len(names), len(names)), 0.0, 1.0)
    pairs = zip(*np.nonzero(by_child), strict=True)
    return most_probable_first(names, {(names[a], names[b]): float(by_child[b, a]) for b, a in pairs})


def _networks(made: Provenance) -> SummedNetworks:
    assert made.score is not None
    assert made.prior is not None
    return SummedNetworks(made.score, made.prior, made.knowledge, made.max_parents, made.states or "declared")
