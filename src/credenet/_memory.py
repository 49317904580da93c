"""The memory that programs can still get."""

from __future__ import annotations

import os
from pathlib import Path


def available_memory() -> int | None:
    """The bytes of free memory, including caches that the system would release; None if not known."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    except (OSError, StopIteration, ValueError):  # The system is not Linux.
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
