"""A dataset whose tables are counted by a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import mapping, name_list
from credenet.data.checks import Codes
from credenet.data.dataset import Dataset
from credenet.data.info import DatasetInfo
from credenet.data.states import Label, state_positions
from credenet.errors import DataError
from credenet.placement.service import Cells, Counts, CountService, Members


class PlacedDataset(Dataset):
    """Rows that a `CountService` counts.

    A `Dataset` in all respects. What needs the rows themselves takes them from the dataset that was placed, only then;
    if variables were selected, or states left out, they are recoded only then, too.

    Attributes
    ----------
    base
        The dataset that was placed.
    service
        What counts the rows of ``base``.
    """

    __slots__ = ("_observed", "_places", "_unplaced", "base", "service")

    base: Dataset
    service: CountService
    _places: NDArray[np.uint16]  # Positions of the variables in the base.
    _observed: tuple[tuple[int, ...], ...]  # For each variable the code in this dataset of each state of the service.
    _unplaced: Dataset | None

    def __init__(self, base: Dataset, service: CountService) -> None:
        self._set_fields(base, service, base.states, range(base.n_variables), service.observed_codes)

    def _set_fields(
        self,
        base: Dataset,
        service: CountService,
        states: Mapping[str, Sequence[Label]],
        places: Iterable[int],
        observed: Iterable[Iterable[int]],
    ) -> None:
        set_field = object.__setattr__
        named = {name: tuple(labels) for name, labels in states.items()}
        set_field(self, "base", base)
        set_field(self, "service", service)
        set_field(self, "variables", tuple(named))
        set_field(self, "states", MappingProxyType(named))
        set_field(self, "cuts", MappingProxyType({name: cuts for name, cuts in base.cuts.items() if name in named}))
        set_field(self, "_places", np.fromiter(places, dtype=np.uint16))
        set_field(self, "_observed", tuple(tuple(map(int, codes)) for codes in observed))
        for name in ("_codes", "_weights", "_info", "_source_rows", "_unplaced"):
            set_field(self, name, None)
        set_field(self, "_notes", ())

    def _select(
        self, states: Mapping[str, Sequence[Label]], places: Iterable[int], observed: Iterable[Iterable[int]]
    ) -> PlacedDataset:
        data = PlacedDataset.__new__(PlacedDataset)
        data._set_fields(self.base, self.service, states, places, observed)
        return data

    def _count_source(self) -> _core.CountSource:
        service, places = self.service, self._places

        def tables(members: Members, begins: NDArray[np.int64]) -> Counts:
            return service.tables(places[members], begins)

        def cells(members: Members) -> tuple[Cells, Counts]:
            return service.cells(places[members])

        return _core.FunctionSource([list(codes) for codes in self._observed], service.n_rows, tables, cells)

    def select(self, variables: Iterable[str]) -> Dataset:
        """The dataset of some variables, in the order given; they are counted by the same service."""
        names = name_list("variables", variables)
        chosen = [self.index(name) for name in names]
        if len(set(chosen)) < len(chosen):
            raise DataError(f"variables must differ, got {names}")
        return self._select(
            {self.variables[at]: self.states[self.variables[at]] for at in chosen},
            self._places[chosen].tolist(),
            [self._observed[at] for at in chosen],
        )

    def aligned(self, states: Mapping[str, Sequence[Label]], *, first_row: int = 0) -> Dataset:
        """The same rows coded by the given variables and states.

        The same service counts them if the states that occur keep their order.
        """
        states = mapping("states", states, "lists of labels")
        if list(states.items()) == list(self.states.items()):
            return self
        places, observed = [], []
        for name, labels in states.items():
            if name not in self.states:
                # This raises an error that says what is wrong.
                return self._rows().aligned(states, first_row=first_row)
            at = self.index(name)
            occurring = [self.states[name][code] for code in self._observed[at]]
            codes = [-1 if place is None else place for place in state_positions(occurring, labels)]
            if min(codes) < 0 or codes != sorted(codes):
                return self._rows().aligned(states, first_row=first_row)
            places.append(int(self._places[at]))
            observed.append(codes)
        return self._select(states, places, observed)

    def _rows(self) -> Dataset:
        """The data in memory, without the service."""
        if self._unplaced is None:
            states = self.base.states
            is_recoded = any(self.states[name] != states[name] for name in self.variables)
            whole = self.base.aligned(self.states) if is_recoded else self.base
            object.__setattr__(
                self, "_unplaced", whole if whole.variables == self.variables else whole.select(self.variables)
            )
        assert self._unplaced is not None
        return self._unplaced

    @property
    def codes(self) -> Codes:
        """The codes of all rows."""
        return self._rows().codes

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """A weight for each row, or None."""
        return self.base.weights

    @property
    def n_rows(self) -> int:
        return self.base.n_rows

    @property
    def total_weight(self) -> float:
        """The number of rows, or the sum of their weights."""
        return self.base.total_weight

    @property
    def missing_code(self) -> int:
        """The code of a missing cell."""
        return self._rows().missing_code

    @property
    def missing(self) -> dict[str, int]:
        """The number of missing cells of each variable that has any."""
        return {name: number for name, number in self.base.missing.items() if name in self.states}

    def __repr__(self) -> str:
        return f"<PlacedDataset {self.n_rows} rows, {self.n_variables} variables, counted by {self.service!r}>"

    def __eq__(self, other: object) -> bool:
        return self._rows() == (other._rows() if isinstance(other, PlacedDataset) else other)

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process has the rows, not the service."""
        return self._rows().__reduce__()

    def digest(self) -> str:
        """A fingerprint of names, states, codes and weights: equal for equal data, wherever they are counted."""
        return self._rows().digest()

    def take(self, indices: slice | Sequence[int] | NDArray[Any]) -> Dataset:
        """The dataset of some rows, which are not counted by the service."""
        return self._rows().take(indices)

    def row_blocks(self, n_rows: int | None = None) -> Iterator[Dataset]:
        """Consecutive rows as datasets of ``n_rows`` in memory."""
        return self._rows().row_blocks(n_rows)

    def _column_blocks(self, at: int) -> Iterator[NDArray[Any]]:
        return self._rows()._column_blocks(at)

    def _state_counts(self) -> list[NDArray[np.int64]]:
        return self._rows()._state_counts()

    @property
    def _is_elsewhere(self) -> bool:
        return True

    @property
    def _is_weighted(self) -> bool:
        return self.base._is_weighted

    def info(self) -> DatasetInfo:
        """A summary of the data, with remarks on what is unusual."""
        return self._rows().info()
