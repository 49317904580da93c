"""Tables in text files: what separates the fields, where the names are, which states are declared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.coding import MISSING_LABELS, MOST_STATES, RawColumn, is_integer, is_number
from credenet.errors import DataError, FormatError
from credenet.progress import OnProgress, step

TableFormat = Literal["csv", "tsv", "dat"]

_LINE_END = re.compile(b"\n")

BLOCK_BYTES = 4 << 20  # of text that a thread reads at a time


@dataclass(frozen=True, slots=True)
class _Layout:
    """How to read a text table: the separator ("" for runs of blanks), the names, and where the rows begin."""

    separator: str
    names: tuple[str, ...]
    begin: int  # byte offset of the first row
    first_line: int
    declared: tuple[tuple[str, ...], ...] | None = None
    n_rows: int | None = None  # where the file says how many there are


@dataclass(frozen=True, slots=True)
class _Row:
    """A row at the beginning of a file, split into fields; a quoted field may make it several lines long."""

    fields: tuple[str, ...]
    next: int  # byte offset of the row after it
    next_line: int


class _FirstRows:
    """The first rows of a text; the rest of it stays bytes."""

    def __init__(self, text: NDArray[np.uint8], begin: int, path: str | Path, separator: str) -> None:
        self._text = text
        self._path = path
        self._separator = separator
        self._rows: list[_Row] = []
        self.begin = begin

    def __getitem__(self, index: int) -> _Row:
        """A row; without fields if it is blank or if there are not that many."""
        while len(self._rows) <= index:
            self._rows.append(self._read())
        return self._rows[index]

    def _read(self) -> _Row:
        begin, line = (self._rows[-1].next, self._rows[-1].next_line) if self._rows else (self.begin, 1)
        try:
            fields, size, n_lines = _core.first_row(self._text[begin:], self._separator)
            decoded = tuple(field.decode("utf-8") for field in fields)
        except _core.DelimitedError as error:
            raise FormatError(error.args[1], path=self._path, line=line + error.args[0]) from None
        except UnicodeDecodeError:
            raise FormatError("is not UTF-8 text", path=self._path, line=line) from None
        return _Row(decoded, begin + size, line + n_lines)


def read_delimited(
    path: str | Path,
    contents: NDArray[np.uint8],
    *,
    format: TableFormat,
    header: bool | None,
    n_threads: int,
    on_progress: OnProgress | None,
) -> list[RawColumn]:
    """The columns of a text table."""
    if contents[:2].tobytes() in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError("is UTF-16 text; save it as UTF-8", path=path, line=1)
    if _LINE_END.search(contents.data) is None:  # a table of one row, or the \r of old Macintosh files
        contents = np.frombuffer(contents.tobytes().replace(b"\r", b"\n"), dtype=np.uint8)
    begin = 3 if contents[:3].tobytes() == b"\xef\xbb\xbf" else 0
    separator = _separator(contents[begin : _first_row_end(contents)].tobytes(), format)
    text = contents[: _end_of_rows(contents, separator)]
    if len(text) <= begin:
        raise FormatError("is empty", path=path)

    for layout in _layouts(_FirstRows(text, begin, path, separator), path, format, header, separator):
        columns = _read_rows(path, text, layout, n_threads, on_progress)
        if columns is not None:
            return columns
    raise AssertionError("the last layout takes any rows")


def _first_row_end(contents: NDArray[np.uint8]) -> int:
    """The first line end outside quotes; where a quote is never closed, the first line end."""
    first, begin, n_quotes = len(contents), 0, 0
    for found in _LINE_END.finditer(contents.data):
        first = min(first, found.start())
        n_quotes += contents[begin : found.start()].tobytes().count(b'"')
        if n_quotes % 2 == 0:
            return found.start()
        begin = found.start()
    return first


def _end_of_rows(contents: NDArray[np.uint8], separator: str) -> int:
    """The end of the contents without the blank lines there; a tab that separates empty cells is not blank."""
    blanks = b" \r\n" if separator == "\t" else b" \t\r\n"
    end = len(contents)
    while end and contents[end - 1] in blanks:
        end -= 1
    return end


def _separator(row: bytes, format: TableFormat) -> str:
    """The separator of the first row: as the format says, or the most frequent one in it."""
    if format == "tsv":
        return "\t"
    unquoted = b"".join(row.split(b'"')[::2])
    best = max((b",", b"\t", b";"), key=unquoted.count)
    if best in unquoted:
        return best.decode()
    return "" if format == "dat" else ","


def _layouts(
    rows: _FirstRows, path: str | Path, format: TableFormat, header: bool | None, separator: str
) -> Sequence[_Layout]:
    """Possible layouts, the most specific first; the rows decide between them."""
    first = rows[0].fields
    if not first:
        raise FormatError("is blank", path=path, line=1)
    has_names = header if header is not None else not all(map(is_number, first))
    if not has_names:
        unnamed = _Layout(separator, tuple(str(k) for k in range(len(first))), rows.begin, 1)
        counted = _counted_layout(rows, separator) if format == "dat" and header is None else None
        return [unnamed] if counted is None else [counted, unnamed]

    names = _checked_names(first, path)
    plain = _Layout(separator, names, rows[0].next, rows[0].next_line)
    declared = _declared(rows[1].fields) if format == "dat" else None
    if declared is None or len(declared) != len(names):
        return [plain]
    return [_Layout(separator, names, rows[1].next, rows[1].next_line, declared), plain]


def _counted_layout(rows: _FirstRows, separator: str) -> _Layout | None:
    """The layout with three lines before the rows: number of variables, arities, number of rows."""
    size, declared, n_rows = rows[0].fields, _declared(rows[1].fields), rows[2].fields
    if declared is None or size != (str(len(declared)),) or len(n_rows) != 1 or not is_integer(n_rows[0]):
        return None
    names = tuple(str(k) for k in range(len(declared)))
    return _Layout(separator, names, rows[2].next, rows[2].next_line, declared, int(n_rows[0]))


def _declared(arities: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
    """The states that a line of arities declares; None if it cannot be one."""
    if not arities or not all(is_integer(field) and 1 <= int(field) < MOST_STATES for field in arities):
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
    path: str | Path, text: NDArray[np.uint8], layout: _Layout, n_threads: int, on_progress: OnProgress | None
) -> list[RawColumn] | None:
    """The columns as a layout has them; None where the rows do not fit its declared states."""
    if layout.begin >= len(text):
        if layout.declared is not None:
            return None
        raise FormatError("has a line of names and no rows", path=path, line=1)
    try:
        coded = _core.read_delimited(
            text[layout.begin :],
            len(layout.names),
            layout.separator,
            True,
            layout.first_line,
            n_threads,
            step(on_progress),
            block_bytes=BLOCK_BYTES,
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
    known = [label for label in column.labels if label is not None and label not in MISSING_LABELS]
    if not fits_arity(known, len(states)):
        return False
    if all(map(is_integer, known)):
        column.declared = states
    return True


def fits_arity(labels: Sequence[str], arity: int) -> bool:
    """Whether a column with these labels can have as many states as an arities line says."""
    if all(map(is_integer, labels)):
        return all(label.isdigit() and str(int(label)) == label and int(label) < arity for label in labels)
    return len(labels) <= arity
