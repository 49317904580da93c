"""Searches over k-trees in the core, seen from Python: mutual information of pairs, and networks within bags."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import Dataset, _core


def _data() -> Dataset:
    return credenet.textbook.asia().sample(500, seed=1)


def slow_information(codes: Any, weights: Any, a: int, b: int) -> float:
    """The mutual information of two columns by its definition."""
    total = weights.sum()
    found = 0.0
    for x, y in product(np.unique(codes[:, a]), np.unique(codes[:, b])):
        both = weights[(codes[:, a] == x) & (codes[:, b] == y)].sum() / total
        first, second = weights[codes[:, a] == x].sum() / total, weights[codes[:, b] == y].sum() / total
        found += both * np.log(both / (first * second)) if both > 0 else 0.0
    return found


@pytest.mark.parametrize("code_type", [np.uint8, np.uint16])
@pytest.mark.parametrize("weighted", [False, True])
def test_information_of_pairs(code_type: type[np.generic], weighted: bool) -> None:
    codes: Any = np.asfortranarray(_data().codes, dtype=code_type)
    n_rows, n = codes.shape
    weights = np.random.default_rng(0).uniform(0.5, 2, n_rows) if weighted else np.ones(n_rows)
    status, values = _core.pair_information(_core.RowTable(codes, weights if weighted else np.empty(0)), 2)
    assert status == "complete"
    table = values.reshape(n, n)
    assert (table == table.T).all()
    assert (np.diag(table) == 0).all()
    for a, b in combinations(range(n), 2):
        assert table[a, b] == pytest.approx(slow_information(codes, weights, a, b), abs=1e-9)


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_networks_within_k_trees(guided: bool, exact: bool) -> None:
    data = _data()
    table = credenet.score_families(data, score="bdeu")
    flat = table.flat()
    weights = _core.pair_information(data._row_table(), 1)[1]
    best = credenet.learn(table).score
    assert best is not None
    for k in (1, 2, 3):
        result = _core.k_tree_search(flat.lists, weights, k, guided, exact, guided, 20, 50, 1 << 28, 0, 2)
        assert result.status in ("iteration_limit", "optimal")
        assert result.score <= best + 1e-9
        assert result.score == max(score for _, score in result.points)
        assert result.n_complete == (len(result.points) if guided else 0)
        assert result.complete_gain >= 0
        assert all(len(bag) == k + 1 for bag in result.bags)
        edges = []
        for child, position in enumerate(result.families):
            row = int(flat.starts[child]) + position
            parents = flat.parents[flat.offsets[row] : flat.offsets[row + 1]].tolist()
            assert any({child, *parents} <= set(bag) for bag in result.bags)
            edges += [(data.variables[parent], data.variables[child]) for parent in parents]
        graph = credenet.DAG(data.variables, edges)
        assert credenet.score(data, graph, score="bdeu").total == pytest.approx(result.score, rel=1e-12)
