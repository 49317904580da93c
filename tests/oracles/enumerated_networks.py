"""Networks with probabilities, all listed: what effects are averaged over, without a search."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

import brute
from credenet import DAG, FamilyTable
from slow_learning import all_scores


@dataclass(frozen=True)
class EnumeratedNetworks:
    """DAGs and their probabilities."""

    variables: tuple[str, ...]
    dags: list[DAG]
    shares: list[float]
    among: str = "all networks"
    has_quick_paths: bool = True

    @classmethod
    def of(cls, families: FamilyTable) -> EnumeratedNetworks:
        """All DAGs of at most five variables, weighted by exp(score)."""
        n = len(families.variables)
        scores = all_scores(families)
        weights = np.exp(scores - scores.max())
        found = zip(brute.all_dags(n), (weights / weights.sum()).tolist(), strict=True)
        listed = [(_named(arcs, families.variables), share) for arcs, share in found if share > 0]
        return cls(families.variables, [dag for dag, _ in listed], [share for _, share in listed])

    def parent_set_probabilities(self) -> dict[str, dict[tuple[str, ...], float]]:
        sums: dict[str, dict[tuple[str, ...], float]] = {name: defaultdict(float) for name in self.variables}
        for dag, share in zip(self.dags, self.shares, strict=True):
            for name in self.variables:
                sums[name][dag.parents(name)] += share
        return sums

    def path_probabilities(self) -> dict[tuple[str, str], float]:
        shares: dict[tuple[str, str], list[float]] = {pair: [] for pair in permutations(self.variables, 2)}
        for dag, share in zip(self.dags, self.shares, strict=True):
            for ancestor in self.variables:
                for descendant in dag.descendants(ancestor):
                    shares[ancestor, descendant].append(share)
        return {pair: math.fsum(several) for pair, several in shares.items()}

    def parent_blocks(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.float64]]] | None:
        return self._blocks() if self.has_quick_paths else None

    def _blocks(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.float64]]]:
        for dag, share in zip(self.dags, self.shares, strict=True):
            yield (
                np.array([sum(1 << at for at in parents) for parents in dag.parent_indices], dtype=np.uint64),
                np.array([share]),
            )

    def sample(self, n_networks: int, *, seed: int | None = 0) -> list[DAG]:
        picked = np.random.default_rng(seed).choice(len(self.dags), n_networks, p=self.shares)
        return [self.dags[at] for at in picked.tolist()]


def _named(arcs: brute.Arcs, names: tuple[str, ...]) -> DAG:
    return DAG(names, [(names[tail], names[head]) for tail, head in arcs])
