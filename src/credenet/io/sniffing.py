"""The format of a file by its first bytes, if its name does not decide it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from credenet._files.suffixes import NetworkFormat
from credenet.graphs.parsing import is_model_string, names_and_arrows
from credenet.io.tables.separators import agree, first_lines

# No pattern backtracks over long runs of characters, so the time is linear in the text.
_BEGINNINGS: Mapping[NetworkFormat, re.Pattern[str]] = {
    "bif": re.compile(r"(network|variable)\s++[^\n,;{]*+\{"),
    "xmlbif": re.compile(r"(?=<)(?s:.)*?<BIF\b"),
    "xdsl": re.compile(r"(?=<)(?s:.)*?<smile\b"),
    "net": re.compile(r"net\s*+\{|(?:(?!node\b)\w++\s++)?node\s++\w++\s*+\{"),
    "dsc": re.compile(r"belief\s++network\b"),
    "uai": re.compile(r"(BAYES|MARKOV)\s"),
    "json": re.compile(r"\{\s*+\""),
}


def sniff_format(beginning: bytes) -> NetworkFormat | None:
    """The network format that the first bytes of a file look like, if any."""
    text = beginning.decode("utf-8-sig", "replace").lstrip()
    return next((format for format, pattern in _BEGINNINGS.items() if pattern.match(text)), None)


def looks_like_graph(beginning: bytes) -> bool:
    """Whether a text consists of edges ``A -> B``, or is a model string of bnlearn.

    A label of a table may contain an arrow, but rarely in the first line, and all rows have equally many fields.
    """
    text = beginning.decode("utf-8-sig", "replace")
    if is_model_string(text):
        return True
    has_arrow = [arrow for _, arrow in names_and_arrows(text)]
    return any(has_arrow) and (has_arrow[0] or not _agree_on_any(beginning))


def looks_like_table(beginning: bytes) -> bool:
    """Whether a text is not a graph, and has several lines with equally many fields, or equal lines.

    A graph without edges has a different name on each line.
    """
    if looks_like_graph(beginning):
        return False
    names = [names for names, _ in names_and_arrows(beginning.decode("utf-8-sig", "replace"))]
    if all(len(several) == 1 for several in names):
        return len({several[0] for several in names}) < len(names)
    return _agree_on_any(beginning)


def _agree_on_any(beginning: bytes) -> bool:
    lines = first_lines(memoryview(beginning))
    return any(agree(lines, mark) for mark in (b",", b";", b"\t", b"|", None))
