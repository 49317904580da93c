"""Inference by its definition: the full joint in plain Python. And strategies for evidence and Markov networks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from credenet import BayesianNetwork, MarkovNetwork
from slow_networks import Assignment, joint_states, slow_probability

Evidence = Mapping[str, Any]


def slow_weight(model: BayesianNetwork | MarkovNetwork, row: Assignment) -> float:
    """The product of the factors (and so, of a Bayesian network, the probability) for one joint state."""
    if isinstance(model, BayesianNetwork):
        return slow_probability(model, row)
    return math.prod(
        float(table[tuple(model.states[name].index(row[name]) for name in scope)]) for scope, table in model.factors
    )


def slow_posterior(model: BayesianNetwork | MarkovNetwork, evidence: Evidence) -> list[tuple[Assignment, float]]:
    """Every joint state with its weight times the likelihood of the evidence."""
    posterior = []
    for row in joint_states(model.states):
        weight = slow_weight(model, row)
        for name, value in evidence.items():
            weight *= float(row[name] == value) if isinstance(value, str) else value[row[name]]
        posterior.append((row, weight))
    return posterior


def slow_answer(posterior: Sequence[tuple[Assignment, float]], names: Sequence[str]) -> dict[tuple[Any, ...], float]:
    """The distribution of some variables."""
    total = math.fsum(weight for _, weight in posterior)
    sums: dict[tuple[Any, ...], list[float]] = {}
    for row, weight in posterior:
        sums.setdefault(tuple(row[name] for name in names), []).append(weight)
    return {key: math.fsum(values) / total for key, values in sums.items()}


@st.composite
def evidence_of(draw: st.DrawFn, states: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Hard or soft evidence for some variables; it may have probability 0."""
    chosen = draw(st.lists(st.sampled_from(list(states)), unique=True, max_size=4))
    evidence: dict[str, Any] = {}
    for name in chosen:
        if draw(st.booleans()):
            evidence[name] = draw(st.sampled_from(list(states[name])))
        else:
            values = draw(
                st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.0]), min_size=len(states[name]), max_size=len(states[name]))
            )
            if any(values):
                evidence[name] = dict(zip(states[name], values, strict=True))
    return evidence


@st.composite
def markov_networks(draw: st.DrawFn) -> MarkovNetwork:
    """Small Markov networks with zeros, constant factors and variables without a factor."""
    names = [f"v{k}" for k in range(draw(st.integers(1, 5)))]
    states = {name: [f"s{k}" for k in range(draw(st.integers(1, 3)))] for name in names}
    factors = []
    for _ in range(draw(st.integers(0, 6))):
        scope = draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        table = rng.choice(
            [0.0, 0.1, 1.0, 3.0, 1e4], size=[len(states[name]) for name in scope], p=[0.1, 0.3, 0.2, 0.2, 0.2]
        )
        factors.append((scope, table))
    return MarkovNetwork(states, factors)
