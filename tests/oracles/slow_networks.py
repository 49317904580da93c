"""Networks by their definition: every joint state in plain Python. And hypothesis strategies that draw small ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from credenet import BayesianNetwork, Dataset
from graph_strategies import dags

Assignment = dict[str, Any]


def joint_states(states: Mapping[str, Sequence[Any]]) -> Iterator[Assignment]:
    for labels in product(*states.values()):
        yield dict(zip(states, labels, strict=True))


def slow_probability(network: BayesianNetwork, row: Mapping[str, Any]) -> float:
    """P(row), the product of one entry of each table."""
    return math.prod(
        network.probability(name, row[name], **{parent: row[parent] for parent in network.parents(name)})
        for name in network.variables
    )


def slow_joint(network: BayesianNetwork, variables: Sequence[str]) -> dict[tuple[Any, ...], float]:
    """The distribution of some variables, by adding up the full joint."""
    totals: dict[tuple[Any, ...], list[float]] = {}
    for row in joint_states(network.states):
        totals.setdefault(tuple(row[name] for name in variables), []).append(slow_probability(network, row))
    return {key: math.fsum(values) for key, values in totals.items()}


def rows_of(data: Dataset) -> list[Assignment]:
    return [
        {name: labels[code] for (name, labels), code in zip(data.states.items(), row, strict=True)}
        for row in data.codes.tolist()
    ]


def slow_counts(data: Dataset, family: Sequence[str]) -> dict[tuple[Any, ...], float]:
    """The weight of each joint state of a family."""
    counts = dict.fromkeys(product(*(data.states[name] for name in family)), 0.0)
    weights = [1.0] * len(data) if data.weights is None else data.weights.tolist()
    for row, weight in zip(rows_of(data), weights, strict=True):
        counts[tuple(row[name] for name in family)] += weight
    return counts


@st.composite
def networks(draw: st.DrawFn, *, max_size: int = 5, max_states: int = 3) -> BayesianNetwork:
    """Small networks, with zeros in their tables."""
    dag = draw(dags(max_size=max_size))
    states = {name: [f"s{k}" for k in range(draw(st.integers(1, max_states)))] for name in dag.variables}
    tables = {}
    for name in dag.variables:
        n_rows = math.prod(len(states[parent]) for parent in dag.parents(name))
        n_states = len(states[name])
        rows = draw(
            st.lists(
                st.lists(st.sampled_from([0, 0, 1, 2, 5, 100]), min_size=n_states, max_size=n_states),
                min_size=n_rows,
                max_size=n_rows,
            )
        )
        table = np.array(rows, dtype=float)
        table[table.sum(axis=1) == 0] = 1.0
        tables[name] = table / table.sum(axis=1, keepdims=True)
    return BayesianNetwork(states, dag, tables)


@st.composite
def complete_data(draw: st.DrawFn, states: Mapping[str, Sequence[Any]], *, weighted: bool | None = None) -> Dataset:
    """A few rows of the given variables, in any order of the columns, perhaps with weights."""
    names = draw(st.permutations(list(states)))
    n_rows = draw(st.integers(1, 12))
    rows = [[draw(st.integers(0, len(states[name]) - 1)) for name in names] for _ in range(n_rows)]
    weights = None
    if draw(st.booleans()) if weighted is None else weighted:
        weights = np.array(draw(st.lists(st.sampled_from([0, 0.25, 1, 3]), min_size=n_rows, max_size=n_rows)), float)
    return Dataset({name: states[name] for name in names}, np.array(rows), weights=weights)
