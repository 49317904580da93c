"""PSS (URLearning): ``VAR name`` and below it a line ``score parents…`` for every parent set.

Lines ``META key = value`` describe the scores; those below a variable (its states) are ignored. Scores are logarithms
to be maximised, as everywhere in this library. URLearning looks for ``meta`` and ``var`` anywhere in a line, so names
that contain these are written by position.
"""

from __future__ import annotations

from pathlib import Path

from credenet.errors import FormatError
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.io.families.family_text import (
    Body,
    TableBuilder,
    body_names,
    looks_like_score,
    metadata_line,
    needs_positions,
)
from credenet.io.numerals import decimals, whole


def parse(text: str, path: str | Path) -> FamilyTable:
    body = Body(text, path)
    builder = TableBuilder(path, first_parent=1)
    header: dict[str, str] = {}
    variable: str | None = None
    start = 1
    rows: list[list[str]] = []
    lines: list[int] = []
    for row in body.rows:
        keyword = row[0].lower()
        if keyword == "meta":
            if variable is None:
                key, _, value = " ".join(row[1:]).partition("=")
                header[key.strip().lower()] = value.strip()
        elif keyword == "var":
            if len(row) != 2:
                raise FormatError("expected VAR and a name without blanks", path=path, line=body.line)
            if variable is not None:
                builder.add(variable, start, rows, lines)
            variable, start, rows, lines = row[1], body.line, [], []
        elif variable is None:
            raise FormatError(f"expected META or VAR, got {row[0]!r}", path=path, line=body.line)
        else:
            rows.append(row)
            lines.append(body.line)
    if variable is not None:
        builder.add(variable, start, rows, lines)
    elif body.metadata is None:
        raise FormatError("has no variables", path=path, line=body.line)
    return builder.finish(body, _read_info(header))


def _read_info(header: dict[str, str]) -> FamilyTableInfo:
    """The provenance in the header of another program, as far as it is known."""
    rows = decimals(header.get("num_records", ""))
    score = header.get("score_type") or None
    if score is not None and header.get("ess"):
        score = f"{score}(ess={header['ess']})"
    return FamilyTableInfo(
        score=score,
        n_rows=rows[0] if rows and len(rows) == 1 and 0 <= rows[0] < float("inf") else None,
        max_parents=whole(header.get("parent_limit", "")),
    )


def render(table: FamilyTable, path: str | Path) -> str:
    by_position = needs_positions(table.variables, _misleading)
    names = body_names(table, by_position=by_position)
    made = table.made
    lines = [metadata_line(table, by_position=by_position), "META pss_version = 0.1"]
    if made.n_rows is not None:
        lines.append(f"META num_records = {made.n_rows:.17g}")
    if made.max_parents is not None:
        lines.append(f"META parent_limit = {made.max_parents}")
    if made.score is not None and made.score.isascii() and made.score.isprintable():
        lines.append(f"META score_type = {made.score}")
    for place, name in enumerate(names):
        scores, offsets, parents = (array.tolist() for array in table.arrays(place))
        words = [names[parent] for parent in parents]
        lines += ["", f"VAR {name}"]
        lines += [
            " ".join((repr(score), *words[start:end]))
            for score, start, end in zip(scores, offsets, offsets[1:], strict=False)
        ]
    return "\n".join(lines) + "\n"


def _misleading(name: str) -> bool:
    return looks_like_score(name) or "meta" in name.lower() or "var" in name.lower()
