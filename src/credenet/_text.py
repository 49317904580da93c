"""Plain text for people: counts with their nouns, and columns that line up."""

from __future__ import annotations

from collections.abc import Sequence

JOINED_HEADERS = ("joined", "→", "←", "data cannot tell")
"""How two variables may be joined, as the columns of every table say it."""
_WIDEST = 60  # Characters of a column at most.


def count(number: int, noun: str) -> str:
    """``1 edge``, ``2 edges``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listing(names: Sequence[str], most: int = 8) -> str:
    """The first few names, with a mark if there are more."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, …"


def several(names: Sequence[str], most: int = 6) -> str:
    """The first few names and how many more there are.

    Examples
    --------
    >>> several(["a", "b"]), several(["a", "b", "c", "d"], most=2)
    ('a, b', 'a, b, … and 2 more')
    """
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, … and {len(names) - most:,} more"


def one_line(text: str, most: int = 500) -> str:
    """A text without line breaks and other control characters, its middle left out if it is long.

    Examples
    --------
    >>> one_line("two\\nlines"), one_line("x" * 1000, most=9)
    ('two lines', 'xxxxx … x')
    """
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split("\n")))
    if len(shown) <= most:
        return shown
    end = most // 4
    return f"{shown[: most - end - 2]} … {shown[len(shown) - end + 1 :]}"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under headers, each column as wide as it must be; long cells are cut."""
    cells = [[_cut(cell) for cell in row] for row in (headers, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(headers))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def large(number: int) -> str:
    """A whole number with at most 15 digits, or that it is larger.

    Examples
    --------
    >>> large(1234567), large(300 * 2**299)
    ('1,234,567', 'more than 10^15')
    """
    return f"{number:,}" if number < 10**15 else "more than 10^15"


def name_lines(rows: Sequence[tuple[str, str]]) -> str:
    """Rows as text: names in a column, sentences at full length."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)


def byte_count(number: float) -> str:
    """``12.3 MB``; whole numbers may be larger than a float can be.

    Examples
    --------
    >>> byte_count(999), byte_count(1.234e9), byte_count(2**2000)
    ('999 bytes', '1.23 GB', 'more than 1,000 PB')
    """
    if number >= 10**18:
        return "more than 1,000 PB"
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} PB"


def duration(seconds: float) -> str:
    """``0.4 s``, ``12 s``, ``2 min 38 s``, ``3 h 5 min``.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.0012, 0.42, 9.96, 158.4, 11_100)]
    ['0.001 s', '0.42 s', '10 s', '2 min 38 s', '3 h 5 min']
    """
    if seconds < 9.95:
        return f"{seconds:.1g} s" if seconds < 0.095 else f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min"


def probability(value: float, digits: int = 4) -> str:
    """A probability that is neither rounded to 0 nor to 1.

    Examples
    --------
    >>> [probability(value) for value in (0.0, 1e-9, 0.25, 1 - 1e-9, 1.0)]
    ['0', '<0.0001', '0.2500', '>0.9999', '1']
    """
    least = 10.0**-digits
    if value <= 0:
        return "0"
    if value >= 1 - 1e-12:  # A sum of probabilities may miss 1 by rounding.
        return "1"
    if value < least:
        return f"<{least:.{digits}f}"
    if value > 1 - least:
        return f">{1 - least:.{digits}f}"
    return f"{value:.{digits}f}"


def _cut(cell: str) -> str:
    printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cell)
    return printable if len(printable) <= _WIDEST else printable[: _WIDEST - 1] + "…"
