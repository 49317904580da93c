"""Intersection-validation in plain Python: classes by listing their DAGs, and distances pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

import brute
import credenet
from credenet import DAG, Dataset
from graph_strategies import as_arcs

Statuses = dict[tuple[int, int], str]
"""What joins each pair of variables: ``none``, ``--``, ``->`` or ``<-``."""

KINDS = {"extra": 0, "missing": 1, "misdirected": 2}


def statuses(dag: DAG) -> Statuses:
    n = len(dag.variables)
    directed, undirected = brute.common(brute.members(n, as_arcs(dag)))
    found = {}
    for a, b in combinations(range(n), 2):
        if (a, b) in directed:
            found[a, b] = "->"
        elif (b, a) in directed:
            found[a, b] = "<-"
        else:
            found[a, b] = "--" if frozenset((a, b)) in undirected else "none"
    return found


def agreed_pairs(graphs: Sequence[Statuses]) -> Statuses:
    return {pair: status for pair, status in graphs[0].items() if all(graph[pair] == status for graph in graphs)}


def slow_differences(agreed: Statuses, learned: Statuses) -> tuple[int, int, int]:
    """The numbers of agreed pairs with an extra, a missing and a misdirected edge."""
    counts = [0, 0, 0]
    for pair, status in agreed.items():
        if learned[pair] == status:
            continue
        kind = "extra" if status == "none" else "missing" if learned[pair] == "none" else "misdirected"
        counts[KINDS[kind]] += 1
    return counts[0], counts[1], counts[2]


def expanded(data: Dataset) -> Dataset:
    """Rows of weight w, w times."""
    assert data.weights is not None
    return Dataset(data.states, np.repeat(np.asarray(data.codes), data.weights.astype(int), axis=0))


def slow_validation(
    data: Dataset, candidates: Mapping[str, Mapping[str, Any]], sizes: Sequence[int], repetitions: int, seed: int
) -> tuple[Statuses, dict[tuple[str, int, int], tuple[int, int, int]]]:
    """The agreed pairs, and the three numbers of each candidate, size and repetition."""
    whole = [statuses(credenet.learn(data, seed=seed, **options).dag) for options in candidates.values()]
    agreed = agreed_pairs(whole)
    found = {}
    for n_rows in sizes:
        for repetition in range(repetitions):
            chosen = np.random.default_rng([seed, n_rows, repetition]).choice(len(data), n_rows, replace=False)
            drawn = Dataset(data.states, np.asarray(data.codes)[sorted(chosen.tolist())])
            for name, options in candidates.items():
                learned = statuses(credenet.learn(drawn, seed=seed, **options).dag)
                found[name, n_rows, repetition] = slow_differences(agreed, learned)
    return agreed, found
