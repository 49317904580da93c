"""A remark on few rows under the uniform prior; its numbers come from benchmarks/reports/default_prior.md."""

from __future__ import annotations

FEW_ROWS = 100
"""Rows up to which a sparse prior predicted unseen rows better on many tables and worse on none."""
SPARSE_PRIOR = "prior='edge'"


def few_rows_remarks(
    score: str | None, prior: str | None, n_rows: float | None, instead: str = SPARSE_PRIOR
) -> list[str]:
    """A remark if BDeu (ess 1) with the uniform prior scored few rows; no remark in other cases."""
    if (score, prior) != ("bdeu", "uniform") or n_rows is None or not 0 < n_rows <= FEW_ROWS:
        return []
    found = "clearly better on 9 of 11 tables with 50 rows and on 5 of 10 with 100, and clearly worse on none"
    return [
        f"{n_rows:,.6g} rows are few for {score} with the uniform prior: {instead} predicted unseen rows {found} "
        "(docs/guide/scores.md)"
    ]
