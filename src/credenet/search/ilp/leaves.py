"""The best network of the living families where these make small components only, or where one is left."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet.families.arrays import FlatFamilies

LARGEST_GROUP = 26  # variables, which take half a gigabyte


class Leaf(NamedTuple):
    """A network by the positions of its families, and whether nothing better is left."""

    families: NDArray[np.int64]
    score: float
    is_finished: bool
    interrupted: bool


class Groups(NamedTuple):
    """The living families, where they stand among all, and the strongly connected components that they make."""

    flat: FlatFamilies
    places: NDArray[np.int64]
    several: list[NDArray[np.int32]]

    @property
    def largest(self) -> int:
        return max(map(len, self.several), default=1)


def groups_of(flat: FlatFamilies, alive: NDArray[np.uint8]) -> Groups:
    """Groups of at least two variables."""
    keep = alive > 0
    kept = flat.kept(keep)
    several = [np.array(group, dtype=np.int32) for group in _core.strong_components(kept.lists) if len(group) > 1]
    return Groups(kept, np.flatnonzero(keep), several)


def best_by_subsets(groups: Groups, callback: CoreCallback | None, n_threads: int = 1) -> Leaf | None:
    """By dynamic programming in each group; None if there is no network."""
    if (np.diff(groups.flat.starts) == 0).any():
        return None
    choice = groups.flat.starts[:-1].copy()
    finished, interrupted = True, False
    for members in groups.several:
        lists = _core.ComponentLists(groups.flat.lists, members)
        outcome = _core.subset_dp(lists, False, 2**62, n_threads, callback)
        interrupted = interrupted or outcome.status == "interrupted"
        if not outcome.families:
            finished = finished and outcome.status == "infeasible"
            if finished:
                return None
            break
        choice[members] = [lists.family(place, k) for place, k in enumerate(outcome.families)]
        finished = finished and outcome.status == "optimal"
    families = groups.places[choice]
    return Leaf(families, math.fsum(groups.flat.scores[choice].tolist()), finished, interrupted)


def only_network(flat: FlatFamilies, alive: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """The living families if every variable has one."""
    families = np.flatnonzero(alive)
    is_single = len(families) == len(flat.starts) - 1 and (np.diff(flat.children[families]) == 1).all()
    return families if is_single else None
