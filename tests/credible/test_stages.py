"""Slacks that make astronomically large sets: they grow until all is listed, or it is clear that this cannot be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import Dataset, FamilyTable, credible_classes, credible_networks
from credenet._run.run import Run
from credenet.credible import calls
from credenet.credible.calls import networks_of
from credenet.credible.credible_set import CredibleSet
from credenet.credible.engine import credible_tree
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.enumerator import Budget, What
from credenet.credible.growth import slack_rounds as stages
from credenet.credible.limit import CredibleLimit
from credenet.credible.preparation import CREDIBLE, EnumerationTask
from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.learners.problem import LearningProblem
from credenet.search import cost
from credenet.structures.products.network_products import ComponentNetworks
from credibility_tables import WHOLE, credible
from polls import CtrlC, TimeByHand


def all_families(n: int, seed: int) -> FamilyTable:
    """Every parent set of every variable, with random scores."""
    rng = np.random.default_rng(seed)
    names = [f"v{k}" for k in range(n)]
    sets = [[names[k] for k in range(n) if mask >> k & 1] for mask in range(1 << n)]
    return FamilyTable.from_lists(
        {name: [(float(rng.normal(0, 3)), several) for several in sets if name not in several] for name in names},
        made=WHOLE,
    )


@pytest.mark.parametrize("options", [{"slack": 200.0}, {"bayes_factor": 1e30}, {"ratio": 1.2}])
def test_more_networks_than_can_be_listed(options: dict[str, float]) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, **options)  # type: ignore[arg-type]
    assert found.statistics.seconds < 60
    assert found.optimum is not None
    assert found.status == "memory_limit"
    assert not found.complete
    asked = options.get("slack", math.log(1e30) if "bayes_factor" in options else 0.2 * abs(found.optimum))
    assert found.listing.slack == pytest.approx(asked)
    assert found.listing.complete_slack is not None
    assert found.listing.complete_slack < found.listing.slack
    assert found.n_networks >= 100_000
    assert "(at least)" in repr(found)
    assert "there are more networks than fit into memory; complete within a Bayes factor of" in str(found)


def test_what_is_listed_of_them_is_complete() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_networks(data, slack=200.0)
    assert found.listing.complete_slack is not None
    within = credible_networks(data, slack=found.listing.complete_slack)
    assert within.complete
    assert within.n_networks == found.n_networks
    assert found.verify(data)


def test_more_classes_than_can_be_listed() -> None:
    data = credenet.datasets.asia(1000, seed=1)
    found = credible_classes(data, slack=200.0)
    assert found.statistics.seconds < 60
    assert found.status == "memory_limit"
    assert found.listing.complete_slack is not None
    assert found.n_classes >= 100_000
    assert credible_classes(data, slack=found.listing.complete_slack).n_classes == found.n_classes


@pytest.mark.parametrize("seed", range(2))
def test_all_networks_are_listed_where_they_fit(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(stages, "_MANY", 10)
    families = all_families(5, seed)
    found = credible_networks(families, slack=1e4)
    assert found.complete
    assert found.n_networks == count_dags(5)
    expected = credible(families, 12.0)
    assert set(credible_networks(families, slack=12.0)) == set(expected.networks)
    assert credible_networks(families, slack=1e4, memory_limit=1e5).status == "memory_limit"


def test_a_stop_on_the_way_leaves_no_less_than_the_stage_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "_MANY", 10**12)
    families = all_families(9, 0)
    least = credible_networks(families, bayes_factor=20)
    with TimeByHand(12).set() as hand:
        timed = credible_networks(families, slack=30.0, time_limit=60.0, memory_limit=1e12, on_progress=hand)
    stopped = credible_networks(families, slack=30.0, memory_limit=1e12, on_progress=CtrlC(12))
    for found, status in ((timed, "time_limit"), (stopped, "stopped")):
        assert found.status == status
        assert not found.complete
        assert found.listing.slack == 30.0
        assert found._log_mass >= least._log_mass
        within = found.listing.complete_slack  # The slack is None if the stopped stage found more than the one before.
        assert within is None or credible_networks(families, slack=within).n_networks == found.n_networks


def incomplete(found: CredibleSet) -> CredibleSet:
    return found._with_findings(replace(found._findings, status="time_limit", complete=False, complete_slack=None))


def limit_by_factor(factor: float) -> CredibleLimit:
    return CredibleLimit(factor, None, None)


def test_many_variables_have_a_smaller_set_to_fall_back_on(monkeypatch: pytest.MonkeyPatch) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    at_once = credible_networks(data, bayes_factor=150)
    monkeypatch.setattr(cost, "LARGEST_RESORT", 7)
    by_two = credible_networks(data, bayes_factor=150)
    assert by_two.complete
    assert set(by_two) == set(at_once)

    def stopped(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        if slack <= math.log(20):
            return networks_of(task, slack, run)
        found = networks_of(task, 0.0, run)
        return found._with_findings(replace(found._findings, status="stopped", complete=False, complete_slack=None))

    found = stages.find_by_stages(
        LearningProblem.from_arguments(data, CREDIBLE),
        limit_by_factor(150),
        Run.from_limits(None, None, None, None),
        stopped,
    )
    assert found.status == "stopped"
    assert not found.complete
    assert found.listing.bayes_factor == pytest.approx(150)
    assert found.listing.complete_slack == pytest.approx(math.log(20))
    assert found.n_networks == credible_networks(data, bayes_factor=20).n_networks


def test_families_that_are_missing_make_no_better_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scoring was cut short, networks may be many, but none of them need be credible."""
    data = credenet.datasets.asia(1000, seed=1)
    monkeypatch.setattr(cost, "LARGEST_RESORT", 7)
    at_20 = credible_networks(data, bayes_factor=20, score="bic")

    def searched(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        if slack <= math.log(20):
            return networks_of(task, slack, run)
        few = networks_of(replace(task, families=task.families.restrict(max_parents=1)), slack, run)
        assert few.n_networks > at_20.n_networks
        return incomplete(few)

    found = stages.find_by_stages(
        LearningProblem.from_arguments(data, CREDIBLE, score="bic"),
        limit_by_factor(150),
        Run.from_limits(None, None, None, None),
        searched,
    )
    assert found.optimum == at_20.optimum
    assert set(found) == set(at_20)


def test_scoring_that_is_cut_short_ends_no_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    monkeypatch.setattr(cost, "LARGEST_RESORT", 7)
    at_150 = credible_networks(data, bayes_factor=150)

    def searched(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        found = networks_of(task, slack, run)
        return found._with_findings(replace(found._findings, status="time_limit", complete=False))

    for limit in (limit_by_factor(150), CredibleLimit(None, None, 1 + math.log(150) / abs(at_150.optimum or 0.0))):
        found = stages.find_by_stages(
            LearningProblem.from_arguments(data, CREDIBLE), limit, Run.from_limits(None, None, None, None), searched
        )
        assert found.status == "time_limit"
        assert found.n_networks == at_150.n_networks


def test_a_stop_after_memory_was_full(monkeypatch: pytest.MonkeyPatch) -> None:
    families = all_families(5, 0)
    find = TableEnumerator.find
    statuses = ["memory_limit", "stopped"]

    def limited(enumerator: TableEnumerator, budget: Budget, what: What) -> tuple[ComponentNetworks, str, int]:
        status = statuses.pop(0)
        most = 0 if status == "stopped" else budget.most
        networks, _, n_expanded = find(enumerator, budget._replace(most=most), what)
        return networks, status, n_expanded

    expected = credible_networks(families, slack=3.0)
    monkeypatch.setattr(TableEnumerator, "find", limited)
    found = credible_networks(families, slack=4.0)
    assert found.status == "stopped"
    assert not found.complete
    assert found.listing.complete_slack is None
    assert set(found) == set(expected)
    assert expected.n_networks > 1


def test_what_is_no_source() -> None:
    for function in (credible_networks, credible_classes):
        with pytest.raises(ArgumentError, match=r"data must be .* or a FamilyTable, got \[1, 2\]; make an"):
            function([1, 2])  # type: ignore[arg-type]


@pytest.mark.parametrize("is_raised", [False, True])
def test_the_k_best_that_were_found_before_a_stop(monkeypatch: pytest.MonkeyPatch, is_raised: bool) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    within = credible_networks(data, slack=1.0)

    def stopped(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        if slack <= 1:
            return networks_of(task, slack, run)
        if is_raised:
            raise KeyboardInterrupt
        return incomplete(networks_of(task, 0.0, run))

    monkeypatch.setattr(calls, "networks_of", stopped)
    found = credenet.k_best(data, within.n_networks + 1)
    assert found.status == ("stopped" if is_raised else "time_limit")
    assert not found.complete
    assert set(found) == set(within)
    assert within.n_networks > 1


def test_a_set_that_weighs_more_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    monkeypatch.setattr(cost, "LARGEST_RESORT", 7)

    def stopped(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        found = networks_of(task, slack, run)
        if slack <= math.log(20):
            return found
        return incomplete(found)

    found = stages.find_by_stages(
        LearningProblem.from_arguments(data, CREDIBLE),
        limit_by_factor(150),
        Run.from_limits(None, None, None, None),
        stopped,
    )
    assert found.status == "time_limit"
    assert found.listing.complete_slack is None
    assert found.n_networks == credible_networks(data, bayes_factor=150).n_networks


def test_a_ratio_without_time_for_more_than_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
        found = networks_of(task, slack, run)
        hand.wait(max(run.clock.seconds_left, 0.0))
        return found

    data = credenet.datasets.asia(1000, seed=1)
    limit = CredibleLimit(None, None, 1.01)
    with TimeByHand().set() as hand:
        found = stages.find_by_stages(
            LearningProblem.from_arguments(data, CREDIBLE), limit, Run.from_limits(5.0, None, None, None), slow
        )
    assert found.status == "time_limit"
    assert not found.complete
    assert found.n_networks == credible_networks(data, slack=0.0).n_networks


def test_a_ratio_that_no_network_obeys() -> None:
    table = FamilyTable.from_lists({"a": [(-1.0, ["b"])], "b": [(-1.0, ["a"])]}, made=WHOLE)
    found = credible_networks(table, ratio=1.5)
    assert found.status == "infeasible"
    assert found.complete
    assert found.n_networks == 0


def test_scores_are_checked_before_the_first_stage() -> None:
    data = credenet.datasets.asia(100)
    with pytest.raises(ArgumentError, match="no log probability"):
        credible_networks(data, score="mit", bayes_factor=1e9)
    with pytest.warns(UserWarning, match="AIC"):
        credible_networks(data, score="aic", bayes_factor=200, max_parents=1)
    families = credenet.score_families(data, slack=6.0)
    with pytest.raises(ArgumentError, match="made with a slack of 6"):
        credible_networks(families, slack=7.0)


def test_many_variables_are_given_up_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    monkeypatch.setattr(cost, "LARGEST_TABLE", 7)
    found = credible_networks(data, slack=200.0)
    assert found.status == "memory_limit"
    assert 10_000 <= found.n_networks < 100_000


def test_the_choice_of_a_pair_to_split_by_keeps_to_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wide tables have many pairs that no solution of a linear program tells apart."""
    codes = np.random.default_rng(0).integers(0, 2, (10, 100))
    codes[:, 1] = codes[:, 0]
    data = Dataset({f"v{column}": ["0", "1"] for column in range(100)}, codes)
    usual, n_pairs = credible_tree._effort_of_pair, 0
    with TimeByHand(0).set() as clock:

        def slow(*several: Any) -> float:
            nonlocal n_pairs
            n_pairs += 1
            clock.wait(1.0)
            return usual(*several)

        monkeypatch.setattr(credible_tree, "_effort_of_pair", slow)
        found = credible_networks(data, max_parents=1, time_limit=60, n_threads=1)
    assert 0 < n_pairs <= 61
    assert found.status == "time_limit"
