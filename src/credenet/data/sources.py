"""Data as a caller has them: a `Dataset`, a data frame or an array."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._advice import in_other_words
from credenet._arguments import shown
from credenet.data.coding import CodingOptions
from credenet.data.dataset import Dataset
from credenet.data.states import Label
from credenet.errors import ArgumentError, DataError

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame
    from numpy.typing import NDArray

    from credenet.data.coding import Missing

    DataLike = Dataset | IntoDataFrame | NDArray[Any]


def as_dataset(
    value: DataLike,
    argument: str = "data",
    *,
    missing: Missing = "error",
    only: Collection[str] | None = None,
    known: Mapping[str, Sequence[Label]] | None = None,
) -> Dataset:
    """The data themselves, or those of a pandas, polars or arrow frame or of a two-dimensional array.

    Columns of a frame that are not in ``only`` are ignored, unless there are no others. A variable with ``known``
    states need have no values.

    Examples
    --------
    >>> as_dataset(np.array([[0, 1], [1, 1]]))
    <Dataset 2 rows, 2 variables>
    """
    if isinstance(value, Dataset):
        return value
    if isinstance(value, np.ndarray) or is_data_frame(value):
        frame = value if only is None or isinstance(value, np.ndarray) else _selected(value, only)
        options = CodingOptions(missing=missing, known={name: tuple(labels) for name, labels in (known or {}).items()})
        return _of_frame(frame, argument, options)
    raise ArgumentError(f"{argument} must be a Dataset, a data frame or a two-dimensional array, {cure_for(value)}")


def _of_frame(frame: Any, argument: str, options: CodingOptions) -> Dataset:
    """The data of a frame; the advice in an error is for `Dataset.from_frame`, as this caller has no such options."""
    try:
        return Dataset._of_frame(frame, options)
    except DataError as error:
        names = inspect.signature(Dataset.from_frame).parameters
        made = f"credenet.Dataset.from_frame({argument}, {{}})"
        raise error.reworded(
            lambda text: in_other_words(text, names, lambda name, value: made.format(f"{name}={value}")),
            lambda cures: made.format(", ".join(f"{name}={value!r}" for name, value in cures.items())),
        ) from None


def is_data_frame(value: Any) -> bool:
    """Whether narwhals reads it as a frame; every frame has columns."""
    import narwhals as nw

    if not hasattr(value, "columns"):
        return False
    return isinstance(nw.from_native(value, eager_only=True, pass_through=True), nw.DataFrame)


def _selected(frame: Any, only: Collection[str]) -> Any:
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    kept = [name for name in table.columns if str(name) in only]
    return table.select(kept).to_native() if kept else frame


def cure_for(value: Any) -> str:
    """What was given, and how data are made of it."""
    cures = {
        str: "read a file with credenet.read",
        dict: "make a data frame of it first",
        list: "make an array of it first: numpy.array(...)",
    }
    cure = next((f"; {cure}" for kind, cure in cures.items() if isinstance(value, kind)), "")
    return f"got {shown(value)}{cure}"
