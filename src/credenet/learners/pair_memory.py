"""Checks of memory, before they begin, for learners that keep values for every pair of variables."""

from __future__ import annotations

from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.scoring.core_scoring import check_rows_fit

MOST_VARIABLES = 65_535  # Variables at most, as the core numbers them by 16 bits.
_NEGLIGIBLE = 4096  # Bytes that a call may take whatever its memory limit.


def check_pairs_fit(data: Dataset, method: str, bytes_per_pair: float, memory: float) -> None:
    """Raises an error if variables are too many, or if their pairs or the rows do not fit into memory."""
    if data.n_variables > MOST_VARIABLES:
        raise ArgumentError(
            f"{method} takes at most {MOST_VARIABLES:,} variables, got {data.n_variables:,}; leave some out, for "
            "instance with data.select"
        )
    needed = data.n_variables**2 / 2 * bytes_per_pair
    if needed > max(memory, _NEGLIGIBLE):
        raise ArgumentError(
            f"{method} keeps every pair of {count(data.n_variables, 'variable')}, about {byte_count(needed)}; "
            f"memory_limit is {byte_count(memory)}"
        )
    check_rows_fit(data, memory)
