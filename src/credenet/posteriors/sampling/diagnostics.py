"""Diagnostics of Markov chains: R-hat, standard errors and effective sizes.

R-hat is the split R-hat of Gelman et al. (Bayesian Data Analysis, 3rd edition), without rank normalisation: each
chain is cut into halves, and the variance of all draws is compared with that within the halves. It is computed from
means and variances, as the draws themselves are not kept. The effective size is found from batch means (Flegal, Haran
and Jones 2008): means of long batches of draws are nearly independent, so their variance shows the error of the
total mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_MUCH_LARGER = 2  # Factor of errors that seven degrees of freedom exceed by chance once in 3,000 times.
_ROUNDING = 1e-24  # Variance below which probabilities are equal up to rounding.


def rhat(means: Floats, variances: Floats, n_draws: float) -> Floats:
    """R-hat from the means and variances of ``n_draws`` draws in each half chain; half chains are the first axis.

    It is 1 if nothing varies, and infinite if half chains differ but do not vary.

    Examples
    --------
    >>> rhat(np.array([[0.0], [1.0]]), np.array([[1.0], [1.0]]), 100)
    array([1.22065556])
    """
    within, between = variances.mean(axis=0), means.var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(between > 0, between / within, 0.0)
    result: Floats = np.sqrt(np.where(within > 0, (n_draws - 1) / n_draws, 1.0) + ratio)
    return result


def standard_error(batch_means: Floats) -> Floats:
    """The standard error of the mean of all draws, from the means of equal batches (chains x batches x quantities).

    Batches of chains that move about are nearly independent. Where half chains differ far more than batches tell, only
    the half chains count as independent. So chains that disagree have a large error.
    """
    flat = np.concatenate(list(batch_means))
    by_batches: Floats = np.sqrt(flat.var(axis=0, ddof=1) / len(flat))
    n_half = batch_means.shape[1] // 2
    if n_half == 0:
        return by_batches
    halves = np.concatenate((batch_means[:, :n_half].mean(axis=1), batch_means[:, -n_half:].mean(axis=1)))
    by_halves: Floats = np.sqrt(halves.var(axis=0, ddof=1) / len(halves))
    return np.where(by_halves > _MUCH_LARGER * by_batches, by_halves, by_batches)


def effective_size(variances: Floats, batch_means: Floats) -> Floats:
    """The number of independent draws with the same standard error; NaN if nothing varies.

    ``variances`` are those of the draws of each half chain, ``batch_means`` as for `standard_error`.
    """
    within = variances.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Floats = np.where(within > _ROUNDING, within / standard_error(batch_means) ** 2, np.nan)
    return result
