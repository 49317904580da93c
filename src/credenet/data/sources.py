"""Data in the forms that callers have: a `Dataset`, a path, a data frame or an array, with reading options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from credenet import _later
from credenet._advice import reword_arguments
from credenet._arguments import show_value
from credenet.data.coding import CodingOptions
from credenet.data.dataset import Dataset
from credenet.data.states import Label
from credenet.errors import ArgumentError, DataError

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame
    from numpy.typing import NDArray

    from credenet.data.coding import Missing

    DataLike = Dataset | IntoDataFrame | NDArray[Any] | str | PathLike[str]

FILE_OPTIONS = ("format", "header", "encoding", "repair")


@dataclass(frozen=True, slots=True)
class GivenData:
    """Data in the form that a call received.

    Attributes
    ----------
    reading
        The reading options.
    places
        The device and the cluster, if any is given.
    place
        Moves the dataset to that device or cluster.
    takes_options
        Whether the call takes options; if not, advice in errors names a call that does.
    """

    value: Any
    argument: str
    reading: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, Any] = field(default_factory=dict)
    place: Callable[[Dataset], Dataset] | None = None
    n_threads: int | None = None
    takes_options: bool = False


def as_dataset(
    value: DataLike,
    argument: str = "data",
    *,
    missing: Missing = "error",
    only: Collection[str] | None = None,
    known: Mapping[str, Sequence[Label]] | None = None,
) -> Dataset:
    """A dataset from a `Dataset`, a file, a pandas, polars or arrow frame, or a two-dimensional array.

    Columns of a frame outside ``only`` are ignored, unless there are no others. A variable with ``known`` states may
    have no values. Options of the call have priority.

    Examples
    --------
    >>> as_dataset(np.array([[0, 1], [1, 1]]))
    <Dataset 2 rows, 2 variables>
    """
    given = check_given_data(value, argument)
    if isinstance(given.value, Dataset):
        _refuse_reading(given)
        data = given.value
    elif isinstance(given.value, str | PathLike):
        data = _read_file(given, missing, known or {})
    elif isinstance(given.value, np.ndarray) or is_data_frame(given.value):
        data = _read_frame(given, missing, only, known or {})
    else:
        kinds = "a Dataset, a data frame, a two-dimensional array or the path of a table"
        raise ArgumentError(f"{argument} must be {kinds}, {cure_for(given.value)}")
    return data if given.place is None else given.place(data)


def check_given_data(value: Any, argument: str) -> GivenData:
    """The data with the options of the call, if it takes options."""
    return value if isinstance(value, GivenData) else GivenData(value, argument)


def _refuse_reading(given: GivenData) -> None:
    """Refuses reading options for data that are in memory already."""
    if given.reading:
        raise ArgumentError(
            f"{are(given.reading)} for a file or a frame, and {given.argument} is a Dataset; "
            "pass this to credenet.read or Dataset.from_frame"
        )


def are(names: Collection[str]) -> str:
    """The names of options followed by "is" or "are"."""
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _read_file(given: GivenData, missing: Missing, known: Mapping[str, Sequence[Label]]) -> Dataset:
    options: dict[str, Any] = {"missing": missing, "states": known or "declared", **given.reading}
    read = _later.io_reading.read
    with _advising(given, "credenet.read", read):
        return read(given.value, **options, n_threads=given.n_threads)


def _read_frame(
    given: GivenData, missing: Missing, only: Collection[str] | None, known: Mapping[str, Sequence[Label]]
) -> Dataset:
    reading = dict(given.reading)
    if of_files := [name for name in FILE_OPTIONS if reading.pop(name, None)]:
        raise ArgumentError(f"{are(of_files)} for a file, and {given.argument} is none")
    parameters = inspect.signature(Dataset.from_frame).parameters
    usual = {name: parameters[name].default for name in inspect.signature(CodingOptions.from_arguments).parameters}
    options = replace(
        CodingOptions.from_arguments(**{**usual, "missing": missing, **reading}),
        known={name: tuple(labels) for name, labels in known.items()},
    )
    frame = given.value
    if only is not None and not isinstance(frame, np.ndarray) and options.columns is None and not options.drop:
        frame = _select_columns(frame, {*only, *filter(None, [options.weights])})
    with _advising(given, "credenet.Dataset.from_frame", Dataset.from_frame):
        return Dataset._of_frame(frame, options)


@contextmanager
def _advising(given: GivenData, name: str, reader: Callable[..., Dataset]) -> Iterator[None]:
    """Rewords advice in errors for the call that takes the options: the call that was made, or else the reader."""
    try:
        yield
    except DataError as error:
        if given.takes_options:
            raise
        names, made = inspect.signature(reader).parameters, f"{name}({given.argument}, {{}})"
        raise error.reword(
            lambda text: reword_arguments(text, names, lambda name, value: made.format(f"{name}={value}")),
            lambda cures: made.format(", ".join(f"{name}={value!r}" for name, value in cures.items())),
        ) from None


def is_data_frame(value: Any) -> bool:
    """Whether narwhals reads the value as a data frame."""
    import narwhals as nw

    if not hasattr(value, "columns"):
        return False
    return isinstance(nw.from_native(value, eager_only=True, pass_through=True), nw.DataFrame)


def _select_columns(frame: Any, only: Collection[str]) -> Any:
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    kept = [name for name in table.columns if str(name) in only]
    return table.select(kept).to_native() if kept else frame


def cure_for(value: Any) -> str:
    """A phrase that names the given value and how to make data of it."""
    cure = ""
    if isinstance(value, dict):
        values = "..." if any(isinstance(each, list | tuple) for each in value.values()) else "[...]"
        cure = f"; make a data frame of it first: polars.DataFrame({values})"
    elif isinstance(value, list):
        is_records = any(isinstance(each, dict) for each in value)
        cure = f"; make {'a data frame' if is_records else 'an array'} of it first: "
        cure += "polars.DataFrame(...)" if is_records else "numpy.array(...)"
    return f"got {show_value(value)}{cure}"
