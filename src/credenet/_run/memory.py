"""Checks of memory before it is allocated."""

from __future__ import annotations

import os

from credenet._arguments import whole_number
from credenet._text import byte_count
from credenet.errors import ArgumentError


def check_memory(needed: int, what: str, advice: str) -> None:
    """Raises an error if work would take more memory than the machine has."""
    try:
        present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not known here
        return
    if needed > present:
        raise ArgumentError(
            f"{what} needs {byte_count(needed)} of memory, this machine has {byte_count(present)}; {advice}"
        )


def sample_size(n_rows: int, bytes_per_row: int) -> int:
    """The number of rows to draw, if they fit into memory."""
    number = whole_number("n_rows", n_rows, least=1)
    check_memory(number * bytes_per_row, f"a sample of {number} rows", "draw fewer rows at a time, with other seeds")
    return number


def free_memory() -> int | None:
    """The memory that is free now; None where that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def usable_memory() -> float:
    """Three quarters of the memory that is free now; 4 GB where that is not known."""
    free = free_memory()
    return float(4 << 30) if free is None else 0.75 * free
