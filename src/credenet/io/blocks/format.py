"""The parts of a block file: magic bytes, blocks, footer and tail; ``docs/guide/large_data.md`` describes them.

Everything is little-endian, and every block begins at a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.data.blocks.bit_planes import LINE_BYTES, LINE_ROWS, pack, plane_bytes
from credenet.data.blocks.block_file import RowWeights
from credenet.data.states import Label

MAGIC = b"CREDENB1"
END = b"CREDENBE"
FORMAT = 1
TAIL = struct.Struct("<QQII8s")  # Offset, length and crc32 of the footer, then 0 and END.
FIRST_BLOCK = LINE_BYTES
MOST_COUNT = (1 << 32) - 1  # Equal rows that one stored row can stand for.
_ROW_BYTES: dict[RowWeights | None, int] = {None: 0, "counts": 4, "weights": 8}


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """The layout that all blocks of a file share: the planes of each variable, and the numbers after them."""

    n_planes: tuple[int, ...]
    weights: RowWeights | None
    block_rows: int

    def size(self, n_rows: int) -> int:
        """The bytes of a block of ``n_rows`` rows, with zeros up to a multiple of 64."""
        tail = -(-n_rows * _ROW_BYTES[self.weights] // LINE_BYTES) * LINE_BYTES
        return sum(self.n_planes) * plane_bytes(n_rows) + tail

    def pack(self, codes: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[np.uint8]:
        """A block of rows; a missing cell has the number of states as its code."""
        n_rows = len(codes)
        block = np.zeros(self.size(n_rows), dtype=np.uint8)
        size, at = plane_bytes(n_rows), 0
        for column, n_planes in enumerate(self.n_planes):
            pack(codes[:, column], block[at : at + n_planes * size].reshape(n_planes, size))
            at += n_planes * size
        if weights is not None:
            numbers = np.ascontiguousarray(weights, dtype="<u4" if self.weights == "counts" else "<f8")
            block[at : at + numbers.nbytes] = numbers.view(np.uint8)
        return block


@dataclass(frozen=True, slots=True)
class Block:
    """The place of a block in the file, its rows, and the crc32 of its bytes."""

    offset: int
    n_rows: int
    crc32: int


def beginning() -> bytes:
    return MAGIC.ljust(FIRST_BLOCK, b"\0")


def ending(
    states: Mapping[str, Sequence[Label]],
    layout: BlockLayout,
    counts: Sequence[NDArray[np.int64]],
    blocks: Sequence[Block],
    *,
    total: float,
    cuts: Mapping[str, Sequence[float]],
    notes: Sequence[str],
) -> bytes:
    """The footer and the tail; ``counts`` has the number of rows of each state and then of missing cells."""
    end = blocks[-1].offset + layout.size(blocks[-1].n_rows)
    footer = json.dumps(
        {
            "format": FORMAT,
            "variables": [
                {
                    "name": name,
                    "states": list(labels),
                    "n_planes": n_planes,
                    "n_missing": int(numbers[-1]),
                    "counts": numbers[:-1].tolist(),
                }
                for (name, labels), n_planes, numbers in zip(states.items(), layout.n_planes, counts, strict=True)
            ],
            "n_rows": sum(block.n_rows for block in blocks),
            "total": int(total) if float(total).is_integer() else total,
            "block_rows": layout.block_rows,
            "weights": layout.weights,
            "cuts": {name: list(points) for name, points in cuts.items()},
            "notes": list(notes),
            "blocks": {
                "offset": [block.offset for block in blocks],
                "rows": [block.n_rows for block in blocks],
                "crc32": [block.crc32 for block in blocks],
            },
        },
        ensure_ascii=False,
    ).encode()
    return footer + TAIL.pack(end, len(footer), zlib.crc32(footer), 0, END)


def check_block_rows(block_rows: int) -> str:
    """The fault of a number of rows for a block; empty if it is valid."""
    return "" if block_rows >= 1 and block_rows % LINE_ROWS == 0 else f"must be a multiple of {LINE_ROWS}"
