"""Data as a caller has them: a `Dataset`, a path, a data frame or an array; and the other inputs of a learner."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from credenet._advice import in_other_words
from credenet._arguments import flag, instance, shown
from credenet.data.coding import CodingOptions
from credenet.data.dataset import Dataset
from credenet.data.reading import read
from credenet.data.states import Label
from credenet.errors import ArgumentError, DataError
from credenet.families.data_options import FILE_OPTIONS, USUAL, GivenData
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.placement.calls import placed

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame
    from numpy.typing import NDArray

    from credenet.data.coding import Missing

    DataLike = Dataset | IntoDataFrame | NDArray[Any] | str | PathLike[str]


def as_dataset(
    value: DataLike,
    argument: str = "data",
    *,
    missing: Missing = "error",
    only: Collection[str] | None = None,
    known: Mapping[str, Sequence[Label]] | None = None,
) -> Dataset:
    """The data themselves, or those in a file, a pandas, polars or arrow frame or a two-dimensional array.

    Columns of a frame that are not in ``only`` are ignored, unless there are no others. A variable with ``known``
    states need have no values. The options of the call, if it has any, come first.

    Examples
    --------
    >>> as_dataset(np.array([[0, 1], [1, 1]]))
    <Dataset 2 rows, 2 variables>
    """
    given = _given(value, argument)
    if isinstance(given.value, Dataset):
        _refuse_reading(given)
        data = given.value
    elif isinstance(given.value, str | PathLike):
        data = _in_file(given, missing, known or {})
    elif isinstance(given.value, np.ndarray) or _is_frame(given.value):
        data = _in_frame(given, missing, only, known or {})
    else:
        kinds = "a Dataset, a data frame, a two-dimensional array or the path of a table"
        raise ArgumentError(f"{argument} must be {kinds}, {_advice(given.value)}")
    return given.until.enter_context(placed(data, **given.places)) if given.places else data


def as_source(value: DataLike | FamilyTable, argument: str = "data") -> Dataset | FamilyTable:
    """What a learner works on: data in any form, or families that were scored before, also those in a file."""
    given = _given(value, argument)
    families = FamilyTable.in_file(Path(given.value)) if isinstance(given.value, str | PathLike) else given.value
    if isinstance(families, FamilyTable):
        if options := [*given.reading, *given.places]:
            raise ArgumentError(f"{_are(options)} for rows, and a family table has no rows")
        return families
    if isinstance(given.value, Dataset | np.ndarray | str | PathLike) or _is_frame(given.value):
        return as_dataset(cast("DataLike", value), argument)
    kinds = "a Dataset, a data frame, a two-dimensional array, the path of a table or a FamilyTable"
    raise ArgumentError(f"{argument} must be {kinds}, {_advice(given.value)}")


def _given(value: Any, argument: str) -> GivenData:
    return value if isinstance(value, GivenData) else GivenData(value, argument)


def _refuse_reading(given: GivenData) -> None:
    """Refuses options for data that are read already."""
    if given.reading:
        raise ArgumentError(
            f"{_are(given.reading)} for a file or a frame, and {given.argument} is a Dataset; "
            "pass this to credenet.read or Dataset.from_frame"
        )


def _are(names: Collection[str]) -> str:
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _in_file(given: GivenData, missing: Missing, known: Mapping[str, Sequence[Label]]) -> Dataset:
    options: dict[str, Any] = {"missing": missing, "states": known or "declared", **given.reading}
    with _advising(given, "credenet.read", read):
        return read(given.value, **options, n_threads=given.n_threads)


def _in_frame(
    given: GivenData, missing: Missing, only: Collection[str] | None, known: Mapping[str, Sequence[Label]]
) -> Dataset:
    reading = dict(given.reading)
    if of_files := [name for name in FILE_OPTIONS if reading.pop(name, None)]:
        raise ArgumentError(f"{_are(of_files)} for a file, and {given.argument} is none")
    names = inspect.signature(CodingOptions.of).parameters.keys() - {"states"}
    usual = {name: USUAL[name] for name in names} | {"missing": missing}
    options = replace(
        CodingOptions.of(**{**usual, **reading}, states="declared"),
        known={name: tuple(labels) for name, labels in known.items()},
    )
    frame = given.value
    if only is not None and not isinstance(frame, np.ndarray) and options.columns is None and not options.drop:
        frame = _selected(frame, {*only, *filter(None, [options.weights])})
    with _advising(given, "credenet.Dataset.from_frame", Dataset.from_frame):
        return Dataset._of_frame(frame, options)


@contextmanager
def _advising(given: GivenData, name: str, reader: Callable[..., Dataset]) -> Iterator[None]:
    """Advice in an error is for the call that takes options: the one that was made, or else that of the reader."""
    try:
        yield
    except DataError as error:
        if given.in_options:
            raise
        names, made = inspect.signature(reader).parameters, f"{name}({given.argument}, {{}})"
        raise error.reworded(
            lambda text: in_other_words(text, names, lambda name, value: made.format(f"{name}={value}")),
            lambda cures: made.format(", ".join(f"{name}={value!r}" for name, value in cures.items())),
        ) from None


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
        dict: "make a data frame of it first",
        list: "make an array of it first: numpy.array(...)",
    }
    cure = next((f"; {cure}" for kind, cure in cures.items() if isinstance(value, kind)), "")
    return f"got {shown(value)}{cure}"
