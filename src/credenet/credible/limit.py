"""The limit of a credible set: how far from the best a network may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

from credenet._arguments import real_number
from credenet._warnings import warn_caller
from credenet.errors import ArgumentError
from credenet.settings.scores import AIC, Score


@dataclass(frozen=True, slots=True)
class CredibleLimit:
    """A Bayes factor, a difference or a ratio of scores, or a share of the posterior; by default a factor of 20.

    A share becomes a limit in nats only when the networks that cover it are known.
    """

    bayes_factor: float | None
    slack: float | None
    ratio: float | None
    mass: float | None = None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.bayes_factor, self.slack, self.ratio, self.mass)) > 1:
            raise ArgumentError("give one of bayes_factor, slack, ratio and mass")
        if self.mass is not None:
            real_number("mass", self.mass, above=0, below=1)
        for name, least in (("bayes_factor", 1), ("slack", 0), ("ratio", 1)):
            value = getattr(self, name)
            if value is not None:
                real_number(name, value, least=least)

    @property
    def by_factor(self) -> bool:
        return self.slack is None and self.ratio is None

    def check_score(self, score: Score | None) -> None:
        if score is None or not self.by_factor:
            return
        if not score.has_bayes_factor:
            what = "a Bayes factor" if self.mass is None else "a share of the posterior"
            raise ArgumentError(
                f"{score.short_name} is no log probability, so {what} has no meaning; give slack or ratio"
            )
        if isinstance(score, AIC):
            warn_caller("AIC is no approximation of a marginal likelihood; a Bayes factor of it is one in name only")

    def in_nats(self, optimum: float) -> float:
        if self.ratio is not None:
            return (self.ratio - 1) * abs(optimum)
        if self.slack is not None:
            return self.slack
        return math.log(20 if self.bayes_factor is None else self.bayes_factor)


def factor_of(slack: float) -> float:
    """The Bayes factor of a difference of scores."""
    return float(f"{math.exp(slack):.12g}") if slack < 700 else math.inf  # Rounding gives 20, not 19.999999999999996.


def evidence_level(bayes_factor: float) -> str:
    """The name of a Bayes factor as evidence for the more probable of two networks (Heckerman and others).

    Examples
    --------
    >>> [evidence_level(factor) for factor in (2, 10, 20, 1000)]
    ['anecdotal', 'positive', 'strong', 'very strong']
    """
    if bayes_factor < 3:
        return "anecdotal"
    if bayes_factor < 20:
        return "positive"
    return "strong" if bayes_factor <= 150 else "very strong"
