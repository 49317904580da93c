"""Plain text for people: counts with their nouns, and columns that line up."""

from __future__ import annotations

from collections.abc import Sequence

_WIDEST = 60  # characters of a column


def count(number: int, noun: str) -> str:
    """``1 edge``, ``2 edges``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listing(names: Sequence[str], most: int = 8) -> str:
    """The first few names, with a mark where there are more."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, …"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under headers, each column as wide as it must be; long cells are cut."""
    cells = [[_cut(cell) for cell in row] for row in (headers, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(headers))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def byte_count(number: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} PB"


def _cut(cell: str) -> str:
    printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cell)
    return printable if len(printable) <= _WIDEST else printable[: _WIDEST - 1] + "…"
