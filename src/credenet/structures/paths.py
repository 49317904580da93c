"""The probability of a directed path from one variable to another, in networks with probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.graphs import DAG
from credenet.structures.weighted_choices import ParentBlock
from credenet.structures.weighted_networks import SampledNetworks

N_DRAWN = 1000  # Networks that are sampled if there are too many to visit.


class PathProbabilities(NamedTuple):
    """Probabilities of directed paths by (ancestor, descendant), and the number of sampled networks; None if exact."""

    shares: NDArray[np.float64]
    n_drawn: int | None


def paths_of(networks: SampledNetworks, seed: int) -> PathProbabilities:
    """The probabilities of paths: exact if that is quick, else shares of sampled networks."""
    n = len(networks.variables)
    if not networks.has_quick_paths:
        return PathProbabilities(share_of_paths(networks.sample(N_DRAWN, seed=seed)), N_DRAWN)
    place = {name: at for at, name in enumerate(networks.variables)}
    shares = np.zeros((n, n))
    for (ancestor, descendant), share in networks.path_probabilities().items():
        shares[place[ancestor], place[descendant]] = share
    return PathProbabilities(shares, None)


def share_of_paths(dags: list[DAG]) -> NDArray[np.float64]:
    """For each pair (ancestor, descendant) the share of the networks with a directed path."""
    n = len(dags[0])
    counts = np.zeros((n, n), dtype=np.int64)
    for dag in dags:
        below = [0] * n  # The descendants of each variable as bits.
        for child in reversed(_core.topological_order(n, *dag.edge_arrays()).tolist()):
            for parent in dag.parent_indices[child]:
                below[parent] |= below[child] | 1 << child
        packed = b"".join(bits.to_bytes((n + 7) // 8, "little") for bits in below)
        rows = np.frombuffer(packed, dtype=np.uint8).reshape(n, -1)
        counts += np.unpackbits(rows, axis=1, count=n, bitorder="little")
    return counts / len(dags)


def parent_block(dags: list[DAG]) -> ParentBlock:
    """The parents of each variable as bits in 64-bit words, and equal weights."""
    n = len(dags[0])
    bits = np.zeros((len(dags), n, (n + 63) // 64), dtype=np.uint64)
    for at, dag in enumerate(dags):
        parents, children = dag.edge_arrays()
        np.bitwise_or.at(bits[at], (children, parents // 64), np.uint64(1) << (parents % 64).astype(np.uint64))
    return bits.reshape(-1), np.full(len(dags), 1.0 / len(dags))
