"""The protocol of results, which answer the same questions by the same names.

`Result` is what each call that takes time returns: a learned network, credible networks and classes, a posterior,
shares of bootstrap samples, effects, a validation. Sets of networks with probabilities are `WeightedNetworks`, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    import polars as pl

    from credenet.learners.results import Provenance, Statistics


@runtime_checkable
class Result(Protocol):
    """A result with its status, statistics and provenance, which becomes JSON, a frame or a file."""

    @property
    def status(self) -> str:
        """How the work ended: complete, or at a limit."""

    @property
    def statistics(self) -> Statistics:
        """Time and work; ``statistics.seconds`` is the whole time."""

    @property
    def provenance(self) -> Provenance:
        """The options and the data of the call."""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values."""

    def to_json(self) -> str:
        """The values of `to_dict` as JSON text."""

    def to_polars(self) -> pl.DataFrame:
        """The main table as a polars frame."""

    def save(self, path: str | Path) -> None:
        """Writes the result in the format of the suffix."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The result in a ``.json`` file that `save` wrote."""
