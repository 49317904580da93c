"""Checks of the arrays of a `Dataset`: codes, weights and row indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import list_values, show_value
from credenet.data.coding import code_type
from credenet.data.column_errors import MOST_STATES
from credenet.data.states import StateLabels
from credenet.errors import ArgumentError, DataError

Codes = NDArray[np.uint8] | NDArray[np.uint16]


def as_array(argument: str, values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:
        raise DataError(f"{argument} must be an array, got {show_value(values)}") from None


def check_indices(indices: Any, n_rows: int) -> NDArray[Any]:
    several = (
        indices
        if isinstance(indices, np.ndarray)
        else list_values("indices", indices, "whole numbers, a mask or a slice")
    )
    picked = as_array("indices", several)
    if not picked.size:
        return picked.astype(np.intp)
    if picked.ndim != 1 or picked.dtype.kind not in "iub":
        raise ArgumentError(f"indices must be a slice, a list of whole numbers or a mask, got {show_value(indices)}")
    if picked.dtype.kind == "b" and len(picked) != n_rows:
        raise ArgumentError(f"a mask of rows must have {n_rows} entries, got {len(picked)}")
    if picked.dtype.kind != "b" and not (-n_rows <= int(picked.min()) and int(picked.max()) < n_rows):
        raise ArgumentError(f"indices must be below {n_rows}, got {int(picked.max())}")
    return picked


def check_codes(codes: NDArray[Any], states: StateLabels) -> Codes:
    if codes.ndim != 2 or codes.shape[1] != len(states):
        raise DataError(f"codes must have one column for each of the {len(states)} variables, got shape {codes.shape}")
    if not np.issubdtype(codes.dtype, np.integer):
        raise DataError(f"codes must be integers, got {codes.dtype}")
    n_states = np.array([len(labels) for labels in states.values()], dtype=np.int64)
    signed = np.issubdtype(codes.dtype, np.signedinteger)
    gap = -1 if signed else int(np.iinfo(codes.dtype).max)
    has_missing = False
    for at, name in enumerate(states):
        column = codes[:, at]
        if not len(column):
            continue
        if int(column.max()) >= (n_states[at] if signed else min(n_states[at], gap)) or int(column.min()) < 0:
            is_missing = column == gap
            known = column[~is_missing]
            if len(known) and (int(known.max()) >= n_states[at] or int(known.min()) < 0):
                raise DataError(f"variable {name!r} has codes outside 0..{n_states[at] - 1}")
            has_missing = has_missing or bool(is_missing.any())
    most = int(n_states.max(initial=0))
    if most > MOST_STATES:
        raise DataError(f"a variable has {most} states; at most {MOST_STATES} can be held")
    dtype = code_type(most)
    if codes.dtype != dtype:
        converted = codes.astype(dtype, order="F")
        if has_missing:
            converted[codes == gap] = np.iinfo(dtype).max
        codes = converted
    elif codes.flags.writeable:
        codes = codes.copy(order="F")  # The copy keeps later changes by the caller from the data.
    result = np.asfortranarray(codes).view()
    result.flags.writeable = False
    return result


def check_weights(weights: NDArray[Any], n_rows: int) -> NDArray[np.float64]:
    try:
        result = np.array(weights, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise DataError(
            f"weights must be one number for each of the {n_rows} rows, got {show_value(weights)}"
        ) from None
    if result.shape != (n_rows,):
        raise DataError(f"weights must be one number for each of the {n_rows} rows, got shape {result.shape}")
    if not np.isfinite(result).all() or (result < 0).any():
        raise DataError("weights must be finite and not negative")
    result.flags.writeable = False
    return result


def same_arrays(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and np.array_equal(a, b)
