"""Jumps of chains to networks drawn from a credible set, which connect groups of good networks.

A credible set has all networks that score at least some limit. A chain whose network is in the set may jump to any
other one, drawn by its probability in the set. Given that the network is in the set, this is the posterior itself, so
the move keeps the posterior invariant. The chain then visits all credible networks, however far apart they are. With
many rows a small set holds nearly all of the probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet.credible.calls import credible_networks
from credenet.credible.credible_set import network_averages
from credenet.families.table import FamilyTable
from credenet.search import cost
from credenet.structures.network_averages import NetworkAverages

SLACK = 7.0
"""Nats of slack of the set: networks at least a thousandth as probable as the best."""
SHARE = 0.08
"""The share of the steps of a chain that may be spent on networks drawn for its jumps."""
MOST_OFFERED = 10_000
"""Networks offered to a chain at once at most."""
_FEWEST = 16  # Networks that are drawn together at least.
_TRIED = 64  # Networks drawn to find out what one costs.
_FREE_STEPS = 1e7  # Steps that may be spent before the chain has gone far.
_MEMORY = 1e8  # Bytes of the set; if it needs more, its slack becomes smaller.
_LISTING_SHARE = 0.1  # Share of the time for listing the set.
_MOST_FAMILIES = 200_000  # Families up to which a component too large for a table of subsets is tried.


@dataclass(frozen=True, slots=True)
class Redraws:
    """The networks of a table that score at least some limit."""

    networks: NetworkAverages
    places: NDArray[np.int64]  # Positions in the table of the families of the set.
    least_score: float
    seed: int

    def draw(self, n_networks: int, *stream: int) -> tuple[float, NDArray[np.int64]]:
        """The steps that it took to sample networks with one stream of random numbers, and these: for each variable the
        position of its family."""
        random = np.random.default_rng([self.seed, *stream])
        n_steps, choices = self.networks.product.count_and_draw(n_networks, random)
        return n_steps, self.places[choices]


class Offers:
    """The networks that one chain is offered for its jumps, drawn at a small share of what its moves cost.

    Costs are counted in steps, so the same seed offers the same networks. A network that the chain had no use for,
    because its own network was not in the set, is offered again.
    """

    def __init__(self, redraws: Redraws, chain: _core.DagChain, number: int) -> None:
        self._redraws = redraws
        self._chain = chain
        self._number = number
        self._spent = 0.0
        self._n_draws = 0
        few, self._left = self._draw(1)
        many, _ = self._draw(1 + _TRIED)
        self._for_each = (many - few) / _TRIED
        self._for_any = max(few - self._for_each, 0.0)

    def next(self, n_visits: int) -> None:
        """Offers networks for the next visits of variables."""
        self._left = self._left[self._chain.n_taken :]
        steps = self._chain.steps
        wanted = min(n_visits, MOST_OFFERED)
        to_spend = _FREE_STEPS + SHARE * (steps.windows + steps.counts + steps.others) - self._spent
        affordable = int(max(to_spend - self._for_any, 0.0) / max(self._for_each, 1.0))
        missing = min(wanted - len(self._left), affordable)
        if missing >= min(wanted, _FEWEST):
            self._left = np.concatenate((self._left, self._draw(missing)[1]))
        self._chain.offer(np.ascontiguousarray(self._left[:wanted]).ravel(), self._redraws.least_score)

    def _draw(self, n_networks: int) -> tuple[float, NDArray[np.int64]]:
        self._n_draws += 1
        n_steps, drawn = self._redraws.draw(n_networks, self._number, self._n_draws)
        self._spent += n_steps
        return n_steps, drawn


def find_redraws(families: FamilyTable, seed: int, run: Run) -> Redraws | None:
    """The credible networks for jumps; None if they cannot be listed in little time.

    With up to 22 variables the result does not depend on the time. With more variables the set is listed only under a
    time limit.
    """
    has_limit = run.clock.time_limit is not None
    is_small = len(families.variables) <= cost.LARGEST_TABLE
    if not is_small and (not has_limit or len(families) > _MOST_FAMILIES):
        return None
    if run.stop.is_asked or run.clock.is_over:
        return None
    flat = families.flat()
    table = FamilyTable.from_flat(
        families.variables, np.diff(flat.starts), flat.scores, np.diff(flat.offsets), flat.parents
    )
    credible = credible_networks(
        table,
        slack=SLACK,
        time_limit=run.clock.limit(_LISTING_SHARE),
        memory_limit=min(_MEMORY, run.memory),
        n_threads=run.n_threads,
        on_progress=run.inner_progress,
    )
    run.stop.is_asked = run.stop.is_asked or credible.status == "stopped"
    if credible.listing.complete_slack is None or credible.optimum is None or not credible:
        return None
    networks = network_averages(credible)
    return Redraws(
        networks, _places(networks.families, families), credible.optimum - credible.listing.complete_slack, seed
    )


def _places(some: FamilyTable, families: FamilyTable) -> NDArray[np.int64]:
    """The positions of the families of a table in a larger table."""
    place = {key: at for at, key in enumerate(_keys(families))}
    return np.array([place[key] for key in _keys(some)], dtype=np.int64)


def _keys(families: FamilyTable) -> Iterator[tuple[int, ...]]:
    flat = families.flat()
    parents, offsets = flat.parents.tolist(), flat.offsets.tolist()
    for child, begin, end in zip(flat.children.tolist(), offsets, offsets[1:], strict=False):
        yield (child, *sorted(parents[begin:end]))
