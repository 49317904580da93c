"""The search among the families of a table, by the method asked for, and the result that it makes."""

from __future__ import annotations

import math

import numpy as np

from credenet._run.run import Run
from credenet._text import listing
from credenet.errors import GraphError, KnowledgeError
from credenet.families.priors import SSP, Prior
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.search.adjacency import adjacent_pairs, joined_network
from credenet.search.auto import solve_auto
from credenet.search.components import INFEASIBLE, Found, solve_apart, whole
from credenet.search.ilp.branch_and_cut import solve_ilp
from credenet.search.ilp.constraints import Constraints
from credenet.search.lattice import check_lattice, solve_lattice
from credenet.search.local import Start, obeying, quick_network, solve_local
from credenet.search.methods import ILP, Auto, HillClimb, Lattice, Local, Method, Tabu
from credenet.search.ssp import search_with_ssp
from credenet.search.support import global_kinds


def search(
    families: FamilyTable, method: Method, prior: Prior | None, knowledge: Knowledge | None, run: Run
) -> tuple[Found, str]:
    """What the method finds among the families, and why it was taken where that was left to us."""
    reasons: dict[str, None] = {}
    constraints = Constraints.of(knowledge, families.variables)

    def search_table(table: FamilyTable) -> Found:
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
            return solve_apart(table, run, solve, obeying(quick_network, constraints), whole(table))
        if isinstance(method, Auto):
            return solve_apart(table, run, solve_auto(reasons), quick_network)
        if isinstance(method, Lattice):
            check_lattice(table, method, run)
            return solve_apart(table, run, solve_lattice(method), quick_network)
        if isinstance(method, ILP):
            return solve_apart(table, run, solve_ilp(method), quick_network)
        assert isinstance(method, Local)
        return solve_apart(table, run, solve_local(method), quick_network)

    found = search_with_ssp(families, prior, search_table) if isinstance(prior, SSP) else search_table(families)
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


def result_of(
    families: FamilyTable, found: Found, provenance: Provenance, run: Run, *, scoring_seconds: float = 0.0
) -> LearnResult:
    """What was found, with a bound on the networks that the table makes."""
    flat = families.flat()
    parents: list[list[int]] = [[] for _ in families.variables]
    if found.choice is not None:
        parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in found.choice.tolist()]
    feasible = found.choice is not None
    bound = found.bound if math.isfinite(found.bound) else None
    has_all = families.made.complete and not families.made.unproven_bounds
    return LearnResult(
        graph=DAG.from_indices(families.variables, parents),
        score=found.score if feasible else None,
        bound=bound,
        scope=None if bound is None else "all" if has_all else "table",
        status=found.status,
        statistics=Statistics(
            seconds=run.clock.passed,
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
