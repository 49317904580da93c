"""Settings of heuristics: each has an effect where it is accepted, and is refused where it would have none."""

from __future__ import annotations

from typing import Any

import pytest

import credenet
from credenet import FamilyTable
from credenet.errors import ArgumentError
from credenet.methods import ARAStar, AStar, AWAStar, BFBnB, WeightedAStar
from credenet.settings.methods import Method

STATIC = {"heuristic": "static", "pattern_size": 2}  # This heuristic is weak, so that the search expands some nodes.
DYNAMIC = {"heuristic": "dynamic"}


@pytest.fixture(scope="module")
def families() -> FamilyTable:
    dag = credenet.random.dag(14, n_edges=26, max_parents=4, seed=3)
    data = credenet.random.network(dag, n_states=3, seed=3).sample(400, seed=3)
    return credenet.score_families(data, score="aic", max_parents=3)


def expanded(families: FamilyTable, method: Method) -> int:
    result = credenet.learn(families, method=method)
    assert result.status == "optimal"
    return result.statistics.expanded


@pytest.mark.parametrize("settings", [STATIC, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize("kind", [WeightedAStar, ARAStar])
def test_a_weight_changes_which_nodes_are_expanded(families: FamilyTable, kind: Any, settings: dict[str, Any]) -> None:
    numbers = {expanded(families, kind(weight=weight, **settings)) for weight in (1, 2, 8)}
    assert len(numbers) > 1


@pytest.mark.parametrize("kind", [WeightedAStar, ARAStar])
def test_a_weight_of_nothing_is_refused(families: FamilyTable, kind: Any) -> None:
    refused = rf"heuristic=simple leaves {kind.short_name} nothing to weight.*use heuristic=static or dynamic, or astar"
    with pytest.raises(ArgumentError, match=refused):
        kind(heuristic="simple")
    with pytest.raises(ArgumentError, match=refused):
        credenet.learn(families, method=f"{kind.short_name}(heuristic=simple, weight=3)")
    assert expanded(families, kind(heuristic="simple", weight=1)) == expanded(families, AStar(heuristic="simple"))


@pytest.mark.parametrize("kind", [WeightedAStar, ARAStar])
def test_patterns_of_one_variable_are_refused_for_a_weight(families: FamilyTable, kind: Any) -> None:
    with pytest.raises(ArgumentError, match=rf"pattern_size=1 leaves {kind.short_name} nothing to weight.*at least 2"):
        kind(pattern_size=1)
    with pytest.raises(ArgumentError, match="pattern_size must be at least 2, got 1"):
        kind(pattern_size=1, heuristic="dynamic")
    simple = expanded(families, AStar(heuristic="simple"))
    assert expanded(families, kind(pattern_size=1, weight=1)) == expanded(families, AStar(pattern_size=1)) == simple


@pytest.mark.parametrize("kind", [AStar, BFBnB, AWAStar, WeightedAStar, ARAStar])
def test_patterns_that_a_heuristic_does_not_have_are_refused(kind: Any) -> None:
    with pytest.raises(ArgumentError, match="heuristic=simple has no patterns; pattern_size is for static"):
        kind(heuristic="simple", pattern_size=4)
