"""A network as a choice of one family of each variable, by positions in the table."""

from __future__ import annotations

import sys

from credenet._arguments import shown, whole_number
from credenet.errors import ArgumentError

MOST_LISTED = 10_000_000  # networks that are gone through one by one
MOST_WRITTEN = 1_000_000_000  # to a file, in an hour or so


def check_listing(number: int, what: str, who: str, most: int = MOST_LISTED) -> None:
    """Refuses to go through more than can be done in minutes."""
    if number > most:
        raise ArgumentError(
            f"{who} goes through the {what} one by one, and there are {number:,}, more than {most:,}; "
            "ask for a smaller bayes_factor or slack"
        )


def check_predicate(predicate: object) -> None:
    if not callable(predicate):
        raise ArgumentError(f"predicate must be a function that takes a DAG, got {shown(predicate)}")


def check_limit(limit: int | None) -> None:
    if limit is not None:
        whole_number("limit", limit, most=sys.maxsize)
