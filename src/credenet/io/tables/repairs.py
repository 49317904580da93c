"""Faults in the layout of a text table: names that are missing or occur twice, and rows that do not fit the names.

They are collected, not raised one by one. With ``repair=True`` the table is read without them: names are completed, and
rows that do not fit are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._text import count, several
from credenet.errors import DataError, FormatError, Problem

_SHOWN = 8  # Lines that a message names at most.


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault with its place and its repair."""

    message: str
    lines: tuple[int, ...]
    column: str | None
    repaired: str


class Faults:
    """The faults of one text; ``can_repair`` tells whether the reader has the argument ``repair``."""

    def __init__(self, path: str | Path, *, can_repair: bool) -> None:
        self._path = path
        self._can_repair = can_repair
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._faults.append(fault)

    @property
    def notes(self) -> list[str]:
        """Notes on the repairs that were made."""
        return [fault.repaired for fault in self._faults]

    def check(self) -> None:
        """Raises an error with all faults, if there are any."""
        cure = {"repair": True} if self._can_repair else {}
        advice = "; pass repair=True to read the table without this" if self._can_repair else ""
        problems = [Problem.from_arguments(each.column, each.message, cure, lines=each.lines) for each in self._faults]
        if len(problems) > 1:
            texts = [f"line {fault.lines[0]}: {fault.message}{advice}" for fault in self._faults]
            raise DataError.listing(texts, problems)
        for fault in self._faults:
            raise FormatError(fault.message + advice, path=self._path, line=fault.lines[0], problems=problems)


def unique_names(fields: Sequence[str], line: int, faults: Faults, *, is_first_unnamed: bool) -> tuple[str, ...]:
    """The names of the columns, each once; what was changed is a fault."""
    seen: dict[str, int] = {}
    names = []
    taken = set(fields)
    for position, field in enumerate(fields, start=1):
        name = field
        if is_first_unnamed and position == 1:
            names.append(field)
            continue
        if not field or field in seen:
            stem, number = (field, 2) if field else ("column ", position)
            name = f"{stem}.{number}" if field else f"{stem}{number}"
            while name in taken:
                number += 1
                name = f"{stem}.{number}" if field else f"{stem}{number}"
            what = (
                f"columns {seen[field]} and {position} are both named {field!r}"
                if field
                else (f"column {position} has no name")
            )
            faults.add(Fault(what, (line,), name, f"{what}; column {position} is called {name!r}"))
        taken.add(name)
        seen.setdefault(field, position)
        names.append(name)
    return tuple(names)


@dataclass(frozen=True, slots=True)
class ScannedRows:
    """The start and end of each row, its line, and its numbers of lines and fields; -1 fields if it cannot be split."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    line: NDArray[np.int64]
    n_lines: NDArray[np.int64]
    n_fields: NDArray[np.int64]
    messages: dict[int, str]  # Messages by line, of rows that cannot be split.

    def has(self, n_fields: int) -> NDArray[np.bool_]:
        fits: NDArray[np.bool_] = self.n_fields == n_fields
        return fits

    def fault(self, n_fields: int) -> Fault:
        """The fault of the rows that do not have ``n_fields`` fields."""
        bad = np.flatnonzero(~self.has(n_fields))
        lines = tuple(self.line[bad].tolist())
        message = self._message(int(bad[0]), n_fields)
        if len(bad) > 1:
            listed = several([str(line) for line in lines], most=_SHOWN)
            message += f", and {count(len(bad), 'row')} in all do not fit (lines {listed})"
        left_out = "row does not fit and is" if len(bad) == 1 else "rows do not fit and are"
        listed = several([str(line) for line in lines], most=_SHOWN)
        plural = "line" if len(bad) == 1 else "lines"
        return Fault(message, lines, None, f"{len(bad):,} {left_out} left out ({plural} {listed})")

    def _message(self, row: int, n_fields: int) -> str:
        if row in self.messages:
            return self.messages[row]
        if self.n_fields[row] == 0:
            return "is blank"
        return f"has {count(int(self.n_fields[row]), 'field')} where {n_fields} were expected"

    def text_of(self, text: NDArray[np.uint8], kept: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """The text of the rows that are kept."""
        pieces, at = [], int(self.begin[0])
        for row in np.flatnonzero(~kept).tolist():
            pieces.append(text[at : int(self.begin[row])])
            at = int(self.end[row])
        return np.concatenate([*pieces, text[at : int(self.end[-1])]])

    def lines_of(self, lines: Sequence[int], kept: NDArray[np.bool_]) -> list[int]:
        """The lines in the whole text of lines in the text of the rows that are kept."""
        n_lost = self.n_lines[~kept]
        before = np.concatenate([[0], np.cumsum(n_lost)])
        places = self.line[~kept] - before[:-1]
        given = np.asarray(lines, dtype=np.int64)
        moved: list[int] = (given + before[np.searchsorted(places, given, side="right")]).tolist()
        return moved


def scan_rows(text: NDArray[np.uint8], begin: int, separator: str, first_line: int) -> ScannedRows:
    """All rows of a text from a byte on."""
    rows: list[tuple[int, int, int, int, int]] = []
    messages: dict[int, str] = {}
    at, line = begin, first_line
    while at < len(text):
        try:
            fields, size, n_lines = _core.first_row(text[at:], separator)
            n_fields = len(fields)
        except _core.DelimitedError as error:
            ends = np.flatnonzero(text[at:] == ord("\n"))
            size, n_lines, n_fields = (int(ends[0]) + 1 if len(ends) else len(text) - at), 1, -1
            messages[len(rows)] = error.args[1]
        size = max(size, 1)
        rows.append((at, at + size, line, max(n_lines, 1), n_fields))
        at += size
        line += n_lines
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    begins, ends, at_lines, counts, widths = columns
    return ScannedRows(begins, ends, at_lines, counts, widths, messages)
