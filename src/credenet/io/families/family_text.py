"""The common part of the text formats of family tables: lines, the ``# credenet:`` line, names, errors with their line.

That line is a comment to other programs. It holds the provenance of the table as JSON, and the names if the body cannot
hold them: then the body has the positions 0, 1, … instead.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from credenet.errors import ArgumentError, FormatError, GraphError
from credenet.families.arrays import FamilyError, FlatFamilies, prefix_sums
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
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


class Body:
    """The lines of a text that are not blank or comments, in words, one after the other.

    ``line`` is the number of the last line read, ``metadata`` the contents of the ``# credenet:`` line, if it was read.
    """

    def __init__(self, text: str, path: str | Path) -> None:
        self.line = 1
        self.metadata: Metadata | None = None
        self.rows = self._read(text, path)

    def _read(self, text: str, path: str | Path) -> Iterator[list[str]]:
        for number, line in enumerate(text.split("\n"), 1):
            words = line.split()
            if not words:
                continue
            if words[0][0] != "#":
                self.line = number
                yield words
                continue
            marked = _MARK.match(line)
            if marked is not None:
                if self.metadata is not None:
                    raise FormatError("a second '# credenet:' line", path=path, line=number)
                self.metadata = _parse_metadata(marked[1], path, number)
        if self.metadata is not None and not text.endswith("\n"):
            raise FormatError("the last line is cut off: it does not end", path=path, line=text.count("\n") + 1)


def _parse_metadata(text: str, path: str | Path, line: int) -> Metadata:
    try:
        values = parse_json(text)
        return Metadata(
            line,
            FamilyTableInfo.from_dict(values),
            collect_names(values),
            count_in(values, "n_variables"),
            count_in(values, "n_families"),
        )
    except (ArgumentError, GraphError) as error:
        raise FormatError(f"the '# credenet:' line does not fit: {error}", path=path, line=line) from None


def parse_json(text: str) -> Mapping[str, Any]:
    """The JSON object in a text."""
    try:
        values = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ArgumentError(f"it is not JSON ({error})") from None
    except ValueError:
        raise ArgumentError("it has a number with too many digits") from None
    if not isinstance(values, dict):
        raise ArgumentError("it must be a JSON object")
    return values


def collect_names(values: Mapping[str, Any]) -> tuple[str, ...] | None:
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
    values = {"n_variables": len(table.variables), "n_families": len(table), **table.made.to_dict()}
    if by_position:
        values["variables"] = table.variables
    return f"# credenet: {json.dumps(values)}"


def looks_like_score(word: str) -> bool:
    """Whether a word is a number, but not one that may stand for a position."""
    return bool(_SIGNED_OR_BROKEN.fullmatch(word)) and not word.isdecimal()


def needs_positions(names: Sequence[str], unfit: Callable[[str], object] = looks_like_score) -> bool:
    """Whether some name would not be read back unchanged."""
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
    """The words for the variables in the body."""
    return list(map(str, range(len(table.variables)))) if by_position else table.variables


class _Numbering(dict[str, int]):
    """Words numbered in the order of their first occurrence."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class TableBuilder:
    """A table built block by block; a block is stored as numbers, as text takes ten times the memory.

    In the rows of a block the score is the first word and the parents begin at ``first_parent``.
    """

    def __init__(self, path: str | Path, *, first_parent: int) -> None:
        self._path = path
        self._first_parent = first_parent
        self._numbering = _Numbering()
        self._variables: dict[str, int] = {}  # Each variable with the first line of its block.
        self._counts: list[int] = []
        self._scores = array("d")
        self._sizes = array("q")
        self._parents = array("q")
        self._lines = array("q")

    def __len__(self) -> int:
        return len(self._variables)

    def add(self, variable: str, line: int, rows: Sequence[Sequence[str]], lines: Sequence[int]) -> None:
        """A variable and its families."""
        if variable in self._variables:
            raise FormatError(f"variable {variable!r} comes twice", path=self._path, line=line)
        scores = decimals(" ".join([row[0] for row in rows]))
        if scores is None or len(scores) != len(rows):
            at = next(at for at, row in enumerate(rows) if len(decimals(row[0]) or ()) != 1)
            raise FormatError(f"expected a score, got {rows[at][0]!r}", path=self._path, line=lines[at])
        first, numbering = self._first_parent, self._numbering
        self._variables[variable] = line
        self._counts.append(len(rows))
        self._scores.extend(scores)
        self._sizes.extend([len(row) - first for row in rows])
        self._parents.extend([numbering[word] for row in rows for word in row[first:]])
        self._lines.extend(lines)

    def finish(self, body: Body, made: FamilyTableInfo | None = None) -> FamilyTable:
        """The table, after the end of the file."""
        metadata = body.metadata
        names, places = self._places(metadata)
        place_of = np.array([places.get(word, -1) for word in self._numbering], dtype=np.int32)
        counts = np.array(self._counts, dtype=np.int64)
        sizes = np.array(self._sizes, dtype=np.int64)
        parents = place_of[np.array(self._parents, dtype=np.int64)]
        unknown = np.flatnonzero(parents < 0)
        if unknown.size:
            line = self._lines[int(np.searchsorted(np.cumsum(sizes), unknown[0], side="right"))]
            word = list(self._numbering)[self._parents[unknown[0]]]
            raise FormatError(f"unknown parent {word!r}", path=self._path, line=line)
        blocks = np.array([places[word] for word in self._variables], dtype=np.int64)
        order = np.argsort(np.repeat(blocks, counts), kind="stable")
        unordered = FlatFamilies(np.zeros(1, dtype=np.int64), np.array(self._scores), prefix_sums(sizes), parents)
        flat = unordered.take(order, counts[np.argsort(blocks)])
        try:
            table = FamilyTable.from_flat(
                names,
                np.diff(flat.starts),
                flat.scores,
                flat.sizes,
                flat.parents,
                made=metadata.made if metadata else made,
            )
        except FamilyError as error:
            at = None if error.family is None else self._lines[order[error.family]]
            raise FormatError(str(error), path=self._path, line=at) from None
        if metadata is not None:
            self._check_counts(metadata, table, body.line)
        return table

    def _places(self, metadata: Metadata | None) -> tuple[Sequence[str], Mapping[str, int]]:
        """The names of the variables, and the position of the variable that each word of the body means."""
        words = {word: place for place, word in enumerate(self._variables)}
        numbers = {str(place): place for place in range(len(words))}
        if metadata is None or metadata.variables is None:
            return (list(numbers), numbers) if words.keys() == numbers.keys() else (list(words), words)
        if len(metadata.variables) != len(words):
            message = f"{len(metadata.variables)} variables are named, but the file has {len(words)}"
            raise FormatError(message, path=self._path, line=metadata.line)
        for word, line in self._variables.items():
            if word not in numbers:
                message = f"expected the position of a variable below {len(words)}, got {word!r}"
                raise FormatError(message, path=self._path, line=line)
        return metadata.variables, numbers

    def _check_counts(self, metadata: Metadata, table: FamilyTable, line: int) -> None:
        """Raises an error if families are missing from a file written by this library, or were added to it."""
        for announced, number, what in (
            (metadata.n_variables, len(table.variables), "variables"),
            (metadata.n_families, len(table), "parent sets"),
        ):
            if announced not in (None, number):
                raise FormatError(f"should have {announced} {what}, but has {number}", path=self._path, line=line)
