"""A run that is stopped leaves no torn file, and the same call goes on after the last block."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset
from credenet.errors import DataError
from credenet.io.blocks import ingesting
from credenet.io.blocks.writer import BlockWriter
from credenet.types import Progress

N_ROWS = 5000
N_BLOCKS = -(-N_ROWS // 512)
DATA = credenet.datasets.asia(N_ROWS, seed=4)


def write_source(path: Path, kind: str) -> None:
    if kind == "gaps":
        frame = DATA.to_polars().select(pl.all().cast(pl.String))
        gap = pl.int_range(N_ROWS) % 7 == 3
        frame.with_columns(pl.when(gap).then(pl.lit(None)).otherwise(pl.col("xray")).alias("xray")).write_parquet(path)
    else:
        DATA.save(path)


def failing_after(n_blocks: int, error: BaseException) -> Callable[..., None]:
    """The method that writes a block, which fails when so many are written; half of the next is."""
    write = BlockWriter._write
    written = 0

    def fail(self: BlockWriter, packed: Any, total: float, resume: Any) -> None:
        nonlocal written
        if written == n_blocks:
            self._file.write(packed[0][: len(packed[0]) // 2].data)
            self._file.flush()
            raise error
        written += 1
        write(self, packed, total, resume)

    return fail


def ingested(source: Path, target: Path, **options: Any) -> Dataset:
    options = {"block_rows": 512, "merge": "no", **options}
    return credenet.ingest(source, target, **options)


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(["t.csv", "t.csv.gz", "t.parquet", "gaps"]),
    stops=st.lists(st.integers(0, N_BLOCKS - 1), min_size=1, max_size=3),
    batch=st.integers(300, 2000),
)
def test_a_stopped_run_is_continued(
    kind: str, stops: list[int], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stopped")
    source, target = folder / ("t.parquet" if kind == "gaps" else kind), folder / "t.cnb"
    write_source(source, kind)
    options: dict[str, Any] = {"missing": "drop"} if kind == "gaps" else {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingesting, "_BATCH_ROWS", batch)
        patch.setattr(ingesting, "_BATCH_BYTES", 20 * batch)
        for n_blocks in stops:
            with pytest.MonkeyPatch.context() as stopping:
                stopping.setattr(BlockWriter, "_write", failing_after(n_blocks, KeyboardInterrupt()))
                try:
                    ingested(source, target, **options)
                    break
                except KeyboardInterrupt:
                    assert not target.exists()
                    assert {path.name for path in folder.iterdir()} == {source.name, "t.cnb.part", "t.cnb.journal"}
        else:
            written = json_lines(folder / "t.cnb.journal")
            assert len(written) - 1 == min(sum(stops), N_BLOCKS)
            ingested(source, target, **options)
    assert credenet.read(target) == credenet.read(source, **options)
    assert credenet.read(target).info() == credenet.read(source, **options).info()
    assert {path.name for path in folder.iterdir()} == {source.name, "t.cnb"}


def json_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A source and a target of which three blocks are written."""
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    write_source(source, "t.csv")
    with monkeypatch.context() as stopping:
        stopping.setattr(BlockWriter, "_write", failing_after(3, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            ingested(source, target)
    return source, target


def n_written_by(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> int:
    """How many blocks a run writes."""
    written = 0
    write = BlockWriter._write

    def count(self: BlockWriter, *arguments: Any) -> None:
        nonlocal written
        written += 1
        write(self, *arguments)

    monkeypatch.setattr(BlockWriter, "_write", count)
    ingested(source, target, **options)
    return written


def test_written_blocks_are_kept(stopped: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = stopped
    assert n_written_by(source, target, monkeypatch) == N_BLOCKS - 3
    assert credenet.read(target) == credenet.read(source)


def test_a_damaged_block_is_written_again(stopped: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = stopped
    part = target.with_name("t.cnb.part")
    contents = bytearray(part.read_bytes())
    contents[64 + 600] ^= 1  # The bit is in the second of three blocks of 8 planes.
    part.write_bytes(contents)
    assert n_written_by(source, target, monkeypatch) == N_BLOCKS - 1
    assert credenet.read(target) == credenet.read(source)


@pytest.mark.parametrize("line", [b"3", b"{}", b"[" * 200_000, b'{"offset": 576, "rows": 512, "place": "x"}'])
def test_a_damaged_line_of_the_journal(
    line: bytes, stopped: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = stopped
    journal = target.with_name("t.cnb.journal")
    head, first, *_ = journal.read_bytes().split(b"\n")
    journal.write_bytes(b"\n".join([head, first, line, b""]))
    assert n_written_by(source, target, monkeypatch) == N_BLOCKS - 1
    assert credenet.read(target) == credenet.read(source)


@pytest.mark.parametrize("how", ["source", "options", "journal"])
def test_other_sources_or_options_start_again(
    how: str, stopped: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = stopped
    options: dict[str, Any] = {"drop": "xray"} if how == "options" else {}
    if how == "source":
        credenet.datasets.asia(N_ROWS, seed=5).save(source)
    if how == "journal":
        target.with_name("t.cnb.journal").write_bytes(b"\xff{")
        assert n_written_by(source, target, monkeypatch) == N_BLOCKS
    else:
        with pytest.warns(UserWarning, match=r"t\.cnb\.part was begun from other files or with other options"):
            assert n_written_by(source, target, monkeypatch, **options) == N_BLOCKS
    assert credenet.read(target) == credenet.read(source, **options)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    write_source(source, "t.csv")
    target.write_text("the file of yesterday")

    def full(self: BlockWriter, contents: Any) -> None:
        if self._blocks:
            raise self._full(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        self._file.write(contents.data)

    with monkeypatch.context() as patch:
        patch.setattr(BlockWriter, "_put", full)
        with pytest.raises(OSError, match=r"the disk is full: the file needs about .* are written; run the same") as e:
            ingested(source, target)
    assert e.value.errno == errno.ENOSPC
    assert e.value.filename == str(target)
    assert target.read_text() == "the file of yesterday"
    ingested(source, target)
    assert credenet.read(target) == credenet.read(source)


def test_the_callback_stops(tmp_path: Path) -> None:
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    write_source(source, "t.csv")
    phases = []

    def stop(progress: Progress) -> bool:
        phases.append(progress.phase)
        assert 0 < progress.done <= progress.total
        return progress.phase == "finding states"

    with pytest.raises(DataError, match="ingesting was stopped; the same call continues it"):
        ingested(source, target, on_progress=stop)
    assert phases == ["finding states", "writing blocks"]
    assert not target.exists()
    ingested(source, target)
    assert credenet.read(target) == credenet.read(source)


def test_errors_of_the_data_leave_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "t.csv", tmp_path / "t.cnb"
    rows = "\n".join(f"{k % 2},{k % 3}" for k in range(2000))
    source.write_text(f"x,w\n{rows}\n1,-1\n")
    with pytest.raises(DataError, match=r"t\.csv: weights must be non-negative numbers, but .* '-1' on line 2002"):
        ingested(source, target, weights="w")
    assert list(tmp_path.iterdir()) == [source]
