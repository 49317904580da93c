"""Contrasts: comparisons of P(y = s | do(x = a)) with P(y = s | do(x = b)), as studies report them.

The interval of a contrast comes from joint draws: both probabilities of a draw have the same network and the same
parameters. A ratio with a denominator of 0 is not defined. If a draw divides by 0, its ratio lies anywhere between 0
and infinity for 0 / 0, and is infinite otherwise; the interval is the widest one that this allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from credenet._json import AsJson
from credenet.data.states import Label
from credenet.interventions.adjusting import Floats

Kind = Literal["difference", "ratio", "odds_ratio"]
"""The risk difference, the risk ratio and the odds ratio."""

_INFINITE = 1e300  # Stands for an infinite ratio, so that quantiles between draws can be interpolated.


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast(AsJson):
    """A comparison of the probability of a state of y after setting x to one state or to another.

    Attributes
    ----------
    kind
        ``difference``, ``ratio`` or ``odds_ratio``: of P(y = state | do(x = do)) and P(y = state | do(x = against)).
    do, against, state
        The two states that x is set to, and the state of y.
    estimate
        The contrast of the means; None where it is not defined.
    low, high
        The ends of the interval. ``high`` is None where there is no upper end; both are None without intervals.
    note
        Why there is no estimate or no upper end.

    Examples
    --------
    >>> import credenet
    >>> effect = credenet.effects(credenet.textbook.sprinkler(), "sprinkler", "wet_grass")["sprinkler", "wet_grass"]
    >>> contrast = effect.contrast("true", "false", "true")
    >>> contrast.kind, round(contrast.estimate, 3)
    ('difference', 0.495)
    """

    kind: Kind
    do: Label
    against: Label
    state: Label
    estimate: float | None
    low: float | None
    high: float | None
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values; the three states stand together under ``states``."""
        states = {"do": str(self.do), "against": str(self.against), "state": str(self.state)}
        ends = {"estimate": self.estimate, "low": self.low, "high": self.high}
        return {"kind": self.kind, "states": states, **ends, "note": self.note}


class Risks(NamedTuple):
    """P(y = s) and P(y is another state) if x is set to a, and if it is set to b: numbers or draws."""

    a: Floats
    not_a: Floats
    b: Floats
    not_b: Floats

    @classmethod
    def from_table(cls, table: Floats, a: int, b: int, state: int) -> Risks:
        """The contrasts of a table whose last two axes are the states of x and of y.

        The sum over the other states keeps the digits that 1 - P would lose.
        """
        rows = table[..., a, :], table[..., b, :]
        not_a, not_b = (row[..., :state].sum(axis=-1) + row[..., state + 1 :].sum(axis=-1) for row in rows)
        return cls(rows[0][..., state], not_a, rows[1][..., state], not_b)

    def fraction(self, kind: Kind) -> tuple[Floats, Floats]:
        """Numerator and denominator of a contrast."""
        if kind == "difference":
            return self.a - self.b, np.ones_like(self.a)
        if kind == "ratio":
            return self.a, self.b
        return self.a * self.not_b, self.not_a * self.b


def contrast(
    kind: Kind,
    labels: tuple[Label, Label, Label],
    names: tuple[str, str],
    means: Risks,
    draws: Risks | None,
    level: float,
) -> Contrast:
    """A contrast of the labels (do, against, state) of the variables (x, y)."""
    top, bottom = (float(part) for part in means.fraction(kind))
    low, high = (None, None) if draws is None else _interval(*draws.fraction(kind), level)
    do, against, state = labels
    note = _note(kind, labels, names, means, bottom == 0, draws is not None and high is None)
    return Contrast(
        kind=kind,
        do=do,
        against=against,
        state=state,
        estimate=None if bottom == 0 else top / bottom,
        low=low,
        high=high,
        note=note,
    )


def _interval(top: Floats, bottom: Floats, level: float) -> tuple[float | None, float | None]:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        values = np.minimum(top / bottom, _INFINITE)  # The minimum keeps NaN.
    is_known = ~np.isnan(values)
    low = _quantile(np.where(is_known, values, 0.0), (1 - level) / 2)
    high = _quantile(np.where(is_known, values, _INFINITE), (1 + level) / 2)
    return None if low > _INFINITE / 1e6 else low, None if high > _INFINITE / 1e6 else high


def _quantile(values: Floats, share: float) -> float:
    """The interpolated quantile of numpy, computed faster for few values."""
    values.sort()
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return float(values[below] + (place - below) * (values[above] - values[below]))


def _note(
    kind: Kind,
    labels: tuple[Label, Label, Label],
    names: tuple[str, str],
    means: Risks,
    is_undefined: bool,
    is_open: bool,
) -> str | None:
    (do, against, state), (x, y) = labels, names
    of_against = f"P({y} = {state} | do({x} = {against}))"
    of_do = f"P({y} = {state} | do({x} = {do}))"
    if is_undefined:
        is_zero = means.b == 0
        return f"not defined, as {of_against} is 0" if is_zero else f"not defined, as {of_do} is 1"
    if is_open:
        reasons = f"{of_against} may be 0" + (f", or {of_do} may be 1" if kind == "odds_ratio" else "")
        return f"no upper end, as {reasons}"
    return None
