"""Most relevant explanations against the enumeration of all partial assignments by the full joint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
import credenet.inference.explanation as explanation
from credenet import DAG, BayesianNetwork, MarkovNetwork
from credenet.errors import ArgumentError
from inference_checks import TOLERANCE, check_explanations, is_minimal, slow_factors
from slow_inference import evidence_of, markov_networks, slow_posterior
from slow_networks import networks


@given(networks(max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_bayesian_networks(network: BayesianNetwork, data: st.DataObject) -> None:
    check_explanations(network, data.draw)


@given(markov_networks(), st.data())
@settings(max_examples=100, deadline=None)
def test_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_explanations(network, data.draw)


@given(networks(max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_search(network: BayesianNetwork, data: st.DataObject) -> None:
    """The search is wide enough for small networks to find the best, and what it gives is minimal among its parts."""
    evidence = {name: state for name, state in data.draw(evidence_of(network.states)).items() if isinstance(state, str)}
    targets = [name for name in network.states if name not in evidence]
    possible = any(weight for _, weight in slow_posterior(network, evidence))
    assume(evidence and targets and possible)
    factors = slow_factors(network, evidence, targets)
    assume(factors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explanation, "BEAM", 1000)
        patch.setattr(explanation, "PATIENCE", 10)
        search = explanation._BeamSearch(network.infer(evidence), targets)
        found = search.run(3)
    assert found.status == "local_optimum"
    assert found[0].gbf == pytest.approx(max(factors.values()), rel=1e-8)
    for one in found:
        named = frozenset(one.assignment.items())
        assert one.gbf == pytest.approx(factors[named], rel=1e-8)
        assert is_minimal(named, factors, TOLERANCE)


def test_burglary() -> None:
    """The example of the tutorials: two neighbours call because of an alarm."""
    network = credenet.textbook.earthquake()
    evidence = {"john_calls": "true", "mary_calls": "true"}
    targets = ["burglary", "earthquake"]
    factors = slow_factors(network, evidence, targets)
    found = network.infer(evidence).explain(targets, k=10)
    assert found.status == "optimal"
    best = max(factors, key=lambda named: factors[named])
    assert frozenset(found[0].assignment.items()) == best == frozenset({("burglary", "true")})
    assert found[0].gbf == pytest.approx(factors[best], rel=1e-9)
    for one in found:
        assert is_minimal(frozenset(one.assignment.items()), factors, 0.0)
    assert "burglary=true" in str(found)


def test_an_infinite_factor() -> None:
    """Only one cause makes the effect possible."""
    network = BayesianNetwork(
        states={"cause": ["no", "yes"], "other": ["no", "yes"], "effect": ["no", "yes"]},
        parents={"effect": ["cause", "other"]},
        tables={"cause": [0.9, 0.1], "other": [0.5, 0.5], "effect": [[[1, 0], [1, 0]], [[0.5, 0.5], [0.2, 0.8]]]},
    )
    found = network.infer({"effect": "yes"}).explain()
    assert found[0].gbf == math.inf
    assert found[0].assignment == {"cause": "yes"}
    assert found.to_dict()["explanations"][0] == {"assignment": {"cause": "yes"}, "gbf": None}


def test_a_large_network_is_searched() -> None:
    network = credenet.random.network(credenet.random.dag(30, n_edges=45, max_parents=3, seed=4), n_states=2, seed=4)
    evidence = {name: network.states[name][1] for name in network.variables[-2:]}
    inference = network.infer(evidence)
    found = inference.explain(k=3)
    assert found.status == "local_optimum"
    for one in found:
        exact = inference.explain(list(one.assignment), k=1000)
        same = [other.gbf for other in exact if other.assignment == one.assignment]
        assert same == [pytest.approx(one.gbf, rel=1e-8)]
    assert network.infer(evidence).explain(k=3) == found
    stopped = network.infer(evidence, on_progress=lambda progress: progress.done < 3)
    assert stopped.explain(k=3).status == "stopped"


@pytest.mark.parametrize(
    ("evidence", "options", "message"),
    [
        ({}, {}, "there is no evidence to explain"),
        ({"dysp": "yes"}, {"k": 0}, "k must be at least 1, got 0"),
        ({"dysp": "yes"}, {"targets": ["dysp"]}, "targets must not be known, but 'dysp' is"),
        ({"dysp": "yes"}, {"targets": []}, "targets must name at least one variable"),
        ({"dysp": "yes"}, {"targets": ["lung", "lung"]}, "variables must differ"),
    ],
)
def test_refusals(evidence: Any, options: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        credenet.textbook.asia().infer(evidence).explain(**options)


@pytest.mark.parametrize("rare", [1e-5, 1e-100, 1e-155, 1e-161, 1e-200])
@pytest.mark.parametrize("limits", [{}, {"MOST_ASSIGNMENTS": 8}, {"MOST_REFINED": 0}])
def test_two_rare_causes(rare: float, limits: Mapping[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Their joint probability may be below the smallest double; the factor is that of the table of the effect."""
    for name, value in limits.items():
        monkeypatch.setattr(explanation, name, value)
    states = dict.fromkeys(("a", "b", "effect"), ("no", "yes"))
    tables = {
        "a": np.array([1 - rare, rare]),
        "b": np.array([1 - rare / 3, rare / 3]),
        "effect": np.array([[[0.9, 0.1], [0.7, 0.3]], [[0.6, 0.4], [0.05, 0.95]]]),
    }
    network = BayesianNetwork(states, DAG(list(states), [("a", "effect"), ("b", "effect")]), tables)
    found = network.infer({"effect": "yes"}).explain(["a", "b"], k=8)
    none, only_b = (1 - rare) * (1 - rare / 3), (1 - rare) * rare / 3
    only_a = rare * (1 - rare / 3)
    factor = 0.95 / ((none * 0.1 + only_b * 0.3 + only_a * 0.4) / (none + only_b + only_a))
    assert [dict(one.assignment) for one in found] == [{"a": "yes", "b": "yes"}]
    assert found[0].gbf == pytest.approx(factor, rel=1e-11)
    has_lost_digits = limits == {"MOST_REFINED": 0} and rare**2 / 3 < 1e-290
    assert found.status == ("local_optimum" if "MOST_ASSIGNMENTS" in limits or has_lost_digits else "optimal")
