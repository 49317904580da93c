"""What structure priors add to scores, against their formulas."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.families.nested_penalties import log_penalty
from credenet.families.structure_priors import expert_parents, log_factors
from credenet.graphs import DAG
from credenet.settings.priors import (
    SSP,
    DataPrior,
    Edge,
    Expert,
    Fact,
    Fair,
    InDegree,
    InDegreeWeights,
    Prior,
    Uniform,
)
from graph_strategies import dags
from slow_scores import slow_log_prior

NAMES = ("a", "b", "c", "d")
SYMMETRIC: list[Prior] = [Uniform(), Edge(0.3), Fair(), DataPrior(0.2), InDegreeWeights([3, 2, 1, 0.5]), Fact()]


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (Uniform(), [0, 0, 0, 0]),
        (Edge(0.1), [0, math.log(0.1), 2 * math.log(0.1), 3 * math.log(0.1)]),
        (Fair(), [0, -math.log(3), -math.log(3), 0]),
        (DataPrior(0.5), [-math.log(200), -1.5 * math.log(200), -2.25 * math.log(200), -3.375 * math.log(200)]),
        (InDegreeWeights([4, 2]), [math.log(4), math.log(2), -math.inf, -math.inf]),
        (Fact(), [0, 0, math.log(2), math.log(6)]),
        (InDegree(2), [0, 0, 0, -math.inf]),
        (InDegree(2, exact=True), [-math.inf, -math.inf, 0, -math.inf]),
    ],
)
def test_log_factors(prior: Prior, expected: list[float]) -> None:
    found = log_factors(prior, NAMES, 200, 3)
    assert found.shape == (4, 4)
    assert np.allclose(found, expected)
    assert np.array_equal(log_factors(prior, NAMES, 200, 1), found[:, :2])
    assert expert_parents(prior, NAMES) is None
    assert pickle.loads(pickle.dumps(prior)) == prior


def test_more_parents_than_there_are_variables_are_impossible() -> None:
    for prior in SYMMETRIC:
        found = log_factors(prior, ["a", "b"], 10, 3)
        assert np.isfinite(found[:, :2]).all()
        assert (found[:, 2:] == -np.inf).all()


def test_limits_by_variable() -> None:
    found = log_factors(InDegree({"a": 0, "c": 1}), NAMES, 1, 2)
    low = -math.inf
    assert found.tolist() == [[0, low, low], [0, 0, 0], [0, 0, low], [0, 0, 0]]
    found = log_factors(InDegree({"a": 0, "*": 1}, exact=True), NAMES, 1, 2)
    assert found.tolist() == [[0, low, low]] + [[low, 0, low]] * 3
    assert InDegree({"a": 0, "c": 1}) == InDegree({"c": 1, "a": 0})
    assert hash(InDegree({"a": 0})) == hash(InDegree({"a": 0}))


def test_data_prior_of_very_many_parents_is_as_good_as_impossible() -> None:
    names = [str(k) for k in range(3000)]
    assert log_factors(DataPrior(0.5), names, 100, 2999)[0, -1] == -np.inf
    assert not log_factors(DataPrior(0.5), names, 1, 2999).any()


@given(dags(min_size=4, max_size=4), dags(min_size=4, max_size=4), st.floats(0.01, 10))
@settings(max_examples=50, deadline=None)
def test_the_expert_counts_differing_edges(network: DAG, expert: DAG, kappa: float) -> None:
    prior = Expert(expert, kappa)
    variables = list(reversed(network.variables))
    total = sum(slow_log_prior(prior, variables, name, network.parents(name), 10) for name in network.variables)
    assert total == pytest.approx(math.log(kappa) * len(set(network.edges) ^ set(expert.edges)), abs=1e-9)
    differing = expert_parents(prior, variables)
    assert differing is not None
    parents, log_kappa = differing
    assert log_kappa == math.log(kappa)
    assert [{variables[place] for place in several} for several in parents] == [
        set(expert.parents(name)) for name in variables
    ]


@pytest.mark.parametrize("prior", SYMMETRIC, ids=str)
def test_equivalent_networks_have_the_same_prior(prior: Prior) -> None:
    factors = log_factors(prior, NAMES, 50, 3)[0]
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(4):
        total = math.fsum(factors[len(brute.parents(graph, node))] for node in range(4))
        assert total == pytest.approx(by_class.setdefault(brute.class_of(graph), total), abs=1e-9)
    assert prior.is_equivalent


def test_ssp_is_no_sum_over_families() -> None:
    with pytest.raises(ArgumentError, match="a family table needs a modular prior; ssp depends on the largest"):
        log_factors(SSP(), NAMES, 10, 2)


@pytest.mark.parametrize("exclusive", [False, True])
def test_ssp_penalty(exclusive: bool) -> None:
    in_degrees = [max(len(brute.parents(graph, node)) for node in range(4)) for graph in brute.all_dags(4)]
    for d in range(4):
        total = sum(found == d if exclusive else found <= d for found in in_degrees)
        assert log_penalty(SSP(exclusive), 4, d) == pytest.approx(-math.log(total))
    assert log_penalty(SSP(), 1, 0) == 0
    assert log_penalty(SSP(), 300, 2) == pytest.approx(-math.log(count_dags(300, 2)), rel=1e-13)
    with pytest.raises(ArgumentError, match="max_in_degree must be from 0 to 3, got 4"):
        log_penalty(SSP(), 4, 4)


def test_variables_must_fit() -> None:
    expert = Expert(DAG.parse("a -> b"), 0.5)
    with pytest.raises(ArgumentError, match="the expert's dag does not have the variable 'c'"):
        expert_parents(expert, ["a", "b", "c"])
    with pytest.raises(ArgumentError, match="the expert's dag has the variable 'b', which is not in the data"):
        expert_parents(expert, ["a"])
    with pytest.raises(ArgumentError, match="limits names the variable 'x', which is not in the data"):
        log_factors(InDegree({"x": 1}), NAMES, 1, 1)
    with pytest.raises(ArgumentError, match="n_rows must be a number of at least 1, got 0"):
        log_factors(DataPrior(), NAMES, 0, 1)
    with pytest.raises(ArgumentError, match="max_parents must be at least 0, got -1"):
        log_factors(Uniform(), NAMES, 1, -1)


def test_factors_are_those_of_the_formulas() -> None:
    for prior in [*SYMMETRIC, InDegree({"d": 2, "*": 1}), InDegree(2, exact=True)]:
        factors = log_factors(prior, NAMES, 30, 3)
        for child, name in enumerate(NAMES):
            for size in range(len(NAMES)):
                parents = [other for other in NAMES if other != name][:size]
                expected = slow_log_prior(prior, NAMES, name, parents, 30)
                assert factors[child, size] == pytest.approx(expected, rel=1e-12)


def test_the_penalty_comes_to_the_score_of_a_graph() -> None:
    data = credenet.datasets.asia(300)
    result = credenet.learn(data, method="dp", prior="ssp")
    found, plain = credenet.score(data, result.dag, prior="ssp"), credenet.score(data, result.dag)
    assert found.total == pytest.approx(result.score)
    assert found.local == plain.local
    assert found.total - plain.total == pytest.approx(-math.log(count_dags(8, result.dag.max_in_degree)))
