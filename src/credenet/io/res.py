"""The ``.res`` files of BLIP: a network with the scores of its families, and perhaps an elimination order.

    elim-order: (2,0,1)
    0: -12.5
    1: -3.25 (0,2)
    2: -7.0

    Score: -22.75

Variables are numbered from 0; names are read, too, if they hold no blanks, commas, colons or brackets. Scores
and the brackets of a variable without parents may be left out; the elimination order may be anywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Never

from credenet._advised import check_keywords
from credenet._arguments import name_list
from credenet._files.files import read_text, write_text
from credenet.errors import ArgumentError, FormatError, GraphError
from credenet.graphs import DAG
from credenet.io.numerals import decimals, whole

_NAME = r"[^\s,:()]+"
_NAMES = rf"{_NAME}+(?:\s*+,\s*+{_NAME}+)*+"
_FAMILY = re.compile(rf"({_NAME}+)\s*+:\s*+([^\s()]++)?+\s*+(?:\(\s*+({_NAMES})?+\s*+\))?")
_ORDER = re.compile(rf"elim-order\s*+:\s*+\(\s*+({_NAMES})?+\s*+\)")
_SCORE = re.compile(r"Score\s*+:\s*+(\S++)")


class ResFile(NamedTuple):
    """The contents of a ``.res`` file: the network, the scores of its families, their total, an elimination order.

    Examples
    --------
    >>> import credenet
    >>> credenet.save_graph(credenet.DAG.parse("rain -> grass"), "grass.res")
    >>> credenet.types.ResFile.load("grass.res").graph
    <DAG 2 variables, 1 edge>
    """

    graph: DAG
    local: Mapping[str, float]
    score: float | None
    elimination_order: tuple[str, ...] | None

    @classmethod
    @check_keywords
    def load(cls, path: str | Path, *, variables: Sequence[str] | None = None) -> ResFile:
        """The network in a file, with its scores and its elimination order.

        Parameters
        ----------
        variables
            The names of the variables, in the order of their numbers; by default the numbers are the names.
        """
        return parse(read_text(path), path, None if variables is None else name_list("variables", variables))


def parse(text: str, path: str | Path, variables: Sequence[str] | None = None) -> ResFile:
    """The network that the text of a file describes."""
    return _Reader(path, variables).read(text)


class _Reader:
    def __init__(self, path: str | Path, variables: Sequence[str] | None) -> None:
        self._path = path
        self._variables = variables
        self._parents: dict[str, tuple[int, list[str]]] = {}
        self._local: dict[str, float] = {}
        self._score: float | None = None
        self._order: tuple[int, list[str]] | None = None

    def read(self, text: str) -> ResFile:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                self._line(line.strip(), number)
        if not self._parents:
            raise FormatError("has no line of a variable, such as 0: -12.5 (1,2)", path=self._path)
        self._check_names()
        names = self._names()
        try:
            graph = DAG(names, [(parent, child) for child in names for parent in self._parents[child][1]])
        except GraphError as error:
            raise FormatError(str(error), path=self._path) from None
        return self._name_variables(ResFile(graph, self._local, self._score, self._check_order(names)))

    def _line(self, line: str, number: int) -> None:
        order, score, family = _ORDER.fullmatch(line), _SCORE.fullmatch(line), _FAMILY.fullmatch(line)
        if order is not None:
            if self._order is not None:
                self._fail("a second elimination order", number)
            self._order = number, _split_names(order[1])
        elif score is not None:
            if self._score is not None:
                self._fail("a second total score", number)
            self._score = self._number(score[1], number)
        elif family is not None:
            self._family(family, number)
        else:
            self._fail("expected a variable, its score and its parents, such as 0: -12.5 (1,2)", number)

    def _family(self, family: re.Match[str], number: int) -> None:
        name, parents = family[1], _split_names(family[3])
        if name in self._parents:
            self._fail(f"variable {name} has a second line", number)
        if len(set(parents)) < len(parents) or name in parents:
            self._fail(f"the parents of {name} must be other variables, each once", number)
        self._parents[name] = number, parents
        if family[2] is not None:
            self._local[name] = self._number(family[2], number)

    def _number(self, word: str, line: int) -> float:
        number = decimals(word)
        if number is None or len(number) != 1 or not math.isfinite(number[0]):
            self._fail(f"expected a score, got {word!r}", line)
        return number[0]

    def _check_names(self) -> None:
        for child, (line, parents) in self._parents.items():
            for parent in parents:
                if parent not in self._parents:
                    self._fail(f"{child} has the parent {parent}, which has no line", line)

    def _names(self) -> list[str]:
        """The variables: by number, if they are numbered, and otherwise in the order of their lines."""
        numbers = {name: whole(name) for name in self._parents}
        if set(numbers.values()) == set(range(len(numbers))):
            return sorted(numbers, key=lambda name: numbers[name] or 0)
        return list(numbers)

    def _check_order(self, names: Sequence[str]) -> tuple[str, ...] | None:
        if self._order is None:
            return None
        line, order = self._order
        if sorted(order) != sorted(names):
            self._fail(f"the elimination order must list each of the {len(names)} variables once", line)
        return tuple(order)

    def _name_variables(self, results: ResFile) -> ResFile:
        """The contents with names in place of numbers."""
        names = results.graph.variables
        if self._variables is None:
            return results
        if len(self._variables) != len(names):
            raise ArgumentError(
                f"variables must name the {len(names)} variables of the file, got {len(self._variables)}"
            )
        given = dict(zip(names, self._variables, strict=True))
        return ResFile(
            DAG.from_indices(self._variables, results.graph.parent_indices),
            {given[name]: score for name, score in results.local.items()},
            results.score,
            None if results.elimination_order is None else tuple(given[name] for name in results.elimination_order),
        )

    def _fail(self, message: str, line: int) -> Never:
        raise FormatError(message, path=self._path, line=line)


def _split_names(names: str | None) -> list[str]:
    return [] if names is None else [name.strip() for name in names.split(",")]


def save_res(
    graph: DAG,
    path: str | Path,
    *,
    local: Mapping[str, float] | None = None,
    elimination_order: Sequence[str] | None = None,
) -> None:
    """Writes a network as a ``.res`` file, with its variables numbered from 0.

    Parameters
    ----------
    local
        The score of each family, if it is known.
    elimination_order
        All variables, the first one to be eliminated first.
    """
    write_text(path, render(graph, local or {}, elimination_order))


def render(graph: DAG, local: Mapping[str, float], elimination_order: Sequence[str] | None) -> str:
    """The text of a file."""
    place = {name: str(at) for at, name in enumerate(graph.variables)}
    lines = []
    if elimination_order is not None:
        lines.append(f"elim-order: ({','.join(place[name] for name in elimination_order)})")
    for name, parents in zip(graph.variables, graph.parent_indices, strict=True):
        score = [repr(local[name])] if name in local else []
        lines.append(" ".join([f"{place[name]}:", *score, *([f"({','.join(map(str, parents))})"] if parents else [])]))
    if graph.variables and len(local) == len(graph):
        lines += ["", f"Score: {math.fsum(local.values())!r}"]
    return "\n".join([*lines, ""])
