"""How work ended."""

from __future__ import annotations

from typing import Literal

Status = Literal[
    "optimal", "complete", "local_optimum", "time_limit", "memory_limit", "iteration_limit", "stopped", "infeasible"
]
