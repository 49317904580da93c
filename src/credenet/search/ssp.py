"""Search space penalisation: one optimisation for each largest in-degree d, less the log of how many DAGs that allows.

Where the best network of at most d parents has d' < d, it is the best for d' as well, and those of d' + 1 … d parents
score no better. Without `exclusive`, smaller in-degrees weigh more, so nothing is to be sought between d' and d. With
it, a larger in-degree may weigh more than a smaller one; then the best network of just so many parents is sought too,
with one variable after the other made to have them, unless even the best score of all could not make it win.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credenet._text import count
from credenet.errors import ArgumentError
from credenet.families.structure_priors import log_penalty
from credenet.families.table import FamilyTable
from credenet.search.components import Found
from credenet.settings.priors import SSP

Search = Callable[[FamilyTable], Found]


class SlackError(ArgumentError):
    """Families were pruned that the prior may favour; ``slack`` would have kept them."""

    def __init__(self, message: str, slack: float) -> None:
        super().__init__(message)
        self.slack = slack


def search_with_ssp(families: FamilyTable, prior: SSP, search: Search) -> Found:
    """The best network after the penalty, and a bound on all."""
    sizes = families.flat().sizes
    runs: list[tuple[int, Found]] = []
    d = int(sizes.max(initial=0))
    while d >= 0:
        found = _searched(families, sizes <= d, search)
        if found.status == "infeasible":
            break
        runs.append((d, found))
        d = (_in_degree(families, found) if found.status == "optimal" else d) - 1
    if not runs:
        return found
    best = _best([_penalised(families, prior, found, d) for d, found in runs])
    return _exclusive(families, prior, search, best, runs) if prior.exclusive else best


def _exclusive(families: FamilyTable, prior: SSP, search: Search, best: Found, runs: list[tuple[int, Found]]) -> Found:
    """The better of what was found and the best networks of those in-degrees that no run ended with."""
    n = len(families.variables)
    sizes, children = families.flat().sizes, families.flat().children
    highest = max(found.bound for _, found in runs)
    reached = {_in_degree(families, found) for _, found in runs if found.choice is not None}
    for d in range(n):
        possible = highest + log_penalty(prior, n, d)
        if d in reached or possible <= best.score:
            continue
        slack = families.made.slack
        if slack is None or slack < possible - best.score:
            needed = possible - best.score
            raise SlackError(
                f"SSP(exclusive=True) may favour a network with {count(d, 'parent')} although fewer score better; "
                f"that needs families with a slack of at least {needed:.3g}; the table has "
                f"{'an unknown one' if slack is None else f'{slack:.3g}'}",
                needed,
            )
        for variable in range(n):
            found = _searched(families, (sizes <= d) & ((sizes == d) | (children != variable)), search)
            if found.choice is not None:
                best = _best([best, _penalised(families, prior, found, d)])
    return best


def _searched(families: FamilyTable, keep: NDArray[np.bool_], search: Search) -> Found:
    """A search among some families, with those it chose by their positions in the whole table."""
    found = search(families.filter(keep))
    if found.choice is None:
        return found
    return replace(found, choice=np.flatnonzero(keep)[found.choice])


def _in_degree(families: FamilyTable, found: Found) -> int:
    assert found.choice is not None
    return int(families.flat().sizes[found.choice].max(initial=0))


def _penalised(families: FamilyTable, prior: SSP, found: Found, d: int) -> Found:
    """With the prior of the network in its score, and that of networks of d parents in the bound."""
    n = len(families.variables)
    bound = found.bound + log_penalty(prior, n, d)
    if found.choice is None:
        return replace(found, bound=bound)
    score = found.score + log_penalty(prior, n, _in_degree(families, found))
    return replace(found, score=score, bound=score if found.status == "optimal" else max(bound, score))


def _best(runs: list[Found]) -> Found:
    """The best of several runs, as sure as all of them are."""
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
