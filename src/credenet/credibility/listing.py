"""From a table of families to the parts of its credible networks.

The variables are split where no cycle of candidate parents joins them; each group's optimum comes from the best scores
of all its subsets. Then every family that is in no credible network is dropped, which splits the groups further, and
the networks of each group are listed, with the whole slack at hand.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credibility.limit import CredibleLimit
from credenet.credibility.parts import Part, Parts
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.family_arrays import FlatFamilies, dominated, prefix_sums
from credenet.learners.context import Context
from credenet.results import Status
from credenet.text import byte_count
from credenet.tolerance import tolerance

_TICKS = 64  # in which the tolerance is divided, so that sums of rounded deviations stay within it
_MOST_TICKS = 1 << 62
_MARGIN = 8  # ticks: half of one, and the rounding of sums

Searches = dict[tuple[int, ...], _core.CredibleSearch]
"""The search of each group of variables."""


class Listing:
    """The steps from a table to the parts of its credible networks; after `run` all fields are what was found."""

    def __init__(self, families: FamilyTable, limit: CredibleLimit, context: Context) -> None:
        self._made_slack = families.made.slack
        self._limit = limit
        self._context = context
        self.flat = families.flat()
        self.kept = np.ones(len(families), dtype=np.bool_)  # families of the table that are still in use
        self.optimum: float | None = None
        self.slack = 0.0 if limit.ratio is not None else limit.in_nats(0.0)
        self.complete_slack: float | None = None
        self.status: Status = "complete"
        self.expanded = 0
        self.peak_bytes = 0
        self._best = self.flat.starts[:-1].copy()
        self.parts = Parts([], self._best, 1.0, -1)

    def run(self) -> None:
        if (np.diff(self.flat.starts) == 0).any():
            self.status = "infeasible"
            return
        if self._limit.ratio is None:
            self._check_slack(0.0)
        searches = self._solved()
        if self.status != "complete":
            return
        self.optimum = math.fsum(self.flat.scores[self._best].tolist())
        self.slack = self._limit.in_nats(self.optimum)
        allowed = tolerance(self.optimum)
        self._check_slack(allowed)
        tick = allowed / _TICKS
        if (self.slack + allowed) / tick >= _MOST_TICKS:
            raise ArgumentError(f"slack must be below {_MOST_TICKS * tick:.3g}, got {self.slack:.3g}")
        most = math.floor((self.slack + allowed) / tick)
        parts: list[Part] = []
        fitting = most
        if self._reduce(searches, (most + _MARGIN) * tick):
            parts, fitting = self._listed(searches, tick, most)
        self.parts = Parts(parts, self._best, tick, fitting)
        if self.status in ("complete", "memory_limit"):
            self.complete_slack = self.slack if fitting == most else fitting * tick

    def _check_slack(self, allowed: float) -> None:
        if self._made_slack is not None and self.slack > self._made_slack + max(allowed, 1e-9):
            raise ArgumentError(
                f"the table was made with a slack of {self._made_slack:.6g}, but {self.slack:.6g} is asked for, so "
                "families that credible networks need may be gone; score the data again"
            )

    def _drop_dominated(self) -> None:
        """A family is of no use if a subset of it is better by more than the slack; this may divide groups."""
        largest = float(np.abs(self.flat.scores).max(initial=0.0)) * len(self._best)
        self._keep(~dominated(self.flat, self.slack + 2 * tolerance(largest)))

    def _keep(self, keep: NDArray[np.bool_]) -> None:
        """Drops families; best ones are kept."""
        places = prefix_sums(keep)
        self._best = places[self._best]
        self.flat = self.flat.kept(keep)
        self.kept[np.flatnonzero(self.kept)[~keep]] = False

    def _groups(self) -> list[NDArray[np.int32]]:
        groups = [np.array(group, dtype=np.int32) for group in _core.strong_components(*self.flat)]
        return sorted(groups, key=len)

    def _needed(self, groups: list[NDArray[np.int32]]) -> int:
        """The memory of the best scores of all subsets."""
        return sum(
            _core.subset_dp_bytes(len(group), False, self._context.n_threads) for group in groups if len(group) > 1
        )

    def _solvable(self) -> list[NDArray[np.int32]]:
        """The groups, for which there must be enough memory."""
        groups = self._groups()
        if self._needed(groups) > self._context.memory and self._limit.ratio is None:
            self._drop_dominated()
            groups = self._groups()
        needed = self._needed(groups)
        if needed > self._context.memory:
            raise ArgumentError(
                f"{len(groups[-1])} variables hang together, of which all subsets would take "
                f"{byte_count(needed) if needed < 1 << 60 else 'far more'} of memory; the limit is "
                f"{byte_count(self._context.memory)}. Credible networks of so many are not listed by this version; "
                "a smaller bayes_factor or max_parents, or knowledge, may divide them"
            )
        self.peak_bytes = needed
        return groups

    def _solved(self) -> Searches:
        """The best network of every group."""
        searches: Searches = {}
        for group in self._solvable():
            if len(group) == 1:
                continue
            search = _core.CredibleSearch(*self.flat, group)
            if not search.solve(self._context.n_threads, self._context.callback()):
                self.status = self._context.status_of("stopped")
                return searches
            if not search.best_families:
                self.status = "infeasible"
                return searches
            self._best[group] = search.best_families
            searches[tuple(group.tolist())] = search
        return searches

    def _reduce(self, searches: Searches, slack: float) -> bool:
        """Drops every family that is in no credible network; False if it was stopped."""
        flat = self.flat
        best = np.repeat(flat.scores[flat.starts[:-1]], np.diff(flat.starts))
        keep = flat.scores >= best - slack
        for group, search in searches.items():
            rows = _rows_of(flat, np.array(group))
            found = search.credible_families(slack, self._context.callback())
            if not len(found):
                self.status = self._context.status_of("stopped")
                return False
            keep[rows] = found.astype(np.bool_)
        keep[self._best] = True
        self._keep(keep)
        return True

    def _networks(self, search: _core.CredibleSearch, tick: float, most: int, memory: float) -> _core.CredibleListing:
        callback = self._context.callback()
        found = search.networks(tick, most, max(int(memory), 1), self._context.n_threads, callback)
        self.expanded += found.n_expanded
        return found

    def _listed(self, searches: Searches, tick: float, most: int) -> tuple[list[Part], int]:
        """The networks of all groups, which may be smaller than those solved, up to the deviation that fits."""
        parts = []
        counts = np.diff(self.flat.starts)
        left = self._context.memory - self.peak_bytes
        interrupted = False
        for group in self._groups():
            starts = self.flat.starts[group]
            if counts[group].max() > _core.CredibleSearch.most_families:
                raise ArgumentError(
                    f"a variable has {int(counts[group].max()):,} parent sets in credible networks; at most "
                    f"{_core.CredibleSearch.most_families:,} can be listed: ask for a smaller bayes_factor or slack"
                )
            if len(group) == 1:
                scores = self.flat.scores[starts[0] : starts[0] + counts[group[0]]]
                ticks = np.rint((scores[0] - scores) / tick).astype(np.int64)
                inside = np.flatnonzero(ticks <= most)
                parts.append(Part(group, ticks[inside], inside.astype(np.uint16)[:, None], starts))
                continue
            if interrupted or self._context.clock.is_over:
                self.status = self._context.status_of("stopped")
                continue
            search = searches.get(tuple(group.tolist()))
            if search is None:
                search = _core.CredibleSearch(*self.flat, group)
                if not search.solve(self._context.n_threads, self._context.callback()):
                    interrupted = True
                    self.status = self._context.status_of("stopped")
                    continue
            else:
                search.narrow(*self.flat, group)
            found = self._networks(search, tick, most, left)
            while found.status == "memory_limit" and most > 0:  # rather all the better ones than some of all
                self.status = "memory_limit"
                most = most * 3 // 4
                found = self._networks(search, tick, most, left)
            if found.status != "complete":
                self.status = self._context.status_of(found.status)
                interrupted = interrupted or found.status == "stopped"
            ticks, positions = found.take_ticks(), found.take_families().reshape(-1, len(group))
            if not len(ticks) or ticks[0] > 0:  # stopped before it came to the best, which is known
                ticks = np.concatenate([np.zeros(1, dtype=np.int64), ticks])
                best = (self._best[group] - starts).astype(np.uint16)
                positions = np.concatenate([best[None, :], positions])
            left -= ticks.nbytes + positions.nbytes
            parts.append(Part(group, ticks, positions, starts))
        return parts, most


def _rows_of(flat: FlatFamilies, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The families of some variables, one variable after the other."""
    return np.concatenate([np.arange(flat.starts[member], flat.starts[member + 1]) for member in group])
