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
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from credenet.discretize import Discretization, Method, interval_labels, method_for
from credenet.errors import DataError
from credenet.text import listing

MISSING_LABELS = frozenset({"", "?", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null"})
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


class CodedTable(NamedTuple):
    """What a `Dataset` is made of."""

    states: dict[str, tuple[str, ...]]
    codes: NDArray[Any]
    weights: NDArray[np.float64] | None
    cuts: dict[str, tuple[float, ...]]


def code_table(columns: Sequence[RawColumn], options: CodingOptions) -> CodedTable:
    """The columns of a table coded, its missing cells and weights dealt with."""
    weights, columns = _split_weights(columns, options.weights)
    if not columns:
        raise DataError("there are no variables")
    if isinstance(options.discretize, Mapping):
        unknown = set(options.discretize) - {column.name for column in columns}
        if unknown:
            raise DataError(f"discretize names columns that do not exist: {', '.join(sorted(unknown))}")
    n_rows = sum(columns[0].counts)
    if n_rows == 0:
        raise DataError("there are no rows")
    _check_fractions(columns, options)
    coded = {column.name: code_column(column, options) for column in columns}
    incomplete = {name: column.n_missing for name, column in coded.items() if column.n_missing}
    if incomplete and options.missing == "error":
        listing = ", ".join(f"{name!r} ({count})" for name, count in incomplete.items())
        raise DataError(f"cells are missing in {listing}; pass missing='drop', 'state' or 'keep'")
    if options.missing == "state":
        coded = {name: _with_missing_state(column) for name, column in coded.items()}
        incomplete = {}
    for name, column in coded.items():
        if not column.states:
            raise DataError(f"column {name!r} has no values at all; leave it out or pass missing='state'")

    most = max(len(column.states) for column in coded.values())
    dtype = code_type(most)
    codes = np.empty((n_rows, len(columns)), dtype=dtype, order="F")
    for at, raw in enumerate(columns):
        code_of_label = coded[raw.name].code_of_label
        code_of_label = np.where(code_of_label < 0, np.iinfo(dtype).max, code_of_label).astype(dtype)
        raw.write(code_of_label, codes[:, at])
    if incomplete and options.missing == "drop":
        complete = (codes != np.iinfo(dtype).max).all(axis=1)
        codes = np.asfortranarray(codes[complete])
        weights = None if weights is None else weights[complete]
        if not len(codes):
            raise DataError("every row has a missing cell; nothing is left to read")
        if options.states == "observed":
            codes, coded = _reobserved(codes, coded)
    codes.flags.writeable = False
    return CodedTable(
        {name: column.states for name, column in coded.items()},
        codes,
        weights,
        {name: column.cuts for name, column in coded.items() if column.cuts is not None},
    )


def _check_fractions(columns: Sequence[RawColumn], options: CodingOptions) -> None:
    """Refuses columns of fractional numbers that nobody asked to discretise, all in one message."""
    refused = []
    for column in columns:
        if column.declared is None and method_for(column.name, options.discretize)[0] is None:
            labels = [label for label in column.labels if label is not None and label not in MISSING_LABELS]
            fraction = next((label for label in labels if not is_integer(label) and _is_fraction(label)), None)
            if fraction is not None and all(map(is_number, labels)):
                refused.append((column, fraction))
    if refused:
        column, fraction = refused[0]
        names = listing([repr(column.name) for column, _ in refused])
        hold, them = (f"column {names} holds", "it") if len(refused) == 1 else (f"columns {names} hold", "them")
        place = column.place(column.labels.index(fraction))
        raise DataError(
            f"{hold} fractional numbers ({fraction}{place}); "
            f"discretise {them}, for instance with discretize='frequency:3'"
        )


def _is_fraction(label: str) -> bool:
    return is_number(label) and not (math.isfinite(float(label)) and float(label).is_integer())


def _split_weights(
    columns: Sequence[RawColumn], name: str | None
) -> tuple[NDArray[np.float64] | None, Sequence[RawColumn]]:
    if name is None:
        return None, columns
    column = next((column for column in columns if column.name == name), None)
    if column is None:
        raise DataError(f"there is no column {name!r} to take weights from")
    values = np.empty(len(column.labels))
    for at, label in enumerate(column.labels):
        if label is None or not is_number(label) or not 0 <= float(label) < np.inf:
            raise DataError(
                f"weights must be non-negative numbers, but column {name!r} has {label!r}{column.place(at)}"
            )
        values[at] = float(label)
    weights = np.empty(sum(column.counts))
    column.write(values, weights)
    if not weights.any():
        raise DataError(f"all weights in column {name!r} are zero")
    return weights, [other for other in columns if other is not column]


def _with_missing_state(column: CodedColumn) -> CodedColumn:
    if not column.n_missing:
        return column
    label = "missing"
    while label in column.states:
        label += "_"
    codes = np.where(column.code_of_label < 0, len(column.states), column.code_of_label)
    return CodedColumn((*column.states, label), codes, 0, column.cuts)


def _reobserved(codes: NDArray[Any], coded: dict[str, CodedColumn]) -> tuple[NDArray[Any], dict[str, CodedColumn]]:
    """Drops the states whose only rows were dropped."""
    result = {}
    for at, (name, column) in enumerate(coded.items()):
        used, where = np.unique(codes[:, at], return_inverse=True)
        codes[:, at] = where.reshape(-1)
        states = tuple(column.states[code] for code in used)
        result[name] = CodedColumn(states, column.code_of_label, 0, column.cuts)
    return codes, result


def code_type(n_states: int) -> np.dtype[np.uint8] | np.dtype[np.uint16]:
    """The type of codes for up to so many states, which leaves its largest value for missing cells."""
    return np.dtype(np.uint8) if n_states <= 255 else np.dtype(np.uint16)


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

    method, by_name = method_for(raw.name, options.discretize)
    numeric = bool(labels) and (raw.declared is None or by_name) and all(map(is_number, labels))
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
            labels = _integral(labels)
        else:
            _check_no_stray_label(raw, labels, present)
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


def _integral(labels: list[str]) -> list[str]:
    """The labels of a column of whole numbers as integers, so that 1 and 1.0 are one state."""
    return [label if is_integer(label) else str(int(float(label))) for label in labels]


def _check_no_stray_label(raw: RawColumn, labels: Sequence[str], present: Sequence[int]) -> None:
    """Refuses a column that would be one of fractional numbers but for a few labels, which a typing error may be."""
    n_fractions = sum(not is_integer(label) and _is_fraction(label) for label in labels)
    if n_fractions > 10 and 2 * n_fractions > len(labels):
        at, label = next((at, label) for at, label in zip(present, labels, strict=True) if not is_number(label))
        raise DataError(
            f"column {raw.name!r} holds fractional numbers and {label!r}{raw.place(at)}, which is not a number; "
            f"write missing cells as ?"
        )


def _observed(states: tuple[str, ...], codes: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    used = sorted(set(codes[codes >= 0].tolist()))
    renumbered = np.full(len(states) + 1, -1, dtype=np.int64)  # the last entry serves the code -1
    renumbered[used] = range(len(used))
    return tuple(states[code] for code in used), renumbered[codes]
