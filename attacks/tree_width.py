"""Networks of bounded tree-width: the width and the score are what the result says, and exact is exact."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

import brute
import credenet
from attacks.campaign import Campaign, Case
from attacks.problems import arcs_of, check_refusal, cut_short, problems
from credenet import DAG, CredenetError, LearnResult
from slow_learning import best_score

EXACT = ("auto", "exact", "exact(engine=dp)", "exact(engine=milp)")
OTHERS = ("kmax", "kg", "annealing", "s2", "s2_plus", "kp", "kp_plus")


def attack(case: Case) -> None:
    problem = case.draw(problems())
    method, width = case.draw(st.sampled_from(EXACT + OTHERS)), case.draw(st.integers(0, 5))
    options: dict[str, Any] = {"method": method, "tree_width": width, **problem.options}
    best = best_score(problem.families(), knowledge=problem.knowledge, tree_width=width)
    with cut_short(case.draw) as (ending, limits):
        try:
            result = credenet.learn(problem.data, n_threads=1, **options, **limits)
        except CredenetError as error:
            check_refusal(error, is_feasible=best > -math.inf)
            return
    slack = problem.rounding(best)
    if ending is None and method in EXACT:
        assert result.status == ("infeasible" if best == -math.inf else "optimal")
    if result.status == "optimal":
        assert result.score is not None
        assert abs(result.score - best) <= slack, (result.score, best)
        assert result.bound == result.score
    if result.bound is not None and result.scope == "all" and best > -math.inf:
        assert result.bound >= best - slack, (result.bound, best)
    if result.has_network:
        assert result.score is not None
        assert result.score <= best + slack, (result.score, best)
        assert not problem.knowledge.violations(result.dag)
        check_width(result, width)
    verification = result.verify(problem.data)
    assert verification, str(verification)
    if ending is None:
        other = credenet.learn(problem.data, n_threads=2, **options)
        assert (other.graph, other.score, other.status) == (result.graph, result.score, result.status)


def check_width(result: LearnResult, width: int) -> None:
    """The claimed width is that of the elimination order, and no smaller than the true one."""
    true = tree_width(result.dag)
    assert result.tree_width is not None
    assert true <= result.tree_width <= width, (true, result.tree_width, width)
    assert result.decomposition is not None
    assert result.decomposition.covers(result.dag)
    assert result.elimination_order is not None
    places = [result.dag.variables.index(name) for name in result.elimination_order]
    cliques = brute.elimination_cliques(len(result.dag), brute.moral(len(result.dag), arcs_of(result.dag)), places)
    assert max(map(len, cliques)) - 1 <= result.tree_width


def tree_width(dag: DAG) -> int:
    return brute.tree_width(len(dag), brute.moral(len(dag), arcs_of(dag)))


CAMPAIGN = Campaign(attack)
