"""Tables and knowledge of whole networks for the tests of branch and cut."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from credenet import DAG, FamilyTable, Knowledge
from slow_learning import all_parents


def unpruned(families: FamilyTable) -> FamilyTable:
    """The same, said to lack nothing that was dropped for a better subset."""
    return families.with_info(replace(families.made, slack=math.inf))


def drawn_table(seed: int, n: int, *, share: float = 1.0) -> FamilyTable:
    """Families with random scores: all of them, or a share of those that have parents."""
    rng = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {name: [] for name in names}
    taste, digits = rng.normal(scale=2), int(rng.integers(0, 4))
    for child in names:
        for mask in range(1 << n):
            parents = [name for place, name in enumerate(names) if mask >> place & 1]
            if child not in parents and (not parents or rng.random() < share):
                lists[child].append((round(taste * len(parents) + 4 * rng.standard_normal(), digits), parents))
    return unpruned(FamilyTable.from_lists(lists))


@st.composite
def independences(draw: st.DrawFn, names: list[str]) -> tuple[list[str], list[str], list[str]]:
    order = draw(st.permutations(names))
    last = draw(st.integers(2, len(order)))
    first = draw(st.integers(1, last - 1))
    return order[:first][:2], order[first:last][:2], order[last:]


def use_of(families: FamilyTable, parents: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 for each family of a network, given by the parents of each variable in bits."""
    flat = families.flat()
    bits = np.add.reduceat(np.append(1 << flat.parents.astype(np.int64), 0), flat.offsets[:-1]) * (flat.sizes > 0)
    return np.where(bits == parents[flat.children], 1.0, 0.0)


@cache
def all_networks(n: int) -> NDArray[np.float64]:
    """Every network on n variables as the use of each family of a complete table."""
    return np.array([use_of(drawn_table(0, n), parents) for parents in all_parents(n)])


@cache
def obedient(knowledge: Knowledge, n: int) -> NDArray[np.int64]:
    """Which of all networks obey."""
    names = [f"v{place}" for place in range(n)]
    parents = [[[k for k in range(n) if mask >> k & 1] for mask in several] for several in all_parents(n).tolist()]
    return np.flatnonzero([not knowledge.violations(DAG.from_indices(names, several)) for several in parents])
