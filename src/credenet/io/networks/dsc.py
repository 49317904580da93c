"""DSC, the format of Microsoft's belief network tools, as the bnlearn repository has it.

Rows of a table are numbered by the states of the parents: ``(0, 1): 0.2, 0.8;``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from credenet.errors import FormatError
from credenet.io.networks.names import fits_line, quote_state
from credenet.io.networks.parts import NetworkParts
from credenet.io.networks.scanner import Scanner, remove_comments
from credenet.io.numerals import count_text, decimals, whole
from credenet.networks.bayesian import BayesianNetwork

_NAME = r'[^\s,;:(){}|\[\]"=/]++'
_STRING = r'"[^"]*+"'

_comment = re.compile(r'"[^"]*+"|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_heading = re.compile(rf"\s*+belief\s++network(?:\s*+(?:{_STRING}|(?!node\b|probability\b){_NAME}))?")
_node = re.compile(rf"\s*+node\s++({_NAME})\s*+\{{")
_type = re.compile(
    r"\s*+type\s*+:\s*+discrete\s*+[\[(]\s*+(\w++)\s*+[\])]\s*+=\s*+"
    rf"\{{((?:\s*+(?:{_STRING}|{_NAME})\s*+,?)*+)\s*+\}}\s*+[;,]?"
)
_kind = re.compile(r"\s*+type\s*+:\s*+(\w++)")
_property = re.compile(rf'\s*+(?!type\b)({_NAME})\s*+[:=]((?:[^";{{}}]|{_STRING})*+);')
_probability = re.compile(rf"\s*+probability\s*+\(\s*+({_NAME})\s*+(?:\|((?:\s*+{_NAME}\s*+,?)*+))?\s*+\)\s*+\{{")
_row = re.compile(r"\s*+(?:\(([^();{}]*+)\)\s*+:)?([^():;{}]*+);")
_end = re.compile(r"\s*+\}\s*+;?")
_word = re.compile(rf"{_STRING}|{_NAME}")
_plain = re.compile(_NAME)


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a DSC text describes."""
    return _DscParser(remove_comments(_comment, text), path).network()


class _DscParser(Scanner):
    def __init__(self, text: str, path: str | Path) -> None:
        super().__init__(text, path)
        self.parts = NetworkParts(path)

    def network(self) -> BayesianNetwork:
        self.expect(_heading, "belief network and its name")
        tables: list[tuple[str, list[str], list[re.Match[str]], int]] = []
        while not self.at_end():
            line = self.line()
            if match := self.accept(_node):
                self.node(match[1], line)
            else:
                match = self.expect(_probability, "node or probability ( variable | parents ) {")
                tables.append((match[1], _word.findall(match[2] or ""), self.rows(match[1]), line))
        for name, parents, rows, line in tables:  # Tables are read last, when all states are known.
            self.parts.add_table(name, parents, self.table(name, parents, rows, line), line)
        return self.parts.network(self.line())

    def node(self, name: str, line: int) -> None:
        self.properties()
        match = self.accept(_type)
        if match is None:
            kind = self.accept(_kind)
            if kind is not None and kind[1] != "discrete":
                self.fail(f"node {name!r} is of type {kind[1]}; only discrete nodes can be read", kind.start(1))
            self.fail("expected type : discrete [ n ] = { states };")
        labels = [word.strip('"') for word in _word.findall(match[2])]
        if whole(match[1]) != len(labels):
            self.fail(f"node {name!r} declares {match[1]} states and lists {len(labels)}", match.start(1))
        self.parts.add_variable(name, labels, line)
        self.properties()
        self.expect(_end, "}")

    def properties(self) -> None:
        while self.accept(_property):
            pass

    def rows(self, name: str) -> list[re.Match[str]]:
        rows: list[re.Match[str]] = []
        while not self.accept(_end):
            rows.append(self.expect(_row, f"a row of the table of {name!r} or }}"))
        return rows

    def table(self, name: str, parents: Sequence[str], rows: Sequence[re.Match[str]], line: int) -> list[float]:
        self.parts.check_members(name, parents, line)
        n_states = len(self.parts.states[name])
        sizes = [len(self.parts.states[parent]) for parent in parents]
        values: dict[int, list[float]] = {}
        for match in rows:
            row = self.row_index(match, name, sizes)
            if row in values:
                self.fail(f"the table of {name!r} gives ({match[1] or ''}) twice", match.start())
            numbers = decimals(match[2])
            if numbers is None:
                self.fail(f"the table of {name!r} holds something that is not a number", match.start(2))
            if len(numbers) != n_states:
                self.fail(
                    f"a row of the table of {name!r} lists {len(numbers)} probabilities instead of {n_states}",
                    match.start(2),
                )
            values[row] = numbers
        count = math.prod(sizes)
        if len(values) != count:
            self.parts.fail(f"the table of {name!r} gives {len(values)} of {count_text(count)} parent states", line)
        return [number for row in range(count) for number in values[row]]

    def row_index(self, match: re.Match[str], name: str, sizes: Sequence[int]) -> int:
        states = _word.findall(match[1] or "")
        if len(states) != len(sizes):
            self.fail(f"a row of the table of {name!r} must give a state for each parent", match.start())
        row = 0
        for state, size in zip(states, sizes, strict=True):
            number = whole(state)
            if number is None or number >= size:
                self.fail(f"the states of this parent of {name!r} are 0 to {size - 1}, got {state}", match.start())
            row = row * size + number
        return row


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as DSC text."""
    for name in network.variables:
        if not _plain.fullmatch(name) or not fits_line(name):
            raise FormatError(f"DSC cannot hold the name {name!r} of a variable", path=path)
    lines = ['belief network "unknown"']
    for name, labels in network.states.items():
        listed = ", ".join(quote_state(str(label), "DSC", path) for label in labels)
        lines += [f"node {name} {{", f"  type : discrete [ {len(labels)} ] = {{ {listed} }};", "}"]
    for name, labels in network.states.items():
        parents = network.parents(name)
        rows = [", ".join(map(repr, row)) for row in network.table(name).reshape(-1, len(labels)).tolist()]
        if not parents:
            lines += [f"probability ( {name} ) {{", f"  {rows[0]};", "}"]
        else:
            lines.append(f"probability ( {name} | {', '.join(parents)} ) {{")
            indices = product(*(range(len(network.states[parent])) for parent in parents))
            for index, row in zip(indices, rows, strict=True):
                lines.append(f"  ({', '.join(map(str, index))}) : {row};")
            lines.append("}")
    return "\n".join(lines) + "\n"
