"""`credible_networks`: from data or families to every network within a Bayes factor of the best.

The variables are split where no cycle of candidate parents joins them; each group's optimum comes from the best scores
of all its subsets. Then every family that is in no credible network is dropped, which splits the groups further, and
the networks of each group are listed, with the whole slack at hand.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credibility.credible_set import CredibleSet
from credenet.credibility.parts import Part, Parts
from credenet.data import Dataset
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.family_arrays import FlatFamilies, dominated, prefix_sums
from credenet.knowledge import Knowledge
from credenet.learners.context import Clock, Context
from credenet.learners.learning import learn
from credenet.learners.options import version
from credenet.learners.support import check_supported
from credenet.learners.tables import check_options, with_knowledge
from credenet.memory import usable_memory
from credenet.priors import SSP, Prior, prior_from
from credenet.progress import OnProgress, thread_count
from credenet.results import Provenance, Statistics, Status
from credenet.scores import AIC, Score, score_described, score_from
from credenet.scoring import score_families
from credenet.text import byte_count
from credenet.verification import tolerance

if TYPE_CHECKING:
    from credenet.coding import States

_NAME = "credible_networks"
_TICKS = 64  # in which the tolerance is divided, so that sums of rounded deviations stay within it
_MOST_TICKS = 1 << 62


def credible_networks(
    source: Dataset | FamilyTable,
    *,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    states: States | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> CredibleSet:
    """All networks whose score is within a Bayes factor of the best.

    A score is within if it misses the limit by no more than max(1e-9, 1e-12 |best|), which is rounding.

    Parameters
    ----------
    source
        Data, or families scored before with at least the slack asked for (`score_families`).
    bayes_factor, slack, ratio
        A network is kept when the best is at most this many times as probable (20 by default; 1 keeps the optima
        only), when it scores at most so much lower, or when its score is at most this many times that of the best.
        Give at most one.
    score, ess, prior, states
        What networks are judged by: BDeu with an equivalent sample size of 1 and a uniform prior by default.
    knowledge
        What the networks must obey: required and forbidden edges, tiers, orders and in-degrees.
    max_parents
        The most parents of a variable; by default as many as can matter.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). When one is reached, what was found so far is
        returned, marked as not complete. Ctrl-C does the same.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), bayes_factor=3)
    >>> credible[0] == credible.best
    True
    >>> len(credible) == credible.n_networks
    True
    """
    limit = _Limit(bayes_factor, slack, ratio)
    for name, value in (("time_limit", time_limit), ("memory_limit", memory_limit)):
        if value is not None and value <= 0:
            raise ArgumentError(f"{name} must be positive, got {value}")
    if max_parents is not None and max_parents < 0:
        raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
    modular = None if prior is None else prior_from(prior)
    if isinstance(modular, SSP):
        raise ArgumentError("SSP is no sum over families, so credible networks cannot be listed with it")
    check_supported(knowledge, _NAME)
    context = Context(
        Clock(time_limit),
        usable_memory() if memory_limit is None else memory_limit,
        thread_count(n_threads),
        0,
        on_progress,
    )
    if isinstance(source, FamilyTable):
        scored = None if score is None else score_from(score, ess=ess)
        check_options(source, scored, modular, states, max_parents)
        made_with = scored or _described(source.made.score)
        limit.check_score(made_with)
        families, known = with_knowledge(source, knowledge)
        check_supported(known, _NAME)
        if max_parents is not None:
            families = families.restrict(max_parents=max_parents)
    elif isinstance(source, Dataset):
        made_with = score_from("bdeu" if score is None else score, ess=ess)
        limit.check_score(made_with)
        families = _scored(source, limit, made_with, modular, knowledge, max_parents, states, context)
        known = knowledge
    else:
        raise ArgumentError(f"{_NAME} takes a Dataset or a FamilyTable, got {type(source).__name__}")
    scoring_seconds = context.clock.passed
    listed = _Enumeration(families, limit, context)
    listed.run()
    made = families.made
    status = listed.status
    if isinstance(source, Dataset) and not made.complete and status == "complete":
        status = "memory_limit" if made.status != "stopped" else context.status_of("stopped")
    provenance = Provenance(
        method=_NAME,
        score=made_with,
        prior=modular,
        score_name=made.score,
        prior_name=made.prior,
        states=made.states,
        max_parents=made.max_parents,
        knowledge=known,
        complete=made.complete,
        n_rows=made.n_rows,
        data_digest=source.digest() if isinstance(source, Dataset) else made.data_digest,
        version=version(),
    )
    return CredibleSet(
        families=FamilyTable._with(families.variables, listed.flat, made),
        parts=listed.parts,
        optimum=listed.optimum,
        slack=listed.slack,
        status=status,
        complete=status in ("complete", "infeasible") and bool(made.complete) and made.slack is not None,
        statistics=Statistics(
            seconds=context.clock.passed,
            scoring_seconds=scoring_seconds if isinstance(source, Dataset) else 0.0,
            families=len(families),
            evaluated=made.evaluated,
            components=tuple(sorted((len(part.members) for part in listed.parts.parts), reverse=True)),
            expanded=listed.expanded,
            peak_bytes=listed.peak_bytes,
        ),
        provenance=provenance,
    )


@dataclass(frozen=True, slots=True)
class _Limit:
    """How far from the best a credible network may be."""

    bayes_factor: float | None
    slack: float | None
    ratio: float | None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.bayes_factor, self.slack, self.ratio)) > 1:
            raise ArgumentError("give one of bayes_factor, slack and ratio")
        for name, least in (("bayes_factor", 1), ("slack", 0), ("ratio", 1)):
            value = getattr(self, name)
            if value is not None and not least <= value < math.inf:
                raise ArgumentError(f"{name} must be a number of at least {least}, got {value}")

    @property
    def by_factor(self) -> bool:
        return self.slack is None and self.ratio is None

    def check_score(self, score: Score | None) -> None:
        if score is None or not self.by_factor:
            return
        if not score.has_bayes_factor:
            raise ArgumentError(
                f"{score.short_name} is no log probability, so a Bayes factor has no meaning; give slack or ratio"
            )
        if isinstance(score, AIC):
            warnings.warn(
                "AIC is no approximation of a marginal likelihood; a Bayes factor of it is one in name only",
                stacklevel=3,
            )

    def in_nats(self, optimum: float) -> float:
        if self.ratio is not None:
            return (self.ratio - 1) * abs(optimum)
        if self.slack is not None:
            return self.slack
        return math.log(20 if self.bayes_factor is None else self.bayes_factor)


def _described(text: str | None) -> Score | None:
    if text is None:
        return None
    try:
        return score_described(text)
    except ArgumentError:  # another program's name for it
        return None


def _scored(
    data: Dataset,
    limit: _Limit,
    score: Score,
    prior: Prior | None,
    knowledge: Knowledge | None,
    max_parents: int | None,
    states: States | None,
    context: Context,
) -> FamilyTable:
    optimum = 0.0
    modular: Prior | str = "uniform" if prior is None else prior
    if limit.ratio is not None:
        best = learn(
            data,
            score=score,
            prior=modular,
            knowledge=knowledge,
            max_parents=max_parents,
            states=states,
            memory_limit=context.memory,
            n_threads=context.n_threads,
        )
        optimum = best.bound if best.bound is not None else best.score or 0.0
        optimum = max(abs(optimum), abs(best.score or 0.0))  # which keeps enough whatever it is
    limited = context.clock.time_limit is not None
    return score_families(
        data,
        score=score,
        prior=modular,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states or "declared",
        slack=limit.in_nats(optimum),
        time_limit=max(context.clock.left / 2, 1e-3) if limited else None,
        memory_limit=context.memory,
        n_threads=context.n_threads,
        on_progress=context.on_progress,
    )


class _Enumeration:
    """The steps from a table to the parts of its credible networks; after `run` all fields are what was found."""

    def __init__(self, families: FamilyTable, limit: _Limit, context: Context) -> None:
        self._made_slack = families.made.slack
        self._limit = limit
        self._context = context
        self.flat = families.flat()
        self.optimum: float | None = None
        self.slack = 0.0 if limit.ratio is not None else limit.in_nats(0.0)
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
        if self._reduce(searches, (most + 1) * tick):
            parts = self._listed(searches, tick, most)
        else:
            parts = []
        self.parts = Parts(parts, self._best, tick, most)

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

    def _solved(self) -> dict[tuple[int, ...], _core.CredibleSearch]:
        """The best network of every group."""
        searches: dict[tuple[int, ...], _core.CredibleSearch] = {}
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

    def _reduce(self, searches: dict[tuple[int, ...], _core.CredibleSearch], slack: float) -> bool:
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

    def _listed(self, searches: dict[tuple[int, ...], _core.CredibleSearch], tick: float, most: int) -> list[Part]:
        """The networks of all groups, which may be smaller than those solved."""
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
            found = search.networks(tick, most, max(int(left), 1), self._context.n_threads, self._context.callback())
            self.expanded += found.n_expanded
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
        return parts


def _rows_of(flat: FlatFamilies, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The families of some variables, one variable after the other."""
    return np.concatenate([np.arange(flat.starts[member], flat.starts[member + 1]) for member in group])
