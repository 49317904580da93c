"""What the text formats of family tables share: lines, the ``# credenet:`` line, names, errors at their line.

That line is a comment to other programs. It holds, as JSON, how the table was made, and the names where the body
cannot: then the body has the positions 0, 1, … in their place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Never

from credenet.errors import ArgumentError, FormatError, GraphError
from credenet.families import FamilyTable
from credenet.family_arrays import FamilyError
from credenet.family_info import FamilyTableInfo
from credenet.graphs._base import check_variables
from credenet.io.numerals import decimals

_MARK = re.compile(r"\s*#\s*credenet:(.*)")
_SIGNED_OR_BROKEN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(slots=True)
class Metadata:
    """The ``# credenet:`` line of a file."""

    line: int
    made: FamilyTableInfo
    variables: tuple[str, ...] | None
    n_variables: int | None
    n_families: int | None


@dataclass(slots=True)
class Block:
    """A variable and the words of the lines below it."""

    variable: str
    line: int
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """The lines of a file that are not blank or comments, in words."""

    rows: list[list[str]]
    lines: list[int]
    metadata: Metadata | None

    @property
    def last_line(self) -> int:
        return self.lines[-1] if self.lines else 1


def read_body(text: str, path: str | Path) -> Body:
    rows: list[list[str]] = []
    lines: list[int] = []
    metadata: Metadata | None = None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words:
            continue
        if words[0][0] == "#":
            marked = _MARK.match(line)
            if marked is not None:
                if metadata is not None:
                    raise FormatError("a second '# credenet:' line", path=path, line=number)
                metadata = _parse_metadata(marked[1], path, number)
            continue
        rows.append(words)
        lines.append(number)
    if metadata is not None and not text.endswith("\n"):
        raise FormatError("the last line is cut off: it does not end", path=path, line=text.count("\n") + 1)
    return Body(rows, lines, metadata)


def _parse_metadata(text: str, path: str | Path, line: int) -> Metadata:
    try:
        values = parse_json(text)
        return Metadata(
            line,
            FamilyTableInfo.from_json(values),
            names_in(values),
            count_in(values, "n_variables"),
            count_in(values, "n_families"),
        )
    except (ArgumentError, GraphError) as error:
        raise FormatError(f"the '# credenet:' line does not fit: {error}", path=path, line=line) from None


def parse_json(text: str) -> Mapping[str, Any]:
    """The JSON object in a text."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"it is not JSON ({error})") from None
    if not isinstance(values, dict):
        raise ArgumentError("it must be a JSON object")
    return values


def names_in(values: Mapping[str, Any]) -> tuple[str, ...] | None:
    names = values.get("variables")
    if names is None:
        return None
    if not isinstance(names, list):
        raise ArgumentError("variables must be a list of names")
    return check_variables(names)


def count_in(values: Mapping[str, Any], name: str) -> int | None:
    number = values.get(name)
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise ArgumentError(f"{name} must be a whole number, got {number!r}")
    return number


def metadata_line(table: FamilyTable, *, by_position: bool) -> str:
    values = {"n_variables": len(table.variables), "n_families": len(table), **table.made.to_json()}
    if by_position:
        values["variables"] = table.variables
    return f"# credenet: {json.dumps(values)}"


def looks_like_score(word: str) -> bool:
    """Whether a word is a number, but not one that may stand for a position."""
    return bool(_SIGNED_OR_BROKEN.fullmatch(word)) and not word.isdecimal()


def needs_positions(names: Sequence[str], unfit: Callable[[str], object] = looks_like_score) -> bool:
    """Whether some name would not be read back as it is."""
    if not all(map(_is_word, names)) or any(map(unfit, names)):
        return True
    numbers = list(map(str, range(len(names))))
    return set(names) == set(numbers) and list(names) != numbers


def _is_word(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.split() == [name] and not name.startswith("#")


def body_names(table: FamilyTable, *, by_position: bool) -> Sequence[str]:
    """What stands for the variables in the body."""
    return list(map(str, range(len(table.variables)))) if by_position else table.variables


def build_table(
    path: str | Path, blocks: list[Block], body: Body, *, first_parent: int, made: FamilyTableInfo | None = None
) -> FamilyTable:
    """The table of the blocks, in whose rows the score is the first word and the parents begin at a given one."""
    names, index = _names(path, blocks, body)
    blocks = sorted(blocks, key=lambda block: index[block.variable])
    rows = list(chain.from_iterable(block.rows for block in blocks))
    lines = list(chain.from_iterable(block.lines for block in blocks))
    scores = decimals(" ".join([row[0] for row in rows]))
    if scores is None or len(scores) != len(rows):
        _fail_at_score(path, rows, lines)
    try:
        parents = [index[word] for row in rows for word in row[first_parent:]]
    except KeyError:
        _fail_at_parent(path, rows, lines, index, first_parent)
    try:
        return FamilyTable.from_flat(
            names,
            [len(block.rows) for block in blocks],
            scores,
            [len(row) - first_parent for row in rows],
            parents,
            made=body.metadata.made if body.metadata else made,
        )
    except FamilyError as error:
        line = None if error.family is None else lines[error.family]
        raise FormatError(str(error), path=path, line=line) from None


def _names(path: str | Path, blocks: Sequence[Block], body: Body) -> tuple[Sequence[str], Mapping[str, int]]:
    """The names of the variables and the position that each word of the body stands for."""
    words: dict[str, int] = {}
    for block in blocks:
        if block.variable in words:
            raise FormatError(f"variable {block.variable!r} comes twice", path=path, line=block.line)
        words[block.variable] = len(words)
    numbers = {str(place): place for place in range(len(words))}
    named = None if body.metadata is None else body.metadata.variables
    if named is None:
        return (list(numbers), numbers) if words.keys() == numbers.keys() else (list(words), words)
    assert body.metadata is not None
    if len(named) != len(words):
        message = f"{len(named)} variables are named, but the file has {len(words)}"
        raise FormatError(message, path=path, line=body.metadata.line)
    for block in blocks:
        if block.variable not in numbers:
            message = f"expected the position of a variable below {len(words)}, got {block.variable!r}"
            raise FormatError(message, path=path, line=block.line)
    return named, numbers


def check_counts(path: str | Path, body: Body, table: FamilyTable) -> None:
    """Refuses a file of ours in which something is missing or added."""
    if body.metadata is None:
        return
    for announced, number, what in (
        (body.metadata.n_variables, len(table.variables), "variables"),
        (body.metadata.n_families, len(table), "parent sets"),
    ):
        if announced not in (None, number):
            raise FormatError(f"should have {announced} {what}, but has {number}", path=path, line=body.last_line)


def _fail_at_score(path: str | Path, rows: Sequence[Sequence[str]], lines: Sequence[int]) -> Never:
    row, line = next(pair for pair in zip(rows, lines, strict=True) if len(decimals(pair[0][0]) or ()) != 1)
    raise FormatError(f"expected a score, got {row[0]!r}", path=path, line=line)


def _fail_at_parent(
    path: str | Path,
    rows: Sequence[Sequence[str]],
    lines: Sequence[int],
    index: Mapping[str, int],
    first_parent: int,
) -> Never:
    pairs = ((word, line) for row, line in zip(rows, lines, strict=True) for word in row[first_parent:])
    word, line = next(pair for pair in pairs if pair[0] not in index)
    raise FormatError(f"unknown parent {word!r}", path=path, line=line)
