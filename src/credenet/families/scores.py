"""Scores and, where they have one, the Dirichlet prior on the tables that goes with them.

Every score is a sum over families of natural logs, higher is better. A score says of itself whether it is the same for
all networks of a Markov equivalence class (``is_equivalent``) and whether a difference of two scores is a log Bayes
factor, at least approximately (``has_bayes_factor``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import choice, flag, instance, real_number
from credenet.errors import ArgumentError, NetworkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from credenet.networks.bayesian import BayesianNetwork


def _check_ess(ess: float) -> None:
    real_number("ess", ess, above=0)


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """The largest likelihood of the data, without a penalty: more parents never lower it."""

    short_name: ClassVar[str] = "log_likelihood"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BIC:
    """Log-likelihood less half the log of the number of rows for each free parameter."""

    short_name: ClassVar[str] = "bic"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AIC:
    """Log-likelihood less one for each free parameter."""

    short_name: ClassVar[str] = "aic"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MDL:
    """Minimum description length: BIC and, unless ``name_parents`` is off, the log of the number of variables for
    each parent that must be named."""

    name_parents: bool = True

    short_name: ClassVar[str] = "mdl"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        flag("name_parents", self.name_parents)


@dataclass(frozen=True, slots=True)
class BDeu:
    """Bayesian Dirichlet with an equivalent sample size spread evenly over the cells of each family."""

    ess: float = 1.0

    short_name: ClassVar[str] = "bdeu"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_ess(self.ess)

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        shape = [len(states[name]) for name in family]
        return np.full(shape, self.ess / float(np.prod(shape, dtype=np.float64)))


@dataclass(frozen=True, slots=True)
class K2:
    """Bayesian Dirichlet with one pseudo-count in every cell."""

    short_name: ClassVar[str] = "k2"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        return np.ones([len(states[name]) for name in family])


@dataclass(frozen=True, slots=True)
class Jeffreys:
    """Bayesian Dirichlet with half a pseudo-count in every cell."""

    short_name: ClassVar[str] = "jeffreys"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        return np.full([len(states[name]) for name in family], 0.5)


@dataclass(frozen=True, slots=True)
class BDe:
    """Bayesian Dirichlet whose pseudo-counts are those expected from ``ess`` rows of a prior network."""

    network: BayesianNetwork
    ess: float = 1.0

    short_name: ClassVar[str] = "bde"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        from credenet.networks.bayesian import BayesianNetwork

        instance("network", self.network, BayesianNetwork, "a BayesianNetwork")
        _check_ess(self.ess)

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        for name in family:
            if tuple(self.network.states.get(name, ())) != tuple(states[name]):
                raise NetworkError(f"the prior network does not have the variable {name!r} with the states of the data")
        return float(self.ess) * self.network.infer().joint(family)


@dataclass(frozen=True, slots=True)
class BDs:
    """Bayesian Dirichlet (sparse): an equivalent sample size spread over the parent states that occur in the data."""

    ess: float = 1.0

    short_name: ClassVar[str] = "bds"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_ess(self.ess)


@dataclass(frozen=True, slots=True)
class fNML:  # noqa: N801 (the literature's spelling)
    """Factorised normalised maximum likelihood: one regret for each parent state."""

    short_name: ClassVar[str] = "fnml"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class qNML:  # noqa: N801 (the literature's spelling)
    """Quotient normalised maximum likelihood: the regret of the family's states less that of its parents' states."""

    short_name: ClassVar[str] = "qnml"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MIT:
    """Mutual information with the parents, less what chance explains at the confidence level ``alpha``.

    Its scale is twice that of a log-likelihood, so a Bayes factor has no meaning for it. It is the same for equivalent
    networks only where all variables have equally many states.
    """

    alpha: float = 0.999

    short_name: ClassVar[str] = "mit"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = False

    def __post_init__(self) -> None:
        real_number("alpha", self.alpha, above=0, below=1)


Score = LogLikelihood | BIC | AIC | MDL | BDeu | K2 | Jeffreys | BDe | BDs | fNML | qNML | MIT
Smoothing = BDeu | K2 | Jeffreys | BDe

_BY_SHORT_NAME: dict[str, type[Score]] = {kind.short_name: kind for kind in get_args(Score)}
_BY_CLASS_NAME: dict[str, type[Score]] = {kind.__name__: kind for kind in get_args(Score)}


def score_from(score: Score | str, *, ess: float | None = None) -> Score:
    """A score from its name, in any case, with an equivalent sample size where it has one.

    Examples
    --------
    >>> score_from("BDeu", ess=10)
    BDeu(ess=10)
    >>> score_from("bic").is_equivalent
    True
    """
    if isinstance(score, Score):
        if ess is not None:
            raise ArgumentError(f"ess goes with the name of a score; {describe(score)} is complete")
        return score
    kind = _BY_SHORT_NAME[choice("score", score, _BY_SHORT_NAME, also="a score or ")]
    if kind is BDe:
        raise ArgumentError("score 'bde' needs a prior network; pass BDe(network, ess)")
    if ess is None:
        return kind()  # type: ignore[call-arg]  # BDe, the one kind with a field that has no default, is gone
    if kind is BDeu:
        return BDeu(ess)
    if kind is BDs:
        return BDs(ess)
    raise ArgumentError(f"ess goes with bdeu, bds and bde, not with {score!r}")


def describe(score: Score) -> str:
    """One line that names a score and its settings; `score_described` reads it back.

    Examples
    --------
    >>> describe(BDeu(10))
    'BDeu(ess=10.0)'
    """
    settings = []
    for field in fields(score):
        value = getattr(score, field.name)
        if field.name == "network":
            settings.append(f"network of {len(value.variables)} variables")
        elif isinstance(value, bool):
            settings.append(f"{field.name}={value}")
        else:
            settings.append(f"{field.name}={float(value)!r}")
    return f"{type(score).__name__}({', '.join(settings)})"


def score_described(text: str) -> Score:
    """The score that `describe` wrote; of `BDe` a line of text does not hold the network."""
    match = re.fullmatch(r"\s*(\w+)\s*\(\s*(?:(\w+)\s*=\s*([^,\s]+))?\s*\)\s*", text)
    kind = _BY_CLASS_NAME.get(match[1]) if match else None
    if match is None or kind is None:
        if text.strip().startswith("BDe("):
            raise ArgumentError(f"{text.strip()!r} does not hold its prior network; pass BDe(network, ess)")
        raise ArgumentError(f"{text!r} does not describe a score; expected something like 'BDeu(ess=1.0)'")
    _, name, value = match.groups()
    setting = next((field.name for field in fields(kind) if field.name != "network"), None)
    if name != setting:
        expected = "no settings" if setting is None else f"the setting {setting}"
        raise ArgumentError(f"{kind.__name__} has {expected}, got {text!r}")
    if kind is MDL:
        if value not in ("True", "False"):
            raise ArgumentError(f"name_parents must be True or False, got {value}")
        return MDL(value == "True")
    if value is None:
        return kind()  # type: ignore[call-arg]
    try:
        number = float(value)
    except ValueError:
        raise ArgumentError(f"{name} must be a number, got {value}") from None
    if kind is MIT:
        return MIT(number)
    return BDs(number) if kind is BDs else BDeu(number)


def smoothing_from(smoothing: Smoothing | str | None) -> Smoothing | None:
    """A Dirichlet prior from its name; ``None`` and ``"none"`` stand for maximum likelihood."""
    if smoothing is None or isinstance(smoothing, Smoothing):
        return smoothing
    named: dict[str, Smoothing | None] = {"bdeu": BDeu(), "k2": K2(), "jeffreys": Jeffreys(), "none": None}
    return named[choice("smoothing", smoothing, named, also="a Dirichlet prior or ")]
