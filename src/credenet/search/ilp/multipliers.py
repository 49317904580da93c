"""Dual values: multipliers of inequalities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Multipliers(NamedTuple):
    """Rows by number, each with a dual value that is not negative."""

    rows: NDArray[np.int32]
    values: NDArray[np.float64]


NO_MULTIPLIERS = Multipliers(np.empty(0, dtype=np.int32), np.empty(0))
