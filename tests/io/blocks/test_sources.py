"""Tables in one or many files, with all options of reading."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import credenet
from credenet.errors import ArgumentError, DataError, FormatError
from credenet.io.blocks import coding, ingesting

HEAD = "age;weight;smoker;n\n"
ROWS = [f"{20 + k % 40};{50 + k % 31},{k % 10};{'yes' if k % 3 else '?'};{k % 4}" for k in range(700)]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "_BATCH_ROWS", 100)
    monkeypatch.setattr(ingesting, "_BATCH_BYTES", 1000)


@pytest.mark.parametrize(
    "options",
    [
        {"discretize": {"weight": "frequency:3"}},
        {"discretize": {"weight": "cuts:60,70.5", "age": "cuts:30"}},
        {"discretize": {"weight": "cuts:60,70.5,999"}, "states": "observed"},
        {"discretize": {"weight": "cuts:52,70.5"}, "na_values": ["52"]},
        {"discretize": "width:4", "missing": "drop"},
        {"discretize": {"weight": "median"}, "weights": "n"},
        {"discretize": {"weight": "cuts:60"}, "weights": "n", "missing": "drop", "states": "observed"},
        {"drop": ["weight"], "max_states": 40, "na_values": [25, "yes "]},
        {"columns": ["smoker", "age"], "missing": "keep"},
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".csv.gz"])
def test_options_of_reading(options: dict[str, Any], suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"t{suffix}"
    text = HEAD + "\n".join(ROWS) + "\n"
    if suffix == ".parquet":
        cells = [row.split(";") for row in ROWS]
        pl.DataFrame(cells, schema=HEAD.strip().split(";"), orient="row").write_parquet(source)
    else:
        source.write_bytes(gzip.compress(text.encode()) if suffix.endswith(".gz") else text.encode())
    options = {"missing": "state", "decimal": ",", **options}
    expected = credenet.read(source, **options)
    found = credenet.ingest(source, tmp_path / "t.cnb", block_rows=512, **options)
    assert found == expected
    assert found.info() == expected.info()
    assert dict(found.cuts) == dict(expected.cuts)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"decimal": ",", "missing": "drop"},
        {"columns": ["smoker"], "discretize": {"smoker": "cuts:1"}},
        {"drop": "weight", "max_states": 3, "missing": "drop"},
        {"decimal": ",", "discretize": "width:3", "columns": ["nobody"]},
        {"decimal": ",", "discretize": "width:3", "weights": "smoker"},
        {"decimal": ",", "discretize": {"smoking": "cuts:1"}},
        {"encoding": "utf-16"},
    ],
)
def test_errors_of_reading(options: dict[str, Any], tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_text(HEAD + "\n".join(ROWS) + "\n")
    with pytest.raises((DataError, FormatError)) as expected:
        credenet.read(source, **options)
    with pytest.raises(type(expected.value)) as found:
        credenet.ingest(source, tmp_path / "t.cnb", **options)
    assert str(found.value) == str(expected.value).partition("; pass repair=True")[0]
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    "contents",
    [
        "x,y\n1,2\n\n3,4\n" + "5,6\n" * 300,
        "x,y\n" + "5,6\n" * 300 + "5\n" + "5,6\n" * 300,
        "x,y\n" + "5,6\n" * 300 + '"5,6\n' + "5,6\n" * 300,
        "x,x\n1,2\n",
        "",
        "x,y\n",
    ],
)
def test_bad_text(contents: str, tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_text(contents)
    with pytest.raises(FormatError) as expected:
        credenet.read(source)
    with pytest.raises(FormatError) as found:
        credenet.ingest(source, tmp_path / "t.cnb")
    assert str(found.value) == str(expected.value).partition("; pass repair=True")[0]


@pytest.mark.parametrize(
    "text",
    [
        "x,y\r\n" + "a b,1\r\n" * 300 + "c,2",
        "x,y\n" + 'a,"1\n\n2"\n' * 300,
        "x,y\n" + '5" pipe,"1\n2"\n' * 300 + "6,7\n\n  \n\n",
        "x,y\r" + "a,1\r" * 5,
        ",x,y\n" + "".join(f"{k},a,{k % 3}\n" for k in range(300)),
        "\ufeffsep=;\nx;y\n" + "a;1\n" * 300 + "\n" * 2000,
        "1,2\n" * 300,
        "".join(f'{"x" * 5000}{k % 2},  "y ""{k % 3}"""  \n' for k in range(9)),
    ],
)
def test_kinds_of_text(text: str, tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_bytes(text.encode())
    expected = credenet.read(source)
    found = credenet.ingest(source, tmp_path / "t.cnb")
    assert found == expected
    assert found.info() == expected.info()


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-8-sig"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_bytes(("größe,maß\n" + "süß,1\nöde,2\n" * 500).encode(encoding))
    options = {"encoding": "latin-1"} if encoding == "latin-1" else {}
    assert credenet.ingest(source, tmp_path / "t.cnb", **options) == credenet.read(source, **options)  # type: ignore[arg-type]


class TestManyFiles:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "parts").mkdir()
        data = credenet.datasets.asia(2500, seed=1)
        for at in range(5):
            frame = data.take(slice(500 * at, 500 * (at + 1))).to_polars().select(pl.all().cast(pl.String))
            frame = frame.select(frame.columns[::-1]) if at == 3 else frame
            frame.write_parquet(tmp_path / "parts" / f"{at}.parquet")
            frame.write_csv(tmp_path / f"{at}.csv")
        return tmp_path

    def test_folders_patterns_and_lists(self, folder: Path) -> None:
        credenet.datasets.asia(2500, seed=1).to_polars().write_csv(folder / "all_rows.csv")
        expected = credenet.read(folder / "all_rows.csv")
        parts = [folder / f"{at}.csv" for at in range(5)]
        sources: list[Any] = [folder / "parts", str(folder / "parts"), str(folder / "[0-9].csv"), parts, tuple(parts)]
        for source in sources:
            assert credenet.ingest(source, folder / "x.cnb", block_rows=512) == expected

    def test_errors_name_the_file(self, folder: Path) -> None:
        (folder / "2.csv").write_text("asia,tub\nyes,no\n")
        with pytest.raises(FormatError, match=r"2\.csv: has no column 'smoke', unlike 0\.csv; all files need the same"):
            credenet.ingest(str(folder / "[0-9].csv"), folder / "x.cnb")
        (folder / "parts" / "9.csv").write_text("a\n1\n")
        with pytest.raises(FormatError, match=r"9\.csv: is not a parquet file, as 0\.parquet is"):
            credenet.ingest(folder / "parts", folder / "x.cnb")
        (folder / "parts" / "9.csv").unlink()
        (folder / "parts" / "4.parquet").write_bytes(b"PAR1 and no more")
        with pytest.raises(FormatError, match=r"4\.parquet: is damaged"):
            credenet.ingest(folder / "parts", folder / "x.cnb")
        with pytest.raises(FileNotFoundError, match="no file has such a name"):
            credenet.ingest(str(folder / "*.tsv"), folder / "x.cnb")
        (folder / "empty").mkdir()
        with pytest.raises(FileNotFoundError, match="the folder has no"):
            credenet.ingest(folder / "empty", folder / "x.cnb")
        with pytest.raises(FileNotFoundError):
            credenet.ingest(folder / "nothing.csv", folder / "x.cnb")
        assert not (folder / "x.cnb").exists()

    def test_categories_must_agree(self, tmp_path: Path) -> None:
        for at, categories in enumerate((["a", "b"], ["b", "a"])):
            frame = pl.DataFrame({"x": pl.Series(["a", "b"], dtype=pl.Enum(categories))})
            frame.write_parquet(tmp_path / f"{at}.parquet")
        with pytest.raises(FormatError, match=r"1\.parquet: column 'x' has other categories than in 0\.parquet"):
            credenet.ingest(tmp_path, tmp_path / "x.cnb")


