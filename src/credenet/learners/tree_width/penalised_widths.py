"""Networks of bounded tree-width under a prior on whole networks, such as `SSP`.

There are searches for networks of bounded tree-width within each in-degree, or under several priors on single edges;
see `ssp`. The best network of each search is judged by its score under the prior.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.learners.tree_width.bounded_task import BoundedResult, BoundedTask, as_search_result
from credenet.search.components import SearchResult
from credenet.search.nested.ssp import search_with_penalty
from credenet.settings.priors import SSP

_EDGE_SEARCHES = 4  # Searches that share the time left, when a search for a prior by edges begins.


def search_in_degrees(task: BoundedTask, prior: SSP, search: Callable[[BoundedTask], BoundedResult]) -> BoundedResult:
    """The best network of several searches, by the score with the prior."""
    modular = replace(task.problem, prior=prior.modular_part())
    searches: dict[DAG, BoundedResult] = {}

    def search_within(families: FamilyTable) -> SearchResult:
        run = task.run
        number = _EDGE_SEARCHES if prior.complexity == "edges" else int(families.flat().sizes.max(initial=0)) + 1
        if run.clock.time_limit is not None:
            run = run.end_within(share=1 / number)  # Each further search may take as long.
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
    within = "under priors on single edges" if prior.complexity == "edges" else "within each largest in-degree"
    reason = f"searches {within}; {chosen.reason}".removesuffix("; ")
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
