"""JKL (also ``.scores``, ``.jaa``): the number of variables, then the parent sets of each variable with their scores.

A variable begins with a line ``name count``, followed by ``count`` lines ``score n_parents parents…``. Names are
words; if they are the numbers 0, 1, … they also give the order. Lines that start with ``#`` are comments.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from credenet.errors import FormatError
from credenet.families.table import FamilyTable
from credenet.io.families.family_text import (
    Body,
    TableBuilder,
    body_names,
    looks_like_score,
    metadata_line,
    needs_positions,
)
from credenet.io.numerals import count_text, whole


def parse(text: str, path: str | Path) -> FamilyTable:
    body = Body(text, path)
    first = next(body.rows, [])
    n_variables = whole(first[0]) if len(first) == 1 else None
    if n_variables is None:
        raise FormatError("expected the number of variables on a line of its own", path=path, line=body.line)
    builder = TableBuilder(path, first_parent=2)
    for words in body.rows:
        if len(builder) == n_variables:
            message = f"expected the end of the file after {n_variables} variables"
            raise FormatError(message, path=path, line=body.line)
        _read_block(words, body, builder, path)
    if len(builder) < n_variables:
        message = f"should have {count_text(n_variables)} variables, but ends after {len(builder)}"
        raise FormatError(message, path=path, line=body.line)
    return builder.finish(body)


def _read_block(words: list[str], body: Body, builder: TableBuilder, path: str | Path) -> None:
    """Reads the parent sets of a variable, given the words of its first line."""
    start = body.line
    count = whole(words[1]) if len(words) == 2 and not looks_like_score(words[0]) else None
    if count is None:
        message = f"expected a variable and the number of its parent sets, got {' '.join(words)[:60]!r}"
        raise FormatError(message, path=path, line=start)
    rows: list[list[str]] = []
    lines: list[int] = []
    for row in islice(body.rows, count):
        n_parents = len(row) - 2
        if n_parents < 0 or (row[1] != str(n_parents) and whole(row[1]) != n_parents):
            _fail_at_row(row, path, body.line)
        rows.append(row)
        lines.append(body.line)
    if len(rows) < count:
        message = f"variable {words[0]!r} should have {count} parent sets, but the file ends after {len(rows)}"
        raise FormatError(message, path=path, line=body.line)
    builder.add(words[0], start, rows, lines)


def _fail_at_row(row: list[str], path: str | Path, line: int) -> None:
    announced = whole(row[1]) if len(row) > 1 else None
    if announced is None:
        message = f"expected a score, the number of parents and the parents, got {' '.join(row)[:60]!r}"
    else:
        message = f"announces {announced} parents, but has {len(row) - 2}"
    raise FormatError(message, path=path, line=line)


def render(table: FamilyTable, path: str | Path) -> str:
    by_position = needs_positions(table.variables)
    names = body_names(table, by_position=by_position)
    lines = [metadata_line(table, by_position=by_position), str(len(names))]
    for place, name in enumerate(names):
        scores, offsets, parents = (array.tolist() for array in table.arrays(place))
        words = [names[parent] for parent in parents]
        lines.append(f"{name} {len(scores)}")
        lines += [
            " ".join((repr(score), str(end - start), *words[start:end]))
            for score, start, end in zip(scores, offsets, offsets[1:], strict=False)
        ]
    return "\n".join(lines) + "\n"
