"""Network files: the module that reads and writes each format, and errors with their line."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from credenet._arguments import name_list, show_value
from credenet._files.files import beginning_of, read_text, suffix_of, write_text
from credenet._files.suffixes import DATA_SUFFIXES, FAMILY_SUFFIXES, NETWORK_SUFFIXES
from credenet._text import count
from credenet.data.states import Label
from credenet.errors import ArgumentError, FormatError, GraphError, NetworkError
from credenet.io.results.kinds import told_by_suffix
from credenet.io.sniffing import sniff_format
from credenet.networks.bayesian import BayesianNetwork


class TextFormat(NamedTuple):
    """The functions that read networks from a text format and write them."""

    parse: Callable[[str, str | Path], BayesianNetwork]
    render: Callable[[BayesianNetwork, str | Path], str]


# Each module has the functions of `TextFormat`; dot only ``render``.
_FORMATS: dict[str, str | TextFormat] = {
    "bif": "credenet.io.networks.bif",
    "xmlbif": "credenet.io.networks.xmlbif",
    "xdsl": "credenet.io.networks.xdsl",
    "net": "credenet.io.networks.hugin",
    "dsc": "credenet.io.networks.dsc",
    "uai": "credenet.io.networks.uai",
    "json": "credenet.io.networks.json_network",
    "dot": "credenet.io.networks.dot",
}

MAX_PARENTS = 63  # Parents at most, as numpy arrays have at most 64 axes.


def add_network_format(
    name: str,
    suffixes: Sequence[str],
    *,
    parse: Callable[[str, str | Path], BayesianNetwork],
    render: Callable[[BayesianNetwork, str | Path], str],
) -> None:
    """Adds a format from outside the package; it replaces an earlier one of this name."""
    for suffix in name_list("suffixes", suffixes):
        if NETWORK_SUFFIXES.get(suffix, name) != name or suffix in DATA_SUFFIXES or suffix in FAMILY_SUFFIXES:
            raise ArgumentError(f"the suffix {suffix} is already that of another format; choose another suffix")
    if isinstance(_FORMATS.get(name), str):
        raise ArgumentError(f"there is already a format named {name}; choose another name")
    _FORMATS[name] = TextFormat(parse, render)
    NETWORK_SUFFIXES.update(dict.fromkeys(suffixes, name))


def network_format(path: str | Path, format: str | None = None) -> str:
    """The network format that a file name or an explicit choice means."""
    if format is not None:
        if isinstance(format, str) and format in _FORMATS:
            return format
        raise FormatError(f"format must be one of {', '.join(_FORMATS)}, got {show_value(format)}", path=path)
    suffix = suffix_of(path)
    if suffix not in NETWORK_SUFFIXES:
        known = ", ".join(NETWORK_SUFFIXES)
        otherwise = f"{suffix or 'no suffix'} is not a network format; use one of {known}"
        raise FormatError(otherwise, path=path)
    return NETWORK_SUFFIXES[suffix]


def load_network(path: str | Path, format: str | None = None) -> BayesianNetwork:
    kind = _format_to_read(path, format)
    if kind == "dot":
        raise FormatError("DOT is a drawing: it holds no tables and can only be written", path=path)
    network: BayesianNetwork = _functions(kind).parse(read_text(path), path)
    return network


def _functions(kind: str) -> Any:
    """The module of a format, or the functions that were added for it."""
    functions = _FORMATS[kind]
    return import_module(functions) if isinstance(functions, str) else functions


def _format_to_read(path: str | Path, format: str | None) -> str:
    """The given format, or that of the suffix; the contents decide for an unknown suffix."""
    if format is None and suffix_of(path) not in NETWORK_SUFFIXES:
        sniffed = sniff_format(beginning_of(path))
        if sniffed is not None:
            return sniffed
        others = told_by_suffix(path)
        if others is not None:
            raise FormatError(f"is no network; {others}", path=path)
    return network_format(path, format)


def save_network(network: BayesianNetwork, path: str | Path, format: str | None = None) -> None:
    module = _functions(network_format(path, format))
    try:
        text: str = module.render(network, path)
    except FormatError as error:
        raise FormatError(f"{error.message}; rename='safe' replaces such names", path=path) from None
    write_text(path, text)
    quoted = module.quote_names(network) if hasattr(module, "quote_names") else []
    if quoted:
        # The warning names the line that calls BayesianNetwork.save.
        warnings.warn(_about_quotes(quoted), UserWarning, stacklevel=3)


def _about_quotes(names: Sequence[str]) -> str:
    others = f" and {count(len(names) - 1, 'other')}" if len(names) > 1 else ""
    return (
        f"BIF has the name {show_value(names[0])}{others} in quotes, which credenet and other readers accept, "
        "but pyAgrum cannot read names in quotes, pgmpy no variables in quotes and not all states; for these programs, "
        "rename='safe' replaces such names"
    )


class Lines:
    """The line numbers of positions in a text."""

    def __init__(self, text: str) -> None:
        self._last = len(text.rstrip())
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def line(self, position: int) -> int:
        """The line of a position; at most the last line that is not blank."""
        return bisect_left(self._ends, min(position, self._last)) + 1


def build_network(
    path: str | Path,
    states: Mapping[str, Sequence[Label]],
    parents: Mapping[str, Sequence[str]],
    tables: Mapping[str, Any],
    lines: Mapping[str, int],
) -> BayesianNetwork:
    """The network from the contents of a file; an error has the line of the variable that causes it."""
    for name, family in parents.items():
        if name in family:
            raise FormatError(f"variable {name!r} is its own parent", path=path, line=lines.get(name))
        if len(set(family)) < len(family):
            raise FormatError(f"variable {name!r} has a parent twice", path=path, line=lines.get(name))
        if len(family) > MAX_PARENTS:
            raise FormatError(
                f"variable {name!r} has {len(family)} parents; at most {MAX_PARENTS} can be held",
                path=path,
                line=lines.get(name),
            )
    try:
        return BayesianNetwork(states, parents, tables)
    except NetworkError as error:
        raise FormatError(str(error), path=path, line=lines.get(error.variable or "")) from None
    except GraphError as error:
        raise FormatError(str(error), path=path, line=_line_of_cycle(parents, lines)) from None


def _line_of_cycle(parents: Mapping[str, Sequence[str]], lines: Mapping[str, int]) -> int | None:
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:
        return min((lines[name] for name in error.args[1] if name in lines), default=None)
    return None
