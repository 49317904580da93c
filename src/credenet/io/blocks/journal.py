"""The journal of a block file that is being written: its sources, and the complete blocks.

The first line has the sources, the options and the coding. Each further line has a block, and the position in the
sources at which to continue after it.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from credenet.io.blocks.format import FIRST_BLOCK, Block, BlockLayout, beginning

Place = list[int]
"""Where reading can go on: the number of a file, and a row or byte in it; only its source understands it."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The position at which to continue: after some rows of the batch that begins at a place; by default the start."""

    place: Place | None = None
    n_written: int = 0


@dataclass(slots=True)
class Unfinished:
    """A block file that was begun and not finished."""

    head: dict[str, Any]
    lines: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class IngestPaths:
    """The files of one ingest: the unfinished file and its journal lie beside the file that is to be."""

    target: Path
    part: Path = field(init=False)
    journal: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "part", self.target.with_name(f"{self.target.name}.part"))
        object.__setattr__(self, "journal", self.target.with_name(f"{self.target.name}.journal"))

    def read_unfinished(self) -> Unfinished | None:
        """The unfinished work of an earlier run; None without a readable journal. A truncated last line is ignored."""
        if not (self.part.is_file() and self.journal.is_file()):
            return None
        lines = []
        for line in self.journal.read_bytes().split(b"\n")[:-1]:
            try:
                lines.append(json.loads(line))
            except (ValueError, RecursionError):
                break
        return Unfinished(lines[0], lines[1:]) if lines and isinstance(lines[0], dict) else None

    def remove(self) -> None:
        for path in (self.part, self.journal):
            path.unlink(missing_ok=True)


def sound_blocks(paths: IngestPaths, lines: list[dict[str, Any]], layout: BlockLayout) -> list[Block]:
    """The full blocks of an unfinished file up to the first that is not as the journal says."""
    blocks: list[Block] = []
    size = layout.size(layout.block_rows)
    with paths.part.open("rb") as file:
        if file.read(FIRST_BLOCK) != beginning():
            return []
        for line in lines:
            block = _note_block(line)
            contents = file.read(size)
            at = FIRST_BLOCK + len(blocks) * size
            if block is None or block != Block(at, layout.block_rows, zlib.crc32(contents)):
                break
            blocks.append(block)
    return blocks


def _note_block(line: Any) -> Block | None:
    """The block of a line, if the line also has the position to continue."""
    try:
        goes_on = all(isinstance(number, int) for number in (*(line["place"] or ()), line["skip"]))
        return Block(int(line["offset"]), int(line["rows"]), int(line["crc32"])) if goes_on else None
    except (KeyError, TypeError, ValueError):
        return None


def map_block(paths: IngestPaths, block: Block, layout: BlockLayout) -> np.memmap[Any, np.dtype[np.uint8]]:
    return np.memmap(paths.part, np.uint8, mode="r", offset=block.offset, shape=(layout.size(block.n_rows),))
