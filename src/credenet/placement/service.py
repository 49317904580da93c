"""The interface of services that count the rows of a dataset, on other machines or on a graphics processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Members = NDArray[np.uint16]
Counts = NDArray[np.uint32]
Cells = NDArray[np.uint64]


class CountService(Protocol):
    """Counts tables of variables, which are given by their places.

    The cells of a table are numbered in mixed radix over the observed states of its variables, in the order given, the
    last variable fastest. Several threads may ask at a time.
    """

    @property
    def observed_codes(self) -> Sequence[Sequence[int]]:
        """For each variable the codes that occur, ascending; at least one."""

    @property
    def n_rows(self) -> int:
        """The number of rows, a row of weight w counted as w rows; at most ``MOST_ROWS``."""

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        """All cells of each set, one table after another.

        Set k is ``members[begins[k] : begins[k + 1]]``. It has at least one member, and its table has at most
        ``_core.most_table_cells`` cells.
        """

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        """The occupied cells of one set of any size, ascending, and their counts."""


MOST_ROWS = 2**32 - 1  # Rows at most, as a count has 32 bits.
