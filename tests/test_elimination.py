"""Joint distributions of a few variables against the full joint."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
import credenet.elimination
from credenet import DAG, BayesianNetwork
from credenet.elimination import joint
from credenet.errors import NetworkError
from slow_networks import networks, slow_joint


@given(networks(max_size=6), st.data())
@settings(max_examples=120, deadline=None)
def test_joint_of_some_variables(network: BayesianNetwork, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(network.variables), min_size=1, max_size=4, unique=True))
    table = joint(network, chosen)
    assert table.shape == tuple(len(network.states[name]) for name in chosen)
    by_label = {
        tuple(network.states[name][at] for name, at in zip(chosen, index, strict=True)): value
        for index, value in np.ndenumerate(table)
    }
    assert by_label == pytest.approx(slow_joint(network, chosen), abs=1e-12)


def test_a_long_chain_is_cheap() -> None:
    names = [f"x{k}" for k in range(2000)]
    dag = DAG(names, list(pairwise(names)))
    network = credenet.random_network(dag, states=3, seed=2)
    expected: Any = network.table("x0")
    for name in names[1:]:
        expected = expected @ network.table(name)
    assert joint(network, ["x1999"]).tolist() == pytest.approx(expected.tolist(), abs=1e-12)


def test_too_large_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credenet.elimination, "MAX_CELLS", 100)
    network = credenet.random_network(credenet.random_dag(8, edges=28, seed=1), states=2)
    with pytest.raises(NetworkError, match=r"exact elimination would need a table of \d+ cells, more than 100"):
        joint(network, [network.dag.topological_order()[-1]])
