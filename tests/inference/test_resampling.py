"""Rows where Gibbs chains do not mix: the chains' status, and rows resampled by importance weights."""

from __future__ import annotations

import math
import signal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import ArgumentError, NetworkError
from credenet.inference.row_sampling import scale_reduction, systematic_choice
from credenet.methods import Gibbs, ImportanceSampling
from credenet.types import Progress
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from slow_inference import markov_networks, slow_answer, slow_posterior


def equal_pair(weight: float = 0.3) -> MarkovNetwork:
    """Six variables that are all equal, so that no single one of them can change; the second state has the weight."""
    names = [f"v{k}" for k in range(6)]
    same = [[1.0, 0.0], [0.0, 1.0]]
    factors: list[Any] = [((a, b), same) for a, b in pairwise(names)]
    return MarkovNetwork({name: ["0", "1"] for name in names}, [(("v0",), [1 - weight, weight]), *factors])


def frustrated() -> MarkovNetwork:
    """Every pair of six variables with a random positive factor."""
    rng = np.random.default_rng(4)
    names = [f"v{k}" for k in range(6)]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[:k]]
    return MarkovNetwork({name: ["0", "1"] for name in names}, [(pair, rng.random((2, 2)) + 0.3) for pair in pairs])


def test_chains_that_are_stuck_are_told() -> None:
    found = credenet.sample_learn_infer(equal_pair(), sampler="gibbs", n_rows=400)
    assert found.status == "not_converged"
    assert found.sampling.scale_reduction == math.inf
    assert "the Gibbs chains disagree" in found.reason
    assert not found.exact_rows
    with pytest.warns(UserWarning, match="the Gibbs chains disagree"):
        equal_pair().sample(400, method="gibbs")


def test_resampling_mixes_where_chains_do_not() -> None:
    found = credenet.sample_learn_infer(equal_pair(), sampler="importance_sampling", n_rows=4000)
    assert found.status == "complete"
    assert found.sampling.effective_rows is not None
    assert found.sampling.effective_rows > 1000
    assert found.answers.marginals()["v3"]["1"] == pytest.approx(0.3, abs=0.05)
    assert found.log_evidence == pytest.approx(0, abs=0.05)


def test_chains_that_mix_are_not_accused() -> None:
    """Also few rows are compared fairly: their chains are longer, and thinned."""
    rng = np.random.default_rng(0)
    names = [f"v{k}" for k in range(30)]
    model = MarkovNetwork({name: ["0", "1"] for name in names}, [((name,), rng.random(2) + 0.1) for name in names])
    for n_rows in (1, 7, 30, 1000):
        found = credenet.sample_learn_infer(model, sampler="gibbs", n_rows=n_rows)
        assert found.n_rows == n_rows
        assert found.status == "complete", found.sampling
        assert found.sampling.scale_reduction is not None
        assert found.sampling.scale_reduction < 1.1


def test_scale_reduction_of_rows() -> None:
    rng = np.random.default_rng(3)
    chains = [rng.integers(0, 3, size=(200, 4), dtype=np.int32) for _ in range(6)]
    assert scale_reduction(chains, [3] * 4) < 1.05
    drifting = [np.sort(chain, axis=0) for chain in chains]
    assert scale_reduction(drifting, [3] * 4) > 1.5
    assert scale_reduction([chains[0][:3]], [3] * 4) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(1, 50), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_systematic_choice_rounds_shares(weights: list[float], n: int, seed: int) -> None:
    given_weights = np.array(weights)
    assume(given_weights.sum() >= 1e-6)
    picked = systematic_choice(given_weights, n, np.random.default_rng(seed))
    assert len(picked) == n
    counts = np.bincount(picked, minlength=len(weights))
    assert np.all(np.abs(counts - n * given_weights / given_weights.sum()) < 1 + 1e-6)


