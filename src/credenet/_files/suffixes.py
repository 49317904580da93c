"""The format of each file suffix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

DataFormat = Literal["csv", "tsv", "dat", "parquet", "cnb"]
NetworkFormat = Literal["bif", "xmlbif", "xdsl", "net", "dsc", "uai", "json", "dot"]
FamilyFormat = Literal["jkl", "pss", "parquet"]

DATA_SUFFIXES: Mapping[str, DataFormat] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".dat": "dat",
    ".data": "dat",
    ".parquet": "parquet",
    ".cnb": "cnb",
}

# `io.networks.formats.add_network_format` adds formats from outside the package.
NETWORK_SUFFIXES: dict[str, str] = {
    ".bif": "bif",
    ".xmlbif": "xmlbif",
    ".bifxml": "xmlbif",
    ".xml": "xmlbif",
    ".xdsl": "xdsl",
    ".net": "net",
    ".dsc": "dsc",
    ".uai": "uai",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
}

FAMILY_SUFFIXES: Mapping[str, FamilyFormat] = {
    ".jkl": "jkl",
    ".scores": "jkl",
    ".jaa": "jkl",
    ".pss": "pss",
    ".parquet": "parquet",
}

GRAPH_TEXT_SUFFIXES = (".txt", ".edges", ".dag", ".pdag")
# A graph without tables can be written with these suffixes; the other network formats need tables.
GRAPH_SUFFIXES = (".json", *GRAPH_TEXT_SUFFIXES, ".csv", ".res", ".dot", ".gv")
