"""Dual values: multipliers of inequalities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Multipliers(NamedTuple):
    """The numbers of rows and their dual values, which are at least 0."""

    rows: NDArray[np.int32]
    values: NDArray[np.float64]


NO_MULTIPLIERS = Multipliers(np.empty(0, dtype=np.int32), np.empty(0))
