"""The optimal adjustment sets of many networks, with their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.errors import DataError
from credenet.structures.paths import N_DRAWN, parent_block
from credenet.structures.weighted_networks import SampledNetworks, no_networks


class OptimalSets(NamedTuple):
    """For each pair (x, y) its optimal adjustment sets with their probabilities; without any, x has no effect on y."""

    sets: dict[tuple[str, str], dict[tuple[str, ...], float]]
    n_drawn: int | None


def optimal_sets(networks: SampledNetworks, x: Sequence[str], run: Run) -> OptimalSets:
    """The optimal sets of all networks if they can be visited quickly, else of sampled networks."""
    names = networks.variables
    place = {name: at for at, name in enumerate(names)}
    sums = _core.OptimalSetSums(len(names), np.array([place[name] for name in x], dtype=np.int32))
    listed = networks.parent_blocks()
    blocks = [parent_block(networks.sample(N_DRAWN, seed=run.seed))] if listed is None else listed
    total = 0.0
    for parents, weights in blocks:
        status = sums.add(parents, weights, run.n_threads, run.callback())
        require_end(status, DataError("the estimation of effects was stopped"))
        total += float(weights.sum())
    if total == 0:
        raise no_networks()
    pairs, weights, begins, members = (array.tolist() for array in sums.sums())
    found: dict[tuple[str, str], dict[tuple[str, ...], float]] = {}
    for at, (pair, weight) in enumerate(zip(pairs, weights, strict=True)):
        chosen = tuple(names[member] for member in members[begins[at] : begins[at + 1]])
        found.setdefault((x[pair // len(names)], names[pair % len(names)]), {})[chosen] = weight / total
    return OptimalSets(found, N_DRAWN if listed is None else None)
