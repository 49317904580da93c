"""A network for local search to begin with that has as many parents of each variable as the prior allows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credenet import _core


def placed_network(rules: Sequence[_core.ChildRules], kept: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """The parents of each variable; None if no network has numbers of parents that the prior and the rules allow.

    Each variable has the parents ``kept``, its required ones among them, and maybe more. Variables are placed one after
    the other, each with parents among those placed before. A variable that can be placed stays so when more are there,
    so it does not matter which is placed first.
    """
    parents: list[list[int]] = [[] for _ in rules]
    placed: set[int] = set()
    waiting = list(range(len(rules)))
    while waiting:
        found = {
            child: several
            for child in waiting
            if (several := _parents_among(rules[child], kept[child], placed)) is not None
        }
        if not found:
            return None
        for child, several in found.items():
            parents[child] = several
        placed.update(found)
        waiting = [child for child in waiting if child not in found]
    return parents


def _parents_among(rule: _core.ChildRules, kept: Sequence[int], placed: set[int]) -> list[int] | None:
    """The fewest parents that are allowed, if so many of them are placed."""
    if not placed.issuperset(kept):
        return None
    further = [candidate for candidate in rule.candidates.tolist() if candidate in placed and candidate not in kept]
    for size in range(len(kept), min(rule.max_parents, len(kept) + len(further)) + 1):
        if math.isfinite(rule.log_factors[size]):
            return sorted([*kept, *further[: size - len(kept)]])
    return None
