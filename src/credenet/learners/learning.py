"""`learn`: a network from data or families, with a bound on its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.data.dataset import Dataset
from credenet.families.few_rows import few_rows_remarks
from credenet.families.scoring.child_rules import isolation_remark
from credenet.families.sources import as_source
from credenet.families.table import FamilyTable
from credenet.graphs import DAG, TreeDecomposition
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.methods import learn_with
from credenet.learners.overfitting import overfitting_remarks
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.methods import METHODS, ChowLiu, Method
from credenet.settings.priors import Prior
from credenet.settings.scores import Score

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.sources import DataLike
    from credenet.settings.tests import Test


@takes_data()
def learn(
    data: DataLike | FamilyTable,
    *,
    method: Method | str = "auto",
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    tree_width: int | None = None,
    cliques: Sequence[Sequence[str]] | TreeDecomposition | None = None,
    test: Test | str | None = None,
    states: States | None = None,
    isolate_constant: bool = True,
    order: Sequence[str] | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    seed: int | None = 0,
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> LearnResult:
    """The best network that a method finds, with an upper bound on the score of any network.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table; or a family table
        (`score_families`), or the path of its file.
    method
        Such as ``"dp"`` or ``AStar(heuristic="simple")``. Exact: ``dp``, ``astar``, ``bfbnb``, ``ilp``; anytime with
        bounds: ``weighted_astar``, ``ara_star``, ``awa_star``; local search: ``order_search``, ``hill_climb``,
        ``tabu``; trees: ``chow_liu``; tests of independence: ``pc``, ``rai``; tests and a score: ``mmhc``. With
        ``tree_width``: ``exact``, ``annealing``, ``kmax``, ``kg``, ``s2``, ``s2_plus``, ``kp``, ``kp_plus``. ``auto``
        uses those of the score-based methods that suit the size of the problem.
    score, ess, prior
        What is maximised: by default BDeu with an equivalent sample size of 1 and a uniform prior; for a family table
        the score and prior of the table. `SSP` takes several optimisations, or climbs.
    knowledge
        Rules that the network must obey. Every method honours rules on single edges and in-degrees. Rules on whole
        networks (adjacent pairs, ancestors, numbers of edges and roots, immoralities, independences) need ``ilp``,
        which ``auto`` then chooses. Under some of these no family can be pruned; many variables then need
        ``max_parents``.
    max_parents
        The largest number of parents of a variable; by default as many as a best network can have.
    tree_width
        The largest tree-width of the network, so that exact inference stays fast; at least 0. By default any.
    cliques
        Sets of variables, such as the cliques of a k-tree, or a `TreeDecomposition`: each variable and its parents must
        lie in one of them. ``auto`` and ``exact`` find the best such network.
    test
        The test of independence of ``pc``, ``rai`` and ``mmhc``: ``"bayes_factor"`` (the default), ``"g2"``,
        ``"chi2"``, ``"cmi"``, one with settings such as ``G2(significance=0.01)``, or a function of two variables and a
        conditioning set that returns whether they are independent. ``"bayes_factor(setting=auto)"`` chooses its setting
        for the data.
    states
        Whether states that do not occur count. By default ``declared`` for scores and ``observed`` for tests.
    isolate_constant
        Whether variables with one observed state have no edges. False leaves that to the score; a family table must
        then have been made so too.
    order
        Variables, first to last: no edge from a later to an earlier one. If all variables are given, the best network
        of that order needs no search.
    time_limit, memory_limit
        Seconds, and bytes (by default three quarters of the free memory). When a limit is reached, the best network so
        far is returned, with its bound. Ctrl-C does the same. ``auto`` on data ends after 50 seconds of work if no time
        limit is given.
    seed
        The seed of the local searches. Without a time limit, the same data, options and seed give the same result.
        None draws a fresh one, which ``provenance.seed`` tells.
    options
        How data are read and counted: `DataOptions`.

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
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    problem = LearningProblem.from_arguments(
        as_source(data),
        chosen,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        order=order,
        max_parents=max_parents,
        tree_width=tree_width,
        cliques=cliques,
        states=states,
        isolate_constant=isolate_constant,
        test=test,
    )
    result = learn_with(chosen, problem, run)
    if result.isolated and chosen.joins_constant:
        result = replace(result, remarks=(isolation_remark(result.isolated), *result.remarks))
    if result.graph.n_edges and not isinstance(chosen, ChowLiu):  # A Chow-Liu tree does not depend on the prior.
        made = result.provenance
        few = few_rows_remarks(made.score_name, made.prior_name, made.n_rows)
        result = replace(result, remarks=(*result.remarks, *few))
    if not isinstance(problem.source, Dataset) or not isinstance(result.graph, DAG) or not result.has_network:
        return result
    signs = overfitting_remarks(problem.source, result.graph, run.clock.seconds_left)
    return replace(result, remarks=(*result.remarks, *signs))
