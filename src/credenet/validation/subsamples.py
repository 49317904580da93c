"""Subsamples of the rows, drawn without replacement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from credenet._arguments import list_values, real_number
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, DataError

_MOST_WEIGHT = 10**9 - 1  # Largest weight that numpy's generator takes.


def check_rows(data: Dataset) -> None:
    """Raises an error for data that cannot be subsampled or learned from."""
    if data.n_variables < 2:
        raise DataError(f"validation needs at least two variables, got {data.n_variables}")
    data.check_complete("validation needs")
    if data.weights is None:
        return
    if not np.array_equal(data.weights, np.rint(data.weights)):
        raise DataError(
            "validation draws rows without replacement, so weights must be whole numbers: how often a row occurs; "
            "leave the weights out, or round them"
        )
    if data.total_weight > _MOST_WEIGHT:
        raise DataError(
            f"validation draws from at most {_MOST_WEIGHT:,} rows, the weights sum to {data.total_weight:,.0f}"
        )


def sample_sizes(fractions: Any, data: Dataset) -> dict[int, float]:
    """The fraction for each number of rows, the largest first."""
    total = round(data.total_weight)
    sizes: dict[int, float] = {}
    for value in list_values("fractions", fractions, "numbers"):
        fraction = real_number("fractions", value, above=0, below=1)
        n_rows = round(fraction * total)
        if not 0 < n_rows < total:
            raise ArgumentError(
                f"fractions: {fraction:g} of {total:,} rows is {'no row' if n_rows == 0 else 'all rows'}"
            )
        if n_rows in sizes:
            same = f"{sizes[n_rows]:g} and {fraction:g} both give {n_rows:,}"
            raise ArgumentError(f"fractions must give different numbers of rows, but {same}")
        sizes[n_rows] = fraction
    if not sizes:
        raise ArgumentError("fractions must have at least one number, such as 1/2")
    return dict(sorted(sizes.items(), reverse=True))


def subsample(data: Dataset, n_rows: int, seed: Sequence[int]) -> Dataset:
    """A sample of ``n_rows`` rows without replacement; a row of weight w counts as w equal rows."""
    generator = np.random.default_rng(seed)
    if data.weights is None:
        return data.take(np.sort(generator.choice(len(data), n_rows, replace=False)))
    drawn = generator.multivariate_hypergeometric(data.weights.astype(np.int64), n_rows, method="marginals")
    kept = np.flatnonzero(drawn)
    return Dataset(data.states, data.codes[kept], weights=drawn[kept].astype(np.float64), cuts=data.cuts)
