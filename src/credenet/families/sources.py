"""Data as a caller has them: a `Dataset`, a data frame or an array; and the other inputs of a learner."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._arguments import flag, instance, shown
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame
    from numpy.typing import NDArray

    from credenet.data.coding import Missing

    DataLike = Dataset | IntoDataFrame | NDArray[Any]


def as_dataset(
    value: DataLike, argument: str = "data", *, missing: Missing = "error", only: Collection[str] | None = None
) -> Dataset:
    """The data themselves, or those of a pandas, polars or arrow frame or of a two-dimensional array.

    Columns of a frame that are not in ``only`` are ignored, unless there are no others.

    Examples
    --------
    >>> as_dataset(np.array([[0, 1], [1, 1]]))
    <Dataset 2 rows, 2 variables>
    """
    if isinstance(value, Dataset):
        return value
    if isinstance(value, np.ndarray):
        return Dataset.from_frame(value, missing=missing)
    if _is_frame(value):
        return Dataset.from_frame(value if only is None else _selected(value, only), missing=missing)
    raise ArgumentError(f"{argument} must be a Dataset, a data frame or a two-dimensional array, {_advice(value)}")


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
