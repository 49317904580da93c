"""Branch and cut: against all networks and dynamic programming, under limits, and its proofs."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import credenet
from credenet import DAG, FamilyTable, learn
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet.families.arrays import FlatFamilies, distinct_best
from credenet.families.tolerance import tolerance
from credenet.methods import DP, ILP
from credenet.search.components import components_of
from credenet.search.ilp.branch_and_cut import BranchAndCut
from credenet.search.ilp.cuts import CuttingPlanes
from credenet.search.ilp.leaves import active_components, best_by_subsets
from credenet.search.ilp.linear_program import CompactBasis, LinearProgram, Solution
from credenet.search.ilp.multipliers import Multipliers
from credenet.types import Progress
from ilp_cases import (
    FEW_CUTS,
    Lists,
    check_optimal,
    complete_table,
    drawn_lists,
    drawn_table,
    hard_component,
    run,
    solved,
)
from polls import every_poll
from shared import shared_data
from slow_learning import best_score

BY_SPLITTING = ILP(subset_variables=0, order_iterations=1)  # Dynamic programming does not help.


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.lists(st.integers(14, 16), min_size=2, max_size=3),
    at=st.integers(1, 60),
)
def test_a_leaf_that_is_stopped_has_a_network_or_none(seed: int, sizes: list[int], at: int) -> None:
    """The families that are best by themselves close cycles, so they must not stand in for what was not found."""
    lists: Lists = {}
    for group, size in enumerate(sizes):
        lists |= drawn_lists(seed + group, [f"{group}v{place}" for place in range(size)])
    flat = FamilyTable.from_lists(lists).flat()
    components = active_components(flat, np.ones(len(flat.scores), dtype=np.uint8))
    n_polls = itertools.count(1)
    with every_poll():
        leaf = best_by_subsets(components, lambda *_: next(n_polls) < at)
    assert leaf is not None
    if leaf.families is None:
        assert not leaf.is_finished
        return
    parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in leaf.families]
    DAG.from_indices(list(lists), parents)  # This refuses cycles.
    best = best_by_subsets(components, None)
    assert best is not None
    assert leaf.score == best.score if leaf.is_finished else leaf.score <= best.score


@pytest.mark.parametrize("method", [ILP(), BY_SPLITTING, FEW_CUTS], ids=["usual", "splitting", "few cuts"])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5))
def test_finds_the_best_of_all_networks(method: ILP, seed: int, n: int) -> None:
    families = drawn_table(seed, n)
    check_optimal(families, learn(families, method=method), best_score(families))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 5))
def test_families_without_the_empty_set(seed: int, n: int) -> None:
    families = drawn_table(seed, n, with_empty=False)
    best = best_score(families)
    result = learn(families, method=BY_SPLITTING)
    if best == -math.inf:
        assert result.status == "infeasible"
        assert result.score is None
    else:
        check_optimal(families, result, best)


@pytest.mark.parametrize("method", [ILP(subset_variables=4), FEW_CUTS], ids=["usual", "few cuts"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(6, 12))
def test_agrees_with_dynamic_programming(method: ILP, seed: int, n: int) -> None:
    families = drawn_table(seed, n, most_families=25)
    best = learn(families, method=DP()).score
    assert best is not None
    check_optimal(families, learn(families, method=method), best)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("wine.BIC.3", -1258.44590861),
        ("child-5000.jkl", -62059.5035),
        ("sachs-5000.jkl", -36511.4101),
        ("survey-5000.jkl", -19710.9160),
        ("water-5000.jkl", -65865.8128),
        ("alarm_100_1_3.scores", -1349.227422),
        ("asia_10000.dat.3.jkl", -22466.39654649),
    ],
)
def test_published_optima(name: str, best: float) -> None:
    families = credenet.load_families(shared_data("scores", name))
    result = learn(families, method="ilp")
    assert result.status == "optimal"
    assert result.score == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "score", "max_parents", "best"),
    [
        ("alarm1000.csv.gz", "bic", 4, -11783.052412),
        ("hailfinder500.csv.gz", "bdeu", 3, -27178.578484),
        ("carpo100.csv", "bic", 4, -2000.213165),
    ],
)
def test_optima_of_data(name: str, score: str, max_parents: int, best: float) -> None:
    data = credenet.read(shared_data("datasets", name), header=False)
    families = credenet.score_families(data, score=score, max_parents=max_parents, states="observed")
    result = learn(families, method="ilp")
    assert result.status == "optimal"
    assert result.score == pytest.approx(best, abs=1e-6)


def test_optimum_does_not_depend_on_the_seed_and_the_run_repeats() -> None:
    component = hard_component()
    first, again = solved(component), solved(component)
    assert first.choice is not None
    assert again.choice is not None
    assert first.choice.tolist() == again.choice.tolist()
    assert (first.score, first.bound, first.expanded, first.generated) == (
        again.score,
        again.bound,
        again.expanded,
        again.generated,
    )
    assert first.expanded > 1


@pytest.mark.parametrize("last", [1, 2, 3, 5, 8, 13, 21, 34, 55])
def test_stopped_at_any_time_says_the_truth(last: int) -> None:
    component = hard_component()
    best = solved(component).score
    calls = 0

    def on_progress(progress: Progress) -> bool:
        nonlocal calls
        calls += 1
        assert progress.score is None or progress.score <= best + tolerance(best)
        assert progress.bound is None or progress.bound >= best - tolerance(best)
        return calls < last

    part = solved(component, on_progress=on_progress)
    assert part.status in ("stopped", "optimal")
    assert part.score <= best + tolerance(best)
    assert part.bound >= best - tolerance(best)
    assert part.proof is not None
    assert best - tolerance(best) <= part.proof.bound(component.flat) <= part.bound + tolerance(best)


def test_interrupt_gives_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    component = hard_component()
    best = solved(component).score
    original, calls = LinearProgram.solve, 0

    def solve(self: LinearProgram, max_iterations: int | None = None) -> Solution:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return original(self, max_iterations)

    monkeypatch.setattr(LinearProgram, "solve", solve)
    part = solved(component)
    assert part.status == "interrupted"
    assert part.score <= best + tolerance(best)
    assert part.bound >= best - tolerance(best)


def test_memory_limit() -> None:
    part = solved(hard_component(), memory=1000.0)
    assert part.status == "memory_limit"
    assert part.choice is not None


@pytest.mark.parametrize("seed", range(4))
def test_a_solver_that_talks_nonsense_does_no_harm(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    families = drawn_table(seed, 6, most_families=12)
    best = best_of(families)
    rng = np.random.default_rng(seed)
    original = LinearProgram.solve

    def solve(self: LinearProgram, max_iterations: int | None = None) -> Solution:
        found = original(self, max_iterations)
        values = rng.exponential(size=len(found.multipliers.values))
        x = rng.random(len(found.x)) if rng.random() < 0.5 else np.zeros(len(found.x))
        return Solution(x, Multipliers(found.multipliers.rows, values), True, bool(rng.random() < 0.2))

    monkeypatch.setattr(LinearProgram, "solve", solve)
    check_optimal(families, learn(families, method=BY_SPLITTING), best)


def best_of(families: FamilyTable) -> float:
    best = learn(families, method=DP()).score
    assert best is not None
    return best


def test_columns_that_were_left_out_are_priced_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.search.ilp.relaxation.MANY_COLUMNS", 10)
    monkeypatch.setattr("credenet.search.ilp.relaxation.FIRST_COLUMNS", 1)
    for seed in range(10):
        families = drawn_table(seed, 9, most_families=20, with_empty=seed % 2 == 0)
        result = learn(families, method=BY_SPLITTING)
        reference = learn(families, method=DP())
        assert result.status == reference.status
        for best in filter(None, [reference.score]):
            check_optimal(families, result, best)


def test_columns_that_were_dropped_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.search.ilp.relaxation.COLUMNS_PER_ROW", 0)
    monkeypatch.setattr("credenet.search.ilp.relaxation.FEW_COLUMNS", 10)
    original, n_dropped, n_back = LinearProgram.drop_columns, 0, 0
    add_columns, gone = LinearProgram.add_columns, set[int]()

    def drop(self: LinearProgram, wanted: NDArray[np.bool_]) -> None:
        nonlocal n_dropped
        before = set(self.columns.tolist())
        original(self, wanted)
        gone.update(before - set(self.columns.tolist()))
        n_dropped += len(before) - len(self.columns)

    def add(self: LinearProgram, families: NDArray[np.int64]) -> None:
        nonlocal n_back
        n_back += len(gone & set(families.tolist()))
        add_columns(self, families)

    monkeypatch.setattr(LinearProgram, "drop_columns", drop)
    monkeypatch.setattr(LinearProgram, "add_columns", add)
    for seed in range(4):
        families = drawn_table(seed, 10, most_families=40)
        gone.clear()
        check_optimal(families, learn(families, method=BY_SPLITTING), best_of(families))
    assert n_dropped > 0
    assert n_back > 0


def test_a_basis_in_little_memory() -> None:
    flat = complete_table(3, 4)
    cuts = CuttingPlanes(flat)
    program = LinearProgram(cuts.rows, flat, np.arange(len(flat.scores)))
    program.add_rows([cuts.add(1, [0, 1]), cuts.add(1, [1, 2, 3]), cuts.add(1, [0, 1, 2, 3]), cuts.add(1, [2, 3])])
    best = program.solve()
    start = CompactBasis.from_basis(program.basis())
    other = LinearProgram(cuts.rows, flat, flat.starts[:-1].astype(np.int64))
    other.add_rows([cuts.add(1, [0, 2])])
    other.solve()
    other.start_from(start)
    again = other.solve(0)
    assert set(start.tight_rows.tolist()) <= set(other.numbers)
    assert (other.slack_rows()[np.isin(other.numbers, start.tight_rows)] == 0).all()
    assert flat.scores @ again.x == pytest.approx(flat.scores @ best.x)


def test_goes_on_where_a_deadline_stopped_it() -> None:
    component = hard_component()
    whole = solved(component)
    for n_reports in (2, 5, 9):
        search, n_left = BranchAndCut(FEW_CUTS), n_reports

        def stop(_: object) -> bool:
            nonlocal n_left
            n_left -= 1
            return n_left > 0

        ledger = Ledger(Clock(), 0.0, [component.bound])
        parts = [search(component, replace(run(), on_progress=stop), ledger, 0)]
        assert parts[0].status == "stopped"
        while parts[-1].status == "stopped":
            n_left = n_reports = 2 * n_reports
            parts.append(search(component, replace(run(), on_progress=stop), ledger, 0))
        last = parts[-1]
        assert (last.status, last.bound) == ("optimal", last.score)
        assert abs(last.score - whole.score) <= tolerance(whole.score)
        assert last.proof is not None
        assert last.proof.bound(component.flat) <= whole.score + tolerance(whole.score)
        assert sum(part.generated for part in parts) == len(last.proof.inequalities)
        bounds = [part.bound for part in parts]
        assert bounds == sorted(bounds, reverse=True)


def test_rows_that_age_and_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.search.ilp.cuts.OLD", 1)
    monkeypatch.setattr("credenet.search.ilp.cuts.MANY_ROWS", 3)
    monkeypatch.setattr("credenet.search.ilp.cuts.MOST_SMALL", 3)
    dropped = 0
    for seed in range(6):
        families = drawn_table(seed, 16, most_families=60)
        component = components_of(families)[-1]
        part = solved(component, ILP(subset_variables=0, max_rounds=60, order_iterations=1))
        best = solved(component, ILP()).score
        assert abs(part.score - best) <= tolerance(best)
        assert part.bound == part.score
        assert part.proof is not None
        assert part.proof.bound(component.flat) <= best + tolerance(best)
        dropped += len(part.proof.inequalities) - len(set(part.proof.inequalities))
    assert dropped > 0  # Some rows came back after they had been dropped.


def test_rows_keep_their_numbers_over_fewer_families() -> None:
    flat = complete_table(1, 4)
    cuts = CuttingPlanes(flat)
    numbers = [cuts.add(1, [0, 1]), cuts.add(2, [0, 1, 2]), cuts.add(-1, [3, 1, 0, 2])]
    keep = np.random.default_rng(1).random(len(flat.scores)) < 0.6
    keep[flat.starts[:-1]] = True
    x = keep / np.bincount(flat.children[keep])[flat.children]  # Every variable has one unit of mass.
    before = cuts.rows.violations(x)
    cuts.compact(flat.keep(keep))
    assert cuts.rows.violations(x[keep])[numbers] == pytest.approx(before[numbers], abs=1e-12)


def test_the_best_of_the_same_sets_is_kept() -> None:
    starts = np.array([0, 4, 5])
    scores = np.array([5.0, 4.0, 3.0, 2.0, 0.0])
    offsets = np.array([0, 1, 2, 2, 3, 3])
    parents = np.array([1, 1, 1], dtype=np.int32)
    flat = FlatFamilies(starts, scores, offsets, parents)
    assert distinct_best(flat).tolist() == [True, False, True, False, True]
