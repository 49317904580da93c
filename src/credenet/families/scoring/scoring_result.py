"""The outcome of scoring families in the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet._run.status import CoreStatus

FamilyArrays = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int32]]
"""The scores of the families of a variable, where the parents of each begin, and the parents."""


class ScoringResult(NamedTuple):
    """The families of each variable, and how the scoring ended."""

    families: list[FamilyArrays]
    evaluated: int
    levels: int  # How many numbers of added parents (0, 1, …) were visited.
    status: CoreStatus
    unscored: Sequence[tuple[float, float]] = ()  # Gain and bound of each variable, as in UnscoredSets.
