"""``auto`` on data: whatever it decides to score, its network, bound and status are right."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, Knowledge, learn, score_families
from credenet._run.run import Run
from credenet.families.scoring import core_scoring, scoring_cost
from credenet.families.scoring.exploring import FamilyExplorer
from credenet.families.scoring.scoring_budget import ScoringBudget, ScoringDepth, family_seconds
from credenet.families.scoring.scoring_cost import LevelCost
from credenet.families.tolerance import tolerance
from credenet.learners import automatic, exploring_search
from credenet.priors import Uniform
from credenet.scores import BDeu
from credenet.types import Progress
from polls import CtrlC, TimeByHand, every_poll
from scoring_strategies import datasets


@contextmanager
def deciding(*, quick: float = 0.0, budget: float = 4.0, enough: int = 3) -> Iterator[None]:
    """As if the data were larger: what can be scored at once, what within the budget, and what is enough."""
    with (
        mock.patch.object(automatic, "QUICK_SCORING", quick),
        mock.patch.object(automatic, "SCORING_SECONDS", budget),
        mock.patch.object(automatic, "SCORING_SHARE", min(budget, automatic.SCORING_SHARE)),
        mock.patch.object(automatic, "ENOUGH_PARENTS", enough),
    ):
        yield


def sampled(n_rows: int, seed: int = 0) -> Dataset:
    return credenet.textbook.asia().sample(n_rows, seed=seed)


@settings(max_examples=60, deadline=None)
@given(data=datasets(5), score=st.sampled_from(["bdeu", "bic", "qnml"]), depth=st.integers(1, 4))
def test_by_levels_it_is_the_optimum_or_bounded(data: Dataset, score: str, depth: int) -> None:
    best = learn(data, score=score, method="dp").score
    assert best is not None
    costs = [LevelCost(at, 1.0, 0.0, 0.0) for at in range(5)]
    budget = (depth + 1.5) * family_seconds(data)
    with (
        deciding(quick=-1.0, budget=budget, enough=1),
        mock.patch.object(automatic, "_costs", return_value=costs),
        mock.patch.object(automatic, "_n_families", return_value=(0, 0)),
    ):
        result = learn(data, score=score)
    assert result.has_network
    assert result.score is not None
    assert result.score <= best + tolerance(best)
    assert result.bound is None or result.bound >= best - tolerance(best)
    assert result.status != "optimal" or result.score == pytest.approx(best, abs=1e-8)
    assert result.verify(data)


@settings(max_examples=40, deadline=None)
@given(data=datasets(5), score=st.sampled_from(["bdeu", "bic"]))
def test_explored_to_the_end_it_is_hardly_worse_than_the_optimum(data: Dataset, score: str) -> None:
    best = learn(data, score=score, method="dp").score
    assert best is not None
    with deciding(budget=-1.0):
        result = learn(data, score=score)
    assert result.score == pytest.approx(best, abs=1e-6)  # Restarts leave every other local optimum of five variables.
    assert result.status == "local_optimum"
    assert result.bound is None or result.bound >= best - tolerance(best)
    assert "explored" in result.provenance.reason
    assert result.verify(data)


def test_knowledge_and_limits_are_obeyed() -> None:
    data = sampled(500)
    rules = Knowledge(required=[("asia", "tub")], forbidden=[("either", "xray")], tiers=[["asia", "smoke"], ["xray"]])
    for budget in (-1.0, 4.0):
        with deciding(budget=budget):
            result = learn(data, knowledge=rules, max_parents=2)
        assert rules.violations(result.dag) == []
        assert max(map(len, result.dag.parent_indices)) <= 2
        assert result.verify(data)


@pytest.mark.parametrize("budget", [-1.0, 4.0])
@pytest.mark.parametrize("calls", [0, 1, 3])
def test_a_stop_at_any_moment_leaves_a_network(budget: float, calls: int) -> None:
    data = sampled(2000)
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) <= calls

    with deciding(budget=budget):
        result = learn(data, on_progress=stop, time_limit=20.0)
    assert (result.status == "stopped") == (len(seen) > calls)
    assert result.score == pytest.approx(credenet.score(data, result.dag).total, abs=1e-6)


def test_a_time_limit_ends_the_exploration() -> None:
    data = sampled(2000)
    with deciding(budget=-1.0), mock.patch.object(exploring_search, "PATIENCE", 10**9):
        result = learn(data, time_limit=1.0)
    assert result.status == "time_limit"
    assert [point.score for point in result.trace] == sorted(point.score for point in result.trace)


def test_an_interruption_between_two_searches_leaves_a_network() -> None:
    data = sampled(2000)
    with (
        deciding(budget=-1.0),
        mock.patch.object(exploring_search.ExploringSearch, "explore", side_effect=KeyboardInterrupt),
    ):
        result = learn(data)
    assert result.status == "stopped"
    assert result.verify(data)


def test_an_interruption_of_the_estimate_leaves_a_network() -> None:
    data = sampled(2000)
    whole = core_scoring.core_families

    def interrupted(*arguments: Any) -> Any:
        return whole(*arguments)._replace(status="interrupted")

    with deciding(budget=4.0), mock.patch.object(scoring_cost, "core_families", interrupted):
        result = learn(data)
    assert result.status == "stopped"
    assert result.verify(data)


def test_hardly_any_time_leaves_a_network() -> None:
    data = sampled(2000)
    with deciding(budget=-1.0):
        result = learn(data, time_limit=1e-6)
    assert result.status == "time_limit"
    assert result.families_bound is None
    assert result.verify(data)


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    data = sampled(300)
    for budget in (-1.0, 4.0):
        with deciding(budget=budget):
            first, second = (learn(data, n_threads=n_threads, seed=3) for n_threads in (1, 2))
        assert first.score == pytest.approx(second.score)


def test_an_exploration_that_ends_before_each_variable_has_a_family() -> None:
    with deciding(budget=-1.0), every_poll(), Machine(0.5, working=0.5).set() as machine:
        result = learn(sampled(300, seed=4), on_progress=machine, n_threads=1)
    assert result.verify(sampled(300, seed=4))


class Machine(TimeByHand):
    """A machine on which a poll comes after so many seconds, of which the call works for some."""

    def __init__(self, seconds: float, working: float = 1 / 16) -> None:
        super().__init__()
        self.seconds, self.working = seconds, working

    def __call__(self, progress: Progress) -> None:
        self.seen.append(progress)
        self.wait(self.seconds, working=self.working)


def test_a_busy_machine_gives_the_same_answer_later() -> None:
    data = sampled(300, seed=4)
    results = []
    for machine in (Machine(1 / 16), Machine(5 / 16)):
        with deciding(budget=-1.0), every_poll(), machine.set():
            results.append((learn(data, on_progress=machine, n_threads=1, seed=3), len(machine.seen)))
    (free, n_free), (busy, n_busy) = results
    assert n_busy == n_free
    assert (busy.graph, busy.score, busy.bound, busy.status) == (free.graph, free.score, free.bound, free.status)
    assert [point.score for point in busy.trace] == [point.score for point in free.trace]
    assert busy.statistics.seconds == pytest.approx(5 * free.statistics.seconds)


def test_a_busy_machine_keeps_the_time_limit() -> None:
    machine = Machine(5 / 16)
    with deciding(budget=-1.0), every_poll(), machine.set():
        result = learn(sampled(300, seed=4), on_progress=machine, n_threads=1, time_limit=5.0)
    assert result.statistics.seconds <= 5.0 + 5 * machine.seconds


def test_what_is_explored_near_a_network_is_at_least_as_good() -> None:
    data = sampled(400, seed=2)
    truth = credenet.textbook.asia().dag
    explorer = FamilyExplorer(data, BDeu(), Uniform(), None, None, "declared", Run.from_limits(None, None, 1, None))
    assert explorer.explore_near(truth, 4, lambda *_: None) == "complete"
    table = explorer.table()
    everything = score_families(data)
    for child, parents in enumerate(truth.parent_indices):
        name = data.variables[child]
        inside = [family for family in table.families(name) if set(family.parents) <= set(truth.parents(name))]
        assert inside, parents
        wanted = credenet.score(data, DAG(data.variables, [(parent, name) for parent in truth.parents(name)]))
        assert max(family.score for family in inside) >= wanted.local[name] - 1e-9
        known = {family.parents: family.score for family in everything.families(name)}
        for family in table.families(name):
            assert known.get(family.parents, family.score) == pytest.approx(family.score)


def test_the_first_family_within_a_network_is_found() -> None:
    random = np.random.default_rng(0)
    table = score_families(sampled(200), slack=5.0)
    flat = table.flat()
    for _ in range(20):
        order = random.permutation(len(table.variables))
        network = [sorted(order[: int(np.flatnonzero(order == v)[0])].tolist()) for v in range(len(order))]
        found = flat.locate(network)
        for v, parents in enumerate(network):
            sets = [
                set(flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist())
                for at in range(flat.starts[v], flat.starts[v + 1])
            ]
            assert found[v] == next(at for at, members in enumerate(sets) if members <= set(parents))


def test_depths_stay_within_budget_and_memory() -> None:
    costs = [LevelCost(at, 10.0**at, math.nan, 100 * 10.0**at) for at in range(6)]
    within = automatic._depths(costs, ScoringBudget(2000.0, math.inf, 1.0))
    assert [depth.parents for depth in within] == [3]
    # The largest depth is too small to be worth its cost.
    assert automatic._depths(costs, ScoringBudget(200.0, math.inf, 1.0)) == []
    assert [depth.parents for depth in automatic._depths(costs, ScoringBudget(20_000.0, math.inf, 1.0))] == [3, 4]
    assert [depth.parents for depth in automatic._depths(costs, ScoringBudget(20_000.0, 2e5, 1.0))] == [3]
    last = automatic._depths(costs[:3], ScoringBudget(2000.0, math.inf, 1.0))
    assert last == [ScoringDepth(2, 111.0, is_last=True)]


def test_ctrl_c_at_any_poll_ends_the_search() -> None:
    data = sampled(300)
    costs = [LevelCost(at, 1.0, 0.0, 0.0) for at in range(6)]
    budget = 3.5 * family_seconds(data)
    at = 1
    with (
        every_poll(),
        deciding(quick=-1.0, budget=budget, enough=1),
        mock.patch.object(automatic, "_costs", return_value=costs),
        mock.patch.object(automatic, "_n_families", return_value=(0, 0)),
    ):
        while True:
            polls = CtrlC(at)
            status = learn(data, on_progress=polls).status
            if len(polls.seen) < at:
                break
            assert (at, status) == (at, "stopped")
            assert len(polls.seen) <= at + 3
            at += 1 + at // 8
    assert status == "iteration_limit"
    assert at > 50
