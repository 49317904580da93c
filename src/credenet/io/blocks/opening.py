"""Opening of block files: every part is checked, and errors name the damaged part."""

from __future__ import annotations

import itertools
import json
import math
import os
import zlib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import file_path
from credenet._files.files import suffix_of
from credenet._run.progress import thread_count
from credenet._run.workers import map_in_threads
from credenet._text import several
from credenet.data.blocks.bit_planes import plane_count
from credenet.data.blocks.block_dataset import BlockDataset
from credenet.data.blocks.block_file import BlockFile, RowWeights
from credenet.data.coding import MAX_STATES, CodingOptions, take_columns
from credenet.data.column_errors import MOST_STATES
from credenet.data.dataset import Dataset
from credenet.data.raw_columns import RawColumn
from credenet.data.states import Label, are_labels
from credenet.errors import ArgumentError, DataError, FormatError
from credenet.io.blocks.format import END, FIRST_BLOCK, FORMAT, MAGIC, TAIL, BlockLayout, check_block_rows

_BAD_FOOTER = "its footer is not in order"


def open_blocks(path: str | Path, n_threads: int | None = None) -> BlockDataset:
    """The rows of a block file, after checks of its footer, and of the checksum and the codes of every block."""
    return BlockDataset(_open(file_path(path), thread_count(n_threads)))


def read_blocks(path: str | Path, options: CodingOptions, n_threads: int) -> Dataset:
    """The rows of a block file for `credenet.read`."""
    data = choose_variables(open_blocks(path, n_threads), options)
    if options.missing != "keep" and data.missing:
        gaps = several([f"{name!r} ({number})" for name, number in data.missing.items()])
        raise DataError(
            f"{path}: cells are missing in {gaps}; pass missing='keep', or ingest the table with missing='drop'"
        )
    return data


def choose_variables(data: Dataset, options: CodingOptions) -> Dataset:
    """The columns of data that are coded already; options that would code them otherwise are refused."""
    plain = replace(options, columns=None, drop=(), missing="error", max_states=MAX_STATES)
    for one in fields(plain):
        if getattr(plain, one.name) != getattr(CodingOptions(), one.name):
            name = "states" if one.name == "known" else one.name
            raise ArgumentError(f"{name} cannot be given for data that are coded already, as in a block file")
    if options.columns is None and not options.drop:
        return data
    stubs = [RawColumn(name, [], [], write=lambda codes, out: None) for name in data.variables]
    return data.select([column.name for column in take_columns(stubs, options)])


def reopen(path: Path, checksum: int, blocks: range | None = None) -> BlockFile:
    """The file that was open before, perhaps in another process; an error if it has changed.

    Of a part of the blocks, only these are checked.
    """
    return _open(path, thread_count(None), blocks, checksum)


def is_block_file(path: str | Path) -> bool:
    """Whether a file begins as block files do, or is named as they are."""
    return suffix_of(path) == ".cnb" or _has_magic(file_path(path))


