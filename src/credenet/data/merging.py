"""Merging states of a column, and the codes of the states that are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import list_values, mapping
from credenet.data.states import Label, parse_like, texts
from credenet.errors import ArgumentError, DataError

Groups = Mapping[str, Sequence[str]]
"""The old states of a column by the name of the new state that they become."""


class MergedStates(NamedTuple):
    """The states of a column after merging, the new code of each old state, and labels that are no states."""

    states: tuple[str, ...]
    code_of: NDArray[np.int64]
    unknown: tuple[str, ...]


def check_groups(argument: str, groups: Any) -> dict[str, tuple[str, ...]]:
    """The groups of a column, in which no label occurs twice."""
    given = mapping(argument, groups, "lists of labels, by the name of the new state")
    found = {
        str(new): tuple(map(str, [old] if isinstance(old, str) else list_values(f"{argument}[{new!r}]", old, "labels")))
        for new, old in given.items()
    }
    seen: dict[str, str] = {}
    for new, labels in found.items():
        if not labels:
            raise ArgumentError(f"{argument} names no states for {new!r}")
        for label in labels:
            if label in seen:
                raise ArgumentError(f"{argument} merges {label!r} twice, into {seen[label]!r} and {new!r}")
            seen[label] = new
    return found


def merge_column_states(column: str, states: Sequence[str], groups: Groups) -> MergedStates:
    """Merges states of a column; a new state stands where the first of its old ones stood."""
    new_of = {old: new for new, labels in groups.items() for old in labels}
    for new in groups:
        if new in states and new_of.get(new) != new:
            raise DataError(
                f"column {column!r} has a state {new!r} already; name it among those merged: {[new, *groups[new]]}"
            )
    names = [new_of.get(state, state) for state in states]
    kept = tuple(dict.fromkeys(names))
    code = {name: at for at, name in enumerate(kept)}
    unknown = tuple(label for label in new_of if label not in states)
    return MergedStates(kept, np.array([code[name] for name in names], dtype=np.int64), unknown)


def unknown_states(column: str, states: Sequence[str], unknown: Sequence[str]) -> str:
    """A sentence that a column lacks states that should be merged."""
    close = get_close_matches(unknown[0], states, n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    verb = "is" if len(unknown) == 1 else "are"
    return f"{', '.join(map(repr, unknown))} {verb} to be merged in column {column!r}, which has no such state{hint}"


def merge_codes(
    name: str, labels: Sequence[Label], codes: NDArray[Any], at: int, groups: Groups, *, is_cut: bool
) -> tuple[tuple[Label, ...], NDArray[Any]]:
    """The new states of the variable in column ``at``, and all codes with that column recoded."""
    if is_cut:
        raise DataError(f"variable {name!r} was cut into intervals, which are not merged; choose other cuts")
    states = texts(labels)
    merged = merge_column_states(name, states, check_groups("groups", groups))
    if merged.unknown:
        raise DataError(unknown_states(name, states, merged.unknown))
    missing = int(np.iinfo(codes.dtype).max)
    code_of = np.full(missing + 1, missing, dtype=codes.dtype)
    code_of[: len(merged.code_of)] = merged.code_of
    changed = codes.copy(order="F")
    changed[:, at] = code_of[codes[:, at]]
    return parse_like(merged.states, labels), changed