class TestDeclaredStates:
    def n_passes(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        passes: list[str] = []
        first = coding.first_pass

        def counted(*arguments: Any) -> coding.Coding:
            passes.append("first")
            return first(*arguments)

        monkeypatch.setattr(ingesting, "first_pass", counted)
        return passes

    def test_one_pass(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        passes = self.n_passes(monkeypatch)
        (tmp_path / "t.csv").write_text("x,y\n" + "b,2.5\na,0.5\n" * 300)
        options: dict[str, Any] = {"discretize": {"y": "cuts:1,9"}, "merge": "no"}
        data = credenet.ingest(tmp_path / "t.csv", tmp_path / "t.cnb", states={"x": ["b", "c", "a"]}, **options)
        assert data.states["x"] == ("b", "c", "a")
        assert data.states["y"] == ("<=1", "(1,9]", ">9")
        assert data.codes[:2].tolist() == [[0, 1], [2, 0]]
        assert passes == []

    def test_categories_of_parquet(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        passes = self.n_passes(monkeypatch)
        data = credenet.datasets.asia(900)
        data.save(tmp_path / "t.parquet")
        assert credenet.ingest(tmp_path / "t.parquet", tmp_path / "t.cnb") == data
        assert passes == []

    def test_a_missing_cell(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The message counts the missing cells of all rows."""
        passes = self.n_passes(monkeypatch)
        (tmp_path / "t.csv").write_text("x\n" + "b\na\n" * 900 + "?\n?\n")
        with pytest.raises(DataError, match=r"t\.csv: cells are missing in 'x' \(2\)"):
            credenet.ingest(
                tmp_path / "t.csv", tmp_path / "t.cnb", states={"x": ["a", "b"]}, merge="no", block_rows=512
            )
        assert passes == ["first"]
        assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]

    def test_errors(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("x,y\n" + "b,1\na,2\n" * 300 + "c,1\n")
        target = tmp_path / "t.cnb"
        with pytest.raises(DataError, match="the value 'c' on line 602, which is none of its states"):
            credenet.ingest(tmp_path / "t.csv", target, states={"x": ["a", "b"], "y": ["1", "2"]}, merge="no")
        with pytest.raises(DataError, match="the value 'c' on line 602, which is none of its states"):
            credenet.ingest(tmp_path / "t.csv", target, states={"x": ["a", "b"]})
        with pytest.raises(DataError, match="states names columns that do not exist: z"):
            credenet.ingest(tmp_path / "t.csv", target, states={"z": ["a", "b"]})
        with pytest.raises(ArgumentError, match="the states of 'x' must be one or more different labels"):
            credenet.ingest(tmp_path / "t.csv", target, states={"x": ["a", "a"]})
        with pytest.raises(ArgumentError, match="states can be declared for files only"):
            credenet.ingest(credenet.datasets.asia(9), target, states={"asia": ["a", "b"]})


def test_frames_and_arrays(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": ["a", "b", "a"], "y": [1, None, 3]})
    for data in (frame, pl.from_pandas(frame)):
        found = credenet.ingest(data, tmp_path / "t.cnb", missing="drop", states="observed")
        assert found == credenet.Dataset.from_frame(data, missing="drop", states="observed")
    array = np.array([[0, 1], [1, 1]])
    assert credenet.ingest(array, tmp_path / "t.cnb") == credenet.Dataset.from_frame(array)


def test_too_many_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coding, "MOST_LABELS", 500)
    (tmp_path / "t.csv").write_text("id,x\n" + "".join(f"{k},{k % 2}\n" for k in range(600)))
    with pytest.raises(DataError, match=r"t\.csv: column 'id' has more than 500 distinct values; .* 'cuts:A,B'"):
        credenet.ingest(tmp_path / "t.csv", tmp_path / "t.cnb")
    data = credenet.ingest(tmp_path / "t.csv", tmp_path / "t.cnb", discretize={"id": "cuts:99,299"})
    assert data == credenet.read(tmp_path / "t.csv", discretize={"id": "cuts:99,299"})


def test_small_memory(tmp_path: Path) -> None:
    data = credenet.datasets.asia(900)
    data.save(tmp_path / "t.parquet")
    assert credenet.ingest(tmp_path / "t.parquet", tmp_path / "t.cnb", memory_limit=1e4) == data


def test_wrong_targets(tmp_path: Path) -> None:
    data = credenet.datasets.asia(9)
    data.save(tmp_path / "t.csv")
    with pytest.raises(FormatError, match=r"needs the suffix \.cnb"):
        credenet.ingest(data, tmp_path / "t.parquet")
    with pytest.raises(FileNotFoundError, match="the folder does not exist"):
        credenet.ingest(data, tmp_path / "none" / "t.cnb")
    with pytest.raises(ArgumentError, match="block_rows must be a multiple of 512, got 700"):
        credenet.ingest(data, tmp_path / "t.cnb", block_rows=700)
    with pytest.raises(ArgumentError, match="merge must be one of auto, yes, no"):
        credenet.ingest(data, tmp_path / "t.cnb", merge="maybe")  # type: ignore[arg-type]
    (tmp_path / "t.dat").write_text("x y\n1 2\n")
    with pytest.raises(FormatError, match=r"cannot be ingested; read it with credenet\.read, and pass the data"):
        credenet.ingest(tmp_path / "t.dat", tmp_path / "t.cnb")


def test_unwritable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *arguments: False)  # The user root may write anywhere.
    with pytest.raises(PermissionError) as error:
        credenet.ingest(credenet.datasets.asia(9), tmp_path / "t.cnb")
    assert error.value.filename == str(tmp_path / "t.cnb")


def test_options_that_do_not_apply(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).integers(-1, 2, (50, 2))
    data = credenet.Dataset({"a": ["x", "y"], "b": ["x", "y"]}, rows)
    path = tmp_path / "t.cnb"
    data.save(path)
    assert credenet.read(path, missing="keep", columns=["b"]) == data.select(["b"])
    assert credenet.read(path, missing="keep", drop="b") == data.select(["a"])
    with pytest.raises(DataError, match=r"t\.cnb: cells are missing in 'a' \(\d+\), 'b' .* pass missing='keep'"):
        credenet.read(path)
    with pytest.raises(ArgumentError, match="discretize cannot be given for data that are coded already"):
        credenet.read(path, discretize="median")
    with pytest.raises(DataError, match="a block file without missing='keep' needs complete rows"):
        credenet.ingest(data, tmp_path / "u.cnb")
    with pytest.raises(DataError, match="columns names the column 'c', which the data do not have"):
        credenet.read(path, missing="keep", columns=["c"])
