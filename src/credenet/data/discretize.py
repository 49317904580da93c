"""Ways to cut a column of numbers into states.

A method chooses cut points; a number's state is the number of cut points below it, so a value equal to a cut
belongs to the lower state. The cuts are kept with the data; pass them back to code new data in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import show_value, whole_number
from credenet.errors import ArgumentError

_MOST_BINS = 65_534  # States that a column can have.
OTHERS = "*"  # The key for all columns without a method of their own.


class Discretization(Protocol):
    """Anything that chooses cut points for the values of one column (sorted, with how often each occurs)."""

    def cut_points(self, values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]: ...


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Intervals of the same length between the smallest and the largest value.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> sizes = pl.DataFrame({"size": [0.0, 2.5, 4.5, 100.0]})
    >>> data = credenet.Dataset.from_frame(sizes, discretize=credenet.discretize.EqualWidth(2))
    >>> data.states["size"]
    ('<=50', '>50')
    """

    bins: int = 3

    def __post_init__(self) -> None:
        _check_bins(self.bins)

    def cut_points(self, values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
        # Halves are used, as the width of a range of huge numbers may overflow.
        low, high = float(values[0]) / 2, float(values[-1]) / 2
        cuts = (2 * (low + (high - low) * (k / self.bins)) for k in range(1, self.bins))
        return _useful(cuts, values)


@dataclass(frozen=True, slots=True)
class EqualFrequency:
    """Intervals that hold about the same number of rows; equal values stay together.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> sizes = pl.DataFrame({"size": [1.5, 2.5, 4.5, 100.0]})
    >>> data = credenet.Dataset.from_frame(sizes, discretize=credenet.discretize.EqualFrequency(2))
    >>> data.states["size"]
    ('<=2.5', '>2.5')
    """

    bins: int = 3

    def __post_init__(self) -> None:
        _check_bins(self.bins)

    def cut_points(self, values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
        cumulative = np.cumsum(counts)
        targets = [cumulative[-1] * k / self.bins for k in range(1, self.bins)]
        # Each cut is the value whose cumulative count is nearest to a target.
        after = np.searchsorted(cumulative, targets)
        nearest = [
            int(at) - 1 if at > 0 and target - cumulative[at - 1] < cumulative[at] - target else int(at)
            for at, target in zip(after, targets, strict=True)
        ]
        return _useful((float(values[at]) for at in nearest), values)


@dataclass(frozen=True, slots=True)
class Median:
    """Two states, ``x > median`` or not; ``x >= median`` where the first would leave one state empty.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> sizes = pl.DataFrame({"size": [1.5, 2.5, 3.5, 100.0]})
    >>> credenet.Dataset.from_frame(sizes, discretize=credenet.discretize.Median()).states["size"]
    ('<=3', '>3')
    """

    def cut_points(self, values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
        cumulative = np.cumsum(counts)
        total = int(cumulative[-1])
        low = float(values[np.searchsorted(cumulative, (total + 1) // 2)])
        high = float(values[np.searchsorted(cumulative, total // 2 + 1)])
        median = low if low == high else low / 2 + high / 2
        if median >= values[-1] and len(values) > 1:
            median = float(values[-2])
        return _useful([median], values)


@dataclass(frozen=True, slots=True)
class Cuts:
    """The given cut points.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> ages = pl.DataFrame({"age": [4.0, 17.5, 18.0, 70.0]})
    >>> data = credenet.Dataset.from_frame(ages, discretize=credenet.discretize.Cuts((18, 65)))
    >>> data.states["age"]
    ('<=18', '(18,65]', '>65')
    """

    points: tuple[float, ...]

    def __post_init__(self) -> None:
        try:
            points = tuple(float(point) for point in self.points)
        except (TypeError, ValueError):
            raise ArgumentError(f"points must be a list of numbers, got {show_value(self.points)}") from None
        if not all(np.isfinite(points)) or any(a >= b for a, b in pairwise(points)):
            raise ArgumentError(f"cut points must be finite and increasing, got {points}")
        object.__setattr__(self, "points", points)

    def cut_points(self, values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, ...]:
        return self.points


def _check_bins(bins: int) -> None:
    whole_number("bins", bins, least=2, most=_MOST_BINS)


def _useful(cuts: Iterable[float], values: NDArray[np.float64]) -> tuple[float, ...]:
    """The cuts that separate values: increasing, at least the smallest and below the largest value."""
    return tuple(sorted({cut for cut in cuts if values[0] <= cut < values[-1]}))


Method = Discretization | str | Sequence[float]


def method_from(method: Method) -> Discretization:
    """A method from its short form: ``"width:4"``, ``"frequency"``, ``"median"``, ``"cuts:1.5,3"`` or cut points."""
    if hasattr(method, "cut_points"):
        return method
    try:
        if not isinstance(method, str):
            return Cuts(tuple(float(point) for point in method))
        name, _, setting = method.partition(":")
        if name == "median" and not setting:
            return Median()
        if name == "width":
            return EqualWidth(int(setting)) if setting else EqualWidth()
        if name == "frequency":
            return EqualFrequency(int(setting)) if setting else EqualFrequency()
        if name == "cuts" and setting:
            return Cuts(tuple(float(point) for point in setting.split(",")))
    except ArgumentError:
        raise
    except (TypeError, ValueError):
        pass
    raise ArgumentError(f"discretize must be 'width:BINS', 'frequency:BINS', 'median' or 'cuts:A,B,…', got {method!r}")


def method_for(column: str, discretize: Method | Mapping[str, Method] | None) -> tuple[Discretization | None, bool]:
    """The method for a column, and whether it was asked for this column by name."""
    if isinstance(discretize, Mapping) and (named := discretize.get(column)) is not None:
        return method_from(named), True
    default = default_method(discretize)
    return (None if default is None else method_from(default)), False


def default_method(discretize: Method | Mapping[str, Method] | None) -> Method | None:
    """The method for columns that have none of their own."""
    return discretize.get(OTHERS) if isinstance(discretize, Mapping) else discretize


def map_by_column(discretize: Method | Mapping[str, Method] | None) -> dict[str, Method]:
    """All methods as a mapping, the default one under ``*``."""
    if discretize is None:
        return {}
    return dict(discretize) if isinstance(discretize, Mapping) else {OTHERS: discretize}


def interval_labels(cuts: Sequence[float]) -> tuple[str, ...]:
    """Names of the states that cuts make: ``<=1.5``, ``(1.5,3]``, ``>3``; an interval holds its upper end."""
    if not cuts:
        return ("all",)
    points = [f"{cut:g}" for cut in cuts]
    if len(set(points)) < len(points):
        points = [repr(float(cut)) for cut in cuts]
    return (f"<={points[0]}", *(f"({a},{b}]" for a, b in pairwise(points)), f">{points[-1]}")
