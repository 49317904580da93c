"""A first network for local search that has an edge for every pair that must be adjacent."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from credenet._run.run import Run
from credenet.errors import KnowledgeError
from credenet.knowledge.knowledge import Knowledge, ParentRules

Parents = list[list[int]]

_MOST_STEPS = 100_000  # Steps of the search for a first network at most, as it may need exponentially many.
_STEPS_PER_POLL = 64  # Steps between two polls; one takes microseconds, or a millisecond with thousands of pairs.


def adjacent_pairs(knowledge: Knowledge | None, variables: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs that must be adjacent, by position."""
    place = {name: at for at, name in enumerate(variables)}
    return [] if knowledge is None else [(place[a], place[b]) for a, b in knowledge.adjacent]


def join_network(
    knowledge: Knowledge | None,
    variables: Sequence[str],
    most: Sequence[int],
    run: Run,
    completed: Callable[[Parents], Parents | None] = lambda parents: parents,
) -> Parents | None:
    """The parents of each variable in a DAG with the required edges and an edge for each adjacent pair, or None.

    The search backtracks: pairs get an edge one after the other, and the last pair tries its other direction when the
    next pair can have no edge, or when the network cannot be completed.

    Parameters
    ----------
    most
        The largest number of parents of each variable, in addition to the limits of the knowledge.
    completed
        Adds parents to a network; returns None if the edges so far allow no valid network.
    """
    rules = (knowledge or Knowledge()).allowed(variables)
    pairs = [
        (a, b)
        for a, b in adjacent_pairs(knowledge, variables)
        if a not in rules.required[b] and b not in rules.required[a]
    ]
    limits = [min(pair) for pair in zip(rules.max_parents, most, strict=True)]
    parents = [set(several) for several in rules.required]
    if any(len(several) > limit for several, limit in zip(parents, limits, strict=True)):
        return None
    go_on = run.callback()
    # ways holds the directions left to try for each joined pair; the first one is in use.
    ways: list[list[tuple[int, int]]] = []
    for step in range(_MOST_STEPS):
        if step % _STEPS_PER_POLL == _STEPS_PER_POLL - 1 and not go_on(0, 0, math.nan, math.nan):
            break
        if len(ways) < len(pairs):
            ways.append([arc for arc in _both_ways(pairs[len(ways)]) if _may_add(arc, parents, rules, limits)])
        else:
            network = completed([sorted(several) for several in parents])
            if network is not None:
                return network
            if not ways:
                return None
            _take_next(ways, parents)
        while ways and not ways[-1]:
            ways.pop()
            if ways:
                _take_next(ways, parents)
        if not ways:
            return None
        tail, head = ways[-1][0]
        parents[head].add(tail)
    raise KnowledgeError(
        "no network to start from was found in which all pairs that must be adjacent are; ilp can tell whether there "
        "is one"
    )


def _both_ways(pair: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return pair, (pair[1], pair[0])


def _take_next(ways: list[list[tuple[int, int]]], parents: list[set[int]]) -> None:
    """Removes the edge of the last pair, whose next direction then comes first."""
    tail, head = ways[-1].pop(0)
    parents[head].discard(tail)


def _may_add(arc: tuple[int, int], parents: list[set[int]], rules: ParentRules, limits: list[int]) -> bool:
    tail, head = arc
    if not rules.possible[head, tail] or len(parents[head]) >= limits[head]:
        return False
    waiting, seen = [tail], {tail}
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent == head:
                return False
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return True
