"""Approximate methods against the full joint: exact where they should be, within their own error bars elsewhere."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import ArgumentError, NetworkError
from credenet.methods import IJGP, Gibbs, ImportanceSampling, LikelihoodWeighting, LoopyBP
from credenet.settings.inference import ApproximateMethod
from credenet.types import ApproximateInference, Progress
from polls import CtrlC
from slow_inference import evidence_of, markov_networks, slow_answer, slow_posterior
from slow_networks import networks

Model = BayesianNetwork | MarkovNetwork
SAMPLERS = (LikelihoodWeighting(4000), ImportanceSampling(4000, i_bound=1), Gibbs(4000, burn_in=100))


def check_exact(model: Model, evidence: dict[str, Any], method: ApproximateMethod) -> None:
    """The answers are those of the full joint, and zero probabilities are zeros."""
    posterior = slow_posterior(model, evidence)
    total = math.fsum(weight for _, weight in posterior)
    inference = model.infer(evidence, method=method)
    if total == 0:
        with pytest.raises(NetworkError, match="the evidence has probability 0"):
            inference.marginals()
        return
    assert inference.status == "converged"
    assert not inference.exact
    assert inference.log_evidence == pytest.approx(math.log(total), rel=1e-9, abs=1e-9)
    for name, distribution in inference.marginals().items():
        expected = slow_answer(posterior, [name])
        assert {(state,): p for state, p in distribution.items()} == pytest.approx(expected, rel=1e-8, abs=1e-10)
        assert all(p == 0 for state, p in distribution.items() if expected[state,] == 0)


@given(networks(max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_ijgp_with_a_large_bound_is_exact_on_bayesian_networks(network: BayesianNetwork, data: st.DataObject) -> None:
    check_exact(network, data.draw(evidence_of(network.states)), IJGP(i_bound=8))


@given(markov_networks(), st.data())
@settings(max_examples=150, deadline=None)
def test_ijgp_with_a_large_bound_is_exact_on_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_exact(network, data.draw(evidence_of(network.states)), IJGP(i_bound=8))


@st.composite
def trees(draw: st.DrawFn) -> Model:
    """Polytrees, and Markov networks whose factors make a tree, with zeros and tiny entries."""
    n = draw(st.integers(1, 7))
    states = {f"v{k}": [f"s{j}" for j in range(draw(st.integers(1, 3)))] for k in range(n)}
    ends = [draw(st.integers(0, k - 1)) for k in range(1, n)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def values(shape: list[int]) -> Any:
        drawn = rng.random(shape) ** rng.choice([1, 8])  # Values may be tiny, but products of seven are not 0.
        return np.where(rng.random(shape) < 0.2, 0.0, drawn)

    if draw(st.booleans()):
        scopes = [[f"v{end}", f"v{k + 1}"] for k, end in enumerate(ends)] + [["v0"]]
        return MarkovNetwork(states, [(scope, values([len(states[name]) for name in scope])) for scope in scopes])
    parents: dict[str, list[str]] = {name: [] for name in states}
    for k, end in enumerate(ends, start=1):
        child, parent = (f"v{k}", f"v{end}") if draw(st.booleans()) else (f"v{end}", f"v{k}")
        parents[child].append(parent)
    tables = {}
    for name in states:
        table = values([len(states[member]) for member in (*parents[name], name)])
        table[..., 0] += table.sum(axis=-1) == 0
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    return BayesianNetwork(states, parents, tables)


@given(trees(), st.data())
@settings(max_examples=250, deadline=None)
def test_loopy_belief_propagation_is_exact_on_trees(model: Model, data: st.DataObject) -> None:
    """Also damped: then only up to the tolerance, which is made small."""
    evidence = data.draw(evidence_of(model.states))
    damping = data.draw(st.sampled_from([0.0, 0.3]))
    check_exact(model, evidence, LoopyBP(damping=damping, tolerance=1e-13))


@given(markov_networks(), st.data())
@settings(max_examples=150, deadline=None)
def test_messages_never_exclude_what_is_possible(network: MarkovNetwork, data: st.DataObject) -> None:
    """Loops make probabilities wrong, but a zero is a zero, and evidence is called impossible only if it is."""
    evidence = data.draw(evidence_of(network.states))
    posterior = slow_posterior(network, evidence)
    total = math.fsum(weight for _, weight in posterior)
    methods: list[ApproximateMethod] = [LoopyBP(max_iterations=50), IJGP(i_bound=1), IJGP(i_bound=2)]
    method = data.draw(st.sampled_from(methods))
    inference = network.infer(evidence, method=method)
    if total == 0:
        with suppress(NetworkError):
            assert inference.marginals()
        return
    marginals = inference.marginals()
    assume(inference.status == "converged")  # Messages that run away make probabilities as small as can be.
    for name, distribution in marginals.items():
        for (state,), p in slow_answer(posterior, [name]).items():
            assert distribution[state] > 0 or p == 0


def random_model(seed: int, kind: str) -> tuple[Model, dict[str, Any]]:
    """Five or six dependent variables, some tables with many zeros, and evidence on two."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 7))
    states = {f"v{k}": [f"s{j}" for j in range(int(rng.integers(2, 4)))] for k in range(n)}
    names = list(states)
    zeros = 0.0 if kind == "positive" else 0.35

    def values(scope: list[str]) -> Any:
        shape = [len(states[name]) for name in scope]
        return np.where(rng.random(shape) < zeros, 0.0, rng.random(shape) + 0.05)

    if rng.random() < 0.5:
        parents = {name: list(rng.choice(names[:k], min(k, 2), replace=False)) for k, name in enumerate(names)}
        tables = {}
        for name in names:
            table = values([*parents[name], name])
            table[..., 0] += table.sum(axis=-1) == 0
            tables[name] = table / table.sum(axis=-1, keepdims=True)
        model: Model = BayesianNetwork(states, parents, tables)
    else:
        scopes = [[str(name) for name in rng.choice(names, 2 + k % 2, replace=False)] for k in range(n + 2)]
        model = MarkovNetwork(states, [(scope, values(scope)) for scope in scopes])
    known = str(rng.choice(names))
    unsure = str(rng.choice([name for name in names if name != known]))
    likelihood = {label: float(rng.random()) for label in states[unsure]}
    return model, {known: states[known][0], unsure: likelihood}


