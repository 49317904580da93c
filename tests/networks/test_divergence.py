"""Distances of distributions against the full joint."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork
from credenet.errors import ArgumentError, GraphError, NetworkError
from credenet.networks.divergence import kl_divergence, marginal_errors
from network_strategies import networks


def joint(network: BayesianNetwork) -> dict[tuple[Any, ...], float]:
    """The probability of every row, by the chain rule."""
    rows = itertools.product(*network.states.values())
    result = {}
    for row in rows:
        value = dict(zip(network.variables, row, strict=True))
        result[row] = math.prod(
            float(
                network.table(name)[
                    tuple(network.states[member].index(value[member]) for member in (*network.parents(name), name))
                ]
            )
            for name in network.variables
        )
    return result


def other_tables(network: BayesianNetwork, seed: int) -> BayesianNetwork:
    """The same structure with other probabilities, none of them zero."""
    rng = np.random.default_rng(seed)
    tables = {name: rng.dirichlet([2.0] * shape[-1], shape[:-1]) for name, shape in shapes(network).items()}
    return BayesianNetwork(network.states, network.dag, tables)


def shapes(network: BayesianNetwork) -> dict[str, tuple[int, ...]]:
    return {name: network.table(name).shape for name in network.variables}


@settings(max_examples=60, deadline=None)
@given(network=networks(), seed=st.integers(0, 1000))
def test_marginal_errors_agree_with_the_joint(network: BayesianNetwork, seed: int) -> None:
    learned = other_tables(network, seed)
    p, q = joint(network), joint(learned)
    hellinger, largest = [], []
    for at, labels in enumerate(network.states.values()):
        pairs = [
            (math.fsum(v for row, v in p.items() if row[at] == s), math.fsum(v for row, v in q.items() if row[at] == s))
            for s in labels
        ]
        hellinger.append(math.sqrt(sum((math.sqrt(a) - math.sqrt(b)) ** 2 for a, b in pairs) / 2))
        largest.append(max(abs(a - b) for a, b in pairs))
    errors = marginal_errors(network, learned)
    assert errors.hellinger == pytest.approx(np.mean(hellinger), abs=1e-9)
    assert errors.max_absolute_error == pytest.approx(np.mean(largest), abs=1e-12)


def test_kl_is_within_its_error_of_the_exact_value() -> None:
    network = credenet.textbook.student()
    learned = other_tables(network, 3)
    p, q = joint(network), joint(learned)
    exact = math.fsum(a * math.log(a / q[row]) for row, a in p.items() if a > 0)
    estimate = kl_divergence(network, learned, n_rows=200_000, seed=1)
    assert estimate.standard_error < 0.01
    assert abs(estimate.value - exact) < 5 * estimate.standard_error
    assert kl_divergence(network, network).value == 0


def test_states_and_variables_are_matched_by_name() -> None:
    asia = credenet.textbook.asia()
    states = {name: tuple(reversed(labels)) for name, labels in reversed(list(asia.states.items()))}
    tables = {name: np.flip(asia.table(name), axis=tuple(range(asia.table(name).ndim))) for name in asia.variables}
    same = BayesianNetwork(states, {name: asia.parents(name) for name in asia.variables}, tables)
    result = credenet.compare(asia, same, kl_rows=1000)
    assert result.shd == result.shd_dag == 0
    assert result.hellinger == pytest.approx(0, abs=1e-12)
    assert result.kl is not None
    assert result.kl.value == pytest.approx(0, abs=1e-12)


def test_a_state_that_is_unknown_or_impossible_makes_the_divergence_infinite() -> None:
    three = BayesianNetwork({"a": ["x", "y", "z"]}, {}, {"a": [0.5, 0.25, 0.25]})
    two = BayesianNetwork({"a": ["y", "x"]}, {}, {"a": [0.5, 0.5]})
    never = BayesianNetwork({"a": ["x", "y", "z"]}, {}, {"a": [0.5, 0.5, 0.0]})
    for learned in (two, never):
        assert kl_divergence(three, learned).value == math.inf
    assert marginal_errors(three, two).max_absolute_error == 0.25
    assert kl_divergence(two, three).value == pytest.approx(0.5 * math.log(2), abs=0.02)


def test_errors() -> None:
    asia, cancer = credenet.textbook.asia(), credenet.textbook.cancer()
    with pytest.raises(GraphError, match="same variables"):
        credenet.compare(asia, cancer)
    with pytest.raises(NetworkError, match="different variables"):
        marginal_errors(asia, cancer)
    with pytest.raises(ArgumentError, match="kl_rows must be 0 or at least 2, got 1"):
        credenet.compare(asia, asia, kl_rows=1)
    with pytest.raises(ArgumentError, match="both are graphs"):
        credenet.compare(asia.dag, asia.dag, rows=asia.sample(10))


def test_held_out_likelihood_of_one_network_and_a_graph() -> None:
    asia = credenet.textbook.asia()
    data = asia.sample(100, seed=3)
    result = credenet.compare(asia.dag, asia, rows=data)
    assert result.log_likelihood is not None
    assert result.log_likelihood.reference is None
    assert result.log_likelihood.learned == pytest.approx(asia.log_likelihood(data))
    assert result.kl is None
    assert "log-likelihood" in str(result)
