"""The best network by looking at all of them."""

from __future__ import annotations

import math
from functools import cache

import brute
from credenet import DAG, FamilyTable, Knowledge
from credenet.priors import SSP

Parents = tuple[tuple[int, ...], ...]


@cache
def all_parents(n: int) -> tuple[Parents, ...]:
    """Every DAG on n variables as the parents of each, ascending."""
    return tuple(
        tuple(tuple(sorted(tail for tail, head in arcs if head == child)) for child in range(n))
        for arcs in brute.all_dags(n)
    )


def local_scores(families: FamilyTable) -> list[dict[tuple[int, ...], float]]:
    index = {name: place for place, name in enumerate(families.variables)}
    return [
        {tuple(sorted(index[p] for p in family.parents)): family.score for family in families.families(name)}
        for name in families.variables
    ]


def best_score(
    families: FamilyTable,
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    prior: SSP | None = None,
) -> float:
    """The best score of any network made of the families; minus infinity if there is none."""
    scores = local_scores(families)
    names = families.variables
    n = len(names)
    best = -math.inf
    for network in all_parents(n):
        largest = max(map(len, network), default=0)
        if max_parents is not None and largest > max_parents:
            continue
        try:
            total = math.fsum(score[parents] for score, parents in zip(scores, network, strict=True))
        except KeyError:
            continue
        if prior is not None:
            total += prior.log_penalty(n, largest)
        if total > best and (knowledge is None or not knowledge.obeys(as_dag(names, network))):
            best = total
    return best


def as_dag(names: tuple[str, ...], network: Parents) -> DAG:
    return DAG.from_indices(names, network)
