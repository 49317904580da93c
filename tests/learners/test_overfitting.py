"""Remarks on networks that have more parameters than their data can tell."""

from __future__ import annotations

import numpy as np
import pytest

import credenet
from credenet import DAG, Dataset
from credenet.learners.overfitting import overfitting_remarks


def noise(n_rows: int, n: int, n_states: int = 2, weights: float | None = None) -> Dataset:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, n_states, (n_rows, n))
    states = {f"v{k}": [str(state) for state in range(n_states)] for k in range(n)}
    return Dataset(states, codes, weights=None if weights is None else np.full(n_rows, weights))


def test_more_joint_states_of_parents_than_rows() -> None:
    data = noise(30, 7)
    dag = DAG(data.variables, [(f"v{k}", "v6") for k in range(5)])
    (remark,) = [text for text in overfitting_remarks(data, dag) if "joint states" in text]
    assert "1 variable of 7" in remark
    assert "'v6' with 5 parents" in remark
    assert "score='bic'" in remark
    fewer = DAG(data.variables, [(f"v{k}", "v6") for k in range(4)])
    assert not [text for text in overfitting_remarks(data, fewer) if "joint states" in text]


@pytest.mark.parametrize("weights", [None, 0.5])
def test_tables_that_predict_other_rows_worse_than_no_edges(weights: float | None) -> None:
    data = noise(60, 4, 3, weights)
    dag = DAG(data.variables, [("v0", "v3"), ("v1", "v3"), ("v2", "v3")])
    (remark,) = overfitting_remarks(data, dag)
    assert "worse than a network without edges" in remark


def test_networks_that_the_data_bear_out_are_not_remarked_on() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    assert overfitting_remarks(data, credenet.textbook.asia().dag) == ()
    assert overfitting_remarks(noise(1, 3), DAG(["v0", "v1", "v2"])) == ()
    assert credenet.learn(data).remarks == ()


def test_remarks_are_part_of_results() -> None:
    result = credenet.learn(noise(12, 12, 4), method="hill_climb")
    assert result.remarks
    assert result.remarks[0] in str(result)
    assert result.to_dict()["remarks"] == list(result.remarks)


def test_directions_that_knowledge_gives_are_determined() -> None:
    data = credenet.datasets.asia(5000, seed=1)
    free = credenet.learn(data, score="bic")
    assert "either direction" in str(free)
    tail, head = free.dag.edges[0] if not free.cpdag.undirected else free.cpdag.undirected[0]
    told = credenet.learn(data, score="bic", knowledge=credenet.Knowledge(forbidden=[(head, tail)]))
    (line,) = [line for line in str(told).splitlines() if line.strip().startswith(f"{tail} -> {head}")]
    assert "either direction" not in line
