"""Networks of bounded tree-width by integer programming: against all networks, published optima, limits."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet import FamilyTable
from credenet._run.run import Run
from credenet.search.bounded_milp import BoundedNetwork, BoundedOptimum, find_best_bounded
from polls import CtrlC, Polls, Stop, TimeByHand
from shared import shared_data
from slow_learning import all_scores


def drawn_table(seed: int, n: int, *, with_empty: bool = True, most_families: int = 8) -> FamilyTable:
    """Families whose best are large, so that cycles and wide networks are attractive; ties now and then."""
    rng = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child in names:
        others = [name for name in names if name != child]
        n_sets = int(rng.integers(0, most_families + 1)) if others else 0
        sets = {tuple(sorted(rng.permutation(others)[: rng.integers(1, n)])) for _ in range(n_sets)}
        if with_empty or not sets:
            sets.add(())
        digits = int(rng.integers(0, 3))
        lists[child] = [(round(6.0 * len(s) + 10 * rng.standard_normal(), digits), list(s)) for s in sorted(sets)]
    return FamilyTable.from_lists(lists)


@cache
def all_tree_widths(n: int) -> list[int]:
    """The tree-width of the moral graph of every DAG."""
    width = cache(lambda edges: brute.tree_width(n, edges))
    return [width(brute.moral(n, arcs)) for arcs in brute.all_dags(n)]


def best_score(families: FamilyTable, tree_width: int) -> float:
    """By looking at all networks."""
    scores, widths = all_scores(families), np.array(all_tree_widths(len(families.variables)))
    return float(scores[widths <= tree_width].max())


def run(**limits: Any) -> Run:
    return Run.from_limits(limits.get("time_limit"), limits.get("memory_limit"), 1, limits.get("on_progress"))


def check_network(families: FamilyTable, tree_width: int, found: BoundedOptimum) -> None:
    assert found.network is not None
    flat, n = families.flat(), len(families.variables)
    choice = found.network.choice
    assert (flat.starts[:-1] <= choice).all()
    assert (choice < flat.starts[1:]).all()
    spans = zip(flat.offsets[choice], flat.offsets[choice + 1], strict=True)
    arcs = frozenset((p, child) for child, (start, end) in enumerate(spans) for p in flat.parents[start:end].tolist())
    assert brute.is_acyclic(n, arcs)
    cliques = brute.elimination_cliques(n, brute.moral(n, arcs), found.network.elimination_order)
    assert len(cliques) == n
    assert max(map(len, cliques)) <= tree_width + 1
    assert found.score == math.fsum(flat.scores[choice])
    assert found.score <= found.bound


def check_best(families: FamilyTable, tree_width: int, found: BoundedOptimum, best: float) -> None:
    if best == -math.inf:
        assert found.status == "infeasible"
        assert found.network is None
        return
    assert found.status == "optimal"
    check_network(families, tree_width, found)
    assert found.bound == found.score == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("table_variables", [0, 20])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5), with_empty=st.booleans())
def test_finds_the_best_of_all_networks(table_variables: int, seed: int, n: int, *, with_empty: bool) -> None:
    families = drawn_table(seed, n, with_empty=with_empty)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("credenet.search.bounded_milp.QUICK_TABLE", table_variables)
        for tree_width in range(n + 1):
            found = find_best_bounded(families.flat(), tree_width, run())
            check_best(families, tree_width, found, best_score(families, tree_width))


def test_finds_the_same_with_and_without_a_table_of_subsets(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, tree_width in ((0, 2), (1, 3), (3, 2), (4, 3)):
        flat = drawn_table(seed, 9, most_families=40).flat()
        with monkeypatch.context() as patch:
            patch.setattr("credenet.search.bounded_milp.QUICK_TABLE", 0)
            without = find_best_bounded(flat, tree_width, run())
        found = find_best_bounded(flat, tree_width, run())
        assert without.status == found.status == "optimal"
        assert without.score == pytest.approx(found.score, abs=1e-6)


def test_tables_drawn_are_of_all_kinds() -> None:
    """That the test above sees optima that the width lowers, and tables without a network."""
    bests = [
        [best_score(drawn_table(seed, 5, with_empty=False), tree_width) for tree_width in range(5)]
        for seed in range(40)
    ]
    for tree_width in range(1, 4):
        assert any(-math.inf < best[tree_width] < best[tree_width + 1] for best in bests)
    assert any(best[4] == -math.inf for best in bests)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 5), tree_width=st.integers(1, 3), order=st.randoms())
def test_a_first_network_and_an_upper_bound_change_nothing(seed: int, n: int, tree_width: int, order: Any) -> None:
    families = drawn_table(seed, n)
    flat = families.flat()
    first = BoundedNetwork(np.flatnonzero(flat.sizes == 0), order.sample(range(n), n))
    upper_bound = float(all_scores(families).max())
    found = find_best_bounded(flat, tree_width, run(), first=first, upper_bound=upper_bound)
    check_best(families, tree_width, found, best_score(families, tree_width))
    assert found.network is not None
    again = find_best_bounded(flat, tree_width, run(), first=found.network, upper_bound=found.score)
    assert again.status == "optimal"
    assert again.network is found.network
    assert again.n_nodes == 0


def test_what_is_not_a_network_of_the_width_is_not_taken() -> None:
    families = FamilyTable.from_lists(
        {"a": [(0.0, []), (-1.0, ["b"])], "b": [(5.0, ["a"]), (0.0, [])], "c": [(5.0, ["a", "b"]), (0.0, [])]}
    )
    flat = families.flat()
    for choice, order in (([0, 2, 4], [0, 1, 2]), ([1, 2, 5], [0, 1, 2]), ([0, 3, 5], [0, 1, 1])):
        first = BoundedNetwork(np.array(choice), order)
        found = find_best_bounded(flat, 1, run(time_limit=1e-9), first=first)
        assert (found.network, found.status) == (None, "stopped")
    found = find_best_bounded(flat, 1, run(), first=BoundedNetwork(np.array([0, 2, 4]), [0, 1, 2]))
    check_best(families, 1, found, 5.0)


@pytest.mark.parametrize(
    ("name", "tree_width", "best"),
    [
        ("asia_1000.jaa", 1, -2287.97233131),
        ("asia_10000.dat.3.jkl", 1, -23036.76332036),
        ("asia_10000.dat.3.jkl", 2, -22466.39654649),
        ("wine.BIC.3", 1, -1272.17329478),
        ("wine.BIC.3", 2, -1258.44590861),
    ],
)
def test_published_optima(name: str, tree_width: int, best: float) -> None:
    families = credenet.load_families(shared_data("scores", name))
    check_best(families, tree_width, find_best_bounded(families.flat(), tree_width, run()), best)


HARD = drawn_table(4, 10, most_families=60)


@cache
def hard_optimum() -> BoundedOptimum:
    found = find_best_bounded(HARD.flat(), 2, run())
    check_best(HARD, 2, found, found.score)
    return found


@pytest.fixture
def every_call_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.search.bounded_milp._STEP", 0.0)


def check_part(found: BoundedOptimum) -> None:
    best = hard_optimum().score
    assert found.bound >= best - 1e-9
    if found.network is None:
        assert found.score == -math.inf
    else:
        check_network(HARD, 2, found)
    for _, score, bound in found.trace:
        assert score <= best + 1e-6
        assert bound >= best - 1e-6


@pytest.mark.usefixtures("every_call_is_told")
@pytest.mark.parametrize("at", [1, 2, 5, 10, 15, 20])
@pytest.mark.parametrize("kind", [Stop, CtrlC])
def test_stops_with_the_best_so_far(kind: type[Polls], at: int) -> None:
    polls = kind(at)
    found = find_best_bounded(HARD.flat(), 2, run(on_progress=polls))
    check_part(found)
    assert len(polls.seen) >= at
    assert found.status == ("interrupted" if kind is CtrlC else "stopped")


@pytest.mark.usefixtures("every_call_is_told")
def test_stops_when_the_time_is_over() -> None:
    with TimeByHand(20).set() as polls:
        found = find_best_bounded(HARD.flat(), 2, run(time_limit=3600, on_progress=polls))
    check_part(found)
    assert found.status == "stopped"


@pytest.mark.usefixtures("every_call_is_told")
@pytest.mark.parametrize("at", [1, 20])
def test_an_error_of_the_callback_is_passed_on(at: int) -> None:
    class Fails(Polls):
        def act(self) -> bool | None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        find_best_bounded(HARD.flat(), 2, run(on_progress=Fails(at)))


def test_a_stop_keeps_the_first_network() -> None:
    first = BoundedNetwork(np.flatnonzero(HARD.flat().sizes == 0), list(range(10)))
    found = find_best_bounded(HARD.flat(), 2, run(on_progress=Stop(1)), first=first, upper_bound=1000.0)
    assert found.network is first
    assert (found.status, found.bound) == ("stopped", 1000.0)


def test_memory_limit() -> None:
    found = find_best_bounded(HARD.flat(), 2, run(memory_limit=1000))
    assert (found.status, found.network) == ("memory_limit", None)
    check_part(found)


def test_a_program_that_would_take_longer_than_the_time_left_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.search.elimination_program._SECONDS", 1.0)
    found = find_best_bounded(HARD.flat(), 2, run(time_limit=60))
    assert (found.status, found.network, found.n_nodes) == ("stopped", None, 0)
    check_part(found)


def test_no_variables() -> None:
    found = find_best_bounded(FamilyTable.from_lists({}).flat(), 2, run())
    assert (found.status, found.score) == ("optimal", 0.0)
