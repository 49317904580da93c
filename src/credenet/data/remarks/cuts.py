"""Remarks on the columns that a default method of discretisation cut and on those that it left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from credenet._text import several
from credenet.data.discretize import OTHERS, Discretization, Method, default_method, map_by_column, method_from
from credenet.data.labels import is_integer
from credenet.data.raw_columns import RawColumn
from credenet.data.remarks.tables import IDENTIFIED_ROWS, is_named_as_code
from credenet.data.states import Label, texts

_SHOWN = 3  # Columns for which the advice is written out.
_MOST_SHOWN = 6  # Methods of the user that the advice repeats at most.


class _CodedLabels(Protocol):
    """The states of a column and the code of each of its labels, -1 for a missing one."""

    @property
    def states(self) -> tuple[Label, ...]: ...
    @property
    def code_of_label(self) -> NDArray[np.int64]: ...
    @property
    def cuts(self) -> tuple[float, ...] | None: ...


def remark_on_whole_numbers(
    columns: Sequence[RawColumn], coded: Mapping[str, _CodedLabels], discretize: Method | Mapping[str, Method] | None
) -> list[str]:
    """A remark on columns of whole numbers that a default method left, although it would reduce their states."""
    default = default_method(discretize)
    if default is None:
        return []
    method = method_from(default)
    named = map_by_column(discretize)
    left = [
        each.name
        for each in columns
        if each.declared is None and _has_many_states(each, coded, method) and not _holds_codes(each)
    ]
    cut = [each.name for each in columns if each.name not in named and coded[each.name].cuts is not None]
    if not left:
        return []
    what = f"cut {_columns(cut)}" if cut else "cut no column"
    own = "whose whole numbers are states of their own"
    likewise = " and likewise for the others" if len(left) > _SHOWN else ""
    them = "it" if len(left) == 1 else "them"
    return [
        f"discretize={default!r} {what} and left {_columns(left)}, {own}; "
        f"to cut {them}, too, pass {write_methods(discretize, dict.fromkeys(left[:_SHOWN], default))}{likewise}"
    ]


def _holds_codes(column: RawColumn) -> bool:
    """Whether the numbers of a column are names, so that their order means nothing; another remark tells of them."""
    n_rows, n_labels = sum(column.counts), len(column.labels)
    return is_named_as_code(column.name) or (n_rows >= IDENTIFIED_ROWS and 10 * n_labels >= 9 * n_rows)


def write_methods(given: Method | Mapping[str, Method] | None, more: Mapping[str, Method]) -> str:
    """The text of an argument ``discretize`` that adds methods to the given ones; many given ones are left out."""
    earlier = map_by_column(given)
    if len(earlier) > _MOST_SHOWN:
        earlier = {name: method for name, method in earlier.items() if name == OTHERS}
    methods = {**earlier, **more}
    if set(methods) == {OTHERS}:
        return f"discretize={methods[OTHERS]!r}"
    return f"discretize={{{', '.join(f'{name!r}: {method!r}' for name, method in methods.items())}}}"


def _has_many_states(column: RawColumn, coded: Mapping[str, _CodedLabels], method: Discretization) -> bool:
    """Whether a column of whole numbers that was not cut has more states than the method would make."""
    coded_column = coded[column.name]
    if (
        coded_column.cuts is not None
        or len(coded_column.states) < 3
        or not all(map(is_integer, texts(coded_column.states)))
    ):
        return False
    known = coded_column.code_of_label >= 0
    weights = np.asarray(column.counts)[known]
    counts = np.bincount(coded_column.code_of_label[known], weights=weights, minlength=len(coded_column.states)).astype(
        np.int64
    )
    occurring = np.flatnonzero(counts)
    values = np.array([float(coded_column.states[code]) for code in occurring])
    if not np.isfinite(values).all():
        return False
    distinct, where = np.unique(values, return_inverse=True)
    return len(method.cut_points(distinct, np.bincount(where, weights=counts[occurring]).astype(np.int64))) + 1 < len(
        coded_column.states
    )


def _columns(names: Sequence[str]) -> str:
    shown = several(list(map(repr, names)))
    return f"column {shown}" if len(names) == 1 else f"columns {shown}"
