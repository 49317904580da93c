"""Rows of Markov networks, and a simpler network learned from the rows of a harder one."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import credenet
from credenet import BayesianNetwork, Dataset, MarkovNetwork
from credenet.errors import ArgumentError, NetworkError
from credenet.methods import Gibbs
from slow_inference import markov_networks, slow_answer, slow_posterior


def frustrated(n: int = 6) -> MarkovNetwork:
    """Every pair of variables with a random positive factor."""
    rng = np.random.default_rng(4)
    names = [f"v{k}" for k in range(n)]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[:k]]
    return MarkovNetwork(
        {name: ["0", "1", "2"][: 2 + k % 2] for k, name in enumerate(names)},
        [((a, b), rng.random((2 + names.index(a) % 2, 2 + names.index(b) % 2)) + 0.3) for a, b in pairs],
    )


@pytest.mark.parametrize(
    ("method", "inflation"),
    [("exact", 1.0), ("auto", 1.0), ("gibbs", 3.0), (Gibbs(burn_in=100, restarts=3, thin=3), 2.0)],
    ids=["exact", "auto", "gibbs", "thinned"],
)
def test_rows_follow_the_distribution(method: Any, inflation: float) -> None:
    """Pairs of variables by chi-square; rows of a chain depend on each other, which inflates it."""
    model = frustrated()
    rows = model.sample(20_000, method=method, seed=2)
    posterior = slow_posterior(model, {})
    for first, second in (("v0", "v1"), ("v2", "v5"), ("v3", "v4")):
        labels = [np.array(rows.states[name])[rows.codes[:, rows.index(name)]] for name in (first, second)]
        statistic, cells = 0.0, 0
        for (a, b), p in slow_answer(posterior, [first, second]).items():
            observed = int(np.sum((labels[0] == a) & (labels[1] == b)))
            statistic += (observed - 20_000 * p) ** 2 / (20_000 * p)
            cells += 1
        assert statistic < inflation * (cells - 1 + 4 * math.sqrt(2 * (cells - 1)))


@given(markov_networks())
@settings(max_examples=60, deadline=None)
def test_rows_are_possible(network: MarkovNetwork) -> None:
    posterior = {tuple(row.values()): weight for row, weight in slow_posterior(network, {})}
    for method in ("exact", "gibbs"):
        if math.fsum(posterior.values()) == 0:
            with pytest.raises(NetworkError, match="the evidence has probability 0"):
                network.sample(20, method=method)
            continue
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "the Gibbs chains disagree")
            rows = network.sample(20, method=method)
        for codes in rows.codes.tolist():
            labels = (rows.states[name][code] for name, code in zip(rows.variables, codes, strict=True))
            assert posterior[tuple(labels)] > 0


@pytest.mark.parametrize("method", ["exact", "gibbs"])
def test_the_same_rows_for_a_seed(method: Any) -> None:
    model = frustrated()
    first = model.sample(300, method=method, seed=1, n_threads=1)
    assert first == model.sample(300, method=method, seed=1, n_threads=4)
    assert first != model.sample(300, method=method, seed=2)


def test_auto_goes_to_gibbs_where_memory_is_short() -> None:
    model = frustrated(9)
    assert model.sample(50, memory_limit=3000, seed=1) == model.sample(50, method="gibbs", seed=1)
    with pytest.raises(ArgumentError, match="exact inference needs"):
        model.sample(50, method="exact", memory_limit=3000)
    known = "auto, exact, gibbs, importance_sampling"
    with pytest.raises(ArgumentError, match=rf"method must be Gibbs\(...\) or one of {known}, got 'forward'"):
        model.sample(50, method="forward")
    for method in ("exact", "gibbs"):
        with pytest.raises(ArgumentError, match="n_rows must be at least 1"):
            model.sample(0, method=method)


@pytest.mark.parametrize("condition", ["before", "after"])
def test_a_tree_is_learned_back(condition: Any) -> None:
    """The rows of a tree make a tree that answers as it does, given hard and soft evidence."""
    rng = np.random.default_rng(1)
    names = [f"v{k}" for k in range(12)]
    rows = {name: rng.dirichlet([0.5, 0.5], size=2) for name in names}
    tree = BayesianNetwork(
        {name: ["0", "1"] for name in names},
        {name: [names[(k - 1) // 2]] for k, name in enumerate(names) if k},
        {name: table[0] if name == "v0" else table for name, table in rows.items()},
    )
    evidence: dict[str, Any] = {"v11": "1", "v3": {"0": 1.0, "1": 2.0}}
    found = credenet.sample_learn_infer(tree, evidence, n_rows=40_000, condition=condition, seed=1)
    assert found.exact_rows
    assert found.n_rows == 40_000
    assert found.learned.provenance.method == "chow_liu"
    errors = credenet.marginal_errors(tree.infer(evidence), found.answers)
    assert errors.max_absolute_error < 0.01
    assert errors.hellinger < 0.015


def test_a_model_of_bounded_tree_width() -> None:
    model = frustrated()
    found = credenet.sample_learn_infer(model, tree_width=2, n_rows=20_000, seed=3)
    assert found.learned.tree_width == 2
    assert found.network.elimination_order == found.learned.elimination_order
    tree = credenet.sample_learn_infer(model, n_rows=20_000, seed=3)
    truth = model.infer()
    closer = credenet.marginal_errors(truth, found.answers).max_absolute_error
    assert closer < 0.02
    assert tree.learned.tree_width is None


def test_markov_networks_and_other_learners() -> None:
    model = frustrated()
    truth = model.infer({"v0": "1"})
    for sampler in ("auto", "gibbs"):
        found = credenet.sample_learn_infer(
            model,
            {"v0": "1"},
            n_rows=20_000,
            method="hill_climb",
            sampler=sampler,
            seed=3,
        )
        assert found.exact_rows == (sampler == "auto")
        assert credenet.marginal_errors(truth, found.answers).max_absolute_error < 0.02
        assert found.answers.marginals()["v0"]["1"] == 1
    with pytest.raises(ArgumentError, match="condition must be before or after, got 'never'"):
        credenet.sample_learn_infer(model, condition="never")  # type: ignore[arg-type]


def test_marginal_errors_of_marginals() -> None:
    truth = {"a": {"x": 0.5, "y": 0.5}, "b": {"x": 1.0}}
    estimate = {"a": {"x": 0.32, "y": 0.68}, "b": {"x": 0.64, "z": 0.36}}
    errors = credenet.marginal_errors(truth, estimate)
    assert errors.max_absolute_error == pytest.approx((0.18 + 0.36) / 2)
    first = math.sqrt(((math.sqrt(0.5) - math.sqrt(0.32)) ** 2 + (math.sqrt(0.5) - math.sqrt(0.68)) ** 2) / 2)
    second = math.sqrt((0.2**2 + 0.6**2) / 2)
    assert errors.hellinger == pytest.approx((first + second) / 2)
    with pytest.raises(NetworkError, match="different variables: b"):
        credenet.marginal_errors(truth, {"a": {"x": 1.0}})


def test_a_sample_is_a_dataset() -> None:
    rows = frustrated().sample(10)
    assert isinstance(rows, Dataset)
    assert len(rows) == 10
