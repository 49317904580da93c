"""A block file with right checksums and any contents gives the rows that it holds, or an error that names it."""

from __future__ import annotations

import json
import math
import os
import random
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import CredenetError
from credenet.data.blocks.block_dataset import BlockDataset
from credenet.errors import DataError, FormatError
from credenet.io.blocks.format import END, FIRST_BLOCK, TAIL

Footer = dict[str, Any]


def written(folder: Path, weights: str | None = None, n_rows: int = 1100) -> Path:
    """Variables of one state and of many, states that do not occur, missing cells, all in three blocks."""
    generator = np.random.default_rng(7)
    ranges = ((0, 2), (0, 3), (-1, 3), (0, 1), (0, 5), (0, 300))
    sizes = (2, 4, 3, 1, 5, 300)  # The last state of the second variable does not occur.
    codes = np.stack([generator.integers(low, high, n_rows) for low, high in ranges], axis=1)
    codes[codes[:, 4] == 2, 4] = 3
    states = {name: [f"s{at}" for at in range(size)] for name, size in zip("abcdef", sizes, strict=True)}
    given = None
    if weights == "weights":
        given = generator.random(n_rows)
    path = folder / "a.cnb"
    data = credenet.Dataset(states, codes, weights=given)
    credenet.ingest(data, path, block_rows=512, merge="yes" if weights == "counts" else "no", missing="keep")
    return path


def parts_of(path: Path) -> tuple[bytes, Footer]:
    """The blocks of a file and its footer."""
    contents = path.read_bytes()
    offset, length, *_ = TAIL.unpack(contents[-TAIL.size :])
    return contents[:offset], json.loads(contents[offset : offset + length])


def put_together(path: Path, blocks: bytes, footer: Footer | bytes) -> None:
    """Writes a file with right checksums."""
    if isinstance(footer, dict):
        places = footer.get("blocks")
        if isinstance(places, dict) and all(isinstance(places.get(key), list) for key in ("offset", "crc32")):
            begins = [at for at in places["offset"] if isinstance(at, int) and at >= 0]
            ends = [*begins[1:], len(blocks)]
            places["crc32"] = [zlib.crc32(blocks[begin:end]) for begin, end in zip(begins, ends, strict=True)]
        footer = json.dumps(footer).encode()
    tail = TAIL.pack(len(blocks), len(footer), zlib.crc32(footer), 0, END)
    path.write_bytes(blocks + footer + tail)


