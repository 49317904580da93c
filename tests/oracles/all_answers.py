"""The answers of the learners about some data, to be compared with == between places that count tables."""

from __future__ import annotations

from typing import Any

import credenet
from credenet import Dataset, LearnResult

METHODS = ("pc", "rai", "mmhc", "hill_climb(restarts=1)", "tabu(restarts=0)", "chow_liu", "auto")


def all_answers(data: Dataset, **options: Any) -> dict[str, Any]:
    """Families, graphs, tests and scores; ``options`` are those of `learn`."""
    return {
        **{method: _parts(credenet.learn(data, method=method, seed=1, **options)) for method in METHODS},
        "k2": families_of(data, score="k2", max_parents=3),
        "bdeu": families_of(data, score="bdeu", max_parents=2, states="observed"),
        "bic": families_of(data, score="bic", slack=1.0, max_parents=3),
        "best first": families_of(data, search="best_first", max_families=20),
    }


def families_of(data: Dataset, **options: Any) -> list[Any]:
    """All families that are kept, with their scores."""
    table = credenet.score_families(data, **options)
    return [list(table.families(name)) for name in table.variables]


def _parts(result: LearnResult) -> tuple[Any, ...]:
    return result.graph, result.score, result.status, dict(result.statistics.tests), result.strengths, result.remarks
