"""`credible_networks`: from data or families to every network within a Bayes factor of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.credible.credible_set import CredibleSet
from credenet.credible.engine.listing import Listing
from credenet.credible.limit import CredibleLimit
from credenet.credible.phases import run_with_phases
from credenet.credible.preparation import Asked, Task
from credenet.credible.stages import by_stages
from credenet.families.priors import Prior
from credenet.families.scores import Score
from credenet.families.sources import as_source
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.families.sources import DataLike


def credible_networks(
    data: DataLike | FamilyTable,
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
    data
        A `Dataset`, a data frame or a two-dimensional array; or families scored before (`score_families`) with at
        least the slack asked for.
    bayes_factor, slack, ratio
        A network is kept when the best is at most this many times as probable (20 by default; 1 keeps the optima
        only), when it scores at most so much lower, or when its score is at most this many times that of the best.
        Give at most one.
    score, ess, prior, states
        What networks are judged by. None is BDeu with an equivalent sample size of 1, a uniform prior and declared
        states; for families it is what they were scored with.
    knowledge
        What the networks must obey: required and forbidden edges, tiers, orders and in-degrees.
    max_parents
        The most parents of a variable; by default as many as can matter.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). When time is up, what was found so far is
        returned, marked as not complete; Ctrl-C does the same. Where there are too many networks for the memory, those
        within a smaller slack are returned, all of them.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), bayes_factor=3)
    >>> credible[0] == credible.best
    True
    >>> len(credible) == credible.n_networks
    True
    """
    limit = CredibleLimit(bayes_factor, slack, ratio)
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    asked = Asked(score, ess, prior, knowledge, max_parents, states)
    return by_stages(as_source(data), limit, asked, run, networks_of)


def networks_of(task: Task, slack: float, run: Run) -> CredibleSet:
    """All networks within a slack, of families that are at hand."""
    listed = Listing(task.families, slack, run)
    task.run(listed, run)
    return CredibleSet(task.outcome(listed, run), listed.parts)
