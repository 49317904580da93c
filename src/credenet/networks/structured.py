"""What a network says about its structure, which is that of its DAG."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from credenet.graphs import DAG


class Structured(ABC):
    """A network over a DAG."""

    __slots__ = ()

    @property
    @abstractmethod
    def _structure(self) -> DAG: ...

    def __contains__(self, variable: object) -> bool:
        return variable in self._structure

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs (parent, child); see `DAG.edges`."""
        return self._structure.edges

    @property
    def roots(self) -> tuple[str, ...]:
        """The variables without parents."""
        return self._structure.roots

    @property
    def leaves(self) -> tuple[str, ...]:
        """The variables without children."""
        return self._structure.leaves

    def children(self, variable: str) -> tuple[str, ...]:
        """The children of a variable."""
        return self._structure.children(variable)

    def markov_blanket(self, variable: str) -> tuple[str, ...]:
        """Parents, children and other parents of children; see `DAG.markov_blanket`.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia().markov_blanket("lung")
        ('tub', 'smoke', 'either')
        """
        return self._structure.markov_blanket(variable)

    @overload
    def to_adjacency(self, frame: None = None) -> NDArray[np.int8]: ...
    @overload
    def to_adjacency(self, frame: Literal["pandas", "polars"]) -> Any: ...

    def to_adjacency(self, frame: Literal["pandas", "polars"] | None = None) -> Any:
        """The adjacency matrix, plain or as a frame with names; see `DAG.to_adjacency`."""
        return self._structure.to_adjacency() if frame is None else self._structure.to_adjacency(frame)
