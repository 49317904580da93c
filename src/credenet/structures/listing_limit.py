"""The limit on how many networks or classes are gone through one by one."""

from __future__ import annotations

from credenet.errors import ArgumentError

MOST_LISTED = 10_000_000  # Networks that are gone through one by one, which takes minutes.


def check_listing(number: int, what: str, who: str, most: int = MOST_LISTED) -> None:
    """Refuses to go through more than can be done in minutes."""
    if number > most:
        raise ArgumentError(
            f"{who} goes through the {what} one by one, and there are {number:,}, more than {most:,}; "
            "ask for a smaller bayes_factor or slack"
        )
