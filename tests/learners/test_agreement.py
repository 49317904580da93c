"""Every method against all networks, on random tables and data."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import FamilyTable, learn
from credenet.families.info import FamilyTableInfo
from credenet.families.tolerance import tolerance
from credenet.methods import Auto, Tabu
from credenet.priors import SSP
from credenet.settings.methods import DP, ARAStar, AStar, AWAStar, BFBnB, HillClimb, Method, OrderSearch, WeightedAStar
from credenet.settings.priors import Complexity
from slow_learning import best_score

EXACT: list[Method] = [
    DP(),
    DP(layered=True),
    AStar("simple"),
    AStar("static"),
    AStar("dynamic", 2),
    AStar("dynamic", 3),
    BFBnB(),
    ARAStar(),
    AWAStar(),
]
LOCAL: list[Method] = [OrderSearch(), HillClimb(), Tabu()]
EVERY = [*EXACT, WeightedAStar(), *LOCAL, Auto()]

ALL_BY: tuple[Complexity, ...] = get_args(Complexity)


@st.composite
def tables(draw: st.DrawFn, most: int = 5, *, with_empty: bool = True) -> FamilyTable:
    """Families with scores that make cycles attractive; ties now and then."""
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = [f"v{place}" for place in rng.permutation(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in names:
        others = [name for name in names if name != child]
        sets = (
            {tuple(sorted(rng.permutation(others)[: rng.integers(1, n)])) for _ in range(rng.integers(0, 8))}
            if others
            else set()
        )
        if with_empty or not sets:
            sets.add(())
        lists[child] = [
            (round(3.0 * len(s) + 20 * rng.standard_normal(), int(rng.integers(0, 3))), list(s)) for s in sorted(sets)
        ]
    return FamilyTable.from_lists(lists)


def check_optimal(families: FamilyTable, result: credenet.LearnResult, best: float) -> None:
    assert result.status == "optimal"
    assert result.score is not None
    assert result.bound == result.score
    assert abs(result.score - best) <= tolerance(best)
    assert abs(families.score_of(result.dag) - best) <= tolerance(best)
    assert result.gap == 0
    assert bool(result.verify(families)), str(result.verify(families))


@pytest.mark.parametrize("method", EXACT, ids=repr)
@settings(max_examples=150, deadline=None)
@given(families=tables())
def test_exact_methods_find_the_best_of_all_networks(method: Method, families: FamilyTable) -> None:
    check_optimal(families, learn(families, method=method), best_score(families))


@pytest.mark.parametrize("method", EVERY, ids=repr)
@settings(max_examples=60, deadline=None)
@given(families=tables(with_empty=False))
def test_families_without_the_empty_set(method: Method, families: FamilyTable) -> None:
    best = best_score(families)
    result = learn(families, method=method)
    if best == -math.inf:
        assert result.status == "infeasible"
        assert result.score is None
        assert result.dag.n_edges == 0
    elif method in EXACT:
        check_optimal(families, result, best)
    else:
        assert result.score is None or result.score <= best + tolerance(best)
        assert result.bound is None or result.bound >= best - tolerance(best)


@pytest.mark.parametrize("method", [WeightedAStar(), *LOCAL, Auto()], ids=repr)
@settings(max_examples=100, deadline=None)
@given(families=tables())
def test_other_methods_never_claim_too_much(method: Method, families: FamilyTable) -> None:
    best = best_score(families)
    result = learn(families, method=method)
    assert result.score is not None
    assert result.bound is not None
    assert families.score_of(result.dag) == pytest.approx(result.score, abs=tolerance(best))
    assert result.score <= best + tolerance(best)
    assert result.bound >= best - tolerance(best)
    assert result.status != "optimal" or abs(result.score - best) <= tolerance(best)
    assert bool(result.verify(families))


@pytest.mark.parametrize(
    "prior", [SSP(exclusive, by) for by in get_args(Complexity) for exclusive in (False, True)], ids=str
)
@pytest.mark.parametrize("method", [DP(), AStar(), OrderSearch()], ids=repr)
@settings(max_examples=60, deadline=None)
@given(families=tables(4))
def test_search_space_penalisation(method: Method, prior: SSP, families: FamilyTable) -> None:
    whole = families.with_info(FamilyTableInfo(slack=math.inf, complete=True))
    best = best_score(whole, prior=prior)
    result = learn(whole, method=method, prior=prior)
    assert result.score is not None
    assert result.bound is not None
    assert result.score <= best + tolerance(best)
    assert result.bound >= best - tolerance(best)
    if result.status == "optimal":
        assert abs(result.score - best) <= tolerance(best)
    else:
        assert isinstance(method, OrderSearch)
    assert bool(result.verify(whole)), str(result.verify(whole))
