"""Structure priors against their formulas."""

from __future__ import annotations

import doctest
import math
import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.graphs import DAG
from credenet.settings import priors
from credenet.settings.priors import (
    PRIORS,
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
    log_factor,
)
from graph_strategies import dags

NAMES = ("a", "b", "c", "d")
SYMMETRIC: list[Prior] = [Uniform(), Edge(0.3), Fair(), DataPrior(0.2), InDegreeWeights([3, 2, 1, 0.5]), Fact()]


def test_examples() -> None:
    result = doctest.testmod(priors)
    assert result.attempted > 0
    assert result.failed == 0


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
    found = prior.log_factors(NAMES, 200, 3)
    assert found.shape == (4, 4)
    assert np.allclose(found, expected)
    assert np.array_equal(prior.log_factors(NAMES, 200, 1), found[:, :2])
    assert prior.expert_parents(NAMES) is None
    assert pickle.loads(pickle.dumps(prior)) == prior


def test_more_parents_than_there_are_variables_are_impossible() -> None:
    for prior in SYMMETRIC:
        found = prior.log_factors(["a", "b"], 10, 3)
        assert np.isfinite(found[:, :2]).all()
        assert (found[:, 2:] == -np.inf).all()


def test_limits_by_variable() -> None:
    found = InDegree({"a": 0, "c": 1}).log_factors(NAMES, 1, 2)
    low = -math.inf
    assert found.tolist() == [[0, low, low], [0, 0, 0], [0, 0, low], [0, 0, 0]]
    found = InDegree({"a": 0, "*": 1}, exact=True).log_factors(NAMES, 1, 2)
    assert found.tolist() == [[0, low, low]] + [[low, 0, low]] * 3
    assert InDegree({"a": 0, "c": 1}) == InDegree({"c": 1, "a": 0})
    assert hash(InDegree({"a": 0})) == hash(InDegree({"a": 0}))


def test_data_prior_of_very_many_parents_is_as_good_as_impossible() -> None:
    names = [str(k) for k in range(3000)]
    assert DataPrior(0.5).log_factors(names, 100, 2999)[0, -1] == -np.inf
    assert not DataPrior(0.5).log_factors(names, 1, 2999).any()


@given(dags(min_size=4, max_size=4), dags(min_size=4, max_size=4), st.floats(0.01, 10))
@settings(max_examples=50, deadline=None)
def test_the_expert_counts_differing_edges(network: DAG, expert: DAG, kappa: float) -> None:
    prior = Expert(expert, kappa)
    variables = list(reversed(network.variables))
    total = sum(log_factor(prior, variables, name, network.parents(name), 10) for name in network.variables)
    assert total == pytest.approx(math.log(kappa) * len(set(network.edges) ^ set(expert.edges)), abs=1e-9)
    parents, log_kappa = prior.expert_parents(variables)
    assert log_kappa == math.log(kappa)
    assert [{variables[place] for place in several} for several in parents] == [
        set(expert.parents(name)) for name in variables
    ]


@pytest.mark.parametrize("prior", SYMMETRIC, ids=str)
def test_equivalent_networks_have_the_same_prior(prior: Prior) -> None:
    factors = prior.log_factors(NAMES, 50, 3)[0]
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(4):
        total = math.fsum(factors[len(brute.parents(graph, node))] for node in range(4))
        assert total == pytest.approx(by_class.setdefault(brute.class_of(graph), total), abs=1e-9)
    assert prior.is_equivalent


def test_facts() -> None:
    assert not Expert(DAG.parse("a -> b"), 0.5).is_equivalent
    assert not InDegree(2).is_equivalent
    assert SSP().is_equivalent
    assert not SSP().is_modular
    assert all(prior.is_modular for prior in SYMMETRIC)


def test_ssp_is_no_sum_over_families() -> None:
    with pytest.raises(ArgumentError, match="a family table needs a modular prior; SSP depends on the largest"):
        SSP().log_factors(NAMES, 10, 2)


@pytest.mark.parametrize("exclusive", [False, True])
def test_ssp_penalty(exclusive: bool) -> None:
    in_degrees = [max(len(brute.parents(graph, node)) for node in range(4)) for graph in brute.all_dags(4)]
    for d in range(4):
        total = sum(found == d if exclusive else found <= d for found in in_degrees)
        assert SSP(exclusive).log_penalty(4, d) == pytest.approx(-math.log(total))
    assert SSP().log_penalty(1, 0) == 0
    assert SSP().log_penalty(300, 2) == -math.log(count_dags(300, 2))
    with pytest.raises(ArgumentError, match="max_in_degree must be from 0 to 3, got 4"):
        SSP().log_penalty(4, 4)


