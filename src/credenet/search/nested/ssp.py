"""Search space penalisation: the best network by its score less the log of a number of DAGs.

For the number of edges see `edge_penalties`. For the largest in-degree there is one optimisation for each in-degree d.
If the best network with at most d parents has largest in-degree d' < d, it is also the best for d', and networks with
d' + 1 … d parents score no better. Without `exclusive`, smaller in-degrees weigh more, so no in-degree between d' and d
needs a search. With `exclusive`, a larger in-degree may weigh more. Then the best network of exactly that in-degree is
searched for, too: each variable in turn is made to have so many parents, unless even the best score could not win.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credenet._text import count
from credenet.families.nested_penalties import check_slack, log_penalty, penalty_rise
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.search.components import SearchResult
from credenet.search.nested.edge_penalties import search_with_edge_penalty
from credenet.settings.priors import SSP

Search = Callable[[FamilyTable], SearchResult]


def search_with_penalty(families: FamilyTable, prior: SSP, search: Search) -> SearchResult:
    """The network with the best penalised score, and a bound on the penalised score of all networks."""
    if prior.complexity == "edges":
        return search_with_edge_penalty(families, prior, search)
    return _search_in_degrees(families, prior, search)


def _search_in_degrees(families: FamilyTable, prior: SSP, search: Search) -> SearchResult:
    sizes = families.flat().sizes
    runs: list[tuple[int, SearchResult]] = []
    d = int(sizes.max(initial=0))
    while d >= 0:
        result = _search_kept(families, sizes <= d, search)
        if result.status == "infeasible":
            break
        runs.append((d, result))
        d = (_in_degree(families, result) if result.status == "optimal" else d) - 1
    if not runs:
        return result
    best = _best([_add_prior(families, prior, result, d) for d, result in runs])
    return _exclusive(families, prior, search, best, runs) if prior.may_favour_parents else best


def _exclusive(
    families: FamilyTable, prior: SSP, search: Search, best: SearchResult, runs: list[tuple[int, SearchResult]]
) -> SearchResult:
    """The better of ``best`` and the best networks of the in-degrees that no run ended with."""
    n = len(families.variables)
    sizes, children = families.flat().sizes, families.flat().children
    reached = {_in_degree(families, result) for _, result in runs if result.choice is not None}
    most = families.made.max_parents if families.made.complete else None
    largest = n - 1 if most is None else min(most, n - 1)
    # A bound within a larger in-degree holds within a smaller one, too.
    highest = {d: min(result.bound for limit, result in runs if limit >= min(d, runs[0][0])) for d in range(n)}
    possible = {d: highest[d] + log_penalty(prior, n, d) for d in range(largest + 1) if d not in reached}
    worth = [d for d in possible if possible[d] > best.score]
    needed = {d: min(possible[d] - best.score, penalty_rise(prior, n, most)) for d in worth}
    if needed:
        d = max(needed, key=needed.__getitem__)
        reason = f"{prior} may favour a network with {count(d, 'parent')}"
        check_slack(families.made.slack, needed[d], tolerance(best.score), reason)
    for d in worth:
        if possible[d] <= best.score:  # A network found meanwhile is better.
            continue
        for variable in range(n):
            result = _search_kept(families, (sizes <= d) & ((sizes == d) | (children != variable)), search)
            if result.choice is not None:
                best = _best([best, _add_prior(families, prior, result, d)])
    return best


def _search_kept(families: FamilyTable, keep: NDArray[np.bool_], search: Search) -> SearchResult:
    """Searches among the families in ``keep``; the choice has positions in the whole table."""
    result = search(families.filter(keep))
    if result.choice is None:
        return result
    return replace(result, choice=np.flatnonzero(keep)[result.choice])


def _in_degree(families: FamilyTable, result: SearchResult) -> int:
    assert result.choice is not None
    return int(families.flat().sizes[result.choice].max(initial=0))


def _add_prior(families: FamilyTable, prior: SSP, result: SearchResult, d: int) -> SearchResult:
    """Adds the prior of the found network to its score, and that of networks with d parents to the bound."""
    n = len(families.variables)
    bound = result.bound + log_penalty(prior, n, d)
    if result.choice is None:
        return replace(result, bound=bound)
    score = result.score + log_penalty(prior, n, _in_degree(families, result))
    return replace(result, score=score, bound=score if result.status == "optimal" else max(bound, score))


def _best(runs: list[SearchResult]) -> SearchResult:
    """The best of several runs, proven only if the bounds of all runs prove it."""
    best = max(runs, key=lambda run: run.score)
    unsure = [run for run in runs if run.status != "optimal" and run.bound > best.score]
    return replace(
        best,
        bound=max([best.score, *(run.bound for run in runs if run.status != "optimal")]),
        status=unsure[0].status if unsure else best.status,
        expanded=sum(run.expanded for run in runs),
        generated=sum(run.generated for run in runs),
        peak_bytes=max(run.peak_bytes for run in runs),
        trace=(),
        proofs=(),
    )
