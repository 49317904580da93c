"""Networks with probabilities, as effects see them; and the probability that x has a directed path to y."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.errors import DataError, GraphError
from credenet.interventions.adjusting import Floats

if TYPE_CHECKING:
    from credenet.graphs import DAG
    from credenet.learners.results import Provenance

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


@runtime_checkable
class JudgedNetworks(Protocol):
    """Networks whose probabilities come from a score and a prior."""

    @property
    def provenance(self) -> Provenance: ...

    def share_told(self) -> float | None:
        """The share of the posterior that they hold, where it is known or takes no more than a few seconds."""


def no_networks() -> GraphError:
    return GraphError("there are no networks to average over")


class Paths(NamedTuple):
    """Probabilities of a directed path by (ancestor, descendant), and the number of networks drawn; None if exact."""

    shares: Floats
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


def drawn_paths(dags: list[DAG]) -> Floats:
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


class OptimalSets(NamedTuple):
    """For each pair (x, y) its optimal adjustment sets with their probabilities; without any, x has no effect on y."""

    sets: dict[tuple[str, str], dict[tuple[str, ...], float]]
    n_drawn: int | None


def optimal_sets(networks: WeightedNetworks, x: Sequence[str], run: Run) -> OptimalSets:
    """Those of all networks where they can be gone through quickly, else of networks that are drawn."""
    names = networks.variables
    place = {name: at for at, name in enumerate(names)}
    sums = _core.OptimalSetSums(len(names), np.array([place[name] for name in x], dtype=np.int32))
    all_blocks: Any = getattr(networks, "parent_blocks", None)  # a posterior can only be drawn from
    is_listed = networks.has_quick_paths and all_blocks is not None
    blocks = all_blocks() if is_listed else [_as_block(networks.sample(_DRAWN, seed=run.seed))]
    total = 0.0
    for parents, weights in blocks:
        status = sums.add(parents, weights, run.n_threads, run.callback())
        require_end(status, DataError("the estimation of effects was stopped"))
        total += float(weights.sum())
    if total == 0:
        raise no_networks()
    pairs, weights, begins, members = (array.tolist() for array in sums.sums())
    found: dict[tuple[str, str], dict[tuple[str, ...], float]] = {}
    for at, (pair, weight) in enumerate(zip(pairs, weights, strict=True)):
        chosen = tuple(names[member] for member in members[begins[at] : begins[at + 1]])
        found.setdefault((x[pair // len(names)], names[pair % len(names)]), {})[chosen] = weight / total
    return OptimalSets(found, None if is_listed else _DRAWN)


def _as_block(dags: list[DAG]) -> tuple[NDArray[np.uint64], Floats]:
    """The parents of each variable as bits, in words of 64, and equal weights."""
    n = len(dags[0])
    bits = np.zeros((len(dags), n, (n + 63) // 64), dtype=np.uint64)
    for at, dag in enumerate(dags):
        parents, children = dag.edge_arrays()
        np.bitwise_or.at(bits[at], (children, parents // 64), np.uint64(1) << (parents % 64).astype(np.uint64))
    return bits.reshape(-1), np.full(len(dags), 1.0 / len(dags))
