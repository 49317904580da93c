"""The exact searches of the core for networks of bounded tree-width, on real data and through the bindings."""

import pytest

import credenet
from credenet import FamilyTable, _core


@pytest.fixture(scope="module")
def families() -> FamilyTable:
    return credenet.score_families(credenet.datasets.asia(), max_parents=3)


def test_a_wide_bound_gives_the_unrestricted_optimum(families: FamilyTable) -> None:
    lists = families.flat().lists
    best = credenet.learn(families, method="dp").score
    for tree_width in (len(families.variables) - 1, len(families.variables), 50):
        found = _core.bounded_dp(lists, tree_width, 1 << 30, 1)
        assert found.status == "optimal"
        assert found.score == pytest.approx(best, abs=1e-9)


def test_a_wider_bound_is_never_worse_and_bags_hold_the_families(families: FamilyTable) -> None:
    lists = families.flat().lists
    scores = []
    for tree_width in range(len(families.variables)):
        found = _core.bounded_dp(lists, tree_width, 1 << 30, 2)
        within = _core.best_within(lists, found.bags, found.bag_parents)
        assert within.score == pytest.approx(found.score, abs=1e-9)
        assert max(len(bag) for bag in found.bags) == tree_width + 1
        known = _core.bounded_dp(lists, tree_width, 1 << 30, 1, at_least=found.score)
        assert known.score == pytest.approx(found.score, abs=1e-9)
        scores.append(found.score)
    assert scores == sorted(scores)
    assert scores[0] < scores[1] < scores[-1]


def test_limits_and_mistakes(families: FamilyTable) -> None:
    lists = families.flat().lists
    assert _core.bounded_dp(lists, 2, 1000, 1).status == "memory_limit"
    assert _core.bounded_dp(lists, 2, 1 << 30, 1, at_least=0.0).status == "infeasible"
    assert _core.bounded_dp_bytes(8, 2) < _core.bounded_dp_bytes(9, 2)
    assert _core.bounded_dp_steps(8, 2) < _core.bounded_dp_steps(8, 3)
    with pytest.raises(ValueError, match="tree decomposition"):
        _core.best_within(lists, [[0, 1]], [-1])
