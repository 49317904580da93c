"""Files of credible networks and classes: parquet, JSON or text by the suffix, without holding more than a block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet._files.files import atomic_writer, suffix_of
from credenet.errors import ArgumentError, FormatError

if TYPE_CHECKING:
    import polars as pl

Frames = Callable[[int | None], "Iterator[pl.DataFrame]"]
"""The rows as far as a limit."""

SUFFIXES = (".parquet", ".json", ".txt")


def check_suffix(path: str | Path) -> None:
    """Complains about a file whose name does not tell one of the formats."""
    suffix = suffix_of(path)
    is_packed = Path(path).name.lower().endswith(".gz")
    if suffix not in SUFFIXES or (suffix == ".parquet" and is_packed):
        raise ArgumentError(
            f"networks are written to a .parquet, .json or .txt file (.gz of the last two), got {Path(path).name}"
        )


def write(path: str | Path, what: str, frames_of: Frames, columns: dict[str, Any], facts: dict[str, Any]) -> None:
    """Writes the rows in the format of the suffix.

    JSON is one object: the facts about the rows, and the rows as a list under the name of ``what`` they are. Text has
    one row to a line, under a line of names, with tabs between.
    """
    check_suffix(path)
    suffix = suffix_of(path)
    if suffix == ".parquet":
        write_parquet(path, frames_of, columns)
        return
    lines = _json_lines(what, frames_of, facts) if suffix == ".json" else _text_lines(frames_of, columns)
    with atomic_writer(path) as file:
        try:
            for line in lines:
                file.write(f"{line}\n".encode())
        except UnicodeEncodeError as error:
            raise FormatError(f"UTF-8 cannot hold {error.object[error.start : error.end]!r}", path=path) from None


def _text_lines(frames_of: Frames, columns: dict[str, Any]) -> Iterator[str]:
    yield "\t".join(columns)
    for frame in frames_of(None):
        for row in frame.iter_rows():
            yield "\t".join("" if value is None else str(value) for value in row)


def _json_lines(what: str, frames_of: Frames, facts: dict[str, Any]) -> Iterator[str]:
    yield json.dumps(facts, ensure_ascii=False, allow_nan=False)[:-1] + f', "{what}": ['
    last = None
    for frame in frames_of(None):
        for row in frame.iter_rows(named=True):
            if last is not None:
                yield f"{last},"
            last = json.dumps(row, ensure_ascii=False, allow_nan=False)
    if last is not None:
        yield last
    yield "]}"


def write_parquet(path: str | Path, frames_of: Frames, columns: dict[str, Any]) -> None:
    """Writes the rows as parquet, whatever the suffix."""
    from polars.io.plugins import register_io_source

    def blocks(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        for frame in frames_of(n_rows):
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)

    with atomic_writer(path) as file:
        register_io_source(blocks, schema=columns).sink_parquet(file)
