"""Data frames and arrays as raw columns, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet.data.raw_columns import RawColumn
from credenet.data.states import LabelKind, label_kind
from credenet.errors import DataError

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl


def columns_of_frame(frame: Any, variables: Sequence[str] | None = None) -> list[RawColumn]:
    """The columns of a pandas, polars or arrow frame (anything narwhals reads) or of a two-dimensional array."""
    if isinstance(frame, np.ndarray):
        return _columns_of_array(frame, variables)
    import narwhals as nw

    try:
        table = nw.from_native(frame, eager_only=True)
        columns = list(table.iter_columns())
    except TypeError:
        raise DataError(
            f"data must be a data frame or a two-dimensional numpy array, got {type(frame).__name__}"
        ) from None
    except nw.exceptions.DuplicateError as error:
        raise DataError(f"two columns of the frame have the same name: {' '.join(str(error).split())}") from None
    names = [str(column.name) for column in columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"two columns of the frame are named {twice!r}")
    if variables is not None:
        raise DataError("variables can be given for arrays only; a frame has names of its own")
    # Polars reads names such as * and ^a.*$ as patterns of names.
    nameless = [column.alias("") for column in columns]
    return [_column_of_series(name, column) for name, column in zip(names, nameless, strict=True)]


def to_pandas(frame: pl.DataFrame) -> Any:
    """The table as a pandas frame; pandas must be installed. States become categories in their order."""
    import polars as pl

    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    columns = {}
    for name, named in zip(frame.columns, frame, strict=True):
        series = named.alias("")  # Polars reads names such as * as patterns of names.
        if isinstance(series.dtype, pl.Enum):
            codes = series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
            columns[name] = pd.Categorical.from_codes(codes, series.dtype.categories.to_list())
        elif series.null_count() and (series.dtype.is_integer() or series.dtype == pl.Boolean):
            columns[name] = pd.array(series.to_list(), dtype="boolean" if series.dtype == pl.Boolean else "Int64")
        else:
            columns[name] = series.to_list() if series.dtype.is_nested() else series.to_numpy()
    return pd.DataFrame(columns)


def _columns_of_array(array: NDArray[Any], variables: Sequence[str] | None) -> list[RawColumn]:
    if array.ndim != 2:
        raise DataError(f"an array of data must have two dimensions, got {array.ndim}")
    names = [str(k) for k in range(array.shape[1])] if variables is None else [str(name) for name in variables]
    if len(names) != array.shape[1]:
        raise DataError(f"variables has {len(names)} names for {array.shape[1]} columns")
    if len(set(names)) < len(names):
        raise DataError(f"variables must differ, got {names}")
    return [_column_of_values(name, array[:, at]) for at, name in enumerate(names)]


def _column_of_values(name: str, values: NDArray[Any]) -> RawColumn:
    from credenet.io.tables.as_polars import array_as_polars

    return _polars_column(name, array_as_polars(values)) or _column_of_objects(name, values)


def _polars_column(name: str, series: pl.Series | None) -> RawColumn | None:
    from credenet.io.tables.polars_columns import polars_column

    return None if series is None else polars_column(name, series)


def _column_of_objects(name: str, values: NDArray[Any]) -> RawColumn:
    """A column of which each cell, or each distinct value, is labelled as a Python object."""
    if values.dtype == object:  # Values of mixed types cannot be sorted.
        codes: dict[str | None, int] = {}
        cells = values.tolist()
        label_of = [_label(name, value) for value in cells]
        where = np.array([codes.setdefault(label, len(codes)) for label in label_of], dtype=np.intp)
        return _raw(name, list(codes), where, kind=label_kind(cells))
    distinct, where = np.unique(values, return_inverse=True)
    if distinct.dtype.kind in "mM":  # Times would become plain numbers.
        return _raw(name, [None if np.isnat(value) else str(value) for value in distinct], where)
    return _raw(name, [_label(name, value) for value in distinct.tolist()], where, kind=label_kind(distinct.tolist()))


def _column_of_series(name: str, series: nw.Series[Any]) -> RawColumn:
    import narwhals as nw

    from credenet.io.tables.as_polars import as_polars

    column = _polars_column(name, as_polars(series)) or _column_of_codes(name, series)
    if column is not None:
        return column
    is_plain_number = series.dtype.is_numeric() and not series.dtype.is_decimal() and series.null_count() == 0
    if is_plain_number or series.dtype == nw.Object:
        return _column_of_objects(name, series.to_numpy())
    if series.dtype.is_nested():
        raise DataError(f"column {name!r} holds values of type {series.dtype}, which cannot be states")
    distinct = series.unique(maintain_order=True).to_list()
    labels = [_label(name, value) for value in distinct]
    present = [at for at, label in enumerate(labels) if label is not None]
    categories = _categories(series)
    declared = None if categories is None else tuple(str(_label(name, value)) for value in categories)
    kind = label_kind(distinct if categories is None else categories)
    if not present:
        return _raw(name, labels, np.zeros(len(series), dtype=np.intp), declared, kind)
    where = (
        series.replace_strict([distinct[at] for at in present], present, return_dtype=nw.Int64, default=None)
        .fill_null(next((at for at, label in enumerate(labels) if label is None), 0))
        .to_numpy()
    )
    return _raw(name, labels, where.astype(np.intp), declared, kind)


def _column_of_codes(name: str, series: nw.Series[Any]) -> RawColumn | None:
    """A categorical column of pandas, which has codes already; None for any other."""
    import narwhals as nw

    from credenet.io.tables.polars_columns import code_column

    if not series.implementation.is_pandas() or series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native = series.to_native()
    if not hasattr(native, "cat"):  # The column is a dictionary of arrow in a pandas frame.
        return None
    codes = native.cat.codes.to_numpy()
    categories = native.cat.categories.tolist()
    labels = [_label(name, value) for value in categories]
    is_gap = codes < 0
    if is_gap.any():
        codes = np.where(is_gap, len(labels), codes)
    kind = label_kind(categories)
    return code_column(name, labels, codes, tuple(map(str, labels)), kind, has_gaps=bool(is_gap.any()))


def _categories(series: nw.Series[Any]) -> list[Any] | None:
    """The categories of a categorical column, if it has an order of them.

    The plain Categorical of polars lists them by first appearance anywhere, which declares nothing.
    """
    import narwhals as nw

    categories: list[Any]
    if isinstance(series.dtype, nw.Enum):
        categories = list(series.dtype.categories)
    elif series.dtype != nw.Categorical or series.implementation.is_polars():
        return None
    elif series.implementation.is_pyarrow():
        chunks = series.to_native().unify_dictionaries().chunks
        categories = chunks[0].dictionary.to_pylist() if chunks else []
    else:
        categories = series.to_native().cat.categories.tolist()
    return categories


def _label(name: str, value: Any) -> str | None:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        if math.isinf(value):
            raise DataError(f"column {name!r} has infinite numbers")
        if math.isnan(value):
            return None
        return str(int(value)) if value.is_integer() else repr(float(value))
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise DataError(f"column {name!r} holds bytes that are not UTF-8 text") from None
    if isinstance(value, (complex, tuple, list, dict, set, np.ndarray)):
        raise DataError(f"column {name!r} holds values of type {type(value).__name__}, which cannot be states")
    return str(value)


def _raw(
    name: str,
    labels: list[str | None],
    where: NDArray[np.intp],
    declared: tuple[str, ...] | None = None,
    kind: LabelKind = "text",
) -> RawColumn:
    where = where.reshape(-1)
    counts = np.bincount(where, minlength=len(labels)).tolist()
    return RawColumn(name=name, labels=labels, counts=counts, write=_writer(where), declared=declared, kind=kind)


def _writer(where: NDArray[np.intp]) -> Callable[[NDArray[Any], NDArray[Any]], None]:
    def write(code_of_label: NDArray[Any], out: NDArray[Any]) -> None:
        np.take(code_of_label, where, out=out)

    return write
