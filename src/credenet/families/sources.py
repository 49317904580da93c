"""Data as a caller has them: a `Dataset`, a data frame or an array; and the other inputs of a learner."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._advice import in_other_words
from credenet._arguments import flag, instance, shown
from credenet.data.coding import CodingOptions
from credenet.data.dataset import Dataset
from credenet.data.states import Label
from credenet.errors import ArgumentError, DataError
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

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
    if isinstance(value, np.ndarray) or _is_frame(value):
        frame = value if only is None or isinstance(value, np.ndarray) else _selected(value, only)
        options = CodingOptions(missing=missing, known={name: tuple(labels) for name, labels in (known or {}).items()})
        return _of_frame(frame, argument, options)
    raise ArgumentError(f"{argument} must be a Dataset, a data frame or a two-dimensional array, {_advice(value)}")


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


def as_source(value: DataLike | FamilyTable, argument: str = "data") -> Dataset | FamilyTable:
    """What a learner works on: data in any form, or families that were scored before."""
    if isinstance(value, FamilyTable):
        return value
    if isinstance(value, Dataset | np.ndarray) or _is_frame(value):
        return as_dataset(value, argument)
    kinds = "a Dataset, a data frame, a two-dimensional array or a FamilyTable"
    raise ArgumentError(f"{argument} must be {kinds}, {_advice(value)}")


def check_knowledge(knowledge: Any) -> None:
    """Refuses anything but a `Knowledge` or None."""
    made = "a Knowledge, such as Knowledge(required=[...]); Knowledge.from_dict makes one of a dict"
    if knowledge is not None:
        instance("knowledge", knowledge, Knowledge, made)


def with_constant_rule(knowledge: Knowledge | None, isolate_constant: bool) -> Knowledge | None:
    """The knowledge of a call, checked, in which variables with one observed state may have edges if so asked for."""
    check_knowledge(knowledge)
    if flag("isolate_constant", isolate_constant):
        return knowledge
    return (knowledge or Knowledge()).combine(Knowledge(isolate_constant=False))


def _is_frame(value: Any) -> bool:
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


def _advice(value: Any) -> str:
    cures = {
        str: "read a file with credenet.read",
        dict: "make a data frame of it first",
        list: "make an array of it first: numpy.array(...)",
    }
    cure = next((f"; {cure}" for kind, cure in cures.items() if isinstance(value, kind)), "")
    return f"got {shown(value)}{cure}"
