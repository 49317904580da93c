"""The number of DAGs, and the distribution of the number of parents under a structure prior.

The weight of a DAG is the product of w(s) over its variables, s the number of parents. By inclusion and exclusion over
the sets of sinks, with S_t = sum_s binom(t, s) w(s) the weight of one variable over t possible parents,

    Z_n = sum_{t<n} (-1)^(n-t-1) binom(n, t) S_t^(n-t) Z_t

is the total weight of the DAGs on n variables (Robinson 1973; Eggeling et al. 2019). For one marked variable v, either
v is among the chosen sinks, with parents among the t remaining variables, or it is one of these:

    T_n(r) = sum_t (-1)^(n-t-1) [ binom(n-1, t) S_t^(n-t-1) Z_t binom(t, r) w(r)  +  binom(n-1, t-1) S_t^(n-t) T_t(r) ]

is the weight of the DAGs in which v has r parents. It is linear in the T_t(r) with the same coefficients for every r,
so for one n the adjoint recurrence gives all r at once: O(n^2) operations instead of O(n^3).
"""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from credenet._advised import check_keywords
from credenet._arguments import real_number, whole_number
from credenet.errors import ArgumentError
from credenet.settings.priors import (
    PRIORS,
    DataPrior,
    Edge,
    Fact,
    Fair,
    InDegreeWeights,
    Prior,
    Uniform,
)

_MOST_VARIABLES = 4096  # Variables at most, as in a family table; their number of DAGs has 2.5 million digits.

_Symmetric = Uniform | Edge | Fair | DataPrior | InDegreeWeights | Fact


@check_keywords
def count_dags(n_variables: int, max_parents: int | None = None) -> int:
    """The number of labelled DAGs on ``n_variables`` variables, each with at most ``max_parents`` parents if given.

    Examples
    --------
    >>> [count_dags(n) for n in range(6)]
    [1, 1, 3, 25, 543, 29281]
    >>> count_dags(3, max_parents=1)
    16
    """
    n = _check_number(n_variables, max_parents, least=0)
    limit = n if max_parents is None else max_parents
    totals = [1]
    # odds[t] * 2^twos[t] is binom(m, t) S_t^(m-t) Z_t; small factors alone lead from m to m + 1. Without a limit on
    # parents S_t is 2^t, so keeping powers of two apart turns the products into shifts.
    odds: list[int] = []
    twos: list[int] = []
    factors: list[tuple[int, int]] = []
    for m in range(1, n + 1):
        t = m - 1
        subsets = sum(math.comb(t, s) for s in range(min(t, limit) + 1))
        power = (subsets & -subsets).bit_length() - 1
        factors.append((subsets >> power, power))
        odds.append(totals[t])
        twos.append(0)
        total = 0
        for place, (odd, power) in enumerate(factors):
            odds[place] = odds[place] * (m * odd) // (m - place)
            twos[place] += power
            term = odds[place] << twos[place]
            total = total + term if (m - place) % 2 else total - term
        totals.append(total)
    return totals[n]


@check_keywords
def in_degree_distribution(
    prior: Prior | str, n_variables: int, n_rows: float | None = None, max_parents: int | None = None
) -> NDArray[np.float64]:
    """The probability that a variable has 0, 1, … parents in a DAG drawn from the prior.

    The sums alternate in sign. They are computed with 30 decimal digits and one more for every four variables, and
    again with twice as many, until two results agree to 13 digits.

    Parameters
    ----------
    prior
        A prior whose weight depends only on the numbers of parents, in the same way for every variable.
    n_rows
        The number of rows, which `DataPrior` needs.
    max_parents
        No variable has more parents; by default there is no limit.

    Examples
    --------
    >>> in_degree_distribution("uniform", 2)
    array([0.66666667, 0.33333333])
    """
    symmetric = PRIORS.get(prior)
    if not isinstance(symmetric, _Symmetric):
        raise ArgumentError(
            f"{type(symmetric).__name__} is no prior with one weight for each number of parents, the same for every "
            "variable; use Uniform, Edge, Fair, DataPrior, InDegreeWeights or Fact"
        )
    n = _check_number(n_variables, max_parents, least=1)
    largest = n - 1 if max_parents is None else min(n - 1, max_parents)
    if isinstance(symmetric, InDegreeWeights):
        largest = min(largest, len(symmetric.weights) - 1)
    if isinstance(symmetric, DataPrior):
        if n_rows is None:
            raise ArgumentError("n_rows must be given for DataPrior")
        log_of_rows(n_rows)
    digits = n // 4 + 30
    earlier: NDArray[np.float64] | None = None
    while True:
        context = decimal.Context(prec=digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[])
        with decimal.localcontext(context):
            distribution = _distribution(_weights(symmetric, n, n_rows, largest), n)
        if (
            earlier is not None
            and np.allclose(distribution, earlier, rtol=1e-13, atol=0)
            and abs(distribution.sum() - 1) < 1e-12
        ):
            return distribution
        earlier, digits = distribution, 2 * digits


