"""Credible networks of families that make small strongly connected components only.

The best scores of all subsets of a group give its optimum; then every family that is in no credible network is dropped,
which may divide the groups, and the networks of each are listed, with the whole slack at hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.credible.engine.parts import Part
from credenet.errors import ArgumentError
from credenet.families.arrays import FlatFamilies, prefix_sums

MARGIN = 8  # ticks: half of one, and the rounding of sums

Group = NDArray[np.int32]
Searches = dict[tuple[int, ...], _core.CredibleSearch]
"""The search of each group of variables."""


class GroupListing:
    """The steps from families to the networks of each group; the status tells whether all of these were found."""

    def __init__(self, flat: FlatFamilies, run: Run) -> None:
        self._run = run
        self.flat = flat
        self.rows = np.arange(len(flat.scores))  # of the families given that are still in use
        self.best = flat.starts[:-1].copy()
        self.status: Status = "complete"
        self.is_whole = True  # whether no network that fits in memory was left out
        self.expanded = 0
        self.peak_bytes = 0

    def keep(self, keep: NDArray[np.bool_]) -> None:
        """Drops families; best ones are kept."""
        self.best = prefix_sums(keep)[self.best]
        self.flat = self.flat.kept(keep)
        self.rows = self.rows[keep]

    def groups(self) -> list[Group]:
        """The strongly connected components, small ones first."""
        groups = [np.array(group, dtype=np.int32) for group in _core.strong_components(self.flat.lists)]
        return sorted(groups, key=len)

    def table_bytes(self, group: Group) -> int:
        """What the best scores of all subsets take."""
        return _core.subset_dp_bytes(len(group), False, self._run.n_threads) if len(group) > 1 else 0

    def solved(self, groups: list[Group]) -> Searches:
        """The best network of every group; if there is none, or time is up, the status says so."""
        searches: Searches = {}
        for group in groups:
            if len(group) == 1:
                continue
            search = _core.CredibleSearch(self.flat.lists, group)
            status = search.solve(self._run.n_threads, self._run.callback())
            if status != "optimal":
                self.status = self._run.status_of(status)
                return searches
            self.best[group] = search.best_families
            searches[tuple(group.tolist())] = search
        return searches

    def credible(self, searches: Searches, slack: float) -> NDArray[np.bool_] | None:
        """The families that are in a credible network, as far as these searches tell; None if it was stopped."""
        flat = self.flat
        keep = np.ones(len(flat.scores), dtype=np.bool_)
        for group in self.groups():
            if len(group) == 1:
                own = slice(flat.starts[group[0]], flat.starts[group[0] + 1])
                keep[own] = flat.scores[own] >= flat.scores[own.start] - slack
        for members, search in searches.items():
            rows = rows_of(flat, np.array(members))
            status, found = search.credible_families(slack, self._run.callback())
            if status != "complete":
                self.status = self._run.status_of(status)
                return None
            keep[rows] = found.astype(np.bool_)
        keep[self.best] = True
        return keep

    def check_number(self, group: Group) -> None:
        """That positions in the lists of the group's variables are small enough numbers."""
        most = int(np.diff(self.flat.starts)[group].max())
        if most > _core.CredibleSearch.most_families:
            raise ArgumentError(
                f"a variable has {most:,} parent sets in credible networks; at most "
                f"{_core.CredibleSearch.most_families:,} can be listed: ask for a smaller bayes_factor or slack"
            )

    def alone(self, group: Group, tick: float, most: int) -> Part:
        """The families of a variable that is a component by itself."""
        start, end = self.flat.starts[group[0]], self.flat.starts[group[0] + 1]
        scores = self.flat.scores[start:end]
        ticks = np.rint((scores[0] - scores) / tick).astype(np.int64)
        inside = np.flatnonzero(ticks <= most)
        return Part(group, ticks[inside], inside.astype(np.uint16)[:, None], self.flat.starts[group])

    def by_table(self, group: Group, searches: Searches, tick: float, most: int, memory: float) -> tuple[Part, int]:
        """The networks of a group, which may be smaller than one solved, up to the deviation that fits in memory."""
        search = searches.get(tuple(group.tolist()))
        if search is None:
            search = _core.CredibleSearch(self.flat.lists, group)
            solved = search.solve(self._run.n_threads, self._run.callback())
            if solved != "optimal":
                self.status = self._run.status_of(solved)
                return self._best_part(group), most
        else:
            search.narrow(self.flat.lists, group)
        part, status = self._networks(search, group, tick, most, memory)
        while status == "memory_limit" and most > 0:  # rather all the better ones than some of all
            self.status = "memory_limit"
            most = most * 3 // 4
            part = part.within(most)  # in case that it is stopped before it has found as many
            more, status = self._networks(search, group, tick, most, memory - part.n_bytes)
            if status not in ("stopped", "interrupted") or len(more) > len(part):
                part = more
        if status != "complete":
            self.status = self._run.status_of(status)
            self.is_whole = False
        return self.with_best(part), most

    def with_best(self, part: Part) -> Part:
        """The best network is known, even if the search was stopped before it came to it."""
        if len(part) and part.ticks[0] == 0:
            return part
        best = self._best_part(part.members)
        ticks = np.concatenate([best.ticks, part.ticks])
        return Part(part.members, ticks, np.concatenate([best.positions, part.positions]), part.starts)

    def _best_part(self, group: Group) -> Part:
        starts = self.flat.starts[group]
        return Part(group, np.zeros(1, dtype=np.int64), (self.best[group] - starts).astype(np.uint16)[None, :], starts)

    def _networks(
        self, search: _core.CredibleSearch, group: Group, tick: float, most: int, memory: float
    ) -> tuple[Part, CoreStatus]:
        callback = self._run.callback()
        found = search.networks(tick, most, max(int(memory), 1), self._run.n_threads, callback)
        self.expanded += found.n_expanded
        families = found.take_families().reshape(-1, len(group))
        return Part(group, found.take_ticks(), families, self.flat.starts[group]), found.status


def rows_of(flat: FlatFamilies, group: NDArray[np.int64] | Group) -> NDArray[np.int64]:
    """The families of some variables, one variable after the other."""
    return np.concatenate([np.arange(flat.starts[member], flat.starts[member + 1]) for member in group])
