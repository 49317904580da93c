"""Columns of pandas and arrow frames and of arrays as polars columns, which are coded without an object for each cell.

Only columns of text, truth values and whole numbers are converted; the result is None for others and for a column that
polars would change. Whole numbers may be floats, as pandas makes floats of integers with gaps. Pandas is not imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

if TYPE_CHECKING:
    import narwhals as nw

_MOST = 2.0**53  # Below this, a double holds every whole number.


def as_polars(series: nw.Series[Any]) -> pl.Series | None:
    """The cells of a column as a polars series."""
    native: Any = series.to_native()
    if series.implementation.is_polars():
        return native  # type: ignore[no-any-return]
    if series.implementation.is_pyarrow():
        return _convert_arrow(native)
    if not series.implementation.is_pandas():
        return None
    if isinstance(native.dtype, np.dtype):
        return array_as_polars(native.to_numpy())
    kind = getattr(native.dtype, "kind", "")
    if hasattr(native.array, "_pa_array"):
        return _convert_arrow(native.array.__arrow_array__())
    if kind in "bi" or kind == "u":  # Integers and truth values may have a mask of their own.
        values = native.to_numpy(dtype=native.dtype.numpy_dtype, na_value=0)
        return _restore_gaps(pl.Series(values), native.isna().to_numpy())
    if kind == "f":
        return array_as_polars(native.to_numpy(dtype=np.float64, na_value=np.nan))
    return _convert_objects(native.to_numpy()) if kind == "O" and native.dtype.name in ("str", "string") else None


def array_as_polars(values: NDArray[Any]) -> pl.Series | None:
    """The values of an array as a polars series."""
    kind = values.dtype.kind
    if isinstance(values, np.ma.MaskedArray):
        return None
    if kind in "biu":
        return pl.Series(np.ascontiguousarray(values))
    if kind == "f":
        return _convert_floats(values)
    if kind == "U":
        return pl.Series(values.tolist(), dtype=pl.String)
    return _convert_objects(values) if kind == "O" else None


def _convert_arrow(column: Any) -> pl.Series | None:
    import pyarrow.types as kinds

    kind = column.type
    is_text = kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind)
    if not (is_text or kinds.is_boolean(kind) or kinds.is_integer(kind)):
        return None
    found = pl.from_arrow(column)
    assert isinstance(found, pl.Series)
    return found


def _convert_floats(values: NDArray[Any]) -> pl.Series | None:
    """Whole numbers with gaps; None if any of them is a fraction, infinite or too large."""
    numbers = pl.Series(np.ascontiguousarray(values, dtype=np.float64), nan_to_null=True)
    low, high = numbers.min(), numbers.max()
    if low is None or not -_MOST < low <= high < _MOST:  # type: ignore[operator]
        return None
    whole = numbers.cast(pl.Int64)
    return whole if (whole == numbers).all() else None


def _restore_gaps(series: pl.Series, is_gap: NDArray[np.bool_]) -> pl.Series:
    return series.set(pl.Series(is_gap), None) if is_gap.any() else series


def _convert_objects(values: NDArray[Any]) -> pl.Series | None:
    """Text and missing cells; None if there is anything else among them."""
    cells = values.tolist()
    strings = _convert_strings(cells)
    if strings is None and all(isinstance(cell, str) or _is_gap(cell) for cell in cells):
        strings = _convert_strings([cell if isinstance(cell, str) else None for cell in cells])
    return strings


def _convert_strings(cells: list[Any]) -> pl.Series | None:
    try:
        return pl.Series(cells, dtype=pl.String, strict=True)
    except (TypeError, ValueError):  # The value has another type, or is text that is not UTF-8.
        return None


def _is_gap(cell: Any) -> bool:
    return cell is None or type(cell).__name__ == "NAType" or (isinstance(cell, float) and cell != cell)
