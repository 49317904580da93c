"""Scores and bounds that a user's function returns, checked before the core sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.settings.scores import BatchFunction

Families = list[tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class FunctionScores:
    """The callback of the core: it takes families as positions of variables and returns scores, and bounds if any."""

    name: str
    data: Dataset
    function: BatchFunction
    superset_bound: BatchFunction | None

    def __call__(
        self, children: NDArray[np.uint16], begins: NDArray[np.int64], parents: NDArray[np.uint16]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        names = self.data.variables
        ends = begins.tolist()
        members = [names[at] for at in parents.tolist()]
        families = [
            (names[child], tuple(members[ends[at] : ends[at + 1]])) for at, child in enumerate(children.tolist())
        ]
        scores = self._values("function", self.function, families, np.inf)
        if self.superset_bound is None:
            return scores, None
        return scores, self._values("superset_bound", self.superset_bound, families, np.nan)

    def _values(self, what: str, function: BatchFunction, families: Families, forbidden: float) -> NDArray[np.float64]:
        """The checked numbers of a function, one for each family; errors that the function raises pass through."""
        answer = function(self.data, families)
        try:
            values = np.ascontiguousarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(f"the {what} of the score {self.name} must return numbers") from None
        if values.shape != (len(families),):
            raise ArgumentError(
                f"the {what} of the score {self.name} must return a number for each of {len(families)} families, got "
                f"an array of shape {values.shape}"
            )
        wrong = np.flatnonzero(np.isnan(values) | (values == forbidden))
        if wrong.size:
            at = int(wrong[0])
            raise ArgumentError(
                f"the {what} of the score {self.name} must return finite numbers or minus infinity, got {values[at]} "
                f"for {_write_family(families[at])}"
            )
        return values


def _write_family(family: tuple[str, Sequence[str]]) -> str:
    child, parents = family
    return f"{child!r} with the parents {', '.join(map(repr, parents))}" if parents else f"{child!r} without parents"
