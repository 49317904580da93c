"""A first network for local search whose numbers of parents the prior allows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credenet import _core


def place_parents(rules: Sequence[_core.ChildRules], kept: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """The parents of each variable; None if the prior and the rules allow no network with these parents.

    Each variable gets the parents ``kept``, which include the required ones, and more if needed. Variables are placed
    one after the other, with parents among those placed before. A variable that can be placed still can be when more
    variables are placed, so the choice of the next one does not matter.
    """
    parents: list[list[int]] = [[] for _ in rules]
    placed: set[int] = set()
    waiting = list(range(len(rules)))
    while waiting:
        allowed = {
            child: several
            for child in waiting
            if (several := _parents_among(rules[child], kept[child], placed)) is not None
        }
        if not allowed:
            return None
        for child, several in allowed.items():
            parents[child] = several
        placed.update(allowed)
        waiting = [child for child in waiting if child not in allowed]
    return parents


def _parents_among(rule: _core.ChildRules, kept: Sequence[int], placed: set[int]) -> list[int] | None:
    """The smallest allowed parent set among the placed variables; None if there is none yet."""
    if not placed.issuperset(kept):
        return None
    further = [candidate for candidate in rule.candidates.tolist() if candidate in placed and candidate not in kept]
    for size in range(len(kept), min(rule.max_parents, len(kept) + len(further)) + 1):
        if math.isfinite(rule.log_factors[size]):
            return sorted([*kept, *further[: size - len(kept)]])
    return None
