"""Networks with probabilities, as effects see them; and the probability that x has a directed path to y."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet import _core

if TYPE_CHECKING:
    from credenet.graphs import DAG

_DRAWN = 1000  # networks, where there are too many to go through


class WeightedNetworks(Protocol):
    """Networks with probabilities: a credible set, or a posterior over all networks."""

    @property
    def variables(self) -> tuple[str, ...]: ...

    @property
    def among(self) -> str:
        """The networks in words, such as "the credible networks"."""

    @property
    def has_quick_paths(self) -> bool:
        """Whether `path_probabilities` takes no more than a second or two."""

    def parent_set_probabilities(self) -> dict[str, dict[tuple[str, ...], float]]: ...

    def path_probabilities(self) -> dict[tuple[str, str], float]: ...

    def sample(self, n_networks: int, *, seed: int = 0) -> list[DAG]: ...


class Paths(NamedTuple):
    """Probabilities of a directed path by (ancestor, descendant), and the number of networks drawn; None if exact."""

    shares: NDArray[np.float64]
    n_drawn: int | None


def paths_of(networks: WeightedNetworks, seed: int) -> Paths:
    """Exactly where that is quick, else as shares of networks that are drawn."""
    n = len(networks.variables)
    if not networks.has_quick_paths:
        return Paths(drawn_paths(networks.sample(_DRAWN, seed=seed)), _DRAWN)
    place = {name: at for at, name in enumerate(networks.variables)}
    shares = np.zeros((n, n))
    for (ancestor, descendant), share in networks.path_probabilities().items():
        shares[place[ancestor], place[descendant]] = share
    return Paths(shares, None)


def drawn_paths(dags: list[DAG]) -> NDArray[np.float64]:
    """The share of the networks in which one variable has a directed path to another."""
    n = len(dags[0])
    counts = np.zeros((n, n), dtype=np.int64)
    for dag in dags:
        below = [0] * n  # the descendants as bits
        for child in reversed(_core.topological_order(n, *dag.edge_arrays()).tolist()):
            for parent in dag.parent_indices[child]:
                below[parent] |= below[child] | 1 << child
        packed = b"".join(bits.to_bytes((n + 7) // 8, "little") for bits in below)
        rows = np.frombuffer(packed, dtype=np.uint8).reshape(n, -1)
        counts += np.unpackbits(rows, axis=1, count=n, bitorder="little")
    return counts / len(dags)
