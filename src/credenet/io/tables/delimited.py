"""Tables in text files: separators, names and declared states.

The separator is the one with which the first lines have equally many fields. A first column without a name (pandas,
R's ``write.csv``), or one field more in the rows than there are names (R's ``write.table``), is a column of row names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._files.encodings import as_utf8, not_utf8
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.data.column_errors import MOST_STATES
from credenet.data.labels import Decimal, find_missing, is_integer, is_number
from credenet.data.raw_columns import RawColumn
from credenet.errors import DataError, FormatError, Problem
from credenet.io.tables.repairs import Faults, scan_rows, unique_names
from credenet.io.tables.separators import first_lines, separator

TableFormat = Literal["csv", "tsv", "dat"]
LinesOf = Callable[[Sequence[int]], list[int]]

_LINE_END = re.compile(b"\n")
_SEPARATOR_LINE = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)  # Spreadsheets write this line.

BLOCK_BYTES = 4 << 20  # Bytes of text that a thread reads as one block.


@dataclass(frozen=True, slots=True)
class TextOptions:
    """The options for a text table; see `credenet.read`."""

    format: TableFormat
    header: bool | None = None
    encoding: str | None = None
    decimal: Decimal | None = None
    na_values: frozenset[str] = frozenset()
    repair: bool | None = None  # With None a fault is an error without advice to repair it.


@dataclass(frozen=True, slots=True)
class TextLayout:
    """The layout of a text table: the separator ("" for runs of blanks), the names, and the position of the rows."""

    separator: str
    names: tuple[str, ...]
    begin: int  # Byte offset of the first row.
    first_line: int
    declared: tuple[tuple[str, ...], ...] | None = None
    n_rows: int | None = None  # The number of rows, if the file declares it.
    # How the first column is known to hold row names; None if it does not.
    row_names: Literal["unnamed", "extra"] | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """A row at the beginning of a file, split into fields; with a quoted field it may take several lines."""

    fields: tuple[str, ...]
    next: int  # Byte offset of the next row.
    next_line: int


class _FirstRows:
    """The first rows of a text; the rest is not decoded."""

    def __init__(self, text: NDArray[np.uint8], begin: int, first_line: int, path: str | Path, separator: str) -> None:
        self._text = text
        self._path = path
        self._separator = separator
        self._rows: list[_Row] = []
        self.begin = begin
        self.first_line = first_line

    def __getitem__(self, index: int) -> _Row:
        """A row; it has no fields if it is blank or beyond the end of the file."""
        while len(self._rows) <= index:
            self._rows.append(self._read())
        return self._rows[index]

    def _read(self) -> _Row:
        begin, line = (self._rows[-1].next, self._rows[-1].next_line) if self._rows else (self.begin, self.first_line)
        try:
            fields, size, n_lines = _core.first_row(self._text[begin:], self._separator)
            decoded = tuple(field.decode("utf-8") for field in fields)
        except _core.DelimitedError as error:
            raise FormatError(error.args[1], path=self._path, line=line + error.args[0]) from None
        except UnicodeDecodeError:
            raise _not_utf8(self._path, line) from None
        return _Row(decoded, begin + size, line + n_lines)


def read_delimited(
    path: str | Path,
    contents: NDArray[np.uint8],
    options: TextOptions,
    *,
    n_threads: int,
    on_progress: OnProgress | None,
) -> tuple[list[RawColumn], list[str]]:
    """The columns of a text table, and what was repaired."""
    faults = Faults(path, can_repair=options.repair is not None)
    text, layouts = _text_and_layouts(path, as_utf8(contents, options.encoding, path), options, faults)
    for layout in layouts:
        columns = read_rows(path, text, layout, options, n_threads, on_progress, faults)
        if columns is not None:
            if not options.repair:
                faults.check()
            return columns, faults.notes
    raise AssertionError("the last layout takes any rows")


def text_layouts(
    path: str | Path, contents: NDArray[np.uint8], options: TextOptions
) -> tuple[NDArray[np.uint8], Sequence[TextLayout]]:
    """The text without blank lines at its end, and the layouts that it may have; an error if its names have faults."""
    faults = Faults(path, can_repair=options.repair is not None)
    found = _text_and_layouts(path, contents, options, faults)
    faults.check()
    return found


def _text_and_layouts(
    path: str | Path, contents: NDArray[np.uint8], options: TextOptions, faults: Faults
) -> tuple[NDArray[np.uint8], Sequence[TextLayout]]:
    if _LINE_END.search(contents.data) is None:
        # The file has one row only, or the \r line ends of old Macintosh files.
        contents = np.frombuffer(contents.tobytes().replace(b"\r", b"\n"), dtype=np.uint8)
    begin = 3 if contents[:3].tobytes() == b"\xef\xbb\xbf" else 0
    said = _SEPARATOR_LINE.match(contents[begin : begin + 20].tobytes())
    first_line = 1 if said is None else 2
    begin += 0 if said is None else said.end()
    mark = _separator(contents[begin:], options) if said is None else said[1].decode()
    text = contents[: end_of_rows(contents, mark)]
    if len(text) <= begin:
        raise FormatError("is empty", path=path)
    return text, _layouts(_FirstRows(text, begin, first_line, path, mark), path, options, mark, faults)


def end_of_rows(contents: NDArray[np.uint8], separator: str) -> int:
    """The end of the contents without trailing blank lines; tabs between empty cells are not blank."""
    blanks = b" \r\n" if separator == "\t" else b" \t\r\n"
    end = len(contents)
    while end and contents[end - 1] in blanks:
        end -= 1
    return end


def _separator(contents: NDArray[np.uint8], options: TextOptions) -> str:
    if options.format == "tsv":
        return "\t"
    found = separator(first_lines(contents.data), decimal_comma=options.decimal == ",")
    return found if found is not None else "" if options.format == "dat" else ","


def _layouts(
    rows: _FirstRows, path: str | Path, options: TextOptions, separator: str, faults: Faults
) -> Sequence[TextLayout]:
    """Possible layouts, the most specific first; the first one that the rows fit is used."""
    first, header = rows[0].fields, options.header
    if not first:
        raise FormatError("is blank", path=path, line=rows.first_line)
    has_names = header if header is not None else not all(map(is_number, first))
    if not has_names:
        unnamed = TextLayout(separator, tuple(str(k) for k in range(len(first))), rows.begin, rows.first_line)
        counted = _count_layout(rows, separator) if options.format == "dat" and header is None else None
        return [unnamed] if counted is None else [counted, unnamed]

    row_names: Literal["unnamed", "extra"] | None = None
    second = rows[1].fields
    if len(second) == len(first) + 1 and second[-1]:
        first, row_names = ("", *first), "extra"
    elif len(first) > 1 and not first[0] and _can_be_names(first[1:], header):
        row_names = "unnamed"
    names = unique_names(first, rows.first_line, faults, is_first_unnamed=row_names is not None)
    plain = TextLayout(separator, names, rows[0].next, rows[0].next_line, row_names=row_names)
    declared = _read_declared_states(second) if options.format == "dat" and row_names is None else None
    if declared is None or len(declared) != len(names):
        return [plain]
    return [TextLayout(separator, names, rows[1].next, rows[1].next_line, declared), plain]


def _can_be_names(fields: Sequence[str], header: bool | None) -> bool:
    """Whether fields after an empty one are names; numbers may be a row with a missing first cell."""
    return header is True or not all(map(is_number, fields)) or list(fields) == [str(k) for k in range(len(fields))]


def _count_layout(rows: _FirstRows, separator: str) -> TextLayout | None:
    """The layout with three lines before the rows: number of variables, arities, number of rows."""
    size, declared, n_rows = rows[0].fields, _read_declared_states(rows[1].fields), rows[2].fields
    if declared is None or size != (str(len(declared)),) or len(n_rows) != 1 or not is_integer(n_rows[0]):
        return None
    names = tuple(str(k) for k in range(len(declared)))
    return TextLayout(separator, names, rows[2].next, rows[2].next_line, declared, int(n_rows[0]))


def _read_declared_states(arities: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
    """The states that a line of arities declares; None if it cannot be one."""
    if not arities or not all(is_integer(field) and 1 <= int(field) < MOST_STATES for field in arities):
        return None
    return tuple(tuple(str(k) for k in range(int(arity))) for arity in arities)


def read_rows(
    path: str | Path,
    text: NDArray[np.uint8],
    layout: TextLayout,
    options: TextOptions,
    n_threads: int,
    on_progress: OnProgress | None,
    faults: Faults | None = None,
    lines_of: LinesOf = list,
) -> list[RawColumn] | None:
    """The columns by a layout; None if the rows do not fit its declared states.

    With ``faults``, rows that do not fit are left out and noted there, unless they are half of the rows or more.
    ``lines_of`` gives the lines in the file of lines in the text.
    """
    if layout.begin >= len(text):
        if layout.declared is not None:
            return None
        raise FormatError("has a line of names and no rows", path=path, line=layout.first_line - 1)
    try:
        status, coded = _core.read_delimited(
            text[layout.begin :],
            len(layout.names),
            layout.separator,
            True,
            layout.first_line,
            n_threads,
            Run.from_limits(None, None, n_threads, on_progress).callback(),
            block_bytes=BLOCK_BYTES,
        )
    except _core.DelimitedError as error:
        if layout.n_rows is not None:
            return None
        line, message = error.args
        raised = FormatError(message, path=path, line=line)
        if faults is None or options.repair is None:
            raise raised from None
        return _fitting_columns(path, text, layout, options, n_threads, on_progress, faults, raised)
    require_end(status, DataError("reading was stopped"))
    if layout.n_rows is not None and coded.n_rows != layout.n_rows:
        return None
    columns = [_column(path, coded, at, name, lines_of) for at, name in enumerate(layout.names)]
    if layout.declared is not None:
        for column, states in zip(columns, layout.declared, strict=True):
            if not _declare(column, states, options.na_values):
                return None
    if layout.row_names is not None:
        _check_row_names(columns[0], layout, path)
        columns[0].holds_row_names = True
    return columns


def _fitting_columns(
    path: str | Path,
    text: NDArray[np.uint8],
    layout: TextLayout,
    options: TextOptions,
    n_threads: int,
    on_progress: OnProgress | None,
    faults: Faults,
    raised: FormatError,
) -> list[RawColumn] | None:
    """The columns of the rows that fit; the error that was raised, if fewer than half of them do."""
    rows = scan_rows(text, layout.begin, layout.separator, layout.first_line)
    n_fields = len(layout.names)
    if layout.row_names == "extra" and rows.has(n_fields - 1).sum() > rows.has(n_fields).sum():
        layout, n_fields = replace(layout, names=layout.names[1:], row_names=None), n_fields - 1
    kept = rows.has(n_fields)
    if 2 * int(kept.sum()) <= len(kept):
        raise raised
    fitting = rows.text_of(text, kept)
    layout = replace(layout, begin=0)
    columns = read_rows(
        path, fitting, layout, options, n_threads, on_progress, lines_of=lambda lines: rows.lines_of(lines, kept)
    )
    if columns is not None:
        faults.add(rows.fault(n_fields))
    return columns


def _check_row_names(column: RawColumn, layout: TextLayout, path: str | Path) -> None:
    """Raises an error for a first column without a name whose values are not names or numbers of rows."""
    line = layout.first_line
    if max(column.counts) == 1:
        return
    if layout.row_names == "extra":
        n_names = len(layout.names) - 1
        raise FormatError(f"has {n_names + 1} fields where {n_names} were expected", path=path, line=line)
    if not all(label is not None and is_integer(label) for label in column.labels):
        raise FormatError(
            "column 1 has no name, and as its values repeat it holds no row names", path=path, line=line - 1
        )


def _column(path: str | Path, coded: _core.CodedText, at: int, name: str, lines_of: LinesOf) -> RawColumn:
    lines = lines_of(coded.lines(at))
    labels: list[str | None] = []
    for label, line in zip(coded.labels(at), lines, strict=True):
        try:
            labels.append(label.decode("utf-8"))
        except UnicodeDecodeError:
            raise _not_utf8(path, line, f" (column {name!r})") from None
    return RawColumn(
        name=name,
        labels=labels,
        counts=coded.counts(at),
        write=lambda code_of_label, out: coded.write_codes(at, code_of_label, out),
        lines=lines,
    )


def _not_utf8(path: str | Path, line: int, where: str = "") -> FormatError:
    problem = Problem.from_arguments(None, f"is not UTF-8 text{where}", {"encoding": "cp1252"}, lines=[line])
    return FormatError(not_utf8(where), path=path, line=line, problems=[problem])


def _declare(column: RawColumn, states: tuple[str, ...], na_values: frozenset[str]) -> bool:
    """Gives a column its declared arity; False if its labels do not fit.

    Integer labels must be below the arity, and the states are then 0, 1, …; of other labels there must not be more.
    """
    missing = find_missing(column.labels, na_values)
    known = [label for label in column.labels if label is not None and label not in missing]
    if not fits_arity(known, len(states)):
        return False
    if all(map(is_integer, known)):
        column.declared = states
    return True


def fits_arity(labels: Sequence[str], arity: int) -> bool:
    """Whether these labels fit the number of states in a line of arities."""
    if all(map(is_integer, labels)):
        return all(label.isdigit() and str(int(label)) == label and int(label) < arity for label in labels)
    return len(labels) <= arity
