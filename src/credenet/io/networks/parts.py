"""The variables and tables of a network file as a parser finds them, in any order, each with its line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Never

from credenet.data.states import Label
from credenet.errors import FormatError
from credenet.io.networks.formats import build_network
from credenet.io.numerals import count_text, decimals
from credenet.networks.bayesian import BayesianNetwork


class NetworkParts:
    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.states: dict[str, tuple[Label, ...]] = {}
        self.lines: dict[str, int] = {}
        self._tables: dict[str, tuple[tuple[str, ...], list[float], int]] = {}

    def add_variable(self, name: str, states: Sequence[Label], line: int) -> None:
        if name in self.states:
            self.fail(f"variable {name!r} is declared twice", line)
        if not states:
            self.fail(f"variable {name!r} lists no states", line)
        self.states[name] = tuple(states)
        self.lines[name] = line

    def add_table(self, name: str, parents: Sequence[str], values: str | list[float], line: int) -> None:
        """A table with the first parent changing slowest and the variable itself fastest."""
        if name in self._tables:
            self.fail(f"variable {name!r} has two tables", line)
        numbers = decimals(values) if isinstance(values, str) else values
        if numbers is None:
            self.fail(f"the table of {name!r} holds something that is not a number", line)
        self._tables[name] = tuple(parents), numbers, line

    def network(self, last_line: int) -> BayesianNetwork:
        """The network, now that the file is read to its last line."""
        if not self.states:
            self.fail("the file declares no variable", last_line)
        for name, (parents, numbers, line) in self._tables.items():
            self.check_members(name, parents, line)
            count = math.prod(len(self.states[member]) for member in (*parents, name))
            if len(numbers) != count:
                expected = count_text(count)
                self.fail(f"the table of {name!r} lists {len(numbers)} probabilities instead of {expected}", line)
        for name, line in self.lines.items():
            if name not in self._tables:
                self.fail(f"variable {name!r} has no table", line)
        return build_network(
            self.path,
            self.states,
            {name: parents for name, (parents, _, _) in self._tables.items()},
            {name: numbers for name, (_, numbers, _) in self._tables.items()},
            {name: line for name, (_, _, line) in self._tables.items()},
        )

    def check_members(self, name: str, parents: Sequence[str], line: int) -> None:
        for member in (name, *parents):
            if member not in self.states:
                what = "" if member == name else f" as a parent of {name!r}"
                self.fail(f"there is no variable {member!r}{what}", line)

    def fail(self, message: str, line: int) -> Never:
        raise FormatError(message, path=self.path, line=line)
