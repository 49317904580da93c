"""Labels keep the type of the frame: what comes out of data and networks is equal to what went in."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import BayesianNetwork, Dataset
from credenet.data.states import check_labels, find_state, label_kind
from credenet.errors import ArgumentError, DataError, NetworkError

VALUES = {
    "integer": st.integers(-3, 12),
    "boolean": st.booleans(),
    "text": st.sampled_from(["no", "yes", "1", "0", "True"]),
}
DTYPES = {"integer": "i", "boolean": "b"}
MAKERS: dict[str, Any] = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}


@st.composite
def typed_columns(draw: st.DrawFn, least: int = 1) -> dict[str, list[Any]]:
    """A column of each type, without gaps."""
    n_rows = draw(st.integers(least, 12))
    return {kind: draw(st.lists(VALUES[kind], min_size=n_rows, max_size=n_rows)) for kind in VALUES}


@given(typed_columns(), st.sampled_from(sorted(MAKERS)))
@settings(max_examples=100, deadline=None)
def test_frames_come_back_as_they_were(columns: dict[str, list[Any]], kind: str) -> None:
    data = Dataset.from_frame(MAKERS[kind](columns))
    for name, values in columns.items():
        assert label_kind(data.states[name]) == name
        assert data.states[name] == tuple(sorted(set(values)))
        assert data.to_polars()[name].to_list() == values
        back = data.to_pandas()[name]
        assert back.tolist() == values
        assert back.dtype.kind == DTYPES.get(name, back.dtype.kind)
    text = Dataset.from_frame(MAKERS[kind]({name: list(map(str, values)) for name, values in columns.items()}))
    assert len(data) == len(text)
    are_alike = all(values == sorted(values, key=str) for values in map(list, data.states.values()))
    assert not are_alike or data.digest() == text.digest()
    assert not are_alike or (data == text) == (data.states == text.states)


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=1, max_size=9).filter(any))
@settings(max_examples=60, deadline=None)
def test_integers_with_gaps(values: list[int | None]) -> None:
    """Pandas makes floats of them, objects, or a type of its own."""
    for column in (pd.Series(values, dtype="Int64"), pd.Series(values, dtype=float), pd.Series(values, dtype=object)):
        data = Dataset.from_frame(pd.DataFrame({"a": column}), missing="keep")
        assert data.states["a"] == tuple(sorted({value for value in values if value is not None}))
        assert [type(label) for label in data.states["a"]] == [int] * len(data.states["a"])
        assert data.to_polars()["a"].to_list() == values
        assert [None if value is pd.NA else value for value in data.to_pandas()["a"].tolist()] == values


def test_states_of_odd_columns() -> None:
    frame = pd.DataFrame({"mixed": [1, True, "x"], "floats": [1.0, 2.0, 1.0], "numpy": np.array([3, 1, 3], dtype="u1")})
    frame["category"] = pd.Categorical([2, 1, 2], categories=[3, 2, 1])
    frame["large"] = np.array([2**64 - 1, 0, 0], dtype=np.uint64)
    data = Dataset.from_frame(frame)
    assert data.states == {
        "mixed": ("1", "True", "x"),
        "floats": (1, 2),
        "numpy": (1, 3),
        "category": (3, 2, 1),
        "large": (0, 2**64 - 1),
    }
    assert data.to_pandas()["category"].tolist() == [2, 1, 2]
    # The number does not fit into signed 64 bits.
    assert data.to_polars()["large"].to_list() == [str(2**64 - 1), "0", "0"]
    gaps = pd.DataFrame({"a": [1, None, 0]})
    assert Dataset.from_frame(gaps, missing="state").states["a"] == ("0", "1", "missing")
    assert Dataset.from_frame(np.array([[True], [False]])).states["0"] == (False, True)
    assert Dataset.from_frame(np.arange(4.0).reshape(-1, 1), discretize={"0": "median"}).states["0"][0] == "<=1.5"


def test_merged_states() -> None:
    data = Dataset.from_frame(pd.DataFrame({"a": [0, 1, 2], "b": [True, False, True]}))
    assert data.merge_states("a", {"12": ["1", "2"]}).states["a"] == (0, 12)
    assert data.merge_states("a", {"1+": ["1", "2"]}).states["a"] == ("0", "1+")
    assert data.merge_states("b", {"any": ["True", "False"]}).states["b"] == ("any",)
    read = Dataset.from_frame(pd.DataFrame({"a": [0, 1, 2]}), merge_states={"a": {"2": ["1", "2"]}})
    assert read.states["a"] == (0, 2)


def fitted(columns: dict[str, list[Any]]) -> tuple[Dataset, BayesianNetwork]:
    data = Dataset.from_frame(pd.DataFrame(columns))
    dag = credenet.DAG(data.variables, [("integer", "boolean"), ("boolean", "text")])
    return data, credenet.fit(data, dag, smoothing="bdeu")


@given(typed_columns(least=2))
@settings(max_examples=30, deadline=None)
def test_answers_are_equal_to_the_column(columns: dict[str, list[Any]]) -> None:
    """Predictions, evidence, marginals, best states, samples, explanations and effects, by brute force over types."""
    data, network = fitted(columns)
    frame = pd.DataFrame(columns)
    as_text = BayesianNetwork(
        {name: list(map(str, labels)) for name, labels in network.states.items()},
        network.dag,
        {name: network.table(name) for name in network.variables},
    )
    for name in columns:
        predicted = network.predict(frame, name)
        assert np.asarray(predicted).dtype.kind == DTYPES.get(name, "U")
        assert 0 <= float((predicted == frame[name].to_numpy()).mean()) <= 1
        # The rows have types, and the network has text.
        assert list(map(str, predicted)) == as_text.predict(frame, name)
        assert network.predict(frame.astype(str), name) == predicted  # The rows are text, and the network has types.
        assert network.marginals()[name].keys() == set(columns[name])
        known = columns[name][0]
        for evidence in (known, str(known), np.array([known])[0]):
            answers = network.infer({name: evidence})
            assert answers.evidence == {name: known}
            assert answers.marginals()[name][known] == 1
            assert answers.mpe().assignment[name] == known
            assert as_text.infer({name: evidence}).log_evidence == pytest.approx(answers.log_evidence)
        assert network.infer({name: {known: 0.5}}).marginals()[name][known] == 1
        assert network.infer().map([name]).assignment[name] in columns[name]
        assert network.do({name: known}).marginals()[name][known] == 1
        effects = network.effects({name: known})
        assert all(list(effect.means) == [known] for effect in effects)
        json.loads(effects.to_json())
    assert network.log_likelihood(frame) == pytest.approx(as_text.log_likelihood(frame.astype(str)))
    assert network.sample(5).states == network.states == data.states
    assert credenet.marginal_errors(network, as_text).max_absolute_error < 1e-12
    explained = network.infer({"text": columns["text"][0]}).explain()
    assert all(state in columns[name] for one in explained for name, state in one.assignment.items())


@given(typed_columns(least=2))
@settings(max_examples=25, deadline=None)
def test_round_trips(tmp_path_factory: pytest.TempPathFactory, columns: dict[str, list[Any]]) -> None:
    folder = tmp_path_factory.getbasetemp()
    data, network = fitted(columns)
    for suffix in (".parquet", ".cnb"):
        data.save(folder / f"typed{suffix}")
        back = credenet.read(folder / f"typed{suffix}")
        assert back == data
        assert [label_kind(labels) for labels in back.states.values()] == list(VALUES)
    data.save(folder / "typed.csv")
    text = credenet.read(folder / "typed.csv")
    assert all(label_kind(labels) == "text" for labels in text.states.values())
    assert text.to_polars().rows() == [tuple(map(str, row)) for row in data.to_polars().rows()]
    network.save(folder / "typed.json")
    for same in (credenet.load(folder / "typed.json"), pickle.loads(pickle.dumps(network))):
        assert same == network
        assert [label_kind(labels) for labels in same.states.values()] == list(VALUES)
    assert pickle.loads(pickle.dumps(data)) == data
    for suffix in (".bif", ".xmlbif", ".xdsl", ".net", ".dsc"):
        network.save(folder / f"typed{suffix}")
        loaded = credenet.load(folder / f"typed{suffix}")
        assert {name: tuple(map(str, labels)) for name, labels in network.states.items()} == dict(loaded.states)
        assert loaded.predict(data, "boolean") == list(map(str, network.predict(data, "boolean")))


def test_declared_states_that_do_not_occur_are_kept(tmp_path: Path) -> None:
    data = Dataset({"a": (3, 1, 2), "b": (True, False)}, np.array([[0, 0], [1, 0]]))
    for suffix in (".parquet", ".cnb"):
        data.save(tmp_path / f"t{suffix}")
        assert credenet.read(tmp_path / f"t{suffix}") == data
    pl.read_parquet(tmp_path / "t.parquet").write_parquet(tmp_path / "others.parquet")
    assert credenet.read(tmp_path / "others.parquet").states == {"a": (1, 3), "b": (True,)}


def test_ingested_frames_and_files_keep_types(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 0, None, 1], "b": [True, None, False, True], "c": ["x", "1", "x", None]})
    expected = {"a": (0, 1), "b": (False, True), "c": ("1", "x")}
    frame.write_parquet(tmp_path / "t.parquet")
    for source in (frame, tmp_path / "t.parquet"):
        credenet.ingest(source, tmp_path / "t.cnb", missing="keep")
        data = credenet.read(tmp_path / "t.cnb", missing="keep")
        assert data.states == expected
        assert data.to_polars().rows() == frame.rows()
    assert credenet.read(tmp_path / "t.parquet", missing="keep").states == expected


@pytest.mark.parametrize(
    ("value", "labels", "place"),
    [
        (1, (0, 1), 1),
        (True, (0, 1), 1),
        (1.0, (0, 1), 1),
        (np.int8(1), (False, True), 1),
        ("1", (0, 1), 1),
        ("true", (False, True), 1),
        ("FALSE", (False, True), 0),
        (True, ("TRUE", "FALSE"), 0),
        (True, ("true", "True", "TRUE"), 1),
        (True, ("true", "TRUE"), None),
        (True, ("0", "1"), None),
        (1, ("1.0", "2"), 0),
        (1, ("1.0", "1.00"), None),
        (1, ("1.0", "1"), 1),
        (2, (0, 1), None),
        ("one", (0, 1), None),
        (float("nan"), ("nan", "x"), None),
        (None, ("None", "x"), None),
    ],
)
def test_which_state_a_value_means(value: object, labels: tuple[Any, ...], place: int | None) -> None:
    assert find_state(value, labels) == place


def test_labels_that_callers_give() -> None:
    network = BayesianNetwork(
        {"a": (0, 1), "b": list(np.array([False, True])), "c": [0, "x"]}, {}, dict.fromkeys("abc", [0.5] * 2)
    )
    assert network.states == {"a": (0, 1), "b": (False, True), "c": ("0", "x")}
    assert network.probability("a", 1) == network.probability("b", True) == network.probability("c", 0) == 0.5
    assert check_labels("states", range(2)) == (0, 1)
    with pytest.raises(NetworkError, match=r"variable 'a' has no state 2; it has 0, 1"):
        network.infer({"a": 2})
    with pytest.raises(NetworkError, match=r"variable 'a' has no state 2; it has 0, 1"):
        network.probability("a", 2)
    with pytest.raises(ArgumentError, match=r"variable 'a' has no state 2; it has 0, 1"):
        network.effects({"a": 2})
    with pytest.raises(DataError, match=r"variable 'a' has the value 2 \(row 2\), which is none of the states 0, 1"):
        network.log_likelihood(pd.DataFrame({"a": [1, 2], "b": [True, False], "c": ["0", "x"]}))
    for shown in (str(network), repr(network.infer({"a": 1})), str(network.infer({"b": True}))):
        assert "a" in shown
    assert json.loads(network.infer({"a": 1}, method="loopy_bp").to_json())["marginals"]["b"] == {
        "False": 0.5,
        "True": 0.5,
    }
