"""Datasets: what they check, hold and hand out."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
from credenet import Dataset
from credenet.errors import DataError

STATES = {"a": ("no", "yes"), "b": ("x", "y", "z")}


@pytest.fixture
def data() -> Dataset:
    return Dataset(STATES, np.array([[0, 2], [1, 0], [-1, 2], [1, 1]]), weights=np.array([1, 0.5, 2, 0]))


def test_what_it_holds(data: Dataset) -> None:
    assert data.variables == ("a", "b")
    assert dict(data.states) == STATES
    assert (data.n_rows, len(data), data.n_variables) == (4, 4, 2)
    assert data.n_states.tolist() == [2, 3]
    assert data.codes.dtype == np.uint8
    assert data.codes.flags.f_contiguous
    assert data.codes.tolist() == [[0, 2], [1, 0], [255, 2], [1, 1]]
    assert (data.missing_code, data.missing) == (255, {"a": 1})
    assert repr(data) == "<Dataset 4 rows, 2 variables, weighted>"


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8, np.uint16, np.uint64])
def test_codes_of_any_integer_type(dtype: Any) -> None:
    gap = -1 if np.issubdtype(dtype, np.signedinteger) else np.iinfo(dtype).max
    codes = np.array([[0, 2], [1, gap]], dtype=dtype)
    for given in (codes, np.asfortranarray(codes), codes[::-1][::-1]):
        data = Dataset(STATES, given)
        assert data.codes.dtype == np.uint8
        assert data.codes.tolist() == [[0, 2], [1, 255]]


@pytest.mark.parametrize(
    ("n_states", "dtype"), [(254, np.uint8), (255, np.uint8), (256, np.uint16), (257, np.uint16), (65535, np.uint16)]
)
def test_the_last_state_is_not_taken_for_a_missing_cell(n_states: int, dtype: Any) -> None:
    states = {"a": [str(k) for k in range(n_states)]}
    data = Dataset(states, np.arange(n_states).reshape(-1, 1))
    assert data.codes.dtype == dtype
    assert data.missing == {}
    assert data.codes[:, 0].tolist() == list(range(n_states))
    assert data.aligned({"a": states["a"][::-1]}).codes[:, 0].tolist() == list(range(n_states))[::-1]
    holed = Dataset(states, np.array([[-1], [n_states - 1]]))
    assert holed.missing == {"a": 1}
    assert holed.to_polars()["a"].to_list() == [None, str(n_states - 1)]


def test_the_caller_cannot_change_it(data: Dataset) -> None:
    codes = np.zeros((3, 2), dtype=np.uint8, order="F")
    weights = np.ones(3)
    made = Dataset(STATES, codes, weights=weights)
    codes[:] = 200
    weights[:] = -1
    assert made.codes.tolist() == [[0, 0]] * 3
    assert made.weights is not None
    assert made.weights.tolist() == [1.0] * 3
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0, 0] = 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        data.variables = ()
    with pytest.raises(TypeError):
        data.states["a"] = ()  # type: ignore[index]
    with pytest.raises(TypeError, match="unhashable"):
        hash(data)


@pytest.mark.parametrize(
    ("states", "codes", "message"),
    [
        (STATES, [[0, 3]], r"variable 'b' has codes outside 0..2"),
        (STATES, [[-2, 0]], r"variable 'a' has codes outside 0..1"),
        (STATES, [[0]], "codes must have one column for each of the 2 variables"),
        (STATES, [0, 1], "codes must have one column for each of the 2 variables"),
        (STATES, [[0.5, 1]], "codes must be integers, got float64"),
        ({"a": ("x", "x")}, [[0]], "variable 'a' has two states of the same name"),
        ({"a": ()}, [[-1]], "variable 'a' has no states"),
        ({"a": [str(k) for k in range(65536)]}, [[0]], "a variable has 65536 states; at most 65535 can be held"),
    ],
)
def test_wrong_parts(states: Any, codes: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset(states, np.array(codes))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "weights must be one number for each of the 2 rows"),
        ([1.0, -1.0], "weights must be finite and not negative"),
        ([1.0, float("nan")], "weights must be finite"),
        ([1.0, float("inf")], "weights must be finite"),
    ],
)
def test_wrong_weights(weights: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset({"a": ("x",)}, np.zeros((2, 1), dtype=int), weights=np.array(weights))


def test_equality_and_pickling(data: Dataset) -> None:
    assert pickle.loads(pickle.dumps(data)) == data
    assert data.take(slice(None)) == data
    assert data != Dataset(STATES, np.asarray(data.codes))
    assert data != Dataset({"a": ("yes", "no"), "b": STATES["b"]}, np.asarray(data.codes), weights=data.weights)
    assert data.take([0, 1]) != data.take([1, 0])
    assert data != "data"


def test_select_and_take(data: Dataset) -> None:
    chosen = data.select(["b", "a"])
    assert chosen.variables == ("b", "a")
    assert chosen.codes.tolist() == [[2, 0], [0, 1], [2, 255], [1, 1]]
    for rows in ([3, 0], np.array([3, 0]), slice(3, None, -3)):
        taken = data.take(rows)
        assert taken.codes.tolist() == [[1, 1], [0, 2]]
        assert taken.weights is not None
        assert taken.weights.tolist() == [0.0, 1.0]
        assert dict(taken.states) == STATES
    assert data.take(np.array([True, False, False, False])).codes.tolist() == [[0, 2]]
    assert len(data.take([])) == 0
    assert data.take([]).missing == {}
    with pytest.raises(DataError, match="there is no variable 'c'"):
        data.select(["a", "c"])
    with pytest.raises(DataError, match="variables must differ"):
        data.select(["a", "a"])


def test_aligned_to_other_states(data: Dataset) -> None:
    other = data.aligned({"b": ("w", "z", "y", "x")})
    assert other.codes[:, 0].tolist() == [1, 3, 1, 2]
    assert other.weights is not None
    assert data.aligned({"a": ("yes", "no")}).codes[:, 0].tolist() == [1, 0, 255, 0]
    assert data.aligned(STATES) is data
    with pytest.raises(DataError, match="the data have no variable 'c'"):
        data.aligned({"c": ("x",)})
    with pytest.raises(DataError, match=r"variable 'b' has the value 'z' \(row 1\), which is none of the states x, y"):
        data.aligned({"b": ("x", "y")})
    assert data.take([1, 3]).aligned({"b": ("x", "y")}).codes[:, 0].tolist() == [0, 1]


def test_to_polars(data: Dataset) -> None:
    frame = data.to_polars()
    assert frame["a"].to_list() == ["no", "yes", None, "yes"]
    assert frame["b"].dtype == pl.Enum(["x", "y", "z"])
    assert Dataset.from_frame(frame, missing="keep").codes.tolist() == data.codes.tolist()


def test_info() -> None:
    states = {"a": ("0", "1"), "b": ("0", "1"), "c": ("0", "1", "2"), "d": ("0", "1"), "e": ("0", "1")}
    codes = np.array([[0, 1, 1, 0, 0], [1, 0, 1, -1, 1], [1, 0, 1, 1, -1]])
    info = Dataset(states, codes, weights=np.array([1.0, 2.0, 0.25])).info()
    assert info.n_rows == 3
    assert info.counts == {
        "a": {"0": 1, "1": 2},
        "b": {"0": 2, "1": 1},
        "c": {"0": 0, "1": 3, "2": 0},
        "d": {"0": 1, "1": 1},
        "e": {"0": 1, "1": 1},
    }
    assert info.missing == {"d": 1, "e": 1}
    assert info.constant == ("c",)
    assert info.duplicates == (("a", "b"),)  # Columns d and e miss different cells.
    assert info.total_weight == 3.25
    assert info.bytes == 15 + 24
    assert info.to_dict()["missing"] == {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1}
    assert Dataset(states, codes[:0]).info().constant == tuple("abcde")


def test_sampled_datasets_by_name() -> None:
    for name in credenet.datasets.__all__:
        data = getattr(credenet.datasets, name)(50, seed=3)
        network = getattr(credenet.textbook, name)()
        assert data == network.sample(50, seed=3)


def test_errors_count_the_rows_of_the_source_after_changes_of_columns() -> None:
    frame = pl.DataFrame({"a": ["x", None, "y", "z"], "b": ["u", "v", "u", "v"]})
    data = Dataset.from_frame(frame, missing="drop")
    without = {"a": ["x", "y"], "b": ["u", "v"]}
    changed = [
        data,
        data.select(["a", "b"]),
        data.merge_states("b", {"uv": ["u", "v"]}),
    ]
    for each in changed:
        states = {name: labels for name, labels in without.items() if name == "a"}
        with pytest.raises(DataError, match=r"has the value 'z' \(row 4\)"):
            each.aligned(states)
