"""Many parent sets in flat arrays: checks, the order of a table, and which sets a subset dominates.

Set k is ``parents[offsets[k]:offsets[k + 1]]``. All variables are treated at once: tables have up to thousands of
variables with few sets each, where a loop over variables would cost more than the work. Sets are found by a hash, the
sum of one random 64-bit number per parent, which prefix sums give for all sets at once; a match of hashes is always
confirmed on the sets themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.errors import ArgumentError

Floats = NDArray[np.float64]
Offsets = NDArray[np.int64]
Places = NDArray[np.int32]
Hashes = NDArray[np.uint64]

_LARGEST_BLOCK = 1 << 22


class FamilyError(ArgumentError):
    """Families that do not make a table; ``family`` is the position of the one at fault, counted over all variables."""

    def __init__(self, message: str, *, family: int | None = None) -> None:
        super().__init__(message)
        self.family = family


@dataclass(frozen=True, eq=False)
class FlatFamilies:
    """The families of all variables: those of variable i are at ``starts[i]`` to ``starts[i + 1]``."""

    starts: Offsets
    scores: Floats
    offsets: Offsets
    parents: Places

    @cached_property
    def lists(self) -> _core.FamilyLists:
        """As the core takes them; the arrays are not copied."""
        return _core.FamilyLists(self.starts, self.scores, self.offsets, self.parents)

    def __reduce__(self) -> tuple[type[FlatFamilies], tuple[Offsets, Floats, Offsets, Places]]:
        return FlatFamilies, (self.starts, self.scores, self.offsets, self.parents)

    @property
    def sizes(self) -> Offsets:
        """The number of parents of every family."""
        return np.diff(self.offsets)

    @property
    def children(self) -> Offsets:
        """The variable of every family."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def taken(self, order: Offsets, counts: Offsets) -> FlatFamilies:
        """Some families in a given order, of which variable i has ``counts[i]``."""
        sizes = self.sizes[order]
        offsets = prefix_sums(sizes)
        places = np.repeat(self.offsets[order] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return FlatFamilies(prefix_sums(counts), self.scores[order], offsets, self.parents[places])

    def moved(self, places: Places, n_variables: int) -> FlatFamilies:
        """The same families among more variables, each variable at a new place; parents ascend."""
        counts = np.zeros(n_variables, dtype=np.int64)
        counts[places] = np.diff(self.starts)
        order = np.argsort(places[self.children], kind="stable")
        taken = self.taken(order, counts)
        parents = places[taken.parents]
        sets = np.repeat(np.arange(len(order)), taken.sizes)
        return replace(taken, parents=parents[np.lexsort((parents, sets))])

    def kept(self, keep: NDArray[np.bool_]) -> FlatFamilies:
        """The families for which ``keep`` is set."""
        counts = np.bincount(self.children[keep], minlength=len(self.starts) - 1)
        return self.taken(np.flatnonzero(keep), counts)


def prefix_sums(counts: Offsets | NDArray[np.bool_]) -> Offsets:
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def canonical(families: FlatFamilies, names: tuple[str, ...]) -> FlatFamilies:
    """The families once checked: parents ascending, best first, then smaller sets, then by their parents."""
    scores, parents, sizes, children = families.scores, families.parents, families.sizes, families.children
    unfit = np.flatnonzero(~np.isfinite(scores))
    if unfit.size:
        at = int(unfit[0])
        raise FamilyError(f"a score of {names[children[at]]!r} is {scores[at]}; it must be finite", family=at)
    sets = np.repeat(np.arange(len(scores)), sizes)
    own = np.flatnonzero(parents == children[sets])
    if own.size:
        at = int(sets[own[0]])
        raise FamilyError(f"variable {names[children[at]]!r} is its own parent", family=at)
    within = sets[1:] == sets[:-1]
    if (within & (parents[1:] <= parents[:-1])).any():
        parents = parents[np.lexsort((parents, sets))]
        twice = np.flatnonzero(within & (parents[1:] == parents[:-1]))
        if twice.size:
            at = int(sets[twice[0]])
            parent = names[parents[twice[0]]]
            raise FamilyError(f"variable {names[children[at]]!r} has the parent {parent!r} twice in a set", family=at)
        families = replace(families, parents=parents)
    _check_distinct(families, names)
    order = _order(families)
    return families if order is None else families.taken(order, np.diff(families.starts))


def _check_distinct(families: FlatFamilies, names: tuple[str, ...]) -> None:
    hashes = _hashes(families, len(names))
    ordered = np.sort(hashes)
    suspects = np.isin(hashes, ordered[1:][ordered[1:] == ordered[:-1]])
    if not suspects.any():
        return
    children = families.children
    seen: set[tuple[int, bytes]] = set()
    for at in np.flatnonzero(suspects).tolist():
        several = families.parents[families.offsets[at] : families.offsets[at + 1]]
        key = int(children[at]), several.tobytes()
        if key in seen:
            shown = ", ".join(names[place] for place in several.tolist())
            raise FamilyError(f"variable {names[key[0]]!r} has the parent set {{{shown}}} twice", family=at)
        seen.add(key)


def joined(first: FlatFamilies, second: FlatFamilies) -> FlatFamilies:
    """The families of both, those of one variable together."""
    n_variables = len(first.starts) - 1
    both = FlatFamilies(
        np.zeros(1, dtype=np.int64),
        np.concatenate((first.scores, second.scores)),
        np.concatenate((first.offsets, second.offsets[1:] + first.offsets[-1])),
        np.concatenate((first.parents, second.parents)),
    )
    children = np.concatenate((first.children, second.children))
    return both.taken(np.argsort(children, kind="stable"), np.bincount(children, minlength=n_variables))


def twins_in(first: FlatFamilies, second: FlatFamilies) -> Offsets:
    """For every family of the second the place of the same family in the first, -1 where there is none."""
    twins = np.full(len(second.scores), -1, dtype=np.int64)
    if not len(first.scores):
        return twins
    n_variables = len(first.starts) - 1
    hashes, wanted = _hashes(first, n_variables), _hashes(second, n_variables)
    by_hash = np.argsort(hashes)
    found = by_hash[np.minimum(np.searchsorted(hashes, wanted, sorter=by_hash), len(by_hash) - 1)]
    alike = (hashes[found] == wanted) & (first.children[found] == second.children)
    alike &= first.sizes[found] == second.sizes
    for size in np.unique(second.sizes[alike]).tolist():
        places = np.flatnonzero(alike & (second.sizes == size))
        reach = np.arange(size)
        ours = first.parents[first.offsets[found[places]][:, None] + reach]
        theirs = second.parents[second.offsets[places][:, None] + reach]
        same = places[(ours == theirs).all(axis=1)]
        twins[same] = found[same]
    return twins


def _parent_numbers(n_variables: int) -> Hashes:
    return np.random.default_rng(1).integers(0, 1 << 64, size=n_variables, dtype=np.uint64)


def _child_numbers(n_variables: int) -> Hashes:
    return np.random.default_rng(2).integers(0, 1 << 64, size=n_variables, dtype=np.uint64)


def _hashes(families: FlatFamilies, n_variables: int) -> Hashes:
    """One number for every family, equal for equal families; sums wrap around."""
    sums = np.zeros(len(families.parents) + 1, dtype=np.uint64)
    np.cumsum(_parent_numbers(n_variables)[families.parents], out=sums[1:])
    hashes: Hashes = sums[families.offsets[1:]] - sums[families.offsets[:-1]]
    hashes += _child_numbers(n_variables)[families.children]
    return hashes


def _order(families: FlatFamilies) -> Offsets | None:
    """The order of a table; None where the families are in it already."""
    children, scores, sizes = families.children, families.scores, families.sizes
    order: Offsets | None = None
    same = children[1:] == children[:-1]
    falls = (scores[1:] < scores[:-1]) | ((scores[1:] == scores[:-1]) & (sizes[1:] >= sizes[:-1]))
    if not (falls | ~same).all():
        order = np.lexsort((sizes, -scores, children))
        scores, sizes = scores[order], sizes[order]
    tied = same & (scores[1:] == scores[:-1]) & (sizes[1:] == sizes[:-1])
    if not tied.any():
        return order
    order = np.arange(len(scores)) if order is None else order
    runs = np.concatenate(([0], np.cumsum(~tied)))
    in_run = np.concatenate((tied, [False])) | np.concatenate(([False], tied))
    for size in np.unique(sizes[in_run]).tolist():
        places = np.flatnonzero(in_run & (sizes == size))
        sets = families.parents[families.offsets[order[places]][:, None] + np.arange(size)]
        order[places] = order[places[np.lexsort((*sets.T[::-1], runs[places]))]]
    return order


def distinct_best(families: FlatFamilies) -> NDArray[np.bool_]:
    """The families, best first, that are not the same set again nor have a proper subset that scores better."""
    keep = ~dominated(families, 0.0)
    hashes = _hashes(families, len(families.starts) - 1)
    order = np.argsort(hashes, kind="stable")  # the best of the same sets comes first
    sizes, children, offsets, parents = families.sizes, families.children, families.offsets, families.parents
    first, again = order[:-1], order[1:]
    same = (hashes[first] == hashes[again]) & (children[first] == children[again]) & (sizes[first] == sizes[again])
    for size in np.unique(sizes[again[same]]).tolist():
        pairs = np.flatnonzero(same & (sizes[again] == size))
        reach = np.arange(size)
        ours, theirs = parents[offsets[first[pairs]][:, None] + reach], parents[offsets[again[pairs]][:, None] + reach]
        keep[again[pairs[(ours == theirs).all(axis=1)]]] = False
    return keep


def dominated(families: FlatFamilies, slack: float) -> NDArray[np.bool_]:
    """The families, best first, of which a proper subset scores better by more than the slack."""
    return _core.dominated_families(families.lists, slack).astype(np.bool_)


def first_inside(families: FlatFamilies, start: int, end: int, inside: NDArray[np.bool_]) -> int | None:
    """The first of some families whose parents are all inside a set; blocks grow, as the first few mostly decide."""
    block = 64
    while start < end:
        stop = min(start + block, end)
        offsets = families.offsets[start : stop + 1]
        outside = prefix_sums(~inside[families.parents[offsets[0] : offsets[-1]]])
        fits = outside[offsets[1:] - offsets[0]] == outside[offsets[:-1] - offsets[0]]
        at = int(fits.argmax())
        if fits[at]:
            return start + at
        start, block = stop, min(2 * block, _LARGEST_BLOCK)
    return None
