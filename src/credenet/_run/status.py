"""The status with which work ends."""

from __future__ import annotations

from typing import Literal

from credenet.errors import CredenetError

CoreStatus = Literal[
    "complete",
    "optimal",
    "local_optimum",
    "infeasible",
    "stopped",
    "interrupted",
    "memory_limit",
    "iteration_limit",
]
"""How a call of the core ended: ``stopped`` by its callback, ``interrupted`` by Ctrl-C."""

Status = Literal[
    "optimal", "complete", "local_optimum", "time_limit", "memory_limit", "iteration_limit", "stopped", "infeasible"
]


def require_end(status: CoreStatus, stopped: CredenetError) -> None:
    """For work without a partial result: raises KeyboardInterrupt after Ctrl-C, ``stopped`` if a callback ended it."""
    if status == "interrupted":
        raise KeyboardInterrupt
    if status == "stopped":
        raise stopped


def why_unscored(status: str | None) -> str:
    """A clause on the limit that ended the scoring of families; empty if that is not known.

    Examples
    --------
    >>> why_unscored("memory_limit")
    ', as memory was full'
    """
    reasons = {
        "memory_limit": "memory was full",
        "iteration_limit": "the limit of work was reached",
        "time_limit": "the time for scoring was up",
    }
    return f", as {reasons[status]}" if status in reasons else ""
