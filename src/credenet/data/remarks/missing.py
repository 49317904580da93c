"""Remarks on missing cells that became a state: their number, and columns that miss values together.

A state for gaps treats a gap as a value. Columns that are missing together are then dependent, whatever their values
are, and rows with gaps say nothing about the lost values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet._text import count, one_line, several
from credenet.errors import DataError, Problem

_BLOCK_ROWS = 65_536  # Rows that are counted at a time.
_MOST_COLUMNS = 300  # Columns, those with the most missing cells, whose pairs are counted.
_LEAST_ROWS = 5  # Rows in which a pair is missing together at least; below, the normal approximation is poor.
_LEAST_RATIO = 1.1  # Smallest ratio of rows that miss a pair to those expected by chance; a smaller one matters little.
_SIGNIFICANCE = 0.001  # Error probability of all pairs together (Bonferroni).
_MANY_LOST = 0.2  # Share of lost rows from which on a note says how to keep more.
_SHOWN = 3


class GapCounts:
    """The number of rows without a gap, and for each pair of columns the number of rows that miss both."""

    def __init__(self, n_missing: Mapping[str, int]) -> None:
        """Begins to count for columns with these numbers of missing cells, in the order that `add` uses."""
        self.n_missing = dict(n_missing)
        most = sorted(range(len(n_missing)), key=lambda at: -list(n_missing.values())[at])[:_MOST_COLUMNS]
        self._paired = sorted(most)
        self._both = np.zeros((len(most), len(most)))
        self.n_rows = 0
        self.n_complete = 0

    def add(self, is_gap: Sequence[NDArray[np.bool_]]) -> None:
        """Counts some rows; ``is_gap`` has a mask of missing cells for each column."""
        self.n_rows += len(is_gap[0])
        self.n_complete += len(is_gap[0]) - int(np.count_nonzero(np.logical_or.reduce(is_gap)))
        paired = np.stack([is_gap[at] for at in self._paired]).astype(np.float32)
        self._both += paired @ paired.T

    def remarks(self, n_columns: int) -> list[str]:
        """Remarks on a table of ``n_columns``, which include columns without missing cells."""
        return [*self._remark_on_cells(n_columns), *self._remark_on_pairs()]

    def _remark_on_cells(self, n_columns: int) -> list[str]:
        worst = sorted(self.n_missing, key=lambda name: -self.n_missing[name])
        shares = several([f"{name!r} {self.n_missing[name] / self.n_rows:.0%}" for name in worst], most=_SHOWN)
        total = sum(self.n_missing.values()) / (self.n_rows * n_columns)
        share = f"{total:.1%}" if total >= 0.0005 else "less than 0.1%"
        text = (
            f"{share} of the cells are missing ({shares}), and missing='state' made being missing a value: "
            "this can hide edges and invent others, above all between columns that are missing together; "
            f"use it only if being missing is itself informative, else leave out columns with drop=[{worst[0]!r}, ...] "
            f"or rows with missing='drop', which leaves {self.n_complete:,} of {count(self.n_rows, 'row')}"
        )
        return [one_line(text)]

    def _remark_on_pairs(self) -> list[str]:
        """A remark on pairs of columns that are missing together more often than by chance."""
        n_rows, both, names = self.n_rows, self._both, [list(self.n_missing)[at] for at in self._paired]
        alone = np.diag(both)
        expected = np.outer(alone, alone) / n_rows
        spread = np.sqrt(expected * np.outer(n_rows - alone, n_rows - alone) / n_rows / max(n_rows - 1, 1))
        a, b = np.triu_indices(len(names), 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            z = ((both - expected) / spread)[a, b]
        is_excess = (both[a, b] >= _LEAST_ROWS) & (both[a, b] > _LEAST_RATIO * expected[a, b]) & (z > _limit(len(a)))
        most = _SIGNIFICANCE / max(len(a), 1)
        for at in np.flatnonzero(is_excess).tolist():  # The normal law only approximates the chance.
            counted = (int(both[a[at], b[at]]), int(alone[a[at]]), int(alone[b[at]]), n_rows)
            is_excess[at] = _chance_of_as_many(*counted) <= most
        shown = [
            f"{names[a[at]]!r} and {names[b[at]]!r} in {both[a[at], b[at]]:,.0f} rows "
            f"({expected[a[at], b[at]]:,.0f} expected by chance)"
            for at in sorted(np.flatnonzero(is_excess).tolist(), key=lambda at: -z[at])
        ]
        if not shown:
            return []
        listed = several(shown, most=_SHOWN)
        return [one_line(f"columns are missing together: {listed}; edges between them may say no more than that")]


def _chance_of_as_many(both: int, n_a: int, n_b: int, n_rows: int) -> float:
    """The probability that at least ``both`` rows miss two columns that n_a and n_b rows miss independently."""

    def log_choices(n: int, k: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    log_first = log_choices(n_a, both) + log_choices(n_rows - n_a, n_b - both) - log_choices(n_rows, n_b)
    term = whole = 1.0  # Relative to the first term.
    for k in range(both, min(n_a, n_b)):
        term *= (n_a - k) * (n_b - k) / ((k + 1) * (n_rows - n_a - n_b + k + 1))
        whole += term
        if term < 1e-12 * whole:
            break
    return math.exp(log_first) * whole


def _limit(n_pairs: int) -> float:
    """The standard normal value that chance exceeds with the error probability of one of ``n_pairs`` pairs."""
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) / 2 * n_pairs > _SIGNIFICANCE else (low, middle)
    return high


def remarks_on_gap_states(codes: NDArray[Any], names: Sequence[str], gaps: Mapping[str, tuple[int, int]]) -> list[str]:
    """Remarks on rows in memory; ``gaps`` has the number of gaps of a column and the code of their state."""
    if not gaps:
        return []
    counts = GapCounts({name: number for name, (number, _) in gaps.items()})
    places = [(names.index(name), code) for name, (_, code) in gaps.items()]
    for begin in range(0, len(codes), _BLOCK_ROWS):
        block = codes[begin : begin + _BLOCK_ROWS]
        counts.add([block[:, at] == code for at, code in places])
    return counts.remarks(len(names))


def note_on_dropped_rows(n_rows: int, n_complete: int, n_missing: Mapping[str, int]) -> str:
    """A note on the rows that were left out for missing cells; ``n_missing`` has the cells of each variable."""
    worst = max(n_missing, key=lambda name: n_missing[name])
    advice = f"{worst!r} alone lacks {count(n_missing[worst], 'cell')}, and drop=[{worst!r}] leaves it out"
    if n_complete == 0:
        raise DataError(f"every row has a missing cell, so that nothing is left; {advice}")
    note = f"{n_rows - n_complete:,} of {count(n_rows, 'row')} have missing cells and are left out; {advice}"
    if n_complete > (1 - _MANY_LOST) * n_rows:
        return note
    return (
        f"{note}; to keep more rows, read only the columns that your question needs with columns=[...], "
        "as gaps in others then cost no row"
    )


def explain_no_complete_row(codes: NDArray[Any], names: Sequence[str]) -> DataError:
    """The error for a table without a complete row; it names columns to leave out so that complete rows exist.

    The columns with the most gaps come first.
    """
    is_gap = codes == np.iinfo(codes.dtype).max
    n_missing = is_gap.sum(axis=0)
    n_gaps = is_gap.sum(axis=1)
    left_out: list[str] = []
    for at in np.argsort(-n_missing, kind="stable").tolist():
        left_out.append(names[at])
        n_gaps = n_gaps - is_gap[:, at]
        if not n_gaps.all():
            break
    what = "every row has a missing cell, so that nothing is left"
    worst = int(np.argmax(n_missing))
    advice = f"{names[worst]!r} alone lacks {count(int(n_missing[worst]), 'cell')}, and drop={left_out!r} leaves "
    if len(left_out) == len(names):
        return DataError(f"{what}; {advice}nothing, either")
    n_left = int((n_gaps == 0).sum())
    return DataError(
        f"{what}; {advice}{count(n_left, 'complete row')}",
        problems=[Problem.from_arguments(None, what, {"drop": left_out})],
    )
