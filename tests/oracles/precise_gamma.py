"""Ratios of gamma functions with 30 decimal digits; no code is shared with the library."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb

_LARGE = 40  # Stirling's series has an error below 1e-30 from here on.
_N_TERMS = 20


@cache
def precise_log_rising(base: float, count: float) -> Decimal:
    """ln Gamma(base + count) - ln Gamma(base) of two doubles, which are taken as they are."""
    magnitude = max(Decimal(base).adjusted(), Decimal(count).adjusted(), 0)
    smallest = min(Decimal(base).adjusted(), 0)
    with localcontext(Context(prec=2 * magnitude - smallest + 40, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        return _log_gamma(Decimal(base) + Decimal(count)) - _log_gamma(Decimal(base)) if count > 0 else Decimal(0)


def _log_gamma(x: Decimal) -> Decimal:
    """The log of the gamma function less ln(2 pi) / 2."""
    below = Decimal(1)
    while x < _LARGE:
        below *= x
        x += 1
    rest = sum(
        (Decimal(term.numerator) / Decimal(term.denominator) / x ** (2 * k - 1) for k, term in _stirling_terms()),
        Decimal(0),
    )
    return (x - Decimal("0.5")) * x.ln() - x + rest - below.ln()


@cache
def _stirling_terms() -> tuple[tuple[int, Fraction], ...]:
    """B_2k / (2k (2k - 1)) for k = 1, 2, …."""
    return tuple((k, _bernoulli()[2 * k] / (2 * k * (2 * k - 1))) for k in range(1, _N_TERMS + 1))


@cache
def _bernoulli() -> tuple[Fraction, ...]:
    numbers = [Fraction(1)]
    for n in range(1, 2 * _N_TERMS + 1):
        numbers.append(-sum((comb(n + 1, k) * numbers[k] for k in range(n)), Fraction(0)) / (n + 1))
    return tuple(numbers)
