"""Pseudo-counts of the scores that have a Dirichlet prior."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import K2, BayesianNetwork, BDe, BDeu, Jeffreys
from credenet.errors import ArgumentError, NetworkError
from credenet.scores import smoothing_from
from slow_networks import networks

STATES = {"a": ("0", "1"), "b": ("0", "1", "2"), "c": ("0",)}


def test_pseudo_counts_of_uniform_priors() -> None:
    family = ("b", "c", "a")
    assert np.array_equal(BDeu(3.0).pseudo_counts(family, STATES), np.full((3, 1, 2), 0.5))
    assert np.array_equal(K2().pseudo_counts(family, STATES), np.ones((3, 1, 2)))
    assert np.array_equal(Jeffreys().pseudo_counts(family, STATES), np.full((3, 1, 2), 0.5))


@given(networks(max_size=4), st.floats(0.1, 100), st.data())
@settings(max_examples=50, deadline=None)
def test_pseudo_counts_of_a_prior_network_add_up(network: BayesianNetwork, ess: float, data: st.DataObject) -> None:
    family = data.draw(st.permutations(network.variables))
    counts = BDe(network, ess).pseudo_counts(family, network.states)
    assert counts.sum() == pytest.approx(ess)
    smaller = BDe(network, ess).pseudo_counts(family[:-1], network.states) if family[1:] else np.array(ess)
    assert np.allclose(counts.sum(axis=-1), smaller, rtol=1e-9, atol=1e-12)


def test_bdeu_is_bde_of_the_uniform_network() -> None:
    uniform = BayesianNetwork(STATES, {}, {name: np.full(len(of), 1 / len(of)) for name, of in STATES.items()})
    family = ("a", "b")
    assert np.allclose(BDe(uniform, 2.0).pseudo_counts(family, STATES), BDeu(2.0).pseudo_counts(family, STATES))


def test_the_prior_network_must_have_the_variables_of_the_data() -> None:
    prior = BDe(credenet.textbook.asia())
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'a' with the states"):
        prior.pseudo_counts(("a",), STATES)
    with pytest.raises(NetworkError, match="the prior network does not have the variable 'tub' with the states"):
        prior.pseudo_counts(("tub",), {"tub": ("no", "yes")})


@pytest.mark.parametrize("ess", [0, -1.0, float("inf"), float("nan")])
def test_ess_is_positive(ess: float) -> None:
    with pytest.raises(ArgumentError, match="ess must be a positive number, got"):
        BDeu(ess)
    with pytest.raises(ArgumentError, match="ess must be a positive number, got"):
        BDe(credenet.textbook.asia(), ess)


def test_names() -> None:
    assert smoothing_from("bdeu") == BDeu(1.0)
    assert smoothing_from("k2") == K2()
    assert smoothing_from("jeffreys") == Jeffreys()
    assert smoothing_from("none") is None
    assert smoothing_from(None) is None
    assert smoothing_from(BDeu(5)) == BDeu(5)


@pytest.mark.parametrize("wrong", ["BDeu", "", 1.0, BDeu])
def test_wrong_names(wrong: Any) -> None:
    with pytest.raises(ArgumentError, match="smoothing must be one of bdeu, k2, jeffreys, none, got"):
        smoothing_from(wrong)
