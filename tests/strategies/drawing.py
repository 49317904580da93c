"""A function that draws from strategies, whoever gives it: a test, another strategy or a random campaign."""

from __future__ import annotations

from typing import Protocol, TypeVar

from hypothesis.strategies import SearchStrategy

Drawn = TypeVar("Drawn")


class Draw(Protocol):
    """Draws one value from a strategy."""

    def __call__(self, strategy: SearchStrategy[Drawn], /) -> Drawn: ...
