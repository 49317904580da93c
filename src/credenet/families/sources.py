"""What a learner works on, and the knowledge that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credenet._arguments import flag, instance
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset, cure_for, is_data_frame
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.data.sources import DataLike


def as_source(value: DataLike | FamilyTable, argument: str = "data") -> Dataset | FamilyTable:
    """What a learner works on: data in any form, or families that were scored before."""
    if isinstance(value, FamilyTable):
        return value
    if isinstance(value, Dataset | np.ndarray) or is_data_frame(value):
        return as_dataset(value, argument)
    kinds = "a Dataset, a data frame, a two-dimensional array or a FamilyTable"
    raise ArgumentError(f"{argument} must be {kinds}, {cure_for(value)}")


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
