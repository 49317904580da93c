"""Many parent sets in flat arrays: checks, the order of a table, and the sets that a subset dominates.

Set k is ``parents[offsets[k]:offsets[k + 1]]``. All variables are processed at once: a table may
have thousands of variables with few sets each, and a loop over variables would cost more than the work itself. Sets
are found by a hash, the sum of one random 64-bit number per parent; prefix sums give the hashes of all sets at once.
Equal hashes are always confirmed on the sets themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credenet import _core
from credenet.errors import ArgumentError

Floats = NDArray[np.float64]
Offsets = NDArray[np.int64]
Places = NDArray[np.int32]
Hashes = NDArray[np.uint64]

_FIRST_BLOCK = 64  # Families in the first block of a search for a fitting one, which is usually near the start.
_LARGEST_BLOCK = 1 << 22  # Families in the largest block of such a search, which takes some megabytes.


class FamilyError(ArgumentError):
    """Raised for families that form no table; ``family`` is the position of the invalid one among all families."""

    def __init__(self, message: str, *, family: int | None = None) -> None:
        super().__init__(message)
        self.family = family


@dataclass(frozen=True, eq=False)
class FlatFamilies:
    """The families of all variables: those of variable i are at ``starts[i]`` to ``starts[i + 1]``.

    Examples
    --------
    >>> import credenet
    >>> flat = credenet.score_families(credenet.datasets.asia(), score="bic").flat()
    >>> int(flat.starts[-1]) == len(flat.scores)
    True
    """

    starts: Offsets
    scores: Floats
    offsets: Offsets
    parents: Places

    @cached_property
    def lists(self) -> _core.FamilyLists:
        """The families in the form that the core takes; the arrays are not copied."""
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

    def parents_of(self, family: int) -> list[int]:
        """The parents of the family at a position among those of all variables."""
        parents: list[int] = self.parents[self.offsets[family] : self.offsets[family + 1]].tolist()
        return parents

    def take(self, order: Offsets, counts: Offsets) -> FlatFamilies:
        """The families at the positions ``order``; variable i has ``counts[i]`` of them."""
        sizes = self.sizes[order]
        offsets = prefix_sums(sizes)
        places = np.repeat(self.offsets[order] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return FlatFamilies(prefix_sums(counts), self.scores[order], offsets, self.parents[places])

    def move(self, places: Places, n_variables: int) -> FlatFamilies:
        """These families in a table of more variables: variable i moves to ``places[i]``, parents of a set ascend."""
        counts = np.zeros(n_variables, dtype=np.int64)
        counts[places] = np.diff(self.starts)
        order = np.argsort(places[self.children], kind="stable")
        taken = self.take(order, counts)
        parents = places[taken.parents]
        sets = np.repeat(np.arange(len(order)), taken.sizes)
        return replace(taken, parents=parents[np.lexsort((parents, sets))])

    def select(self, variables: Offsets) -> FlatFamilies:
        """The families of ``variables``, in that order, that have parents among ``variables`` only."""
        new = np.full(len(self.starts) - 1, -1, dtype=np.int32)
        new[variables] = np.arange(len(variables), dtype=np.int32)
        outside = prefix_sums(new[self.parents] < 0)
        inside = outside[self.offsets[1:]] == outside[self.offsets[:-1]]
        spans = zip(self.starts[variables], self.starts[variables + 1], strict=True)
        kept = [start + np.flatnonzero(inside[start:end]) for start, end in spans]
        counts = np.array([len(places) for places in kept], dtype=np.int64)
        taken = self.take(concatenate(kept, np.int64), counts)
        return replace(taken, parents=new[taken.parents])

    def locate(self, network: Sequence[Sequence[int]]) -> Places:
        """For each variable the position in its list of the first family whose parents are its parents in a network.

        The variable may have further parents in the network. Every variable must have such a family.
        """
        n_variables = len(self.starts) - 1
        members = np.zeros((n_variables, n_variables), dtype=np.bool_)
        for variable, parents in enumerate(network):
            members[variable, list(parents)] = True
        is_outside = ~members[np.repeat(self.children, self.sizes), self.parents]
        outside = prefix_sums(is_outside)
        inside = np.flatnonzero(outside[self.offsets[1:]] == outside[self.offsets[:-1]])
        return np.asarray(inside[np.searchsorted(inside, self.starts[:-1])] - self.starts[:-1], dtype=np.int32)

    def keep(self, keep: NDArray[np.bool_]) -> FlatFamilies:
        """The families for which ``keep`` is True."""
        counts = np.bincount(self.children[keep], minlength=len(self.starts) - 1)
        return self.take(np.flatnonzero(keep), counts)


def prefix_sums(counts: Offsets | NDArray[np.bool_]) -> Offsets:
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def number_vector(values: ArrayLike, what: str) -> Floats:
    array = _one_dimension(values, what)
    if array.size and array.dtype.kind not in "fiu":
        raise FamilyError(f"{what} must be numbers")
    return array.astype(np.float64)


def whole_vector(values: ArrayLike, what: str) -> NDArray[np.int64]:
    array = _one_dimension(values, what)
    if array.size and array.dtype.kind not in "iu":
        raise FamilyError(f"{what} must be whole numbers")
    return array.astype(np.int64)


def _one_dimension(values: ArrayLike, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:  # The rows differ in length.
        raise FamilyError(f"{what} must have one dimension") from None
    if array.ndim != 1:
        raise FamilyError(f"{what} must have one dimension, got {array.ndim}")
    return array


def concatenate(parts: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([*parts, np.empty(0, dtype=kind)], dtype=kind)


def check_flat(
    variables: tuple[str, ...], counts: Offsets, scores: Floats, sizes: Offsets, parents: NDArray[np.int64] | Places
) -> FlatFamilies:
    """The families, ``counts[i]`` of them of variable i; raises `FamilyError` if a parent is no variable."""
    offsets = prefix_sums(sizes)
    strange = np.flatnonzero((parents < 0) | (parents >= len(variables)))
    if strange.size:
        family = int(np.searchsorted(offsets, strange[0], side="right")) - 1
        child = int(np.searchsorted(np.cumsum(counts), family, side="right"))
        raise FamilyError(
            f"a parent of {variables[child]!r} is at position {parents[strange[0]]}; "
            f"there are {len(variables)} variables",
            family=family,
        )
    return FlatFamilies(prefix_sums(counts), scores, offsets, parents.astype(np.int32))


def canonical(families: FlatFamilies, names: tuple[str, ...]) -> FlatFamilies:
    """The families, checked and in the order of a table.

    The parents of a set ascend. The sets of a variable are ordered by score, best first, then by size, then by parents.
    """
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
    return families if order is None else families.take(order, np.diff(families.starts))


def _check_distinct(families: FlatFamilies, names: tuple[str, ...]) -> None:
    hashes = family_hashes(families, len(names))
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


def _parent_numbers(n_variables: int) -> Hashes:
    return np.random.default_rng(1).integers(0, 1 << 64, size=n_variables, dtype=np.uint64)


def _child_numbers(n_variables: int) -> Hashes:
    return np.random.default_rng(2).integers(0, 1 << 64, size=n_variables, dtype=np.uint64)


def family_hashes(families: FlatFamilies, n_variables: int) -> Hashes:
    """A hash of every family, equal for equal families; the sums wrap around at 64 bits."""
    sums = np.zeros(len(families.parents) + 1, dtype=np.uint64)
    np.cumsum(_parent_numbers(n_variables)[families.parents], out=sums[1:])
    hashes: Hashes = sums[families.offsets[1:]] - sums[families.offsets[:-1]]
    hashes += _child_numbers(n_variables)[families.children]
    return hashes


def equal_families(first: FlatFamilies, ours: Offsets, second: FlatFamilies, theirs: Offsets) -> NDArray[np.bool_]:
    """For every k, whether family ``ours[k]`` of the first and ``theirs[k]`` of the second are the same set."""
    sizes = first.sizes[ours]
    equal: NDArray[np.bool_] = (first.children[ours] == second.children[theirs]) & (sizes == second.sizes[theirs])
    for size in np.unique(sizes[equal]).tolist():
        pairs = np.flatnonzero(equal & (sizes == size))
        reach = np.arange(size)
        our_sets = first.parents[first.offsets[ours[pairs]][:, None] + reach]
        their_sets = second.parents[second.offsets[theirs[pairs]][:, None] + reach]
        equal[pairs] = (our_sets == their_sets).all(axis=1)
    return equal


def _order(families: FlatFamilies) -> Offsets | None:
    """The permutation that brings the families into the order of a table; None if they are in it already."""
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
    """A mask of the families that repeat no set and have no proper subset that scores better; given best first."""
    keep = ~find_dominated(families, 0.0)
    hashes = family_hashes(families, len(families.starts) - 1)
    order = np.argsort(hashes, kind="stable")  # The sort is stable, so the best of equal sets comes first.
    first, again = order[:-1], order[1:]
    alike = np.flatnonzero(hashes[first] == hashes[again])
    first, again = first[alike], again[alike]
    keep[again[equal_families(families, first, families, again)]] = False
    return keep


def find_dominated(families: FlatFamilies, slack: float) -> NDArray[np.bool_]:
    """A mask of the families that a proper subset beats by more than the slack; families are given best first."""
    return _core.dominated_families(families.lists, slack).astype(np.bool_)


def first_inside(families: FlatFamilies, start: int, end: int, inside: NDArray[np.bool_]) -> int | None:
    """The position of the first family from start to end whose parents are all inside a set; None if there is none.

    The blocks that are examined together grow, as this family is usually near the start.
    """
    block = _FIRST_BLOCK
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