def plain_rows(blocks: bytes, footer: Footer) -> tuple[list[list[int]], list[float]]:
    """The codes and weights of a file in order, bit by bit."""
    rows, weights = [], []
    kind = footer["weights"]
    for begin, n_rows in zip(footer["blocks"]["offset"], footer["blocks"]["rows"], strict=True):
        size, at, columns = -(-n_rows // 512) * 64, begin, []
        for variable in footer["variables"]:
            codes = [0] * n_rows
            for bit in range(variable["n_planes"]):
                plane = blocks[at : at + size]
                codes = [code | (plane[row // 8] >> (row % 8) & 1) << bit for row, code in enumerate(codes)]
                at += size
            columns.append(codes)
        rows += [list(row) for row in zip(*columns, strict=True)]
        if kind is not None:
            dtype = "<u4" if kind == "counts" else "<f8"
            weights += np.frombuffer(blocks[at : at + n_rows * int(dtype[2])], dtype=dtype).tolist()
    return rows, weights


def tree_score(data: credenet.Dataset) -> float | None:
    """The score of the best tree; 0 where names do not make a network."""
    return credenet.learn(data, method="chow_liu", score="bic").score if all(data.variables) else 0.0


def check_answers(path: Path) -> bool:
    """Reads a file, and compares everything with its plain rows; whether it could be read."""
    try:
        data = credenet.read(path, missing="keep")
    except (FormatError, DataError) as error:
        if "a.cnb" not in str(error):
            raise
        return False
    assert isinstance(data, BlockDataset)
    rows, weights = plain_rows(*parts_of(path))
    sizes = [len(labels) for labels in data.states.values()]
    expected = [[-1 if code == size else code for code, size in zip(row, sizes, strict=True)] for row in rows]
    assert all(code < size for row in expected for code, size in zip(row, sizes, strict=True))
    codes = np.asarray(data.codes).astype(np.int64)
    codes[codes == data.missing_code] = -1
    assert codes.tolist() == expected
    assert (np.asarray(data.weights).tolist() if data.weights is not None else []) == weights
    assert math.isclose(math.fsum(weights or [1.0] * len(rows)), data.total_weight, rel_tol=1e-9)
    data.info()
    whole = data.select([name for name in data.variables if name not in data.missing])
    plain = credenet.Dataset(whole.states, np.asarray(whole.codes), weights=whole.weights)
    # The core counts these rows as it counts rows in memory.
    assert tree_score(whole) == pytest.approx(tree_score(plain))
    return True


@pytest.mark.parametrize("weights", [None, "counts", "weights"])
def test_codes_that_the_footer_does_not_know(tmp_path: Path, weights: str | None) -> None:
    """All bits set are codes beyond the states; the core would count outside of its tables."""
    path = written(tmp_path, weights)
    blocks, footer = parts_of(path)
    assert check_answers(path)
    n_planes = sum(variable["n_planes"] for variable in footer["variables"])
    for begin in footer["blocks"]["offset"]:
        for plane in range(n_planes):
            changed = bytearray(blocks)
            changed[begin + 64 * plane : begin + 64 * plane + 8] = b"\xff" * 8
            put_together(path, bytes(changed), footer)
            with pytest.raises(FormatError, match=r"a\.cnb: is damaged: .* not hold what its footer says"):
                credenet.read(path, missing="keep")


@pytest.mark.parametrize("weights", [None, "counts", "weights"])
def test_any_bytes_of_the_blocks(tmp_path: Path, weights: str | None) -> None:
    path = written(tmp_path, weights)
    blocks, footer = parts_of(path)
    draws = random.Random(3)
    n_read = 0
    for _ in range(40):
        changed = bytearray(blocks)
        for _ in range(draws.choice((1, 1, 2, 5))):
            changed[draws.randrange(FIRST_BLOCK, len(blocks))] = draws.randrange(256)
        put_together(path, bytes(changed), footer)
        n_read += check_answers(path)
    assert n_read < 40


def test_rows_that_change_places_are_other_rows(tmp_path: Path) -> None:
    """The counts of the footer stay right, so that the file is sound."""
    path = written(tmp_path)
    blocks, footer = parts_of(path)
    changed = bytearray(blocks)
    changed[64:66] = blocks[65:66] + blocks[64:65]
    put_together(path, bytes(changed), footer)
    assert changed != blocks
    assert check_answers(path)


def test_bits_beyond_the_last_row_do_not_matter(tmp_path: Path) -> None:
    path = written(tmp_path)
    blocks, footer = parts_of(path)
    last, n_rows = footer["blocks"]["offset"][-1], footer["blocks"]["rows"][-1]
    changed = bytearray(blocks)
    for plane in range(sum(variable["n_planes"] for variable in footer["variables"])):
        begin = last + 64 * plane + -(-n_rows // 8)
        end = last + 64 * (plane + 1)
        changed[begin:end] = b"\xff" * (end - begin)
    put_together(path, bytes(changed), footer)
    assert check_answers(path)


VALUES: tuple[Any, ...] = (0, -1, 1, 2**31, 2**63, 2**70, 0.5, math.nan, math.inf, None, True, "x", "", [], {}, [1])


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where each value within a footer is."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places_in(inner, (*path, key))
    return found


@pytest.mark.parametrize("weights", [None, "counts", "weights"])
def test_any_value_in_the_footer(tmp_path: Path, weights: str | None) -> None:
    path = written(tmp_path, weights, n_rows=600)
    blocks, footer = parts_of(path)
    draws = random.Random(11)
    n_read = 0
    for place in draws.sample(places_in(footer), 60):
        changed = json.loads(json.dumps(footer))
        holder = changed
        for key in place[:-1]:
            holder = holder[key]
        was = holder[place[-1]]
        near = [was - 1, was + 1] if isinstance(was, int) else []
        holder[place[-1]] = draws.choice((*VALUES, *near))
        put_together(path, blocks, changed)
        n_read += check_answers(path)
    assert n_read < 30


@pytest.mark.parametrize("footer", [b"[" * 200_000, b'{"a":' * 200_000, b"", b"\xff", b"{", b"9" * 10_000])
def test_a_footer_that_is_no_footer(tmp_path: Path, footer: bytes) -> None:
    path = written(tmp_path)
    put_together(path, parts_of(path)[0], footer)
    with pytest.raises(FormatError, match=r"a\.cnb: is damaged"):
        credenet.read(path)


@pytest.mark.parametrize("left", [0, 4096, 5000, -1])
def test_a_file_that_is_cut_off_while_it_is_open(tmp_path: Path, left: int) -> None:
    """Every way to its rows is an error that names it; none ends the process by a signal."""
    generator = np.random.default_rng(0)
    states = {f"v{at}": ["a", "b", "c"] for at in range(12)}
    table = credenet.Dataset(states, generator.integers(0, 3, (60_000, 12)), weights=generator.random(60_000))
    path = tmp_path / "a.cnb"
    credenet.ingest(table, path, block_rows=512)
    data = credenet.read(path)
    os.truncate(path, left % path.stat().st_size)
    for reading in (
        lambda: data.codes,
        lambda: data.weights,
        lambda: data.take([59_999]),
        lambda: credenet.learn(data, method="hill_climb"),
        lambda: list(data.row_blocks()),
        lambda: credenet.read(path),
    ):
        with pytest.raises(CredenetError, match=r"a\.cnb: (has been|is|is damaged or) cut off|is not a block file"):
            reading()


def test_a_file_that_is_cut_off_while_its_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.cnb"
    generator = np.random.default_rng(0)
    states = {f"v{at}": ["a", "b", "c"] for at in range(12)}
    credenet.ingest(credenet.Dataset(states, generator.integers(0, 3, (60_000, 12))), path, block_rows=512, merge="no")
    data = credenet.read(path)
    os.truncate(path, 5000)
    for method in ("hill_climb", "pc", "chow_liu"):
        with pytest.raises(FormatError, match=r"a\.cnb: has been cut off since it was opened"):
            credenet.learn(data, method=method)
    with pytest.raises(FormatError, match=r"a\.cnb: has been cut off since it was opened"):
        credenet.score_families(data, max_parents=2, n_threads=4)