def test_names() -> None:
    named = ["uniform", "edge", "fair", "data", "fact", "ssp"]
    assert [PRIORS.get(name) for name in named] == [Uniform(), Edge(0.1), Fair(), DataPrior(0.5), Fact(), SSP()]
    assert PRIORS.get(Edge(0.5)) == Edge(0.5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("unif", "prior must be a prior or one of uniform, edge, fair, data, .*, in_degree, ssp, got 'unif'"),
        (0.1, "prior must be a prior or one of .*, got 0.1"),
        (Edge, "prior must be a prior or one of"),
        ("expert", r"prior 'expert' needs dag and kappa; pass Expert\(dag, kappa\)"),
        ("in_degree", r"prior 'in_degree' needs limits; pass in_degree\(limits=…\)"),
    ],
)
def test_wrong_names(wrong: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        PRIORS.get(wrong)


def test_bounds() -> None:
    graph = DAG.parse("a -> b")
    for wrong in (0, -1.0, math.inf, math.nan):
        with pytest.raises(ArgumentError, match="beta must be a positive number, got"):
            Edge(wrong)
        with pytest.raises(ArgumentError, match="kappa must be a positive number, got"):
            Expert(graph, wrong)
        with pytest.raises(ArgumentError, match=r"weights\[1\] must be a positive number, got"):
            InDegreeWeights([1, wrong])
    with pytest.raises(ArgumentError, match=r"tau must be a number of at least 0, got -0\.1"):
        DataPrior(-0.1)
    with pytest.raises(ArgumentError, match="weights must hold at least the weight of no parents"):
        InDegreeWeights([])
    with pytest.raises(ArgumentError, match="limits must be at least 0, got -1"):
        InDegree(-1)
    with pytest.raises(ArgumentError, match=r"limits of 'a' must be a whole number, got 1.5"):
        InDegree({"a": 1.5})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="limits must be a number or a number by variable, but has 'x'"):
        InDegree("x")  # type: ignore[arg-type]


def test_variables_must_fit() -> None:
    expert = Expert(DAG.parse("a -> b"), 0.5)
    with pytest.raises(ArgumentError, match="the expert's dag does not have the variable 'c'"):
        expert.expert_parents(["a", "b", "c"])
    with pytest.raises(ArgumentError, match="the expert's dag has the variable 'b', which is not in the data"):
        expert.expert_parents(["a"])
    with pytest.raises(ArgumentError, match="limits names the variable 'x', which is not in the data"):
        InDegree({"x": 1}).log_factors(NAMES, 1, 1)
    with pytest.raises(ArgumentError, match="there is no variable 'x'"):
        log_factor(Uniform(), NAMES, "a", ["x"], 1)
    with pytest.raises(ArgumentError, match="variable 'a' cannot be its own parent"):
        log_factor(Uniform(), NAMES, "a", ["a"], 1)
    with pytest.raises(ArgumentError, match="n_rows must be a number of at least 1, got 0"):
        DataPrior().log_factors(NAMES, 0, 1)
    with pytest.raises(ArgumentError, match="max_parents must be at least 0, got -1"):
        Uniform().log_factors(NAMES, 1, -1)


def test_log_factor_of_a_family() -> None:
    for prior in SYMMETRIC:
        for parents in combinations("abc", 2):
            expected = prior.log_factors(NAMES, 30, 3)[3, 2]
            assert log_factor(prior, NAMES, "d", parents, 30) == expected


def test_descriptions() -> None:
    assert str(Edge(1)) == "edge(beta=1)"
    assert str(Uniform()) == "uniform"
    assert str(Expert(DAG.parse("a -> b"), 0.5)) == "expert(dag=<DAG 2 variables, 1 edge>, kappa=0.5)"
    assert str(InDegree({"a": 1})) == "in_degree(limits={'a': 1})"
    assert str(InDegree(2, exact=True)) == "in_degree(limits=2, exact=True)"
    assert str(InDegreeWeights([1, 2])) == "in_degree_weights(weights=[1, 2])"
