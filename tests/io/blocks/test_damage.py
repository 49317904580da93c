"""A block file that is damaged or cut off is an error that names the file and the block."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from credenet.errors import FormatError
from credenet.io.blocks.format import TAIL

BLOCK = 10 * 64 + 4 * 512  # Bytes of a full block of asia, which has 8 variables of one bit, and of its weights.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    data = credenet.datasets.asia(1300, seed=2)
    path = tmp_path / "a.cnb"
    credenet.ingest(data, path, block_rows=512)
    return path


def flipped(path: Path, at: int) -> None:
    contents = bytearray(path.read_bytes())
    contents[at] ^= 16
    path.write_bytes(contents)


def footer_of(path: Path) -> tuple[dict[str, Any], int]:
    contents = path.read_bytes()
    offset, length, *_ = TAIL.unpack(contents[-TAIL.size :])
    return json.loads(contents[offset : offset + length]), offset


def test_layout(path: Path) -> None:
    """The bytes are those that the format describes, read here without the library."""
    contents = path.read_bytes()
    footer, offset = footer_of(path)
    data = credenet.datasets.asia(1300, seed=2)
    assert contents[:64] == b"CREDENB1".ljust(64, b"\0")
    assert contents[-8:] == b"CREDENBE"
    assert footer["blocks"]["offset"] == [64, 64 + 8 * 64, 64 + 16 * 64]
    assert footer["blocks"]["rows"] == [512, 512, 276]
    assert offset == 64 + 24 * 64
    for at, variable in enumerate(footer["variables"]):
        assert variable["name"] == data.variables[at]
        assert variable["states"] == list(data.states[data.variables[at]])
        assert variable["n_planes"] == 1
        for block, (begin, n_rows) in enumerate(zip(footer["blocks"]["offset"], footer["blocks"]["rows"], strict=True)):
            plane = contents[begin + 64 * at : begin + 64 * (at + 1)]
            bits = [plane[row // 8] >> (row % 8) & 1 for row in range(512)]
            assert bits[:n_rows] == data.codes[512 * block : 512 * block + n_rows, at].tolist()
            assert not any(bits[n_rows:])
            assert zlib.crc32(contents[begin : begin + 8 * 64]) == footer["blocks"]["crc32"][block]


def test_planes_of_missing_cells_and_many_states(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    columns = [generator.integers(low, high, 700) for low, high in ((0, 1), (-1, 1), (0, 5), (-1, 300), (-1, 4))]
    states = {name: list(map(str, range(n))) for name, n in zip("abcde", (1, 1, 5, 300, 4), strict=True)}
    data = credenet.Dataset(states, np.stack(columns, axis=1), weights=generator.random(700))
    data.save(tmp_path / "d.cnb")
    footer, _ = footer_of(tmp_path / "d.cnb")
    assert [variable["n_planes"] for variable in footer["variables"]] == [0, 1, 3, 9, 3]
    assert footer["weights"] == "weights"
    assert credenet.read(tmp_path / "d.cnb", missing="keep") == data


@pytest.mark.parametrize("block", [0, 1, 2])
def test_a_flipped_bit_in_a_block(path: Path, block: int) -> None:
    flipped(path, 64 + block * 512 + 100)
    first, last = 512 * block + 1, min(512 * (block + 1), 1300)
    with pytest.raises(
        FormatError,
        match=rf"a\.cnb: is damaged: the checksum of block {block + 1} of 3 is wrong \(rows {first:,} to {last:,}\)",
    ):
        credenet.read(path)


def test_a_flipped_bit_anywhere(path: Path) -> None:
    contents = path.read_bytes()
    for at in range(0, len(contents), 37):
        flipped(path, at)
        with pytest.raises(FormatError):
            credenet.read(path, format="cnb")
        path.write_bytes(contents)
    for at in range(len(contents) - TAIL.size, len(contents)):
        flipped(path, at)
        with pytest.raises(FormatError):
            credenet.read(path)
        path.write_bytes(contents)


def test_cut_off(path: Path) -> None:
    contents = path.read_bytes()
    for size in (*range(8, len(contents), 61), len(contents) - 1):
        path.write_bytes(contents[:size])
        with pytest.raises(FormatError, match=r"a\.cnb: is (damaged or )?cut off"):
            credenet.read(path)
    path.write_bytes(contents + b"\0")
    with pytest.raises(FormatError, match="does not end as a block file does"):
        credenet.read(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_rows", 1299),
        ("block_rows", 1024),
        ("weights", "counts"),
        ("weights", "x"),
        ("variables", []),
        ("blocks", {"offset": [64, 576, 64], "rows": [512, 512, 276], "crc32": [1, 2, 3]}),
        ("blocks", {"offset": [64], "rows": [512, 512, 276], "crc32": [1, 2, 3]}),
        ("blocks", None),
        ("format", 2),
        ("total", "many"),
        ("cuts", 3),
    ],
)
def test_a_footer_that_contradicts_the_file(path: Path, key: str, value: Any) -> None:
    """Such a footer has the right checksum, but would lead out of the file."""
    footer, offset = footer_of(path)
    text = json.dumps({**footer, key: value}).encode()
    contents = path.read_bytes()[:offset] + text + TAIL.pack(offset, len(text), zlib.crc32(text), 0, b"CREDENBE")
    path.write_bytes(contents)
    with pytest.raises(FormatError, match=r"a\.cnb: is damaged|this version reads format 1"):
        credenet.read(path)


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "x.cnb"
    for contents in (b"", b"a,b\n1,2\n", b"CREDENB2" + b"\0" * 200):
        path.write_bytes(contents)
        with pytest.raises(FormatError, match=r"x\.cnb: is not a block file"):
            credenet.read(path)
    with pytest.raises(FileNotFoundError):
        credenet.read(tmp_path / "nothing.cnb")
