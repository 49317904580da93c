"""Every answer of an inference against the full joint, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import ArgumentError, NetworkError
from credenet.types import Inference
from inference_checks import check_answers, check_updates
from polls import CtrlC, every_poll
from slow_inference import evidence_of, markov_networks, slow_answer, slow_posterior
from slow_networks import networks

Model = BayesianNetwork | MarkovNetwork
CLOSE: Any = {"rel": 1e-10, "abs": 1e-12}


@given(networks(max_size=6), st.data())
@settings(max_examples=250, deadline=None)
def test_bayesian_networks(network: BayesianNetwork, data: st.DataObject) -> None:
    check_answers(network, data.draw(evidence_of(network.states)), data.draw)


@given(markov_networks(), st.data())
@settings(max_examples=250, deadline=None)
def test_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_answers(network, data.draw(evidence_of(network.states)), data.draw)


def test_products_outside_the_range_of_doubles() -> None:
    """600 variables, each pair of neighbours with factors down to 1e-200."""
    names = [f"x{k}" for k in range(600)]
    states = {name: ["a", "b"] for name in names}
    link = np.array([[1e-200, 1e-198], [1e-199, 1e-200]])
    chain = MarkovNetwork(states, [((first, second), link) for first, second in pairwise(names)])
    scaled = link * 1e198
    vector = np.ones(2)
    for _ in names[1:]:
        vector = scaled @ vector
        scale = vector.max()
        vector = vector / scale
    found = chain.infer().marginals()["x0"]
    assert list(found.values()) == pytest.approx((vector / vector.sum()).tolist(), rel=1e-9)


def test_a_state_of_tiny_probability_that_evidence_makes_certain() -> None:
    """The path that the evidence leaves is 1e-400 as probable as the one that it excludes."""
    names = ["a", "b", "c"]
    near = [[1.0, 1e-200], [1e-200, 1e-200]]
    model = MarkovNetwork({name: ["0", "1"] for name in names}, [(["a", "b"], near), (["b", "c"], near)])
    inference = model.infer({"a": "1", "c": "1"})
    assert inference.log_evidence == pytest.approx(-400 * math.log(10) + math.log(2))
    assert inference.marginals()["b"] == pytest.approx({"0": 0.5, "1": 0.5})


def test_a_long_chain_is_cheap() -> None:
    names = [f"x{k}" for k in range(2000)]
    network = credenet.random.network(credenet.DAG(names, list(pairwise(names))), n_states=3, seed=2)
    expected: Any = network.table("x0")
    for name in names[1:]:
        expected = expected @ network.table(name)
    assert network.infer().joint(["x1999"]).tolist() == pytest.approx(expected.tolist(), abs=1e-12)


@given(networks(max_size=6), st.data())
@settings(max_examples=80, deadline=None)
def test_updates(network: BayesianNetwork, data: st.DataObject) -> None:
    check_updates(network, data.draw)


@given(markov_networks(), st.data())
@settings(max_examples=80, deadline=None)
def test_updates_of_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_updates(network, data.draw)


@given(networks(max_size=6), st.data())
@settings(max_examples=80, deadline=None)
def test_the_most_informative_observation(network: BayesianNetwork, data: st.DataObject) -> None:
    evidence = data.draw(evidence_of(network.states))
    target = data.draw(st.sampled_from(network.variables))
    posterior = slow_posterior(network, evidence)
    assume(any(weight for _, weight in posterior))
    inference = network.infer(evidence)
    information = inference.most_informative(target)
    unknown = {name for name in network.variables if name != target and not isinstance(evidence.get(name), str)}
    assert set(information) == unknown
    assert list(information.values()) == sorted(information.values(), reverse=True)
    for name, value in information.items():
        both = slow_answer(posterior, [target, name])
        first, second = slow_answer(posterior, [target]), slow_answer(posterior, [name])
        expected = math.fsum(
            p * math.log(p / (first[pair[:1]] * second[pair[1:]])) for pair, p in both.items() if p > 0
        )
        assert value == pytest.approx(expected, abs=1e-9)
        assert inference.mutual_information(target, name) == pytest.approx(expected, abs=1e-9)


def test_the_same_with_any_number_of_threads() -> None:
    network = credenet.random.network(
        credenet.random.dag(40, n_edges=90, max_parents=4, seed=3), n_states=(2, 4), seed=3
    )
    evidence = {name: network.states[name][0] for name in network.variables[::7]}
    one, many = (network.infer(evidence, n_threads=n) for n in (1, 4))
    assert one.marginals() == many.marginals()
    assert one.log_evidence == many.log_evidence
    assert one.mpe() == many.mpe()
    assert one.sample(300, seed=4) == many.sample(300, seed=4)


class HesitantPlans(dict[Any, Any]):
    """Lets other threads run before it gives its first key, and after it dropped one."""

    def __iter__(self) -> Iterator[Any]:
        keys = super().__iter__()
        Event().wait(1e-4)
        return keys

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        Event().wait(1e-4)


def test_threads_ask_one_network_at_once() -> None:
    """More kinds of queries than plans are kept, so that threads drop each other's plans."""
    network = credenet.textbook.asia()
    object.__setattr__(network.infer()._model, "plans", HesitantPlans())
    states = {name: labels[0] for name, labels in network.states.items()}
    kinds = [names for k in range(3) for names in combinations(network.variables, k)]

    def answer(kind: int) -> float:
        names = kinds[kind % len(kinds)]
        return network.infer({name: states[name] for name in names}).log_evidence

    expected = [answer(kind) for kind in range(4 * len(kinds))]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(answer, range(len(expected)))) == expected


