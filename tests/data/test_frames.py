"""Data frames and arrays as datasets."""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset
from credenet.errors import DataError
from credenet.io.tables.polars_columns import polars_column
from slow_tables import decoded

NAN = float("nan")

# Each entry has a column, its states in order, and its cells.
COLUMNS: dict[str, tuple[Any, tuple[str, ...], list[str | None]]] = {
    "pandas integers": (pd.Series([10, 2, 10]), ("2", "10"), ["10", "2", "10"]),
    "pandas nullable integers": (pd.array([10, None, 2], dtype="Int64"), ("2", "10"), ["10", None, "2"]),
    "pandas floats": (pd.Series([1.0, NAN, 10.0]), ("1", "10"), ["1", None, "10"]),
    "pandas nullable floats": (pd.array([1.0, None, 10.0], dtype="Float64"), ("1", "10"), ["1", None, "10"]),
    "pandas booleans": (pd.Series([True, False, True]), ("False", "True"), ["True", "False", "True"]),
    "pandas nullable booleans": (
        pd.array([True, None, False], dtype="boolean"),
        ("False", "True"),
        ["True", None, "False"],
    ),
    "pandas text": (pd.Series(["b", None, "a"]), ("a", "b"), ["b", None, "a"]),
    "pandas string": (pd.array(["b", pd.NA, "a"], dtype="string"), ("a", "b"), ["b", None, "a"]),
    "pandas objects": (pd.Series(["b", pd.NA, NAN], dtype=object), ("b",), ["b", None, None]),
    "pandas mixed": (pd.Series([1, True, 1.0], dtype=object), ("1", "True"), ["1", "True", "1"]),
    "pandas times": (
        pd.to_datetime(pd.Series(["2020-05-01", None, "2019-05-01"])),
        ("2019-05-01 00:00:00", "2020-05-01 00:00:00"),
        ["2020-05-01 00:00:00", None, "2019-05-01 00:00:00"],
    ),
    "pandas categories": (
        pd.Categorical(["x", None, "y"], categories=["y", "x", "z"]),
        ("y", "x", "z"),
        ["x", None, "y"],
    ),
    "pandas ordered": (
        pd.Categorical(["x", None, "y"], categories=["y", "x"], ordered=True),
        ("y", "x"),
        ["x", None, "y"],
    ),
    "pandas numbers as categories": (pd.Categorical([3, 1, 3], categories=[3, 2, 1]), ("3", "2", "1"), ["3", "1", "3"]),
    "pandas nothing but categories": (pd.Categorical([None, None, None], categories=["u"]), ("u",), [None, None, None]),
    "polars integers": (pl.Series([10, None, 2]), ("2", "10"), ["10", None, "2"]),
    "polars large": (
        pl.Series([2**64 - 1, 3, 3], dtype=pl.UInt64),
        ("3", "18446744073709551615"),
        ["18446744073709551615", "3", "3"],
    ),
    "polars floats": (pl.Series([1.0, None, NAN]), ("1",), ["1", None, None]),
    "polars booleans": (pl.Series([True, None, False]), ("False", "True"), ["True", None, "False"]),
    "polars text": (pl.Series(["b", None, "a"]), ("a", "b"), ["b", None, "a"]),
    "polars text that means missing": (pl.Series(["NA", "", "x"]), ("x",), [None, None, "x"]),
    "polars enum": (pl.Series(["x", None, "y"], dtype=pl.Enum(["z", "y", "x"])), ("z", "y", "x"), ["x", None, "y"]),
    "polars enum of odd labels": (pl.Series(["NA", None, ""], dtype=pl.Enum(["NA", ""])), ("NA", ""), ["NA", None, ""]),
    "polars categorical": (pl.Series(["x", None, "b"], dtype=pl.Categorical), ("b", "x"), ["x", None, "b"]),
    "polars decimal": (pl.Series([Decimal("1.00"), None, Decimal("12.00")]), ("1", "12"), ["1", None, "12"]),
    "polars dates": (
        pl.Series([datetime.date(2020, 1, 2), None, datetime.date(2020, 1, 1)]),
        ("2020-01-01", "2020-01-02"),
        ["2020-01-02", None, "2020-01-01"],
    ),
    "polars bytes": (pl.Series([b"x", b"y", b"x"]), ("x", "y"), ["x", "y", "x"]),
    "arrow integers": (pa.array([10, None, 2]), ("2", "10"), ["10", None, "2"]),
    "arrow floats": (pa.array([1.0, None, NAN]), ("1",), ["1", None, None]),
    "arrow booleans": (pa.array([True, None, False]), ("False", "True"), ["True", None, "False"]),
    "arrow text": (pa.array(["b", None, "a"]), ("a", "b"), ["b", None, "a"]),
    "arrow dictionary": (
        pa.DictionaryArray.from_arrays([1, None, 0], ["v", "u", "w"]),
        ("v", "u", "w"),
        ["u", None, "v"],
    ),
    "arrow dictionaries in chunks": (
        pa.chunked_array([pa.array(["v", "u"]).dictionary_encode(), pa.array(["w"]).dictionary_encode()]),
        ("v", "u", "w"),
        ["v", "u", "w"],
    ),
    "numpy integers": (np.array([10, 2, 10]), ("2", "10"), ["10", "2", "10"]),
    "numpy floats": (np.array([1.0, NAN, 10.0], dtype=np.float32), ("1", "10"), ["1", None, "10"]),
    "numpy booleans": (np.array([True, False, True]), ("False", "True"), ["True", "False", "True"]),
    "numpy text": (np.array(["b", "?", "a"]), ("a", "b"), ["b", None, "a"]),
    "numpy bytes": (np.array([b"b", b"?", b"a"]), ("a", "b"), ["b", None, "a"]),
    "numpy objects": (np.array([2, None, "x"], dtype=object), ("2", "x"), ["2", None, "x"]),
    "numpy times": (
        np.array(["2020-01-02", "NaT", "2020-01-01"], dtype="datetime64[D]"),
        ("2020-01-01", "2020-01-02"),
        ["2020-01-02", None, "2020-01-01"],
    ),
    "numpy masked": (np.ma.masked_array([3, 4, 5], mask=[False, True, False]), ("3", "5"), ["3", None, "5"]),
}