@given(markov_networks())
@settings(max_examples=60, deadline=None)
def test_resampled_rows_follow_the_distribution(network: MarkovNetwork) -> None:
    """Within six standard errors of as many rows as they are worth, and never impossible."""
    posterior = slow_posterior(network, {})
    if math.fsum(weight for _, weight in posterior) == 0:
        with pytest.raises(NetworkError, match="probability 0"):
            network.sample(20, method="importance_sampling")
        return
    found = credenet.sample_learn_infer(network, n_rows=2000, sampler="importance_sampling", smoothing=None)
    size = found.sampling.effective_rows
    assert size is not None
    assert found.status == "complete"
    for name, distribution in found.answers.marginals().items():
        for (state,), p in slow_answer(posterior, [name]).items():
            assert abs(distribution[state] - p) < 6 * math.sqrt(p * (1 - p) / size) + 3 / size
            assert p > 0 or distribution[state] == 0


def test_few_effective_rows_are_not_called_good() -> None:
    """Twenty states of weight up to a million, from a proposal that a loop misleads."""
    rng = np.random.default_rng(5)
    names = [f"v{k}" for k in range(14)]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[:k]]
    model = MarkovNetwork(
        {name: ["0", "1"] for name in names}, [(p, np.exp(4 * rng.normal(size=(2, 2)))) for p in pairs]
    )
    found = credenet.sample_learn_infer(model, n_rows=150, sampler=ImportanceSampling(samples=2, i_bound=1))
    assert found.sampling.effective_rows is not None
    if found.sampling.effective_rows < 100:
        assert found.status == "not_converged"
        assert "do not represent" in found.reason
    else:
        assert found.status == "complete"


@pytest.mark.parametrize("sampler", ["gibbs", "importance_sampling", "auto"])
def test_the_same_for_a_seed(sampler: str) -> None:
    def answer(n_threads: int, seed: int) -> Any:
        model = credenet.sample_learn_infer(
            credenet.textbook.asia(), {"dysp": "yes"}, n_rows=500, sampler=sampler, seed=seed, n_threads=n_threads
        )
        return model.answers.marginals()

    assert answer(1, 1) == answer(4, 1)
    assert answer(1, 1) != answer(1, 2)


def test_tree_width_by_held_out_rows() -> None:
    """A network of tree-width 2 beats a tree on rows that it was not learned from."""
    rng = np.random.default_rng(2)
    names = [f"v{k}" for k in range(9)]
    parents = {name: names[max(k - 2, 0) : k] for k, name in enumerate(names) if k}
    tables = {}
    for name in names:
        shape = (2,) * len(parents.get(name, []))
        ones = rng.choice([0.05, 0.95], size=shape)
        if len(shape) == 2:
            ones = np.array([[0.05, 0.95], [0.95, 0.05]])  # Only both parents together tell the child.
        tables[name] = np.stack([1 - ones, ones], axis=-1)
    network = BayesianNetwork({name: ["0", "1"] for name in names}, parents, tables)
    found = credenet.sample_learn_infer(network, tree_width="auto", max_tree_width=4, n_rows=3000, seed=1)
    likelihoods = {point.tree_width: point.log_likelihood for point in found.held_out}
    assert set(likelihoods) == {1, 2, 4}
    assert likelihoods[2] > likelihoods[1] + 0.5
    assert found.tree_width in (2, 4)
    assert found.tree_width == max(likelihoods, key=lambda width: (likelihoods[width], -width))
    assert found.learned.tree_width is not None
    with pytest.raises(ArgumentError, match='max_tree_width is for tree_width="auto"'):
        credenet.sample_learn_infer(network, tree_width=2, max_tree_width=4)
    with pytest.raises(ArgumentError, match="max_tree_width must be at least 1"):
        credenet.sample_learn_infer(network, tree_width="auto", max_tree_width=0)


class InSampling(Polls):
    """Acts in the sampling after 2700 steps, once."""

    def __call__(self, progress: Progress) -> bool | None:
        self.seen.append(progress)
        if self.at == 0 or progress.phase != "sampling" or progress.done < 2700:
            return None
        self.at = 0
        return self.act()


