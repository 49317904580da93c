"""The JSON format of this library for networks.

    {"format": "credenet network", "version": 1, "variables": [
      {"name": "rain", "states": ["no", "yes"], "parents": [], "table": [0.8, 0.2]},
      {"name": "grass", "states": ["dry", "wet"], "parents": ["rain"], "table": [[0.9, 0.1], [0.05, 0.95]]}
    ]}

States may be integers, or true and false, instead of texts. The variables are in the order of the network. A table has
one level of nesting per parent, in the order of ``parents``, and a last one for the variable itself.
``"elimination_order": ["grass", "rain"]`` may follow. Other keys are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Never

from credenet._files.files import read_text
from credenet.data.states import are_labels, texts
from credenet.errors import ArgumentError, FormatError
from credenet.io.networks.formats import Lines
from credenet.io.networks.parts import NetworkParts
from credenet.io.results.kinds import kind_of_json, say_kind
from credenet.networks.bayesian import BayesianNetwork

FORMAT = "credenet network"
VERSION = 1

_space = re.compile(r"[ \t\n\r]*")


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a JSON text describes."""
    return _JsonParser(text, path).network()


class _JsonParser:
    """Reads the outer levels itself, as the json module does not give the positions of items."""

    def __init__(self, text: str, path: str | Path) -> None:
        self.text = text
        self.path = path
        self.at = 0
        self.lines = Lines(text)
        self.decoder = json.JSONDecoder(object_pairs_hook=self.unique, parse_constant=self.constant)
        self.parts = NetworkParts(path)

    def network(self) -> BayesianNetwork:
        fields: dict[str, Any] = {}
        for _ in self.items("{", "}"):
            start = self.at
            key = self.value()
            if not isinstance(key, str):
                self.fail("expected a key between double quotes", start)
            if key in fields:
                self.fail(f"the key {key!r} is given twice", start)
            self.expect(":")
            self.skip_space()
            if key == "kind":
                fields[key] = self.value()
                self.refuse_other(fields)
            elif key == "variables" and self.text.startswith("[", self.at) and fields.get("format", FORMAT) == FORMAT:
                fields[key] = None
                for _ in self.items("[", "]"):
                    self.variable()
            else:
                fields[key] = self.value()
                if key == "variables" and not isinstance(fields[key], list):
                    self.fail("variables must be a list", start)
        self.skip_space()
        if self.at < len(self.text):
            self.fail("expected the end of the file")
        if fields.get("format") != FORMAT:
            self.refuse_other(fields)
            self.fail(f'expected "format": "{FORMAT}"', 0)
        version = fields.get("version")
        if type(version) is not int or version != VERSION:
            self.fail(f'expected "version": {VERSION}; another cannot be read', 0)
        network = self.parts.network(self.lines.line(self.at))
        try:
            return network.with_elimination_order(fields.get("elimination_order"))
        except ArgumentError as error:
            self.fail(str(error))

    def refuse_other(self, fields: Mapping[str, Any]) -> None:
        """An error that says what the file holds instead of a network, if it tells."""
        kind = kind_of_json(fields)
        if kind is not None:
            raise FormatError(say_kind(kind, ""), path=self.path)

    def variable(self) -> None:
        start = self.at
        line = self.lines.line(start)
        fields = self.value()
        if not isinstance(fields, dict):
            self.fail("a variable must be an object with name, states, parents and table", start)
        for key in ("name", "states", "parents", "table"):
            if key not in fields:
                self.fail(f"a variable must have a {key}", start)
        name = fields["name"]
        if not isinstance(name, str):
            self.fail("the name of a variable must be text", start)
        if not isinstance(fields["parents"], list) or not all(isinstance(item, str) for item in fields["parents"]):
            self.fail(f"the parents of {name!r} must be a list of texts", start)
        states = fields["states"]
        if not isinstance(states, list) or not are_labels(states):
            self.fail(f"the states of {name!r} must be a list of texts, of integers, or of true and false", start)
        self.parts.add_variable(name, fields["states"], line)
        depth = len(fields["parents"]) + 1
        self.parts.add_table(name, fields["parents"], self.flat(name, fields["table"], depth, start), line)

    def flat(self, name: str, table: object, depth: int, start: int) -> list[float]:
        """The numbers of a table that is nested to a depth, with lists of one length at each level."""
        level: Sequence[Any] = [table]
        for _ in range(depth):
            if not all(isinstance(item, list) for item in level) or len({len(item) for item in level}) != 1:
                self.fail(f"the table of {name!r} must be lists of equal length nested {depth} deep", start)
            level = list(chain.from_iterable(level))
        if not all(type(item) is float or type(item) is int for item in level):
            self.fail(f"the table of {name!r} must hold numbers and be nested {depth} deep", start)
        try:
            return [float(item) for item in level]
        except OverflowError:
            self.fail(f"the table of {name!r} has entries outside 0..1", start)

    def items(self, opening: str, closing: str) -> Iterator[None]:
        """Yields before each item of an object or a list, and ends after the last."""
        self.expect(opening)
        self.skip_space()
        if self.text.startswith(closing, self.at):
            self.at += 1
            return
        while True:
            self.skip_space()
            yield
            self.skip_space()
            if self.text.startswith(closing, self.at):
                self.at += 1
                return
            self.expect(",")

    def value(self) -> Any:
        try:
            value, self.at = self.decoder.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.fail(f"is not valid JSON: {error.msg}", error.pos)
        except RecursionError:
            self.fail("is nested too deep")
        except FormatError:
            raise
        except ValueError:
            self.fail("has a number with too many digits")
        return value

    def unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            self.fail("a key is given twice in an object")
        return fields

    def constant(self, word: str) -> Never:
        self.fail(f"{word} is not a JSON number")

    def expect(self, character: str) -> None:
        self.skip_space()
        if not self.text.startswith(character, self.at):
            self.fail(f"is not valid JSON: expected {character}")
        self.at += 1

    def skip_space(self) -> None:
        found = _space.match(self.text, self.at)
        self.at = self.at if found is None else found.end()

    def fail(self, message: str, place: int | None = None) -> Never:
        raise FormatError(message, path=self.path, line=self.lines.line(self.at if place is None else place))


def is_network(path: str | Path) -> bool:
    """Whether a JSON file says that it holds a network, rather than a graph."""
    try:
        contents = json.loads(read_text(path))
    except (ValueError, RecursionError):
        return True  # The reader of networks will report the error.
    return isinstance(contents, dict) and contents.get("format") == FORMAT


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as JSON text."""
    variables = []
    for name, labels in network.states.items():
        for word in (name, *texts(labels)):
            if any("\ud800" <= character <= "\udfff" for character in word):
                raise FormatError(f"JSON cannot hold the name {word!r}", path=path)
        fields = {
            "name": name,
            "states": labels,
            "parents": network.parents(name),
            "table": network.table(name).tolist(),
        }
        variables.append("  " + json.dumps(fields, ensure_ascii=False))
    opening = f'{{"format": {json.dumps(FORMAT)}, "version": {VERSION}, "variables": [\n'
    order = network.elimination_order
    last = "" if order is None else f', "elimination_order": {json.dumps(order, ensure_ascii=False)}'
    return opening + ",\n".join(variables) + f"\n]{last}}}\n"