def test_samples_follow_the_posterior() -> None:
    asia = credenet.textbook.asia()
    evidence: dict[str, Any] = {"dysp": "yes", "smoke": [1.0, 3.0]}
    inference = asia.infer(evidence)
    rows = inference.sample(40_000, seed=1)
    assert set(rows.to_polars()["dysp"].to_list()) == {"yes"}
    for name, distribution in inference.marginals().items():
        share = np.bincount(rows.codes[:, rows.index(name)], minlength=2) / len(rows)
        for p, found in zip(distribution.values(), share, strict=True):
            assert abs(p - found) < 4.5 * math.sqrt(max(p * (1 - p), 1e-9) / len(rows)) + 1e-12
    both = np.zeros((2, 2))
    np.add.at(both, (rows.codes[:, rows.index("lung")], rows.codes[:, rows.index("bronc")]), 1 / len(rows))
    assert np.abs(both - inference.joint(["lung", "bronc"])).max() < 0.015


def test_information() -> None:
    asia = credenet.textbook.asia()
    joint = asia.infer().joint(["smoke", "lung"])
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    expected = float((joint * np.log(joint / independent)).sum())
    assert asia.infer().mutual_information("smoke", "lung") == pytest.approx(expected, abs=1e-12)
    assert asia.infer().mutual_information("asia", "smoke") == pytest.approx(0, abs=1e-12)
    assert asia.infer().mutual_information("smoke", "smoke") == pytest.approx(math.log(2))
    assert asia.infer({"smoke": "yes"}).entropy("smoke") == 0


def heavy_network() -> BayesianNetwork:
    """About half a second of work."""
    return credenet.random.network(credenet.random.dag(60, n_edges=120, max_parents=4, seed=2), n_states=3)


