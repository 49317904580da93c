"""Knowledge files: our JSON, tables of edges, and the constraint files of GOBNILP.

A GOBNILP file has a rule on each line: ``x->y`` or ``y<-x`` (edge), ``x-y`` (adjacent), ``x->z<-y`` (immorality: both
edges, x and y not adjacent), each forbidden instead with ``~`` in front; ``A,B _|_ C | S`` (independence, ``| S`` may
be left out). ``#`` starts a comment. A name with spaces or any of these characters is written in double quotes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, Literal

from credenet._files.files import read_json, read_text, suffix_of, write_text
from credenet._text import one_line
from credenet.errors import ArgumentError, FormatError, KnowledgeError
from credenet.io.results.kinds import describe_json, told_by_suffix
from credenet.knowledge.knowledge import Knowledge
from credenet.knowledge.shapes import ShapeError

_FORMAT = "credenet knowledge"
_TOKEN = re.compile(
    r"""(?P<space>\s+|\#.*)
      | (?P<mark>_\|_|<-|->|[-~,|])
      | (?P<quoted>"[^"]+")
      | (?P<name>(?:(?!_\|_)[^\s~<>\-"\#,|])+)""",
    re.VERBOSE,
)
_EXPECTED = "expected x->y, x<-y, x-y or x->z<-y, with ~ in front to forbid it, or A,B _|_ C | S"


def load_knowledge(path: str | Path, kind: Literal["required", "forbidden"] | None = None) -> Knowledge:
    suffix = suffix_of(path)
    if kind not in (None, "required", "forbidden"):
        raise ArgumentError(f"kind must be 'required' or 'forbidden', got {kind!r}")
    if suffix in (".csv", ".tsv"):
        if kind is None:
            raise ArgumentError(
                "a table of edges does not tell whether they are required or forbidden; "
                f"Knowledge.load({Path(path).name!r}, kind='required') does, and so does a JSON file such as "
                f'{{"format": "{_FORMAT}", "required": [["a", "b"]]}}'
            )
        pairs = _pairs(path, "," if suffix == ".csv" else "\t")
        rules: dict[str, Any] = {kind: pairs}
    elif kind is not None:
        raise ArgumentError(f"kind goes with a table of edges (.csv, .tsv), not with {Path(path).name}")
    else:
        rules = _read_json(path) if suffix == ".json" else _read_gobnilp(path)
    try:
        return Knowledge.from_dict(rules)
    except ShapeError as error:
        raise FormatError(str(error), path=path) from None
    except KnowledgeError as error:
        raise KnowledgeError(one_line(f"{path}: {error}")) from None


def save_knowledge(knowledge: Knowledge, path: str | Path) -> None:
    if suffix_of(path) != ".json":
        raise FormatError("knowledge is written as .json", path=path)
    contents = {"format": _FORMAT, **knowledge.to_dict()}
    write_text(path, json.dumps(contents, ensure_ascii=False, indent=1) + "\n")


def _read_json(path: str | Path) -> dict[str, Any]:
    contents = read_json(path)
    if (
        not contents
        or not isinstance(contents, dict)
        or contents.get("format", _FORMAT) != _FORMAT
        or "kind" in contents
    ):
        wanted = f'must be an object of rules, such as {{"format": "{_FORMAT}", "tiers": [["age"], ["smoke", "lung"]]}}'
        raise FormatError(describe_json(contents, wanted), path=path)
    return {kind: rule for kind, rule in contents.items() if kind != "format"}


def _pairs(path: str | Path, delimiter: str) -> list[tuple[str, str]]:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter)
    pairs: list[tuple[str, str]] = []
    has_header = False
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not has_header:
                if [cell.lower() for cell in cells] != ["from", "to"]:
                    message = f"the first line must name the columns from and to, got {delimiter.join(row)!r}"
                    raise FormatError(message, path=path, line=reader.line_num)
                has_header = True
            elif len(cells) != 2 or not all(cells):
                raise FormatError("must hold two names, from and to", path=path, line=reader.line_num)
            elif cells[0] == cells[1]:
                raise FormatError(f"joins {cells[0]!r} with itself", path=path, line=reader.line_num)
            else:
                pairs.append((cells[0], cells[1]))
    except csv.Error as error:
        raise FormatError(f"is not a table: {error}", path=path, line=reader.line_num) from None
    if not has_header:
        raise FormatError("is empty; the first line must name the columns from and to", path=path)
    return pairs


def _read_gobnilp(path: str | Path) -> dict[str, Any]:
    rules: dict[str, list[Any]] = {}
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        try:
            for kind, rule in _gobnilp_rules(text):
                rules.setdefault(kind, []).append(rule)
        except ValueError as error:
            others = told_by_suffix(path)
            what = f"{error}; {_EXPECTED}" + (f"; {others}" if others else "")
            raise FormatError(what, path=path, line=line) from None
    return rules


def _gobnilp_rules(text: str) -> list[tuple[str, Any]]:
    """The kinds and rules of a line; a ValueError if it is not valid."""
    tokens, names = _tokens(text)
    if not tokens:
        return []
    if "_|_" in tokens:
        return [("independences", _independence(tokens, names, text))]
    is_negated = tokens[0] == "~"
    if is_negated:
        tokens = tokens[1:]
    if len(set(names)) < len(names):
        raise ValueError(f"{text.strip()!r} joins a variable with itself")
    match tokens:
        case ["name", "->", "name"]:
            return [("forbidden" if is_negated else "required", (names[0], names[1]))]
        case ["name", "<-", "name"]:
            return [("forbidden" if is_negated else "required", (names[1], names[0]))]
        case ["name", "-", "name"]:
            return [("not_adjacent" if is_negated else "adjacent", (names[0], names[1]))]
        case ["name", "->", "name", "<-", "name"]:
            x, child, y = names
            if is_negated:
                return [("forbidden_immoralities", (x, child, y))]
            return [("required", (x, child)), ("required", (y, child)), ("not_adjacent", (x, y))]
    raise ValueError(f"{text.strip()!r} is no constraint")


def _tokens(text: str) -> tuple[list[str], list[str]]:
    """The tokens of a line, with ``name`` in place of each name, and the names."""
    tokens, names = [], []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"{text[place:].strip()!r} cannot be read")
        place = match.end()
        if match.lastgroup == "mark":
            tokens.append(match.group())
        elif match.lastgroup != "space":
            tokens.append("name")
            names.append(match.group().strip('"'))
    return tokens, names


def _independence(tokens: list[str], names: list[str], text: str) -> tuple[list[str], list[str], list[str]]:
    form = " ".join(tokens)
    some = "name(?: , name)*"
    if not re.fullmatch(rf"{some} _\|_ {some}(?: \| {some})?", form):
        raise ValueError(f"{text.strip()!r} is no constraint")
    if len(set(names)) < len(names):
        raise ValueError(f"{text.strip()!r} has a variable twice")
    groups: list[list[str]] = [[]]
    left = iter(names)
    for token in tokens:
        if token == "name":
            groups[-1].append(next(left))
        elif token != ",":
            groups.append([])
    return groups[0], groups[1], groups[2] if len(groups) > 2 else []
