"""Cut points against their definitions in plain Python."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from credenet import Dataset
from credenet.data.discretize import Discretization, interval_labels, method_from
from credenet.discretize import Cuts, EqualFrequency, EqualWidth, Median
from credenet.errors import ArgumentError, DataError

numbers = st.lists(st.integers(-50, 50).map(lambda k: k / 4) | st.floats(-1e6, 1e6), min_size=1, max_size=30)


def cut_points(method: Discretization, column: list[float]) -> tuple[float, ...]:
    counts = Counter(column)
    values = sorted(counts)
    return method.cut_points(np.array(values), np.array([counts[value] for value in values]))


@given(numbers, st.integers(2, 7))
@settings(max_examples=200, deadline=None)
def test_equal_width(column: list[float], bins: int) -> None:
    cuts = cut_points(EqualWidth(bins), column)
    low, high = min(column), max(column)
    assume(high == low or high - low > 1e-300)  # The width of a bin must not vanish by rounding.
    wanted = [low + (high - low) * k / bins for k in range(1, bins)] if low < high else []
    assert cuts == pytest.approx(wanted, rel=1e-9, abs=1e-9 * (high - low))


def test_equal_width_of_the_widest_range() -> None:
    assert cut_points(EqualWidth(2), [-1.7e308, 0.0, 1.7e308]) == (0.0,)
    assert cut_points(EqualWidth(4), [0.0, 1.0, 2.0]) == (0.5, 1.0, 1.5)


@given(numbers, st.integers(2, 7))
@settings(max_examples=200, deadline=None)
def test_equal_frequency(column: list[float], bins: int) -> None:
    cuts = cut_points(EqualFrequency(bins), column)
    values = sorted(set(column))
    upto = {value: sum(other <= value for other in column) for value in values}
    wanted = set()
    for k in range(1, bins):
        target = len(column) * k / bins
        nearest = min(abs(upto[value] - target) for value in values)
        candidates = [value for value in values if abs(upto[value] - target) == nearest]
        wanted.add(candidates[-1])  # The larger of two equally near values counts.
    assert cuts == tuple(sorted(wanted - {values[-1]}))


@given(numbers)
@example([5e-324, 5e-324, 1.0])
@example([1.7e308, 1.7e308])
@settings(max_examples=200, deadline=None)
def test_median(column: list[float]) -> None:
    cuts = cut_points(Median(), column)
    ordered = sorted(column)
    half = len(ordered) // 2
    median = ordered[half] if len(ordered) % 2 else ordered[half - 1] / 2 + ordered[half] / 2
    assert len(ordered) % 2 == 0 or median == statistics.median(column)
    above = [value > median for value in column]
    if not any(above):
        above = [value >= median for value in column]
    states = [sum(value > cut for cut in cuts) == 1 for value in column]
    assert (cuts == ()) == (len(set(column)) == 1)
    is_clear = ordered[half] != ordered[half - 1]  # Rounding cannot put the median on the wrong side.
    assert states == above or not is_clear or cuts == ()
    assert len(set(states)) == min(2, len(set(column)))


@given(numbers, st.sampled_from(["width:3", "width:5", "frequency:2", "frequency:4", "median"]))
@settings(max_examples=100, deadline=None)
def test_states_hold_what_their_labels_say(column: list[float], method: str) -> None:
    array = np.array(column).reshape(-1, 1)
    data = Dataset.from_frame(array, discretize={"0": method})
    cuts = data.cuts["0"]
    assert len(data.states["0"]) == len(cuts) + 1
    assert data.codes[:, 0].tolist() == [sum(cut < value for cut in cuts) for value in column]
    assert set(data.codes[:, 0].tolist()) == set(range(len(cuts) + 1)) or method.startswith("width")
    again = Dataset.from_frame(array, discretize=data.cuts)
    assert again == data


def test_columns_that_need_it_are_cut() -> None:
    table = np.array([[0, 0.5, 7], [1, 1.5, 7], [2, 2.5, 7]], dtype=object)
    data = Dataset.from_frame(table, discretize="width:2")
    assert data.states == {"0": (0, 1, 2), "1": ("<=1.5", ">1.5"), "2": (7,)}
    by_name = Dataset.from_frame(table, discretize={"0": [0.5], "1": Median()})
    assert by_name.states == {"0": ("<=0.5", ">0.5"), "1": ("<=1.5", ">1.5"), "2": (7,)}
    many = Dataset.from_frame(np.arange(40).reshape(-1, 1), discretize="frequency:4", max_states=39)
    assert many.states["0"] == ("<=9", "(9,19]", "(19,29]", ">29")
    assert np.bincount(many.codes[:, 0]).tolist() == [10, 10, 10, 10]


def test_a_default_and_exceptions() -> None:
    table = np.array([[0, 0.5, 1.5, 7], [1, 1.5, 2.5, 7], [2, 2.5, 7.5, 7]], dtype=object)
    data = Dataset.from_frame(table, discretize={"*": "width:2", "2": "cuts:2,5", "0": "median"})
    assert data.states == {"0": ("<=1", ">1"), "1": ("<=1.5", ">1.5"), "2": ("<=2", "(2,5]", ">5"), "3": (7,)}
    plain = Dataset.from_frame(table, discretize={"*": "width:2"})
    assert plain == Dataset.from_frame(table, discretize="width:2")
    star = pl.DataFrame({"*": [0.5, 1.5], "b": [1, 2]})
    with pytest.raises(DataError, match=r"'\*' in discretize may mean a column or all others; rename the column"):
        Dataset.from_frame(star, discretize={"*": "median"})
    with pytest.raises(DataError, match=r"for instance with discretize=\{'0': 'median', '\*': 'frequency:3'\}"):
        Dataset.from_frame(table, discretize={"0": "median"})


def test_whole_numbers_that_a_default_leaves_are_named() -> None:
    rows = {"dose": [k + 0.5 for k in range(40)], "age": range(40), "sex": [k % 2 for k in range(40)]}
    frame = pl.DataFrame({**rows, "score": [k % 5 for k in range(40)], "grade": [k % 4 for k in range(40)]})
    data = Dataset.from_frame(frame.drop("age"), discretize="frequency:4")
    assert data.states["score"] == (0, 1, 2, 3, 4)
    advice = "discretize={'*': 'frequency:4', 'score': 'frequency:4'}"
    assert data.info().remarks == (
        "discretize='frequency:4' cut column 'dose' and left column 'score', whose whole numbers are states of their "
        f"own; to cut it, too, pass {advice}",
    )
    followed = Dataset.from_frame(frame.drop("age"), discretize={"*": "frequency:4", "score": "frequency:4"})
    assert len(followed.states["score"]) == 4
    assert followed.info().remarks == ()
    assert Dataset.from_frame(frame.drop("age"), discretize={"dose": "frequency:4"}).info().remarks == ()
    (left, _) = Dataset.from_frame(frame.drop("dose"), discretize="frequency:4").info().remarks
    assert left.startswith("discretize='frequency:4' cut no column and left column 'score', whose")


def test_missing_cells_are_not_cut() -> None:
    data = Dataset.from_frame(np.array([[0.5], [np.nan], [2.5]]), discretize="cuts:1", missing="keep")
    assert data.codes[:, 0].tolist() == [0, 255, 1]


def test_labels() -> None:
    assert interval_labels([]) == ("all",)
    assert interval_labels([1.5]) == ("<=1.5", ">1.5")
    assert interval_labels([-1, 2.25, 1e9]) == ("<=-1", "(-1,2.25]", "(2.25,1e+09]", ">1e+09")
    close = interval_labels([1.00000001, 1.00000002])
    assert len(set(close)) == 3
    assert close[0] == "<=1.00000001"


@pytest.mark.parametrize(
    ("short", "method"),
    [
        ("width", EqualWidth(3)),
        ("width:4", EqualWidth(4)),
        ("frequency", EqualFrequency(3)),
        ("frequency:2", EqualFrequency(2)),
        ("median", Median()),
        ("cuts:1.5,3", Cuts((1.5, 3.0))),
        ([1, 2.5], Cuts((1.0, 2.5))),
        (np.array([1, 2.5]), Cuts((1.0, 2.5))),
        (Median(), Median()),
    ],
)
def test_short_forms(short: Any, method: Discretization) -> None:
    assert method_from(short) == method


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("width:1", "bins must be at least 2, got 1"),
        ("frequency:-3", "bins must be at least 2, got -3"),
        ("width:x", r"discretize must be 'width:BINS', 'frequency:BINS', 'median' or 'cuts:A,B,…', got 'width:x'"),
        ("width:2.5", "discretize must be"),
        ("median:2", "discretize must be"),
        ("cuts:", "discretize must be"),
        ("cuts:a", "discretize must be"),
        ("", "discretize must be"),
        ("cuts:2,1", r"cut points must be finite and increasing, got \(2.0, 1.0\)"),
        ("cuts:1,1", "cut points must be finite and increasing"),
        ("cuts:nan", "cut points must be finite and increasing"),
        (["x"], "discretize must be"),
        (4, "discretize must be"),
    ],
)
def test_wrong_methods(method: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Dataset.from_frame(np.array([[0.5], [1.0]]), discretize=method)


def test_only_numbers_can_be_cut() -> None:
    with pytest.raises(DataError, match=r"column '0' cannot be discretised: it is not made of numbers \(it has 'x'\)"):
        Dataset.from_frame(np.array([["1"], ["x"]]), discretize={"0": "median"})
    with pytest.raises(DataError, match=r"column '0' cannot be discretised.*\(it has no values\)"):
        Dataset.from_frame(np.array([["?"]]), discretize={"0": "median"}, missing="keep")
