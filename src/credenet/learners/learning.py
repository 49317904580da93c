"""`learn`: from data or families to a network with a statement of how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.data.dataset import Dataset
from credenet.families.priors import Prior
from credenet.families.scores import Score
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.overfitting import overfitting_remarks
from credenet.learners.problem import Problem
from credenet.learners.results import LearnResult
from credenet.search.methods import METHODS, Method

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.families.sources import DataLike
    from credenet.independence.settings import Test


def learn(
    data: DataLike | FamilyTable,
    *,
    method: Method | str = "auto",
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    test: Test | str | None = None,
    states: States | None = None,
    order: Sequence[str] | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> LearnResult:
    """The best network that a method finds, with a bound on how much better another can be.

    Parameters
    ----------
    data
        A `Dataset`, a data frame or a two-dimensional array; or families scored before (`score_families`).
    method
        Such as ``"dp"`` or ``AStar(heuristic="simple")``. Exact: ``dp``, ``astar``, ``bfbnb``, ``ilp``; anytime with
        bounds: ``weighted_astar``, ``ara_star``, ``awa_star``; local search: ``order_search``, ``hill_climb``,
        ``tabu``; and ``chow_liu``. ``auto`` picks one. By tests of independence instead of a score: ``pc``, ``rai``;
        by both: ``mmhc``.
    score, ess, prior
        What is maximised. None is BDeu with an equivalent sample size of 1 and a uniform prior; for families it is what
        they were scored with. `SSP` takes one optimisation for each in-degree.
    knowledge
        What the network must obey. Rules on single edges and in-degrees go with every method; those on whole networks
        (adjacent pairs, ancestors, numbers of edges and roots, immoralities, independences) with ``ilp``, which
        ``auto`` then takes. Some of these let no family be pruned, so that many variables need ``max_parents``.
    max_parents
        The most parents of a variable; by default as many as can matter.
    test
        Of independence, for the methods that use one: ``"bayes_factor"`` (if None), ``"g2"``, ``"chi2"``, ``"cmi"``,
        one with settings such as ``G2(significance=0.01)``, or a function of two variables and those given that says
        whether they are independent.
    states
        Whether states that do not occur count. None is ``declared`` for scores and ``observed`` for tests.
    order
        Variables, first to last: no edge leads backwards. With all variables the best network of that order is found
        at once, whatever the method.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). When one is reached, the best network so far is
        returned, with what is known about it. Ctrl-C does the same.
    seed
        Of the local searches; the result depends on nothing else but time limits.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), score="bic", method="dp")
    >>> result.status
    'optimal'
    >>> ("either", "xray") in result.dag.edges
    True
    """
    chosen = METHODS.get(method)
    run = Run.of(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    problem = Problem.of(
        data,
        chosen,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        order=order,
        max_parents=max_parents,
        states=states,
        test=test,
    )
    result = chosen.learn(problem, run)
    if not isinstance(problem.source, Dataset) or not isinstance(result.graph, DAG) or not result.has_network:
        return result
    return replace(result, remarks=(*result.remarks, *overfitting_remarks(problem.source, result.graph)))
