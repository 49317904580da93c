"""The best network under a prior that depends on the tree-width: all networks of a few variables are compared."""

from __future__ import annotations

import math

import numpy as np

from credenet.families.few_networks import list_dags
from credenet.families.nested_penalties import check_slack, log_penalties
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.knowledge.knowledge import Knowledge
from credenet.search.components import INFEASIBLE, SearchResult
from credenet.settings.priors import SSP


def compare_networks(families: FamilyTable, prior: SSP, knowledge: Knowledge | None) -> SearchResult:
    """The network with the best penalised score of all networks that obey the knowledge."""
    names, flat = families.variables, families.flat()
    n = len(names)
    dags = list_dags(n)
    position = np.full((n, 1 << n), -1, dtype=np.int64)
    for at, child in enumerate(flat.children.tolist()):
        position[child, sum(1 << parent for parent in flat.parents_of(at))] = at
    choices = position[np.arange(n), dags.parents]
    rows = np.flatnonzero((choices >= 0).all(axis=1))
    scores = flat.scores[choices[rows]].sum(axis=1)
    penalties = log_penalties(prior, n, max(n - 1, 0))
    penalised = scores + penalties[dags.tree_widths[rows]]
    for place in np.argsort(-penalised, kind="stable").tolist():
        choice = choices[rows[place]]
        dag = DAG.from_indices(names, [flat.parents_of(at) for at in choice.tolist()])
        if not math.isfinite(penalised[place]) or (knowledge is not None and knowledge.violations(dag)):
            continue
        score = math.fsum([*flat.scores[choice].tolist(), penalties[dags.tree_widths[rows[place]]]])
        if prior.may_favour_parents:
            rises = penalties - np.minimum.accumulate(penalties)
            needed = float(np.minimum(scores.max() + penalties - score, rises).max())
            check_slack(families.made.slack, needed, tolerance(score), f"{prior} may favour a larger tree-width")
        return SearchResult(
            choice=choice, score=score, bound=score, status="optimal", components=(n,), expanded=len(rows)
        )
    return INFEASIBLE