@pytest.mark.parametrize("kind", ["positive", "zeros"])
@pytest.mark.parametrize("method", SAMPLERS, ids=lambda method: method.short_name)
def test_samplers_are_within_their_error_bars(method: ApproximateMethod, kind: str) -> None:
    """Over many networks, |estimate - truth| exceeds two standard errors about as rarely as it should: of normal
    errors 4.6 % do. Single-site Gibbs sampling is asked only of positive tables: elsewhere it may not reach all states.
    """
    if isinstance(method, Gibbs) and kind == "zeros":
        pytest.skip("chains need not reach all states")
    scores, logs, n_models = [], [], 0
    for seed in range(240):
        model, evidence = random_model(seed, kind)
        if isinstance(method, LikelihoodWeighting) and isinstance(model, MarkovNetwork):
            continue
        posterior = slow_posterior(model, evidence)
        total = math.fsum(weight for _, weight in posterior)
        inference = model.infer(evidence, method=method, seed=seed)
        if total == 0:
            with pytest.raises(NetworkError, match=r"the evidence has probability 0|no sample had weight"):
                inference.marginals()
            continue
        n_models += 1
        errors = inference.standard_errors()
        assert errors is not None
        size = inference.effective_sample_size
        assert size is not None
        if size < 100:
            assert "the effective sample size" in inference.reason
            continue
        for name, distribution in inference.marginals().items():
            if name in evidence and isinstance(evidence[name], str):
                continue
            assert math.fsum(distribution.values()) == pytest.approx(1)
            for (state,), p in slow_answer(posterior, [name]).items():
                if 0.02 < p < 0.98:  # Otherwise the error is hardly normal.
                    scores.append((distribution[state] - p) / max(errors[name][state], 1e-12))
                assert abs(distribution[state] - p) < 6 * errors[name][state] + 1e-12
        known, error = inference.log_evidence, inference.log_evidence_error
        assert (known is None) == (error is None) == isinstance(method, Gibbs)
        difference = 0.0 if known is None else known - math.log(total)
        error = 1e-12 if error is None else error
        assert abs(difference) < 6 * error
        if error > 2 / 4000:  # Otherwise the weights hardly differ.
            logs.append(difference / error)
    assert n_models > 60
    share = float(np.mean(np.abs(scores) > 2))
    assert 0.015 < share < 0.07
    assert abs(float(np.mean(scores))) < 0.15
    assert 0.6 < float(np.std(scores)) < 1.2
    n_logs = max(len(logs), 1)
    chance = 0.046  # Probability of a normal error beyond two standard errors.
    assert sum(abs(log) > 2 for log in logs) / n_logs < chance + 3 * math.sqrt(chance / n_logs)
    assert abs(math.fsum(logs) / n_logs) < 3 / math.sqrt(n_logs)


