"""Tables written and read back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, example, given, reject, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, read
from credenet.errors import DataError, FormatError
from graph_strategies import names
from slow_tables import decoded

SUFFIXES = [".csv", ".tsv", ".dat", ".data", ".parquet", ".csv.gz", ".dat.gz", ".parquet.gz"]

awkward = st.text(st.sampled_from(list(" ,;\t\"'\n\r#?\ufeff\u00a0ab01")), min_size=1, max_size=4)
codes_as_labels = st.integers(1, 4).map(lambda k: tuple(map(str, range(k))))
numbers_as_labels = st.lists(st.integers(-3, 12).map(str), min_size=1, max_size=4, unique=True).map(tuple)
labels = st.lists(names | awkward | st.integers(0, 9).map(str), min_size=1, max_size=4, unique=True).map(tuple)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Any names, labels and missing cells; now and then weights."""
    kind = draw(st.sampled_from([codes_as_labels, numbers_as_labels, labels]))
    variables = draw(
        st.lists(names | awkward, min_size=1, max_size=4, unique=True)
        | st.integers(1, 4).map(lambda k: list(map(str, range(k))))
    )
    states = {name: draw(kind) for name in variables}
    n_rows = draw(st.integers(1, 6))
    lowest = draw(st.sampled_from([0, -1]))
    rows = [[draw(st.integers(lowest, len(of) - 1)) for of in states.values()] for _ in range(n_rows)]
    weights = draw(st.none() | st.lists(st.floats(0, 1e300), min_size=n_rows, max_size=n_rows))
    return Dataset(states, np.array(rows), weights=None if weights is None else np.array(weights))


def two(*rows: tuple[str, str], names: tuple[str, str] = ("a", "b")) -> Dataset:
    """A small dataset with the observed states."""
    return Dataset.from_frame(np.array(rows, dtype=object), variables=names)


@given(datasets(), st.sampled_from(SUFFIXES))
@example(two(("2", "2"), ("1", "1")), ".dat")  # The first row could be arities.
@example(two(("0", "1"), ("1", "0"), names=("0", "1")), ".csv")  # The names could be a row.
@example(two(("0", "1"), ("1", "0"), names=("0", "1")), ".dat")
@example(two(("x", "1"), ("y", "0"), names=("0", "1")), ".csv")
@example(two(("x", "1"), ("y", "0"), names=("a;b;c", "d\te")), ".csv")  # The names have other separators.
@example(two(("x", "1"), ("y", "0"), names=("a,b", 'say "d"')), ".dat")
@example(two(("x", "1"), ("y", "0"), names=("\ufeffa", "two\nlines")), ".tsv")
@example(two(("x", "1"), ("y", "0"), names=("1.5", "2")), ".csv")
@example(two((" x", "1\t"), ("y ", "0"), names=(" a", "b\r")), ".tsv")  # The blanks belong to the labels.
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_is_read_back_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: Dataset, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"table{suffix}"
    path.unlink(missing_ok=True)
    assume(data.weights is None or ("weight" not in data.variables and data.weights.any()))
    try:
        data.save(path)
    except FormatError:
        assert not suffix.startswith(".parquet")
        assert not path.exists()
        return
    hollow = [name for name, count in data.missing.items() if count == len(data)]
    assume(not hollow or suffix.startswith(".parquet"))
    weights = None if data.weights is None else "weight"
    back = read(path, missing="keep", weights=weights)
    if suffix.startswith(".parquet"):
        assert back == data
    else:
        assert back.aligned(data.states) == data


@given(datasets(), st.sampled_from(SUFFIXES), st.randoms())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_options_of_reading_agree_with_what_can_be_done_later(
    tmp_path_factory: pytest.TempPathFactory, data: Dataset, suffix: str, random: Random
) -> None:
    path = tmp_path_factory.getbasetemp() / f"some{suffix}"
    try:
        Dataset(data.states, data.codes).save(path)
        whole = read(path, missing="keep")
    except (DataError, FormatError):  # No text holds it, or a column has no values.
        reject()
    names = random.sample(data.variables, random.randint(1, data.n_variables))
    others = [name for name in data.variables if name not in names]
    kept = [name for name in data.variables if name in names]
    some = read(path, columns=names, na_values=["no such label"], encoding="utf-8", missing="keep")
    assert some == whole.select(names)
    assert read(path, drop=others, missing="keep") == whole.select(kept)


