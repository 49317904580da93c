"""Leaves of the tree: nodes whose active families form only small components, or leave a single network."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet.families.arrays import FlatFamilies


class Leaf(NamedTuple):
    """The best network of a leaf by the positions of its families; ``is_finished`` if it is proven.

    ``families`` is None if the search was stopped before every component had a network.
    """

    families: NDArray[np.int64] | None
    score: float
    is_finished: bool
    interrupted: bool


class ActiveComponents(NamedTuple):
    """The active families, their positions among all, and their components of at least two variables."""

    flat: FlatFamilies
    places: NDArray[np.int64]
    several: list[NDArray[np.int32]]

    @property
    def largest(self) -> int:
        return max(map(len, self.several), default=1)


def active_components(flat: FlatFamilies, active: NDArray[np.uint8]) -> ActiveComponents:
    """The strongly connected components of the active families."""
    keep = active > 0
    kept = flat.keep(keep)
    several = [np.array(members, dtype=np.int32) for members in _core.strong_components(kept.lists) if len(members) > 1]
    return ActiveComponents(kept, np.flatnonzero(keep), several)


def best_by_subsets(components: ActiveComponents, callback: CoreCallback | None, n_threads: int = 1) -> Leaf | None:
    """The best network by dynamic programming in each component; None if there is no network."""
    flat = components.flat
    if (np.diff(flat.starts) == 0).any():
        return None
    choice = flat.starts[:-1].copy()
    finished, interrupted = True, False
    for members in components.several:
        lists = _core.ComponentLists(flat.lists, members)
        outcome = _core.subset_dp(lists, False, 2**62, n_threads, callback)
        interrupted = interrupted or outcome.status == "interrupted"
        if outcome.status == "infeasible" and not interrupted:
            return None
        if not outcome.families:
            return Leaf(None, -math.inf, False, interrupted)
        choice[members] = [lists.family(place, k) for place, k in enumerate(outcome.families)]
        finished = finished and outcome.status == "optimal"
    families = components.places[choice]
    return Leaf(families, math.fsum(flat.scores[choice].tolist()), finished, interrupted)


def only_network(flat: FlatFamilies, active: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """The active families if every variable has exactly one; else None."""
    families = np.flatnonzero(active)
    is_single = len(families) == len(flat.starts) - 1 and (np.diff(flat.children[families]) == 1).all()
    return families if is_single else None
