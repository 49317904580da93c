"""Checks of memory before it is allocated."""

from __future__ import annotations

import os

from credenet._arguments import whole_number
from credenet._memory import available_memory
from credenet._text import byte_count
from credenet.errors import ArgumentError


def check_memory(needed: int, what: str, advice: str) -> None:
    """Raises an error if work would take more memory than the machine has."""
    try:
        present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # The system does not tell its memory.
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


def usable_memory() -> float:
    """Three quarters of the memory that programs can get now, in bytes; 4 GB if that is not known."""
    available = available_memory()
    return float(4 << 30) if available is None else 0.75 * available
