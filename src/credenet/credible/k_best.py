"""`k_best` and `k_best_classes`: the best in order, by credible sets of growing slack."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from credenet._arguments import whole_number
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.credible.class_enumeration import classes_of
from credenet.credible.class_set import CredibleClasses
from credenet.credible.credible_set import CredibleSet
from credenet.credible.enumeration import networks_of
from credenet.credible.limit import CredibleLimit
from credenet.credible.phases import run_with_phases
from credenet.credible.preparation import CREDIBLE, prepared
from credenet.credible.stages import Found, Search, partial_of
from credenet.errors import ArgumentError
from credenet.families.priors import Prior
from credenet.families.scores import Score
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.problem import Problem

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.families.sources import DataLike

_FIRST = 1.0  # nats
_LARGEST = 1e5
_CLOSE = 1e-3


def k_best(
    data: DataLike | FamilyTable,
    k: int,
    *,
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
    """The k best networks, and all that score the same as the last of them.

    There are fewer if fewer than k networks score within 100,000 of the best. The other options are those of
    `credible_networks`.

    Examples
    --------
    >>> import credenet
    >>> best = credenet.k_best(credenet.datasets.asia(), 10, score="bic")
    >>> best.n_networks >= 10
    True
    """
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = Problem.of(
        data, CREDIBLE, score=score, ess=ess, prior=prior, knowledge=knowledge, max_parents=max_parents, states=states
    )
    return _first(k, problem, run, networks_of, lambda found: found.n_networks)


def k_best_classes(
    data: DataLike | FamilyTable,
    k: int,
    *,
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
) -> CredibleClasses:
    """The k best Markov equivalence classes, and all that score the same as the last of them; see `k_best`.

    Examples
    --------
    >>> import credenet
    >>> best = credenet.k_best_classes(credenet.datasets.asia(), 10, score="bic")
    >>> best.n_classes >= 10
    True
    """
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = Problem.of(
        data, CREDIBLE, score=score, ess=ess, prior=prior, knowledge=knowledge, max_parents=max_parents, states=states
    )
    return _first(k, problem, run, classes_of, lambda found: found.n_classes)


def _first(
    k: int,
    problem: Problem,
    run: Run,
    search: Search[Found],
    number: Callable[[Found], int],
) -> Found:
    k = whole_number("k", k, least=1)
    known = problem.source.made.slack if isinstance(problem.source, FamilyTable) else None
    largest = _LARGEST if known is None else min(known, _LARGEST)
    slack, low, high = min(_FIRST, largest), 0.0, math.inf
    before: Found | None = None  # all within a smaller slack, which are too few
    while True:
        try:
            found = search(prepared(problem, CredibleLimit(None, slack, None), run), slack, run)
        except KeyboardInterrupt:  # which the core turns into a status only while it searches
            if before is None:
                raise
            return partial_of(before, slack, "stopped", "enumeration", run)
        is_too_large = found.status == "memory_limit" and found.ended_in == "enumeration"
        if is_too_large and slack - low > _CLOSE:  # less may be enough
            high = slack
            slack = (low + high) / 2
            continue
        if found.status != "complete":
            if before is None or found._log_mass > before._log_mass:
                return found
            return partial_of(before, slack, found.status, found.ended_in, run)
        if number(found) >= k:
            return found.first(k)
        if slack >= largest:
            if largest < _LARGEST:
                raise ArgumentError(
                    f"k is {k}, but the table was made with a slack of {largest:.6g}, within which there are "
                    f"{number(found):,}; score the data again with a larger one"
                )
            return found
        before, low = found, slack
        slack = min(_next(slack, number(found), k), largest)
        if slack >= high:
            slack = (low + high) / 2


def _next(slack: float, number: int, k: int) -> float:
    """Where there may be k, if their number grows as the exponential of the slack."""
    guess = slack * math.log(k + 1) / math.log(number + 1)
    return min(max(guess, 1.2 * slack), 2 * slack)
