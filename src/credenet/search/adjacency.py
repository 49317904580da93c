"""A first network for local search in which pairs that must be adjacent are."""

from __future__ import annotations

from collections.abc import Sequence

from credenet.errors import KnowledgeError
from credenet.knowledge.knowledge import Knowledge, ParentRules

_MOST_STEPS = 100_000  # Steps of the search for a network that joins all pairs, which may take exponentially many.


def adjacent_pairs(knowledge: Knowledge | None, variables: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs that must be adjacent, by position."""
    place = {name: at for at, name in enumerate(variables)}
    return [] if knowledge is None else [(place[a], place[b]) for a, b in knowledge.adjacent]


def joined_network(
    knowledge: Knowledge | None, variables: Sequence[str], max_parents: int | None
) -> list[list[int]] | None:
    """The parents of each variable: those required, and an edge for each adjacent pair; None if there is no such DAG.

    Pairs are joined one after the other, and the last one the other way where the next cannot be joined.
    """
    rules = (knowledge or Knowledge()).allowed(variables)
    pairs = [
        (a, b)
        for a, b in adjacent_pairs(knowledge, variables)
        if a not in rules.required[b] and b not in rules.required[a]
    ]
    most = [limit if max_parents is None else min(limit, max_parents) for limit in rules.max_parents]
    parents = [set(several) for several in rules.required]
    if any(len(several) > limit for several, limit in zip(parents, most, strict=True)):
        return None
    ways: list[list[tuple[int, int]]] = []  # of the pairs joined so far, those left to try; the first is the one taken
    for _ in range(_MOST_STEPS):
        if len(ways) == len(pairs):
            return [sorted(several) for several in parents]
        a, b = pairs[len(ways)]
        ways.append([arc for arc in ((a, b), (b, a)) if _may_add(arc, parents, rules, most)])
        while ways and not ways[-1]:
            ways.pop()
            if ways:
                tail, head = ways[-1].pop(0)
                parents[head].discard(tail)
        if not ways:
            return None
        tail, head = ways[-1][0]
        parents[head].add(tail)
    raise KnowledgeError(
        "no network to start from was found in which all pairs that must be adjacent are; ilp can tell whether there "
        "is one"
    )


def _may_add(arc: tuple[int, int], parents: list[set[int]], rules: ParentRules, most: list[int]) -> bool:
    tail, head = arc
    if not rules.possible[head, tail] or len(parents[head]) >= most[head]:
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
