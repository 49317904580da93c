"""Intersection-validation of structure priors by one call of the library, and the part of it that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import credenet
from credenet import Dataset

from ..store import Cell
from .means import Mean


def validated(
    data: Dataset,
    candidates: Mapping[str, Mapping[str, Any]],
    *,
    fractions: Sequence[float],
    repetitions: int,
    seed: int,
    seconds: float,
    max_parents: int,
) -> Cell:
    """The agreed pairs and edges, and for each candidate, number of rows and subsample the partial Hamming distance."""
    result = credenet.validate(
        data,
        candidates,
        fractions=fractions,
        repetitions=repetitions,
        time_limit_each=seconds,
        n_threads=1,
        seed=seed,
        max_parents=max_parents,
    )
    assert result.agreement is not None
    return {
        "pairs": result.agreement.n_pairs,
        "agreed_edges": result.agreement.n_edges,
        "subsamples_seed": seed,
        "not_optimal": sum(each.status != "optimal" for each in result.distances),
        "not_optimal_on_all_rows": [name for name, each in result.learned.items() if each.status != "optimal"],
        "distances": [[each.candidate, each.n_rows, each.repetition, each.distance] for each in result.distances],
    }


def mean_distances(cell: Cell) -> dict[str, dict[int, Mean]]:
    """The mean distances by candidate and number of rows, smallest first."""
    values: dict[str, dict[int, list[float]]] = {}
    for candidate, rows, _, distance in cell["distances"]:
        values.setdefault(candidate, {}).setdefault(rows, []).append(distance)
    means = {name: {rows: Mean.of(some) for rows, some in sorted(by_size.items())} for name, by_size in values.items()}
    return {name: {rows: mean for rows, mean in some.items() if mean is not None} for name, some in means.items()}
