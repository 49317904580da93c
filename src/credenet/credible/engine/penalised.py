"""The credible networks under a prior on whole networks that depends on the largest in-degree alone, such as `SSP`.

The penalised score of a network is its score less the penalty of its own largest in-degree d. The networks of largest
in-degree d are *slices*: families of at most d parents make all networks of the slice, and possibly some of a smaller
in-degree, which belong to another slice and are left out here. So each network is listed once. If O is the best
penalised score and s the best score in a slice, the slice needs the networks within slack - (O - (s - penalty)).

Where a larger in-degree may weigh more (`SSP(exclusive=True)`), a slice could hold very many networks of a smaller
in-degree. It is then divided by its first variable with exactly d parents, which leaves none of these.

The slices share no product over components, so their networks are listed one by one, and joined to one list. If one
slice holds them all, they stay a product.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.enumeration import TICKS, Enumeration
from credenet.credible.engine.enumerator import What
from credenet.credible.result import Incumbent, Stage
from credenet.errors import ArgumentError
from credenet.families.arrays import prefix_sums
from credenet.families.nested_penalties import log_penalties, penalty_rise
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.settings.priors import Prior
from credenet.structures.listing_limit import MOST_LISTED
from credenet.structures.products.network_diagrams import ComponentDiagram, DiagramProduct, list_networks
from credenet.structures.products.network_products import (
    Choices,
    ComponentNetworks,
    NetworkProduct,
    dag_of,
    listing_bytes,
)

_MOST_BITS = 63  # Bits of the size of a class that is computed here; larger ones are computed by the core.


@dataclass(slots=True)
class _Slice:
    """Some networks of a largest in-degree: the families that make them, and the best score of these families."""

    in_degree: int
    keep: NDArray[np.bool_]
    best: float
    is_pure: bool
    """Whether no network of these families, within the slack, has a smaller in-degree."""
    enumeration: Enumeration | None = None


class _Listed(NamedTuple):
    """Networks of a slice by position of their families in the whole table, with scores and sizes of classes."""

    choices: Choices
    scores: NDArray[np.float64]
    sizes: NDArray[np.uint64] | None


class PenalisedEnumeration:
    """The search of a table for networks or classes within a slack; see `Enumeration`, whose fields it has."""

    def __init__(self, families: FamilyTable, prior: Prior, slack: float, run: Run, what: What = "networks") -> None:
        self._families = families
        self._flat = families.flat()
        self._sizes = self._flat.sizes
        self._prior = prior
        self._run = run
        self._what = what
        self._penalties = log_penalties(prior, len(families.variables), int(self._sizes.max(initial=0)))
        self._best: tuple[float, NDArray[np.int64]] | None = None
        self._bound = -math.inf
        self.slack = slack
        self.status: Status = "complete"
        self.stage: Stage = "optimum"
        self.incumbent: Incumbent | None = None
        self.needed_bytes: int | None = None
        self.optimum: float | None = None
        self.complete_slack: float | None = None
        self.n_expanded = 0
        self.table_bytes = 0
        self.families_in_use = np.ones(len(self._sizes), dtype=np.bool_)
        self.components: list[ComponentNetworks | ComponentDiagram] = []
        self.product: NetworkProduct | DiagramProduct = NetworkProduct([], self._flat.starts[:-1].copy(), 1.0, -1)

    def run(self) -> None:
        self._check_slack()
        slices = self._find_slices()
        if self._prior.may_favour_parents and self.status == "complete" and self._best is not None:
            slices = list(self._divide(slices))
        if self._best is None or self.status != "complete":
            if self.status == "complete":
                self.status = "infeasible"
            self._keep_incumbent()
            return
        self.stage = "enumeration"
        self._list(self._best[0], slices)

    def _check_slack(self) -> None:
        """Refuses a table that was pruned of families that the prior may favour."""
        made = self._families.made
        most = made.max_parents if made.complete else None
        rise = penalty_rise(self._prior, len(self._families.variables), most)
        if rise > 0 and made.slack is not None and self.slack + rise > made.slack + 1e-9:
            raise ArgumentError(
                f"{self._prior} may favour networks with more parents although fewer score better; that needs families "
                f"with a slack of at least {self.slack + rise:.6g}, and the table has {made.slack:.6g}; score the data "
                f"again with slack={math.ceil(1e4 * (self.slack + rise)) / 1e4:.12g}, or give max_parents"
            )

    def stop_while_scoring(self) -> None:
        """Ends the search after a stop during scoring; only a quick network of the scored families is found."""
        enumeration = Enumeration(self._families, self.slack, self._run)
        enumeration.stop_while_scoring()
        if enumeration.bound is not None:
            self._offer(enumeration, np.arange(len(self._sizes)))
            self._bound = enumeration.bound + float(self._penalties.max())
        self.status, self.stage = "stopped", "scoring"
        self._keep_incumbent()

    def _find_slices(self) -> list[_Slice]:
        """The slices of all in-degrees that may have credible networks, with the best score within each in-degree.

        If the best network within an in-degree has a smaller one, it is the best of all in-degrees between the two.
        """
        slices: list[_Slice] = []
        d = int(self._sizes.max(initial=0))
        while d >= 0:
            keep = self._sizes <= d
            enumeration = self._solve(keep, float(self._penalties[: d + 1].max()))
            if enumeration is None:
                break
            assert enumeration.optimum is not None
            reached = self._offer(enumeration, np.flatnonzero(keep))
            for between in range(d, reached - 1, -1):
                of_slice = enumeration if between == d else None
                slices.append(_Slice(between, self._sizes <= between, enumeration.optimum, between == 0, of_slice))
            self._forget_some(slices)
            d = reached - 1
        for larger, smaller in pairwise(slices):
            larger.is_pure = smaller.best < larger.best - self.slack - tolerance(larger.best)
        if slices and slices[-1].in_degree > 0:  # No network has a smaller in-degree.
            slices[-1].is_pure = True
        return slices

    def _forget_some(self, slices: list[_Slice]) -> None:
        """Keeps the tables of the latest searches only, as those of all in-degrees may not fit into memory."""
        kept = 0
        for one in reversed(slices):
            if one.enumeration is not None:
                kept += one.enumeration.shared.table_bytes
                if kept > self._run.memory / 4:
                    one.enumeration = None

    def _solve(self, keep: NDArray[np.bool_], highest: float) -> Enumeration | None:
        """The search of some families once their best network is known; None if there is none, or at a limit."""
        if self.status != "complete":
            return None
        if self._run.clock.is_over or self._run.stop.is_asked:
            self.status, self._bound = self._run.status_of("stopped"), math.inf
            return None
        enumeration = Enumeration(self._families.filter(keep), self.slack, self._run, self._what)
        enumeration.find_optimum()
        self.n_expanded += enumeration.loop.n_expanded
        self.table_bytes = max(self.table_bytes, enumeration.shared.table_bytes)
        if enumeration.optimum is not None:
            return enumeration
        if enumeration.loop.status != "infeasible":
            self.status, self.needed_bytes = enumeration.loop.status, enumeration.needed_bytes
            if enumeration.bound is None:
                self._bound = math.inf
            else:
                self._offer(enumeration, np.flatnonzero(keep))
                self._bound = max(self._bound, enumeration.bound + highest)
        return None

    def _offer(self, enumeration: Enumeration, rows: NDArray[np.int64]) -> int:
        """Keeps the best network of a search if it is the best of all; returns its largest in-degree."""
        choice = rows[enumeration.loop.rows[enumeration.loop.best]]
        d = int(self._sizes[choice].max(initial=0))
        score = math.fsum(self._flat.scores[choice].tolist()) + float(self._penalties[d])
        if self._best is None or score > self._best[0]:
            self._best = score, choice
        self._bound = max(self._bound, score)
        return d

    def _keep_incumbent(self) -> None:
        if self.status not in ("complete", "infeasible") and self._best is not None:
            score, choice = self._best
            self.incumbent = Incumbent(dag_of(self._families, choice), score, max(self._bound, score))

    def _divide(self, slices: list[_Slice]) -> Iterator[_Slice]:
        """The slices, with those divided whose best score comes from a smaller in-degree that weighs less."""
        children = self._flat.children
        for one in slices:
            assert self._best is not None
            penalty = float(self._penalties[one.in_degree])
            if one.best + penalty <= self._best[0] or self.status != "complete":
                yield one
                continue
            one.enumeration = None
            for variable in range(len(self._families.variables)):
                exact = (children == variable) & (self._sizes == one.in_degree)
                fewer = (children < variable) & (self._sizes < one.in_degree)
                keep = exact | fewer | ((children > variable) & (self._sizes <= one.in_degree))
                enumeration = self._solve(keep, penalty) if exact.any() else None
                if enumeration is not None:
                    assert enumeration.optimum is not None
                    self._offer(enumeration, np.flatnonzero(keep))
                    yield _Slice(one.in_degree, keep, enumeration.optimum, True)

    def _list(self, optimum: float, slices: list[_Slice]) -> None:
        """Lists the networks of all slices, the best slice first; if memory is too small, within a smaller slack."""
        self.optimum = optimum
        allowed = tolerance(optimum)
        needed = [one for one in slices if self._slack_of(one, optimum) >= -allowed]
        needed.sort(key=lambda one: -self._slack_of(one, optimum))
        if len(needed) == 1 and needed[0].is_pure:
            self._keep_product(needed[0], optimum)
            return
        listed: list[_Listed] = []
        missing = 0.0
        try:
            for one in needed:
                several, lacking = self._list_slice(one, self._listed_slack(one, optimum), listed)
                listed.append(several)
                missing = max(missing, lacking)
                if self.status not in ("complete", "memory_limit"):
                    break
        except KeyboardInterrupt:  # The core turns Ctrl-C into a status only while it searches.
            self.status, missing = "stopped", math.inf
        self.complete_slack = self.slack - missing if missing <= self.slack else None
        within = self.slack if self.complete_slack is None else self.complete_slack
        self._join(listed, optimum, within)

    def _slack_of(self, one: _Slice, optimum: float) -> float:
        """The slack, from the best score of a slice, within which its networks are credible."""
        return one.best + float(self._penalties[one.in_degree]) - (optimum - self.slack)

    def _listed_slack(self, one: _Slice, optimum: float) -> float:
        """The slack of a slice, without what rounding adds to it."""
        return min(max(self._slack_of(one, optimum), 0.0), self.slack)

    def _keep_product(self, one: _Slice, optimum: float) -> None:
        """Takes the networks of a slice as a product of components, as no other slice has any."""
        rows = np.flatnonzero(one.keep)
        slack = self._listed_slack(one, optimum)
        enumeration = self._list_networks(one, slack)
        self.families_in_use = np.zeros(len(self._sizes), dtype=np.bool_)
        self.families_in_use[rows[enumeration.loop.rows]] = True
        self.components, self.product = enumeration.components, enumeration.product
        self.status, within = enumeration.status, enumeration.complete_slack
        self.complete_slack = None if within is None else self.slack - (slack - within)

    def _list_networks(self, one: _Slice, slack: float) -> Enumeration:
        """The search of a slice with its networks within a slack."""
        enumeration = one.enumeration
        if enumeration is None:
            enumeration = Enumeration(self._families.filter(one.keep), self.slack, self._run, self._what)
            enumeration.find_optimum()
        expanded = enumeration.loop.n_expanded
        if enumeration.optimum is not None:
            enumeration.list_within(slack)
        self.n_expanded += enumeration.loop.n_expanded - expanded
        one.enumeration = None
        return enumeration

    def _list_slice(self, one: _Slice, slack: float, before: list[_Listed]) -> tuple[_Listed, float]:
        """The networks of a slice, and the part of the slack within which some are missing; infinity for all of it."""
        enumeration = self._list_networks(one, slack)
        status = enumeration.loop.status
        if status != "complete":
            self.status = "stopped" if status == "infeasible" else status
        if enumeration.optimum is None:
            return _Listed(self._families.flat().starts[None, :-1][:0], np.zeros(0), None), math.inf
        room = self._room - sum(len(each.choices) for each in before)
        most, within = self._fit(enumeration, room)
        choices, sizes = _combine(enumeration, most)
        choices = np.flatnonzero(one.keep)[enumeration.loop.rows][choices]
        is_own = self._sizes[choices].max(axis=1, initial=0) == one.in_degree
        choices = choices[is_own]
        scores = self._flat.scores[choices].sum(axis=1) + self._penalties[one.in_degree]
        listed = _Listed(choices, scores, None if sizes is None else sizes[is_own])
        return listed, max(slack - within, 0.0)

    @property
    def _room(self) -> int:
        """The number of networks that may be listed."""
        each = 2 * listing_bytes(len(self._families.variables)) + 8 * len(self._families.variables)
        return min(MOST_LISTED, int(self._run.memory / each))

    def _fit(self, enumeration: Enumeration, room: int) -> tuple[int, float]:
        """The deviation in ticks up to which at most ``room`` networks lie, and the slack without a missing network.

        The slack is below 0 if even best networks are missing, and minus infinity if any network may be.
        """
        product = enumeration.product
        assert enumeration.optimum is not None
        nothing = -2 * tolerance(enumeration.optimum) if enumeration.loop.is_whole else -math.inf
        within = nothing if enumeration.complete_slack is None else enumeration.complete_slack
        if product.n_networks <= room:
            return product.most, within
        self.status = "memory_limit"
        low, high = -1, product.most
        while high - low > 1:
            middle = (low + high) // 2
            if product.n_within(middle) <= room:
                low = middle
            else:
                high = middle
        reached = low * product.tick - tolerance(enumeration.optimum)
        return low, min(within, reached if reached >= 0 else nothing)

    def _join(self, listed: list[_Listed], optimum: float, slack: float) -> None:
        """Joins the networks of the slices within a slack to one list, best first."""
        allowed = tolerance(optimum)
        tick = allowed / TICKS
        most = math.floor((slack + allowed) / tick)
        choices = np.concatenate([one.choices for one in listed])
        scores = np.concatenate([one.scores for one in listed])
        ticks = np.maximum(np.rint((optimum - scores) / tick), 0).astype(np.int64)
        order = np.argsort(ticks, kind="stable")
        order = order[ticks[order] <= most]
        choices, ticks = choices[order], ticks[order]
        sizes = None
        if self._what == "classes":
            several = [one.sizes for one in listed if one.sizes is not None]
            sizes = np.concatenate([*several, np.zeros(0, dtype=np.uint64)])[order]
        if not len(ticks) or ticks[0] * tick > allowed:  # The search was stopped before it listed the best network.
            assert self._best is not None
            choices = np.concatenate([self._best[1][None, :], choices])
            ticks = np.concatenate([np.zeros(1, dtype=np.int64), ticks])
            sizes = None if sizes is None else np.concatenate([np.zeros(1, dtype=np.uint64), sizes])
        used = np.zeros(len(self._sizes), dtype=np.bool_)
        used[choices.ravel()] = True
        self.families_in_use = used
        places = prefix_sums(used)
        starts = places[self._flat.starts]
        if np.diff(starts).max(initial=0) > _core.CredibleSearch.most_families:
            raise ArgumentError(
                f"a variable has more than {_core.CredibleSearch.most_families:,} parent sets in credible networks: "
                "ask for a smaller bayes_factor or slack"
            )
        positions = (places[choices] - starts[:-1]).astype(np.uint16)
        members = np.arange(len(starts) - 1, dtype=np.int32)
        joined = ComponentNetworks(members, ticks, positions, starts[:-1], sizes)
        self.components, self.product = [joined], NetworkProduct([joined], starts[:-1].copy(), tick, most)


def _combine(enumeration: Enumeration, most: int) -> tuple[Choices, NDArray[np.uint64] | None]:
    """All combinations of the networks of components that deviate by at most so much, and the sizes of classes."""
    product = enumeration.product
    if most < 0:
        return product.fixed[None, :][:0], np.zeros(0, dtype=np.uint64)
    lists = [list_networks(each).up_to(most) for each in enumeration.components]
    lists.sort(key=len, reverse=True)
    ticks, rows = np.zeros(1, dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    for each in lists:
        ends = np.searchsorted(each.ticks, most - ticks, side="right")
        ours = np.repeat(np.arange(len(ticks)), ends)
        theirs = np.arange(len(ours)) - np.repeat(np.cumsum(ends) - ends, ends)
        ticks = ticks[ours] + each.ticks[theirs]
        rows = np.column_stack([rows[ours], theirs])
    choices = np.tile(product.fixed, (len(ticks), 1))
    logs, sizes = np.zeros(len(ticks)), np.ones(len(ticks), dtype=np.uint64)
    for column, each in enumerate(lists):
        choices[:, each.members] = each.families(rows[:, column])
        if each.sizes is not None:
            some = each.sizes[rows[:, column]]
            with np.errstate(divide="ignore"):
                logs = logs + np.where(some == 0, math.inf, np.log2(some.astype(np.float64)))
            sizes = np.where(logs < _MOST_BITS, sizes * some, np.uint64(0))  # Size 0 stands for one above 64 bits.
    is_sized = all(each.sizes is not None for each in lists)
    return choices, sizes if is_sized else None
