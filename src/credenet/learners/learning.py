"""`learn`: from data or families to a network with a statement of how good it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from credenet.data import Dataset
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge import Knowledge
from credenet.learners.auto import solve_auto
from credenet.learners.climbing import climb_data
from credenet.learners.components import Found, solve_apart, whole
from credenet.learners.context import Clock, Context
from credenet.learners.ilp.branch_and_cut import solve_ilp
from credenet.learners.ilp.constraints import Constraints
from credenet.learners.lattice import check_lattice, solve_lattice
from credenet.learners.local import obeying, quick_network, solve_local
from credenet.learners.methods import (
    ILP,
    Auto,
    ChowLiu,
    HillClimb,
    Lattice,
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
from credenet.scoring import score_families
from credenet.text import listing

if TYPE_CHECKING:
    from credenet.coding import States


def learn(
    source: Dataset | FamilyTable,
    *,
    method: Method | str = "auto",
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
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
        Data, or families scored before (`score_families`), for which score, prior and states are settled.
    method
        Such as ``"dp"`` or ``AStar(heuristic="simple")``. Exact: ``dp``, ``astar``, ``bfbnb``, ``ilp``; anytime with
        bounds: ``weighted_astar``, ``ara_star``, ``awa_star``; local search: ``order_search``, ``hill_climb``,
        ``tabu``; and ``chow_liu``. ``auto`` picks one.
    score, ess, prior
        What is maximised: BDeu with an equivalent sample size of 1 and a uniform prior by default. `SSP` takes one
        optimisation for each in-degree.
    knowledge
        What the network must obey.
    max_parents
        The most parents of a variable; by default as many as can matter.
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
    chosen = method_from(method)
    context = Context.of(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    if max_parents is not None and max_parents < 0:
        raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
    if isinstance(chosen, OrderSearch) and chosen.iterations == 0 and time_limit is None and on_progress is None:
        raise ArgumentError("OrderSearch(iterations=0) goes on until it is stopped; give a time_limit")
    if order is not None:
        knowledge = (knowledge or Knowledge()).combine(Knowledge(order=order))
    check_supported(knowledge, chosen.short_name)
    modular = None if prior is None else prior_from(prior)
    if isinstance(source, FamilyTable):
        scored = None if score is None else score_from(score, ess=ess)
        return _from_table(source, chosen, scored, modular, knowledge, max_parents, states, context)
    if not isinstance(source, Dataset):
        raise ArgumentError(f"learn takes a Dataset or a FamilyTable, got {type(source).__name__}")
    options = Options(
        score_from("bdeu" if score is None else score, ess=ess),
        Uniform() if modular is None else modular,
        knowledge,
        max_parents,
        states or "declared",
    )
    if isinstance(chosen, ChowLiu):
        return chow_liu(source, chosen, options, context)
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
            solve = solve_ilp(method if isinstance(method, ILP) else ILP(), constraints)
            return solve_apart(table, context, solve, obeying(quick_network, constraints), whole(table))
        if isinstance(method, Auto):
            return solve_apart(table, context, solve_auto(reasons), quick_network)
        if isinstance(method, Lattice):
            check_lattice(table, method, context)
            return solve_apart(table, context, solve_lattice(method), quick_network)
        if isinstance(method, ILP):
            return solve_apart(table, context, solve_ilp(method), quick_network)
        assert not isinstance(method, ChowLiu)
        return solve_apart(table, context, solve_local(method), quick_network)

    found = search_with_ssp(families, prior, search) if isinstance(prior, SSP) else search(families)
    return found, "; ".join(reasons)


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
