"""BIF, the interchange format of JavaBayes and the bnlearn repository.

Names of other than plain characters are written in double quotes. In a ``table`` entry of a variable with parents the
variable itself changes slowest, as in JavaBayes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from credenet.errors import FormatError
from credenet.io.networks.formats import build_network
from credenet.io.networks.names import fits_line
from credenet.io.networks.scanner import Scanner, remove_comments
from credenet.io.numerals import count_text, decimals, whole
from credenet.networks.bayesian import BayesianNetwork

# The patterns have possessive quantifiers, so that no text is scanned twice.
_PLAIN = r'[^\s,;(){}|\[\]"]++'
_NAME = rf'(?:"[^"]*+"|{_PLAIN})'
_NAMES = rf"{_NAME}(?:[\s,]++{_NAME})*+"
_TEXT = r'(?:[^";]|"[^"]*+")*+'

_plain = re.compile(_PLAIN)
_name = re.compile(_NAME)
_comment = re.compile(r'"[^"]*+"|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_block = re.compile(r"\s*+(network|variable|probability)\b")
_network = re.compile(rf"\s*+(?:{_NAME})?+\s*+\{{")
_variable = re.compile(rf"\s*+({_NAME})\s*+\{{")
_probability = re.compile(rf"\s*+\(\s*+({_NAME})[\s,]*+(?:\|?\s*+({_NAMES}))?+\s*+\)\s*+\{{")
_type = re.compile(rf"\s*+type\s++discrete\s*+\[\s*+(\d++)\s*+\]\s*+\{{\s*+({_NAMES})[\s,]*+\}}\s*+;")
_property = re.compile(rf"\s*+property\b{_TEXT};")
_row = re.compile(r'\s*+\(((?:[^()"]|"[^"]*+")*+)\)([^;{}]*+);')
_table = re.compile(r"\s*+(table|default)\b([^;{}]*+);")
_end = re.compile(r"\s*+\}\s*+;?")


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a BIF text describes."""
    return _BifParser(text, path).network()


