"""Nodes of a branch-and-cut tree: the active families and a bound on the networks of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet.search.ilp.leaves import ActiveComponents
from credenet.search.ilp.linear_program import Basis, CompactBasis, Mask
from credenet.search.ilp.multipliers import NO_MULTIPLIERS, Multipliers
from credenet.search.ilp.proof import ProofNode
from credenet.search.ilp.tunables import (
    BYTES_OF_OPEN_NODE,
)


@dataclass(slots=True)
class CurrentNode:
    """The node that is being processed.

    Attributes
    ----------
    active
        The families that are not fixed at 0.
    best
        The dual values that prove the bound; they are recorded before the active families change.
    components
        The components of the active families; None until they are computed.
    may_be_exact
        Whether an integer program may look for violated clusters when nothing else finds one.
    basis
        The last basis of the linear program when the node was tried as a child.
    """

    active: Mask
    bound: float
    proof: ProofNode
    depth: int = 0
    best: Multipliers = NO_MULTIPLIERS
    is_recorded: bool = True
    components: ActiveComponents | None = None
    may_be_exact: bool = False
    basis: Basis | None = None


@dataclass(slots=True)
class OpenNode:
    """A node that waits, with its active families as packed bits."""

    bound: float
    active: NDArray[np.uint8]
    proof: ProofNode
    depth: int
    start: CompactBasis | None

    @classmethod
    def from_node(cls, node: CurrentNode, depth: int) -> OpenNode:
        start = None if node.basis is None else CompactBasis.from_basis(node.basis)
        return cls(node.bound, np.packbits(node.active), node.proof, depth, start)

    @property
    def n_bytes(self) -> int:
        return len(self.active) + BYTES_OF_OPEN_NODE + (0 if self.start is None else self.start.n_bytes)

    def unpack(self, n_families: int) -> CurrentNode:
        """The node in the form that is processed."""
        return CurrentNode(np.unpackbits(self.active, count=n_families), self.bound, self.proof, self.depth)
