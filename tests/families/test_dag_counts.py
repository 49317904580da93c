"""Counts of DAGs and in-degree distributions against enumeration and published numbers."""

from __future__ import annotations

import doctest
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from credenet.errors import ArgumentError
from credenet.families import dag_counts
from credenet.families.dag_counts import count_dags, in_degree_distribution
from credenet.families.structure_priors import log_factors
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

SYMMETRIC: list[Prior] = [
    Uniform(),
    Edge(0.1),
    Edge(3.0),
    Fair(),
    DataPrior(0.5),
    InDegreeWeights([0.2, 5.0, 1e-3, 2.0, 1.0]),
    InDegreeWeights([2.0, 3.0]),
    Fact(),
]


def enumerated(prior: Prior, n: int, n_rows: float, max_in_degree: int) -> list[float]:
    """The in-degree distribution by adding up all DAGs."""
    factors = log_factors(prior, [str(k) for k in range(n)], n_rows, n - 1)[0].tolist()
    weights = [math.exp(factor) if size <= max_in_degree else 0.0 for size, factor in enumerate(factors)]
    totals = [0.0] * n
    for graph in brute.all_dags(n):
        sizes = [0] * n
        for _, head in graph:
            sizes[head] += 1
        totals[sizes[0]] += math.prod(weights[size] for size in sizes)
    return [total / math.fsum(totals) for total in totals]


def test_examples() -> None:
    result = doctest.testmod(dag_counts)
    assert result.attempted > 0
    assert result.failed == 0


def test_numbers_of_dags() -> None:
    # Robinson 1973; OEIS A003024.
    assert [count_dags(n) for n in range(9)] == [1, 1, 3, 25, 543, 29281, 3781503, 1138779265, 783702329343]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_numbers_of_dags_of_bounded_in_degree(n: int) -> None:
    in_degrees = [max((len(brute.parents(graph, node)) for node in range(n)), default=0) for graph in brute.all_dags(n)]
    for d in range(n + 1):
        assert count_dags(n, d) == sum(found <= d for found in in_degrees)


def test_forests() -> None:
    # At most one parent each: rooted labelled forests, (n + 1)^(n - 1) of them.
    for n in (10, 50, 200):
        assert count_dags(n, 0) == 1
        assert count_dags(n, 1) == (n + 1) ** (n - 1)
        assert count_dags(n, n) == count_dags(n, n - 1) == count_dags(n)


def test_large_counts() -> None:
    # a_n ~ n! 2^(n(n-1)/2) / (M p^n) with p = 1.4880785456 (Stanley 1973).
    ratio = math.log(count_dags(200)) - math.log(count_dags(199))
    assert ratio == pytest.approx(math.log(200) + 199 * math.log(2) - math.log(1.4880785456), abs=1e-9)


@pytest.mark.parametrize("prior", SYMMETRIC, ids=str)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_distributions_match_enumeration(prior: Prior, n: int) -> None:
    for d in range(n):
        found = in_degree_distribution(prior, n, n_rows=200, max_parents=d)
        expected = enumerated(prior, n, 200, d)
        assert found.size <= d + 1
        assert np.allclose(found, expected[: found.size], rtol=1e-12, atol=0)
        assert not any(expected[found.size :])


def test_distributions_match_enumeration_of_five_variables() -> None:
    for prior in (Uniform(), Fact(), DataPrior(0.1)):
        assert np.allclose(in_degree_distribution(prior, 5, n_rows=9), enumerated(prior, 5, 9, 4), rtol=1e-11, atol=0)


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=4), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_any_weights(weights: list[float], n: int) -> None:
    prior = InDegreeWeights(weights)
    found = in_degree_distribution(prior, n)
    assert np.allclose(found, enumerated(prior, n, 1, n)[: found.size], rtol=1e-10, atol=0)


@pytest.mark.parametrize(("n", "ratio"), [(32, 11.50), (128, 71.91)])
def test_published_ratios(n: int, ratio: float) -> None:
    found = in_degree_distribution("uniform", n, max_parents=5)
    assert round(found[5] / found[0], 2) == ratio


@pytest.mark.parametrize("prior", SYMMETRIC, ids=str)
@pytest.mark.parametrize("max_in_degree", [5, None])
def test_distributions_add_up(prior: Prior, max_in_degree: int | None) -> None:
    found = in_degree_distribution(prior, 100, n_rows=200, max_parents=max_in_degree)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert (found >= 0).all()


def test_ratios_of_counts_are_probabilities() -> None:
    # A variable has no parents in a_n(d) P(0) DAGs, an integer.
    for n, d in ((6, 5), (7, 2), (8, 3)):
        number = count_dags(n, d) * in_degree_distribution("uniform", n, max_parents=d)[0]
        assert number == pytest.approx(round(number), rel=1e-13)


def test_a_lower_edge_weight_means_fewer_parents() -> None:
    means = [np.dot(np.arange(40), in_degree_distribution(Edge(beta), 40)) for beta in (0.01, 0.1, 1.0, 10.0)]
    assert all(low < high for low, high in pairwise(means))


@pytest.mark.slow
@pytest.mark.parametrize("max_in_degree", [5, None])
def test_five_hundred_variables(max_in_degree: int | None) -> None:
    assert count_dags(500, max_in_degree) > 0
    assert in_degree_distribution("fair", 500, max_parents=max_in_degree).sum() == pytest.approx(1, abs=1e-12)


def test_bounds() -> None:
    with pytest.raises(ArgumentError, match="n_variables must be at least 0, got -1"):
        count_dags(-1)
    with pytest.raises(ArgumentError, match="max_parents must be at least 0, got -1"):
        count_dags(3, -1)
    with pytest.raises(ArgumentError, match="n_variables must be at least 1, got 0"):
        in_degree_distribution("uniform", 0)
    with pytest.raises(ArgumentError, match="n_rows must be given for DataPrior"):
        in_degree_distribution("data", 3)
    with pytest.raises(ArgumentError, match="n_rows must be a number of at least 1"):
        in_degree_distribution("data", 3, n_rows=0)


@pytest.mark.parametrize("prior", [SSP(), InDegree(2), Expert(DAG.parse("a -> b"), 0.5)], ids=str)
def test_other_priors_are_refused(prior: Prior) -> None:
    with pytest.raises(ArgumentError, match="is no prior with one weight for each number of parents"):
        in_degree_distribution(prior, 2)
