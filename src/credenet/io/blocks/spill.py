"""Rows kept in a file while their labels are found, so that the files of a table are read once.

The labels of a column are numbered in order of first appearance. The numbers are kept as bit planes, about as many
bytes as the block file will have. The file has no name, so that nothing of it can remain. Without space
on the disk, or with too many labels in a column, rows are not kept and the files are read again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from credenet.data.blocks.bit_planes import pack, plane_bytes, unpack
from credenet.data.coding import code_type
from credenet.data.raw_columns import RawColumn
from credenet.io.blocks.journal import Place
from credenet.io.blocks.sources import Batch, RowSource

_MOST_LABELS = 1 << 16  # Labels of a column at most.


@dataclass(frozen=True, slots=True)
class _KeptBatch:
    """A batch without its columns, its place in the file, and the planes of each column."""

    batch: Batch
    begin: int
    n_planes: Sequence[int]


class Spill:
    """A source of the kept rows; if the rows could not be kept, it reads the original source."""

    def __init__(self, source: RowSource, folder: Path, n_threads: int) -> None:
        self._source = source
        self.paths, self.names, self.row_names = source.paths, source.names, source.row_names
        self.declared, self.n_rows, self.units = source.declared, source.n_rows, source.units
        self._kept: list[_KeptBatch] = []
        self._labels: dict[str, list[str | None]] = {}
        self._workers = ThreadPoolExecutor(n_threads)
        self._file: IO[bytes] | None = None
        with suppress(OSError):
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115

    def __enter__(self) -> Spill:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.shutdown()
        self._give_up()

    def keep(self, batch: Batch, numbers: Sequence[NDArray[np.int64]]) -> None:
        """Keeps the rows of a batch, given the number of each label of its columns."""
        if self._file is None:
            return
        most = [int(each.max(initial=0)) for each in numbers]
        if max(most, default=0) >= _MOST_LABELS:
            self._give_up()
            return
        n_planes = [number.bit_length() for number in most]

        def pack_column(raw: RawColumn, numbers_of: NDArray[np.int64], planes: int) -> NDArray[np.uint8]:
            codes = np.empty(batch.n_rows, dtype=_type(planes))
            raw.write(numbers_of.astype(codes.dtype), codes)
            contents = np.zeros((planes, plane_bytes(batch.n_rows)), dtype=np.uint8)
            pack(codes, contents)
            return contents

        begin = self._file.tell()
        try:
            for contents in self._workers.map(pack_column, batch.columns, numbers, n_planes):
                self._file.write(contents.data)
            self._file.flush()  # Flushing reports a full disk here, not when the rows are read.
        except OSError:
            self._give_up()
            return
        self._kept.append(_KeptBatch(replace(batch, columns=()), begin, n_planes))

    def end(self, columns: Sequence[RawColumn]) -> None:
        """Takes the labels of all rows, in the order of their numbers."""
        self._labels = {column.name: column.labels for column in columns}

    def batches(self, place: Place | None, names: Sequence[str]) -> Iterator[Batch]:
        """All rows, in the batches in which they came."""
        if self._file is None:
            yield from self._source.batches(place, names)
            return
        assert place is None, "an unfinished file goes on without a first pass"
        for kept in self._kept:
            n_rows = kept.batch.n_rows
            size = plane_bytes(n_rows)
            self._file.seek(kept.begin)
            planes = np.frombuffer(self._file.read(sum(kept.n_planes) * size), dtype=np.uint8).reshape(-1, size)
            ends = np.cumsum(kept.n_planes)
            codes = self._workers.map(
                lambda part: unpack(part, n_rows, _type(len(part))),  # noqa: B023
                np.split(planes, ends[:-1]),
            )
            columns = [
                RawColumn(name, labels[: 1 << n_planes], [], _writer(each))
                for (name, labels), n_planes, each in zip(self._labels.items(), kept.n_planes, codes, strict=True)
            ]
            yield replace(kept.batch, columns=columns)

    def _give_up(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # The disk may be full, but the rest of the buffer is not needed.
                self._file.close()
        self._file = None
        self._kept = []


def _type(n_planes: int) -> np.dtype[Any]:
    return code_type(1 << n_planes)


def _writer(numbers: NDArray[Any]) -> Callable[[NDArray[Any], NDArray[Any]], None]:
    def write(code_of_label: NDArray[Any], out: NDArray[Any]) -> None:
        np.take(code_of_label, numbers, out=out, mode="clip")

    return write
