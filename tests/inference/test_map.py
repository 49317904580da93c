"""Marginal MAP against the full joint, by elimination and by search, and what its limits leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from credenet.types import Progress
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import ArgumentError, NetworkError
from inference_checks import check_map
from polls import CtrlC
from slow_inference import markov_networks
from slow_networks import networks


@given(networks(max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_bayesian_networks(network: BayesianNetwork, data: st.DataObject) -> None:
    check_map(network, data.draw)


@given(markov_networks(), st.data())
@settings(max_examples=150, deadline=None)
def test_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_map(network, data.draw)


def hard_network(*, n_causes: int = 1) -> tuple[BayesianNetwork, list[str]]:
    """Causes that meet in a chain of summed variables: with all sums first a table would hold every cause."""
    names = [f"c{k}" for k in range(40)]
    states = {name: ["no", "yes"] for name in [*names, *(f"s{k}" for k in range(40))]}
    generator = np.random.default_rng(7)
    parents: dict[str, list[str]] = {}
    tables: dict[str, Any] = {name: [0.6, 0.4] for name in names}
    for k in range(40):
        causes = [f"c{(k + 7 * other) % 40}" for other in range(n_causes)]
        parents[f"s{k}"] = causes if k == 0 else [f"s{k - 1}", *causes]
        shape = (2,) * len(parents[f"s{k}"])
        first = generator.uniform(0.05, 0.95, size=shape)
        tables[f"s{k}"] = np.stack([first, 1 - first], axis=-1)
    return BayesianNetwork(states, parents, tables), names


def test_search_agrees_with_elimination() -> None:
    """With little memory the search must find what elimination with all sums first finds."""
    network, names = hard_network()
    chosen = names[:14]
    evidence = {"s39": "yes", "s20": "no"}
    whole = network.infer(evidence).map(chosen)
    assert whole.status == "optimal"
    searched = network.infer(evidence, memory_limit=120_000).map(chosen)
    assert searched.status == "optimal"
    assert searched.log_probability == pytest.approx(whole.log_probability, rel=1e-12)
    assert searched.assignment == whole.assignment


def test_all_variables_are_the_most_probable_explanation() -> None:
    asia = credenet.textbook.asia()
    evidence: dict[str, Any] = {"dysp": "yes", "xray": [0.3, 0.7]}
    inference = asia.infer(evidence)
    assert inference.map(asia.variables) == inference.mpe()


class TestLimits:
    def test_time(self) -> None:
        network, names = hard_network(n_causes=2)
        best = network.infer({"s39": "yes"}, time_limit=0.3, memory_limit=3e7, n_threads=1).map(names)
        assert best.status == "time_limit"
        assert best.log_bound > best.log_probability
        assert set(best.assignment) == set(names)
        joint = network.infer({**best.assignment, "s39": "yes"}).log_evidence
        assert best.log_probability == pytest.approx(joint, rel=1e-10)

    def test_callback(self) -> None:
        network, names = hard_network(n_causes=2)
        seen = []

        def stop(progress: Progress) -> bool:
            seen.append(progress)
            return len(seen) < 3

        best = network.infer({"s39": "yes"}, memory_limit=3e7, n_threads=1, on_progress=stop).map(names)
        assert best.status == "stopped"
        assert seen[-1].score is not None
        assert seen[-1].bound is not None
        assert seen[-1].score <= best.log_probability <= best.log_bound <= seen[-1].bound

    def test_interrupt(self) -> None:
        network, names = hard_network(n_causes=2)
        best = network.infer({"s39": "yes"}, memory_limit=3e7, n_threads=1, on_progress=CtrlC(3)).map(names)
        assert best.status == "stopped"

    def test_memory(self) -> None:
        network, names = hard_network()
        with pytest.raises(ArgumentError, match=r"exact inference needs .* of memory"):
            network.infer(memory_limit=1e3).map(names)

    def test_names(self) -> None:
        with pytest.raises(NetworkError, match="there is no variable 'nose'"):
            credenet.textbook.asia().infer().map(["nose"])
