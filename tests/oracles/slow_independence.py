"""Tests of independence by their formulas, from a table of counts for each stratum; what tests of learners share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from credenet import DAG, PDAG, Dataset
from precise_gamma import precise_log_rising

Table = NDArray[np.float64]


def nothing_but_names(dag: DAG) -> Dataset:
    """Data for a learner that asks an oracle."""
    return Dataset({name: ["0", "1"] for name in dag.variables}, np.zeros((1, len(dag)), dtype=np.uint8))


def skeleton(graph: DAG | PDAG) -> set[frozenset[str]]:
    """The pairs of variables that are joined."""
    edges = graph.edges if isinstance(graph, DAG) else (*graph.directed, *graph.undirected)
    return {frozenset(edge) for edge in edges}


def strata(data: Dataset, x: str, y: str, given: Sequence[str], *, states: str = "observed") -> list[Table]:
    """For each joint state of the given variables that occurs the counts of x and y, rows added one by one."""
    column = {name: np.asarray(data.codes)[:, data.index(name)].tolist() for name in (x, y, *given)}
    weights = np.ones(len(data)) if data.weights is None else np.asarray(data.weights)

    def numbers(name: str) -> dict[int, int]:
        if states == "declared":
            return {code: code for code in range(len(data.states[name]))}
        used = sorted({code for code, weight in zip(column[name], weights, strict=True) if weight > 0})
        return {code: at for at, code in enumerate(used)}

    of_x, of_y = numbers(x), numbers(y)
    found: dict[tuple[int, ...], Table] = {}
    for row, weight in enumerate(weights):
        if weight == 0:
            continue
        key = tuple(column[name][row] for name in given)
        table = found.setdefault(key, np.zeros((len(of_x), len(of_y))))
        table[of_x[column[x][row]], of_y[column[y][row]]] += weight
    return list(found.values())


def natori(tables: Sequence[Table], alpha: float) -> float:
    """ln p(D | independent) - ln p(D | dependent) with the same pseudo-count in every cell."""

    def marginal(counts: NDArray[np.float64]) -> Decimal:
        prior = alpha * counts.size
        return sum((rising(alpha, n) for n in counts.flat), -rising(prior, counts.sum()))

    def rising(base: float, n: float) -> Decimal:
        return precise_log_rising(float(base), float(n))

    with localcontext(prec=60):
        return float(sum(marginal(t.sum(axis=1)) + marginal(t.sum(axis=0)) - marginal(t) for t in tables))


def g2(tables: Sequence[Table]) -> float:
    return 2 * math.fsum(
        table[i, j] * math.log(table[i, j] * table.sum() / (table[i].sum() * table[:, j].sum()))
        for table in tables
        for i, j in np.argwhere(table > 0)
    )


def chi_squared(tables: Sequence[Table]) -> float:
    total = []
    for table in tables:
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        total += [(table[at] - expected[at]) ** 2 / expected[at] for at in map(tuple, np.argwhere(expected > 0))]
    return math.fsum(total)


def degrees_of_freedom(tables: Sequence[Table], rule: str, n_strata: int) -> int:
    r_x, r_y = map(int, tables[0].shape)
    if rule == "classical":
        return (r_x - 1) * (r_y - 1) * n_strata
    if rule == "observed":
        return (r_x - 1) * (r_y - 1) * len(tables)
    return int(sum(((t.sum(axis=1) > 0).sum() - 1) * ((t.sum(axis=0) > 0).sum() - 1) for t in tables))
