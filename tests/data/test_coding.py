"""How labels become states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet.data.coding import CodingOptions, code_column
from credenet.data.labels import is_integer, is_number
from credenet.data.raw_columns import RawColumn
from credenet.errors import DataError

labels = st.lists(st.none() | st.sampled_from(["?", "NA", ""]) | st.text("ab01-", max_size=3), unique=True, min_size=1)


def raw(labels: list[str | None], counts: list[int] | None = None, **fields: Any) -> RawColumn:
    def write(code_of_label: Any, out: Any) -> None:
        raise AssertionError("rows are not looked at here")

    return RawColumn("c", labels, counts or [1] * len(labels), write, **fields)


@pytest.mark.parametrize("text", ["0", "-1", "+12", "007"])
def test_integers(text: str) -> None:
    assert is_integer(text)
    assert is_number(text)


@pytest.mark.parametrize("text", ["1.", ".5", "1e3", "-2.5E-7", "+0.0"])
def test_other_numbers(text: str) -> None:
    assert not is_integer(text)
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "-", ".", "1e", "0x1", "1_000", "inf", "nan", " 1", "1 ", "\u0663", "1,5"])
def test_no_numbers(text: str) -> None:
    assert not is_integer(text)
    assert not is_number(text)


@given(labels, st.sampled_from(["declared", "observed"]))
@settings(max_examples=200, deadline=None)
def test_every_label_has_its_own_state(found: list[str | None], states: Any) -> None:
    coded = code_column(raw(found, [k + 1 for k in range(len(found))]), CodingOptions(states=states))
    for label, code in zip(found, coded.code_of_label.tolist(), strict=True):
        missing = label in (None, "", "?", "NA")
        assert (code == -1) == missing
        assert missing or coded.states[code] == label
    present = [label for label in found if label not in (None, "", "?", "NA")]
    integers = all(label is not None and is_integer(label) for label in present)
    assert set(coded.states) == set(present)
    assert list(coded.states) == sorted(coded.states, key=(lambda label: (int(label), label)) if integers else None)
    gaps = [k + 1 for k, label in enumerate(found) if label in (None, "", "?", "NA")]
    assert coded.n_missing == sum(gaps)


def test_numbers_that_are_integers_are_one_state() -> None:
    coded = code_column(raw(["1", "1.0", "10e0", "2"]), CodingOptions())
    assert coded.states == ("1", "2", "10")
    assert coded.code_of_label.tolist() == [0, 0, 2, 1]


def test_declared_states() -> None:
    column = raw(["b", "NA", None, "?"], declared=("NA", "a", "b"))
    coded = code_column(column, CodingOptions())
    assert coded.states == ("NA", "a", "b")
    assert coded.code_of_label.tolist() == [2, 0, -1, -1]
    observed = code_column(column, CodingOptions(states="observed"))
    assert observed.states == ("NA", "b")
    assert observed.code_of_label.tolist() == [1, 0, -1, -1]
    with pytest.raises(DataError, match="column 'c' has the value 'x' on line 7, which is none of its states"):
        code_column(raw(["x"], declared=("a",), lines=[7]), CodingOptions())


def test_the_number_of_states_is_bounded() -> None:
    column = raw([f"x{k}" for k in range(4)], [2] * 4)
    assert len(code_column(column, CodingOptions(max_states=4)).states) == 4
    with pytest.raises(
        DataError, match=r"column 'c' has 4 states; leave it out with drop=\['c'\] or pass max_states=4"
    ):
        code_column(column, CodingOptions(max_states=3))
    with pytest.raises(
        DataError,
        match=r"column 'c' has 4 states; leave .* discretise it with discretize='frequency:3' or pass max_states=4",
    ):
        code_column(raw(["1", "2", "3", "4"], [2] * 4), CodingOptions(max_states=3))


def test_cuts_take_counts_into_account() -> None:
    column = raw(["0.5", "1.5", "2.5", "?"], [8, 1, 1, 5])
    coded = code_column(column, CodingOptions(discretize="median"))
    assert coded.cuts == (0.5,)
    assert coded.code_of_label.tolist() == [0, 1, 1, -1]
    assert np.array_equal(coded.code_of_label >= 0, [True, True, True, False])


def test_one_label_among_fractional_numbers_is_refused(tmp_path: Path) -> None:
    """A column of measurements with a typing error would otherwise have hundreds of states."""
    cells = [f"{k}.5" for k in range(20)]
    cells[7] = "o.5"
    (tmp_path / "t.csv").write_text("a\n" + "\n".join(cells) + "\n")
    for discretize in (None, "median"):
        with pytest.raises(DataError, match=r"column 'a' holds fractional numbers and 'o.5' on line 9, which is not a"):
            credenet.read(tmp_path / "t.csv", discretize=discretize)
    (tmp_path / "t.csv").write_text("a\n0.5\n1.5\nlow\n")  # The column may well hold labels.
    assert credenet.read(tmp_path / "t.csv").states["a"] == ("0.5", "1.5", "low")


def test_declared_integers_can_be_discretised_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.dat").write_text("a b\n5 2\n0 1\n3 0\n4 1\n")
    data = credenet.read(tmp_path / "t.dat", discretize={"a": "cuts:1.5"})
    assert data.states["a"] == ("<=1.5", ">1.5")
    assert data.states["b"] == ("0", "1")
    assert data.codes[:, 0].tolist() == [0, 1, 1]
