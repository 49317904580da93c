"""What a label says by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.data.labels import find_missing, has_comma, is_number, plain_number


@pytest.mark.parametrize("label", ["", "?", ".", "NA", "<NA>", "NaN", "null", "\\N", "#N/A", "#DIV/0!", "NaT", "-nan"])
def test_labels_of_missing_cells(label: str) -> None:
    assert find_missing(["yes", label, "no"]) == {label}
    assert find_missing(["1", label, "2"]) == {label}


@pytest.mark.parametrize("label", ["none", "-", "na", "unknown", "nil", "0", "#", "NA "])
def test_labels_that_may_be_states_are_states(label: str) -> None:
    assert find_missing(["1", label, "2"]) == set()


def test_the_word_none_is_missing_among_numbers_only() -> None:
    assert find_missing(["None", "Mild", "Severe"]) == set()
    assert find_missing(["None", "1", "2.5", "NA"]) == {"None", "NA"}
    assert find_missing(["None", "NA"]) == {"NA"}
    assert find_missing(["None", "1", "many"]) == set()


def test_other_labels_of_missing_cells() -> None:
    assert find_missing(["None", "Mild", None], {"None"}) == {"None"}
    assert find_missing(["-9", "-9.0", "-90", "1", "x"], {"-9"}) == {"-9", "-9.0"}
    assert find_missing(["-9", "1"], {"x"}) == set()


@pytest.mark.parametrize(
    ("label", "decimal", "number"),
    [
        ("70,5", ",", "70.5"),
        ("70,5", ".", None),
        ("70.5", ".", "70.5"),
        ("70.5", ",", None),
        ("-,5e3", ",", "-.5e3"),
        ("12", ",", "12"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("1.234.567,89", ",", "1234567.89"),
        ("1,234,567.89", ".", "1234567.89"),
        ("1,23,456", ".", None),
        ("1,5,2", ",", None),
        ("yes", ",", None),
        (",", ",", None),
    ],
)
def test_numbers_in_both_notations(label: str, decimal: str, number: str | None) -> None:
    assert plain_number(label, decimal) == number  # type: ignore[arg-type]


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([".", ","]))
@settings(max_examples=200, deadline=None)
def test_every_number_is_read_in_either_notation(value: float, decimal: str) -> None:
    text = repr(value).replace(".", decimal)
    plain = plain_number(text, decimal)  # type: ignore[arg-type]
    assert plain is not None
    assert is_number(plain)
    assert float(plain) == value


@given(st.integers(-(10**12), 10**12), st.sampled_from([".", ","]))
@settings(max_examples=200, deadline=None)
def test_separators_of_thousands(value: int, decimal: str) -> None:
    text = f"{value:,}".replace(",", "," if decimal == "." else ".")
    assert plain_number(text, decimal) == str(value)  # type: ignore[arg-type]


def test_numbers_with_commas() -> None:
    assert list(filter(has_comma, ["70,5", "1,234", "1,234.5", "a,b", "1,2,3", "5", "1.234,5"])) == [
        *("70,5", "1,234", "1,234.5", "1.234,5")
    ]
