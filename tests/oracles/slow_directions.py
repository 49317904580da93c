"""The ways in which networks with shares join pairs, from every network and every equivalent one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import brute
from brute import Arcs

Told = tuple[float, float, float]
"""The shares of →, ← and "data cannot tell"."""


@dataclass(frozen=True)
class PlainRules:
    """Rules as they are written, checked one by one."""

    names: tuple[str, ...]
    given: Mapping[str, Any]

    def obey(self, arcs: Arcs) -> bool:
        """Whether a network on the positions of the names obeys the rules."""
        edges = {(self.names[a], self.names[b]) for a, b in arcs}
        if not edges.issuperset(self.given.get("required", ())) or edges.intersection(self.given.get("forbidden", ())):
            return False
        if any(self._tier(parent) > self._tier(child) for parent, child in edges):
            return False
        n_parents = {name: sum(child == name for _, child in edges) for name in self.names}
        if any(n_parents[name] for name in self.given.get("no_parents", ())):
            return False
        limits = self.given.get("max_parents", {})
        return all(n_parents[name] <= limit for name, limit in limits.items())

    def _tier(self, name: str) -> int:
        tiers = self.given.get("tiers", ())
        return next((at for at, several in enumerate(tiers) if name in several), len(tiers))

    def class_of(self, arcs: Arcs) -> tuple[frozenset[tuple[str, str]], frozenset[frozenset[str]]]:
        """The edges that all equivalent networks that obey the rules share, and the other pairs that are joined."""
        members = self.members(arcs)
        directed, undirected = brute.common(members)
        names = self.names
        return (
            frozenset((names[a], names[b]) for a, b in directed),
            frozenset(frozenset(names[at] for at in pair) for pair in undirected),
        )

    def members(self, arcs: Arcs) -> list[Arcs]:
        """The equivalent networks that obey the rules."""
        return [each for each in brute.members(len(self.names), arcs) if self.obey(each)]


def pair_shares(networks: Collection[tuple[Arcs, float]], rules: PlainRules) -> dict[tuple[str, str], Told]:
    """For each pair that is joined in a network the shares of how it is joined; the shares add up to 1."""
    sums: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for arcs, share in networks:
        directed, undirected = rules.class_of(arcs)
        for a, b in combinations(rules.names, 2):
            if (a, b) in directed:
                sums[a, b]["forward"].append(share)
            elif (b, a) in directed:
                sums[a, b]["backward"].append(share)
            elif frozenset((a, b)) in undirected:
                sums[a, b]["undetermined"].append(share)
    kinds = ("forward", "backward", "undetermined")
    return {pair: tuple(math.fsum(told[kind]) for kind in kinds) for pair, told in sums.items()}  # type: ignore[misc]


def heads(shares: Mapping[tuple[str, str], Told], margin: float) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Edges that must have an arrow head, and edges that may have one, where shares are known up to a margin."""
    directions = {(a, b): (told[0], told[1] + told[2]) for (a, b), told in shares.items()}
    directions |= {(b, a): (told[1], told[0] + told[2]) for (a, b), told in shares.items()}
    must = {edge for edge, (ahead, rest) in directions.items() if ahead > rest + margin}
    return must, {edge for edge, (ahead, rest) in directions.items() if ahead > rest - margin}
