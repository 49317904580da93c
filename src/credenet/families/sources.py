"""Checks of the inputs of a learner: data or scored families, and knowledge."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from credenet._arguments import flag, instance
from credenet.data.dataset import Dataset
from credenet.data.sources import are, as_dataset, check_given_data, cure_for, is_data_frame
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.data.sources import DataLike


def as_source(value: DataLike | FamilyTable, argument: str = "data") -> Dataset | FamilyTable:
    """Data in any form as a `Dataset`, or families scored before, also from a file."""
    given = check_given_data(value, argument)
    families = FamilyTable.in_file(Path(given.value)) if isinstance(given.value, str | PathLike) else given.value
    if isinstance(families, FamilyTable):
        if options := [*given.reading, *given.places]:
            raise ArgumentError(f"{are(options)} for rows, and a family table has no rows")
        return families
    if isinstance(given.value, Dataset | np.ndarray | str | PathLike) or is_data_frame(given.value):
        return as_dataset(cast("DataLike", value), argument)
    kinds = "a Dataset, a data frame, a two-dimensional array, the path of a table or a FamilyTable"
    raise ArgumentError(f"{argument} must be {kinds}, {cure_for(given.value)}")


def check_knowledge(knowledge: Any) -> None:
    """Refuses anything but a `Knowledge` or None."""
    made = "a Knowledge, such as Knowledge(required=[...]); Knowledge.from_dict makes one of a dict"
    if knowledge is not None:
        instance("knowledge", knowledge, Knowledge, made)


def add_constant_rule(knowledge: Knowledge | None, isolate_constant: bool) -> Knowledge | None:
    """The checked knowledge of a call, with its option ``isolate_constant``."""
    check_knowledge(knowledge)
    if flag("isolate_constant", isolate_constant):
        return knowledge
    return (knowledge or Knowledge()).combine(Knowledge(isolate_constant=False))
