"""A slow, plain reading of text tables by the rules, to compare the fast reader with."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from credenet import Dataset

MISSING = (
    *("", "?", ".", "NA", "N/A", "n/a", "<NA>", "NaT", "NULL", "null", "\\N"),
    *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
    *("#N/A", "#N/A N/A", "#NA", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"),
)


@dataclass
class SlowTable:
    names: list[str]
    states: dict[str, list[str]]
    rows: list[list[str | None]]  # None stands for a missing cell.

    def is_usable(self) -> bool:
        """Whether it has rows, good names and a value in every column."""
        good_names = len(set(self.names)) == len(self.names) and "" not in self.names
        return good_names and bool(self.rows) and all(self.states.values())


def decoded(data: Dataset) -> SlowTable:
    """A dataset as a plain table."""
    rows: list[list[str | None]] = [
        [
            None if code == data.missing_code else str(labels[code])
            for code, labels in zip(row, data.states.values(), strict=True)
        ]
        for row in data.codes.tolist()
    ]
    return SlowTable(list(data.variables), {name: list(map(str, labels)) for name, labels in data.states.items()}, rows)


def is_integer(text: str) -> bool:
    return re.fullmatch("[+-]?[0-9]+", text) is not None


def slow_rows(text: str, separator: str) -> list[list[str]]:
    """The fields of a well-formed text; a separator of "" stands for runs of blanks."""
    text = text.removeprefix("\ufeff")
    while text.endswith(("\n", "\r", " ")) or (separator != "\t" and text.endswith("\t")):
        text = text[:-1]
    if separator:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True)
        return [[field.strip(" \t") for field in row] for row in reader]
    rows: list[list[str]] = [[]]
    for quoted, bare, line_end in re.findall(r'("(?:[^"]|"")*")|([^ \t\r\n]+)|(\r?\n)', text):
        if line_end:
            rows.append([])
        else:
            rows[-1].append(bare or quoted[1:-1].replace('""', '"'))
    return rows


def slow_states(labels: Sequence[str | None]) -> list[str]:
    found = sorted({label for label in labels if label is not None})
    return sorted(found, key=lambda label: (int(label), label)) if all(map(is_integer, found)) else found


def has_names(rows: list[list[str]], header: bool | None) -> bool:
    return header if header is not None else not all(map(is_integer, rows[0]))


def slow_table(rows: list[list[str]], header: bool | None) -> SlowTable:
    """A table of integers and labels."""
    names = rows[0] if has_names(rows, header) else [str(k) for k in range(len(rows[0]))]
    body = rows[has_names(rows, header) :]
    if has_names(rows, header) and has_row_names(names, body, header):
        names, body = names[1:], [row[1:] for row in body]
    columns = [slow_cells(list(column)) for column in zip(*body, strict=True)] or [[] for _ in names]
    states = {name: slow_states(column) for name, column in zip(names, columns, strict=True)}
    return SlowTable(names, states, [list(row) for row in zip(*columns, strict=True)])


def slow_cells(column: list[str]) -> list[str | None]:
    """The labels of a column, None where it is missing; the word None is missing where all others are integers."""
    cells = [None if cell in MISSING else cell for cell in column]
    others = [cell for cell in cells if cell not in (None, "None")]
    among_numbers = bool(others) and all(is_integer(cell) for cell in others if cell is not None)
    return [None if among_numbers and cell == "None" else cell for cell in cells]


def has_row_names(names: list[str], rows: list[list[str]], header: bool | None) -> bool:
    """Whether the first column has no name and holds different labels, or integers."""
    numbers = list(map(str, range(len(names) - 1)))
    if len(names) < 2 or names[0] or (not header and all(map(is_integer, names[1:])) and names[1:] != numbers):
        return False
    first = [row[0] for row in rows]
    return len(set(first)) == len(first) or all(map(is_integer, first))


def slow_dat_table(rows: list[list[str]], header: bool | None) -> SlowTable:
    """A ``.dat`` table, where the second line may hold arities: after the names, or between two counts."""
    plain = slow_table(rows, header)
    if len(rows[0]) > 1 and not rows[0][0]:  # The file has row names, which exclude arities.
        return plain
    if has_names(rows, header):
        arities, body = rows[1:2], rows[2:]
    elif header is None and rows[0] == [str(len(rows[0]))] and rows[2:3] == [[str(len(rows) - 3)]]:
        arities, body = rows[1:2], rows[3:]
    else:
        return plain
    if not body or not all(is_integer(arity) and 0 < int(arity) < 65535 for arity in arities[0]):
        return plain
    rest = slow_table([plain.names, *body], True)
    for name, arity in zip(rest.names, map(int, arities[0]), strict=True):
        labels = rest.states[name]
        if all(map(is_integer, labels)):
            declared = list(map(str, range(arity)))
            if not set(labels) <= set(declared):
                return plain
            rest.states[name] = declared
        elif len(labels) > arity:
            return plain
    return rest
