"""Parquet files, read some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import polars.selectors as cs

from credenet.data.raw_columns import RawColumn
from credenet.errors import FormatError
from credenet.io.blocks.journal import Place
from credenet.io.blocks.sources import Batch, check_same_columns
from credenet.io.tables.formats import PANDAS_INDEX
from credenet.io.tables.frames import columns_of_frame
from credenet.io.tables.parquet import POLARS_ERRORS, map_footer


class ParquetSource:
    """The rows of parquet files with the same columns; a place is the number of a file and of a row in it."""

    def __init__(self, paths: Sequence[Path], batch_rows: int, n_threads: int) -> None:
        self.paths = paths
        self._batch_rows = batch_rows
        self._n_threads = n_threads
        footers = [map_footer(path) for path in paths]
        self.names: Sequence[str] = footers[0].columns
        for path, footer in zip(paths, footers, strict=True):
            check_same_columns(path, footer.columns, paths[0], self.names)
        self.row_names = frozenset(name for name in self.names if PANDAS_INDEX.fullmatch(name))
        self._sizes = [footer.n_rows for footer in footers]
        self.n_rows: int | None = sum(self._sizes)
        self.units = sum(self._sizes)
        self.declared = self._read_declared_states()

    def limit_batches(self, n_rows: int) -> None:
        """Lowers the size of batches to at most ``n_rows`` rows, but at least one."""
        self._batch_rows = max(1, min(self._batch_rows, n_rows))

    def _read_declared_states(self) -> dict[str, tuple[str, ...]]:
        """The categories of the columns that are an Enum; they must be the same in all files."""
        states: dict[str, tuple[str, ...]] = {}
        for at, path in enumerate(self.paths):
            try:
                schema = pl.scan_parquet(path).collect_schema()
            except (*POLARS_ERRORS, OSError) as error:
                raise FormatError(f"cannot be read as parquet: {error}", path=path) from None
            here = {n: tuple(kind.categories.to_list()) for n, kind in schema.items() if isinstance(kind, pl.Enum)}
            for name in here if at == 0 else states.keys() | here.keys():
                if at and states.get(name) != here.get(name):
                    raise FormatError(f"column {name!r} has other categories than in {self.paths[0].name}", path=path)
            states = here
        return states

    def batches(self, place: Place | None, names: Sequence[str]) -> Iterator[Batch]:
        part, row = place or (0, 0)
        with ThreadPoolExecutor(self._n_threads) as workers:
            for number in range(part, len(self.paths)):
                path, before = self.paths[number], sum(self._sizes[:number])
                rows = pl.scan_parquet(path, use_statistics=False).select(cs.by_name(*names))
                for begin in range(row if number == part else 0, self._sizes[number], self._batch_rows):
                    try:
                        frame = rows.slice(begin, self._batch_rows).collect()
                        columns = list(workers.map(_column, frame.iter_columns()))
                    except (*POLARS_ERRORS, OSError) as error:
                        raise FormatError(f"cannot be read as parquet: {error}", path=path) from None
                    yield Batch([number, begin], path, columns, len(frame), before + begin + len(frame))


def _column(series: pl.Series) -> RawColumn:
    return columns_of_frame(series.to_frame())[0]
