"""Tables in text files: what separates the fields, where the names are, which states are declared."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from credenet import _core
from credenet.coding import RawColumn, is_integer, is_number
from credenet.errors import DataError, FormatError
from credenet.progress import OnProgress, step

TableFormat = Literal["csv", "tsv", "dat"]


@dataclass(frozen=True, slots=True)
class _Layout:
    """How to read a text table: the separator ("" for runs of blanks), the names, and where the rows begin."""

    separator: str
    names: tuple[str, ...]
    begin: int  # byte offset of the first row
    first_line: int
    declared: tuple[tuple[str, ...], ...] | None = None
    n_rows: int | None = None  # where the file says how many there are


class _Lines:
    """The first lines of a file, split into fields; the rest of it stays bytes."""

    def __init__(self, contents: bytes, end: int, path: str | Path, separator: str) -> None:
        self._contents = contents
        self._end = end
        self._path = path
        self._separator = separator
        self._starts = [3 if contents.startswith(b"\xef\xbb\xbf") else 0]

    def start(self, index: int) -> int:
        """Byte offset of a line, or the end of the contents."""
        while len(self._starts) <= index:
            line_end = self._contents.find(b"\n", self._starts[-1], self._end)
            self._starts.append(self._end if line_end < 0 else line_end + 1)
        return self._starts[index]

    def fields(self, index: int) -> list[str]:
        return split_fields(self.text(index), self._separator)

    def text(self, index: int) -> str:
        line = self._contents[self.start(index) : self.start(index + 1)]
        try:
            return line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise FormatError("is not UTF-8 text", path=self._path, line=index + 1) from None


def split_fields(line: str, separator: str) -> list[str]:
    if separator:
        row = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
        return [field.strip(" \t") for field in row]
    return next(csv.reader([" ".join(line.split())], delimiter=" "), [])


def read_delimited(
    path: str | Path,
    contents: bytes,
    *,
    format: TableFormat,
    header: bool | None,
    n_threads: int,
    on_progress: OnProgress | None,
) -> list[RawColumn]:
    """The columns of a text table."""
    if contents[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError("is UTF-16 text; save it as UTF-8", path=path, line=1)
    if b"\n" not in contents and b"\r" in contents:
        contents = contents.replace(b"\r", b"\n")
    end = len(contents)
    while end and contents[end - 1] in b" \t\r\n":  # blank lines at the end are no rows
        end -= 1
    if end == 0:
        raise FormatError("is empty", path=path)

    separator = _separator(contents, format)
    lines = _Lines(contents, end, path, separator)
    for layout in _layouts(lines, path, format, header, separator):
        columns = _read_rows(path, contents, end, layout, n_threads, on_progress)
        if columns is not None:
            return columns
    raise AssertionError("the last layout takes any rows")


def _separator(contents: bytes, format: TableFormat) -> str:
    """The separator of the first line: as the format says, or the most frequent one in it."""
    if format == "tsv":
        return "\t"
    line_end = contents.find(b"\n")
    line = contents if line_end < 0 else contents[:line_end]
    unquoted = b"".join(line.split(b'"')[::2])
    best = max((b",", b"\t", b";"), key=unquoted.count)
    if best in unquoted:
        return best.decode()
    return "" if format == "dat" else ","


def _layouts(
    lines: _Lines, path: str | Path, format: TableFormat, header: bool | None, separator: str
) -> Sequence[_Layout]:
    """Possible layouts, the most specific first; the rows decide between them."""
    first = lines.fields(0)
    if not first:
        raise FormatError("is blank", path=path, line=1)
    has_names = header if header is not None else not all(map(is_number, first))
    if not has_names:
        unnamed = _Layout(separator, tuple(str(k) for k in range(len(first))), lines.start(0), 1)
        counted = _counted_layout(lines, separator) if format == "dat" and header is None else None
        return [unnamed] if counted is None else [counted, unnamed]

    names = _checked_names(first, path)
    plain = _Layout(separator, names, lines.start(1), 2)
    if format != "dat":
        return [plain]
    second = lines.fields(1)
    if len(second) != len(names) or not all(is_integer(field) and int(field) >= 1 for field in second):
        return [plain]
    return [_Layout(separator, names, lines.start(2), 3, _declared(second)), plain]


def _counted_layout(lines: _Lines, separator: str) -> _Layout | None:
    """The layout with three lines before the rows: number of variables, arities, number of rows."""
    first, second, third = lines.fields(0), lines.fields(1), lines.fields(2)
    counts = (*first, *second, *third)
    if len(first) != 1 or len(third) != 1 or not all(is_integer(field) and int(field) >= 1 for field in counts):
        return None
    if len(second) != int(first[0]):
        return None
    names = tuple(str(k) for k in range(len(second)))
    return _Layout(separator, names, lines.start(3), 4, _declared(second), int(third[0]))


def _declared(arities: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
    if any(int(arity) >= 65535 for arity in arities):
        return None
    return tuple(tuple(str(k) for k in range(int(arity))) for arity in arities)


def _checked_names(fields: Sequence[str], path: str | Path) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for position, name in enumerate(fields, start=1):
        if not name:
            raise FormatError(f"column {position} has no name", path=path, line=1)
        if name in seen:
            raise FormatError(f"columns {seen[name]} and {position} are both named {name!r}", path=path, line=1)
        seen[name] = position
    return tuple(fields)


def _read_rows(
    path: str | Path,
    contents: bytes,
    end: int,
    layout: _Layout,
    n_threads: int,
    on_progress: OnProgress | None,
) -> list[RawColumn] | None:
    """The columns as a layout has them; None where the rows do not fit its declared states."""
    if layout.begin >= end:
        if layout.declared is not None:
            return None
        raise FormatError("has a line of names and no rows", path=path, line=1)
    text = np.frombuffer(contents, dtype=np.uint8)[layout.begin : end]
    try:
        coded = _core.read_delimited(
            text, len(layout.names), layout.separator, True, layout.first_line, n_threads, step(on_progress)
        )
    except _core.DelimitedError as error:
        if layout.n_rows is not None:
            return None
        line, message = error.args
        raise FormatError(message, path=path, line=line) from None
    if coded.stopped:
        raise DataError("reading was stopped")
    if layout.n_rows is not None and coded.n_rows != layout.n_rows:
        return None
    columns = [_column(path, coded, at, name) for at, name in enumerate(layout.names)]
    if layout.declared is not None:
        for column, states in zip(columns, layout.declared, strict=True):
            if not _declare(column, states):
                return None
    return columns


def _column(path: str | Path, coded: _core.CodedText, at: int, name: str) -> RawColumn:
    lines = coded.lines(at)
    labels: list[str | None] = []
    for label, line in zip(coded.labels(at), lines, strict=True):
        try:
            labels.append(label.decode("utf-8"))
        except UnicodeDecodeError:
            raise FormatError(f"is not UTF-8 text (column {name!r})", path=path, line=line) from None
    return RawColumn(
        name=name,
        labels=labels,
        counts=coded.counts(at),
        write=lambda code_of_label, out: coded.write_codes(at, code_of_label, out),
        lines=lines,
    )


def _declare(column: RawColumn, states: tuple[str, ...]) -> bool:
    """Gives a column its declared arity; False where its labels cannot have it.

    Integer labels must lie below the arity and then are the states 0, 1, …; other labels only must not be more.
    """
    known = [label for label in column.labels if label not in ("", "?", None)]
    if all(is_integer(str(label)) for label in known):
        if any(label not in states for label in known):
            return False
        column.declared = states
        return True
    return len(known) <= len(states)
