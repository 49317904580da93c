"""What the beginning of a file looks like, for names that do not say what is in them."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
