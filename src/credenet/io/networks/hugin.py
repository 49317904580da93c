"""NET, the format of HUGIN.

The numbers of a potential are nested in parentheses, one level per parent; the first parent changes slowest and the
variable itself fastest. Attributes that do not concern the distribution (positions, labels, ``HR_...``) are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from credenet.errors import FormatError
from credenet.io.networks.names import quote_state
from credenet.io.networks.parts import NetworkParts
from credenet.io.networks.scanner import Scanner, remove_comments
from credenet.networks.bayesian import BayesianNetwork

_NAME = r'[^\s(){}|=;"%,]++'
_VALUE = r'((?:[^";{}]|"[^"]*+")*+)'

_comment = re.compile(r'"[^"]*+"|%[^\n]*+')
_net = re.compile(r"\s*+net\s*+\{")
_node = re.compile(rf"\s*+(?:(\w++)\s++)?node\s++({_NAME})\s*+\{{")
_other = re.compile(rf"\s*+(decision|utility|function)\s++({_NAME})\s*+\{{")
_potential = re.compile(rf"\s*+potential\s*+\(\s*+({_NAME})\s*+(?:\|((?:\s*+{_NAME})*+)\s*+)?\)\s*+\{{")
_attribute = re.compile(rf"\s*+({_NAME})\s*+=\s*+{_VALUE};")
_end = re.compile(r"\s*+\}")
_states = re.compile(rf'\s*+\(((?:\s*+(?:"[^"]*+"|{_NAME}))*+)\s*+\)\s*+')
_label = re.compile(rf'"[^"]*+"|{_NAME}')
_identifier = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEVELS = str.maketrans("()", "  ")


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a NET text describes."""
    parser = _HuginParser(remove_comments(_comment, text), path)
    while not parser.at_end():
        parser.block()
    return parser.parts.network(parser.line())


class _HuginParser(Scanner):
    def __init__(self, text: str, path: str | Path) -> None:
        super().__init__(text, path)
        self.parts = NetworkParts(path)

    def block(self) -> None:
        line = self.line()
        if self.accept(_net):
            self.attributes()
        elif match := self.accept(_node):
            self.node(match, line)
        elif match := self.accept(_other):
            self.parts.fail(f"node {match[2]!r} is a {match[1]} node; only discrete nodes can be read", line)
        else:
            self.potential(self.expect(_potential, "net, node or potential ( variable | parents ) {"), line)

    def node(self, match: re.Match[str], line: int) -> None:
        name = match[2]
        if match[1] not in (None, "discrete"):
            self.parts.fail(f"node {name!r} is a {match[1]} node; only discrete nodes can be read", line)
        attributes = self.attributes()
        if "states" not in attributes:
            self.parts.fail(f"node {name!r} lists no states", line)
        value, place = attributes["states"]
        listed = _states.fullmatch(value)
        if listed is None:
            self.fail(f"the states of {name!r} must be names between parentheses", place)
        self.parts.add_variable(name, [label.strip('"') for label in _label.findall(listed[1])], line)

    def potential(self, match: re.Match[str], line: int) -> None:
        name = match[1]
        attributes = self.attributes()
        if "data" not in attributes:
            what = "its table by a model, which cannot be read" if "model_data" in attributes else "no data"
            self.parts.fail(f"the potential of {name!r} has {what}", line)
        value, place = attributes["data"]
        if value.count("(") != value.count(")"):
            self.fail(f"the parentheses in the data of {name!r} do not match", place)
        parents: Sequence[str] = (match[2] or "").split()
        self.parts.add_table(name, parents, value.translate(_LEVELS), self.line(place))

    def attributes(self) -> dict[str, tuple[str, int]]:
        """The attributes of a block up to its closing brace, with their places."""
        attributes: dict[str, tuple[str, int]] = {}
        while not self.accept(_end):
            match = self.expect(_attribute, "an attribute or }")
            if match[1] in attributes:
                self.fail(f"the attribute {match[1]} is given twice", match.start(1))
            attributes[match[1]] = match[2], match.start(1)
        return attributes


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as NET text."""
    for name in network.variables:
        if not _identifier.fullmatch(name):
            raise FormatError(f"NET cannot hold the name {name!r} of a variable: it is no identifier", path=path)
    lines = ["net", "{", "}"]
    for name, labels in network.states.items():
        listed = " ".join(quote_state(str(label), "NET", path, forbidden='"\\') for label in labels)
        lines += [f"node {name}", "{", f"  states = ({listed});", "}"]
    for name, labels in network.states.items():
        parents = network.parents(name)
        given = f" | {' '.join(parents)}" if parents else ""
        table = network.table(name)
        lines += [f"potential ({name}{given})", "{", "  data ="]
        rows = table.reshape(-1, len(labels)).tolist()
        for at, row in enumerate(rows):
            numbers = " ".join(map(repr, row))
            lines.append("  " + "(" * _levels(table.shape, at) + numbers + ")" * _levels(table.shape, at + 1))
        lines[-1] += ";"
        lines.append("}")
    return "\n".join(lines) + "\n"


def _levels(shape: Sequence[int], row: int) -> int:
    """The number of levels of a table that begin, and end, after this many rows."""
    levels = 1
    for size in reversed(shape[:-1]):
        if row % size:
            break
        row //= size
        levels += 1
    return levels
