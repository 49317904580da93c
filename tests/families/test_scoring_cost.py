"""Scoring the small parent sets only, and the cost of scoring them all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge, score_families
from credenet._run.clock import Clock
from credenet.errors import ArgumentError
from credenet.families.scoring.scoring_cost import scoring_cost
from credenet.settings.scores import Score
from scoring_strategies import CORE_SCORES, datasets, rules, scores_by_mask
from shared import shared_data


@settings(max_examples=150, deadline=None)
@given(
    data=datasets(5) | datasets(weighted=True),
    score=st.sampled_from(CORE_SCORES),
    slack=st.sampled_from([0.0, 2.0]),
    up_to=st.integers(0, 4),
    more=st.data(),
)
def test_larger_sets_are_bounded(data: Dataset, score: Score, slack: float, up_to: int, more: st.DataObject) -> None:
    """Against all families: a set that was not kept gains no more over its subsets than the table says."""
    knowledge = more.draw(st.none() | rules(data.variables))
    if knowledge is not None and knowledge.makes_subset_pruning_unsafe:
        knowledge = None
    options: dict[str, Any] = {"score": score, "slack": slack, "knowledge": knowledge}
    whole, some = score_families(data, **options), score_families(data, up_to_parents=up_to, **options)
    required = (knowledge or Knowledge()).allowed(data.variables).required
    for child, name in enumerate(data.variables):
        most = len(required[child]) + up_to
        assert list(some.families(name)) == [family for family in whole.families(name) if len(family.parents) <= most]
    if some.made.complete:
        assert some == whole
        return
    assert some.made.status == "iteration_limit"
    if some.made.unscored is None:
        assert score.short_name in ("fnml", "qnml", "mit") or data.weights is not None
        return
    full, kept = scores_by_mask(whole), scores_by_mask(some)
    for child, name in enumerate(data.variables):
        unscored = some.made.unscored.get(name)
        for mask in range(full.shape[1]):
            if full[child, mask] == -math.inf or kept[child, mask] > -math.inf:
                continue
            best = max(kept[child, other] for other in range(mask + 1) if other & mask == other)
            if unscored is None:  # No unscored set can gain.
                assert full[child, mask] <= best + 1e-8
            else:
                assert full[child, mask] <= best + unscored.gain + 1e-8
                assert full[child, mask] <= unscored.bound + 1e-8


def test_a_stop_after_some_levels_is_no_limit_on_parents() -> None:
    data = credenet.datasets.asia(2000, seed=1)
    some = score_families(data, up_to_parents=1)
    assert (some.made.complete, some.made.max_parents) == (False, 1)
    assert some.made.unscored is not None
    limited = score_families(data, max_parents=1)
    assert (limited.made.complete, limited.made.unscored) == (True, None)
    assert [list(some.families(name)) for name in data.variables] == [
        list(limited.families(name)) for name in data.variables
    ]
    with pytest.raises(ArgumentError, match="up_to_parents must be at least 0, got -1"):
        score_families(data, up_to_parents=-1)
    with pytest.raises(ArgumentError, match="up_to_parents is for search='levels'"):
        score_families(data, up_to_parents=1, search="best_first")


@pytest.mark.parametrize("score", ["bic", "bdeu", "k2"])
@pytest.mark.parametrize("knowledge", [None, Knowledge(required=[("smoke", "dysp")], max_parents={"either": 2})])
def test_the_cost_of_few_variables_is_exact(score: str, knowledge: Knowledge | None) -> None:
    data = credenet.datasets.asia(300, seed=1)
    levels = scoring_cost(data, score=score, knowledge=knowledge)
    assert [level.parents for level in levels] == list(range(len(levels)))
    assert all(level.seconds > 0 and level.n_bytes > 0 for level in levels)
    table = score_families(data, score=score, knowledge=knowledge)
    assert sum(level.families for level in levels) == table.made.evaluated


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_the_cost_of_many_variables_is_estimated(score: str) -> None:
    data = credenet.read(shared_data("datasets", "alarm1000.csv.gz"))
    levels = scoring_cost(data, score=score, max_parents=3, n_threads=1)
    again = scoring_cost(data, score=score, max_parents=3, n_threads=2)
    assert [level.families for level in again] == [level.families for level in levels]
    before = 0
    for level in levels:
        evaluated = score_families(data, score=score, up_to_parents=level.parents).made.evaluated or 0
        assert level.families == pytest.approx(evaluated - before, rel=0.3)
        before = evaluated


def test_the_cost_is_not_measured_for_longer_than_there_is_time() -> None:
    """All sets of two parents and more are then taken to be scored at the pace of those without parents."""
    data = credenet.datasets.asia(300, seed=1)
    late = scoring_cost(data, score="bic", clock=Clock(time_limit=1e-9))
    assert [level.families for level in late] == [8 * math.comb(7, level.parents) for level in late]
    assert len(late) == 8
    in_time = scoring_cost(data, score="bic", clock=Clock(time_limit=3600.0))
    assert [level.families for level in in_time] == [level.families for level in scoring_cost(data, score="bic")]


def test_the_cost_without_hope_ends_early() -> None:
    codes = np.random.default_rng(1).integers(0, 2, size=(1000, 60))
    data = Dataset({f"v{at}": ("a", "b") for at in range(60)}, codes)
    levels = scoring_cost(data, score="k2")
    assert sum(level.families for level in levels) > 1e9
    assert len(levels) < 12
