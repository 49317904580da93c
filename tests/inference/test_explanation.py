"""Most relevant explanations against the enumeration of all partial assignments by the full joint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
import credenet.inference.explanation as explanation
from credenet import ArgumentError, BayesianNetwork, MarkovNetwork, NetworkError
from slow_inference import evidence_of, markov_networks, slow_posterior
from slow_networks import networks

Model = BayesianNetwork | MarkovNetwork
Named = frozenset[tuple[str, str]]
TOLERANCE = 1e-7  # relative; nearer factors may count as equal or not


def slow_factors(model: Model, evidence: Mapping[str, Any], targets: Sequence[str]) -> dict[Named, float]:
    """The generalised Bayes factor of every partial assignment that has one."""
    prior, posterior = slow_posterior(model, {}), slow_posterior(model, evidence)
    factors: dict[Named, float] = {}
    for states in product(*((None, *model.states[name]) for name in targets)):
        named = {name: state for name, state in zip(targets, states, strict=True) if state is not None}

        def holds(row: Mapping[str, str], named: Mapping[str, str] = named) -> bool:
            return all(row[name] == state for name, state in named.items())

        p = math.fsum(weight for row, weight in prior if holds(row))
        not_p = math.fsum(weight for row, weight in prior if not holds(row))
        q = math.fsum(weight for row, weight in posterior if holds(row))
        not_q = math.fsum(weight for row, weight in posterior if not holds(row))
        if named and p > 0 and not_p > 0 and q > 0:
            factors[frozenset(named.items())] = math.inf if not_q == 0 else (q / p) / (not_q / not_p)
    return factors


def is_minimal(named: Named, factors: Mapping[Named, float], slack: float) -> bool:
    """By the definition; with slack, a difference must be that large to count."""
    own = factors[named]
    by_part = any(other < named and value >= own * (1 + slack) for other, value in factors.items())
    by_whole = any(other > named and value > own * (1 + slack) for other, value in factors.items())
    return not by_part and not by_whole


def check_explanations(model: Model, data: st.DataObject) -> None:
    evidence = data.draw(evidence_of(model.states))
    free = [name for name in model.states if not isinstance(evidence.get(name), str)]
    if not evidence or not free:
        return
    targets = data.draw(st.lists(st.sampled_from(free), unique=True, min_size=1, max_size=4))
    k = data.draw(st.integers(1, 6))
    inference = model.infer(evidence)
    if not any(weight for _, weight in slow_posterior(model, evidence)):
        with pytest.raises(NetworkError, match="the evidence has probability 0"):
            inference.explain(targets, k=k)
        return
    factors = slow_factors(model, evidence, targets)
    found = inference.explain(targets, k=k)
    assert found.status == "optimal"
    assert len(found) <= k
    listed = [frozenset(one.assignment.items()) for one in found]
    for named, one in zip(listed, found, strict=True):
        assert one.gbf == pytest.approx(factors[named], rel=1e-8)
        assert is_minimal(named, factors, TOLERANCE)
    if factors:
        assert found[0].gbf == pytest.approx(max(factors.values()), rel=1e-8)
    assert [one.gbf for one in found] == sorted((one.gbf for one in found), reverse=True)
    # nothing better was passed over
    least = found[-1].gbf if len(found) == k else 0.0
    for named, factor in factors.items():
        if named not in listed and is_minimal(named, factors, -TOLERANCE):
            assert factor <= least * (1 + TOLERANCE)


@given(networks(max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_bayesian_networks(network: BayesianNetwork, data: st.DataObject) -> None:
    check_explanations(network, data)


@given(markov_networks(), st.data())
@settings(max_examples=100, deadline=None)
def test_markov_networks(network: MarkovNetwork, data: st.DataObject) -> None:
    check_explanations(network, data)


@given(networks(max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_search(network: BayesianNetwork, data: st.DataObject) -> None:
    """The search is wide enough for small networks to find the best, and what it gives is minimal among its parts."""
    evidence = {name: state for name, state in data.draw(evidence_of(network.states)).items() if isinstance(state, str)}
    targets = [name for name in network.states if name not in evidence]
    possible = any(weight for _, weight in slow_posterior(network, evidence))
    if not evidence or not targets or not possible:
        return
    factors = slow_factors(network, evidence, targets)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explanation, "BEAM", 1000)
        patch.setattr(explanation, "PATIENCE", 10)
        search = explanation._BeamSearch(network.infer(evidence), targets)
        if not factors:
            return
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
    network = credenet.random_network(credenet.random_dag(30, n_edges=45, max_parents=3, seed=4), n_states=2, seed=4)
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
