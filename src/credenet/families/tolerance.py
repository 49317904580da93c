"""The tolerance within which two scores are equal."""

from __future__ import annotations


def tolerance(score: float) -> float:
    """The difference up to which two scores of about this size count as equal."""
    return max(1e-9, 1e-12 * abs(score))
