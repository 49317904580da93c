"""Chow-Liu trees and branchings against every network with at most one parent each."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from credenet.methods import ChowLiu
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, learn
from credenet.errors import ArgumentError, KnowledgeError
from credenet.learners.trees import maximum_branching
from slow_learning import best_score


def is_acyclic(parents: tuple[int, ...]) -> bool:
    for start in range(len(parents)):
        at, steps = start, 0
        while at >= 0:
            at, steps = parents[at], steps + 1
            if steps > len(parents):
                return False
    return True


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_branchings(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    gains = np.round(rng.standard_normal((n, n)) + 1, int(rng.integers(0, 3)))
    gains[rng.random((n, n)) < 0.2] = -math.inf
    np.fill_diagonal(gains, -math.inf)

    def total(parents: tuple[int, ...] | list[int]) -> float:
        return math.fsum(gains[parent, child] for child, parent in enumerate(parents) if parent >= 0)

    found = maximum_branching(gains)
    assert is_acyclic(tuple(found))
    best = max(total(parents) for parents in product(range(-1, n), repeat=n) if is_acyclic(parents))
    assert total(found) == pytest.approx(best)


def data_of(seed: int, n: int = 5) -> Dataset:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (80, n))
    for k in range(1, n):
        source = int(rng.integers(0, k))
        codes[:, k] = np.where(rng.random(80) < 0.5, codes[:, source], codes[:, k])
    return Dataset({name: ["0", "1", "2"] for name in "abcdefgh"[:n]}, codes)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.data())
def test_the_best_network_with_one_parent_each(seed: int, draw: st.DataObject) -> None:
    data = data_of(seed)
    pairs = [(a, b) for a in data.variables for b in data.variables if a != b]
    forbidden = draw.draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True))
    free = [pair for pair in pairs if pair not in forbidden and pair[0] < pair[1]]
    required = draw.draw(st.lists(st.sampled_from(free), max_size=2, unique_by=lambda p: p[1])) if free else []
    knowledge = Knowledge(required=required, forbidden=forbidden)
    result = learn(data, method="chow_liu", score="log_likelihood", knowledge=knowledge)
    assert knowledge.violations(result.dag) == []
    assert max(map(len, result.dag.parent_indices)) <= 1
    families = credenet.score_families(data, score="log_likelihood", max_parents=1, slack=1e9)
    assert result.score == pytest.approx(best_score(families, knowledge=knowledge))
    assert bool(result.verify(data))


def test_edges_lead_away_from_the_root() -> None:
    data = data_of(3)
    result = learn(data, method=ChowLiu(root="c"))
    assert result.dag.parents("c") == ()
    assert result.status == "complete"
    assert result.bound is None
    assert len(result.dag.descendants("c")) == result.dag.n_edges


def test_what_no_tree_can_do() -> None:
    data = data_of(1)
    with pytest.raises(KnowledgeError, match="'c' must have several parents"):
        learn(data, method="chow_liu", knowledge=Knowledge(required=[("a", "c"), ("b", "c")]))
    with pytest.raises(ArgumentError, match="root is 'z'"):
        learn(data, method=ChowLiu(root="z"))
    with pytest.raises(ArgumentError, match="SSP"):
        learn(data, method="chow_liu", prior="ssp")
