"""Counting on a graphics processor: the columns stay there, and whole numbers come back."""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError, CredenetError, MissingExtraError
from credenet.placement.service import Cells, Counts, Members

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset

THREADS = 256  # Threads of a block.
PADDING = 16  # Rows that a thread counts at once.
FULL = 2048  # Blocks that keep every device busy.
LEAST_ROWS = 1 << 14  # Rows of a block at least, if a table is divided among several.
# Cells of the largest table of each group, which is counted together.
SIZES = (64, 256, 1 << 10, 1 << 12, 12 << 10, 56 << 10)
FEW_BYTES = 32 << 10  # Bytes of the copies of a table up to which several blocks fit on a processor.


def cupy() -> Any:
    """The module cupy; raises an error that says what is missing."""
    try:
        import cupy
    except ImportError:
        raise MissingExtraError(
            "device='cuda' needs CuPy: pip install credenet[gpu], or cupy-cuda13x for newer drivers"
        ) from None
    try:
        n_devices = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise ArgumentError(f"device='cuda' needs an NVIDIA graphics processor: {error}") from None
    if n_devices == 0:
        raise ArgumentError("device='cuda' needs an NVIDIA graphics processor; none was found")
    return cupy


def is_available() -> bool:
    try:
        cupy()
    except CredenetError:
        return False
    return True


@cache
def _kernels(code: str) -> Any:
    source = files("credenet.placement").joinpath("counting.cu").read_text()
    return cupy().RawModule(code=source, options=("-std=c++17", f"-DCODE={code}"))


