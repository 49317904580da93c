"""Which networks a bound is about: no network of its scope scores above it, whatever the limits."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import credenet
from credenet import Dataset, FamilyTable, Knowledge, learn, load_families, score_families
from credenet._run.ledger import UnsearchedNetworks
from credenet._run.progress import Progress
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.info import FamilyTableInfo
from credenet.families.tolerance import tolerance
from credenet.scores import MIT, fNML, qNML
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from scoring_strategies import CORE_SCORES, PRIORS, allowed_by_mask, datasets, rules, scores_by_mask
from shared import shared_data
from slow_learning import all_parents

EVERYTHING = Knowledge(no_immoralities=True)  # This knowledge switches pruning off.
# From one at which not even families without parents are scored to one at which all are.
memory_limits = st.floats(2.0, 4.6).map(lambda digits: int(10**digits))


def all_scores(data: Dataset, score: Score, prior: Prior, knowledge: Knowledge | None) -> NDArray[np.float64]:
    """Of each variable with each set of parents as bits; minus infinity where the knowledge forbids it."""
    scores = scores_by_mask(score_families(data, score=score, prior=prior, knowledge=EVERYTHING))
    if knowledge is not None:
        scores[~allowed_by_mask(knowledge, data.variables)] = -math.inf
    return scores


def few_parents(scores: NDArray[np.float64], result: credenet.LearnResult, allowed: Knowledge) -> NDArray[np.float64]:
    """The scores of sets of at most as many parents as the result says, besides those required."""
    names = result.dag.variables
    required = [len(parents) for parents in allowed.allowed(names).required]
    assert result.families_max_parents is not None
    most = result.families_max_parents + np.array(required)
    sizes = np.bitwise_count(np.arange(scores.shape[1]))
    return np.where(sizes[None, :] <= most[:, None], scores, -math.inf)


def best_network(scores: NDArray[np.float64]) -> float:
    n = len(scores)
    return float(scores[np.arange(n), all_parents(n)].sum(axis=1).max())


@settings(max_examples=300, deadline=None)
@given(
    data=datasets() | datasets(5),
    score=st.sampled_from(CORE_SCORES),
    prior=st.sampled_from(PRIORS),
    method=st.sampled_from(["auto", "dp", "ilp", "astar", "order_search"]),
    memory=memory_limits,
    more=st.data(),
)
def test_no_network_scores_above_a_bound_on_all(
    data: Dataset, score: Score, prior: Prior, method: str, memory: int, more: st.DataObject
) -> None:
    knowledge = more.draw(st.none() | rules(data.variables))
    limit = more.draw(st.none() | st.integers(0, 3))
    options: dict[str, Any] = {"score": score, "prior": prior, "knowledge": knowledge, "max_parents": limit}
    try:
        result = learn(data, method=method, memory_limit=memory, **options)
    except ArgumentError:  # A table of all subsets does not fit.
        with pytest.raises(ArgumentError, match="memory"):
            learn(data, method=method, memory_limit=memory, **options)
        return
    rule = Knowledge(max_parents=limit) if limit is not None else Knowledge()
    try:
        allowed = rule if knowledge is None else knowledge.combine(rule)
        best = best_network(all_scores(data, score, prior, allowed))
    except KnowledgeError:  # Required parents and the limit leave no family.
        assert result.status != "optimal"
        return
    if best == -math.inf:  # The table of all families lacks those of a constant variable with required parents.
        return
    assert (result.bound is None) == (result.scope is None)
    assert result.scope != "table"
    assert result.bound is None or best <= result.bound + tolerance(best)
    if result.status == "optimal":
        assert result.score == pytest.approx(best, abs=1e-8)
        assert result.gap == 0
    else:
        if result.families_max_parents is not None:
            assert result.families_bound is not None
            small = best_network(few_parents(all_scores(data, score, prior, allowed), result, allowed))
            assert small <= result.families_bound + tolerance(small)
        else:
            assert (result.score or -math.inf) <= (result.families_bound or math.inf) + tolerance(best)
        assert "optimal" not in str(result).splitlines()[0]


@settings(max_examples=300, deadline=None)
@given(
    data=datasets() | datasets(5) | datasets(weighted=True),
    score=st.sampled_from(CORE_SCORES),
    prior=st.sampled_from(PRIORS),
    slack=st.sampled_from([0.0, 3.0]),
    memory=memory_limits,
    more=st.data(),
)
def test_unscored_parent_sets_score_no_more_than_their_bounds(
    data: Dataset, score: Score, prior: Prior, slack: float, memory: int, more: st.DataObject
) -> None:
    if data.weights is not None and (data.weights.sum() < 1 or isinstance(score, fNML | qNML)):
        data = Dataset(data.states, data.codes)
    knowledge = more.draw(st.none() | rules(data.variables))
    table = score_families(data, score=score, prior=prior, knowledge=knowledge, slack=slack, memory_limit=memory)
    unscored = table.made.unscored
    if table.made.complete or isinstance(score, MIT):
        assert unscored is None
        return
    if unscored is None:
        return
    full, kept = all_scores(data, score, prior, knowledge), scores_by_mask(table)
    for (child, name), mask in itertools.product(enumerate(data.variables), range(1 << data.n_variables)):
        if full[child, mask] == -math.inf or kept[child, mask] > -math.inf:
            continue
        below = max(kept[child, subset] for subset in range(mask + 1) if subset & mask == subset)
        gain, bound = unscored.get(name, (0.0, -math.inf))
        assert full[child, mask] <= below + gain + 1e-8  # The inequality also holds for sets that were ruled out.
        assert full[child, mask] <= max(below + slack, bound) + 1e-8


def test_bounds_on_unscored_sets_are_written_and_read(tmp_path: Any) -> None:
    data = credenet.datasets.asia(200, seed=1)
    table = score_families(data, memory_limit=20_000)
    assert table.made.unscored
    for suffix in (".jkl", ".pss", ".parquet"):
        table.save(tmp_path / f"a{suffix}")
        assert load_families(tmp_path / f"a{suffix}").made == table.made
    some = table.select(data.variables[:3])
    assert some.made.unscored is not None
    assert set(some.made.unscored) <= set(some.variables)
    assert table.filter(np.ones(len(table), dtype=np.bool_)).made.unscored is None
    assert table.merge(table).made.unscored == table.made.unscored


@pytest.mark.parametrize("wrong", [{"a": (1.0,)}, {"a": (-1.0, 0.0)}, {"a": (math.inf, 0.0)}, [1.0], {1: (0.0, 0.0)}])
def test_bounds_on_unscored_sets_are_checked(wrong: Any) -> None:
    with pytest.raises(ArgumentError, match="unscored must be"):
        FamilyTableInfo(unscored=wrong)


def test_what_stopped_scoring_leaves_unknown_is_said() -> None:
    data = credenet.datasets.asia(500, seed=1)
    stopped = learn(data, memory_limit=20_000)
    optimum = learn(data)
    assert stopped.status == "memory_limit"
    assert stopped.gap is not None
    assert stopped.gap > 0
    assert stopped.families_bound == stopped.score
    assert optimum.score is not None
    assert stopped.bound is not None
    assert stopped.bound >= optimum.score
    lines = str(stopped).splitlines()
    proven = "no network with at most 1 parent each scores higher"
    assert lines[0].startswith(f"outcome        {proven}; memory limit after ")
    assert lines[1].strip() == "larger parent sets were not all scored, as memory was full"
    assert repr(stopped).split(", ")[3] == proven
    names = [line.split()[0] for line in lines[: lines.index(f"edges ({len(stopped.dag.edges)})")] if line[0] != " "]
    assert names[-2:] == ["bound", "gap"]  # The weak bound on all networks comes last.
    assert stopped.families_max_parents == stopped.to_dict()["families_max_parents"] == 1
    assert learn(data, max_parents=1).score == stopped.families_bound
    assert stopped.to_dict()["scope"] == "all"
    assert all(point.bound >= optimum.score for point in stopped.trace)
    assert optimum.scope == "all"
    assert stopped.verify(data)


def test_without_a_bound_on_all_networks_there_is_no_gap() -> None:
    """Nothing bounds what MIT gives larger parent sets."""
    data = credenet.datasets.asia(500, seed=1)
    stopped = learn(data, score="mit", memory_limit=20_000)
    assert (stopped.bound, stopped.scope, stopped.gap) == (None, None, None)
    assert stopped.families_bound is not None
    assert all(math.isinf(point.bound) for point in stopped.trace)
    described = stopped.to_dict()
    assert described["bound"] is None
    assert described["families_bound"] == stopped.families_bound
    assert "below the best network" not in repr(stopped)


def test_bounds_that_are_told_hold_for_all_networks() -> None:
    """Progress tells the bound that the result will have, not that of the families alone."""
    beyond = UnsearchedNetworks(gain=5.0, ceiling=-2.0)
    assert beyond.bound(-10.0) == -5.0
    assert beyond.bound(-4.0) == -2.0
    assert UnsearchedNetworks(math.inf).bound(-4.0) == math.inf


def test_a_table_that_is_not_known_to_be_complete_bounds_its_own_networks() -> None:
    data = credenet.datasets.asia(500, seed=1)
    whole = score_families(data)
    assert learn(whole).scope == "all"
    unknown = FamilyTable.from_flat(
        whole.variables, np.diff(whole.flat().starts), whole.flat().scores, whole.flat().sizes, whole.flat().parents
    )
    result = learn(unknown)
    assert (result.status, result.scope, result.gap) == ("optimal", "table", 0.0)
    assert "optimal among the families of the table" in str(result)
    unproven = score_families(data, score="fnml", unproven_bounds=True)
    assert learn(unproven).scope == "table"


def test_limits_on_parents_are_part_of_the_scope() -> None:
    result = learn(credenet.datasets.asia(500, seed=1), max_parents=1)
    assert "optimal with at most 1 parent each" in str(result)


@pytest.mark.parametrize("seconds", [0.3, 1.0])
def test_a_time_limit_is_called_so_only_when_it_is_over(seconds: float) -> None:
    data = credenet.read(shared_data("datasets/alarm1000.csv.gz"))
    climbed = learn(data, method="hill_climb")
    result = learn(data, time_limit=seconds)
    assert (result.status == "time_limit") <= (result.statistics.seconds >= seconds)
    assert result.status in ("time_limit", "iteration_limit", "local_optimum")
    assert result.bound is None or climbed.score is None or result.bound >= climbed.score
    assert bool(result.verify(data))


def test_climbing_goes_on_where_scoring_stopped() -> None:
    """With too little memory for pairs of parents, a climb finds them as long as there is time."""
    data = credenet.datasets.asia(2000, seed=1)
    scored, climbed = learn(data, memory_limit=20_000), learn(data, memory_limit=20_000, time_limit=60)
    assert scored.score is not None
    assert climbed.score is not None
    assert climbed.score > scored.score
    assert climbed.families_bound == scored.families_bound
    assert climbed.families_max_parents == 1
    assert climbed.families_bound is not None
    assert climbed.score > climbed.families_bound
    assert "no network with at most 1 parent each scores higher" in repr(climbed)
    assert "improved by hill climbing" in climbed.provenance.reason
    assert climbed.statistics.seconds < 60
    assert climbed.status == "memory_limit"
    assert climbed.bound is None or climbed.bound >= climbed.score
    assert bool(climbed.verify(data))


def test_progress_never_tells_a_bound_below_the_best_network() -> None:
    data = credenet.read(shared_data("datasets/alarm1000.csv.gz"))
    told: list[Progress] = []
    best = learn(data, max_parents=3).score
    assert best is not None
    result = learn(data, time_limit=2, on_progress=lambda progress: told.append(progress))
    assert replace(result, trace=()).status in ("time_limit", "iteration_limit", "local_optimum")
    for progress in told:
        assert progress.bound is None or not progress.bound < best - tolerance(best)
