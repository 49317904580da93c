"""What the beginning of a file looks like, for names that do not say what is in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from credenet.graphs.parsing import is_model_string
from credenet.io.separators import agree, first_lines
from credenet.io.suffixes import NetworkFormat

_BEGINNINGS: Mapping[NetworkFormat, re.Pattern[str]] = {
    "bif": re.compile(r"(network|variable)\s+[^\n,;]*\{"),
    "xmlbif": re.compile(r"<[^\n]*(?s:.)*?<BIF\b"),
    "xdsl": re.compile(r"<[^\n]*(?s:.)*?<smile\b|<smile\b"),
    "net": re.compile(r"net\s*\{|(\w+\s+)?node\s+\w+\s*\{"),
    "dsc": re.compile(r"belief\s+network\b"),
    "uai": re.compile(r"(BAYES|MARKOV)\s"),
    "json": re.compile(r"\{\s*\""),
}


def sniffed_format(beginning: bytes) -> NetworkFormat | None:
    """The network format that the first bytes of a file look like, if any."""
    text = beginning.decode("utf-8-sig", "replace").lstrip()
    return next((format for format, pattern in _BEGINNINGS.items() if pattern.match(text)), None)


_ARROW = re.compile(rb"->|<-|--")
_COMMENT = re.compile(rb"#[^\n]*")


def looks_like_graph(beginning: bytes) -> bool:
    """Whether a text is made of edges ``A -> B``, or a model string of bnlearn.

    In a table an arrow may be in a label, but hardly in the first line, and its lines have equal numbers of fields.
    """
    if is_model_string(beginning.decode("utf-8-sig", "replace")):
        return True
    lines = first_lines(memoryview(_COMMENT.sub(b"", beginning)))
    has_arrow = [_ARROW.search(line) is not None for line in lines]
    return has_arrow[0] or (any(has_arrow) and not _agree_on_any(lines))


def looks_like_table(beginning: bytes) -> bool:
    """Whether a text is no graph, and has several lines with equal numbers of fields, or equal lines."""
    if looks_like_graph(beginning):
        return False
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    return _agree_on_any(first_lines(memoryview(beginning))) or len(set(lines)) < len(lines)


def _agree_on_any(lines: Sequence[bytes]) -> bool:
    return any(agree(lines, mark) for mark in (b",", b";", b"\t", b"|", None))
