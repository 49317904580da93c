"""Tables for the tests of branch and cut, and its calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from credenet import FamilyTable, LearnResult
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet.families.arrays import FlatFamilies
from credenet.families.tolerance import tolerance
from credenet.methods import ILP
from credenet.search.components import Component, ComponentResult, components_of
from credenet.search.ilp.branch_and_cut import solve_ilp
from slow_learning import all_parents

FEW_CUTS = ILP(subset_variables=0, max_rounds=1, trials=2, order_iterations=1)


Lists = dict[str, list[tuple[float, list[str]]]]


def drawn_table(seed: int, n: int, *, with_empty: bool = True, most_families: int = 8) -> FamilyTable:
    """Families with scores that make cycles attractive; ties now and then."""
    names = [f"v{place}" for place in range(n)]
    return FamilyTable.from_lists(drawn_lists(seed, names, with_empty=with_empty, most_families=most_families))


def drawn_lists(seed: int, names: list[str], *, with_empty: bool = True, most_families: int = 8) -> Lists:
    rng, n = np.random.default_rng(seed), len(names)
    lists: Lists = {}
    for child in names:
        others = [name for name in names if name != child]
        sets: set[tuple[str, ...]] = set()
        for _ in range(int(rng.integers(0, most_families)) if others else 0):
            sets.add(tuple(sorted(rng.permutation(others)[: rng.integers(1, min(n, 5))])))
        if with_empty or not sets:
            sets.add(())
        digits = int(rng.integers(0, 3))
        lists[child] = [(round(6.0 * len(s) + 10 * rng.standard_normal(), digits), list(s)) for s in sorted(sets)]
    return lists


def run(**limits: Any) -> Run:
    return Run(Clock(limits.get("time_limit")), limits.get("memory", 1e12), 1, 0, limits.get("on_progress"))


def solved(component: Component, method: ILP = FEW_CUTS, **limits: Any) -> ComponentResult:
    given = run(**limits)
    ledger = Ledger(given.clock, 0.0, [component.bound])
    return solve_ilp(method)(component, given, ledger, 0)


def hard_component(seed: int = 6, n: int = 14) -> Component:
    """One that takes several nodes."""
    return components_of(drawn_table(seed, n, most_families=40))[-1]


def check_optimal(families: FamilyTable, result: LearnResult, best: float) -> None:
    assert result.status == "optimal"
    assert result.score is not None
    assert result.bound == result.score
    assert abs(result.score - best) <= tolerance(best)
    assert abs(families.score_of(result.dag) - best) <= tolerance(best)


def networks(flat: FlatFamilies) -> list[np.ndarray]:
    """Every acyclic choice of families as the use of each."""
    n = len(flat.starts) - 1
    place = {
        (child, tuple(flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist())): at
        for at, child in enumerate(flat.children.tolist())
    }
    found = []
    for network in all_parents(n):
        if all((child, parents) in place for child, parents in enumerate(network)):
            x = np.zeros(len(flat.scores))
            x[[place[child, parents] for child, parents in enumerate(network)]] = 1
            found.append(x)
    return found


def complete_table(seed: int, n: int) -> FlatFamilies:
    """All families of n variables with random scores."""
    rng = np.random.default_rng(seed)
    names = [str(place) for place in range(n)]
    subsets = [[names[i] for i in range(n) if mask >> i & 1] for mask in range(1 << n)]
    lists = {child: [(float(rng.normal()), s) for s in subsets if child not in s] for child in names}
    return FamilyTable.from_lists(lists).flat()