class GpuCounts:
    """Counts of the rows of a dataset; a `CountService`. Several threads may ask at a time."""

    def __init__(self, data: Dataset) -> None:
        if data.weights is not None:
            raise ArgumentError("device='cuda' counts rows without weights only; use device='cpu'")
        data.check_complete("counting needs")
        cp = cupy()
        self.n_rows = data.n_rows
        self._n_padded = -(-data.n_rows // PADDING) * PADDING
        is_narrow = data.codes.dtype == np.uint8
        self._check_memory(data, cp)
        self._kernels = _kernels("unsigned char" if is_narrow else "unsigned short")
        self._columns = cp.zeros((data.n_variables, self._n_padded), dtype=data.codes.dtype)
        self.observed_codes = [self._upload(data.codes[:, at], at) for at in range(data.n_variables)]
        self._n_states = np.array([len(codes) for codes in self.observed_codes], dtype=np.uint64)
        self._states_there = cp.asarray(self._n_states)
        self._most_shared = int(cp.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])
        self._shared, self._global = (self._kernels.get_function(name) for name in ("count_shared", "count_global"))
        self._shared.max_dynamic_shared_size_bytes = self._most_shared
        self._local = threading.local()

    def __repr__(self) -> str:
        return "a graphics processor"

    def _check_memory(self, data: Dataset, cp: Any) -> None:
        needed = data.n_variables * self._n_padded * data.codes.dtype.itemsize
        free, _ = cp.cuda.runtime.memGetInfo()
        if needed * 1.1 + (1 << 28) > free:
            raise ArgumentError(
                f"device='cuda': the columns take {needed / 2**30:.3g} GiB, and the device has {free / 2**30:.3g} GiB "
                "free; use device='cpu'"
            )

    def _upload(self, column: NDArray[Any], at: int) -> list[int]:
        """Copies a column, numbers its codes by the states that occur, and says which these are."""
        cp = cupy()
        there = self._columns[at]
        there[: self.n_rows] = cp.asarray(np.ascontiguousarray(column))
        codes: list[int] = cp.flatnonzero(cp.bincount(there[: self.n_rows])).tolist() if self.n_rows else []
        if codes != list(range(len(codes))):
            place_of = np.zeros(codes[-1] + 1, dtype=column.dtype)
            place_of[codes] = np.arange(len(codes))
            blocks = -(-self.n_rows // THREADS)
            arguments = (there, np.uint64(self.n_rows), cp.asarray(place_of))
            self._kernels.get_function("renumber")((blocks,), (THREADS,), arguments)
        return codes or [0]

    @property
    def _stream(self) -> Any:
        """A stream for each thread, so that the batches of several threads overlap."""
        if not hasattr(self._local, "stream"):
            self._local.stream = cupy().cuda.Stream(non_blocking=True)
        return self._local.stream

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        """All cells of each set, one table after another."""
        cp = cupy()
        sizes = np.multiply.reduceat(self._n_states[members], begins[:-1])
        if self.n_rows == 0:
            return np.zeros(int(sizes.sum()), dtype=np.uint32)
        by_size = np.argsort(sizes, kind="stable")
        ends = np.searchsorted(sizes[by_size], SIZES, side="right")
        ends = np.append(ends, len(sizes))
        n_sets, n_members = len(sizes), len(members)
        # All arrays of the batch are sent as one.
        batch = np.empty(n_members + 3 * n_sets + 2, dtype=np.uint64)
        batch[:n_members] = members
        batch[n_members : n_members + n_sets + 1] = begins
        batch[n_members + n_sets + 1] = 0
        np.cumsum(sizes, out=batch[n_members + n_sets + 2 : n_members + 2 * n_sets + 2])
        batch[n_members + 2 * n_sets + 2 :] = by_size
        with self._stream as stream:
            there = cp.asarray(batch)
            counts = cp.zeros(int(batch[n_members + 2 * n_sets + 1]), dtype=np.uint32)
            arrays = (there, there[n_members:], there[n_members + n_sets + 1 :])
            places = there[n_members + 2 * n_sets + 2 :]
            first = 0
            for end in ends.tolist():
                if end > first:
                    largest = int(sizes[by_size[end - 1]])
                    self._count(arrays, places[first:end], end - first, largest, counts)
                first = end
            found = cp.cuda.alloc_pinned_memory(counts.nbytes)
            taken: Counts = np.frombuffer(found, dtype=np.uint32, count=counts.size)
            counts.get(stream=stream, out=taken)
            stream.synchronize()
        return taken

    def _count(self, arrays: tuple[Any, Any, Any], places: Any, n_tables: int, largest: int, counts: Any) -> None:
        """Counts the tables at some places of the batch, whose sizes are alike."""
        log_copies = min(5, max(0, (FEW_BYTES // (4 * largest)).bit_length() - 1))
        shared = 4 * largest << log_copies
        is_shared = shared <= self._most_shared
        kernel = self._shared if is_shared else self._global
        parts = max(1, min(-(-FULL // n_tables), self.n_rows // LEAST_ROWS))
        rows = -(-self.n_rows // (parts * PADDING)) * PADDING
        kernel(
            (n_tables, -(-self.n_rows // rows)),
            (THREADS,),
            (
                *(self._columns, np.uint64(self._n_padded), np.uint64(self.n_rows), self._states_there),
                *(*arrays, places, np.uint64(rows), np.uint32(log_copies), counts),
            ),
            shared_mem=shared if is_shared else 0,
        )

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        """The occupied cells of one set, ascending, and their counts."""
        cp = cupy()
        if self.n_rows == 0:
            return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint32)
        with self._stream as stream:
            numbers = cp.empty(self.n_rows, dtype=np.uint64)
            arguments = (
                *(self._columns, np.uint64(self._n_padded), np.uint64(self.n_rows), self._states_there),
                *(cp.asarray(members.astype(np.uint64)), np.uint64(len(members)), numbers),
            )
            blocks = -(-self.n_rows // THREADS)
            self._kernels.get_function("cell_numbers")((blocks,), (THREADS,), arguments)
            cells, counts = cp.unique(numbers, return_counts=True)
            found = cells.get(stream=stream), counts.astype(np.uint32).get(stream=stream)
            stream.synchronize()
        return found
