"""The protocol of enumerators, which find the credible networks of a strongly connected component.

An enumerator solves (finds the best network), reduces (drops families that are in no credible network), and lists: the
networks, or one network of each Markov equivalence class with the size of the class. Members are variables by position
in the table; parents outside the members are assumed to be available.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.status import Status
from credenet.families.arrays import FlatFamilies
from credenet.search.components import Choice, ComponentResult
from credenet.structures.products.network_diagrams import ComponentDiagram
from credenet.structures.products.network_products import ComponentNetworks

Members = NDArray[np.int32]
What = Literal["networks", "classes"]

MARGIN = _core.CredibleSearch.margin_ticks  # Ticks added to a limit: half a tick, and the rounding of sums.


class Budget(NamedTuple):
    """The size of a tick in nats, the largest deviation from the best network in ticks, and the bytes for a list."""

    tick: float
    most: int
    memory: float


class ComponentListing(NamedTuple):
    """The networks or classes of a component.

    Attributes
    ----------
    networks
        A list, best first, or a diagram if the networks are very many.
    most
        The deviation in ticks up to which the networks fit into memory.
    status
        ``complete``, or the limit that was reached.
    is_whole
        Whether no network within that deviation is missing.
    """

    networks: ComponentNetworks | ComponentDiagram
    most: int
    status: Status = "complete"
    is_whole: bool = True
    n_expanded: int = 0


class Enumerator(Protocol):
    """The credible networks of one component."""

    @property
    def best(self) -> Choice | None:
        """The families of the best network; None before it is proven."""

    @property
    def incumbent(self) -> ComponentResult | None:
        """The best network found before its proof, with a bound."""

    def solve(self) -> Status:
        """Finds the best network; returns ``complete``, ``infeasible``, or the limit that ended the search."""

    def reduce(self, slack: float) -> NDArray[np.bool_] | Status:
        """A mask of the members' families that may be in a network within the slack, or the limit that was reached."""

    def narrow(self, flat: FlatFamilies) -> None:
        """Replaces the families by some of them, including the best; the members still are a component."""

    def list_within(self, best: Choice, budget: Budget, what: What) -> ComponentListing:
        """Lists the networks or classes, given the families of the best network."""


def best_only(flat: FlatFamilies, members: Members, best: Choice) -> ComponentNetworks:
    """A list of the best network alone."""
    starts = flat.starts[members]
    return ComponentNetworks(members, np.zeros(1, dtype=np.int64), (best - starts).astype(np.uint16)[None, :], starts)


def add_best(networks: ComponentNetworks, flat: FlatFamilies, best: Choice) -> ComponentNetworks:
    """The networks, with the best one added if the search was stopped before listing it.

    Of classes only the best one then remains, as the size of its class is not known.
    """
    if len(networks) and networks.ticks[0] == 0:
        return networks
    first = best_only(flat, networks.members, best)
    if networks.sizes is not None:
        return first
    return ComponentNetworks(
        networks.members,
        np.concatenate([first.ticks, networks.ticks]),
        np.concatenate([first.positions, networks.positions]),
        networks.starts,
    )


def alone(flat: FlatFamilies, members: Members, budget: Budget, what: What) -> ComponentListing:
    """The families of a variable that is a component by itself, as networks or as classes of one network each."""
    start, end = flat.starts[members[0]], flat.starts[members[0] + 1]
    scores = flat.scores[start:end]
    ticks = np.rint((scores[0] - scores) / budget.tick).astype(np.int64)
    inside = np.flatnonzero(ticks <= budget.most)
    sizes = np.ones(len(inside), dtype=np.uint64) if what == "classes" else None
    positions = inside.astype(np.uint16)[:, None]
    return ComponentListing(
        ComponentNetworks(members, ticks[inside], positions, flat.starts[members], sizes), budget.most
    )
