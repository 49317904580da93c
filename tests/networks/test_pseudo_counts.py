"""The pseudo-counts of the Dirichlet priors on tables."""

from __future__ import annotations

import numpy as np
import pytest
from credenet.scores import K2, BDe, BDeu, Jeffreys
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork
from credenet.errors import NetworkError
from credenet.networks.pseudo_counts import pseudo_counts
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


def test_pseudo_counts_of_uniform_priors() -> None:
    family = ("b", "c", "a")
    assert np.array_equal(pseudo_counts(BDeu(3.0), family, STATES), np.full((3, 1, 2), 0.5))
    assert np.array_equal(pseudo_counts(K2(), family, STATES), np.ones((3, 1, 2)))
    assert np.array_equal(pseudo_counts(Jeffreys(), family, STATES), np.full((3, 1, 2), 0.5))


@given(networks(max_size=4), st.floats(0.1, 100), st.data())
@settings(max_examples=50, deadline=None)
def test_pseudo_counts_of_a_prior_network_add_up(network: BayesianNetwork, ess: float, data: st.DataObject) -> None:
    family = data.draw(st.permutations(network.variables))
    counts = pseudo_counts(BDe(network, ess), family, network.states)
    assert counts.sum() == pytest.approx(ess)
    smaller = pseudo_counts(BDe(network, ess), family[:-1], network.states) if family[1:] else np.array(ess)
    assert np.allclose(counts.sum(axis=-1), smaller, rtol=1e-9, atol=1e-12)


def test_bdeu_is_bde_of_the_uniform_network() -> None:
    uniform = BayesianNetwork(STATES, {}, {name: np.full(len(of), 1 / len(of)) for name, of in STATES.items()})
    family = ("a", "b")
    assert np.allclose(pseudo_counts(BDe(uniform, 2.0), family, STATES), pseudo_counts(BDeu(2.0), family, STATES))


def test_the_prior_network_must_have_the_variables_of_the_data() -> None:
    prior = BDe(credenet.textbook.asia())
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'a' with the states"):
        pseudo_counts(prior, ("a",), STATES)
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'tub' with the states"):
        pseudo_counts(prior, ("tub",), {"tub": ("no", "yes")})
