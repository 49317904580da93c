"""Numbers of DAGs by edges and the priors that depend on them, against brute force and published numbers."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import brute
from credenet.errors import ArgumentError
from credenet.families.edge_counts import count_by_edges
from credenet.families.few_networks import list_dags
from credenet.families.nested_penalties import (
    complexity_of,
    edge_prior,
    log_penalties,
    log_penalty,
    log_prior_of,
    penalty_rise,
)
from credenet.priors import SSP, count_dags
from slow_learning import all_parents, complexities, log_priors, tree_widths

BY_EDGES = SSP(complexity="edges")


@pytest.mark.parametrize("n", range(6))
def test_numbers_by_edges_are_those_of_all_dags(n: int) -> None:
    lengths = [len(graph) for graph in brute.all_dags(n)]
    assert count_by_edges(n) == tuple(np.bincount(lengths, minlength=n * (n - 1) // 2 + 1).tolist())


def test_published_numbers_by_edges() -> None:
    assert count_by_edges(4) == (1, 12, 60, 152, 186, 108, 24)  # Row 4 of A081064 in the OEIS.
    assert sum(count_by_edges(6)) == 3781503  # A003024 in the OEIS.
    assert sum(count_by_edges(10)) == 4175098976430598143


@pytest.mark.parametrize("n", [*range(20), 40, 64])
def test_numbers_by_edges_add_up_and_are_log_concave(n: int) -> None:
    numbers = count_by_edges(n)
    assert sum(numbers) == count_dags(n)
    assert numbers[-1] == math.factorial(n)
    assert all(b * b >= a * c for a, b, c in zip(numbers, numbers[1:], numbers[2:], strict=False))


def test_most_variables_take_a_moment() -> None:
    begin = time.process_time()
    assert sum(count_by_edges(100)) == count_dags(100)
    assert time.process_time() - begin < 20


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("n", range(1, 6))
def test_penalties_by_tree_width(n: int, exclusive: bool) -> None:
    prior = SSP(exclusive, "tree_width")
    expected = log_priors(prior, n)
    networks = all_parents(n).tolist()
    for at in range(0, len(networks), 1 if n < 5 else 50):
        parents = [[k for k in range(n) if bits >> k & 1] for bits in networks[at]]
        assert log_prior_of(prior, parents) == pytest.approx(expected[at], abs=1e-12)
    assert np.array_equal(np.bincount(list_dags(n).tree_widths), np.bincount(tree_widths(n)))


def test_tree_widths_of_many_variables_are_known_at_the_ends_only() -> None:
    prior, chain = SSP(complexity="tree_width"), [[], *([k] for k in range(7))]
    complete = [list(range(k)) for k in range(8)]
    assert log_prior_of(prior, [[]] * 8) == 0
    assert log_prior_of(prior, chain) == pytest.approx(-7 * math.log(9))
    assert log_prior_of(prior, complete) == pytest.approx(-math.log(count_dags(8)))
    assert log_prior_of(SSP(True, "tree_width"), chain) == pytest.approx(-math.log(9**7 - 1))
    for exclusive, network in [(False, [*chain[:7], [5, 6]]), (True, complete)]:
        with pytest.raises(ArgumentError, match=r"complexity='edges' counts those of up to 100"):
            log_prior_of(SSP(exclusive, "tree_width"), network)


@pytest.mark.parametrize("exclusive", [False, True])
def test_penalties_by_edges(exclusive: bool) -> None:
    prior = SSP(exclusive, "edges")
    for n in range(5):
        found = complexities("edges", n)
        for m, expected in zip(found.tolist(), log_priors(prior, n).tolist(), strict=True):
            assert log_penalty(prior, n, m) == pytest.approx(expected, abs=1e-12)
    many = log_penalties(prior, 40, 780)
    assert (np.diff(many, 2) >= -1e-9).all()
    assert exclusive or (np.diff(many) <= 0).all()
    assert (penalty_rise(prior, 40, None) > 0) == exclusive
    assert penalty_rise(prior, 40, 1) == 0
    with pytest.raises(ArgumentError, match="edges must be from 0 to 6, got 7"):
        log_penalty(prior, 4, 7)


def test_too_many_variables_name_what_counts_more() -> None:
    assert math.isfinite(log_penalty(BY_EDGES, 100, 3))
    with pytest.raises(ArgumentError, match=r"at most 100 variables can be counted by their edges for ssp\(complexity"):
        log_penalty(BY_EDGES, 101, 3)


def test_the_prior_of_a_network() -> None:
    parents = [[], [0], [0, 1]]
    assert complexity_of(BY_EDGES, parents) == 3
    assert complexity_of(SSP(), parents) == 2
    assert log_prior_of(BY_EDGES, parents) == pytest.approx(-math.log(25))
    assert log_prior_of(SSP(), []) == log_prior_of(BY_EDGES, []) == log_prior_of(SSP(complexity="tree_width"), []) == 0


def test_nearest_prior_of_single_edges() -> None:
    numbers = np.cumsum(count_by_edges(5))
    for m in range(11):
        up, down = edge_prior(BY_EDGES, 5, m), edge_prior(BY_EDGES, 5, m, fewer=True)
        assert up.beta == pytest.approx(numbers[min(m, 9)] / numbers[min(m, 9) + 1])
        assert down.beta == pytest.approx(numbers[max(m, 1) - 1] / numbers[max(m, 1)])
    assert edge_prior(BY_EDGES, 1, 0).beta == 1