def _has_magic(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _open(path: Path, n_threads: int, blocks: range | None = None, expected: int | None = None) -> BlockFile:
    size = path.stat().st_size
    if not _has_magic(path):
        raise FormatError("is not a block file", path=path)
    if size < FIRST_BLOCK + TAIL.size:
        raise FormatError("is cut off: it ends before its first block", path=path)
    mapped, guard = _map_file(path)
    try:
        footer, checksum, end = _footer(mapped)
        file, crcs = _block_file(path, (mapped, guard), footer, checksum, end)
    except _DamagedBlocksError as error:
        guard.check()
        raise FormatError(f"is damaged or cut off: {error}", path=path) from None
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise FormatError(f"is damaged: {_BAD_FOOTER}", path=path) from None
    if expected is not None and checksum != expected:
        raise FormatError("has changed since it was opened", path=path)
    _check_blocks(file, crcs, end, n_threads, range(len(crcs)) if blocks is None else blocks)
    return file


def _map_file(path: Path) -> tuple[NDArray[np.uint8], _core.MapGuard]:
    with path.open("rb") as file:
        mapped = np.memmap(file, dtype=np.uint8, mode="r")
        return mapped, _core.MapGuard(mapped, file.fileno(), str(path))


class _DamagedBlocksError(Exception):
    """A file that contradicts itself; the text says how."""


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise _DamagedBlocksError(message)


def _footer(mapped: NDArray[np.uint8]) -> tuple[dict[str, Any], int, int]:
    """The footer, its crc32 and its position."""
    offset, length, checksum, zero, end = TAIL.unpack(mapped[-TAIL.size :].tobytes())
    _need(end == END and zero == 0, "it does not end as a block file does")
    _need(offset >= FIRST_BLOCK and offset + length + TAIL.size == len(mapped), "its footer does not fit into it")
    text = mapped[offset : offset + length].tobytes()
    _need(zlib.crc32(text) == checksum, "the checksum of its footer is wrong")
    _need(not mapped[len(MAGIC) : FIRST_BLOCK].any(), "its first bytes are wrong")
    footer = json.loads(text)
    _need(isinstance(footer, dict), _BAD_FOOTER)
    if footer.get("format") != FORMAT:
        raise _DamagedBlocksError(f"its format is {footer.get('format')}, and this version reads format {FORMAT}")
    return footer, checksum, offset


def _block_file(
    path: Path, contents: tuple[NDArray[np.uint8], _core.MapGuard], footer: dict[str, Any], checksum: int, end: int
) -> tuple[BlockFile, list[int]]:
    variables, blocks = footer["variables"], footer["blocks"]
    offsets, rows = (np.array(_whole_numbers(blocks[key]), dtype=np.int64) for key in ("offset", "rows"))
    file = BlockFile(
        path=Path(os.path.realpath(path)),
        mapped=contents[0],
        _guard=contents[1],
        states=MappingProxyType({_text(each["name"]): _labels(each["states"]) for each in variables}),
        n_planes=np.array(_whole_numbers([each["n_planes"] for each in variables]), dtype=np.int64),
        counts=tuple(tuple(_whole_numbers(each["counts"])) for each in variables),
        n_missing=tuple(_whole_numbers([each["n_missing"] for each in variables])),
        n_rows=_whole_number(footer["n_rows"]),
        total=float(footer["total"]),
        block_rows=_whole_number(footer["block_rows"]),
        weights=footer["weights"],
        cuts=MappingProxyType({name: tuple(map(float, cuts)) for name, cuts in footer["cuts"].items()}),
        notes=tuple(map(_text, footer["notes"])),
        offsets=offsets,
        sizes=rows,
        checksum=checksum,
    )
    _check_structure(file, len(variables), end)
    crcs = _whole_numbers(blocks["crc32"])
    _need(len(crcs) == len(rows), _BAD_FOOTER)
    return file, crcs


def _labels(values: object) -> tuple[Label, ...]:
    _need(isinstance(values, list) and are_labels(values), _BAD_FOOTER)
    return tuple(cast(list[Label], values))


def _text(value: object) -> str:
    _need(isinstance(value, str), _BAD_FOOTER)
    return str(value)


def _whole_number(value: object) -> int:
    if not isinstance(value, int):
        raise _DamagedBlocksError(_BAD_FOOTER)
    return value


def _whole_numbers(values: object) -> list[int]:
    if not isinstance(values, list):
        raise _DamagedBlocksError(_BAD_FOOTER)
    return [_whole_number(value) for value in values]


def _check_structure(file: BlockFile, n_variables: int, end: int) -> None:
    """Checks that the blocks lie in the file one after another, and that all numbers fit."""
    _need(len(file.states) == n_variables > 0 and len(file.sizes) == len(file.offsets) > 0, _BAD_FOOTER)
    _need(file.weights in (None, "counts", "weights") and not check_block_rows(file.block_rows), _BAD_FOOTER)
    _need(math.isfinite(file.total) and file.total > 0, _BAD_FOOTER)
    for labels, numbers, missing, planes in zip(
        file.states.values(), file.counts, file.n_missing, file.n_planes.tolist(), strict=True
    ):
        _need(0 < len(labels) == len(numbers) < MOST_STATES and len(set(labels)) == len(labels), _BAD_FOOTER)
        _need(min(numbers) >= 0 and missing >= 0 and sum(numbers) + missing == file.n_rows, _BAD_FOOTER)
        _need(planes == plane_count(len(labels), missing > 0), _BAD_FOOTER)
    for name, cuts in file.cuts.items():
        increases = all(low < high for low, high in itertools.pairwise(cuts))
        _need(name in file.states and increases and all(map(math.isfinite, cuts)), _BAD_FOOTER)
    layout = BlockLayout(tuple(file.n_planes.tolist()), file.weights, file.block_rows)
    at = FIRST_BLOCK
    for block, (offset, n_rows) in enumerate(zip(file.offsets.tolist(), file.sizes.tolist(), strict=True)):
        is_last = block == len(file.sizes) - 1
        _need(0 < n_rows <= file.block_rows and (is_last or n_rows == file.block_rows), _BAD_FOOTER)
        _need(offset == at, _BAD_FOOTER)
        at += layout.size(n_rows)
    _need(at == end and int(file.sizes.sum()) == file.n_rows, _BAD_FOOTER)


@dataclass(frozen=True, slots=True)
class _BlockContents:
    """The summary of a block: how often each code of each variable occurs, and the sum of its weights."""

    counts: NDArray[np.uint64]
    total: float


def _check_blocks(file: BlockFile, crcs: list[int], end: int, n_threads: int, blocks: range) -> None:
    """Checks the bytes of some blocks, and that they hold what the footer says.

    The core counts without a look at each code. So no code may occur that the footer does not know of.
    """
    ends = [*file.offsets[1:].tolist(), end]

    def contents_of(block: int) -> _BlockContents | None:
        begin = int(file.offsets[block])
        if zlib.crc32(file.mapped[begin : ends[block]].data) != crcs[block]:
            return None
        n_rows = int(file.sizes[block])
        counts = _core.code_counts(file.mapped, begin, n_rows, file.n_planes)
        weights = file.block_weights(block)
        return _BlockContents(counts, _total(weights, file.weights) if weights is not None else n_rows)

    stated = _read_counts(file)
    counts, totals = np.zeros_like(stated), []
    for block, contents in zip(blocks, map_in_threads(n_threads, contents_of, blocks), strict=True):
        file._guard.check()
        if contents is None:
            raise _explain_damage(file, block, "the checksum of block {} is wrong")
        if (contents.counts > stated).any() or math.isnan(contents.total):
            raise _explain_damage(file, block, "block {} does not hold what its footer says")
        counts += contents.counts
        totals.append(contents.total)
    if len(totals) == len(crcs):
        # The sum of floating-point weights depends on their order.
        tolerance = 1e-9 if file.weights == "weights" else 0.0
        is_total = math.isclose(math.fsum(totals), file.total, rel_tol=tolerance)
        if not is_total or (counts != stated).any():
            raise FormatError("is damaged: its blocks do not hold what its footer says", path=file.path)


def _total(weights: NDArray[np.float64], kind: RowWeights | None) -> float:
    """The sum of the weights of a block; not a number if one of them cannot be a weight."""
    least = 1 if kind == "counts" else 0
    return float(weights.sum()) if np.isfinite(weights).all() and (weights >= least).all() else math.nan


def _read_counts(file: BlockFile) -> NDArray[np.uint64]:
    """The counts of codes that the footer states, with zeros for unused codes."""
    found = []
    for numbers, missing, planes in zip(file.counts, file.n_missing, file.n_planes.tolist(), strict=True):
        stated = [*numbers, missing] if missing else list(numbers)
        found.append(np.array(stated + [0] * ((1 << planes) - len(stated)), dtype=np.uint64))
    return np.concatenate(found)


def _explain_damage(file: BlockFile, block: int, message: str) -> FormatError:
    first = block * file.block_rows
    rows = f"rows {first + 1:,} to {first + int(file.sizes[block]):,}"
    named = message.format(f"{block + 1} of {len(file.sizes)}")
    return FormatError(f"is damaged: {named} ({rows})", path=file.path)
