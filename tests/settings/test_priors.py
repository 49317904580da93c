"""Structure priors as settings: names, bounds and text."""

from __future__ import annotations

import math
from typing import Any

import pytest

from credenet.errors import ArgumentError
from credenet.graphs import DAG
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
)

NAMES = ("a", "b", "c", "d")
SYMMETRIC: list[Prior] = [Uniform(), Edge(0.3), Fair(), DataPrior(0.2), InDegreeWeights([3, 2, 1, 0.5]), Fact()]


def test_facts() -> None:
    assert not Expert(DAG.parse("a -> b"), 0.5).is_equivalent
    assert not InDegree(2).is_equivalent
    assert SSP().is_equivalent
    assert not SSP().is_modular
    assert all(prior.is_modular for prior in SYMMETRIC)


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


def test_descriptions() -> None:
    assert str(Edge(1)) == "edge(beta=1)"
    assert str(Uniform()) == "uniform"
    assert str(Expert(DAG.parse("a -> b"), 0.5)) == "expert(dag=<DAG 2 variables, 1 edge>, kappa=0.5)"
    assert str(InDegree({"a": 1})) == "in_degree(limits={'a': 1})"
    assert str(InDegree(2, exact=True)) == "in_degree(limits=2, exact=True)"
    assert str(InDegreeWeights([1, 2])) == "in_degree_weights(weights=[1, 2])"
