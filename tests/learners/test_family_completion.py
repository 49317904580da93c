"""Completion of families within the bags of a network, against all networks within the bags."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, LearnResult, learn
from credenet._run.run import Run
from credenet.families.tolerance import tolerance
from credenet.learners.problem import LearningProblem
from credenet.learners.tree_width import bounded_learning, bounded_scoring, family_completion
from credenet.learners.tree_width.bounded_scoring import score_bounded
from credenet.learners.tree_width.family_completion import plan_completion
from credenet.priors import SSP
from credenet.settings.bounded_methods import S2Plus
from family_strategies import small_data
from slow_learning import best_score

METHODS = ("s2", "s2_plus", "kp", "kp_plus", "kmax", "kg", "annealing")
QUICK = {name: f"{name}(iterations=2)" for name in METHODS} | {
    "s2": "s2(iterations=2, orders=1)",
    "s2_plus": "s2_plus(iterations=2, orders=1)",
}


@contextmanager
def few_families(*, completes: bool = True, seconds: float = 1e-9) -> Iterator[None]:
    """Only few families are scored before the search, and its bags are left as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_scoring, "_WHOLE_SECONDS", seconds)
        patch.setattr(bounded_learning, "_narrow_bags", lambda bounded, _: bounded)
        if not completes:
            patch.setattr(bounded_learning, "plan_completion", lambda *_: None)
        yield


def wide_data(n: int = 40) -> Dataset:
    """Data of a random network, most of whose families are not scored."""
    dag = credenet.random.dag([f"v{at}" for at in range(n)], n_edges=2 * n, seed=2)
    return credenet.random.network(dag, seed=2).sample(1000, seed=1)


def check(result: LearnResult, data: Dataset) -> None:
    verification = result.verify(data)
    assert verification, str(verification)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), width=st.integers(1, 3), max_parents=st.sampled_from([None, 1, 2]))
def test_the_best_within_its_bags(method: str, seed: int, width: int, max_parents: int | None) -> None:
    data = small_data(seed)
    options: dict[str, Any] = {"method": QUICK[method], "tree_width": width, "max_parents": max_parents}
    with few_families(completes=False):
        before = learn(data, **options)
    with few_families():
        after = learn(data, **options)
    assert before.score is not None
    assert after.score is not None
    assert after.decomposition is not None
    assert after.score >= before.score - tolerance(before.score)
    assert "the best network within its bags" in after.provenance.reason
    whole = credenet.score_families(data, slack=1e6, max_parents=max_parents)
    best = best_score(whole, within=after.decomposition.bags)
    assert after.score == pytest.approx(best, abs=tolerance(best))
    assert after.decomposition.width <= width
    assert after.trace[-1].score == after.score
    check(after, data)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), draw=st.data())
def test_under_knowledge_and_priors(method: str, seed: int, draw: st.DataObject) -> None:
    data = small_data(seed)
    knowledge = Knowledge(
        required=draw.draw(st.sampled_from([[], [("a", "b")], [("a", "d"), ("b", "d")]])),
        forbidden=draw.draw(st.sampled_from([[], [("d", "e"), ("a", "c")]])),
    )
    prior = draw.draw(st.sampled_from(["uniform", SSP()]))
    options: dict[str, Any] = {"method": QUICK[method], "tree_width": 2, "knowledge": knowledge, "prior": prior}
    with few_families(completes=False):
        before = learn(data, **options)
    with few_families():
        after = learn(data, **options)
    assert (before.score is None) == (after.score is None)
    scores = [-math.inf if result.score is None else result.score for result in (before, after)]
    assert scores[1] >= scores[0] - 1e-9
    assert not after.has_network or not knowledge.violations(after.dag)
    check(after, data)


