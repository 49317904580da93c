"""Which credible sets of the two tables are not complete, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ..store import Cell, Store

SCORES = {"bic": "BIC", "bdeu": "BDeu"}


def incomplete_sets(cells: Iterable[Cell]) -> str | None:
    """A sentence that names data, factor, score and limit on parents of each set that is not complete."""
    factors: dict[tuple[str, str, int | None], list[int]] = {}
    for cell in cells:
        if "factor" in cell and not cell["complete"]:
            factors.setdefault((cell["score"], cell["data"], cell.get("max_parents")), []).append(cell["factor"])
    if not factors:
        return None
    by_score: dict[str, list[str]] = {}
    for (score, data, most), several in factors.items():
        limit = "" if most is None else f", at most {most} parents,"
        by_score.setdefault(score, []).append(f"{data}{limit} at {' and '.join(map(str, sorted(several)))}")
    told = "; ".join(f"by {SCORES[score]} {', '.join(names)}" for score, names in by_score.items())
    return f"Not all credible sets are complete within our limits of time and memory: {told}."


def incomplete_aims(store: Store) -> list[str]:
    told = incomplete_sets(store.cells.values())
    return [] if told is None else [told]
