"""The posterior of few variables (up to about 22) by sums over all networks or all orders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.posteriors.blankets import MOST_FOR_MEMBERS
from credenet.posteriors.parts import LEAST_LISTED, ComponentPosterior, MixedPosterior, SummedPosterior, rows_of
from credenet.search.dag_sums import FamilyLogWeights
from credenet.search.nested.nested_sums import NestedSum, sum_nested
from credenet.settings.priors import Prior


@dataclass(frozen=True, slots=True)
class ExactSums:
    """The results of the sums: families that are not negligible, all edges, and a check of the rounding.

    The probabilities of a variable's parent sets must add up to 1. ``consistency`` is the largest difference from 1. It
    shows the rounding of the sums, not that of the scores.
    """

    families: FamilyTable
    part: ComponentPosterior
    edges: NDArray[np.float64]
    """For each child (row) the probability of each parent, from all families."""
    log_evidence: float
    consistency: float


def exact_sums(
    weights: FamilyLogWeights,
    variables: tuple[str, ...],
    made: FamilyTableInfo,
    prior: Prior | None,
    by_orders: bool,
    run: Run,
) -> tuple[CoreStatus, ExactSums | None]:
    """The status and the sums; no sums if they were stopped or no network obeys the knowledge.

    The weights are those without a prior on whole networks.
    """
    status, sums = sum_nested(weights, prior, len(variables), by_orders, True, run)
    if sums is None:
        return status, None
    if not np.isfinite(sums.log_sum) or -math.inf in weights.alone.values():
        return "infeasible", None
    edges, consistency = sums.edges()
    families = _list_families(sums.several, weights, variables, made)
    members = np.array([variables.index(name) for name in weights.variables], dtype=np.int32)
    all_edges = np.zeros((len(variables), len(variables)))
    all_edges[np.ix_(members, members)] = edges.reshape(len(members), len(members))
    part = _make_part(sums.several, weights, families, members)
    log_evidence = sums.log_sum + math.fsum(weights.alone.values())
    if by_orders:  # Variables without edges may have any place in an order, so they multiply the number of orders.
        log_evidence += math.lgamma(len(variables) + 1) - math.lgamma(len(members) + 1)
    return status, ExactSums(families, part, all_edges, log_evidence, consistency)


def _make_part(
    several: Sequence[NestedSum], weights: FamilyLogWeights, families: FamilyTable, members: NDArray[np.int32]
) -> ComponentPosterior:
    """The posterior of the members, which is a mixture where there are several sums."""
    lists = families.select(weights.variables).flat()
    # The core lists the families of the members variable by variable, which is the order of the table.
    rows = rows_of(families.flat(), members)
    parts = []
    for one in several:
        is_within = np.ones(len(rows), dtype=np.bool_)
        if one.max_in_degree is not None:
            is_within = lists.sizes <= one.max_in_degree
        own = lists if is_within.all() else lists.keep(is_within)
        probabilities = one.sums.probabilities(one.weights, own.lists)
        one.sums.forget_families()
        kept = one.weights if len(members) <= MOST_FOR_MEMBERS else None
        parts.append(SummedPosterior(members, one.sums, own, rows[is_within], probabilities, kept))
    if len(parts) == 1:
        return parts[0]
    return MixedPosterior(members, rows, lists.sizes, np.array([one.share for one in several]), tuple(parts))


def _list_families(
    several: Sequence[NestedSum], weights: FamilyLogWeights, variables: tuple[str, ...], made: FamilyTableInfo
) -> FamilyTable:
    """A table of the families that are not negligible, with the empty set for variables without edges."""
    names = weights.variables
    children, sets, found = [], [], []
    for one in several:
        starts, scores, offsets, parents = one.sums.families(one.weights, LEAST_LISTED)
        bits = np.zeros(len(scores) + 1, dtype=np.int64)
        np.add.at(bits, np.repeat(np.arange(len(scores)), np.diff(offsets)), np.int64(1) << parents.astype(np.int64))
        children.append(np.repeat(np.arange(len(names)), np.diff(starts)))
        sets.append(bits[:-1])
        found.append(scores)
    keys, scores_found = np.stack([np.concatenate(children), np.concatenate(sets)]), np.concatenate(found)
    keys, first = np.unique(keys, axis=1, return_index=True)
    place = {name: at for at, name in enumerate(names)}
    moved = np.array([variables.index(name) for name in names], dtype=np.int32)
    counts, all_scores, sizes, all_parents = [], [], [], []
    for name in variables:
        if name not in place:
            own, of_name = np.zeros(1, dtype=np.int64), np.array([weights.alone[name]])
        else:
            is_own = keys[0] == place[name]
            own, of_name = keys[1][is_own], scores_found[first[is_own]]
        is_parent = (own[:, None] >> np.arange(len(names))) & 1 == 1
        counts.append(len(own))
        all_scores.append(of_name)
        sizes.append(is_parent.sum(axis=1))
        all_parents.append(moved[np.nonzero(is_parent)[1]])
    return FamilyTable.from_flat(
        variables, counts, np.concatenate(all_scores), np.concatenate(sizes), np.concatenate(all_parents), made=made
    )
