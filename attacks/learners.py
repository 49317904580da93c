"""Every score-based method on small problems, against the best of all networks.

The optimum must be the optimum, a bound must hold wherever a search was ended, knowledge must be obeyed, and one thread
must give what two give.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

import credenet
from attacks.campaign import Campaign, Case
from attacks.problems import Problem, check_refusal, cut_short, problems
from credenet import CredenetError, Knowledge, LearnResult
from credenet.errors import KnowledgeError
from credenet.search.support import check_supported
from credenet.settings.methods import METHODS
from slow_learning import best_score

EXACT = ("auto", "dp", "dp(layered=true)", "astar", "astar(heuristic=simple)", "bfbnb", "ilp", "ara_star", "awa_star")
OTHERS = ("weighted_astar", "order_search", "hill_climb", "tabu", "chow_liu", "mmhc")


def attack(case: Case) -> None:
    problem = case.draw(problems(of_networks=True))
    method = case.draw(st.sampled_from([name for name in EXACT + OTHERS if can_honour(name, problem.knowledge)]))
    options: dict[str, Any] = {"method": method, **problem.options}
    best = best_score(problem.families(), knowledge=problem.knowledge)
    with cut_short(case.draw) as (ending, limits):
        try:
            result = credenet.learn(problem.data, n_threads=1, **options, **limits)
        except CredenetError as error:
            check_refusal(error, is_feasible=best > -math.inf)
            return
    check_claims(result, best, problem, is_exact=method in EXACT and ending is None)
    assert result.status in (ending, "optimal", "complete", "local_optimum", "infeasible", "iteration_limit")
    if ending is None:
        other = credenet.learn(problem.data, n_threads=2, **options)
        assert (other.graph, other.score, other.status) == (result.graph, result.score, result.status)
        assert other.bound == result.bound


def can_honour(method: str, knowledge: Knowledge) -> bool:
    """Whether a method takes all rules; chow_liu finds trees, which obey few."""
    if method == "chow_liu" and knowledge != Knowledge():
        return False
    try:
        check_supported(knowledge, METHODS.get(method))
    except KnowledgeError:
        return False
    return True


def check_claims(result: LearnResult, best: float, problem: Problem, *, is_exact: bool) -> None:
    """Checks that score and bound enclose the best of all networks, however the search ended."""
    slack = problem.rounding(best)
    assert best == -math.inf or result.status != "infeasible", f"a network scores {best}"
    assert best > -math.inf or result.score is None, f"no network obeys the knowledge; found {result.dag}"
    if is_exact:
        assert result.status == ("infeasible" if best == -math.inf else "optimal")
    if result.has_network and result.score is not None:
        assert not problem.knowledge.violations(result.dag)
        assert result.score <= best + slack, f"score {result.score} is above the optimum {best}"
        own = credenet.score(problem.data, result.dag, score=problem.score, prior=problem.prior, states=problem.states)
        assert abs(own.total - result.score) <= slack
    if result.status == "optimal":
        assert result.score is not None
        assert abs(result.score - best) <= slack, (result.score, best)
        assert result.bound == result.score
    if result.bound is not None and result.scope == "all" and best > -math.inf:
        assert result.bound >= best - slack, f"bound {result.bound} is below the optimum {best}"
    verification = result.verify(problem.data)
    assert verification, str(verification)


CAMPAIGN = Campaign(attack)
