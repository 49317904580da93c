"""Remarks on tables: what is odd about them, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
from credenet import Dataset, read
from shared import shared_data


def remarks_on(columns: Mapping[str, Sequence[object]], n_rows: int = 200, **options: Any) -> tuple[str, ...]:
    """Remarks on a table of these columns beside an ordinary one."""
    usual = [("no", "yes")[k * k % 3 == 0] for k in range(n_rows)]
    frame = pl.DataFrame({"usual": usual, **{name: list(map(str, values)) for name, values in columns.items()}})
    return Dataset.from_frame(frame, **options).info().remarks


def test_an_ordinary_table_gives_no_remark() -> None:
    assert credenet.textbook.asia().sample(500, seed=3).info().remarks == ()
    assert remarks_on({"age": [f"{k % 7}0-{k % 7}9" for k in range(200)], "n": [k % 20 for k in range(200)]}) == ()


def test_identifiers() -> None:
    (remark,) = remarks_on({"id": [f"P{k}" for k in range(200)]})
    assert remark == (
        "column 'id' has a different value in nearly every row, as identifiers have; leave it out with drop=['id']"
    )
    (remark,) = remarks_on({"a": range(200), "b": [k // 10 if k < 20 else k for k in range(200)]})
    assert remark.startswith("columns 'a', 'b' have a different value")
    assert remark.endswith("leave them out with drop=['a', 'b']")


def test_long_lists_are_shortened() -> None:
    (remark,) = remarks_on({f"id{k}": [f"{k}-{row}" for row in range(200)] for k in range(18)})
    assert remark.startswith("columns 'id0', 'id1', 'id2', 'id3', 'id4', 'id5', … and 12 more have")
    assert remark.endswith("drop=['id0', 'id1', 'id2', 'id3', 'id4', 'id5', ...]")


@pytest.mark.parametrize(
    "dates",
    [
        ["2020-01-05", "2021-12-31", "1999-06-30"],
        ["05.01.2020", "31.12.2021", "1.1.99"],
        ["1/5/2020 10:30", "12/31/2021 23:59:59", "6/30/1999 1:05 PM"],
        ["2020-01-05T10:30:00Z", "2021-12-31T00:00:00.5+01:00", "1999-06-30 12:00"],
    ],
)
def test_dates(dates: list[str]) -> None:
    (remark,) = remarks_on({"visit": [dates[k % 3] for k in range(200)]})
    assert remark.startswith("column 'visit' has dates, each a state of its own; leave it out with drop=['visit'] or")


def test_free_text() -> None:
    notes = [f"the patient was seen on day {k}" for k in range(200)]
    assert remarks_on({"note": notes}) == ("column 'note' has free text; leave it out with drop=['note']",)


def test_whole_numbers_and_rare_states() -> None:
    (remark,) = remarks_on({"age": [k % 60 for k in range(200)]})
    assert "column 'age' has more than 30 whole numbers as states, whose order is not used" in remark
    assert remark.endswith("discretize={'age': 'frequency:5'}")
    assert remarks_on({name: [k % 60 for k in range(200)] for name in "abcd"})[0].endswith(
        "discretize={'a': 'frequency:5', 'b': 'frequency:5', 'c': 'frequency:5'} and likewise for the others"
    )
    (remark,) = remarks_on({"town": [f"town {k % 60}" for k in range(200)]})
    assert remark.startswith("column 'town' has fewer than 5 rows for each state; leave it out")


def test_advice_on_whole_numbers_keeps_the_methods_given() -> None:
    """The mapping alone would leave the cut column uncut, which is an error."""
    columns: dict[str, list[object]] = {"age": [k % 60 for k in range(200)], "dose": [k / 7 for k in range(200)]}
    remark = remarks_on(columns, discretize={"dose": "median"})[-1]
    assert remark.endswith("group them with discretize={'age': 'frequency:5'}, besides the methods given")


def test_constant_and_equal_columns() -> None:
    (constant, equal) = remarks_on(
        {"one": ["x"] * 200, "a": [k % 3 for k in range(200)], "b": ["uvw"[k % 3] for k in range(200)]}
    )
    assert constant.startswith("column 'one' has one state in all rows")
    assert constant.endswith("drop=['one']")
    assert equal == (
        "columns are equal but for the names of their states: 'a' = 'b'; leave out all but one with drop=['b']"
    )


def test_few_rows() -> None:
    rng = np.random.default_rng(1)
    columns = {f"v{k}": rng.integers(0, 4, 32).tolist() for k in range(57)}
    (remark,) = remarks_on(columns, 32)
    assert remark.startswith("32 rows are few for 58 variables with 230 states in all")
    assert "score='bic' or max_parents=2" in remark


@pytest.mark.parametrize(
    ("labels", "is_odd"),
    [
        (["None", "yes", "no"], True),
        (["None", "Mild", "Severe"], False),
        (["none", "mild", "severe"], False),
        (["-", "a", "b"], True),
        (["-9", "0", "1"], True),
        (["-9", "-8", "1"], False),
        (["n.a.", "1", "2"], True),
    ],
)
def test_states_that_may_be_missing_cells(labels: list[str], is_odd: bool) -> None:
    remarks = remarks_on({"a": [labels[k % 3] for k in range(200)], "b": [labels[k % 7 % 3] for k in range(200)]})
    expected = (
        f"columns 'a', 'b' have the state {labels[0]!r}; if that stands for a missing cell, "
        f"pass na_values=[{labels[0]!r}]",
    )
    assert remarks == (expected if is_odd else ())


def test_numbers_of_rows_that_were_cut(tmp_path: Path) -> None:
    lines = [f"{k},{k * k % 17}.5,{k % 2}" for k in range(1, 2001)]
    (tmp_path / "t.csv").write_text("id,dose,reply\n" + "\n".join(lines) + "\n")
    (remark,) = read(tmp_path / "t.csv", discretize="frequency:3").info().remarks
    assert remark == "column 'id' numbers the rows and was cut into intervals; leave it out with drop=['id']"
    assert read(tmp_path / "t.csv", discretize={"id": "median", "dose": "median"}).info().remarks == ()


def test_information_is_computed_once() -> None:
    data = credenet.textbook.asia().sample(50)
    assert data.info() is data.info()
    assert data.info().to_dict()["remarks"] == list(data.info().remarks)
    with pytest.raises(TypeError):
        data.info().missing["asia"] = 3  # type: ignore[index]


def test_they_are_printed_below_the_table() -> None:
    data = Dataset({"a": ("x",), "b": ("0", "1")}, np.array([[0, 0], [0, 1]]))
    assert str(data.info()).splitlines()[-1].startswith("remark: column 'a' has one state in all rows")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("asia_1000.dat", 0),
        ("car.csv.gz", 0),
        ("breast-cancer.csv", 1),
        ("hailfinder-bnlearn.csv.gz", 1),
        ("alarm-bnlearn.csv.gz", 0),
        ("mildew1000.csv.gz", 3),
    ],
)
def test_well_known_tables(name: str, expected: int) -> None:
    data = read(shared_data(f"datasets/{name}"), missing="keep")
    assert len(data.info().remarks) == expected, data.info().remarks
