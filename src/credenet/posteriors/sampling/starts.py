"""Networks from which chains start: good ones from different seeds, and those of two opposite orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import N_SEEDS
from credenet._run.run import Run
from credenet.errors import ArgumentError
from credenet.families.arrays import FlatFamilies, first_inside
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.search.dag_sums import MOST_NATS, OUT_OF_RANGE
from credenet.search.local import NO_START

Network = NDArray[np.int64]
"""For each variable the position of a family in the table."""

_ITERATIONS = 200  # Iterations of the order search for the first start.
_SHARE = 0.1  # Share of the time for the order search.


def take_starts(families: FamilyTable, networks: Sequence[DAG], n_chains: int) -> list[Network]:
    """The user's networks, repeated if there are more chains."""
    if not networks:
        raise ArgumentError("starts must have at least one network")
    places = [np.array(families.positions(network), dtype=np.int64) for network in networks]
    return [families.flat().starts[:-1] + places[chain % len(places)] for chain in range(n_chains)]


def find_starts(families: FamilyTable, n_chains: int, seed: int, run: Run) -> list[Network] | None:
    """A network for each chain; None if no network exists.

    The first is the best one that an order search finds in a share of the time. The last two have the best families of
    a random order and of the opposite order, so that each variable precedes each other one in one of them. The networks
    between are local optima of one descent each.
    """
    flat = families.flat()
    starts = [_search(flat, seed, _ITERATIONS, run)]
    starts += [_search(flat, seed + chain, 1, None) for chain in range(1, n_chains)]
    if any(start is None for start in starts):
        return None
    order = np.random.default_rng([seed, n_chains]).permutation(len(families.variables)).tolist()
    for chain, one in ((n_chains - 1, order), (n_chains - 2, order[::-1])):
        far = _choose_in_order(flat, one)
        if far is not None and chain > 0:
            starts[chain] = far
    return [np.asarray(start) for start in starts]


def replace_out_of_range(families: FamilyTable, networks: Sequence[Network]) -> list[Network]:
    """The networks whose weight a chain can represent, repeated to replace the others."""
    flat = families.flat()
    best = np.maximum.reduceat(flat.scores, flat.starts[:-1])
    kept = [network for network in networks if (best - flat.scores[network]).max() < MOST_NATS]
    if not kept:
        raise ArgumentError(OUT_OF_RANGE)
    return [kept[chain % len(kept)] for chain in range(len(networks))] if len(kept) < len(networks) else kept


def _search(flat: FlatFamilies, seed: int, iterations: int, run: Run | None) -> Network | None:
    callback = None if run is None else run.callback(share=_SHARE)
    outcome = _core.order_search(flat.lists, NO_START, seed % N_SEEDS, iterations, 1, 1, callback)
    if run is not None and outcome.status == "interrupted":
        run.stop.is_asked = True
    if not outcome.families and outcome.status != "infeasible":
        return _search(flat, seed, 1, None)  # The search was stopped without a network, so one descent follows.
    return flat.starts[:-1] + np.array(outcome.families, dtype=np.int64) if outcome.families else None


def _choose_in_order(flat: FlatFamilies, order: list[int]) -> Network | None:
    """The best families in an order; None if the order allows no family of some variable."""
    n = len(flat.starts) - 1
    placed = np.zeros(n, dtype=np.bool_)
    network = np.empty(n, dtype=np.int64)
    for variable in order:
        family = first_inside(flat, int(flat.starts[variable]), int(flat.starts[variable + 1]), placed)
        if family is None:
            return None
        network[variable] = family
        placed[variable] = True
    return network
