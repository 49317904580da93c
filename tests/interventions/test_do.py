"""Networks after an intervention, against the truncated factorisation of the full joint."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork
from credenet.errors import ArgumentError, NetworkError
from network_strategies import networks
from slow_effects import network_after

ASIA = credenet.textbook.asia()


@given(networks(), st.data())
@settings(max_examples=100, deadline=None)
def test_do_is_the_truncated_factorisation(network: BayesianNetwork, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(network.variables), unique=True, min_size=1))
    states = {name: data.draw(st.sampled_from(network.states[name])) for name in chosen}
    marginals = network.do(states).infer().marginals()
    for name in network.variables:
        assert marginals[name] == pytest.approx(network_after(network, states, name), abs=1e-12)


def test_evidence_after_an_intervention() -> None:
    """P(lung | do(smoke), xray) by the joint of both after the intervention."""
    after = ASIA.do({"smoke": "yes"})
    joint = {}
    for lung, xray in product(("yes", "no"), repeat=2):
        joint[lung, xray] = network_after(ASIA, {"smoke": "yes", "lung": lung}, "xray")[xray]
        joint[lung, xray] *= network_after(ASIA, {"smoke": "yes"}, "lung")[lung]
    share = joint["yes", "yes"] / (joint["yes", "yes"] + joint["no", "yes"])
    assert after.infer({"xray": "yes"}).marginals(["lung"])["lung"]["yes"] == pytest.approx(share, abs=1e-12)


def test_only_edges_into_what_is_set_are_cut() -> None:
    after = ASIA.do({"either": "yes"}).do({"bronc": "no"})
    assert set(ASIA.dag.edges) - set(after.dag.edges) == {("lung", "either"), ("tub", "either"), ("smoke", "bronc")}
    assert set(after.dag.edges) <= set(ASIA.dag.edges)
    assert after.states == ASIA.states
    assert pickle.loads(pickle.dumps(after)) == after
    assert after.sample(50, seed=1).to_polars()["either"].unique().to_list() == ["yes"]


@pytest.mark.parametrize("method", ["exact", "ijgp", "gibbs", "likelihood_weighting"])
def test_evidence_that_contradicts_the_intervention(method: str) -> None:
    after = ASIA.do({"smoke": "yes"}).do({"asia": "no"})
    with pytest.raises(NetworkError, match=r"contradicts do\(smoke=yes\): it says smoke=no"):
        after.infer({"smoke": "no"}, method=method)
    with pytest.raises(NetworkError, match=r"contradicts do\(asia=no\)"):
        after.infer({"asia": [1.0, 0.0]}, method=method)


def test_evidence_that_agrees_with_the_intervention() -> None:
    after = ASIA.do({"smoke": "yes"})
    assert after.infer({"smoke": "yes"}).marginals(["lung"])["lung"] == after.infer().marginals(["lung"])["lung"]
    assert after.infer({"smoke": [0.5, 0.1]}).marginals(["smoke"])["smoke"]["yes"] == 1.0


def test_evidence_of_probability_0() -> None:
    """either is a logical or: it cannot be no if lung is set to yes."""
    with pytest.raises(NetworkError, match="the evidence has probability 0: either=no"):
        ASIA.do({"lung": "yes"}).infer({"either": "no"}).marginals()


def test_wrong_interventions() -> None:
    for states, message in (({"smoking": "yes"}, "no variable 'smoking'"), ({"smoke": "maybe"}, "no state 'maybe'")):
        with pytest.raises(NetworkError, match=message):
            ASIA.do(states)
    with pytest.raises(ArgumentError, match="do needs a state for at least one variable"):
        ASIA.do({})
