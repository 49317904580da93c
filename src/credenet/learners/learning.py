"""`learn`: from data or families to a network with a statement of how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from credenet._arguments import one_of, whole_number
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.priors import SSP, Prior, Uniform, describe_prior, prior_from
from credenet.families.restriction import check_options, with_knowledge
from credenet.families.scores import Score, score_from
from credenet.families.sources import as_source, check_knowledge
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.climbing import climb_data
from credenet.learners.constraint_based.learning import learn_by_tests
from credenet.learners.constraint_based.max_min import max_min_hill_climb
from credenet.learners.from_data import learn_from_data
from credenet.learners.options import Options, version
from credenet.learners.overfitting import overfitting_remarks
from credenet.learners.results import LearnResult, Provenance
from credenet.learners.table_search import result_of, search
from credenet.learners.trees import chow_liu
from credenet.search.methods import (
    MMHC,
    ChowLiu,
    ConstraintBased,
    HillClimb,
    Method,
    OrderSearch,
    Tabu,
    describe_method,
    method_from,
)
from credenet.search.support import check_supported

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.families.sources import DataLike
    from credenet.independence.settings import Test


def learn(
    source: DataLike | FamilyTable,
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
    source
        Data (a `Dataset`, a data frame or a two-dimensional array), or families scored before (`score_families`), for
        which score, prior and states are settled.
    method
        Such as ``"dp"`` or ``AStar(heuristic="simple")``. Exact: ``dp``, ``astar``, ``bfbnb``, ``ilp``; anytime with
        bounds: ``weighted_astar``, ``ara_star``, ``awa_star``; local search: ``order_search``, ``hill_climb``,
        ``tabu``; and ``chow_liu``. ``auto`` picks one. By tests of independence instead of a score: ``pc``, ``rai``;
        by both: ``mmhc``.
    score, ess, prior
        What is maximised: BDeu with an equivalent sample size of 1 and a uniform prior by default. `SSP` takes one
        optimisation for each in-degree.
    knowledge
        What the network must obey. Rules on single edges and in-degrees go with every method; those on whole networks
        (adjacent pairs, ancestors, numbers of edges and roots, immoralities, independences) with ``ilp``, which
        ``auto`` then takes. Some of these let no family be pruned, so that many variables need ``max_parents``.
    max_parents
        The most parents of a variable; by default as many as can matter.
    test
        Of independence, for the methods that use one: ``"bayes_factor"`` by default, ``"g2"``, ``"chi2"``, ``"cmi"``,
        one with settings such as ``G2(significance=0.01)``, or a function of two variables and those given that says
        whether they are independent.
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
    source = as_source(source)
    chosen = method_from(method)
    run = Run.of(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    check_knowledge(knowledge)
    if max_parents is not None:
        max_parents = whole_number("max_parents", max_parents)
    if states is not None:
        one_of("states", states, ("declared", "observed"))
    if isinstance(chosen, OrderSearch) and chosen.iterations == 0 and time_limit is None and on_progress is None:
        raise ArgumentError("OrderSearch(iterations=0) goes on until it is stopped; give a time_limit")
    if order is not None:
        knowledge = (knowledge or Knowledge()).combine(Knowledge(order=order))
    check_supported(knowledge, chosen.short_name)
    if isinstance(chosen, ConstraintBased):
        unused = {"score": score, "ess": ess, "prior": prior, "max_parents": max_parents}
        return learn_by_tests(source, chosen, test, knowledge, states, run, unused=unused)
    if test is not None and not isinstance(chosen, MMHC):
        raise ArgumentError(f"{chosen.short_name} uses a score, not a test of independence")
    modular = None if prior is None else prior_from(prior)
    if isinstance(source, FamilyTable):
        scored = None if score is None else score_from(score, ess=ess)
        return _from_table(source, chosen, scored, modular, knowledge, max_parents, states, run)
    options = Options(
        score_from("bdeu" if score is None else score, ess=ess),
        Uniform() if modular is None else modular,
        knowledge,
        max_parents,
        states or "declared",
    )
    result = _from_data(source, chosen, test, states, options, run)
    if not result.has_network or not isinstance(result.graph, DAG):
        return result
    return replace(result, remarks=(*result.remarks, *overfitting_remarks(source, result.graph)))


def _from_data(
    data: Dataset, method: Method, test: Test | str | None, states: States | None, options: Options, run: Run
) -> LearnResult:
    is_modular = not isinstance(options.prior, SSP)
    if isinstance(method, ChowLiu):
        return chow_liu(data, method, options, run)
    if isinstance(method, MMHC):
        if not is_modular:
            raise ArgumentError("mmhc climbs on data, which the prior ssp does not allow")
        return max_min_hill_climb(data, method, test, states, options, run)
    if isinstance(method, HillClimb | Tabu) and is_modular:
        return climb_data(data, method, options, run)
    return learn_from_data(data, method, options, run)


def _from_table(
    families: FamilyTable,
    method: Method,
    score: Score | None,
    prior: Prior | None,
    knowledge: Knowledge | None,
    max_parents: int | None,
    states: Literal["declared", "observed"] | None,
    run: Run,
) -> LearnResult:
    if isinstance(method, ChowLiu):
        raise ArgumentError(
            "chow_liu needs the data: a table of families does not tell the mutual information of pairs"
        )
    if isinstance(method, MMHC):
        raise ArgumentError("mmhc needs the data: a table of families has nothing to test")
    check_options(families, score, prior, states, max_parents)
    table, known = with_knowledge(families, knowledge)
    if max_parents is not None:
        table = table.restrict(max_parents=max_parents)
    check_supported(known, method.short_name)
    found, reason = search(table, method, prior, known, run)
    made = table.made
    provenance = Provenance(
        method=describe_method(method),
        reason=reason,
        score=score,
        prior=prior,
        score_name=made.score,
        prior_name=describe_prior(prior) if isinstance(prior, SSP) else made.prior,
        states=made.states,
        max_parents=made.max_parents,
        knowledge=known,
        complete=made.complete,
        n_rows=made.n_rows,
        data_digest=made.data_digest,
        seed=run.seed,
        version=version(),
    )
    return result_of(table, found, provenance, run)
