"""The neighbourhood of some variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from credenet.graphs._base import IndexPair


def find_neighbours(n: int, edges: Iterable[IndexPair], start: Sequence[int], depth: int) -> list[int]:
    """The nodes at most ``depth`` edges of any direction away from one of ``start``, ascending."""
    joined: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges:
        joined[a].append(b)
        joined[b].append(a)
    reached = set(start)
    last = list(start)
    for _ in range(depth):
        last = sorted({other for node in last for other in joined[node]} - reached)
        if not last:
            break
        reached.update(last)
    return sorted(reached)