def as_frame(kind: str, column: Any) -> Any:
    if kind.startswith("pandas"):
        return pd.DataFrame({"0": column})
    if kind.startswith("polars"):
        return pl.DataFrame({"0": column})
    if kind.startswith("arrow"):
        return pa.table({"0": column})
    return column.reshape(-1, 1)


@pytest.mark.parametrize("kind", COLUMNS)
def test_kinds_of_columns(kind: str) -> None:
    column, states, cells = COLUMNS[kind]
    table = decoded(Dataset.from_frame(as_frame(kind, column), missing="keep"))
    assert table.names == ["0"]
    assert table.states["0"] == list(states)
    assert [row[0] for row in table.rows] == cells


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_the_same_table_from_every_kind_of_frame(kind: str) -> None:
    columns = {"a": [3, 1, 2, 1], "b": ["x", "y", "x", "x"], "w": [0.5, 2.0, 1.0, 1.0]}
    make: Any = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[kind]
    data = Dataset.from_frame(make(columns), weights="w")
    assert data.variables == ("a", "b")
    assert data.codes.tolist() == [[2, 0], [0, 1], [1, 0], [0, 0]]
    assert data.weights is not None
    assert data.weights.tolist() == columns["w"]


def test_rows_of_a_pandas_frame_are_taken_by_position() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"]}).iloc[[2, 0]]
    assert decoded(Dataset.from_frame(frame)).rows == [["z"], ["x"]]
    assert Dataset.from_frame(pd.DataFrame(np.array([[0, 1], [1, 1]]))).variables == ("0", "1")


def test_names_of_an_array() -> None:
    data = Dataset.from_frame(np.array([[0, 1], [1, 1]]), variables=["rain", "wet"])
    assert data.variables == ("rain", "wet")
    assert data.states["wet"] == (1,)


def test_options_are_those_of_reading() -> None:
    frame = pl.DataFrame({"a": [0.5, 1.5, None, 3.5], "b": ["x", None, "y", "z"]})
    data = Dataset.from_frame(frame, discretize="median", missing="drop", states="observed")
    assert data.states == {"a": ("<=1.5", ">1.5"), "b": ("x", "z")}
    assert data.cuts == {"a": (1.5,)}
    again = Dataset.from_frame(frame, discretize=data.cuts, missing="keep")
    assert again.codes[:, 0].tolist() == [0, 0, 255, 1]
    enum = pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum(["x", "y"]))})
    assert Dataset.from_frame(enum).states["a"] == ("x", "y")
    assert Dataset.from_frame(enum, states="observed").states["a"] == ("x",)


