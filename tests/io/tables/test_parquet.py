"""Damaged parquet files are errors of ours: no crash, no panic of polars, and nothing changed goes unseen in ours."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import credenet
from credenet import Dataset, FamilyTable, read
from credenet.errors import CredenetError, FormatError
from credenet.io.families import family_parquet
from credenet.io.tables.parquet import parquet_columns, read_parquet, write_parquet
from credenet.io.tables.parquet_footer import DamagedParquetError, check_footer

FAMILIES = {"variable": ["a", "b", "b"], "score": [-1.0, -2.0, -1.5], "parents": [[], [], ["a"]]}


def contents_of(write: Callable[[io.BytesIO], Any]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def foreign_files() -> dict[str, bytes]:
    """Small files of several writers, kinds of columns and codecs."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "a": pl.Series(rng.integers(0, 3, 200)).cast(pl.String).cast(pl.Enum(["0", "1", "2", "3"])),
            "b": rng.integers(0, 5, 200),
            "c": [f"x{k % 7}" if k % 11 else None for k in range(200)],
        }
    )
    plain = frame.with_columns(pl.col("a").cast(pl.String)).to_pandas()
    categories = pd.DataFrame({"a": pd.Categorical(["x", "y"], categories=["x", "y", "z", "u", "v"])})
    return {
        "zstd": contents_of(frame.write_parquet),
        "snappy": contents_of(lambda file: frame.write_parquet(file, compression="snappy", row_group_size=70)),
        "plain": contents_of(lambda file: frame.write_parquet(file, compression="uncompressed")),
        "pandas": contents_of(plain.to_parquet),
        "index": contents_of(plain.set_index("c").to_parquet),
        "categories": contents_of(categories.to_parquet),
        "pages": contents_of(lambda file: pq.write_table(pa.Table.from_pandas(plain), file, data_page_version="2.0")),
        "empty": contents_of(frame[:0].write_parquet),
        "families": contents_of(pl.DataFrame(FAMILIES).write_parquet),
    }


@pytest.mark.parametrize("name", foreign_files())
def test_good_files_pass_the_checks(name: str, tmp_path: Path) -> None:
    contents = foreign_files()[name]
    path = tmp_path / "t.parquet"
    path.write_bytes(contents)
    frame, metadata = read_parquet(path)
    assert frame.equals(pl.read_parquet(path))
    assert metadata == pl.read_parquet_metadata(path)
    assert parquet_columns(path) == tuple(pl.read_parquet_schema(path))


def test_nested_columns(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [[["x"], []], None], "b": [{"u": 1, "v": [1.5]}, {"u": 2, "v": None}], "c": [1, 2]})
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    assert parquet_columns(path) == ("a", "b", "c")
    assert read_parquet(path)[0].equals(frame)


def mutated(contents: bytes, choice: random.Random) -> bytes:
    """The file cut off, or with a few bytes changed or left out, mostly in the footer."""
    if choice.random() < 0.1:
        return contents[: choice.randrange(len(contents))]
    changed = bytearray(contents)
    footer = int.from_bytes(contents[-8:-4], "little")
    lowest = len(contents) - 8 - footer if choice.random() < 0.6 else 4
    at = choice.randrange(lowest, len(contents))
    if choice.random() < 0.2:
        del changed[at : at + choice.randrange(1, 9)]
        return bytes(changed)
    for _ in range(choice.randrange(1, 4)):
        changed[choice.randrange(lowest, len(contents))] = choice.choice([0, 127, 128, 255, choice.randrange(256)])
    return bytes(changed)


def read_mutated_files(folder: Path, first: int, last: int) -> None:
    """What the test below does in a process of its own, which may end: prints how each file was received."""
    files = foreign_files()
    path = folder / "t.parquet"
    for seed in range(first, last):
        choice = random.Random(seed)
        name = choice.choice(sorted(files))
        path.write_bytes(mutated(files[name], choice))
        print(seed, name, end=" ", flush=True)
        try:
            if name == "families":
                credenet.load_families(path)
            else:
                read(path, missing="keep")
            print("read", flush=True)
        except CredenetError:
            print("refused", flush=True)


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    """Of these, polars alone ends the process or raises its PanicException for some."""
    code = "import sys, test_parquet; from pathlib import Path; "
    code += "test_parquet.read_mutated_files(Path(sys.argv[1]), 0, 600)"
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {here!r}); {code}", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, (lines[-1:], done.stderr[-500:])
    assert len(lines) == 600
    assert sum(line.endswith("refused") for line in lines) > 300
    assert sum(line.endswith("read") for line in lines) > 30


