"""Random graphs and networks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet import DAG
from credenet.errors import ArgumentError, GraphError
from credenet.random import dag as random_dag
from credenet.random import network as random_network


@given(st.integers(1, 12), st.integers(0, 5), st.integers(0, 2**63), st.data())
@settings(max_examples=100, deadline=None)
def test_random_dags_have_what_was_asked_for(n: int, max_parents: int, seed: int, data: st.DataObject) -> None:
    most = sum(min(position, max_parents) for position in range(n))
    edges = data.draw(st.none() | st.integers(0, most))
    dag = random_dag(n, n_edges=edges, max_parents=max_parents, seed=seed)
    assert dag.variables == tuple(f"x{k}" for k in range(n))
    assert dag.max_in_degree <= max_parents
    assert edges is None or dag.n_edges == edges
    assert random_dag(n, n_edges=edges, max_parents=max_parents, seed=seed) == dag


def test_random_dags_over_given_names() -> None:
    dag = random_dag(["b", "a", "c"], n_edges=3)
    assert dag.variables == ("b", "a", "c")
    assert dag.n_edges == 3


def test_every_dag_with_one_edge_comes_up() -> None:
    found = Counter(random_dag(3, n_edges=1, seed=seed).edges for seed in range(600))
    assert len(found) == 6
    assert min(found.values()) > 60  # The mean is 100, more than four standard deviations above 60.


def test_seeds_differ() -> None:
    assert len({random_dag(20, n_edges=30, seed=seed).edges for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variables": 0, "n_edges": 0}, "variables must be at least 1, got 0"),
        ({"variables": -3, "n_edges": 0}, "variables must be at least 1, got -3"),
        ({"variables": 3}, "give n_edges, max_parents or both"),
        ({"variables": 3, "max_parents": -1}, "max_parents must be at least 0, got -1"),
        ({"variables": 3, "n_edges": 4}, "n_edges must be between 0 and 3 for 3 variables, got 4"),
        ({"variables": 3, "n_edges": -1}, "n_edges must be at least 0, got -1"),
        ({"variables": 4, "n_edges": 4, "max_parents": 1}, "n_edges must be between 0 and 3 for 4 variables, got 4"),
        ({"variables": 3, "n_edges": 1, "seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_wrong_dags(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        random_dag(**options)


def test_names_must_differ() -> None:
    with pytest.raises(GraphError, match="'a'"):
        random_dag(["a", "a"], n_edges=1)


def test_random_networks() -> None:
    dag = random_dag(30, max_parents=3, seed=7)
    network = random_network(dag, n_states=(2, 4), seed=3)
    assert network.dag == dag
    assert set(network.n_states.tolist()) == {2, 3, 4}
    assert random_network(dag, n_states=(2, 4), seed=3) == network
    assert random_network(dag, n_states=(2, 4), seed=4) != network
    assert set(random_network(dag, n_states=5).n_states.tolist()) == {5}


def test_beta_says_how_sharp_the_tables_are() -> None:
    dag = DAG([f"x{k}" for k in range(300)])

    def mean_of_largest(beta: float) -> float:
        network = random_network(dag, n_states=3, beta=beta, seed=1)
        return float(np.mean([network.table(name).max() for name in network.variables]))

    assert mean_of_largest(1e-6) > 0.999
    assert mean_of_largest(1e6) < 0.34
    # The largest of three uniform shares has mean 11/18; 0.05 is more than five standard errors.
    assert mean_of_largest(1.0) == pytest.approx(11 / 18, abs=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_states": 0}, "n_states must be at least 1, got 0"),
        ({"n_states": (3, 2)}, "n_states must be a number or a range of two, the smaller first"),
        ({"beta": 0}, "beta must be a positive number, got 0"),
        ({"beta": float("inf")}, "beta must be a positive number, got inf"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_wrong_networks(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        random_network(DAG(["a"]), **options)