class TestWideData:
    @pytest.mark.parametrize("method", ["s2_plus(iterations=5)", "kp_plus(iterations=5)", "kmax(iterations=1)"])
    def test_what_is_gained_is_said(self, method: str) -> None:
        data = wide_data()
        with few_families(completes=False, seconds=2e-3):
            before = learn(data, method=method, tree_width=3)
        with few_families(seconds=2e-3):
            after, again = (learn(data, method=method, tree_width=3, n_threads=threads) for threads in (1, 2))
        assert before.score is not None
        assert after.score is not None
        assert after.bound is None
        assert after.families_bound is not None
        assert after.families_max_parents is None
        assert before.score < after.score <= after.families_bound
        assert f"the best network within its bags is {after.score - before.score:.6g} nats better" in (
            after.provenance.reason
        )
        assert after.status == before.status == "complete"
        assert after.statistics.families is not None
        assert before.statistics.families is not None
        assert after.statistics.families > before.statistics.families
        assert (again.dag, again.score) == (after.dag, after.score)
        check(after, data)

    def test_a_stop_ends_the_completion(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data, stopped = wide_data(), []
        whole = family_completion._score_bags

        def score_then_stop(*arguments: Any) -> Any:
            stopped.append(True)
            return whole(*arguments)

        monkeypatch.setattr(family_completion, "_score_bags", score_then_stop)
        with few_families():
            result = learn(data, method="kmax(iterations=1)", tree_width=3, on_progress=lambda _: not stopped)
        assert stopped
        assert result.status == "stopped"
        assert result.has_network
        check(result, data)

    def test_a_time_limit_allows_it(self) -> None:
        data = wide_data()
        with few_families(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(bounded_scoring, "_WHOLE_SHARE", 1e-12)
            patch.setattr(bounded_scoring, "_SHARE", 1e-9)
            result = learn(data, method="kmax(iterations=1)", tree_width=3, time_limit=60.0)
        assert result.status == "complete"
        assert "the best network within its bags" in result.provenance.reason
        check(result, data)

    def test_no_time_left_keeps_what_the_search_found(self) -> None:
        data = wide_data()
        with few_families(), pytest.MonkeyPatch.context() as patch:
            whole = family_completion._score_bags
            patch.setattr(
                family_completion,
                "_score_bags",
                lambda bags, task, most: whole(bags, replace(task, run=task.run.end_within(seconds=0.0)), most),
            )
            result = learn(data, method="kmax(iterations=1)", tree_width=3)
        assert result.has_network
        assert "were not all scored, or not searched, as a limit was reached" in result.provenance.reason
        check(result, data)


class TestPlan:
    @staticmethod
    def plan(width: int, *, table: bool = False, complete: bool = False, **limits: Any) -> Any:
        data = wide_data()
        problem = LearningProblem.from_arguments(data, S2Plus(), tree_width=width)
        with few_families():
            families = score_bounded(problem, width, Run.from_limits(None, None, 1, None)).table
        assert not families.made.complete
        if complete:
            families = credenet.score_families(data, max_parents=1)
        if table:
            problem = LearningProblem.from_arguments(families, credenet.methods.KMax(), tree_width=width)
        run = Run.from_limits(limits.get("time_limit"), limits.get("memory_limit"), 1, None)
        return plan_completion(families, problem, width, run)

    def test_all_parents_if_the_limits_allow_it(self) -> None:
        assert [self.plan(width).most_parents for width in (1, 2, 4)] == [1, 2, 4]

    def test_no_plan_without_time_memory_or_unscored_families(self) -> None:
        assert self.plan(4, time_limit=1e-3) is None
        assert self.plan(4, memory_limit=1e4) is None
        assert self.plan(4, complete=True) is None
        assert self.plan(4, table=True) is None
        assert self.plan(8) is None

    def test_fewer_parents_if_there_are_too_many_families(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(family_completion, "MOST_FAMILIES", 40 * 5 * (1 + 4 + 6))
        assert self.plan(4).most_parents == 2

    def test_the_search_leaves_time_for_it(self) -> None:
        plan, run = self.plan(4), Run.from_limits(60.0, None, 1, None)
        assert plan.shorten(run).clock.time_limit == 60.0 - plan.reserve
        assert plan.reserve > plan.seconds
        endless = Run.from_limits(None, None, 1, None)
        assert plan.shorten(endless) is endless

    def test_it_is_short(self) -> None:
        assert 0 < self.plan(4).seconds < 0.5
        assert math.isfinite(self.plan(7).seconds)
