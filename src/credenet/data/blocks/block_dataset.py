"""A dataset whose rows stay in a block file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import mapping, whole_number
from credenet._run.memory import check_memory
from credenet.data.blocks.block_file import BlockFile
from credenet.data.checks import Codes, check_indices
from credenet.data.coding import code_type
from credenet.data.dataset import Dataset
from credenet.data.states import Label, state_positions

_ADVICE = "work block by block with row_blocks()"


class BlockDataset(Dataset):
    """The rows of a block file (``.cnb``), which `credenet.ingest` writes and `credenet.read` opens.

    It behaves as any `Dataset`. The file is mapped into memory, and rows are decoded on request: `row_blocks` decodes
    block by block; ``codes``, and whatever needs all codes at once, decodes all of them into memory.

    If equal rows were merged (``credenet ingest --merge``), ``weights`` says how often each row occurs, ``n_rows`` is
    the number of different rows and ``total_weight`` the number of rows that were ingested.

    Attributes
    ----------
    file
        The open file, with the position, rows and bit planes of its blocks.
    columns
        The position of each variable in the file.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.ingest(credenet.datasets.asia(1000), "rows.cnb")
    >>> type(data).__name__, data.n_rows
    ('BlockDataset', 1000)
    """

    __slots__ = ("_code_of", "columns", "file")

    file: BlockFile
    columns: NDArray[np.int64]
    # For each variable the code of each code in the file; None if they are equal.
    _code_of: tuple[NDArray[np.int64] | None, ...]

    def __init__(
        self,
        file: BlockFile,
        columns: Sequence[int] | None = None,
        states: Mapping[str, Sequence[Label]] | None = None,
    ) -> None:
        """The variables at some columns of a file; ``states`` may lack states that do not occur, or have more."""
        chosen = list(range(len(file.states)) if columns is None else columns)
        names = tuple(file.states)
        if states is None:
            states = {names[at]: file.states[names[at]] for at in chosen}
        set_field = object.__setattr__
        set_field(self, "file", file)
        set_field(self, "_code_of", tuple(_code_of(file.states[name], states[name]) for name in states))
        states = {name: tuple(labels) for name, labels in states.items()}
        set_field(self, "columns", np.array(chosen, dtype=np.int64))
        set_field(self, "variables", tuple(states))
        set_field(self, "states", MappingProxyType(states))
        set_field(self, "cuts", MappingProxyType({name: cuts for name, cuts in file.cuts.items() if name in states}))
        set_field(self, "_codes", None)
        set_field(self, "_weights", None)
        set_field(self, "_info", None)
        set_field(self, "_notes", file.notes if columns is None else ())
        set_field(self, "_source_rows", None)

    def __reduce__(self) -> tuple[Any, ...]:
        return BlockDataset, (self.file, self.columns.tolist(), dict(self.states))

    @property
    def codes(self) -> Codes:
        """The codes of all rows, in memory: one byte per cell, or two if a variable has too many states."""
        if self._codes is None:
            needed = self.n_rows * self.n_variables * self._dtype.itemsize
            check_memory(needed, f"decoding {self.n_rows} rows", _ADVICE)
            codes = self._decode(0, self.n_rows)
            codes.flags.writeable = False
            object.__setattr__(self, "_codes", codes)
        assert self._codes is not None
        return self._codes

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """A weight for each row, in memory: how often the row occurs, or its weight; None if all are 1."""
        if self._weights is None and self.file.weights is not None:
            weights = self._decode_weights(0, self.n_rows)
            assert weights is not None
            weights.flags.writeable = False
            object.__setattr__(self, "_weights", weights)
        return self._weights

    @property
    def n_rows(self) -> int:
        return self.file.n_rows

    @property
    def total_weight(self) -> float:
        """The number of rows, with the rows that were merged; or the sum of their weights."""
        return float(self.file.total)

    @property
    def missing_code(self) -> int:
        """The code of a missing cell."""
        return int(np.iinfo(self._dtype).max)

    @property
    def missing(self) -> dict[str, int]:
        """The number of missing cells of each variable that has any."""
        counts = {name: self.file.n_missing[at] for name, at in zip(self.variables, self.columns, strict=True)}
        return {name: count for name, count in counts.items() if count}

    def select(self, variables: Iterable[str]) -> Dataset:
        """The dataset of some variables, in the order given; its rows stay in the file."""
        chosen = self._indices_of(variables)
        states = {self.variables[at]: self.states[self.variables[at]] for at in chosen}
        return BlockDataset(self.file, [int(self.columns[at]) for at in chosen], states)

    def take(self, indices: slice | Sequence[int] | NDArray[Any]) -> Dataset:
        """The dataset of some rows, in memory: a slice, indices or a mask."""
        if not isinstance(indices, slice):
            given = check_indices(indices, self.n_rows)
            picked = np.flatnonzero(given) if given.dtype.kind == "b" else given % max(self.n_rows, 1)
        else:
            picked = np.arange(*indices.indices(self.n_rows))
        codes = np.empty((len(picked), self.n_variables), dtype=self._dtype, order="F")
        weights = None if self.file.weights is None else np.empty(len(picked))
        block_of = picked // self.file.block_rows
        for block in np.unique(block_of).tolist():
            where = np.flatnonzero(block_of == block)
            within = picked[where] - block * self.file.block_rows
            for at in range(self.n_variables):
                codes[where, at] = self._column(block, at)[within]
            if weights is not None:
                weights[where] = np.asarray(self.file.block_weights(block))[within]
        return Dataset._from_codes(self, codes, weights)

    def row_blocks(self, n_rows: int | None = None) -> Iterator[Dataset]:
        """Consecutive rows as datasets of ``n_rows`` in memory; by default the blocks of the file."""
        step = self.file.block_rows if n_rows is None else whole_number("n_rows", n_rows, least=1)
        for begin in range(0, self.n_rows, step):
            end = min(begin + step, self.n_rows)
            yield Dataset._from_codes(self, self._decode(begin, end), self._decode_weights(begin, end))

    def aligned(self, states: Mapping[str, Sequence[Label]], *, first_row: int = 0) -> Dataset:
        """The same rows coded by the given variables and states.

        The rows stay in the file if the states that occur keep their order.
        """
        states = mapping("states", states, "lists of labels")
        if all(name in self.states for name in states):
            chosen = [self.index(name) for name in states]
            codes = [
                [place for place in state_positions(self._occurring(at), labels) if place is not None]
                for at, labels in zip(chosen, states.values(), strict=True)
            ]
            if all(
                len(column_codes) == len(self._occurring(at)) and column_codes == sorted(column_codes)
                for at, column_codes in zip(chosen, codes, strict=True)
            ):
                return BlockDataset(self.file, [int(self.columns[at]) for at in chosen], states)
        return super().aligned(states, first_row=first_row)

    def _occurring(self, at: int) -> list[Label]:
        """The states of a variable that occur, in the order of the file."""
        column = int(self.columns[at])
        labels = tuple(self.file.states.values())[column]
        return [label for label, number in zip(labels, self.file.counts[column], strict=True) if number]

    @property
    def _is_elsewhere(self) -> bool:
        return self.file.weights != "weights"

    def _count_source(self) -> _core.CountSource:
        """The blocks of the file for counting; fractional weights need the rows in memory."""
        file = self.file
        if not self._is_elsewhere:
            return self._row_table()
        stored = [[code for code, number in enumerate(file.counts[at]) if number] for at in self.columns.tolist()]
        observed = [
            codes if code_of is None else code_of[codes].tolist()
            for codes, code_of in zip(stored, self._code_of, strict=True)
        ]
        return _core.BlockTable(
            file.mapped,
            file.offsets,
            file.sizes,
            file.n_planes,
            file.weights == "counts",
            self.columns,
            stored,
            observed,
            file._guard,
        )

    @property
    def _is_weighted(self) -> bool:
        return self.file.weights is not None

    @property
    def _dtype(self) -> np.dtype[Any]:
        return code_type(max((len(labels) for labels in self.states.values()), default=0))

    def _column_blocks(self, at: int) -> Iterator[NDArray[Any]]:
        for block in range(len(self.file.sizes)):
            yield self._column(block, at)

    def _column(self, block: int, at: int) -> NDArray[Any]:
        """The codes of a variable in a block."""
        code_of, column = self._code_of[at], int(self.columns[at])
        if code_of is None:
            return self.file.column(block, column, self._dtype)
        dtype = code_type(len(code_of))
        codes = self.file.column(block, column, dtype)
        missing = codes == np.iinfo(dtype).max
        recoded = code_of[np.where(missing, 0, codes)].astype(self._dtype)
        recoded[missing] = self.missing_code
        return recoded

    def _state_counts(self) -> list[NDArray[np.int64]]:
        found = []
        for labels, column, code_of in zip(self.states.values(), self.columns, self._code_of, strict=True):
            counts = np.array(self.file.counts[column], dtype=np.int64)
            if code_of is not None:
                stored = np.flatnonzero(counts)
                recoded = np.zeros(len(labels), dtype=np.int64)
                recoded[code_of[stored]] = counts[stored]
                counts = recoded
            found.append(counts)
        return found

    def _decode(self, begin: int, end: int) -> NDArray[Any]:
        codes = np.empty((end - begin, self.n_variables), dtype=self._dtype, order="F")
        for block, within, place in self.file.pieces(begin, end):
            for at in range(self.n_variables):
                codes[place, at] = self._column(block, at)[within]
        return codes

    def _decode_weights(self, begin: int, end: int) -> NDArray[np.float64] | None:
        if self.file.weights is None:
            return None
        weights = np.empty(end - begin)
        for block, within, place in self.file.pieces(begin, end):
            weights[place] = np.asarray(self.file.block_weights(block))[within]
        return weights


def _code_of(stored: Sequence[Label], labels: Sequence[Label]) -> NDArray[np.int64] | None:
    """The code of each stored state among other labels, -1 for none; None if all codes are the same."""
    if tuple(stored) == tuple(labels):
        return None
    places = state_positions(stored, labels)
    return np.array([-1 if place is None else place for place in places], dtype=np.int64)
