"""Scores and, for some of them, their Dirichlet prior on the tables.

Every score is a sum over families of natural logs, higher is better. A score states what it can do (`FamilyScore`);
other code asks for these abilities and never for a certain score.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

from credenet._arguments import same_name
from credenet.errors import ArgumentError
from credenet.settings.choices import (
    ChoiceKind,
    Settings,
    callback,
    check_prior_weight,
    load_graphs,
    real,
    switch,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from credenet.data.dataset import Dataset
    from credenet.networks.bayesian import BayesianNetwork

    BatchFunction = Callable[[Dataset, Sequence[tuple[str, tuple[str, ...]]]], ArrayLike]

_ESS = check_prior_weight()


class FamilyScore(Settings):
    """The abilities that every score declares. The core computes the numbers and knows a score by its name."""

    __slots__ = ()

    is_equivalent: ClassVar[bool] = False
    """Whether it is the same for all networks of a Markov equivalence class."""
    has_bayes_factor: ClassVar[bool] = True
    """Whether a difference of two scores is a log Bayes factor, at least approximately."""
    has_best_first: ClassVar[bool] = True
    """Whether subsets of a parent set tell how promising it is, so that families can be scored best first."""
    has_unproven_bounds: ClassVar[bool] = False
    """Whether it has bounds that are checked numerically only."""
    sums_counts: ClassVar[bool] = True
    """Whether it is a sum over the counts of sets of variables, so that all families together are scored quickly."""
    counts_joint_states: ClassVar[bool] = False
    """Whether it needs the number of joint states of the parents, which must be a double."""
    counts_variables: ClassVar[bool] = False
    """Whether the score of a family depends on the variables outside it."""
    needs_rows: ClassVar[bool] = False
    """Whether it has no value for data without rows."""
    takes_ess: ClassVar[bool] = False
    """Whether an equivalent sample size may go with its name."""

    def with_ess(self, ess: float) -> Self:
        """The score with another equivalent sample size, if it takes one."""
        options: dict[str, Any] = {"ess": ess}
        return replace(self, **options)

    @property
    def core_name(self) -> str:
        return self.short_name

    @property
    def core_parameter(self) -> float:
        return 1.0

    @property
    def prior_network(self) -> BayesianNetwork | None:
        return None

    @property
    def batch_functions(self) -> tuple[BatchFunction, BatchFunction | None] | None:
        """Functions that return scores and bounds, if the core does not know the score."""
        return None


@dataclass(frozen=True, slots=True)
class LogLikelihood(FamilyScore):
    """The largest likelihood of the data, without a penalty: more parents never lower it.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.sprinkler()
    >>> credenet.learn(data, score="log_likelihood").dag.n_edges
    6
    """

    short_name: ClassVar[str] = "log_likelihood"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BIC(FamilyScore):
    """Log-likelihood less half the log of the number of rows for each free parameter.

    Examples
    --------
    >>> import credenet
    >>> data, dag = credenet.datasets.sprinkler(), credenet.textbook.sprinkler().dag
    >>> credenet.score(data, dag, score="bic").total < credenet.score(data, dag, score="aic").total
    True
    """

    short_name: ClassVar[str] = "bic"
    is_equivalent: ClassVar[bool] = True
    needs_rows: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AIC(FamilyScore):
    """Log-likelihood less one for each free parameter.

    Examples
    --------
    >>> import credenet
    >>> data, dag = credenet.datasets.sprinkler(), credenet.textbook.sprinkler().dag
    >>> likelihood, aic = (credenet.score(data, dag, score=name).total for name in ("log_likelihood", "aic"))
    >>> round(likelihood - aic, 6), credenet.fit(data, dag).n_parameters
    (9.0, 9)
    """

    short_name: ClassVar[str] = "aic"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MDL(FamilyScore):
    """Minimum description length: BIC and, unless ``name_parents`` is off, the log of the number of variables for
    each parent that must be named.

    Examples
    --------
    >>> import credenet
    >>> data, dag = credenet.datasets.sprinkler(), credenet.textbook.sprinkler().dag
    >>> credenet.score(data, dag, score=credenet.scores.MDL()).total < credenet.score(data, dag, score="bic").total
    True
    """

    name_parents: bool = field(default=True, metadata=switch())

    short_name: ClassVar[str] = "mdl"
    is_equivalent: ClassVar[bool] = True
    counts_variables: ClassVar[bool] = True
    needs_rows: ClassVar[bool] = True

    @property
    def core_name(self) -> str:
        return self.short_name if self.name_parents else BIC.short_name


@dataclass(frozen=True, slots=True)
class BDeu(FamilyScore):
    """Bayesian Dirichlet with an equivalent sample size spread evenly over the cells of each family.

    Examples
    --------
    >>> import credenet
    >>> credenet.scores.BDeu(10)
    BDeu(ess=10)
    >>> credenet.learn(credenet.datasets.sprinkler(), score="bdeu(ess=10)").status
    'optimal'
    """

    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bdeu"
    is_equivalent: ClassVar[bool] = True
    counts_joint_states: ClassVar[bool] = True
    takes_ess: ClassVar[bool] = True

    @property
    def core_parameter(self) -> float:
        return float(self.ess)


@dataclass(frozen=True, slots=True)
class K2(FamilyScore):
    """Bayesian Dirichlet with one pseudo-count in every cell.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(), score=credenet.scores.K2()).provenance.score_name
    'k2'
    """

    short_name: ClassVar[str] = "k2"


@dataclass(frozen=True, slots=True)
class Jeffreys(FamilyScore):
    """Bayesian Dirichlet with half a pseudo-count in every cell.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(), score=credenet.scores.Jeffreys()).status
    'optimal'
    """

    short_name: ClassVar[str] = "jeffreys"


@dataclass(frozen=True, slots=True)
class BDe(FamilyScore):
    """Bayesian Dirichlet whose pseudo-counts are those expected from ``ess`` rows of a prior network.

    Examples
    --------
    >>> import credenet
    >>> believed = credenet.textbook.sprinkler()
    >>> credenet.learn(believed.sample(500), score=credenet.scores.BDe(believed, ess=5)).status
    'optimal'
    """

    network: BayesianNetwork = field(metadata=load_graphs("BayesianNetwork"))
    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bde"
    is_equivalent: ClassVar[bool] = True
    has_best_first: ClassVar[bool] = False
    sums_counts: ClassVar[bool] = False

    @property
    def core_parameter(self) -> float:
        return float(self.ess)

    @property
    def prior_network(self) -> BayesianNetwork:
        return self.network


@dataclass(frozen=True, slots=True)
class BDs(FamilyScore):
    """Bayesian Dirichlet (sparse): an equivalent sample size spread over the parent states that occur in the data.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(50), score=credenet.scores.BDs(ess=1)).status
    'optimal'
    """

    ess: float = field(default=1.0, metadata=_ESS)

    short_name: ClassVar[str] = "bds"
    sums_counts: ClassVar[bool] = False
    takes_ess: ClassVar[bool] = True

    @property
    def core_parameter(self) -> float:
        return float(self.ess)


@dataclass(frozen=True, slots=True)
class fNML(FamilyScore):  # noqa: N801 (the literature's spelling)
    """Factorised normalised maximum likelihood: one regret for each parent state.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(), score=credenet.scores.fNML()).status
    'optimal'
    """

    short_name: ClassVar[str] = "fnml"
    has_unproven_bounds: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class qNML(FamilyScore):  # noqa: N801 (the literature's spelling)
    """Quotient normalised maximum likelihood: the regret of the family's states less that of its parents' states.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(), score=credenet.scores.qNML()).status
    'optimal'
    """

    short_name: ClassVar[str] = "qnml"
    is_equivalent: ClassVar[bool] = True
    has_unproven_bounds: ClassVar[bool] = True
    counts_joint_states: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MIT(FamilyScore):
    """Mutual information with the parents, less what chance explains at the confidence level ``alpha``.

    Its scale is twice that of a log-likelihood, so a Bayes factor has no meaning for it. It is the same for equivalent
    networks only where all variables have equally many states.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.sprinkler(), score=credenet.scores.MIT(alpha=0.99)).status
    'optimal'
    """

    alpha: float = field(default=0.999, metadata=real(above=0, below=1))

    short_name: ClassVar[str] = "mit"
    has_bayes_factor: ClassVar[bool] = False
    has_best_first: ClassVar[bool] = False
    sums_counts: ClassVar[bool] = False

    @property
    def core_parameter(self) -> float:
        return float(self.alpha)


@dataclass(frozen=True, slots=True)
class CustomScore(FamilyScore):
    """A score of your own: a function that scores families, many at a time.

    Parameters
    ----------
    function
        Called with the data and a list of families, each a pair of a variable and the tuple of its parents. Returns a
        number for each family: natural log, higher is better, minus infinity if the family is impossible.
    name
        By which results and tables of families tell the score.
    is_equivalent
        Whether all networks of a Markov equivalence class have the same score.
    has_bayes_factor
        Whether a difference of two scores is a log Bayes factor.
    superset_bound
        Called like the function. Returns for each family a number that no family of the same variable with these
        parents and more exceeds. Without it, no parent set is ruled out before it is scored, so that all of them are,
        up to ``max_parents``.

    Examples
    --------
    >>> import credenet
    >>> def edges(data, families):
    ...     return [-abs(len(parents) - 1.5) for _, parents in families]
    >>> score = credenet.scores.CustomScore(edges, name="edges")
    >>> credenet.learn(credenet.datasets.asia(100), score=score, max_parents=2).status
    'optimal'
    """

    function: BatchFunction = field(metadata=callback())
    name: str = field(default="custom", metadata=text("a name"))
    is_equivalent: bool = field(default=False, metadata=switch())  # type: ignore[misc]
    has_bayes_factor: bool = field(default=False, metadata=switch())  # type: ignore[misc]
    superset_bound: BatchFunction | None = field(default=None, metadata=callback())

    short_name: ClassVar[str] = "custom"
    sums_counts: ClassVar[bool] = False
    counts_variables: ClassVar[bool] = True

    @property
    def batch_functions(self) -> tuple[BatchFunction, BatchFunction | None]:
        return self.function, self.superset_bound

    def _check_together(self) -> None:
        if not self.name.isidentifier() or any(same_name(self.name, other) for other in SCORES.names):
            raise ArgumentError(
                f"name must be a word of letters, digits and underscores that names no other score, got {self.name!r}"
            )

    def __str__(self) -> str:
        return self.name


Score = LogLikelihood | BIC | AIC | MDL | BDeu | K2 | Jeffreys | BDe | BDs | fNML | qNML | MIT | CustomScore
Smoothing = BDeu | K2 | Jeffreys | BDe

SCORES: ChoiceKind[Score] = ChoiceKind("score", get_args(Score), also="a score or ", unnamed=(CustomScore,))
SMOOTHINGS: ChoiceKind[Smoothing] = ChoiceKind(
    "smoothing", get_args(Smoothing), also="a Dirichlet prior or ", words=("none",)
)


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
    if chosen.takes_ess:
        return chosen.with_ess(ess)
    raise ArgumentError(f"ess goes with the names bdeu and bds, not with {score!r}")


def smoothing_from(smoothing: Smoothing | str | None) -> Smoothing | None:
    """A Dirichlet prior from its name; ``None`` and ``"none"`` stand for maximum likelihood."""
    return None if smoothing is None or same_name("none", smoothing) else SMOOTHINGS.get(smoothing)