def test_the_weights_of_sample_search_have_no_bias() -> None:
    """Constraints that a bound of 1 does not see lead into dead ends; the mean weight still is the number of solutions.

    With weights for the proposal alone, without its dead ends taken out, the estimate would be too large by far.
    """
    rng = np.random.default_rng(3)
    scores = []
    for seed in range(60):
        names = [f"v{k}" for k in range(9)]
        scopes = [[str(name) for name in rng.choice(names, 3, replace=False)] for _ in range(9)]
        factors = [(scope, (rng.random((3, 3, 3)) < 0.5).astype(float)) for scope in scopes]
        model = MarkovNetwork({name: ["0", "1", "2"] for name in names}, factors)
        try:
            exact = model.infer().log_evidence
        except NetworkError:
            with pytest.raises(NetworkError, match="the evidence has probability 0"):
                model.infer(method=ImportanceSampling(500, i_bound=1)).marginals()
            continue
        inference = model.infer(method=ImportanceSampling(3000, i_bound=1), seed=seed)
        assert inference.log_evidence is not None
        assert inference.log_evidence_error is not None
        assert inference.effective_sample_size is not None
        if inference.effective_sample_size < 100:
            assert "the effective sample size" in inference.reason
        elif inference.log_evidence_error < 2 / 3000:  # The weights hardly differ here.
            assert inference.log_evidence == pytest.approx(exact, abs=6 * inference.log_evidence_error)
        else:
            assert inference.log_evidence > -math.inf
            scores.append((math.exp(inference.log_evidence - exact) - 1) / inference.log_evidence_error)
    assert len(scores) > 30
    assert abs(float(np.mean(scores))) < 3 / math.sqrt(len(scores))
    assert float(np.std(scores)) < 1.5


@pytest.mark.parametrize("method", [*SAMPLERS, LoopyBP(), IJGP(2)], ids=lambda method: method.short_name)
def test_the_same_for_a_seed_with_any_number_of_threads(method: ApproximateMethod) -> None:
    network = credenet.random.network(
        credenet.random.dag(25, n_edges=50, max_parents=4, seed=3), n_states=(2, 4), seed=3
    )
    evidence = {name: network.states[name][0] for name in network.variables[::7]}
    one, many = (network.infer(evidence, method=method, seed=5, n_threads=n) for n in (1, 4))
    assert one.marginals() == many.marginals()
    assert one.standard_errors() == many.standard_errors()
    assert one.log_evidence == many.log_evidence
    other = network.infer(evidence, method=method, seed=6)
    assert (one.marginals() != other.marginals()) == (method in SAMPLERS)


def test_gibbs_says_when_chains_are_stuck() -> None:
    """Two variables that must agree: a chain that draws one at a time never leaves its start."""
    equal = MarkovNetwork({"a": ["0", "1"], "b": ["0", "1"]}, [(["a", "b"], np.eye(2))])
    inference = equal.infer(method="gibbs")
    assert inference.status == "not_converged"
    assert "the chains disagree" in inference.reason
    assert inference.log_evidence is None
    errors = inference.standard_errors()
    assert errors is not None
    assert errors["a"]["0"] > 0.1


def test_evidence_that_no_sample_meets() -> None:
    """The weights are all 0, but nothing proves that the evidence is impossible."""
    names = [f"v{k}" for k in range(40)]
    rare = BayesianNetwork(
        states={name: ["0", "1"] for name in [*names, "all"]},
        parents={"all": names[:12]},
        tables={name: [0.999, 0.001] for name in names} | {"all": [[1.0, 0.0]] * (2**12 - 1) + [[0.0, 1.0]]},
    )
    with pytest.raises(NetworkError, match="no sample had weight"):
        rare.infer({"all": "1"}, method=LikelihoodWeighting(500)).marginals()
    found = rare.infer({"all": "1"}, method=ImportanceSampling(500, i_bound=1))
    assert found.marginals()["v3"]["1"] == pytest.approx(1)
    assert found.log_evidence == pytest.approx(12 * math.log(0.001))


def test_auto_falls_back_and_says_so() -> None:
    network = credenet.random.network(credenet.random.dag(60, n_edges=180, max_parents=4, seed=1), seed=1)
    assert network.infer(method="auto").exact
    inference = network.infer(method="auto", memory_limit=2_000_000)
    assert isinstance(inference, ApproximateInference)
    assert not inference.exact
    assert inference.method.short_name == "ijgp"
    assert inference.reason.startswith("exact inference needs")
    with pytest.raises(ArgumentError, match='approximate: method="ijgp"'):
        network.infer(memory_limit=2_000_000).marginals()


