"""The remarks on the table that a verb works on, which its JSON repeats."""

from __future__ import annotations

from collections.abc import Sequence

_remarks: list[list[str]] = []  # of each table that was read, as they were printed


def begin() -> None:
    """Forgets the tables of an earlier command."""
    _remarks.clear()


def note(remarks: Sequence[str]) -> None:
    _remarks.append([*remarks])


def noted() -> dict[str, list[str]]:
    """The remarks as an entry of JSON; none for a verb that makes no remarks on a table."""
    return {"data_remarks": [remark for remarks in _remarks for remark in remarks]} if _remarks else {}
