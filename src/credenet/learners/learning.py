"""`learn`: from data or families to a network with a statement of how good it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from credenet.arguments import one_of, whole_number
from credenet.data import Dataset
from credenet.data_arguments import as_source, check_knowledge
from credenet.errors import ArgumentError, GraphError, KnowledgeError
from credenet.families import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge import Knowledge
from credenet.learners.adjacency import adjacent_pairs, joined_network
from credenet.learners.auto import solve_auto
from credenet.learners.climbing import climb_data
from credenet.learners.components import INFEASIBLE, Found, solve_apart, whole
from credenet.learners.constraint_based.learning import learn_by_tests
from credenet.learners.constraint_based.max_min import max_min_hill_climb
from credenet.learners.context import Clock, Context
from credenet.learners.ilp.branch_and_cut import solve_ilp
from credenet.learners.ilp.constraints import Constraints
from credenet.learners.lattice import check_lattice, solve_lattice
from credenet.learners.local import Start, obeying, quick_network, solve_local
from credenet.learners.methods import (
    ILP,
    MMHC,
    Auto,
    ChowLiu,
    ConstraintBased,
    HillClimb,
    Lattice,
    Local,
    Method,
    OrderSearch,
    Tabu,
    describe_method,
    method_from,
)
from credenet.learners.options import Options, version
from credenet.learners.ssp import SlackError, search_with_ssp
from credenet.learners.support import check_supported, global_kinds
from credenet.learners.tables import check_options, with_knowledge
from credenet.learners.trees import chow_liu
from credenet.priors import SSP, Prior, Uniform, describe_prior, prior_from
from credenet.progress import OnProgress
from credenet.results import LearnResult, Provenance, Statistics, Status
from credenet.scores import MIT, BDe, Score, score_from
from credenet.scoring import BYTES_PER_FAMILY, child_rules, n_families, score_families
from credenet.text import byte_count, listing

if TYPE_CHECKING:
    from credenet.coding import States
    from credenet.data_arguments import DataLike
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
    context = Context.of(time_limit, memory_limit, n_threads, on_progress, seed=seed)
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
        return learn_by_tests(source, chosen, test, knowledge, states, context, unused=unused)
    if test is not None and not isinstance(chosen, MMHC):
        raise ArgumentError(f"{chosen.short_name} uses a score, not a test of independence")
    modular = None if prior is None else prior_from(prior)
    if isinstance(source, FamilyTable):
        scored = None if score is None else score_from(score, ess=ess)
        return _from_table(source, chosen, scored, modular, knowledge, max_parents, states, context)
    options = Options(
        score_from("bdeu" if score is None else score, ess=ess),
        Uniform() if modular is None else modular,
        knowledge,
        max_parents,
        states or "declared",
    )
    if isinstance(chosen, ChowLiu):
        return chow_liu(source, chosen, options, context)
    if isinstance(chosen, MMHC):
        if isinstance(options.prior, SSP) or isinstance(options.score, BDe | MIT):
            raise ArgumentError("mmhc climbs on data, which the prior ssp and the scores bde and mit do not allow")
        return max_min_hill_climb(source, chosen, test, states, options, context)
    if (
        isinstance(chosen, HillClimb | Tabu)
        and not isinstance(options.prior, SSP)
        and not isinstance(options.score, BDe | MIT)
    ):
        return climb_data(source, chosen, options, context)
    return _from_data(source, chosen, options, context)


def _from_table(
    families: FamilyTable,
    method: Method,
    score: Score | None,
    prior: Prior | None,
    knowledge: Knowledge | None,
    max_parents: int | None,
    states: Literal["declared", "observed"] | None,
    context: Context,
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
    found, reason = _search(table, method, prior, known, context)
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
        seed=context.seed,
        version=version(),
    )
    return _result(table, found, provenance, context)


def _from_data(data: Dataset, method: Method, options: Options, context: Context) -> LearnResult:
    families = scored_families(data, options, context, slack=0.0)
    scoring_seconds = context.clock.passed
    if families.made.status == "interrupted":  # only a network in a moment is wanted
        context = replace(context, clock=Clock(scoring_seconds, context.clock.start))
    try:
        found, reason = _search(families, method, options.prior, options.knowledge, context)
    except SlackError as need:
        families = scored_families(data, options, context, slack=need.slack)
        found, reason = _search(families, method, options.prior, options.knowledge, context)
    made = families.made
    if made.status == "interrupted":
        found = replace(found, status="stopped")
    elif not made.complete and found.status in ("optimal", "infeasible"):  # it may be otherwise with all families
        found = replace(found, status=scoring_limit(made.status, context))
    provenance = options.provenance(
        data, method, context, max_parents=made.max_parents, complete=made.complete, reason=reason
    )
    return _result(families, found, provenance, context, scoring_seconds=scoring_seconds)


def scoring_limit(status: str | None, context: Context) -> Status:
    """What ended the scoring of families."""
    if status == "interrupted":
        return "stopped"
    if status == "stopped":
        return context.status_of("stopped") if context.clock.time_limit is None else "time_limit"
    return "iteration_limit" if status == "iteration_limit" else "memory_limit"


def scored_families(data: Dataset, options: Options, context: Context, slack: float) -> FamilyTable:
    """The families of data, in at most half of the time that is left."""
    _check_unpruned(data, options, context)
    limited = context.clock.time_limit is not None
    return score_families(
        data,
        score=options.score,
        prior="uniform" if isinstance(options.prior, SSP) else options.prior,
        knowledge=options.knowledge,
        max_parents=options.max_parents,
        states=options.states,
        slack=slack,
        time_limit=max(context.clock.left / 2, 1e-3) if limited else None,
        memory_limit=context.memory,
        n_threads=context.n_threads,
        on_progress=context.on_progress,
    )


def _check_unpruned(data: Dataset, options: Options, context: Context) -> None:
    """Refuses to score all families where the knowledge lets none be pruned and they do not fit in memory."""
    if options.knowledge is None or not options.knowledge.makes_subset_pruning_unsafe:
        return
    number = n_families(child_rules(data, Uniform(), options.knowledge, options.max_parents, None))
    if number * BYTES_PER_FAMILY > context.memory:
        raise ArgumentError(
            f"the knowledge lets no family be pruned, and all {number:,} take {byte_count(number * BYTES_PER_FAMILY)}, "
            f"the memory limit is {byte_count(context.memory)}; give a smaller max_parents"
        )


def _search(
    families: FamilyTable, method: Method, prior: Prior | None, knowledge: Knowledge | None, context: Context
) -> tuple[Found, str]:
    """What the method finds among the families, and why it was taken where that was left to us."""
    reasons: dict[str, None] = {}
    constraints = Constraints.of(knowledge, families.variables)

    def search(table: FamilyTable) -> Found:
        if constraints is not None:
            if isinstance(method, Auto):
                reasons[f"ilp, which honours {listing(global_kinds(constraints.knowledge))}"] = None
            if isinstance(method, HillClimb | Tabu):
                start = _joined_start(table, constraints.knowledge)
                if start is None:
                    return INFEASIBLE
                solve = solve_local(method, start)
            else:
                solve = solve_ilp(method if isinstance(method, ILP) else ILP(), constraints)
            return solve_apart(table, context, solve, obeying(quick_network, constraints), whole(table))
        if isinstance(method, Auto):
            return solve_apart(table, context, solve_auto(reasons), quick_network)
        if isinstance(method, Lattice):
            check_lattice(table, method, context)
            return solve_apart(table, context, solve_lattice(method), quick_network)
        if isinstance(method, ILP):
            return solve_apart(table, context, solve_ilp(method), quick_network)
        assert isinstance(method, Local)
        return solve_apart(table, context, solve_local(method), quick_network)

    found = search_with_ssp(families, prior, search) if isinstance(prior, SSP) else search(families)
    return found, "; ".join(reasons)


def _joined_start(families: FamilyTable, knowledge: Knowledge) -> Start | None:
    """A network of listed families in which the pairs that must be adjacent are; None if there is none."""
    most = int(families.flat().sizes.max(initial=0))
    parents = joined_network(knowledge, families.variables, most)
    if parents is None:
        return None
    try:
        positions = families.positions(DAG.from_indices(families.variables, parents))
    except GraphError as error:
        raise KnowledgeError(f"there is no network to start from in which adjacent pairs are: {error}") from None
    return Start(np.array(positions, dtype=np.int32), adjacent_pairs(knowledge, families.variables))


def _result(
    families: FamilyTable, found: Found, provenance: Provenance, context: Context, *, scoring_seconds: float = 0.0
) -> LearnResult:
    flat = families.flat()
    parents: list[list[int]] = [[] for _ in families.variables]
    if found.choice is not None:
        parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in found.choice.tolist()]
    feasible = found.choice is not None
    return LearnResult(
        graph=DAG.from_indices(families.variables, parents),
        score=found.score if feasible else None,
        bound=found.bound if math.isfinite(found.bound) else None,
        status=found.status,
        statistics=Statistics(
            seconds=context.clock.passed,
            scoring_seconds=scoring_seconds,
            families=len(families),
            evaluated=families.made.evaluated,
            components=found.components,
            expanded=found.expanded,
            generated=found.generated,
            peak_bytes=found.peak_bytes,
        ),
        provenance=provenance,
        isolated=families.made.isolated,
        trace=found.trace,
        proofs=found.proofs,
    )
