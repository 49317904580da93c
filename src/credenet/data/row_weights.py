"""Row weights: the numbers in a column that is not a variable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet.data.labels import is_number
from credenet.data.raw_columns import RawColumn, write_plain_numbers
from credenet.errors import DataError

_NAMED_AS_WEIGHT = re.compile(r"weight|gewicht|(^|_)p?we?i?gh?t", re.IGNORECASE)
_FAR_FROM_ONE = 0.3  # How far the mean of weights may be from 1, to which surveys scale them.

if TYPE_CHECKING:
    from credenet.data.coding import CodingOptions


def table_weights(columns: Sequence[RawColumn], options: CodingOptions) -> NDArray[np.float64] | None:
    if options.weights is None:
        return None
    weights = column_weights(weights_column(columns, options.weights), options)
    if not weights.any():
        raise DataError(f"all weights in column {options.weights!r} are zero")
    return weights


def are_like_weights(name: str, labels: Sequence[str], counts: Sequence[int]) -> bool:
    """Whether numbers are likely to be weights of rows: a name that says so, none negative, and a mean near 1.

    The mean tells them from the weights of persons and things.
    """
    if _NAMED_AS_WEIGHT.search(name) is None:
        return False
    numbers = np.array([float(label) for label in labels])
    return bool((numbers >= 0).all()) and abs(np.average(numbers, weights=counts) - 1) <= _FAR_FROM_ONE


def weights_column(columns: Sequence[RawColumn], name: str) -> RawColumn:
    column = next((column for column in columns if column.name == name), None)
    if column is None:
        raise DataError(f"there is no column {name!r} to take weights from")
    return column


def column_weights(column: RawColumn, options: CodingOptions) -> NDArray[np.float64]:
    """The numbers of a column of weights, one for each row."""
    column = write_plain_numbers([column], options.decimal, options.na_values)[0]
    values = np.empty(len(column.labels))
    for at, label in enumerate(column.labels):
        if label is None or not is_number(label) or not 0 <= float(label) < np.inf:
            raise DataError(
                f"weights must be non-negative numbers, but column {column.name!r} has {label!r}{column.place(at)}"
            )
        values[at] = float(label)
    weights = np.empty(sum(column.counts))
    column.write(values, weights)
    return weights