def test_all_known_and_nothing_known() -> None:
    asia = credenet.textbook.asia()
    row = asia.infer().mpe().assignment
    methods: list[ApproximateMethod] = [LoopyBP(), IJGP(), LikelihoodWeighting(), ImportanceSampling(), Gibbs()]
    for method in methods:
        inference = asia.infer(dict(row), method=method)
        assert inference.marginals()["lung"][row["lung"]] == 1
        assert inference.log_evidence in (None, pytest.approx(asia.infer(dict(row)).log_evidence))
    free = MarkovNetwork({"a": ["0", "1"], "b": ["0", "1", "2"]}, [])
    for method in (LoopyBP(), IJGP(), ImportanceSampling(), Gibbs()):
        assert free.infer(method=method).marginals()["a"]["0"] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "belief"}, "method must be a method with its settings or one of exact, auto, loopy_bp"),
        ({"method": "ijgp", "elimination_order": ["a"]}, "elimination_order is for exact inference"),
        ({"method": "gibbs", "seed": -1}, "seed must be at least 0, got -1"),
        (
            {"method": "ijgp", "memory_limit": 100},
            "ijgp needs .* more than memory_limit, 100 bytes; pass a smaller i_bound",
        ),
        ({"method": "ijgp", "time_limit": 0}, "time_limit must be a positive number"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        credenet.textbook.asia().infer(**options).marginals()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LoopyBP(damping=1.0), "damping must be a number of at least 0 and below 1"),
        (lambda: LoopyBP(tolerance=0), "tolerance must be a positive number"),
        (lambda: IJGP(i_bound=0), "i_bound must be at least 1"),
        (lambda: LikelihoodWeighting(samples=1), "samples must be at least 2"),
        (lambda: Gibbs(samples=4, restarts=8), "samples must be at least 8"),
        (lambda: Gibbs(thin=0), "thin must be at least 1"),
    ],
)
def test_settings_outside_their_bounds(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


def test_likelihood_weighting_needs_arcs() -> None:
    with pytest.raises(ArgumentError, match="follows the arcs of a Bayesian network"):
        MarkovNetwork({"a": ["0", "1"]}, []).infer(method="likelihood_weighting")


def heavy() -> MarkovNetwork:
    """A torus of 20 times 20 with strong and contrary links: no method is done with it in a moment."""
    rng = np.random.default_rng(1)
    states = {f"{i},{j}": ["0", "1"] for i in range(20) for j in range(20)}
    factors: list[tuple[list[str], Any]] = []
    for i in range(20):
        for j in range(20):
            factors.append(([f"{i},{j}"], [1.0, math.exp(rng.normal(0, 1))]))
            for other in (f"{(i + 1) % 20},{j}", f"{i},{(j + 1) % 20}"):
                strength = math.exp(rng.normal(0, 4))
                factors.append(([f"{i},{j}", other], [[strength, 1.0], [1.0, strength]]))
    return MarkovNetwork(states, factors)


LONG = [
    LoopyBP(max_iterations=10**7),
    IJGP(8, max_iterations=10**6),
    ImportanceSampling(10**8, 2),
    Gibbs(10**8, burn_in=5),
]


@pytest.mark.parametrize("method", LONG, ids=lambda method: method.short_name)
def test_limits_end_with_what_there_is(method: ApproximateMethod) -> None:
    inference = heavy().infer(method=method, time_limit=2.0)
    marginals = inference.marginals()
    assert inference.status == "time_limit"
    assert math.fsum(marginals["0,0"].values()) == pytest.approx(1)
    assert inference.seconds < 30
    calls = []

    def third(progress: Progress) -> bool:
        calls.append(progress)
        return len(calls) < 3

    assert heavy().infer(method=method, on_progress=third).status == "stopped"
    assert len(calls) == 3


@pytest.mark.parametrize("method", LONG, ids=lambda method: method.short_name)
def test_interrupt(method: ApproximateMethod) -> None:
    inference = heavy().infer(method=method, on_progress=CtrlC(3))
    assert inference.status == "stopped"
    for distribution in inference.marginals().values():
        assert sum(distribution.values()) == pytest.approx(1)


def test_iteration_limit() -> None:
    inference = heavy().infer(method=LoopyBP(max_iterations=3))
    assert inference.status == "iteration_limit"
    assert inference.iterations == pytest.approx(3, abs=0.01)
    assert "iteration_limit" in str(inference)
    assert inference.standard_errors() is None


def test_products_outside_the_range_of_doubles() -> None:
    """A variable with 2,000 children: each state's product of messages is far below the smallest double."""
    names = [f"c{k}" for k in range(2000)]
    table = [[0.9, 0.1], [0.899, 0.101]]
    naive = BayesianNetwork(
        states={"root": ["0", "1"]} | {name: ["0", "1"] for name in names},
        parents={name: ["root"] for name in names},
        tables={"root": [0.5, 0.5]} | dict.fromkeys(names, table),
    )
    evidence: dict[str, Any] = {name: {"0": 1.0, "1": 1e-3} if k % 2 else "1" for k, name in enumerate(names)}
    exact = naive.infer(evidence).marginals()
    for method in (LoopyBP(), IJGP(1), ImportanceSampling(2000), Gibbs(2000, burn_in=10)):
        found = naive.infer(evidence, method=method).marginals()
        assert found["root"]["1"] == pytest.approx(exact["root"]["1"], abs=0.05)
    assert exact["root"]["1"] > 0.99
