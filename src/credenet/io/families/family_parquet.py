"""Parquet: a row for every family (``variable``, ``score``, ``parents``), best first.

The names in their order and the provenance of the table are JSON under ``credenet`` in the metadata of the file.
Without it, the variables are in the order of their first rows.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl

from credenet.errors import ArgumentError, FormatError, GraphError
from credenet.families.arrays import FamilyError, Offsets
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.io.families.family_text import collect_names, count_in, parse_json
from credenet.io.tables.parquet import POLARS_ERRORS, parquet_columns, read_parquet, write_parquet

_KEY = "credenet"
_KINDS: dict[str, pl.DataType] = {"variable": pl.String(), "score": pl.Float64(), "parents": pl.List(pl.String)}


def read(path: str | Path) -> FamilyTable:
    frame, metadata = read_parquet(path)
    try:
        return _table(_check_columns(frame, path), metadata.get(_KEY), path)
    except POLARS_ERRORS as error:
        raise FormatError(f"cannot be read as a table of families: {error}", path=path) from None


def _table(frame: pl.DataFrame, metadata: str | None, path: str | Path) -> FamilyTable:
    try:
        values = parse_json(metadata) if metadata is not None else {}
        made, names, n_families = (
            FamilyTableInfo.from_dict(values),
            collect_names(values),
            count_in(values, "n_families"),
        )
    except (ArgumentError, GraphError) as error:
        raise FormatError(f"the metadata {_KEY!r} does not fit: {error}", path=path) from None
    if n_families not in (None, len(frame)):
        raise FormatError(f"should have {n_families} parent sets, but has {len(frame)}", path=path)
    if names is None:
        names = tuple(frame["variable"].unique(maintain_order=True))
        if "" in names:
            raise FormatError("a variable without a name", path=path)
    children = _places(frame["variable"], names, "variable", path)
    order = np.argsort(children, kind="stable")
    frame = frame[order]
    parents = frame["parents"].explode(empty_as_null=False, keep_nulls=False)
    try:
        return FamilyTable.from_flat(
            names,
            np.bincount(children, minlength=len(names)).astype(np.int64),
            frame["score"].to_numpy(),
            frame["parents"].list.len().to_numpy().astype(np.int64),
            _places(parents, names, "parent", path),
            made=made,
        )
    except FamilyError as error:
        row = "" if error.family is None else f"row {int(order[error.family]) + 1}: "
        raise FormatError(f"{row}{error}", path=path) from None


def holds_families(path: str | Path) -> bool:
    """Whether a parquet file has the columns of a table of families."""
    try:
        return set(_KINDS) <= set(parquet_columns(path))
    except FormatError:
        return False  # The reader of tables will report the error.


def _check_columns(frame: pl.DataFrame, path: str | Path) -> pl.DataFrame:
    """The columns of families, with the right types and without nulls."""
    for name, kind in _KINDS.items():
        if name not in frame.columns:
            raise FormatError(f"has no column {name!r}; a table of families has {', '.join(_KINDS)}", path=path)
        frame = frame.with_columns(pl.col(name).cast(kind))
    for name in _KINDS:
        holes = frame[name].is_null()
        if name == "parents":
            holes = holes | frame[name].list.eval(pl.element().is_null()).list.any()
        if holes.any():
            raise FormatError(f"row {int(holes.arg_max() or 0) + 1}: {name!r} is missing", path=path)
    return frame.select(*_KINDS)


def _places(words: pl.Series, names: tuple[str, ...], what: str, path: str | Path) -> Offsets:
    known = pl.Series(names, dtype=pl.String)
    strange = words.filter(~words.is_in(known.implode()))
    if len(strange):
        raise FormatError(f"unknown {what} {strange[0]!r}", path=path)
    return words.cast(pl.Enum(known)).to_physical().to_numpy().astype(np.int64)


def write(table: FamilyTable, path: str | Path) -> None:
    values = {"n_families": len(table), "variables": table.variables, **table.made.to_dict()}
    try:
        for name in table.variables:
            name.encode()
    except UnicodeEncodeError:
        raise FormatError(f"parquet cannot hold the name {name!r}", path=path) from None
    write_parquet(table.to_polars(), path, {_KEY: json.dumps(values)})
