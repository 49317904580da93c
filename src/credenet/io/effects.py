"""Effects in files: JSON with all that is known, or the frame of all probabilities as ``.csv`` or ``.parquet``."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

from credenet._files.files import atomic_writer, suffix_of, write_text
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.interventions.result import Effects

SUFFIXES = (".json", ".csv", ".parquet")


def check_suffix(path: str | Path) -> None:
    """Complains about a file whose name does not tell one of the formats."""
    if suffix_of(path) not in SUFFIXES:
        raise ArgumentError(f"effects are written to a .json, .csv or .parquet file, got {Path(path).name!r}")


def save_effects(effects: Effects, path: str | Path) -> None:
    """Writes effects in the format of the suffix."""
    import polars as pl

    from credenet.io.tables.parquet import write_parquet

    check_suffix(path)
    suffix = suffix_of(path)
    if suffix == ".json":
        write_text(path, f"{effects.to_json()}\n")
    elif suffix == ".parquet":
        write_parquet(effects.to_polars(), path)
    else:
        with atomic_writer(path) as file:
            try:
                effects.to_polars().write_csv(file)
            except pl.exceptions.PolarsError as error:  # a full disk becomes this error
                raise OSError(errno.EIO, str(error), str(path)) from None