def log_of_rows(n_rows: float) -> float:
    """The natural log of the number of rows, which must be at least 1."""
    return math.log(real_number("n_rows", n_rows, least=1))


def _weights(prior: _Symmetric, n: int, n_rows: float | None, largest: int) -> list[Decimal]:
    sizes = range(largest + 1)
    match prior:
        case Uniform():
            return [Decimal(1)] * (largest + 1)
        case Edge(beta):
            return [Decimal(beta) ** size for size in sizes]
        case Fair():
            return [1 / Decimal(math.comb(n - 1, size)) for size in sizes]
        case DataPrior(tau):
            log_rows = Decimal(n_rows or 1).ln()
            return [(-((1 + Decimal(tau)) ** size) * log_rows).exp() for size in sizes]
        case InDegreeWeights(weights):
            return [Decimal(weight) for weight in weights[: largest + 1]]
        case Fact():
            return [Decimal(math.factorial(size)) for size in sizes]


def _distribution(weights: list[Decimal], n: int) -> NDArray[np.float64]:
    """The probability of r parents of one variable, r = 0, 1, …, in the precision of the current decimal context.

    Division by factorials removes the binomials: z_t = Z_t / t!, and y_m = (m-1)! times the
    coefficient with which T_m enters T_n. Then T_n(r) = w(r) sum_t binom(t, r) g_t.
    """
    sums = _subset_weights(weights, n)
    inverses = [Decimal(0), *(1 / Decimal(k) for k in range(1, n + 1))]
    z = [Decimal(1)]
    powers: list[Decimal] = []  # powers[t] is S_t^(m-t) / (m-t)! z_t.
    for m in range(1, n + 1):
        powers.append(z[-1])
        total = Decimal(0)
        for t in range(m):
            powers[t] = powers[t] * sums[t] * inverses[m - t]
            total = total + powers[t] if (m - t) % 2 else total - powers[t]
        z.append(total)
    y = [Decimal(0)] * (n + 1)
    y[n] = Decimal(math.factorial(n - 1))
    g = [Decimal(0)] * n
    for t in range(n - 1, -1, -1):
        power = Decimal(1)  # power is S_t^k / k!.
        marked = Decimal(0)
        later = Decimal(0)
        for k in range(n - t):
            term = power * y[t + 1 + k]
            marked = marked - term if k % 2 else marked + term
            power = power * sums[t] * inverses[k + 1]
            term = power * y[t + 1 + k]
            later = later - term if k % 2 else later + term
        y[t] = later
        g[t] = z[t] * marked
    for start in range(len(weights)):  # Each pass shifts the polynomial with the coefficients g by one.
        for at in range(n - 2, start - 1, -1):
            g[at] += g[at + 1]
    whole = z[n] * math.factorial(n)
    return np.array([float(weight * total / whole) for weight, total in zip(weights, g, strict=False)])


def _subset_weights(weights: list[Decimal], n: int) -> list[Decimal]:
    """The sums S_0 … S_(n-1), by n rounds of adding neighbours (Pascal's rule)."""
    row = list(weights)
    sums = []
    for _ in range(n):
        sums.append(row[0])
        row = [*(a + b for a, b in pairwise(row)), row[-1]]
    return sums


def _check_number(n_variables: int, max_parents: int | None, *, least: int) -> int:
    if max_parents is not None:
        whole_number("max_parents", max_parents)
    return whole_number("n_variables", n_variables, least=least, most=_MOST_VARIABLES)
