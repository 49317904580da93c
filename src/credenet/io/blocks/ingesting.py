"""Tables of any size turned into block files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from credenet._advised import check_keywords
from credenet._arguments import choice, flag, instance, show_value, whole_number
from credenet._files.files import check_writable, is_same_file, suffix_of
from credenet._files.suffixes import DataFormat
from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run
from credenet._warnings import warn_caller
from credenet.data.blocks.bit_planes import plane_count
from credenet.data.coding import (
    MAX_STATES,
    CodingOptions,
    Missing,
    States,
    check_states,
    notes_on_row_names,
    take_columns,
)
from credenet.data.dataset import BLOCK_ROWS, Dataset
from credenet.data.discretize import Method
from credenet.data.labels import Decimal
from credenet.data.merging import Groups
from credenet.data.raw_columns import RawColumn
from credenet.data.remarks.missing import note_on_dropped_rows
from credenet.data.row_weights import weights_column
from credenet.data.sources import as_dataset
from credenet.data.states import Label, StateLabels
from credenet.errors import ArgumentError, CredenetError, DataError, FormatError, WriteError
from credenet.io.blocks.coding import (
    CodedBatch,
    Coding,
    FileDataError,
    Watch,
    code_batches,
    find_known_states,
    first_pass,
    read_declared_coding,
)
from credenet.io.blocks.format import BlockLayout, check_block_rows
from credenet.io.blocks.journal import IngestPaths
from credenet.io.blocks.merging import LEAST_ROWS, LEFT, RowMerger, promises_merging
from credenet.io.blocks.opening import choose_variables, open_blocks
from credenet.io.blocks.parquet_source import ParquetSource
from credenet.io.blocks.sources import RowSource, check_no_streams, common_format, find_paths, fingerprint
from credenet.io.blocks.spill import Spill
from credenet.io.blocks.text_source import TextSource
from credenet.io.blocks.writer import BlockWriter
from credenet.io.tables.delimited import TextOptions

if TYPE_CHECKING:
    from credenet.data.blocks.block_dataset import BlockDataset
    from credenet.data.sources import DataLike

Merge = Literal["auto", "yes", "no"]

_BATCH_ROWS = 4 * BLOCK_ROWS
_BATCH_BYTES = 16 << 20  # Bytes of text in a batch.
_BYTES_PER_CELL = 64  # Bytes per cell of a batch while it is read and coded, at most.
_SUFFIX = ".cnb"


@check_keywords
def ingest(
    data: DataLike | str | Path | Sequence[str | Path],
    path: str | Path,
    *,
    format: DataFormat | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    drop: str | Sequence[str] = (),
    discretize: Method | Mapping[str, Method] | None = None,
    decimal: Decimal | None = None,
    missing: Missing = "error",
    na_values: str | Iterable[object] = (),
    weights: str | None = None,
    states: States | Mapping[str, Sequence[Label]] = "declared",
    max_states: int = MAX_STATES,
    merge_states: Mapping[str, Groups] | None = None,
    merge: Merge = "auto",
    block_rows: int = BLOCK_ROWS,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> BlockDataset:
    """The rows of a table of any size, written to a block file (``.cnb``) that `credenet.read` opens.

    Files are read in pieces, so that the table need not fit into memory. States are the same as if the table were read
    by `credenet.read`; the other parameters are explained there. An interrupted run leaves ``PATH.part`` and
    ``PATH.journal``; the same call continues after the last block that was written.

    Parameters
    ----------
    data
        A ``.csv``, ``.tsv`` or ``.parquet`` file, a ``.gz`` of text; a folder of such files, a pattern like
        ``"parts/*.parquet"`` or a list of files, all with the same columns; or a `Dataset`, a data frame or an array.
    path
        The block file to write.
    states
        As for `credenet.read`; or the states of variables, in their order. If the states of all variables are
        declared here, by the categories (Enum) of a parquet file or by cut points, labels need not be found first.
    merge
        Whether equal rows become one row with a count: ``"yes"``, ``"no"``, or ``"auto"`` for tables of at least
        2**20 rows of which an eighth or less is left. The counts are then the weights, and the order of rows is lost.
    block_rows
        The rows of a block, a multiple of 512.

    Examples
    --------
    >>> import credenet
    >>> data = ingest(credenet.datasets.asia(1000), "asia.cnb")
    >>> data
    <BlockDataset 1000 rows, 8 variables>
    >>> credenet.read("asia.cnb") == credenet.datasets.asia(1000)
    True
    """
    run = Run.from_limits(None, memory_limit, n_threads, on_progress)
    declared = check_states(states)
    options = CodingOptions.from_arguments(
        columns=columns,
        drop=drop,
        discretize=discretize,
        decimal=decimal,
        missing=missing,
        na_values=na_values,
        weights=weights,
        states=states if isinstance(states, str) or not declared else "declared",
        max_states=max_states,
        merge_states=merge_states,
    )
    target = _target(path)
    if problem := check_block_rows(whole_number("block_rows", block_rows, least=1)):
        raise ArgumentError(f"block_rows {problem}, got {block_rows}")
    job = _Ingest(target, options, declared, cast(Merge, choice("merge", merge, get_args(Merge))), block_rows, run)
    if format is not None:
        instance("format", format, str, f"one of {', '.join(get_args(DataFormat))}")
    if header is not None:
        flag("header", header)
    if not _are_files(data):
        job.write_dataset(_ingest_in_memory(data, options, declared))
    else:
        with _name_errors(data):
            job.write_files(_source(data, target, format, header, encoding, options, run))
    return open_blocks(target.target, n_threads)


def save_blocks(data: Dataset, path: str | Path) -> None:
    """Writes a dataset as a block file, in the order of its rows."""
    run = Run.from_limits(None, None, None, None)
    _Ingest(_target(path), CodingOptions(), {}, "no", BLOCK_ROWS, run).write_dataset(data)


def _target(path: str | Path) -> IngestPaths:
    check_writable(path)
    if suffix_of(path) != _SUFFIX or str(path).lower().endswith(".gz"):
        raise FormatError(f"a block file needs the suffix {_SUFFIX}", path=path)
    return IngestPaths(Path(os.path.realpath(path)))


def _are_files(data: Any) -> bool:
    return isinstance(data, str | PathLike) or (
        isinstance(data, list | tuple) and all(isinstance(each, str | PathLike) for each in data)
    )


def _ingest_in_memory(data: Any, options: CodingOptions, declared: StateLabels) -> Dataset:
    """A frame as a dataset; of a dataset, the columns that are asked for."""
    if declared:
        raise ArgumentError("states can be declared for files only; a frame has them in its categories")
    if isinstance(data, Dataset):
        chosen = choose_variables(data, options)
        if options.missing != "keep":
            chosen.check_complete("a block file without missing='keep' needs")
        return chosen
    if not hasattr(data, "columns") and not hasattr(data, "shape"):
        return as_dataset(data)  # This raises an error that says what data may be.
    return Dataset._of_frame(data, options)


@contextmanager
def _name_errors(data: Any) -> Iterator[None]:
    """Puts the name of the table before the message of a `DataError`, unless it names a file."""
    try:
        yield
    except _StoppedError:
        raise
    except FileDataError:
        raise
    except DataError as error:
        raise DataError.name_file(data if isinstance(data, str | PathLike) else "the files", error) from None


def _source(
    data: Any,
    target: IngestPaths,
    format: DataFormat | None,
    header: bool | None,
    encoding: str | None,
    options: CodingOptions,
    run: Run,
) -> RowSource:
    paths = find_paths(data)
    check_no_streams(paths)
    for path in paths:
        if any(is_same_file(path, each) for each in (target.target, target.part, target.journal)):
            raise ArgumentError(f"path must differ from the files that are read, got {show_value(str(path))}")
    kind = common_format(paths, format)
    if kind == "parquet":
        source = ParquetSource(paths, _BATCH_ROWS, run.n_threads)
        source.limit_batches(int(run.memory / 4 / (_BYTES_PER_CELL * len(source.names))))
        return source
    if kind not in ("csv", "tsv"):
        raise FormatError("cannot be ingested; read it with credenet.read, and pass the data", path=paths[0])
    text = TextOptions(kind, header, encoding, options.decimal, options.na_values)
    return TextSource(paths, text, min(_BATCH_BYTES, max(1 << 16, int(run.memory / 16))), run.n_threads)


class _MissingCellError(Exception):
    """Raised for a missing cell where none was expected."""


class _StoppedError(DataError):
    """The callback asked for an end."""


@dataclass(frozen=True, slots=True)
class _Ingest:
    """One ingest: its input, output and options."""

    paths: IngestPaths
    options: CodingOptions
    declared: StateLabels
    merge: Merge
    block_rows: int
    run: Run

    def write_dataset(self, data: Dataset) -> None:
        """Writes rows in memory, or of another block file."""
        has_missing = [name in data.missing for name in data.variables]
        weights: Any = "weights" if data._is_weighted else None
        layout = self._layout([len(labels) for labels in data.states.values()], has_missing, weights)
        head = {"dataset": data.digest()}
        self._warn_of_others(head)
        with self._or_nothing(), self._writer(data.states, layout, head, data.n_rows, resumable=False) as writer:
            for at, block in enumerate(data.row_blocks(self.block_rows)):
                codes = block.codes
                if any(has_missing):
                    codes = codes.copy(order="F")
                    for column, n_states in enumerate(data.n_states.tolist()):
                        codes[codes[:, column] == data.missing_code, column] = n_states
                writer.add(codes, block.weights, [at])
            writer.finish(data.cuts, data._notes)

    def write_files(self, source: RowSource) -> None:
        names, notes = self._names(source)
        declared = {**source.declared, **self.declared}
        unknown = sorted(set(self.declared) - set(names))
        if unknown:
            raise DataError(f"states names columns that do not exist: {', '.join(unknown)}")
        head = self._head(source)
        coding = self._earlier(head)
        if coding is None and (source.n_rows is not None or self.merge == "no"):
            coding = read_declared_coding(names, declared, notes, source, self.options)
        if coding is not None:
            try:
                self._write(coding, source, head)
                return
            except _MissingCellError:
                self.paths.remove()
        watch = self._watch("finding states", source.units)
        if self.options.weights is not None or any(find_known_states(name, {}, self.options) for name in names):
            # Weights have no labels, and labels of columns with cut points are not kept in memory.
            self._write(first_pass(source, names, declared, notes, self.options, watch), source, head)
            return
        with Spill(source, self.paths.target.parent, self.run.n_threads) as spill:
            coding = first_pass(source, names, declared, notes, self.options, watch, spill)
            self._write(coding, spill, head)

    def _names(self, source: RowSource) -> tuple[list[str], list[str]]:
        """The variables, and notes on columns that are left out."""
        stubs = [
            RawColumn(name, [], [], write=lambda codes, out: None, holds_row_names=name in source.row_names)
            for name in source.names
        ]
        kept = [column for column in stubs if not column.holds_row_names]
        if self.options.weights is not None:
            weights_column(kept, self.options.weights)
        return [column.name for column in take_columns(kept, self.options)], notes_on_row_names(stubs)

    def _head(self, source: RowSource) -> dict[str, Any]:
        """The facts that must be equal to continue an unfinished file, in the form that JSON gives back."""
        options = {one.name: getattr(self.options, one.name) for one in fields(self.options)}
        options["na_values"] = sorted(self.options.na_values)
        head = {
            "files": [fingerprint(path) for path in source.paths],
            "columns": list(source.names),
            "options": {name: repr(value) for name, value in options.items()},
            "states": self.declared,
            "merge": self.merge,
            "block_rows": self.block_rows,
        }
        found: dict[str, Any] = json.loads(json.dumps(head))
        return found

    def _earlier(self, head: dict[str, Any]) -> Coding | None:
        """The coding of an unfinished file with the same head."""
        unfinished = self.paths.read_unfinished()
        if unfinished is None or {**unfinished.head, "coding": None} != {**head, "coding": None}:
            self._warn_of_others(head)
            return None
        return Coding.from_json(unfinished.head["coding"], self.options)

    def _warn_of_others(self, head: dict[str, Any]) -> None:
        unfinished = self.paths.read_unfinished()
        if unfinished is not None and unfinished.head != head:
            warn_caller(f"{self.paths.part.name} was begun from other files or with other options; starting again")
        if unfinished is not None:
            self.paths.remove()

    def _write(self, coding: Coding, source: RowSource, head: dict[str, Any]) -> None:
        if (merger := self._merge_rows(coding, source)) is not None:
            self._write_merged(coding, merger)
            return
        n_states = [len(labels) for labels in coding.states.values()]
        layout = self._layout(n_states, coding.keeps_missing, None if self.options.weights is None else "weights")
        whole: dict[str, Any] = {**head, "coding": json.loads(json.dumps(coding.to_json()))}
        with self._or_nothing(resumable=True), self._writer(coding.states, layout, whole, coding.n_rows) as writer:
            watch = self._watch("writing blocks", source.units)
            skip = writer.resume.n_written
            for batch in self._batches(coding, source, writer.resume.place, watch):
                rows = slice(skip, None)
                writer.add(batch.codes[rows], None if batch.weights is None else batch.weights[rows], batch.place, skip)
                skip = 0
            notes = [*coding.notes]
            if coding.n_rows is not None and writer.n_rows < coding.n_rows:
                missing = {coder.name: coder.n_missing for coder in coding.coders}
                notes.append(note_on_dropped_rows(coding.n_rows, writer.n_rows, missing))
            writer.finish(coding.cuts, notes)

    def _merge_rows(self, coding: Coding, source: RowSource) -> RowMerger | None:
        """All rows merged, if that is asked for, or pays and fits into memory."""
        if self.merge == "no" or (self.merge == "auto" and self.options.weights is not None):
            return None
        if self.options.weights is not None:
            raise ArgumentError("merge='yes' cannot be combined with weights; pass merge='no'")
        n_rows = coding.n_rows
        assert n_rows is not None
        if self.merge == "auto" and n_rows < LEAST_ROWS:
            return None
        n_states = [len(labels) for labels in coding.states.values()]
        layout = self._layout(n_states, coding.keeps_missing, "counts")
        merger = RowMerger(layout.n_planes, self.run.memory / 2, n_rows / LEFT if self.merge == "auto" else n_rows)
        for batch in self._batches(coding, source, None, self._watch("merging rows", source.units)):
            is_hopeless = self.merge == "auto" and merger.is_empty and not promises_merging(batch.codes, layout, n_rows)
            if is_hopeless or not merger.add(batch.codes):
                if self.merge == "auto":
                    return None
                raise DataError(f"merging needs memory for more than {merger.most:,} different rows; pass merge='no'")
        return merger

    def _write_merged(self, coding: Coding, merger: RowMerger) -> None:
        n_states = [len(labels) for labels in coding.states.values()]
        layout = self._layout(n_states, coding.keeps_missing, "counts")
        notes = [*coding.notes]
        rows = merger.n_different
        head = {"merged": True}
        with self._or_nothing(), self._writer(coding.states, layout, head, rows, resumable=False) as writer:
            for at, (codes, counts) in enumerate(merger.blocks(self.block_rows)):
                writer.add(codes, counts, [at])
            if coding.n_rows is not None and writer.total < coding.n_rows:
                missing = {coder.name: coder.n_missing for coder in coding.coders}
                notes.append(note_on_dropped_rows(coding.n_rows, int(writer.total), missing))
            writer.finish(coding.cuts, notes)

    @contextmanager
    def _or_nothing(self, *, resumable: bool = False) -> Iterator[None]:
        """Removes the unfinished file after an error, but for one after which another run can go on with it."""
        try:
            yield
        except BaseException as error:
            would_come_again = isinstance(error, CredenetError) and not isinstance(error, _StoppedError | WriteError)
            if would_come_again or not resumable:
                self.paths.remove()
            raise

    def _batches(self, coding: Coding, source: RowSource, place: Any, watch: Watch) -> Iterator[CodedBatch]:
        for batch in code_batches(coding, source, place, watch):
            if batch.has_missing and self.options.missing == "error":
                raise _MissingCellError
            yield batch

    def _layout(self, n_states: Sequence[int], has_missing: Sequence[bool], weights: Any) -> BlockLayout:
        planes = tuple(plane_count(number, gaps) for number, gaps in zip(n_states, has_missing, strict=True))
        return BlockLayout(planes, weights, self.block_rows)

    def _writer(
        self, states: Any, layout: BlockLayout, head: dict[str, Any], n_rows: int | None, *, resumable: bool = True
    ) -> BlockWriter:
        n_threads = self.run.n_threads
        return BlockWriter(self.paths, states, layout, head, n_rows=n_rows, n_threads=n_threads, resumable=resumable)

    def _watch(self, phase: str, total: int) -> Watch:
        def watch(done: int) -> None:
            if self.run.on_progress is not None:
                answer = self.run.on_progress(Progress(min(done, total), total, phase=phase))
                if answer is False:
                    raise _StoppedError("ingesting was stopped; the same call continues it")

        return watch
