"""Scores and, for some of them, their Dirichlet prior on the tables.

Every score is a sum over families of natural logs, higher is better. A score states whether it is the same for all
networks of a Markov equivalence class (``is_equivalent``) and whether a difference of two scores is a log Bayes
factor, at least approximately (``has_bayes_factor``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, get_args

from credenet._arguments import same_name
from credenet.errors import ArgumentError
from credenet.settings.choices import Kind, Settings, loaded, of_prior, real, switch

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork

_ESS = of_prior()


@dataclass(frozen=True, slots=True)
class LogLikelihood(Settings):
    """The largest likelihood of the data, without a penalty: more parents never lower it."""

    short_name: ClassVar[str] = "log_likelihood"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BIC(Settings):
    """Log-likelihood less half the log of the number of rows for each free parameter."""

    short_name: ClassVar[str] = "bic"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AIC(Settings):
    """Log-likelihood less one for each free parameter."""

    short_name: ClassVar[str] = "aic"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MDL(Settings):
    """Minimum description length: BIC and, unless ``name_parents`` is off, the log of the number of variables for
    each parent that must be named."""

    name_parents: bool = field(default=True, metadata=switch())

    short_name: ClassVar[str] = "mdl"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BDeu(Settings):
    """Bayesian Dirichlet with an equivalent sample size spread evenly over the cells of each family."""

    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bdeu"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class K2(Settings):
    """Bayesian Dirichlet with one pseudo-count in every cell."""

    short_name: ClassVar[str] = "k2"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Jeffreys(Settings):
    """Bayesian Dirichlet with half a pseudo-count in every cell."""

    short_name: ClassVar[str] = "jeffreys"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BDe(Settings):
    """Bayesian Dirichlet whose pseudo-counts are those expected from ``ess`` rows of a prior network."""

    network: BayesianNetwork = field(metadata=loaded("BayesianNetwork"))
    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bde"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BDs(Settings):
    """Bayesian Dirichlet (sparse): an equivalent sample size spread over the parent states that occur in the data."""

    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bds"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class fNML(Settings):  # noqa: N801 (the literature's spelling)
    """Factorised normalised maximum likelihood: one regret for each parent state."""

    short_name: ClassVar[str] = "fnml"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class qNML(Settings):  # noqa: N801 (the literature's spelling)
    """Quotient normalised maximum likelihood: the regret of the family's states less that of its parents' states."""

    short_name: ClassVar[str] = "qnml"
    is_equivalent: ClassVar[bool] = True
    has_bayes_factor: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MIT(Settings):
    """Mutual information with the parents, less what chance explains at the confidence level ``alpha``.

    Its scale is twice that of a log-likelihood, so a Bayes factor has no meaning for it. It is the same for equivalent
    networks only where all variables have equally many states.
    """

    alpha: float = field(default=0.999, metadata=real(above=0, below=1))

    short_name: ClassVar[str] = "mit"
    is_equivalent: ClassVar[bool] = False
    has_bayes_factor: ClassVar[bool] = False


Score = LogLikelihood | BIC | AIC | MDL | BDeu | K2 | Jeffreys | BDe | BDs | fNML | qNML | MIT
Smoothing = BDeu | K2 | Jeffreys | BDe

SCORES: Kind[Score] = Kind("score", get_args(Score), also="a score or ")
SMOOTHINGS: Kind[Smoothing] = Kind("smoothing", get_args(Smoothing), also="a Dirichlet prior or ", words=("none",))


def score_from(score: Score | str, *, ess: float | None = None) -> Score:
    """A score from its name, in any case, with an equivalent sample size where it has one.

    Examples
    --------
    >>> score_from("BDeu", ess=10)
    BDeu(ess=10)
    >>> score_from("bic").is_equivalent
    True
    """
    if ess is not None and isinstance(score, str) and same_name(score, BDe.short_name):
        raise ArgumentError(
            "ess goes with the names bdeu and bds; bde needs a network, so give both: BDe(network, ess=...)"
        )
    chosen = SCORES.get(score)
    if ess is None:
        return chosen
    if not isinstance(score, str) or "(" in score:
        raise ArgumentError(f"ess goes with the name of a score; {chosen} is complete")
    if isinstance(chosen, BDeu | BDs):
        return replace(chosen, ess=ess)
    raise ArgumentError(f"ess goes with the names bdeu and bds, not with {score!r}")


def smoothing_from(smoothing: Smoothing | str | None) -> Smoothing | None:
    """A Dirichlet prior from its name; ``None`` and ``"none"`` stand for maximum likelihood."""
    return None if smoothing is None or same_name("none", smoothing) else SMOOTHINGS.get(smoothing)
