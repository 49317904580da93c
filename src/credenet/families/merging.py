"""Merging the families of two tables."""

from __future__ import annotations

import numpy as np

from credenet.families.arrays import FamilyError, FlatFamilies, Offsets, equal_families, family_hashes


def merge_families(ours: FlatFamilies, theirs: FlatFamilies, names: tuple[str, ...]) -> FlatFamilies:
    """The families of two tables of the same variables; a family of both must have equal scores, and ours is kept."""
    twins = _twins(ours, theirs)
    shared = twins >= 0
    before, after = ours.scores[twins[shared]], theirs.scores[shared]
    # The halves are compared because the difference of two huge numbers may overflow.
    apart = np.flatnonzero(~(np.abs(before / 2 - after / 2) <= np.maximum(5e-10, 5e-13 * np.abs(before))))
    if apart.size:
        at = int(np.flatnonzero(shared)[apart[0]])
        places = theirs.parents_of(at)
        shown = ", ".join(names[place] for place in places)
        raise FamilyError(
            f"the tables score {names[theirs.children[at]]!r} with the parents {{{shown}}} "
            f"differently: {before[apart[0]]} and {after[apart[0]]}"
        )
    return _join_families(ours, theirs.keep(~shared))


def _join_families(first: FlatFamilies, second: FlatFamilies) -> FlatFamilies:
    """The families of two tables in one, ordered by variable."""
    n_variables = len(first.starts) - 1
    both = FlatFamilies(
        np.zeros(1, dtype=np.int64),
        np.concatenate((first.scores, second.scores)),
        np.concatenate((first.offsets, second.offsets[1:] + first.offsets[-1])),
        np.concatenate((first.parents, second.parents)),
    )
    children = np.concatenate((first.children, second.children))
    return both.take(np.argsort(children, kind="stable"), np.bincount(children, minlength=n_variables))


def _twins(first: FlatFamilies, second: FlatFamilies) -> Offsets:
    """For every family of the second table its position in the first; -1 if the first lacks it."""
    twins = np.full(len(second.scores), -1, dtype=np.int64)
    if not len(first.scores):
        return twins
    n_variables = len(first.starts) - 1
    hashes, wanted = family_hashes(first, n_variables), family_hashes(second, n_variables)
    by_hash = np.argsort(hashes)
    candidates = by_hash[np.minimum(np.searchsorted(hashes, wanted, sorter=by_hash), len(by_hash) - 1)]
    alike = np.flatnonzero(hashes[candidates] == wanted)
    same = alike[equal_families(first, candidates[alike], second, alike)]
    twins[same] = candidates[same]
    return twins
