"""Block files hold what `credenet.read` finds in the same table."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from credenet.types import BlockDataset
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset
from credenet.errors import DataError, FormatError
from credenet.io.blocks import ingesting

LABELS = ["a", "b", "c d", 'quo"te', "x,y", "line\nend", "12", "-3", "Ä"]
GAPS = ["", "NA", "?"]


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    n_rows = draw(st.integers(1, 1700))
    seed = draw(st.integers(0, 2**32 - 1))
    generator = np.random.default_rng(seed)
    frame = {}
    for at in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["labels", "numbers", "constant", "many", "gaps"]))
        if kind == "numbers":
            values = [str(value) for value in generator.integers(-2, 5, n_rows)]
        elif kind == "many":
            values = [f"s{value}" for value in generator.integers(0, 300, n_rows)]
        elif kind == "constant":
            values = ["only"] * n_rows
        else:
            known = LABELS[: draw(st.integers(1, len(LABELS)))]
            values = generator.choice([*known, *(GAPS if kind == "gaps" else [])], n_rows).tolist()
        frame[f"v{at}"] = values
    return pl.DataFrame(frame)


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"' if any(mark in value for mark in ',"\n ') else value


def write(frame: pl.DataFrame, path: Path) -> None:
    """Writes a table; in text, an empty last line of one column would be no row."""
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=300)
        return
    mark = "\t" if ".tsv" in path.name else ","
    lines = [mark.join(map(quoted, row)) for row in [frame.columns, *frame.rows()]]
    text = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def read_or_error(call: Any, *arguments: Any, **options: Any) -> Dataset | str:
    try:
        data: Dataset = call(*arguments, **options)
        return data
    except (DataError, FormatError) as error:
        return str(error)


@settings(max_examples=60, deadline=None)
@given(
    frame=tables(),
    suffix=st.sampled_from([".csv", ".tsv", ".csv.gz", ".parquet"]),
    block_rows=st.sampled_from([512, 1024]),
    missing=st.sampled_from(["error", "drop", "state", "keep"]),
    states=st.sampled_from(["declared", "observed"]),
    batch=st.integers(1, 900),
)
def test_block_files_are_what_reading_finds(
    frame: pl.DataFrame,
    suffix: str,
    block_rows: int,
    missing: Any,
    states: Any,
    batch: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    source, target = folder / f"table{suffix}", folder / "table.cnb"
    write(frame, source)
    options = {"missing": missing, "states": states}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingesting, "_BATCH_ROWS", batch)
        patch.setattr(ingesting, "_BATCH_BYTES", 1 << 10)
        expected = read_or_error(credenet.read, source, **options)
        found = read_or_error(credenet.ingest, source, target, block_rows=block_rows, **options)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        assert sorted(folder.iterdir()) == [source]
        return
    assert isinstance(found, BlockDataset)
    check_equal(found, expected)
    assert sorted(folder.iterdir()) == sorted([source, target])
    again = credenet.read(target, missing="keep")
    check_equal(again, expected)
    assert found.file.block_rows == block_rows


def check_equal(found: Dataset, expected: Dataset) -> None:
    assert found == expected
    assert found.digest() == expected.digest()
    assert found.info() == expected.info()
    assert found.missing == expected.missing
    assert found.missing_code == expected.missing_code
    assert found.codes.dtype == expected.codes.dtype
    assert np.array_equal(found.codes, expected.codes)
    assert len(found) == len(expected)


class TestDatasets:
    """A block file is a dataset in all respects."""

    @pytest.fixture
    def pair(self, tmp_path: Path) -> tuple[Dataset, Dataset]:
        rows = np.random.default_rng(1).integers(-1, 3, (2000, 4))
        data = Dataset({name: ["x", "y", "z"] for name in "abcd"}, rows, weights=np.arange(2000) / 3)
        credenet.ingest(data, tmp_path / "d.cnb", missing="keep", block_rows=512)
        return data, credenet.read(tmp_path / "d.cnb", missing="keep")

    def test_rows(self, pair: tuple[Dataset, Dataset]) -> None:
        data, blocks = pair
        check_equal(blocks, data)
        assert blocks.total_weight == pytest.approx(data.total_weight)
        for rows in (slice(500, 700), slice(None, None, -3), [5, 1999, 0, -1], np.arange(2000) % 7 == 0, []):
            assert blocks.take(rows) == data.take(rows)
        assert list(blocks.row_blocks()) == list(data.row_blocks(512))
        assert [type(part) for part in blocks.row_blocks()] == [Dataset] * 4
        for size in (1, 700, 512, 5000):
            parts = list(blocks.row_blocks(size))
            assert np.array_equal(np.concatenate([part.codes for part in parts]), data.codes)
            assert parts == list(data.row_blocks(size))

    def test_columns(self, pair: tuple[Dataset, Dataset]) -> None:
        data, blocks = pair
        chosen = blocks.select(["d", "b"])
        assert isinstance(chosen, BlockDataset)
        check_equal(chosen, data.select(["d", "b"]))
        order = {"c": ("x", "y", "z"), "a": ("x", "y", "z")}
        assert isinstance(blocks.aligned(order), BlockDataset)
        assert blocks.aligned(order) == data.select(["c", "a"])
        turned = {"b": ("z", "y", "x")}
        assert blocks.aligned(turned) == data.aligned(turned)

    def test_pickles_name_the_file(self, pair: tuple[Dataset, Dataset], tmp_path: Path) -> None:
        _, blocks = pair
        chosen = blocks.select(["c", "a"])
        pickled = pickle.dumps(chosen)
        assert len(pickled) < 1000
        assert pickle.loads(pickled) == chosen
        credenet.ingest(blocks.select(["a"]), tmp_path / "d.cnb", missing="keep")
        with pytest.raises(FormatError, match="has changed since it was opened"):
            pickle.loads(pickled)

    def test_saved_in_other_formats(self, tmp_path: Path) -> None:
        data = credenet.datasets.asia(3000)
        data.save(tmp_path / "a.cnb")
        blocks = credenet.read(tmp_path / "a.cnb")
        assert blocks == data
        for name in ("a.csv", "a.parquet", "a.dat", "b.cnb"):
            blocks.save(tmp_path / name)
            data.save(tmp_path / f"memory {name}")
            assert blocks._codes is None
            assert credenet.read(tmp_path / name) == credenet.read(tmp_path / f"memory {name}")

    def test_likelihood_and_predictions(self, tmp_path: Path) -> None:
        network = credenet.textbook.asia()
        data = network.sample(5000, seed=3)
        blocks = credenet.ingest(data, tmp_path / "a.cnb", block_rows=1024)
        assert network.log_likelihood(blocks) == network.log_likelihood(data)
        assert np.array_equal(network.log_likelihood(blocks, per_row=True), network.log_likelihood(data, per_row=True))
        known = ["xray", "smoke", "dysp"]
        expected = network.predict_proba(data.select(known), "lung")
        assert np.array_equal(network.predict_proba(blocks.select(known), "lung"), expected)
        assert blocks._codes is None
