"""The best network by looking at all of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

import brute
from credenet import DAG, FamilyTable, Knowledge
from credenet.settings.priors import SSP


@cache
def all_parents(n: int) -> NDArray[np.int64]:
    """Every DAG on n variables (rows) as the parents of each variable (columns), in bits."""
    networks = np.zeros((len(brute.all_dags(n)), n), dtype=np.int64)
    for row, arcs in enumerate(brute.all_dags(n)):
        for tail, head in arcs:
            networks[row, head] |= 1 << tail
    return networks


def all_scores(families: FamilyTable) -> NDArray[np.float64]:
    """The score of every DAG; minus infinity where the table lacks a family."""
    n = len(families.variables)
    index = {name: place for place, name in enumerate(families.variables)}
    total = np.zeros(len(all_parents(n)))
    for child, name in enumerate(families.variables):
        local = np.full(1 << n, -math.inf)
        for family in families.families(name):
            local[sum(1 << index[parent] for parent in family.parents)] = family.score
        total += local[all_parents(n)[:, child]]
    return total


@cache
def complexities(complexity: str, n: int) -> NDArray[np.int64]:
    """The complexity of every DAG on n variables."""
    if complexity == "tree_width":
        return tree_widths(n)
    sizes = np.bitwise_count(all_parents(n)).astype(np.int64)
    return np.asarray(sizes.max(axis=1, initial=0) if complexity == "in_degree" else sizes.sum(axis=1))


@cache
def log_priors(prior: SSP, n: int) -> NDArray[np.float64]:
    """The log prior of every DAG on n variables, by counting the DAGs of at most, or of exactly, its complexity."""
    found = complexities(prior.complexity, n)
    numbers = [np.sum(found == each if prior.exclusive else found <= each) for each in found.tolist()]
    return -np.log(np.array(numbers, dtype=np.float64))


def penalised_scores(families: FamilyTable, prior: SSP) -> NDArray[np.float64]:
    """The score of every DAG with its log prior; minus infinity where the table lacks a family."""
    return np.asarray(all_scores(families) + log_priors(prior, len(families.variables)))


@cache
def tree_widths(n: int) -> NDArray[np.int64]:
    """The tree-width of every DAG on n variables."""
    moral = [brute.moral(n, arcs) for arcs in brute.all_dags(n)]
    width = {edges: brute.tree_width(n, edges) for edges in set(moral)}
    return np.array([width[edges] for edges in moral], dtype=np.int64)


def best_score(
    families: FamilyTable,
    *,
    knowledge: Knowledge | None = None,
    prior: SSP | None = None,
    tree_width: int | None = None,
    within: Sequence[Collection[str]] | None = None,
) -> float:
    """The best score of any network made of the families; minus infinity if there is none.

    A network may have to obey knowledge, to be of a tree-width at most, or to have its families within some sets.
    """
    n = len(families.variables)
    networks, scores = all_parents(n), all_scores(families)
    if prior is not None:
        scores = scores + log_priors(prior, n)
    if tree_width is not None:
        scores = np.where(tree_widths(n) <= tree_width, scores, -math.inf)
    if within is not None:
        sets = [sum(1 << families.variables.index(name) for name in bag) for bag in within]
        for child in range(n):
            family = networks[:, child] | 1 << child
            scores = np.where(np.any([family & ~bag == 0 for bag in sets], axis=0), scores, -math.inf)
    for at in np.argsort(-scores, kind="stable"):
        if scores[at] == -math.inf:
            break
        parents = [[k for k in range(n) if mask >> k & 1] for mask in networks[at].tolist()]
        if knowledge is None or not knowledge.violations(DAG.from_indices(families.variables, parents)):
            return float(scores[at])
    return -math.inf
