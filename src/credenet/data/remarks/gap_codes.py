"""Remarks on words and numbers that may stand for missing cells, such as ``unknown`` or ``-999``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from credenet._text import count, several
from credenet.data.labels import NONE
from credenet.data.raw_columns import RawColumn

_DASHES = frozenset({"-", "--", "---", "na", "n.a.", "null", "nil"})
_GENOTYPES = frozenset({"./.", ".|.", "-/-", "0 0", "N/N"})  # A genotype that was not determined.
# Answers that say nothing, as exports and questionnaires in English and German write them. A dot or an apostrophe in
# a label does not count.
_WORDS = frozenset(
    {
        *("unknown", "unk", "not known", "not stated", "not recorded", "not available", "dont know", "do not know"),
        *("no answer", "not answered", "no response", "refused", "prefer not to say", "prefer not to answer"),
        *("unbekannt", "ka", "k a", "keine angabe", "keine antwort", "weiß nicht", "weiss nicht"),
    }
)
_NEGATIVE_CODES = frozenset({"-9", "-99", "-999", "-9999"})
_CODE = re.compile(r"-?(7+|8+|9+)(\.0*)?")
_THESE = "these stand for missing cells"
_LEAST_OTHERS = 4  # Different numbers beside a code; fewer have no range to speak of.


class _CodedNumbers(Protocol):
    """The code of each label of a column, -1 for a missing one, and its cuts."""

    @property
    def code_of_label(self) -> NDArray[np.int64]: ...
    @property
    def cuts(self) -> tuple[float, ...] | None: ...


def may_stand_for_gap(label: str, labels: Sequence[str]) -> bool:
    """Whether a label may mean a missing cell; None is a state if all others begin with a capital, as Mild does."""
    others = [other for other in labels if other != label]
    if label == NONE:
        return not all(other[:1].isupper() for other in others)
    if label in _NEGATIVE_CODES:
        return bool(others) and all(other.isdecimal() for other in others)
    plain = label.casefold()
    return plain in _DASHES or label in _GENOTYPES or re.sub(r"[.'\u2019]", "", plain).strip() in _WORDS


def remarks_on_gap_words(gaps: Mapping[str, Sequence[str]]) -> list[str]:
    """One remark for all labels that the same columns have; ``gaps`` has the columns of each label."""
    labels_of: dict[tuple[str, ...], list[str]] = {}
    for label, names in gaps.items():
        labels_of.setdefault(tuple(names), []).append(label)
    return [_remark_on_words(names, labels) for names, labels in labels_of.items()]


def _remark_on_words(names: Sequence[str], labels: Sequence[str]) -> str:
    which = f"column {names[0]!r} has" if len(names) == 1 else f"columns {several(list(map(repr, names)))} have"
    state, stand = ("state", "that stands for a missing cell") if len(labels) == 1 else ("states", _THESE)
    shown = ", ".join(map(repr, labels))
    return f"{which} the {state} {shown}; if {stand}, pass na_values={list(labels)!r}"


def remarks_on_far_numbers(columns: Sequence[RawColumn], coded: Mapping[str, _CodedNumbers]) -> list[str]:
    """Remarks on numbers such as -999 that lie farther from all others than these from each other.

    Intervals hide such a number: it is counted as a very small or a very large value.
    """
    columns_of: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for column in columns:
        far = _far_numbers(column, coded[column.name]) if column.declared is None else {}
        if far:
            columns_of.setdefault(tuple(far), []).append((column.name, sum(far.values())))
    remarks = []
    for labels, found in columns_of.items():
        shown = several([f"{name!r} ({count(number, 'row')})" for name, number in found])
        which = f"column {shown} has" if len(found) == 1 else f"columns {shown} have"
        number, stand = ("number", "that stands for a missing cell") if len(labels) == 1 else ("numbers", _THESE)
        remarks.append(
            f"{which} the {number} {', '.join(labels)}, far from all others; if {stand}, "
            f"pass na_values={list(labels)!r}"
        )
    return remarks


def _far_numbers(column: RawColumn, coded: _CodedNumbers) -> dict[str, int]:
    """The labels of a column of numbers that look like codes of missing cells, with their numbers of rows."""
    rows = {
        str(label): number
        for label, number, code in zip(column.labels, column.counts, coded.code_of_label.tolist(), strict=True)
        if code >= 0
    }
    codes = [label for label in rows if _CODE.fullmatch(label)]
    if not codes or len(rows) - len(codes) < _LEAST_OTHERS:
        return {}
    try:
        numbers = np.array([float(label) for label in rows if label not in codes])
    except ValueError:  # The column has words.
        return {}
    low, high = float(numbers.min()), float(numbers.max())
    is_known = coded.cuts is None  # A remark on states names negative codes of columns that are not cut.
    return {
        label: rows[label]
        for label in codes
        if max(low - float(label), float(label) - high) >= high - low
        and not (is_known and label in _NEGATIVE_CODES and low >= 0)
    }
