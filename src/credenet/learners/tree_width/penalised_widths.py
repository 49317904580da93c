"""Networks of bounded tree-width under a prior on whole networks, such as `SSP`.

The prior depends on the largest in-degree. The networks of bounded tree-width within each in-degree are searched, and
the best of each search is judged by its score with the penalty of its own in-degree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.learners.tree_width.bounded_task import BoundedResult, BoundedTask, as_search_result
from credenet.search.components import SearchResult
from credenet.search.ssp import search_with_penalty
from credenet.settings.priors import Prior


def search_in_degrees(task: BoundedTask, prior: Prior, search: Callable[[BoundedTask], BoundedResult]) -> BoundedResult:
    """The best network of searches among the families within each in-degree, by the score with the prior."""
    modular = replace(task.problem, prior=prior.modular_part())
    searches: dict[DAG, BoundedResult] = {}

    def search_within(families: FamilyTable) -> SearchResult:
        run, number = task.run, int(families.flat().sizes.max(initial=0)) + 1
        if run.clock.time_limit is not None:
            run = run.end_within(share=1 / number)  # Each smaller in-degree may need a search as long.
        inner = replace(task, families=families, problem=modular, run=run)
        bounded = search(inner)
        if bounded.choice is not None:
            searches.setdefault(inner.dag(bounded.choice), bounded)
        return as_search_result(bounded, run)

    best = search_with_penalty(task.families, prior, search_within)
    status = task.run.status_of(best.status)
    if best.choice is None:
        return BoundedResult(choice=None, score=-math.inf, bound=best.bound, status=status)
    chosen = searches[task.dag(best.choice)]
    reason = f"searches within each largest in-degree; {chosen.reason}".removesuffix("; ")
    return BoundedResult(
        choice=best.choice,
        score=best.score,
        bound=best.bound,
        status=status,
        decomposition=chosen.decomposition,
        reason=reason,
        expanded=best.expanded,
        generated=best.generated,
        peak_bytes=best.peak_bytes,
    )
