"""Numbers in network files: plain decimal notation only, so that ``1_0``, ``nan`` and ``infinity`` are refused."""

from __future__ import annotations

import re

_foreign = re.compile(r"[^0-9eE+\-.,\s]")
_whole = re.compile(r"[0-9]{1,15}")


def decimals(text: str) -> list[float] | None:
    """The numbers in a text, separated by blanks or commas; None if there is anything else."""
    if _foreign.search(text):
        return None
    try:
        return [float(word) for word in (text.replace(",", " ") if "," in text else text).split()]
    except ValueError:
        return None


def whole(word: str) -> int | None:
    """A number of at most 15 digits without a sign; None for anything else."""
    return int(word) if _whole.fullmatch(word) else None


def count_text(count: int) -> str:
    """A count for a message; products of many cardinalities have too many digits to print."""
    return str(count) if count < 10**15 else "more than 10^15"
