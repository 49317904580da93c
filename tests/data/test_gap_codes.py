"""Remarks on labels and numbers that may stand for missing cells, and advice on codes, spellings and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from credenet import Dataset
from credenet.errors import DataError


def remarks_on(columns: Mapping[str, Sequence[object]], **options: Any) -> tuple[str, ...]:
    return Dataset.from_frame(pl.DataFrame(columns), **options).info().remarks


@pytest.mark.parametrize(
    ("word", "is_odd"),
    [("k.A.", True), ("Unbekannt", True), ("no answer", True), ("Don't know", True), ("NA.", False), ("none", False)],
)
def test_words_that_say_nothing(word: str, is_odd: bool) -> None:
    remarks = remarks_on({"q": [word, "yes", "no", "no"] * 30})
    expected = f"column 'q' has the state {word!r}; if that stands for a missing cell, pass na_values=[{word!r}]"
    assert remarks == ((expected,) if is_odd else ())


def test_words_of_the_same_columns_share_a_remark() -> None:
    (remark,) = remarks_on({"q": ["k.A.", "unbekannt", "ja", "nein"] * 30})
    assert remark == (
        "column 'q' has the states 'k.A.', 'unbekannt'; if these stand for missing cells, "
        "pass na_values=['k.A.', 'unbekannt']"
    )
    assert remarks_on({"q": ["k.A.", "unbekannt", "ja", "nein"] * 30}, na_values=["k.A.", "unbekannt"], missing="drop")


@pytest.mark.parametrize(
    ("numbers", "far"),
    [
        ([160.5 + k % 40 for k in range(200)] + [-999.0] * 9, "-999"),
        ([18 + k % 70 for k in range(200)] + [999] * 9, "999"),
        ([1 + k % 5 for k in range(200)] + [9] * 9, "9"),
        ([18 + k % 70 for k in range(200)] + [99] * 9, None),  # The age of a person.
        ([1 + k % 3 for k in range(200)] + [9] * 9, None),  # Too few other numbers.
        ([1 + k % 5 for k in range(200)] + [12] * 9, None),
    ],
)
def test_numbers_far_from_all_others(numbers: list[float], far: str | None) -> None:
    remarks = remarks_on({"x": numbers}, discretize="frequency:3")
    found = [remark for remark in remarks if "far from all others" in remark]
    if far is None:
        assert found == []
        return
    assert found == [
        f"column 'x' (9 rows) has the number {far}, far from all others; if that stands for a missing cell, "
        f"pass na_values=[{far!r}]"
    ]
    cured = Dataset.from_frame(pl.DataFrame({"x": numbers}), discretize="frequency:3", missing="drop", na_values=[far])
    assert cured.n_rows == 200
    assert not [remark for remark in cured.info().remarks if "far from" in remark]


def test_numbers_that_are_codes_are_not_grouped() -> None:
    (remark,) = remarks_on({"operator_id": [k % 40 for k in range(400)]}, discretize="frequency:3")
    assert remark.startswith("column 'operator_id' has more than 30 whole numbers as states, which are codes")
    assert "leave it out with drop=['operator_id']" in remark


def test_words_that_differ_by_a_letter() -> None:
    wards = ["surgery", "medicine"] * 50 + ["surgry", "medicnie", "medicinee"]
    (remark,) = remarks_on({"ward": wards})
    assert remark.startswith("states may be typing errors: ")
    assert "'surgry' for 'surgery'" in remark
    assert "merge_states={'ward': {" in remark
    assert remarks_on({"ward": ["surgery", "surgical"] * 50, "side": ["right", "right", "light", "night"] * 25}) == ()


def test_many_lost_rows_have_advice() -> None:
    frame: dict[str, Sequence[object]] = {
        "a": ["x", None, "y", "x"] * 30,
        "b": ["u", "v", None, "u"] * 30,
        "c": ["r", "s", "s"] * 40,
        "d": ["t", "t", "v", "w", "w"] * 24,
    }
    remark = remarks_on(frame, missing="drop")[0]
    assert remark.startswith("60 of 120 rows have missing cells and are left out; 'a' alone lacks 30 cells")
    assert remark.endswith(
        "read only the columns that your question needs with columns=[...], as gaps in others then cost no row"
    )


def test_weights_of_rows_are_not_cut(tmp_path: Path) -> None:
    lines = [f"{0.5 + k % 11 / 10:.1f},{50.5 + k % 40},{'yn'[k % 2]}" for k in range(110)]
    (tmp_path / "t.csv").write_text("design_weight,body_weight,answer\n" + "\n".join(lines) + "\n")
    with pytest.raises(DataError) as caught:
        credenet.read(tmp_path / "t.csv")
    assert "column 'design_weight' holds fractional numbers around 1, as weights of rows are" in str(caught.value)
    assert "column 'body_weight' holds fractional numbers (50.5 on line 2)" in str(caught.value)
    assert str(caught.value).endswith("cured by discretize='frequency:3' and weights='design_weight'")
    data = credenet.read(tmp_path / "t.csv", discretize="frequency:3", weights="design_weight")
    assert data.variables == ("body_weight", "answer")


def test_genotypes_that_were_not_determined_are_not_merged() -> None:
    (remark,) = remarks_on({"rs1": ["0/0", "0/1", "1/1", "0/0"] * 50 + ["./."] * 2})
    assert remark == "column 'rs1' has the state './.'; if that stands for a missing cell, pass na_values=['./.']"


def test_numbers_with_a_unit() -> None:
    (remark,) = remarks_on({"billed": [f"${k % 90},{k % 7}00.50" for k in range(300)]})
    assert remark.startswith("column 'billed' has numbers with a unit such as $ or %")
    assert "take the unit away" in remark
