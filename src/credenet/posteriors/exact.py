"""The posterior of few variables (up to about 22) by sums over all networks or all orders."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.posteriors.blankets import MOST_FOR_MEMBERS
from credenet.posteriors.parts import LEAST_LISTED, SummedPosterior, rows_of
from credenet.search.dag_sums import FamilyLogWeights, sum_over_networks


@dataclass(frozen=True, slots=True)
class ExactSums:
    """The results of the sums: families that are not negligible, all edges, and a check of the rounding.

    The probabilities of a variable's parent sets must add up to 1. ``consistency`` is the largest difference from 1. It
    shows the rounding of the sums, not that of the scores.
    """

    families: FamilyTable
    part: SummedPosterior
    edges: NDArray[np.float64]
    """For each child (row) the probability of each parent, from all families."""
    log_evidence: float
    consistency: float


def exact_sums(
    weights: FamilyLogWeights, variables: tuple[str, ...], made: FamilyTableInfo, by_orders: bool, run: Run
) -> tuple[CoreStatus, ExactSums | None]:
    """The status and the sums; no sums if they were stopped or no network obeys the knowledge."""
    status, sums = sum_over_networks(weights.core, by_orders, True, run)
    if sums is None:
        return status, None
    if not np.isfinite(sums.log_sum) or -math.inf in weights.alone.values():
        return "infeasible", None
    edges, consistency = sums.edges()
    families = _list_families(sums, weights, variables, made)
    members = np.array([variables.index(name) for name in weights.variables], dtype=np.int32)
    lists = families.select(weights.variables).flat()
    probabilities = sums.probabilities(weights.core, lists.lists)
    sums.forget_families()
    whole = families.flat()
    # The core lists the families of the members variable by variable, which is the order of the table.
    rows = rows_of(whole, members)
    all_edges = np.zeros((len(variables), len(variables)))
    all_edges[np.ix_(members, members)] = edges.reshape(len(members), len(members))
    kept = weights.core if len(members) <= MOST_FOR_MEMBERS else None
    part = SummedPosterior(members, sums, lists, rows, probabilities, kept)
    log_evidence = sums.log_sum + math.fsum(weights.alone.values())
    if by_orders:  # Variables without edges may have any place in an order, so they multiply the number of orders.
        log_evidence += math.lgamma(len(variables) + 1) - math.lgamma(len(members) + 1)
    return status, ExactSums(families, part, all_edges, log_evidence, consistency)


def _list_families(
    sums: _core.DagSums, weights: FamilyLogWeights, variables: tuple[str, ...], made: FamilyTableInfo
) -> FamilyTable:
    """A table of the families that are not negligible, with the empty set for variables without edges."""
    starts, scores, offsets, parents = sums.families(weights.core, LEAST_LISTED)
    place = {name: at for at, name in enumerate(weights.variables)}
    moved = np.array([variables.index(name) for name in weights.variables], dtype=np.int32)[parents]
    counts, all_scores, sizes = [], [], []
    for name in variables:
        span = slice(starts[place[name]], starts[place[name] + 1]) if name in place else None
        all_scores.append(np.array([weights.alone[name]]) if span is None else scores[span])
        sizes.append(np.zeros(1, dtype=np.int64) if span is None else np.diff(offsets)[span])
        counts.append(len(all_scores[-1]))
    return FamilyTable.from_flat(variables, counts, np.concatenate(all_scores), np.concatenate(sizes), moved, made=made)
