"""Climbing on data with a prior on whole networks: the best of all limits on the number of parents, as defined."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, LearnResult, learn
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.tolerance import tolerance
from credenet.priors import SSP, count_dags
from family_strategies import small_data
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from slow_learning import best_score

CLIMBING = ("hill_climb", "hill_climb(restarts=0)", "tabu")
AFTER_TESTS = ("mmhc", "pc(then=hill_climb)", "rai(then=tabu)")


def last_columns(seed: int, n: int) -> Dataset:
    data = small_data(seed)
    return data.select(data.variables[-n:])


def penalty(prior: SSP, result: LearnResult) -> float:
    """The log of the prior, by its definition."""
    n = len(result.dag)
    d = max(map(len, result.dag.parent_indices))
    fewer = count_dags(n, d - 1) if prior.exclusive and d > 0 else 0
    return -math.log(count_dags(n, d) - fewer)


def best_of_single_climbs(data: Dataset, prior: SSP, **options: Any) -> float:
    """The best of one climb for each limit on the number of parents, after the penalty."""
    scores = []
    for limit in range(data.n_variables):
        try:
            result = learn(data, max_parents=limit, **options)
        except KnowledgeError:
            continue
        if result.score is not None:
            scores.append(result.score + penalty(prior, result))
    return max(scores, default=-math.inf)


def check(result: LearnResult, data: Dataset, prior: SSP, score: str, knowledge: Knowledge | None) -> None:
    """The score is that of the network, the network obeys, and all claims hold."""
    assert result.score is not None
    again = credenet.score(data, result.dag, score=score).total + penalty(prior, result)
    assert result.score == pytest.approx(again, abs=tolerance(again))
    assert result.score == pytest.approx(credenet.score(data, result.dag, score=score, prior=prior).total)
    assert knowledge is None or not knowledge.violations(result.dag)
    assert bool(result.verify(data)), str(result.verify(data))


@st.composite
def rules(draw: st.DrawFn, names: tuple[str, ...], kinds: list[str]) -> Knowledge:
    pairs = st.lists(st.permutations(names).map(lambda order: (order[0], order[1])), max_size=2, unique=True)
    several: dict[str, Any] = {kind: draw(pairs) for kind in kinds}
    try:
        return Knowledge(**several, max_parents=draw(st.sampled_from([None, 1, 2])))
    except KnowledgeError:
        reject()


@pytest.mark.parametrize("method", CLIMBING)
@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    prior=st.sampled_from([SSP(), SSP(exclusive=True)]),
    score=st.sampled_from(["bdeu", "bic"]),
    kinds=st.sampled_from([[], ["required"], ["forbidden"], ["adjacent"], ["forbidden", "adjacent"]]),
    drawn=st.data(),
)
def test_at_least_the_best_single_climb_and_never_above_the_definition(
    method: str, n: int, seed: int, prior: SSP, score: str, kinds: list[str], drawn: st.DataObject
) -> None:
    data = last_columns(seed, n)
    knowledge = drawn.draw(rules(data.variables, kinds if n > 1 else []))
    options: dict[str, Any] = {"method": method, "score": score, "knowledge": knowledge}
    optimum = best_score(credenet.score_families(data, score=score, slack=1e6), knowledge=knowledge, prior=prior)
    try:
        result = learn(data, prior=prior, **options)
    except KnowledgeError:
        assert optimum == -math.inf
        return
    if result.status == "infeasible":
        assert optimum == -math.inf
        return
    assert result.status == "local_optimum"
    assert result.score is not None
    assert best_of_single_climbs(data, prior, **options) - tolerance(optimum) <= result.score
    assert result.score <= optimum + tolerance(optimum)
    check(result, data, prior, score, knowledge)


@pytest.mark.parametrize("method", AFTER_TESTS)
@settings(max_examples=20, deadline=None)
@given(n=st.integers(2, 5), seed=st.integers(0, 10**6), drawn=st.data())
def test_after_tests_of_independence(method: str, n: int, seed: int, drawn: st.DataObject) -> None:
    data = last_columns(seed, n)
    knowledge = Knowledge(forbidden=drawn.draw(rules(data.variables, ["forbidden"])).forbidden)
    options: dict[str, Any] = {"method": method, "knowledge": knowledge}
    result = learn(data, prior="ssp", **options)
    check(result, data, SSP(), "bdeu", knowledge)
    assert result.score is not None
    assert best_of_single_climbs(data, SSP(), **options) - tolerance(result.score) <= result.score


def test_a_larger_network_is_at_least_as_good_as_by_any_single_climb() -> None:
    data = credenet.textbook.asia().sample(400, seed=2)
    for method in CLIMBING:
        result = learn(data, method=method, prior="ssp", n_threads=1)
        assert result.score is not None
        assert result.score >= best_of_single_climbs(data, SSP(), method=method) - tolerance(result.score)
        scores = [point.score for point in result.trace]
        assert all(a < b for a, b in pairwise(scores))
        assert scores[-1] == result.score
        again = learn(data, method=method, prior="ssp", n_threads=3)
        assert (again.graph, again.score) == (result.graph, result.score)
        most = max(map(len, result.dag.parent_indices))
        expected = f"climbs under limits on the number of parents; that of the best network is {most}"
        assert result.provenance.reason == expected


@pytest.mark.parametrize("method", ["hill_climb", "tabu", "mmhc"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9])
@pytest.mark.parametrize(
    ("kind", "status"),
    [(Stop, "stopped"), (CtrlC, "stopped"), (TimeByHand, "time_limit")],
    ids=["callback", "ctrl_c", "clock"],
)
def test_a_stop_leaves_the_best_so_far(method: str, share: float, kind: type[Polls], status: str) -> None:
    data = credenet.textbook.asia().sample(200, seed=3)
    seen = Polls(0)
    with every_poll():
        learn(data, method=method, prior="ssp", n_threads=1, on_progress=seen)
    polls = kind(1 + round(share * (len(seen.seen) - 1)))
    with every_poll():
        if isinstance(polls, TimeByHand):
            with polls.set():
                result = learn(data, method=method, prior="ssp", n_threads=1, time_limit=60.0, on_progress=polls)
        else:
            result = learn(data, method=method, prior="ssp", n_threads=1, on_progress=polls)
    assert result.status == status
    check(result, data, SSP(), "bdeu", None)


def test_more_variables_than_can_be_counted_are_refused() -> None:
    wide = Dataset({f"v{place}": ["0", "1"] for place in range(4097)}, np.zeros((2, 4097), dtype=np.uint8))
    with pytest.raises(ArgumentError, match=r"at most 4,096 variables can be counted for SSP, got 4,097"):
        learn(wide, method="hill_climb", prior="ssp")


@settings(max_examples=30, deadline=None)
@given(n=st.integers(3, 5), seed=st.integers(0, 10**6), score=st.sampled_from(["bdeu", "bic"]))
def test_exclusive_optima_of_data_need_one_slack_for_all_in_degrees(n: int, seed: int, score: str) -> None:
    data, prior = last_columns(seed, n), SSP(exclusive=True)
    result = learn(data, method="dp", score=score, prior=prior)
    best = best_score(credenet.score_families(data, score=score, slack=1e6), prior=prior)
    assert result.status == "optimal"
    assert result.score == pytest.approx(best, abs=tolerance(best))
