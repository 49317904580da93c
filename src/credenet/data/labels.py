"""Questions about single labels: whether one means a missing cell, and whether it is a number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

Decimal = Literal[".", ","]

# R, pandas, SAS, MySQL, Weka and spreadsheets write these labels for a missing cell.
_SPREADSHEET_ERRORS = ("#N/A", "#N/A N/A", "#NA", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")
_NOT_A_NUMBER = ("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN")
_EMPTY = ("", "?", ".", "NA", "N/A", "n/a", "<NA>", "NaT", "NULL", "null", "\\N")
MISSING_LABELS = frozenset((*_EMPTY, *_NOT_A_NUMBER, *_SPREADSHEET_ERRORS))
NONE = "None"  # Python's missing value; it may also be a state, as in None, Mild, Severe.

_INTEGER = re.compile(r"[+-]?[0-9]{1,4300}")  # Python refuses to convert longer numbers.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA_NUMBER = re.compile(r"[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_COMMA_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(\.[0-9]{3})+(,[0-9]*)?")


def is_integer(label: str) -> bool:
    return _INTEGER.fullmatch(label) is not None


def is_number(label: str) -> bool:
    return _NUMBER.fullmatch(label) is not None


def find_missing(labels: Iterable[str | None], na_values: Collection[str] = ()) -> set[str]:
    """The labels of a column that mean a missing cell: the usual ones, ``na_values``, and ``None`` among numbers."""
    numbers = {float(value) for value in na_values if is_number(value)}
    known = {label for label in labels if label is not None}
    missing = {label for label in known if label in MISSING_LABELS or label in na_values}
    if numbers:
        missing |= {label for label in known if is_number(label) and float(label) in numbers}
    if NONE in known:
        others = known - missing - {NONE}
        if others and all(map(is_number, others)):
            missing.add(NONE)
    return missing


def plain_number(label: str, decimal: Decimal) -> str | None:
    """A number as Python writes it, without separators of thousands; None if it is not a number.

    Examples
    --------
    >>> plain_number("1.234,5", ","), plain_number("1,234", "."), plain_number("70,5", ".")
    ('1234.5', '1234', None)
    """
    if decimal == ".":
        if is_number(label):
            return label
        return label.replace(",", "") if _GROUPED.fullmatch(label) else None
    if _COMMA_NUMBER.fullmatch(label):
        return label.replace(",", ".")
    return label.replace(".", "").replace(",", ".") if _COMMA_GROUPED.fullmatch(label) else None


def has_comma(label: str) -> bool:
    """Whether a label is a number with a comma, either a decimal comma or one that separates thousands."""
    return "," in label and (plain_number(label, ",") or plain_number(label, ".")) is not None
