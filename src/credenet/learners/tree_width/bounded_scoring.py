"""Scores the families that a network of bounded tree-width can have, in a share of the time.

A variable of such a network has at most as many parents as the tree-width. If a share of the time suffices, all these
parent sets are scored; otherwise the most promising ones are, best first. With few variables, larger sets are scored,
too, if a method also needs the best network of any tree-width.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from credenet._run.run import Run
from credenet._text import count
from credenet.families.nested_penalties import penalty_rise
from credenet.families.scoring.calls import score_families
from credenet.families.scoring.child_rules import child_rules, n_families
from credenet.families.scoring.core_scoring import check_scorable
from credenet.families.scoring.scoring_budget import ScoringBudget
from credenet.families.table import FamilyTable
from credenet.learners.problem import LearningProblem

_SHARE = 1 / 4  # Share of the time left at which scoring ends.
_WHOLE_SHARE = 1 / 40  # Share of the work left that scoring all families may take by estimate, as many slow the search.
_WHOLE_SECONDS = 1.0  # Estimated seconds that scoring all families may take without a time limit.
_FEW = 200_000  # Families of all sizes that are always scored, as so few take a moment.


class ScoredFamilies(NamedTuple):
    """The families to search, the seconds of scoring, and a sentence that says which families were left out.

    All families of at most ``all_up_to`` parents beyond those required were scored; None if that is not known.
    """

    table: FamilyTable
    seconds: float = 0.0
    reason: str = ""
    all_up_to: int | None = None


def score_bounded(problem: LearningProblem, width: int, run: Run, *, any_width: bool = False) -> ScoredFamilies:
    """The given table, or the scored families of the data with at most ``width`` parents."""
    if isinstance(problem.source, FamilyTable):
        return ScoredFamilies(problem.source)
    start = run.clock.seconds_passed
    data, (score, whole_prior) = problem.data, problem.scoring
    prior = whole_prior.modular_part()
    check_scorable(data)
    limited = run.clock.time_limit is not None
    budget = ScoringBudget.from_share(run, data, share=_WHOLE_SHARE, seconds=_WHOLE_SECONDS)
    candidates = None if problem.cliques is None else _neighbours(problem)
    most = problem.max_parents
    number = n_families(child_rules(data, prior, problem.knowledge, most, candidates))
    if not any_width or number > _FEW:
        most = width if most is None else min(width, most)
        number = n_families(child_rules(data, prior, problem.knowledge, most, candidates))
    slack = penalty_rise(whole_prior, data.n_variables, most)
    options: dict[str, Any] = {"slack": slack} if slack > 0 else {}
    reason, limit = "", most
    if most is not None and not budget.can_score(number):
        if not score.has_best_first:
            most = _affordable(problem, most, candidates, budget)
            reason = f"families of at most {count(most, 'parent')} were scored"
        else:
            options["search"] = "best_first"
            if not limited:
                options["max_families"] = max(int(budget.n_best_first) // data.n_variables, 1)
            reason = f"of {number:,} families of at most {count(most, 'parent')}, the most promising ones were scored"
    table = score_families(
        data,
        score=score,
        prior=prior,
        knowledge=problem.knowledge,
        max_parents=most,
        states=problem.scored_states,
        candidates=candidates,
        time_limit=run.clock.limit(_SHARE),
        memory_limit=run.memory,
        n_threads=run.n_threads,
        on_progress=run.inner_progress,
        **options,
    )
    if candidates is not None and table.made.status == "complete":  # No other family lies within a clique.
        table = table.with_info(replace(table.made, complete=True))
    is_partial = most != limit or not table.made.complete
    all_up_to = None if "search" in options and not table.made.complete else table.made.max_parents
    return ScoredFamilies(table, run.clock.seconds_passed - start, reason if is_partial else "", all_up_to)


def _neighbours(problem: LearningProblem) -> dict[str, list[str]]:
    """For each variable the others that share a clique with it."""
    assert problem.cliques is not None
    found: dict[str, dict[str, None]] = {name: {} for name in problem.data.variables}
    for bag in problem.cliques.bags:
        for name in bag:
            found[name].update(dict.fromkeys(other for other in bag if other != name))
    return {name: list(others) for name, others in found.items()}


def _affordable(
    problem: LearningProblem, most: int, candidates: dict[str, list[str]] | None, budget: ScoringBudget
) -> int:
    """The largest number of parents whose families the budget can score, at least 1."""
    prior = problem.scoring[1].modular_part()

    def number(parents: int) -> int:
        return n_families(child_rules(problem.data, prior, problem.knowledge, parents, candidates))

    while most > 1 and not budget.can_score(number(most)):
        most -= 1
    return most
