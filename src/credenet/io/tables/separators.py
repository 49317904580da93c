"""Recognition of the separator of a text table from its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LINE_END = re.compile(b"\n")
_MARKS = (b"\t", b";", b"|")
_SAMPLE_BYTES = 1 << 16
_SAMPLE_LINES = 20


def first_lines(contents: memoryview) -> list[bytes]:
    """The first lines that are not blank, with an ``x`` for everything between quotes."""
    end = max(first_row_end(contents), min(_SAMPLE_BYTES, len(contents)))
    lines = b"x".join(bytes(contents[:end]).split(b'"')[::2]).splitlines()
    if end < len(contents) and len(lines) > 1:
        lines.pop()  # The last line may be cut off.
    return [line for line in lines if line.strip()][:_SAMPLE_LINES] or [b""]


def first_row_end(contents: memoryview) -> int:
    """The first line end outside quotes; if a quote is never closed, the first line end."""
    first, begin, n_quotes = len(contents), 0, 0
    for match in _LINE_END.finditer(contents):
        first = min(first, match.start())
        n_quotes += bytes(contents[begin : match.start()]).count(b'"')
        if n_quotes % 2 == 0:
            return match.start()
        begin = match.start()
    return first


def separator(lines: Sequence[bytes], *, decimal_comma: bool = False) -> str | None:
    """The separator that gives all lines equally many fields, or the most frequent one; "" for blanks, or None."""
    first = lines[0]
    for mark in _MARKS:
        # Beside one of these marks, commas belong to names or numbers, however many there are.
        if mark in first and (agree(lines, mark) or (decimal_comma and mark != b"|")):
            return mark.decode()
    best = max((b",", b"\t", b";"), key=first.count)
    if best in first:
        return best.decode()
    return "" if agree(lines, None) else None


def agree(lines: Sequence[bytes], mark: bytes | None) -> bool:
    """Whether a mark (None: blanks) gives all lines the same number of fields, more than one.

    The first line may have one field less: in a table of R, it has no name for the column of row names.
    """
    first, *others = [len(line.split(mark)) for line in lines]
    return first > 1 and len(set(others)) == 1 and others[0] - first in (0, 1)