class Odd:
    """Nothing that narwhals knows."""


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ([[1, 2]], "data must be a data frame or a two-dimensional numpy array, got list"),
        (Odd(), "got Odd"),
        (pl.LazyFrame({"a": [1]}), "got LazyFrame"),
        (pl.Series([1]), "got Series"),
        (np.array([1, 2]), "an array of data must have two dimensions, got 1"),
        (np.empty((0, 2)), "there are no rows"),
        (pd.DataFrame({"a": []}), "there are no rows"),
        (pd.DataFrame(), "there are no variables"),
        (pl.DataFrame({"a": [None, None]}), r"cells are missing in 'a' \(2\)"),
        (pl.DataFrame({"a": [1.5, 2.0]}), r"column 'a' holds fractional numbers \(1.5\); discretise it"),
        (pl.DataFrame({"a": [1.5, float("inf")]}), "column 'a' has infinite numbers"),
        (pl.DataFrame({"a": [[1], [2]]}), r"column 'a' holds values of type List\(Int64\)"),
        (pl.DataFrame({"a": [{"x": 1}]}), "column 'a' holds values of type Struct"),
        (pd.DataFrame({"a": [[1], [2]]}), "column 'a' holds values of type list"),
        (np.array([[1j]]), "column '0' holds values of type complex"),
        (np.array([[b"\xff"]]), "column '0' holds bytes that are not UTF-8 text"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns of the frame have the same name: .*'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns of the frame are named '1'"),
        (
            pl.DataFrame({"a": range(1025)}),
            r"column 'a' has 1025 states, one for each row, .* or discretise it with discretize='frequency:3'$",
        ),
        (
            pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum([f"x{k}" for k in range(2000)] + ["x"]))}),
            r"column 'a' has 2001 states; leave it out with drop=\['a'\] or pass max_states=2001",
        ),
    ],
)
def test_what_cannot_be_a_dataset(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset.from_frame(frame)


def test_wrong_names_and_weights() -> None:
    array = np.array([[1, 20], [3, 4]])
    with pytest.raises(DataError, match="variables has 1 names for 2 columns"):
        Dataset.from_frame(array, variables=["a"])
    with pytest.raises(DataError, match="variables must differ"):
        Dataset.from_frame(array, variables=["a", "a"])
    with pytest.raises(DataError, match="variables can be given for arrays only"):
        Dataset.from_frame(pl.DataFrame({"a": [1]}), variables=["a"])
    with pytest.raises(DataError, match="there is no column 'w' to take weights from"):
        Dataset.from_frame(array, weights="w")
    with pytest.raises(DataError, match="weights must be non-negative numbers, but column 'w' has '-1'"):
        Dataset.from_frame(pl.DataFrame({"a": [1, 2], "w": [1, -1]}), weights="w")
    with pytest.raises(DataError, match="weights must be non-negative numbers, but column 'w' has None"):
        Dataset.from_frame(pl.DataFrame({"a": [1, 2], "w": [1.0, None]}), weights="w")


def test_datasets_for_pandas_and_polars() -> None:
    data = Dataset({"a": ("no", "yes", "maybe"), "b": ("0", "1")}, np.array([[0, 1], [1, -1], [0, 0]]))
    pandas = data.to_pandas()
    assert pandas["a"].tolist() == ["no", "yes", "no"]
    assert pandas["a"].cat.categories.tolist() == ["no", "yes", "maybe"]
    assert pandas["b"].isna().tolist() == [False, True, False]
    assert Dataset.from_frame(pandas, missing="keep") == data
    assert Dataset.from_frame(data.to_polars(), missing="keep") == data


def test_tables_of_results_for_pandas_and_polars() -> None:
    data = credenet.datasets.asia(200, seed=1)
    confidence = credenet.bootstrap(data, method="chow_liu", n_samples=3)
    assert confidence.to_polars().rows() == [
        (*pair, shares.joined, *shares[:3]) for pair, shares in confidence.pairs.items()
    ]
    assert confidence.to_pandas()["joined"].tolist() == [shares.joined for shares in confidence.pairs.values()]
    families = credenet.score_families(data, max_parents=1)
    assert families.to_pandas()["score"].tolist() == families.to_polars()["score"].to_list()


def test_pandas_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_pandas needs pandas: pip install pandas"):
        credenet.datasets.asia(3).to_pandas()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.none() | st.text(max_size=15), max_size=20), min_size=1, max_size=3),
    st.integers(0, 5),
    st.sampled_from([pl.String, pl.Categorical]),
)
def test_columns_of_strings_come_back_from_their_labels(
    parts: list[list[str | None]], n_left_out: int, kind: type[pl.DataType]
) -> None:
    chunks = [pl.Series("a", part, dtype=pl.String) for part in parts]
    column = pl.concat(chunks, rechunk=False)[n_left_out:].cast(kind)
    raw = polars_column("a", column)
    assert raw is not None
    where = np.empty(len(column), dtype=np.uint16)
    raw.write(np.arange(len(raw.labels), dtype=np.uint16), where)
    expected = [cell for part in parts for cell in part][n_left_out:]
    assert [raw.labels[at] for at in where] == expected
    assert raw.counts == [expected.count(label) for label in raw.labels]
    assert len(set(raw.labels)) == len(raw.labels)
