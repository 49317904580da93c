"""A block file as it is written: first beside its final name, with a journal from which an interrupted run goes on."""

from __future__ import annotations

import errno
import json
import math
import os
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from credenet._text import byte_count
from credenet.data.blocks.bit_planes import plane_bytes, unpack
from credenet.data.coding import code_type
from credenet.data.states import Label
from credenet.errors import DataError, WriteError
from credenet.io.blocks.format import FIRST_BLOCK, Block, BlockLayout, beginning, ending
from credenet.io.blocks.journal import IngestPaths, Place, Resume, map_block, sound_blocks
from credenet.io.tables.polars_columns import code_counts


class BlockWriter:
    """Writes blocks of rows, and at the end the footer; only then the file gets its name.

    Parameters
    ----------
    head
        The first line of the journal.
    n_rows
        How many rows are expected, to say how much space is needed; None if that is not known.
    resumable
        Whether another run can go on with an unfinished file.
    """

    def __init__(
        self,
        paths: IngestPaths,
        states: Mapping[str, Sequence[Label]],
        layout: BlockLayout,
        head: dict[str, Any],
        *,
        n_rows: int | None,
        n_threads: int,
        resumable: bool = True,
    ) -> None:
        self._paths = paths
        self._states = states
        self._layout = layout
        self._expected_rows = n_rows
        self._resumable = resumable
        self._blocks: list[Block] = []
        self._counts = [np.zeros(len(labels) + 1, dtype=np.int64) for labels in states.values()]
        self._totals: list[float] = []  # The total weight of each block.
        self._waiting: list[tuple[NDArray[Any], NDArray[Any] | None]] = []
        self._n_waiting = 0
        self._end = FIRST_BLOCK
        self._workers = ThreadPoolExecutor(n_threads)
        self.resume = self._go_on(head)
        try:
            self._file = self._open(head)
            self._journal = paths.journal.open("ab")
        except OSError as error:
            self._workers.shutdown()
            raise self._full(error) from None

    def __enter__(self) -> BlockWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.shutdown()
        for file in (self._file, self._journal):
            with suppress(OSError):  # The disk may be full, which has been reported.
                file.close()

    @property
    def n_rows(self) -> int:
        """The number of rows so far, including those that wait for a full block."""
        return sum(block.n_rows for block in self._blocks) + self._n_waiting

    @property
    def total(self) -> float:
        """The sum of the weights so far; the number of rows, if there are none."""
        waiting = [float(len(rows) if weights is None else weights.sum()) for rows, weights in self._waiting]
        return math.fsum([*self._totals, *waiting])

    def add(self, codes: NDArray[Any], weights: NDArray[Any] | None, place: Place, n_before: int = 0) -> None:
        """Rows in codes (a missing cell has the number of states); ``n_before`` rows of their batch came before."""
        size = self._layout.block_rows
        begin = 0
        blocks, places = [], []
        while self._n_waiting + len(codes) - begin >= size:
            end = begin + size - self._n_waiting
            self._waiting.append((codes[begin:end], None if weights is None else weights[begin:end]))
            blocks.append(self._gather())
            places.append(Resume(place, n_before + end))
            begin = end
        for (packed, total), after in zip(self._workers.map(self._pack, blocks), places, strict=True):
            self._write(packed, total, after)
        if begin < len(codes):
            self._waiting.append((codes[begin:], None if weights is None else weights[begin:]))
            self._n_waiting += len(codes) - begin

    def finish(self, cuts: Mapping[str, Sequence[float]], notes: Sequence[str]) -> None:
        """Writes the rest and the footer, and gives the file its name."""
        total = self.total
        if self._n_waiting:
            self._write(*self._pack(self._gather()), Resume())
        if not self._blocks:
            raise DataError("there are no rows")
        if total == 0:
            raise DataError("all weights are zero")
        footer = ending(self._states, self._layout, self._counts, self._blocks, total=total, cuts=cuts, notes=notes)
        self._put(np.frombuffer(footer, dtype=np.uint8))
        try:
            os.fsync(self._file.fileno())
            self._file.close()
            self._journal.close()
            self._paths.part.replace(self._paths.target)
        except OSError as error:
            raise self._full(error) from None
        self._paths.remove()

    def _gather(self) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """The rows that wait, as one block."""
        waiting, self._waiting, self._n_waiting = self._waiting, [], 0
        if len(waiting) == 1:
            return waiting[0]
        codes = np.empty((sum(len(rows) for rows, _ in waiting), len(self._states)), waiting[0][0].dtype, order="F")
        at = 0
        for rows, _ in waiting:
            codes[at : at + len(rows)] = rows
            at += len(rows)
        weights = [numbers for _, numbers in waiting if numbers is not None]
        return codes, np.concatenate(weights) if weights else None

    def _pack(self, rows: tuple[NDArray[Any], NDArray[Any] | None]) -> tuple[_Packed, float]:
        codes, weights = rows
        counts = [code_counts(codes[:, at], len(self._counts[at])) for at in range(codes.shape[1])]
        contents = self._layout.pack(codes, weights)
        total = float(len(codes) if weights is None else weights.sum())
        return (contents, zlib.crc32(contents.data), len(codes), counts), total

    def _write(self, packed: _Packed, total: float, resume: Resume) -> None:
        contents, crc, n_rows, counts = packed
        self._put(contents)
        block = Block(self._end, n_rows, crc)
        self._note(block, total, counts)
        line = {"offset": block.offset, "rows": n_rows, "crc32": crc, "place": resume.place, "skip": resume.n_written}
        self._put_line(line)

    def _note(self, block: Block, total: float, counts: Sequence[NDArray[np.int64]]) -> None:
        self._blocks.append(block)
        self._totals.append(total)
        self._end = block.offset + self._layout.size(block.n_rows)
        for sums, numbers in zip(self._counts, counts, strict=True):
            sums += numbers

    def _put(self, contents: NDArray[np.uint8]) -> None:
        try:
            self._file.write(contents.data)
            self._file.flush()
        except OSError as error:
            raise self._full(error) from None

    def _put_line(self, line: dict[str, Any]) -> None:
        try:
            self._journal.write(json.dumps(line).encode() + b"\n")
            self._journal.flush()
        except OSError as error:
            raise self._full(error) from None

    def _full(self, error: OSError) -> WriteError:
        """The error of a full disk with the space that is needed; any other with the name of the file."""
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return WriteError.from_os_error(error, self._paths.target)
        needed = ""
        if self._expected_rows is not None:
            per_block = self._layout.size(self._layout.block_rows)
            n_blocks = -(-self._expected_rows // self._layout.block_rows)
            needed = f"the file needs about {byte_count(n_blocks * per_block)}, of which "
        full = "the file is too large for its folder" if error.errno == errno.EFBIG else "the disk is full"
        cure = "; run the same again to continue" if self._resumable else ""
        reason = f"{full}: {needed}{byte_count(self._end)} are written{cure}"
        return WriteError(error.errno, reason, str(self._paths.target))

    def _go_on(self, head: dict[str, Any]) -> Resume:
        """Takes over the sound blocks of an unfinished file with the same head."""
        unfinished = self._paths.read_unfinished()
        if unfinished is None or unfinished.head != head:
            return Resume()
        blocks = sound_blocks(self._paths, unfinished.lines, self._layout)
        for block in blocks:
            self._note(block, *self._recount(block))
        if not blocks:
            return Resume()
        last = unfinished.lines[len(blocks) - 1]
        return Resume(last["place"], int(last["skip"]))

    def _recount(self, block: Block) -> tuple[float, list[NDArray[np.int64]]]:
        contents = map_block(self._paths, block, self._layout)
        size, at, counts = plane_bytes(block.n_rows), 0, []
        for n_planes, sums in zip(self._layout.n_planes, self._counts, strict=True):
            planes = contents[at : at + n_planes * size].reshape(n_planes, size)
            counts.append(code_counts(unpack(planes, block.n_rows, code_type(len(sums))), len(sums)))
            at += n_planes * size
        if self._layout.weights is None:
            return float(block.n_rows), counts
        dtype = np.dtype("<u4" if self._layout.weights == "counts" else "<f8")
        return float(contents[at : at + block.n_rows * dtype.itemsize].view(dtype).sum()), counts

    def _open(self, head: dict[str, Any]) -> BinaryIO:
        """The unfinished file, ready to be written at its end, and its journal with the blocks that it has."""
        lines = self._paths.read_unfinished().lines[: len(self._blocks)] if self._blocks else []  # type: ignore[union-attr]
        self._paths.journal.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in [head, *lines]))
        file = self._paths.part.open("r+b" if self._blocks else "wb")
        if self._blocks:
            file.truncate(self._end)
            file.seek(self._end)
        else:
            file.write(beginning())
        return file


_Packed = tuple[NDArray[np.uint8], int, int, list[NDArray[np.int64]]]
