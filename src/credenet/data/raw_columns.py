"""Columns as files and frames give them: the choice of columns, and the notation of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from numpy.typing import NDArray

from credenet._text import several
from credenet.data.labels import NONE, Decimal, find_missing, has_comma, plain_number
from credenet.data.states import LabelKind
from credenet.errors import DataError, Problem

MANY_NUMBERS = 10  # Fractional numbers above which a column is numeric, if they are most of its labels.


@dataclass(slots=True)
class RawColumn:
    """A column as its source gives it: distinct labels (None means missing), their counts, and a coder of the rows.

    Labels are text; ``kind`` is their type in the source.
    """

    name: str
    labels: list[str | None]
    counts: list[int]
    write: Callable[[NDArray[Any], NDArray[Any]], None]  # Takes the code of each label, and the output.
    declared: tuple[str, ...] | None = None
    lines: list[int] | None = None  # The line on which each label first appears, for text files.
    holds_row_names: bool = False
    cuts: tuple[float, ...] | None = None  # The cut points of the declared states, if these are intervals.
    kind: LabelKind = "text"

    def place(self, index: int) -> str:
        return "" if self.lines is None else f" on line {self.lines[index]}"

    def line(self, index: int) -> int | None:
        """The line on which a label first appears."""
        return None if self.lines is None else self.lines[index]


def choose_columns(
    columns: Sequence[RawColumn], wanted: Sequence[str] | None, unwanted: Sequence[str]
) -> list[RawColumn]:
    """The wanted columns, in that order; without ``wanted`` all but the unwanted ones."""
    by_name = {column.name: column for column in columns}
    for argument, names in (("columns", wanted or ()), ("drop", unwanted)):
        for name in names:
            if name not in by_name:
                close = get_close_matches(name, by_name, n=3)
                hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
                raise DataError(f"{argument} names the column {name!r}, which the data do not have{hint}")
    if wanted is not None:
        return [by_name[name] for name in wanted]
    return [column for column in columns if column.name not in unwanted]


def write_plain_numbers(
    columns: Sequence[RawColumn], decimal: Decimal | None, na_values: frozenset[str]
) -> list[RawColumn]:
    """The columns with numbers in Python's notation; numbers with commas need ``decimal``."""
    if decimal is None:
        _check_commas(columns, na_values)
        return list(columns)
    return [_write_plain_numbers(column, decimal, na_values) for column in columns]


def _write_plain_numbers(column: RawColumn, decimal: Decimal, na_values: frozenset[str]) -> RawColumn:
    if column.declared is not None:
        return column
    known = _drop_missing_labels(column, na_values)
    plain = {label: number for label in known if (number := plain_number(label, decimal)) is not None}
    n_fractions = sum(number != label or "." in number for label, number in plain.items())
    if len(plain) < len(known) and not _is_most(n_fractions, len(known)):
        return column
    return replace(column, labels=[plain.get(label, label) if label is not None else None for label in column.labels])


def _check_commas(columns: Sequence[RawColumn], na_values: frozenset[str]) -> None:
    refused = []
    for column in columns:
        if column.declared is None and any(label is not None and "," in label for label in column.labels):
            known = _drop_missing_labels(column, na_values)
            with_commas = [label for label in known if has_comma(label)]
            n_numbers = len(with_commas) + sum(
                plain_number(label, ".") is not None for label in known if "," not in label
            )
            if with_commas and (n_numbers == len(known) or _is_most(len(with_commas), len(known))):
                refused.append((column, with_commas[0]))
    if refused:
        column, label = refused[0]
        names = several([repr(column.name) for column, _ in refused])
        hold = f"column {names} holds" if len(refused) == 1 else f"columns {names} hold"
        mark = "." if all(plain_number(each, ".") is not None for _, each in refused) else ","
        raise DataError(
            f"{hold} numbers with commas ({label}{column.place(column.labels.index(label))}); "
            "pass decimal=',' if these are decimal commas, decimal='.' if not",
            problems=[
                Problem.from_arguments(
                    column.name,
                    f"numbers with commas, such as {label}",
                    {"decimal": mark},
                    lines=[column.line(column.labels.index(label))],
                )
                for column, label in refused
            ],
        )


def _drop_missing_labels(column: RawColumn, na_values: frozenset[str]) -> list[str]:
    """The labels that do not mean missing; ``None`` is left out, as it means missing among numbers."""
    missing = find_missing(column.labels, na_values)
    return [label for label in column.labels if label is not None and label not in missing and label != NONE]


def _is_most(n_numbers: int, n_labels: int) -> bool:
    return n_numbers > MANY_NUMBERS and 2 * n_numbers > n_labels
