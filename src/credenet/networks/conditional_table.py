"""The table of one variable of a network with its labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from credenet import _later
from credenet._copies import copy_fields
from credenet._html import MOST_ROWS, first_rows
from credenet._text import count, probability, table
from credenet.data.states import Label, StateLabels

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalTable:
    """P(variable | parents) with the labels of all states; `BayesianNetwork.table` has the same numbers alone.

    It stands wherever an array of numbers does: ``numpy.asarray(table)`` has one axis for each parent and a last one
    for the variable.

    Attributes
    ----------
    variable, parents
        The variable, and its parents in the order of the axes.
    states
        State labels of each parent, and last of the variable.
    values
        The probabilities.

    Examples
    --------
    >>> import credenet
    >>> print(credenet.textbook.asia()["lung"])
    P(lung | smoke)
    smoke  yes     no
    yes    0.1000  0.9000
    no     0.0100  0.9900
    """

    variable: str
    parents: tuple[str, ...]
    states: StateLabels
    values: NDArray[np.float64]

    def __reduce__(self) -> tuple[Any, ...]:
        return copy_fields(self)

    @classmethod
    def from_values(
        cls,
        variable: str,
        parents: tuple[str, ...],
        states: StateLabels,
        values: NDArray[np.float64],
    ) -> ConditionalTable:
        """The table of a variable in a network with these states."""
        family = {name: states[name] for name in (*parents, variable)}
        return cls(variable, parents, MappingProxyType(family), values)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each parent, and last of the variable."""
        return self.values.shape

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConditionalTable):
            return NotImplemented
        alike = self.variable == other.variable and list(self.states.items()) == list(other.states.items())
        return alike and np.array_equal(self.values, other.values)

    __hash__ = None  # type: ignore[assignment]

    def rows(self) -> Iterator[tuple[tuple[Label, ...], NDArray[np.float64]]]:
        """For each combination of states of the parents the probabilities of the states, the last parent first."""
        labels = product(*(self.states[parent] for parent in self.parents))
        yield from zip(labels, self.values.reshape(-1, self.shape[-1]), strict=True)

    def to_polars(self) -> pl.DataFrame:
        """A polars frame with a row for each number: states of the parents and of the variable, and ``probability``.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia()["lung"].to_polars().rows()[0]
        ('yes', 'yes', 0.1)
        """
        import polars as pl

        name = "probability"
        while name in self.states:
            name += "_"
        combined = zip(*product(*self.states.values()), strict=True)
        columns = {family: list(labels) for family, labels in zip(self.states, combined, strict=True)}
        return pl.DataFrame({**columns, name: self.values.reshape(-1)})

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def __repr__(self) -> str:
        return f"<ConditionalTable {self._title()}, {count(self.values.size, 'number')}>"

    def __str__(self) -> str:
        rows = self._cells()
        more = len(rows) - MOST_ROWS
        note = f"\n… and {count(more, 'more row')}" if more > 0 else ""
        return f"{self._title()}\n{table(self._headers(), rows[:MOST_ROWS])}{note}"

    def _repr_html_(self) -> str:
        return first_rows(self._title(), self._headers(), self._cells())

    def _title(self) -> str:
        return f"P({self.variable}{' | ' if self.parents else ''}{', '.join(self.parents)})"

    def _headers(self) -> tuple[str, ...]:
        return (*self.parents, *map(str, self.states[self.variable]))

    def _cells(self) -> list[list[str]]:
        return [[*map(str, labels), *map(probability, numbers.tolist())] for labels, numbers in self.rows()]
