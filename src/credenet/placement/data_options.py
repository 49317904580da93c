"""Data as an argument of a call: a path, a frame or an array with the options of how they are read and counted.

`takes_data` is the one place where a call gets these options. It hands data and options on as `GivenData`, which
`as_dataset` and `as_source` turn into a `Dataset`; they alone know which columns and states the call needs. Rows that
are placed on a device or a cluster stay there until the call ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar

from credenet._advised import check_keywords
from credenet.data.coding import MAX_STATES, Missing
from credenet.data.dataset import Dataset
from credenet.data.discretize import Method
from credenet.data.labels import Decimal
from credenet.data.merging import Groups
from credenet.data.sources import GivenData
from credenet.errors import ArgumentError
from credenet.placement.calls import placed
from credenet.placement.device import Device

if TYPE_CHECKING:
    from credenet._files.suffixes import DataFormat
    from credenet.placement.calls import Cluster

P = ParamSpec("P")
R = TypeVar("R")


class DataOptions(TypedDict, total=False):
    """How the data of a call are read and counted. Options of reading need a file, a frame or an array.

    Attributes
    ----------
    format, header, encoding, repair
        How a file is read; see `credenet.read`.
    columns, drop, discretize, decimal, missing, na_values, weights, max_states, merge_states
        How a file, a frame or an array becomes a `Dataset`; see `credenet.read`.
    device
        Where rows are counted: ``"cpu"``, ``"cuda"`` (an NVIDIA graphics processor; needs the extra ``gpu``), or
        ``"auto"``, which takes a graphics processor for large data if there is one. The result is the same.
    cluster
        Workers that count the data: a `distributed.Client`, a cluster such as `distributed.LocalCluster`, or the
        address of a scheduler. The result is the same. For several calls on the same data see `placed`.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> options: credenet.types.DataOptions = {"missing": "drop", "max_states": 64}
    >>> frame = pl.DataFrame({"rain": ["yes", "no", None], "grass": ["wet", "dry", "dry"]})
    >>> credenet.learn(frame, **options).status
    'optimal'
    """

    format: DataFormat | None
    header: bool | None
    encoding: str | None
    columns: Sequence[str] | None
    drop: str | Sequence[str]
    discretize: Method | Mapping[str, Method] | None
    decimal: Decimal | None
    missing: Missing
    na_values: str | Iterable[object]
    weights: str | None
    max_states: int
    merge_states: Mapping[str, Groups] | None
    repair: bool
    device: Device | str
    cluster: Cluster | None


USUAL: Mapping[str, Any] = {
    **dict.fromkeys(DataOptions.__annotations__),
    "drop": (),
    "na_values": (),
    "missing": "error",
    "max_states": MAX_STATES,
    "repair": False,
    "device": "cpu",
}
"""The options that are the same as none."""

_PLACES = ("device", "cluster")


def takes_data(argument: str = "data", *, hands_on: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator of calls whose argument is data in any form: it gives the call the options in `DataOptions`.

    Parameters
    ----------
    hands_on
        Whether the call hands other options on to `learn`, with the device and the cluster, as it counts other rows
        than those given.
    """
    known = tuple(name for name in USUAL if not hands_on or name not in _PLACES)

    def decorate(call: Callable[P, R]) -> Callable[P, R]:
        at = call.__code__.co_varnames.index(argument)
        checked = call if hands_on else check_keywords(call, known)

        @wraps(call)
        def with_data(*arguments: Any, **options: Any) -> R:
            said = {name: options.pop(name) for name in known if name in options}
            given = {name: value for name, value in said.items() if not _is_usual(name, value)}
            positional = len(arguments) > at
            if not positional and argument not in options and not given:
                return checked(*arguments, **options)
            with ExitStack() as until:
                value = arguments[at] if positional else options.get(argument)
                if value is None and given:
                    raise ArgumentError(f"{' and '.join(given)} can only be given with {argument}")
                if value is not None:
                    places = {name: given.pop(name) for name in _PLACES if name in given}
                    value = GivenData(
                        value, argument, given, places, _placer(places, until), options.get("n_threads"), True
                    )
                if positional:
                    arguments = (*arguments[:at], value, *arguments[at + 1 :])
                else:
                    options[argument] = value
                return checked(*arguments, **options)

        return with_data

    return decorate


def _placer(places: Mapping[str, Any], until: ExitStack) -> Callable[[Dataset], Dataset] | None:
    return (lambda data: until.enter_context(placed(data, **places))) if places else None


def _is_usual(name: str, value: object) -> bool:
    return type(value) is type(USUAL[name]) and value == USUAL[name]
