"""The list of the kinds of files: a phrase for the contents of each, and the call that reads it.

A JSON file says what it holds. Other files are known by their suffix, which often leaves several kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from credenet._files.files import beginning_of, read_json, suffix_of
from credenet._files.suffixes import DATA_SUFFIXES, FAMILY_SUFFIXES, GRAPH_TEXT_SUFFIXES, NETWORK_SUFFIXES
from credenet.errors import FormatError


class FileKind(NamedTuple):
    """The words for a kind of file, and the call that reads it."""

    what: str
    reader: str


# Kinds of results by the value of "kind", which is the name of their class.
RESULTS: Mapping[str, FileKind] = {
    name: FileKind(what, f"credenet.{space}{name}.load")
    for space, name, what in (
        ("", "LearnResult", "a result of learn"),
        ("", "CredibleSet", "credible networks"),
        ("", "CredibleClasses", "classes of credible networks"),
        ("", "StructurePosterior", "the posterior over networks"),
        ("", "Effects", "effects of interventions"),
        ("types.", "EdgeConfidence", "shares of bootstrap samples"),
        ("types.", "IntersectionValidation", "a validation"),
    )
}
# Kinds of other JSON files by the value of "format".
FORMATS: Mapping[str, FileKind] = {
    "credenet network": FileKind("a network", "credenet.load"),
    "credenet graph": FileKind("a graph", "credenet.load_graph"),
    "credenet knowledge": FileKind("knowledge", "credenet.Knowledge.load"),
}


def kind_of_json(contents: object) -> FileKind | None:
    """The kind of a JSON file, if its value names one."""
    if not isinstance(contents, dict):
        return None
    name, format = contents.get("kind"), contents.get("format")
    found = RESULTS.get(name) if isinstance(name, str) else None
    return found or (FORMATS.get(format) if isinstance(format, str) else None)


def told_by_suffix(path: str | Path) -> str | None:
    """The kinds that a file of this suffix may have, with their calls; None for JSON and unknown suffixes."""
    suffix = suffix_of(path)
    kinds = []
    if suffix in DATA_SUFFIXES:
        kinds.append("a table (credenet.read)")
    if suffix in FAMILY_SUFFIXES:
        kinds.append("families with scores (credenet.load_families)")
    if suffix in (".csv", ".res", *GRAPH_TEXT_SUFFIXES):
        kinds.append("a graph (credenet.load_graph)")
    if suffix in NETWORK_SUFFIXES and suffix not in (".json", ".dot", ".gv"):
        kinds.append("a network (credenet.load)")
    return f"a {suffix} file may hold {' or '.join(kinds)}" if kinds else None


def say_kind(kind: FileKind | None, otherwise: str) -> str:
    """A sentence on a file of another kind than asked for; ``otherwise`` if its kind is not known."""
    return otherwise if kind is None else f"holds {kind.what}; read it with {kind.reader}"


def describe_json(contents: Any, otherwise: str) -> str:
    """The sentence of `say_kind` for the value of a JSON file."""
    return say_kind(kind_of_json(contents), otherwise)


def describe_file(path: str | Path, otherwise: str) -> str:
    """The sentence of `say_kind` for a file that may be JSON."""
    try:
        contents = read_json(path) if beginning_of(path).lstrip().startswith(b"{") else None
    except FormatError:
        contents = None
    return describe_json(contents, otherwise)