class TestRefusals:
    def infer(self, evidence: Any, **options: Any) -> Inference:
        answers: Inference = credenet.textbook.asia().infer(evidence, **options)
        return answers

    @pytest.mark.parametrize(
        ("evidence", "message"),
        [
            ({"lungs": "yes"}, "the evidence names 'lungs', but there is no such variable"),
            ({"lung": "maybe"}, "variable 'lung' has no state 'maybe'; it has yes, no"),
            ({"lung": [1.0]}, "'lung' has 2 states, but its evidence has 1 likelihoods"),
            ({"lung": [1.0, -1.0]}, "the likelihoods of 'lung' must be finite and not negative"),
            ({"lung": [1.0, math.nan]}, "the likelihoods of 'lung' must be finite and not negative"),
            ({"lung": [0, 0]}, "the likelihoods of 'lung' are all 0"),
            ({"lung": {"perhaps": 1.0}}, "variable 'lung' has no state 'perhaps'"),
            ({"lung": ["a", "b"]}, "the likelihoods of 'lung' must be numbers"),
            ({"lung": 1}, "variable 'lung' has no state 1; it has yes, no"),
            ({"lung": None}, "the evidence of 'lung' must be a state or a likelihood for each state, got None"),
            ([("lung", "yes"), ("lung", "no")], "the evidence contradicts itself: 'lung' is both 'yes' and 'no'"),
        ],
    )
    def test_evidence(self, evidence: Any, message: str) -> None:
        with pytest.raises(NetworkError, match=message):
            self.infer(evidence)

    def test_impossible_evidence_names_itself(self) -> None:
        with pytest.raises(NetworkError, match="the evidence has probability 0: lung=yes, either=no"):
            self.infer({"lung": "yes", "either": "no"}).marginals(["asia"])

    def test_names(self) -> None:
        with pytest.raises(NetworkError, match="there is no variable 'nose'"):
            self.infer({}).marginals(["nose"])
        with pytest.raises(ArgumentError, match="variables must differ"):
            self.infer({}).joint(["lung", "lung"])
        with pytest.raises(ArgumentError, match="variables must be a list of names, got 'lung'"):
            self.infer({}).marginals("lung")
        with pytest.raises(ArgumentError, match="elimination_order must list each of the 8 variables once"):
            self.infer({}, elimination_order=["lung"])
        with pytest.raises(ArgumentError, match="time_limit must be a positive number, got 0"):
            self.infer({}, time_limit=0)

    def test_updates(self) -> None:
        answers = self.infer({"dysp": "yes"})
        with pytest.raises(NetworkError, match="there is no variable 'nose'"):
            answers.update({"nose": None})
        with pytest.raises(NetworkError, match="variable 'lung' has no state 'maybe'"):
            answers.update({"lung": "maybe"})
        with pytest.raises(ArgumentError, match="evidence must map variables to states or None, got list"):
            answers.update([("lung", "yes")])  # type: ignore[arg-type]
        with pytest.raises(NetworkError, match="the evidence has probability 0: dysp=yes, lung=yes, either=no"):
            answers.update({"lung": "yes", "either": "no"}).marginals()
        with pytest.raises(ArgumentError, match="candidates must not include the target 'lung'"):
            answers.most_informative("lung", ["lung", "xray"])

    def test_memory(self) -> None:
        network = credenet.random.network(credenet.random.dag(60, n_edges=400, max_parents=8, seed=1), n_states=2)
        message = r"exact inference needs .* of memory \(a clique tree of width \d+ with 2\^[\d.]+ cells\), more than"
        with pytest.raises(ArgumentError, match=message):
            network.infer(memory_limit=1e6).marginals()
        evidence = {name: network.states[name][0] for name in network.variables[:40]}
        assert network.infer(evidence, memory_limit=4e6).marginals()  # The marginals need less memory.

    def test_time_limit_and_callback(self) -> None:
        network = heavy_network()
        with pytest.raises(
            NetworkError, match=r"inference was stopped before it had an answer \(time_limit is 0.1 s\)"
        ):
            network.infer(time_limit=0.1, n_threads=1).marginals()
        with pytest.raises(NetworkError, match="inference was stopped before it had an answer"):
            network.infer(on_progress=lambda progress: False, n_threads=1).mpe()

    def test_interrupt(self) -> None:
        network = heavy_network()
        with every_poll(), pytest.raises(KeyboardInterrupt):
            network.infer(n_threads=1, on_progress=CtrlC(3)).marginals()
