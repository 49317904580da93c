"""The limit on the number of networks or classes that are visited one by one."""

from __future__ import annotations

from credenet.errors import ArgumentError

MOST_LISTED = 10_000_000  # Networks at most that are visited one by one, which takes minutes.


def check_listing(number: int, what: str, who: str, most: int = MOST_LISTED) -> None:
    """Refuses more networks than can be visited in minutes."""
    if number > most:
        raise ArgumentError(
            f"{who} goes through the {what} one by one, and there are {number:,}, more than {most:,}; "
            "ask for a smaller bayes_factor or slack"
        )
