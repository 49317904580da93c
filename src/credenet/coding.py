"""How the distinct labels of a column become its states.

All decisions are made here, on the few distinct labels of a column and never on its rows: which are missing, which
are numbers, how the states are ordered, whether the column must be discretised first. Text files and data frames
both arrive as `RawColumn`s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from credenet.discretize import Discretization, Method, interval_labels, method_for
from credenet.errors import DataError

MISSING_LABELS = frozenset({"", "?", "NA", "NaN", "nan"})
MAX_STATES = 1024
MOST_STATES = 65535  # codes of 16 bits, of which the largest stands for a missing cell

Missing = Literal["error", "drop", "state", "keep"]
States = Literal["declared", "observed"]

_INTEGER = re.compile(r"[+-]?[0-9]{1,4300}")  # Python converts no longer ones
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def is_integer(label: str) -> bool:
    return _INTEGER.fullmatch(label) is not None


def is_number(label: str) -> bool:
    return _NUMBER.fullmatch(label) is not None


@dataclass(frozen=True, slots=True)
class CodingOptions:
    """What the user may say about how a table becomes a `Dataset`; see `credenet.read`."""

    discretize: Method | Mapping[str, Method] | None = None
    missing: Missing = "error"
    weights: str | None = None
    states: States = "declared"
    max_states: int = MAX_STATES

    def __post_init__(self) -> None:
        if self.missing not in get_args(Missing):
            raise DataError(f"missing must be 'error', 'drop', 'state' or 'keep', got {self.missing!r}")
        if self.states not in get_args(States):
            raise DataError(f"states must be 'declared' or 'observed', got {self.states!r}")
        if not 1 <= self.max_states < MOST_STATES:
            raise DataError(f"max_states must be between 1 and {MOST_STATES - 1}, got {self.max_states}")


@dataclass(slots=True)
class RawColumn:
    """A column as its source gives it: distinct labels (None is missing), their counts, and a way to code the rows."""

    name: str
    labels: list[str | None]
    counts: list[int]
    write: Callable[[NDArray[Any], NDArray[Any]], None]  # (code of each label, out)
    declared: tuple[str, ...] | None = None
    lines: list[int] | None = None  # of the first appearance of each label, where there are lines

    def place(self, index: int) -> str:
        return "" if self.lines is None else f" on line {self.lines[index]}"


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """The states of a column and the state of each raw label, -1 where it is missing."""

    states: tuple[str, ...]
    code_of_label: NDArray[np.int64]
    n_missing: int
    cuts: tuple[float, ...] | None = field(default=None)


def code_column(raw: RawColumn, options: CodingOptions) -> CodedColumn:
    """The states of a column and the code of each of its labels."""
    declared = frozenset(raw.declared or ())  # a declared state is what its label says, were it "NA"
    present = [
        at
        for at, label in enumerate(raw.labels)
        if label is not None and (label in declared or label not in MISSING_LABELS)
    ]
    n_missing = sum(raw.counts) - sum(raw.counts[at] for at in present)
    labels = [str(raw.labels[at]) for at in present]
    codes = np.full(len(raw.labels), -1, dtype=np.int64)
    cuts = None

    numeric = bool(labels) and raw.declared is None and all(map(is_number, labels))
    method, by_name = method_for(raw.name, options.discretize)
    if by_name and not numeric:
        offender = next((at for at in present if not is_number(str(raw.labels[at]))), None)
        what = "no values" if offender is None else f"{raw.labels[offender]!r}{raw.place(offender)}"
        raise DataError(f"column {raw.name!r} cannot be discretised: it is not made of numbers (it has {what})")

    states: tuple[str, ...]
    if numeric and (by_name or (method is not None and _needs_cutting(labels, options.max_states))):
        assert method is not None
        numbers = np.array([float(label) for label in labels])
        if not np.isfinite(numbers).all():
            raise DataError(f"column {raw.name!r} has numbers too large to discretise")
        cuts = _cut_points(method, numbers, np.array([raw.counts[at] for at in present], dtype=np.int64))
        states = interval_labels(cuts)
        codes[present] = np.searchsorted(np.asarray(cuts, dtype=np.float64), numbers, side="left")
    elif raw.declared is not None:
        states = raw.declared
        index = {state: code for code, state in enumerate(states)}
        for at, label in zip(present, labels, strict=True):
            if label not in index:
                raise DataError(
                    f"column {raw.name!r} has the value {label!r}{raw.place(at)}, which is none of its states"
                )
        codes[present] = [index[label] for label in labels]
    else:
        if numeric:
            labels = _integral(raw, labels, present)
        order = sorted(set(labels), key=(lambda label: (int(label), label)) if numeric else None)
        states = tuple(order)
        index = {state: code for code, state in enumerate(states)}
        codes[present] = [index[label] for label in labels]

    if len(states) > options.max_states:
        ways = ["discretise it"] if numeric and cuts is None else ["leave it out"]
        ways += [f"pass max_states={len(states)}"] if len(states) < MOST_STATES else []
        raise DataError(f"column {raw.name!r} has {len(states)} states; {' or '.join(ways)}")
    if options.states == "observed":
        states, codes = _observed(states, codes)
    return CodedColumn(states, codes, n_missing, cuts)


def _needs_cutting(labels: Sequence[str], max_states: int) -> bool:
    return len(labels) > max_states or any(not float(label).is_integer() for label in labels)


def _cut_points(method: Discretization, numbers: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
    values, where = np.unique(numbers, return_inverse=True)
    totals = np.bincount(where, weights=counts).astype(np.int64)
    return method.cut_points(values, totals)


def _integral(raw: RawColumn, labels: list[str], present: Sequence[int]) -> list[str]:
    """The labels of a column of numbers as integers, so that 1 and 1.0 are one state; fractions are refused."""
    for at, label in zip(present, labels, strict=True):
        if not is_integer(label) and not (math.isfinite(float(label)) and float(label).is_integer()):
            raise DataError(
                f"column {raw.name!r} holds fractional numbers ({label}{raw.place(at)}); "
                f"discretise it, for instance with discretize='frequency:3'"
            )
    if all(map(is_integer, labels)):
        return labels
    return [label if is_integer(label) else str(int(float(label))) for label in labels]


def _observed(states: tuple[str, ...], codes: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    used = sorted(set(codes[codes >= 0].tolist()))
    renumbered = np.full(len(states) + 1, -1, dtype=np.int64)  # the last entry serves the code -1
    renumbered[used] = range(len(used))
    return tuple(states[code] for code in used), renumbered[codes]