class StopSampling(InSampling):
    def act(self) -> bool:
        return False


class CtrlCInSampling(InSampling):
    def act(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("sampler", ["gibbs(burn_in=10)", "importance_sampling(samples=3000)"])
@pytest.mark.parametrize("kind", [StopSampling, CtrlCInSampling])
def test_a_stop_in_the_sampling_leaves_an_answer(kind: type[InSampling], sampler: str) -> None:
    polls = kind()
    model = equal_pair(0.001) if "importance" in sampler else frustrated()
    with every_poll():
        found = credenet.sample_learn_infer(
            model, sampler=sampler, n_rows=3000, tree_width=2, on_progress=polls, n_threads=1
        )
    assert polls.seen[0].phase == "sampling"
    assert polls.at == 0
    assert found.status == "stopped"
    assert found.sampling.status == "stopped"
    assert 0 < found.n_rows <= 3000
    assert found.learned.provenance.method == "chow_liu"
    assert credenet.marginal_errors(model.infer(), found.answers).max_absolute_error < 0.1


def test_chains_are_equally_long_when_they_are_stopped() -> None:
    with every_poll():
        found = credenet.sample_learn_infer(
            frustrated(), sampler=Gibbs(burn_in=10, restarts=5), n_rows=4000, on_progress=StopSampling(), n_threads=1
        )
    assert found.sampling.n_chains == 5
    assert 2600 < found.n_rows < 2700


def test_a_stop_in_the_burn_in_has_no_answer() -> None:
    asia = credenet.textbook.asia()
    with every_poll():
        with pytest.raises(NetworkError, match="stopped before it had its rows"):
            credenet.sample_learn_infer(asia, {"dysp": "yes"}, sampler="gibbs", on_progress=Stop())
        with pytest.raises(KeyboardInterrupt):
            credenet.sample_learn_infer(asia, {"dysp": "yes"}, sampler="gibbs", on_progress=CtrlC())


class LateInSampling(InSampling, TimeByHand):
    """The clock is a day later after 2700 steps of the sampling."""

    def act(self) -> None:
        self.wait(86_400.0)


def test_the_time_limit_covers_sampling() -> None:
    polls = LateInSampling()
    with polls.set(), every_poll():
        found = credenet.sample_learn_infer(
            frustrated(),
            sampler=Gibbs(burn_in=10),
            n_rows=3000,
            time_limit=60.0,
            on_progress=polls,
            n_threads=1,
        )
    assert polls.at == 0
    assert found.sampling.status == "time_limit"
    assert found.status == "time_limit"
    assert "rows were drawn" in found.reason
    assert 0 < found.n_rows < 3000


def test_a_stop_between_tree_widths_keeps_the_best() -> None:
    def stop_at_two(progress: Progress) -> bool:
        return progress.phase != "learning, tree-width 2"

    with every_poll():
        found = credenet.sample_learn_infer(
            frustrated(), tree_width="auto", max_tree_width=4, n_rows=2000, on_progress=stop_at_two
        )
    assert found.status == "stopped"
    assert {point.tree_width for point in found.held_out} <= {1, 2}
    assert found.tree_width in (1, 2)


def test_conditions_and_log_evidence() -> None:
    asia = credenet.textbook.asia()
    exact = asia.infer({"dysp": "yes"})
    after = credenet.sample_learn_infer(asia, {"dysp": "yes"}, condition="after", n_rows=20_000)
    assert after.sampling.method == "forward"
    assert after.log_evidence == pytest.approx(exact.log_evidence, abs=0.05)
    before = credenet.sample_learn_infer(asia, {"dysp": "yes"}, sampler="importance_sampling", n_rows=5000)
    assert before.log_evidence == pytest.approx(exact.log_evidence, abs=0.1)
    assert credenet.sample_learn_infer(asia, {"dysp": "yes"}, n_rows=500).log_evidence is None
    many = credenet.sample_learn_infer(asia, n_rows=70_000)
    assert many.n_rows == 70_000
    assert many.status == "complete"
