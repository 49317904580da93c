"""Block files opened: every part is checked, and what is damaged is named."""

from __future__ import annotations

import json
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import file_path
from credenet._files.files import suffix_of
from credenet._run.progress import thread_count
from credenet._text import several
from credenet.data.bit_planes import plane_count
from credenet.data.block_dataset import BlockDataset
from credenet.data.block_file import BlockFile
from credenet.data.coding import MAX_STATES, MOST_STATES, CodingOptions, taken_columns
from credenet.data.dataset import Dataset
from credenet.data.raw_columns import RawColumn
from credenet.errors import ArgumentError, DataError, FormatError
from credenet.io.blocks.format import END, FIRST_BLOCK, FORMAT, MAGIC, TAIL, Layout


def open_blocks(path: str | Path, n_threads: int | None = None) -> BlockDataset:
    """The rows of a block file, after checks of its footer and of the checksum of every block."""
    return BlockDataset(_opened(file_path(path), thread_count(n_threads)))


def read_blocks(path: str | Path, options: CodingOptions, n_threads: int) -> Dataset:
    """The rows of a block file for `credenet.read`."""
    data = chosen_variables(open_blocks(path, n_threads), options)
    if options.missing != "keep" and data.missing:
        gaps = several([f"{name!r} ({number})" for name, number in data.missing.items()])
        raise DataError(
            f"{path}: cells are missing in {gaps}; pass missing='keep', "
            "or ingest the table with missing='drop' or missing='state'"
        )
    return data


def chosen_variables(data: Dataset, options: CodingOptions) -> Dataset:
    """The columns of data that are coded already; options that would code them otherwise are refused."""
    plain = replace(options, columns=None, drop=(), missing="error", max_states=MAX_STATES)
    for one in fields(plain):
        if getattr(plain, one.name) != getattr(CodingOptions(), one.name):
            raise ArgumentError(f"{one.name} cannot be given for data that are coded already, as in a block file")
    if options.columns is None and not options.drop:
        return data
    stubs = [RawColumn(name, [], [], write=lambda codes, out: None) for name in data.variables]
    return data.select([column.name for column in taken_columns(stubs, options)])


def reopened(path: Path, checksum: int, blocks: range | None = None) -> BlockFile:
    """The file that was open before, perhaps in another process; an error if it has changed.

    Of a part of the blocks, only these are checked.
    """
    return _opened(path, thread_count(None), blocks, checksum)


def is_block_file(path: str | Path) -> bool:
    """Whether a file begins as block files do, or is named as they are."""
    return suffix_of(path) == ".cnb" or _has_magic(file_path(path))