def test_a_file_cannot_always_hold_the_data(tmp_path: Path) -> None:
    named = Dataset({"a": ("NA", "b")}, np.array([[0], [1]]))
    with pytest.raises(FormatError, match=r"t.tsv: the state 'NA' of variable 'a' cannot be told from a missing cell"):
        named.save(tmp_path / "t.tsv")
    named.save(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet") == named
    with pytest.raises(FormatError, match="names that are all numbers would be read as a row; write parquet"):
        two(("1", "1"), names=("3", "4")).save(tmp_path / "t.csv")
    with pytest.raises(FormatError, match="without names the first row would be read as the names"):
        two(("x", "1"), names=("0", "1")).save(tmp_path / "t.csv")
    with pytest.raises(FormatError, match="the first row would be read as the number of states"):
        two(("2", "2"), ("1", "1")).save(tmp_path / "t.dat")
    halves = Dataset({"a": ("0.5", "1.0", "x")}, np.array([[0], [1]]))
    with pytest.raises(FormatError, match=r"the state '0.5' of variable 'a' would be read as a number, not a label"):
        halves.save(tmp_path / "t.csv")
    commas = Dataset({"a": ("1,5", "2,5")}, np.array([[0], [1]]))
    with pytest.raises(FormatError, match="this would not be read back: column 'a' holds numbers with commas"):
        commas.save(tmp_path / "t.csv")
    gaps = Dataset({"a": ("1", "2", "None")}, np.array([[0], [1], [2]]))
    with pytest.raises(FormatError, match="the state 'None' of variable 'a' cannot be told from a missing cell"):
        gaps.save(tmp_path / "t.csv")
    with pytest.raises(FormatError, match="variable 'a' has a NUL character, which no text has; write parquet"):
        Dataset({"a": ("x", "\0")}, np.array([[0], [1]])).save(tmp_path / "t.csv")
    with pytest.raises(FormatError, match=r"t.xlsx: data can be written as .csv, .*, not .xlsx"):
        named.save(tmp_path / "t.xlsx")
    with pytest.raises(FormatError, match="not without a suffix"):
        named.save(tmp_path / "t")
    with pytest.raises(FormatError, match="a variable without a name cannot be written"):
        two(("x", "1"), names=("", "b")).save(tmp_path / "t.csv")
    with pytest.raises(DataError, match="the weights cannot be written: a variable is named 'weight'"):
        Dataset({"weight": ("0", "1")}, np.array([[0], [1]]), weights=np.ones(2)).save(tmp_path / "t.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


def test_what_the_files_look_like(tmp_path: Path) -> None:
    numbered = Dataset({"a b": ("0", "1", "2"), "c": ("0", "1")}, np.array([[0, 1], [1, -1]]))
    numbered.save(tmp_path / "t.dat")
    assert (tmp_path / "t.dat").read_text() == '"a b" c\n3 2\n0 1\n1 ?\n'
    numbered.save(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == '"a b",c\n0,1\n1,?\n'
    unnamed = Dataset({"0": ("0", "1", "2"), "1": ("0", "1")}, np.array([[0, 1], [1, -1]]))
    unnamed.save(tmp_path / "u.dat")
    assert (tmp_path / "u.dat").read_text() == "2\n3 2\n2\n0 1\n1 ?\n"
    unnamed.save(tmp_path / "u.csv")
    assert (tmp_path / "u.csv").read_text() == "0,1\n1,?\n"
    weighted = Dataset({"a": ("x", "y")}, np.array([[0], [1]]), weights=np.array([0.1, 2]))
    weighted.save(tmp_path / "w.tsv")
    assert (tmp_path / "w.tsv").read_text() == "a\tweight\nx\t0.1\ny\t2.0\n"


def test_labels_like_numbers_among_others(tmp_path: Path) -> None:
    data = Dataset({"a": ("0.5", "1.0", "x")}, np.array([[0], [1], [2]]))
    data.save(tmp_path / "t.csv")
    assert read(tmp_path / "t.csv") == data


def test_large_tables_of_every_kind(tmp_path: Path) -> None:
    data = credenet.textbook.student().sample(20_000, seed=5)
    for suffix in SUFFIXES:
        path = tmp_path / f"student{suffix}"
        data.save(path)
        assert read(path).aligned(data.states) == data


def test_parquet_of_others(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": [3, None, 10], "s": ["b", "a", "b"]})
    frame.write_parquet(tmp_path / "t.parquet")
    table = decoded(read(tmp_path / "t.parquet", missing="keep"))
    assert table.states == {"n": ["3", "10"], "s": ["a", "b"]}
    assert table.rows == [["3", "b"], [None, "a"], ["10", "b"]]
