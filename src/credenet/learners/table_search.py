"""Search among the families of a table by a given method, and its result."""

from __future__ import annotations

import math

from credenet._run.run import Run
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.search.components import INFEASIBLE, Reasons, SearchResult, solve_apart, whole
from credenet.search.ilp.constraints import Constraints
from credenet.search.local import obeying, quick_network
from credenet.search.nested.few_networks import compare_networks
from credenet.search.nested.ssp import search_with_penalty
from credenet.search.solvers import choose_solver
from credenet.settings.method_bases import ScoreBased


def search(families: FamilyTable, method: ScoreBased, problem: LearningProblem, run: Run) -> tuple[SearchResult, str]:
    """The network that the method finds among the families; for ``auto`` also the reason of its choice."""
    reasons: Reasons = {}
    constraints = Constraints.from_knowledge(problem.knowledge, families.variables)

    def search_table(table: FamilyTable) -> SearchResult:
        solve = choose_solver(method, table, constraints, run, reasons)
        if solve is None:
            return INFEASIBLE
        if constraints is None:
            return solve_apart(table, run, solve, quick_network)
        return solve_apart(table, run, solve, obeying(quick_network, constraints), whole(table))

    prior = problem.prior
    if prior is None or prior.is_modular:
        found = search_table(families)
    elif prior.complexity == "tree_width":
        found = compare_networks(families, prior, problem.knowledge)
        reasons["all networks are compared"] = None
    else:
        found = search_with_penalty(families, prior, search_table)
    return found, "; ".join(reasons)


def result_of(
    families: FamilyTable, outcome: SearchResult, provenance: Provenance, run: Run, *, scoring_seconds: float = 0.0
) -> LearnResult:
    """The result of a search, with a bound on the networks made of the families of the table."""
    flat = families.flat()
    parents: list[list[int]] = [[] for _ in families.variables]
    local: dict[str, float] = {}
    if outcome.choice is not None:
        local = dict(zip(families.variables, flat.scores[outcome.choice].tolist(), strict=True))
        parents = [flat.parents_of(at) for at in outcome.choice.tolist()]
    feasible = outcome.choice is not None
    bound = outcome.bound if math.isfinite(outcome.bound) else None
    has_all = families.made.complete and not families.made.unproven_bounds
    return LearnResult(
        graph=DAG.from_indices(families.variables, parents),
        score=outcome.score if feasible else None,
        bound=bound,
        scope=None if bound is None else "all" if has_all else "table",
        status=outcome.status,
        statistics=Statistics(
            seconds=run.clock.seconds_passed,
            scoring_seconds=scoring_seconds,
            families=len(families),
            evaluated=families.made.evaluated,
            components=outcome.components,
            expanded=outcome.expanded,
            generated=outcome.generated,
            peak_bytes=outcome.peak_bytes,
        ),
        provenance=provenance,
        isolated=families.made.isolated,
        trace=outcome.trace,
        proofs=outcome.proofs,
        local=local,
    )