def test_announced_numbers_are_not_believed(tmp_path: Path) -> None:
    """For a negative number of values in a page polars takes memory that there is not, which ends the process."""
    contents = contents_of(pl.DataFrame({"a": ["x", "y", "x", "y", "z"]}).write_parquet)
    begin = len(contents) - 8 - int.from_bytes(contents[-8:-4], "little")
    path = tmp_path / "t.parquet"
    messages = []
    for at in range(4, begin):
        if contents[at] == 10:  # The byte 10 encodes 5, and the byte 1 encodes -1.
            path.write_bytes(contents[:at] + b"\1" + contents[at + 1 :])
            try:
                read(path)
            except FormatError as error:
                messages.append(error.message)
    assert "is damaged or cut off: its structure is not in order" in messages


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: c[:-1], "it does not end as a parquet file does"),
        (lambda c: c[:8], "it does not end as a parquet file does"),
        (lambda c: b"PAR1" + c[-9:], "its footer does not fit into it"),
        (lambda c: c[:-8] + bytes(4) + b"PAR1", "its footer does not fit into it"),
        (lambda c: c[:4] + bytes(20) + c[24:], "its structure is not in order"),
    ],
)
def test_what_is_wrong_is_told(damage: Callable[[bytes], bytes], message: str) -> None:
    contents = contents_of(pl.DataFrame({"a": ["x", "y"] * 50}).write_parquet)
    with pytest.raises(DamagedParquetError, match=message):
        check_footer(damage(contents))


class TestOurFiles:
    """What we write has a checksum: no changed byte is read as if it were right."""

    def files(self, folder: Path) -> list[tuple[Path, Callable[[Path], object]]]:
        credenet.textbook.asia().sample(40, seed=1).save(folder / "data.parquet")
        family_parquet.write(FamilyTable.from_lists({"a": [(-1.0, [])], "b": [(-2.0, ["a"])]}), folder / "f.parquet")
        return [(folder / "data.parquet", read), (folder / "f.parquet", credenet.load_families)]

    def test_changed_bytes(self, tmp_path: Path) -> None:
        for path, load in self.files(tmp_path):
            contents = path.read_bytes()
            whole = load(path)
            seal = contents.index(b"credenet checksum")
            unseen = 0
            for at in range(0, len(contents), 3):
                changed = bytearray(contents)
                changed[at] ^= 1 << (at % 8)
                path.write_bytes(changed)
                try:
                    assert load(path) == whole
                    unseen += 1
                    assert abs(at - seal) < 80, "a change beside the checksum itself"
                except FormatError:
                    pass
            assert unseen < 40

    def test_the_same_data_give_the_same_file(self, tmp_path: Path) -> None:
        first, second = ([path.read_bytes() for path, _ in self.files(tmp_path)] for _ in range(2))
        assert first == second

    def test_files_written_anew_by_others(self, tmp_path: Path) -> None:
        """They may hand on our metadata, and with them a checksum that is no longer right."""
        path = tmp_path / "t.parquet"
        data = Dataset({"a": ("x", "y"), "b": ("0", "1")}, np.array([[0, 1], [1, 0]]))
        data.save(path)
        noted = pq.read_metadata(path).metadata
        assert b"credenet checksum" in noted
        pq.write_table(pq.read_table(path).slice(0, 1).replace_schema_metadata(noted), path)
        assert b"credenet checksum" in pq.read_metadata(path).metadata
        assert read(path).n_rows == 1

    def test_others_can_read_them(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"a": ["x", "y"]})
        write_parquet(frame, tmp_path / "t.parquet", {"key": json.dumps({"n": 1})})
        assert pl.read_parquet(tmp_path / "t.parquet").equals(frame)
        assert pd.read_parquet(tmp_path / "t.parquet")["a"].tolist() == ["x", "y"]
        assert read_parquet(tmp_path / "t.parquet")[1]["key"] == '{"n": 1}'
