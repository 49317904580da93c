"""Tables as a notebook shows them: HTML in which every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 100


def html_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """Rows under headers, if there are any; the columns at the places in ``numbers`` are aligned to the right.

    Examples
    --------
    >>> html_table(["name"], [["a < b"]])
    '<table><thead><tr><th>name</th></tr></thead><tbody><tr><td>a &lt; b</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in headers)
    lines = ["<table>", f"<thead><tr>{head}</tr></thead>" if headers else "", "<tbody>"]
    for row in rows:
        cells = (
            f'<td class="number" style="text-align:right">{escape(text)}</td>'
            if at in numbers
            else f"<td>{escape(text)}</td>"
            for at, text in enumerate(row)
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "".join([*lines, "</tbody></table>"])


def first_rows(
    title: str, headers: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()
) -> str:
    """The first rows of a table under its title, with a note if rows are left out."""
    more = len(rows) - MOST_ROWS
    note = f"<p>… and {more:,} more</p>" if more > 0 else ""
    return f"{paragraph(title)}{html_table(headers, rows[:MOST_ROWS], numbers=numbers)}{note}"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
