"""Networks to and from networkx, pyAgrum and pgmpy."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings

from credenet.errors import NetworkError
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from network_strategies import ODD_NAMES, asymmetric_network, networks
from other_programs import pyagrum
from shared import shared_data


def test_networkx() -> None:
    network = asymmetric_network()
    graph = network.to_networkx()
    assert list(graph.nodes) == list(network.variables)
    assert set(graph.edges) == set(network.dag.edges)
    for name in network.variables:
        assert tuple(graph.predecessors(name)) == network.parents(name)
        assert graph.nodes[name]["states"] == network.states[name]
        assert np.array_equal(graph.nodes[name]["table"], network.table(name))


def test_pyagrum_has_the_same_probabilities() -> None:
    network = asymmetric_network()
    model = network.to_pyagrum()
    for name in network.variables:
        for index, value in np.ndenumerate(network.table(name)):
            members = (*network.parents(name), name)
            labels = {member: network.states[member][at] for member, at in zip(members, index, strict=True)}
            assert model.cpt(name)[labels] == value
    inference = pyagrum.LazyPropagation(model)
    inference.makeInference()
    for name, marginal in network.marginals().items():
        np.testing.assert_allclose(inference.posterior(name).toarray(), list(marginal.values()), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(network=networks(ODD_NAMES))
def test_pyagrum_round_trip(network: BayesianNetwork) -> None:
    words = [*network.variables, *(str(label) for labels in network.states.values() for label in labels)]
    assume(not any("\x00" in word for word in words))
    assert BayesianNetwork.from_pyagrum(network.to_pyagrum()) == network


@pytest.mark.parametrize("word", ["a\x00b", "\ud800"])
def test_names_that_pyagrum_cannot_hold(word: str) -> None:
    for network in (
        BayesianNetwork({"a": ["x", word]}, {}, {"a": [0.5, 0.5]}),
        BayesianNetwork({word: ["x", "y"]}, {}, {word: [0.5, 0.5]}),
    ):
        with pytest.raises(NetworkError, match="pyAgrum cannot hold the name"):
            network.to_pyagrum()


def test_from_pyagrum_with_other_kinds_of_variables() -> None:
    model = pyagrum.fastBN("a[3]->b{x|y}<-c[1,2]")
    network = BayesianNetwork.from_pyagrum(model)
    assert network.states["a"] == ("0", "1", "2")
    assert network.states["c"] == ("1", "2")
    assert network.probability("b", "y", a="2", c="1") == model.cpt("b")[{"a": 2, "b": 1, "c": 0}]


def test_from_pyagrum_refuses_tables_that_do_not_add_up() -> None:
    model = pyagrum.fastBN("a[2]->b[2]")
    model.cpt("a").fillWith([0.5, 0.75])
    with pytest.raises(NetworkError, match=r"'a' add up to 1\.25, not 1"):
        BayesianNetwork.from_pyagrum(model)


def test_pyagrum_round_trip_of_a_shared_network() -> None:
    network = load(shared_data("networks", "hailfinder.bif.gz"))
    assert BayesianNetwork.from_pyagrum(network.to_pyagrum()) == network


def test_pgmpy() -> None:
    pytest.importorskip("pgmpy")
    network = asymmetric_network()
    model = network.to_pgmpy()
    assert model.check_model()
    for name in network.variables:
        for index, value in np.ndenumerate(network.table(name)):
            members = (*network.parents(name), name)
            labels = {member: network.states[member][at] for member, at in zip(members, index, strict=True)}
            assert model.get_cpds(name).get_value(**labels) == value
    assert BayesianNetwork.from_pgmpy(model) == network


def test_pgmpy_states_keep_their_types() -> None:
    pytest.importorskip("pgmpy")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork([("a", "b")])
    model.add_cpds(TabularCPD("a", 2, [[0.25], [0.75]], state_names={"a": [0, 1]}))
    with pytest.raises(NetworkError, match="variable 'b' has no probability table"):
        BayesianNetwork.from_pgmpy(model)
    values = [[0.1, 0.2], [0.3, 0.3], [0.6, 0.5]]
    model.add_cpds(TabularCPD("b", 3, values, ["a"], [2], state_names={"b": ["x", "y", "z"], "a": [0, 1]}))
    network = BayesianNetwork.from_pgmpy(model)
    assert network.states["a"] == (0, 1)
    assert network.probability("b", "z", a=1) == network.probability("b", "z", a="1") == 0.5
    assert BayesianNetwork.from_pgmpy(network.to_pgmpy()) == network
    model.add_cpds(TabularCPD("b", 3, values, ["a"], [2], state_names={"b": ["x", "y", "z"], "a": [1, 0]}))
    with pytest.raises(NetworkError, match="has the states of 'a' in another order"):
        BayesianNetwork.from_pgmpy(model)


@pytest.mark.parametrize(
    ("module", "method"), [("networkx", "to_networkx"), ("pyagrum", "to_pyagrum"), ("pgmpy", "to_pgmpy")]
)
def test_missing_packages_are_named(module: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"{module}.models", raising=False)
    with pytest.raises(ImportError, match=f"this needs the package {module}; install it with: pip install {module}"):
        getattr(asymmetric_network(), method)()