class _BifParser(Scanner):
    def __init__(self, text: str, path: str | Path) -> None:
        super().__init__(remove_comments(_comment, text) if "//" in text or "/*" in text else text, path)
        self.states: dict[str, tuple[str, ...]] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, NDArray[np.float64]] = {}
        self.places: dict[str, int] = {}  # The position of each variable, and then of its table.

    def network(self) -> BayesianNetwork:
        tables_at: list[tuple[str, tuple[str, ...], int, int]] = []
        while not self.at_end():
            kind = self.expect(_block, "network, variable or probability")[1]
            if kind == "network":
                self.expect(_network, "a network name and {")
                self.properties()
            elif kind == "variable":
                self.variable()
            else:
                tables_at.append(self.skip_table())
        if not self.states:
            self.fail("the file declares no variable")
        for name, parents, start, end in tables_at:  # Tables are read last, when all states are known.
            self.probability(name, parents, start, end)
        for name in self.states:
            if name not in self.tables:
                self.fail(f"variable {name!r} has no probability block", self.places[name])
        lines = {name: self.line(place) for name, place in self.places.items()}
        return build_network(self.path, self.states, self.parents, self.tables, lines)

    def variable(self) -> None:
        start = self.at
        name = _unquote(self.expect(_variable, "a variable name and {")[1])
        if name in self.states:
            self.fail(f"variable {name!r} is declared twice", start)
        self.properties(close=False)
        match = self.expect(_type, "type discrete [ n ] { states };")
        labels = tuple(_unquote(label) for label in _name.findall(match[2]))
        if len(labels) != whole(match[1]):
            self.fail(f"variable {name!r} declares {match[1]} states and lists {len(labels)}", match.start(1))
        self.states[name] = labels
        self.places[name] = start
        self.properties()

    def properties(self, *, close: bool = True) -> None:
        while found := _property.match(self.text, self.at):
            self.at = found.end()
        if close:
            self.expect(_end, "}")

    def skip_table(self) -> tuple[str, tuple[str, ...], int, int]:
        """Records the position of a probability block, which is read when all states are known."""
        start = self.at
        found = self.expect(_probability, "( variable | parents ) {")
        name = _unquote(found[1])
        parents = tuple(_unquote(parent) for parent in _name.findall(found[2] or ""))
        if name in self.parents:
            self.fail(f"variable {name!r} has two probability blocks", start)
        self.parents[name] = parents
        entries = self.at
        end = self.text.find("}", entries)
        n_quotes = self.text.count('"', entries, end)
        while end >= 0 and n_quotes % 2:  # The brace is within quotes.
            further = self.text.find("}", end + 1)
            n_quotes += self.text.count('"', end, further)
            end = further
        if end < 0:
            self.fail(f"the probability block of {name!r} is not closed", start)
        self.at = end
        self.expect(_end, "}")
        return name, parents, entries, end

    def probability(self, name: str, parents: Sequence[str], start: int, end: int) -> None:
        for member in (name, *parents):
            if member not in self.states:
                what = "" if member == name else f" as a parent of {name!r}"
                self.fail(f"there is no variable {member!r}{what}", start)
        self.places[name] = start
        n_states = len(self.states[name])
        shape = [len(self.states[parent]) for parent in parents]
        n_rows = math.prod(shape)
        positions = [{label: at for at, label in enumerate(self.states[parent])} for parent in parents]
        rows: dict[int, list[float]] = {}
        default: list[float] | None = None
        entries: NDArray[np.float64] | None = None
        self.at = start
        while not self.at_end(end):
            if match := _row.match(self.text, self.at, end):
                row = self.row_index(match, name, parents, positions)
                if row in rows:
                    self.fail(f"the table of {name!r} gives {_condition(match)} twice", match.start(1))
                rows[row] = self.numbers(match, n_states, name)
            elif match := _table.match(self.text, self.at, end):
                if (entries if match[1] == "table" else default) is not None:
                    self.fail(f"the table of {name!r} has two {match[1]} entries", match.start(1))
                if match[1] == "default":
                    default = self.numbers(match, n_states, name)
                else:
                    flat = self.numbers(match, n_states * n_rows, name)
                    entries = np.array(flat).reshape(n_states, n_rows).T
            elif match := _property.match(self.text, self.at, end):
                pass
            else:
                self.fail(f"expected an entry of the table of {name!r}")
            self.at = match.end()
        if entries is None:
            if default is None and len(rows) < n_rows:
                self.fail(f"the table of {name!r} gives {len(rows)} of {count_text(n_rows)} parent states", start)
            if default is not None and n_rows * n_states > 1 << 28:
                self.fail(f"the table of {name!r} would have {count_text(n_rows * n_states)} entries", start)
            entries = np.empty((n_rows, n_states))
            if default is not None:
                entries[:] = default
            entries[list(rows)] = list(rows.values()) if rows else np.empty((0, n_states))
        elif rows or default is not None:
            self.fail(f"the table of {name!r} has both a table entry and others", start)
        self.tables[name] = entries

    def row_index(
        self, match: re.Match[str], name: str, parents: Sequence[str], positions: Sequence[Mapping[str, int]]
    ) -> int:
        labels = match[1].split(",") if '"' not in match[1] else _name.findall(match[1])
        if len(labels) != len(parents):
            labels = _name.findall(match[1])  # Blanks separate labels, too.
        if len(labels) != len(parents):
            self.fail(f"{_condition(match)} must give a state for each parent of {name!r}", match.start(1))
        row = 0
        for label, position, parent in zip(labels, positions, parents, strict=True):
            state = position.get(label.strip())
            if state is None:
                state = position.get(_unquote(label.strip()))
            if state is None:
                self.fail(f"variable {parent!r} has no state {label.strip()!r}", match.start(1))
            row = row * len(position) + state
        return row

    def numbers(self, match: re.Match[str], count: int, name: str) -> list[float]:
        values = decimals(match[2])
        if values is None:
            self.fail(f"the table of {name!r} holds something that is not a number", match.start(2))
        if len(values) != count:
            expected = count_text(count)
            self.fail(f"the table of {name!r} lists {len(values)} probabilities instead of {expected}", match.start(2))
        return values


def _condition(match: re.Match[str]) -> str:
    """The parent states of a row on one line, for a message."""
    return f"({' '.join(match[1].split())})"


def _unquote(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as BIF text."""
    names = {name: _quote(name, path) for name in network.variables}
    labels = {name: [_quote(str(label), path) for label in network.states[name]] for name in network.variables}
    lines = ["network unknown {", "}"]
    for name in network.variables:
        lines.append(f"variable {names[name]} {{")
        lines.append(f"  type discrete [ {len(labels[name])} ] {{ {', '.join(labels[name])} }};")
        lines.append("}")
    for name in network.variables:
        parents = network.parents(name)
        table = network.table(name).reshape(-1, len(labels[name])).tolist()
        if not parents:
            lines.append(f"probability ( {names[name]} ) {{")
            lines.append(f"  table {', '.join(map(repr, table[0]))};")
        else:
            lines.append(f"probability ( {names[name]} | {', '.join(names[p] for p in parents)} ) {{")
            conditions = product(*(labels[parent] for parent in parents))
            for condition, row in zip(conditions, table, strict=True):
                lines.append(f"  ({', '.join(condition)}) {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def quote_names(network: BayesianNetwork) -> list[str]:
    """The names of variables and states that are written in quotes, each once."""
    words = dict.fromkeys(word for name, labels in network.states.items() for word in (name, *map(str, labels)))
    return [word for word in words if not _is_plain(word)]


def _quote(name: str, path: str | Path) -> str:
    if '"' in name or not fits_line(name):
        raise FormatError(f"BIF cannot hold the name {name!r}", path=path)
    return name if _is_plain(name) else f'"{name}"'


def _is_plain(name: str) -> bool:
    """Whether a name is read without quotes."""
    return _plain.fullmatch(name) is not None and "//" not in name and "/*" not in name
