"""What the formulas of the scores promise."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from credenet.scores import K2, BDe, BDeu, Jeffreys
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet import BayesianNetwork, Dataset
from credenet.settings.scores import (
    AIC,
    BIC,
    MDL,
    MIT,
    BDs,
    LogLikelihood,
    Score,
    fNML,
    qNML,
)
from slow_networks import networks
from slow_scores import Counts, slow_family_score, slow_local_score, slow_nml_regret

WITHOUT_NETWORK: list[Score] = [
    LogLikelihood(),
    BIC(),
    AIC(),
    MDL(),
    MDL(name_parents=False),
    BDeu(2.0),
    K2(),
    Jeffreys(),
    BDs(0.5),
    fNML(),
    qNML(),
    MIT(0.9),
]
STATES = {"a": ("0", "1"), "b": ("0", "1", "2"), "c": ("0",)}


@st.composite
def small_data(draw: st.DrawFn) -> Dataset:
    """Three variables of one to three declared states, not all of them in use."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))
    n_rows = draw(st.integers(1, 25))
    codes = draw(st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), min_size=n_rows, max_size=n_rows))
    states = {name: [str(k) for k in range(size)] for name, size in zip("abc", sizes, strict=True)}
    return Dataset(states, np.array(codes))


def slow_score(data: Dataset, graph: brute.Arcs, score: Score, states: Any) -> float:
    names = data.variables
    return math.fsum(
        slow_family_score(data, name, [names[p] for p in brute.parents(graph, child)], score, states=states)
        for child, name in enumerate(names)
    )


@pytest.mark.parametrize("states", ["declared", "observed"])
@given(small_data(), st.sampled_from([score for score in WITHOUT_NETWORK if score.is_equivalent]))
@settings(max_examples=60, deadline=None)
def test_equivalent_networks_have_the_same_score(states: Any, data: Dataset, score: Score) -> None:
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(3):
        found = slow_score(data, graph, score, states)
        assert found == pytest.approx(by_class.setdefault(brute.class_of(graph), found), rel=1e-9, abs=1e-9)


@given(networks(max_size=3, max_states=2), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_equivalent_networks_have_the_same_score_under_a_prior_network(network: BayesianNetwork, seed: int) -> None:
    data = network.sample(20, seed=seed)
    by_class: dict[object, float] = {}
    for graph in brute.all_dags(data.n_variables):
        found = slow_score(data, graph, BDe(network, 3.0), "declared")
        assert found == pytest.approx(by_class.setdefault(brute.class_of(graph), found), rel=1e-8, abs=1e-7)


@pytest.mark.parametrize("score", [K2(), Jeffreys(), fNML(), BDs(1.0), MIT(0.9)], ids=str)
def test_the_other_scores_are_not_equivalent(score: Score) -> None:
    codes = [[0, 0], [1, 0], [1, 0], [2, 0], [2, 1], [2, 1], [2, 1]]
    data = Dataset({"a": "0123", "b": "01", "c": "012"}, np.array([[a, b, (a + b) % 3] for a, b in codes]))
    forth, back = (frozenset(arcs) for arcs in ([(0, 1), (0, 2), (1, 2)], [(2, 1), (2, 0), (1, 0)]))
    assert brute.class_of(forth) == brute.class_of(back)
    assert slow_score(data, forth, score, "declared") != pytest.approx(slow_score(data, back, score, "declared"))


@pytest.mark.parametrize(("n_states", "n_rows"), [(1, 4), (2, 5), (3, 4), (4, 3), (5, 2), (3, 0)])
def test_the_regret_is_the_sum_over_all_data(n_states: int, n_rows: int) -> None:
    total = 0.0
    for rows in product(range(n_states), repeat=n_rows):
        total += math.prod((rows.count(k) / n_rows) ** rows.count(k) for k in range(n_states)) if rows else 1.0
    assert slow_nml_regret(n_states, n_rows) == pytest.approx(total, rel=1e-12)


def test_the_formulas_on_a_table_by_hand() -> None:
    counts: Counts = {(0,): [3.0, 1.0], (1,): [0.0, 4.0]}
    likelihood = 3 * math.log(3 / 4) + math.log(1 / 4)
    found = {type(score): slow_local_score(score, counts, 2, [3], 8, 5) for score in WITHOUT_NETWORK[:4]}
    assert found[LogLikelihood] == pytest.approx(likelihood)
    assert found[BIC] == pytest.approx(likelihood - 1.5 * math.log(8))
    assert found[AIC] == pytest.approx(likelihood - 3)
    assert found[MDL] == pytest.approx(likelihood - 1.5 * math.log(8) - math.log(5))
    # One pseudo-count each: 3! 1! / (2 * 3 * 4 * 5) and 4! / (2 * 3 * 4 * 5).
    assert slow_local_score(K2(), counts, 2, [3], 8, 5) == pytest.approx(math.log(6 / 120 * 24 / 120))
    # An ess of 6 over six cells is the same; over the two parent states that occur it is 1.5 in each cell.
    assert slow_local_score(BDeu(6.0), counts, 2, [3], 8, 5) == pytest.approx(math.log(6 / 120 * 24 / 120))
    gammas = 1.5 * 2.5 * 3.5 * 1.5 / 360 * (1.5 * 2.5 * 3.5 * 4.5 / 360)
    assert slow_local_score(BDs(6.0), counts, 2, [3], 8, 5) == pytest.approx(math.log(gammas))


def test_the_prior_network_can_rule_data_out() -> None:
    counts: Counts = {(): [1.0, 2.0]}
    assert slow_local_score(BDe(credenet.textbook.asia()), counts, 2, [], 3, 1, {(): [1.0, 0.0]}) == -math.inf
    unused = slow_local_score(BDe(credenet.textbook.asia()), {(): [3.0, 0.0]}, 2, [], 3, 1, {(): [1.0, 0.0]})
    assert unused == pytest.approx(0.0)
