"""The results of sums and chains that a posterior is made of, and how exactly they know the probabilities of edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet.posteriors.sampling.stretches import ERRORS

if TYPE_CHECKING:
    from credenet.families.table import FamilyTable
    from credenet.learners.results import Provenance, Statistics
    from credenet.posteriors.parts import ComponentPosterior
    from credenet.posteriors.sampling.chains import ChainResult

KNOWN_TO = 0.01
"""A probability is known if three standard errors are at most this."""


@dataclass(frozen=True, slots=True)
class EdgeErrors:
    """The standard errors of the probabilities of edges, as matrices; infinite where chains cannot tell.

    Attributes
    ----------
    edges
        For each child (row) those of its parents.
    joined
        Those of the probability that two variables are joined in either direction.
    """

    edges: NDArray[np.float64]
    joined: NDArray[np.float64]

    def is_known(self, within: float = KNOWN_TO) -> NDArray[np.bool_]:
        """For each child (row) which of its edges have a probability that is known to within a number."""
        return ERRORS * self.edges <= within


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorFindings:
    """The results of sums and chains; see `StructurePosterior`."""

    families: FamilyTable
    parts: Sequence[ComponentPosterior]
    edges: NDArray[np.float64] | None
    """For each child (row) the probability of each parent; None if nothing is known."""
    status: str
    provenance: Provenance
    statistics: Statistics
    log_evidence: float | None = None
    consistency: float | None = None
    chains: tuple[ChainResult, ...] = ()
    by_orders: bool = False
    errors: EdgeErrors | None = None
    """None if all probabilities are exact."""