def _has_magic(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _opened(path: Path, n_threads: int, blocks: range | None = None, expected: int | None = None) -> BlockFile:
    size = path.stat().st_size
    if not _has_magic(path):
        raise FormatError("is not a block file", path=path)
    if size < FIRST_BLOCK + TAIL.size:
        raise FormatError("is cut off: it ends before its first block", path=path)
    mapped = np.memmap(path, dtype=np.uint8, mode="r")
    try:
        footer, checksum, end = _footer(mapped)
        file, crcs = _block_file(path, mapped, footer, checksum, end)
    except _DamagedError as error:
        raise FormatError(f"is damaged or cut off: {error}", path=path) from None
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise FormatError("is damaged: its footer is not in order", path=path) from None
    if expected is not None and checksum != expected:
        raise FormatError("has changed since it was opened", path=path)
    _check_blocks(file, crcs, end, n_threads, range(len(crcs)) if blocks is None else blocks)
    return file


class _DamagedError(Exception):
    """A file that contradicts itself; the text says how."""


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise _DamagedError(message)


def _footer(mapped: NDArray[np.uint8]) -> tuple[dict[str, Any], int, int]:
    """The footer, its crc32, and where it begins."""
    offset, length, checksum, zero, end = TAIL.unpack(mapped[-TAIL.size :].tobytes())
    _need(end == END and zero == 0, "it does not end as a block file does")
    _need(offset >= FIRST_BLOCK and offset + length + TAIL.size == len(mapped), "its footer does not fit into it")
    text = mapped[offset : offset + length].tobytes()
    _need(zlib.crc32(text) == checksum, "the checksum of its footer is wrong")
    _need(not mapped[len(MAGIC) : FIRST_BLOCK].any(), "its first bytes are wrong")
    footer = json.loads(text)
    _need(isinstance(footer, dict), "its footer is not in order")
    if footer.get("format") != FORMAT:
        raise _DamagedError(f"its format is {footer.get('format')}, and this version reads format {FORMAT}")
    return footer, checksum, offset


def _block_file(
    path: Path, mapped: NDArray[np.uint8], footer: dict[str, Any], checksum: int, end: int
) -> tuple[BlockFile, list[int]]:
    variables, blocks = footer["variables"], footer["blocks"]
    offsets, rows = (np.array(blocks[key], dtype=np.int64) for key in ("offset", "rows"))
    n_missing = tuple(int(variable["n_missing"]) for variable in variables)
    states = {str(variable["name"]): tuple(map(str, variable["states"])) for variable in variables}
    counts = tuple(tuple(map(int, variable["counts"])) for variable in variables)
    n_planes = np.array([variable["n_planes"] for variable in variables], dtype=np.int64)
    file = BlockFile(
        path=Path(os.path.realpath(path)),
        mapped=mapped,
        states=MappingProxyType(states),
        n_planes=n_planes,
        counts=counts,
        n_missing=n_missing,
        n_rows=int(footer["n_rows"]),
        total=float(footer["total"]),
        block_rows=int(footer["block_rows"]),
        weights=footer["weights"],
        cuts=MappingProxyType({name: tuple(map(float, cuts)) for name, cuts in footer["cuts"].items()}),
        notes=tuple(map(str, footer["notes"])),
        offsets=offsets,
        sizes=rows,
        checksum=checksum,
    )
    _check_structure(file, len(variables), end)
    crcs = [int(crc) for crc in blocks["crc32"]]
    _need(len(crcs) == len(rows), "its footer is not in order")
    return file, crcs


def _check_structure(file: BlockFile, n_variables: int, end: int) -> None:
    """Checks that the blocks lie in the file one after another, and that all numbers fit."""
    bad = "its footer is not in order"
    _need(len(file.states) == n_variables > 0 and len(file.sizes) == len(file.offsets) > 0, bad)
    _need(file.weights in (None, "counts", "weights") and file.block_rows > 0, bad)
    for labels, numbers, missing, planes in zip(
        file.states.values(), file.counts, file.n_missing, file.n_planes.tolist(), strict=True
    ):
        _need(0 < len(labels) == len(numbers) < MOST_STATES and len(set(labels)) == len(labels), bad)
        _need(min(numbers) >= 0 and missing >= 0 and sum(numbers) + missing == file.n_rows, bad)
        _need(planes == plane_count(len(labels), missing > 0), bad)
    layout = Layout(tuple(file.n_planes.tolist()), file.weights, file.block_rows)
    at = FIRST_BLOCK
    for block, (offset, n_rows) in enumerate(zip(file.offsets.tolist(), file.sizes.tolist(), strict=True)):
        is_last = block == len(file.sizes) - 1
        _need(0 < n_rows <= file.block_rows and (is_last or n_rows == file.block_rows), bad)
        _need(offset == at, bad)
        at += layout.size(n_rows)
    _need(at == end and int(file.sizes.sum()) == file.n_rows, bad)


def _check_blocks(file: BlockFile, crcs: list[int], end: int, n_threads: int, blocks: range) -> None:
    ends = [*file.offsets[1:].tolist(), end]

    def is_sound(block: int) -> bool:
        return zlib.crc32(file.mapped[int(file.offsets[block]) : ends[block]].data) == crcs[block]

    with ThreadPoolExecutor(n_threads) as workers:
        sound = list(workers.map(is_sound, blocks))
    if not all(sound):
        block = blocks[sound.index(False)]
        first = block * file.block_rows
        rows = f"rows {first + 1:,} to {first + int(file.sizes[block]):,}"
        raise FormatError(
            f"is damaged: the checksum of block {block + 1} of {len(crcs)} is wrong ({rows})", path=file.path
        )
