"""The log of the number of DAGs of bounded in-degree, for many variables, without the number itself.

The generation of a variable is the length of the longest path that ends in it. Let S_t be the number of sets of at
most d of t variables. A variable of the last generation has a parent in the generation before, so with A(m, k) the
number of DAGs on m variables whose last generation has k variables,

    A(m, k) = binom(m, k) sum_j (S_(m-k) - S_(m-k-j))^k A(m-k, j),    A(m, m) = 1.

All terms are positive, so their logs keep the precision of doubles: the relative error of the log is below 1e-12 in all
comparisons with exact numbers. (The sum over sinks in `count_dags` alternates in sign and takes exact whole numbers: 10
seconds for 2,000 variables of at most 2 parents each.) Large generations are very rare unless variables have at most
one parent, for which there is a formula. So k and j end at a largest generation. What is left out makes the sum
smaller; the largest generation is doubled until the log stays the same. That takes n K^2 steps for generations of at
most K variables, mostly 64.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_FIRST = 32  # Variables of the largest generation at first.
_EXACT = 1 << 53  # Whole numbers below this are exact as doubles.
_SAME = 1e-14  # Relative difference of two logs up to which no larger generation matters.


def log_count_dags(n_variables: int, max_parents: int) -> float:
    """The natural log of the number of DAGs on ``n_variables`` variables with at most ``max_parents`` parents each."""
    if max_parents == 0 or n_variables <= 1:
        return 0.0
    if max_parents == 1:  # Forests of rooted trees.
        return (n_variables - 1) * math.log(n_variables + 1)
    several = _numbers_of_sets(n_variables, max_parents)
    largest, before = _FIRST, -math.inf
    while True:
        most = min(largest, n_variables)
        found = _sum_generations(_log_new_sets(several, most), most)
        if largest >= n_variables or found - before <= _SAME * found:
            return found
        largest, before = 2 * largest, found


def _numbers_of_sets(n: int, most: int) -> list[int]:
    """The numbers of sets of at most ``most`` of t variables, for t from 0 to n - 1."""
    several, number, of_most = [], 1, 1 if most == 0 else 0
    for t in range(n):
        several.append(number)
        number = 2 * number - of_most  # Sets without and with one more variable, which must not make them too large.
        of_most = 1 if t + 1 == most else of_most * (t + 1) // (t + 1 - most) if t + 1 > most else 0
    return several


def _log_new_sets(several: list[int], most: int) -> NDArray[np.float64]:
    """log(S_t - S_(t-j)) for each t (row) and each j from 1 to ``most`` (column)."""
    n = len(several)
    new = np.full((n, most), -np.inf)
    if several[-1] < _EXACT:
        exact = np.array(several, dtype=np.float64)
        for j in range(1, min(most, n - 1) + 1):
            new[j:, j - 1] = np.log(exact[j:] - exact[:-j])
        return new
    logs = np.array([math.log(number) for number in several])
    for j in range(1, min(most, n - 1) + 1):
        new[j:, j - 1] = logs[j:] + np.log(-np.expm1(logs[:-j] - logs[j:]))
    return new


def _sum_generations(log_new: NDArray[np.float64], most: int) -> float:
    """The log of the number of DAGs whose generations have at most ``most`` variables each."""
    n = len(log_new)
    log_factorials = np.array([math.lgamma(k + 1) for k in range(n + 1)])
    log_last = np.full((n + 1, most), -np.inf)  # The log of A(m, k) / m! in row m and column k - 1.
    for m in range(1, n + 1):
        k = np.arange(1, min(most, m - 1) + 1)
        if len(k):
            terms = log_last[m - k] + k[:, None] * log_new[m - k]
            log_last[m, k - 1] = _log_sums(terms) - log_factorials[k]
        if m <= most:
            log_last[m, m - 1] = -log_factorials[m]
    return float(_log_sums(log_last[n:])[0] + log_factorials[n])


def _log_sums(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log of the sum of each row, given logs; every row has a finite one or none."""
    highest = logs.max(axis=1, keepdims=True)
    shift = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - shift).sum(axis=1)) + shift[:, 0])
