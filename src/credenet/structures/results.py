"""The questions that every result answers by the same names.

`Result` is what each call that takes time returns: a learned network, credible networks and classes, a posterior,
shares of bootstrap samples, effects, a validation. Those that say how two variables are joined are `JoinedPairs`, too;
those that are networks with probabilities are `WeightedNetworks`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from credenet.structures.pairs import Pairs

if TYPE_CHECKING:
    import polars as pl

    from credenet.learners.results import Provenance, Statistics


@runtime_checkable
class Result(Protocol):
    """How the work ended, what it took and how it was made; as JSON, as a frame, and in a file."""

    @property
    def status(self) -> str:
        """How the work ended: it is complete, or a limit ended it."""

    @property
    def statistics(self) -> Statistics:
        """Time and work; ``statistics.seconds`` is the whole time."""

    @property
    def provenance(self) -> Provenance:
        """What was asked for, and of which data."""

    def to_dict(self) -> dict[str, Any]:
        """What is known, as JSON values."""

    def to_json(self) -> str:
        """The same as text."""

    def to_polars(self) -> pl.DataFrame:
        """The main table as a polars frame."""

    def save(self, path: str | Path) -> None:
        """Writes the result in the format of the suffix."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The result in a ``.json`` file that `save` wrote."""


@runtime_checkable
class JoinedPairs(Protocol):
    """A result that says how probable it is that two variables are joined, and in which direction."""

    def pair_probabilities(self) -> Pairs:
        """The pairs that are joined, each as a pair of names with its probabilities."""
