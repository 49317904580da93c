"""Results in files: JSON with all that is known, which is read back, or a frame as ``.csv`` or ``.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from credenet._files.files import atomic_writer, suffix_of
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = (".json", ".csv", ".parquet")


class SavableResult(Protocol):
    """A result that has JSON values and a frame."""

    def to_dict(self) -> dict[str, Any]: ...
    def to_polars(self) -> pl.DataFrame: ...


def check_suffix(path: str | Path, what: str) -> None:
    """Refuses a file whose name gives none of the formats; ``what`` names the intended contents."""
    if suffix_of(path) not in SUFFIXES:
        raise ArgumentError(f"{what} are written to a .json, .csv or .parquet file, got {Path(path).name!r}")


def save_result(result: SavableResult, path: str | Path, what: str) -> None:
    """Writes a result in the format of the suffix."""
    from credenet.io.results.files import save_json
    from credenet.io.tables.parquet import write_parquet

    check_suffix(path, what)
    suffix = suffix_of(path)
    if suffix == ".json":
        save_json(result, path)
    elif suffix == ".parquet":
        write_parquet(result.to_polars(), path)
    else:
        with atomic_writer(path) as file:
            result.to_polars().write_csv(file)
