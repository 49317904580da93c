"""Datasets in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet._html import first_rows, html_table, paragraph
from credenet._text import count, listing

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.data.info import DatasetInfo

_ROWS = 8
_COLUMNS = 20


def dataset_html(data: Dataset) -> str:
    """The first rows of the first columns."""
    names = data.variables[:_COLUMNS]
    shown = data.select(names).take(slice(_ROWS)).to_polars()
    rows = [[str(at + 1), *("" if cell is None else str(cell) for cell in row)] for at, row in enumerate(shown.rows())]
    left_out = [
        count(number, noun)
        for number, noun in ((data.n_rows - _ROWS, "more row"), (data.n_variables - _COLUMNS, "more variable"))
        if number > 0
    ]
    note = paragraph(f"… and {' and '.join(left_out)}") if left_out else ""
    return paragraph(repr(data)[1:-1]) + html_table(["row", *names], rows, numbers=(0,)) + note


def info_html(info: DatasetInfo) -> str:
    """The states of every variable with their numbers of rows, and the remarks."""
    rows = [
        [
            name,
            str(len(labels)),
            listing([f"{label} ({number:,})" for label, number in info.counts[name].items()]),
            str(info.missing.get(name, "")),
        ]
        for name, labels in info.states.items()
    ]
    weight = "" if info.total_weight is None else f", total weight {info.total_weight:g}"
    title = f"{count(info.n_rows, 'row')}, {count(len(info.variables), 'variable')}{weight}"
    remarks = "".join(paragraph(remark) for remark in info.remarks)
    return first_rows(title, ["variable", "states", "labels (rows)", "missing"], rows, numbers=(1, 3)) + remarks
