"""The tests of conditional independence, each with its settings.

By default tests on data count only states that occur. Strata without rows contribute nothing. A variable with one state
is independent of all others. All tests on data have ``min_rows_per_cell``: a test is refused, not judged, if the rows
divided by the cells of its table (the product of the numbers of states of x, y and the conditioning set) are fewer. A
refused test finds no independence, so a learner keeps the edge; results count such tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeGuard, get_args

from credenet.errors import ArgumentError
from credenet.settings.choices import ChoiceKind, Settings, check_prior_weight, load_graphs, names, real

if TYPE_CHECKING:
    from credenet.graphs import DAG

DegreesOfFreedom = Literal["adjusted", "observed", "classical"]
Setting = Literal["given", "auto"]

_SIGNIFICANCE = real(above=0, below=1)
_MIN_ROWS = real(least=0)
_DF = names(*get_args(DegreesOfFreedom))


@dataclass(frozen=True, slots=True)
class BayesFactor(Settings):
    """Independent if the marginal likelihood of independence is larger than that of dependence.

    Both error rates go to 0 as the number of rows grows; a test at a fixed significance level keeps its rate of false
    dependences. If the data favour neither, as for a single row, the variables count as independent.

    Parameters
    ----------
    pseudo_count
        The pseudo-count of every cell (Natori, Uto and Ueno 2017): 1/2 is Jeffreys' prior, 1 the uniform prior.
    ess
        An equivalent sample size, divided among the cells; it replaces the pseudo-count. The log Bayes factor is then
        a difference of two BDeu scores (Steck), which is symmetric in X and Y.
    threshold
        Independent if the natural log of the Bayes factor is above this.
    min_rows_per_cell
        A test with fewer rows per cell is refused: no independence is found, and a learner keeps the edge.
    setting
        ``auto`` chooses ``pseudo_count`` or ``ess`` for the data: of six settings the one by which the method finds the
        network of highest BIC with the prior `Fair`. Results name the setting chosen. For `learn` and `bootstrap`.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> credenet.independence_test(data, "smoke", "xray", given=["either"], test="bayes_factor(ess=1)").independent
    True
    """

    pseudo_count: float = field(default=0.5, metadata=check_prior_weight())
    ess: float | None = field(default=None, metadata=check_prior_weight())
    threshold: float = field(default=0.0, metadata=real())
    min_rows_per_cell: float = field(default=0.0, metadata=_MIN_ROWS)
    setting: Setting = field(default="given", metadata=names(*get_args(Setting)))

    short_name: ClassVar[str] = "bayes_factor"

    def _check_together(self) -> None:
        if self.setting == "auto" and (self.ess is not None or self.pseudo_count != BayesFactor().pseudo_count):
            raise ArgumentError("setting='auto' chooses pseudo_count or ess; leave them out, or leave out setting")


@dataclass(frozen=True, slots=True)
class G2(Settings):
    """The likelihood-ratio test: independent if the p-value of G² is at least the significance.

    Parameters
    ----------
    df
        How degrees of freedom are counted: ``adjusted`` counts the states of both variables that occur in each stratum,
        ``observed`` all their states in the strata that occur, ``classical`` all their states in all strata. With 0
        degrees of freedom the variables are independent.
    min_rows_per_cell
        As for `BayesFactor`; 5 is usual.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> credenet.independence_test(data, "smoke", "xray", given=["either"], test=credenet.tests.G2(0.01)).independent
    True
    """

    significance: float = field(default=0.05, metadata=_SIGNIFICANCE)
    df: DegreesOfFreedom = field(default="adjusted", metadata=_DF)
    min_rows_per_cell: float = field(default=0.0, metadata=_MIN_ROWS)

    short_name: ClassVar[str] = "g2"


@dataclass(frozen=True, slots=True)
class ChiSquared(Settings):
    """Pearson's test: independent if the p-value of χ² is at least the significance.

    ``df`` and ``min_rows_per_cell`` as for `G2`.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> credenet.independence_test(data, "smoke", "lung", test=credenet.tests.ChiSquared()).independent
    False
    """

    significance: float = field(default=0.05, metadata=_SIGNIFICANCE)
    df: DegreesOfFreedom = field(default="adjusted", metadata=_DF)
    min_rows_per_cell: float = field(default=0.0, metadata=_MIN_ROWS)

    short_name: ClassVar[str] = "chi2"


@dataclass(frozen=True, slots=True)
class CMI(Settings):
    """Independent if the conditional mutual information, in nats, is below the threshold.

    ``min_rows_per_cell`` as for `G2`.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> credenet.independence_test(data, "smoke", "xray", given=["either"], test=credenet.tests.CMI(0.001)).independent
    True
    """

    threshold: float = field(default=0.003, metadata=real(above=0))
    min_rows_per_cell: float = field(default=0.0, metadata=_MIN_ROWS)

    short_name: ClassVar[str] = "cmi"


@dataclass(frozen=True, slots=True)
class Oracle(Settings):
    """Independent if d-separated in a DAG; ignores the data. For testing a method with a known DAG.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.textbook.asia()
    >>> result = credenet.learn(truth.sample(5000), method="pc", test=credenet.tests.Oracle(truth.dag))
    >>> credenet.compare(truth.dag, result.graph).shd
    0
    """

    dag: DAG = field(metadata=load_graphs("DAG"))

    short_name: ClassVar[str] = "oracle"


DataTest = BayesFactor | G2 | ChiSquared | CMI
TestFunction = Callable[[str, str, tuple[str, ...]], bool]
"""A user's test of two variables given others; True if independent. Slow, as it is called for one test at a time."""

Test = DataTest | Oracle | TestFunction

TESTS: ChoiceKind[DataTest | Oracle] = ChoiceKind("test", get_args(DataTest | Oracle), also="a test, a function or ")


def as_test(test: Test | str | None) -> Test:
    """The test itself, or the test of a name in any case; the Bayes factor by default.

    Examples
    --------
    >>> as_test("g2")
    G2(significance=0.05, df='adjusted', min_rows_per_cell=0.0)
    """
    if test is None:
        return BayesFactor()
    if callable(test) and not isinstance(test, type):
        return test
    return TESTS.get(test)


def chooses_setting(test: Test) -> TypeGuard[BayesFactor]:
    """Whether a learner is to choose the setting of the test."""
    return isinstance(test, BayesFactor) and test.setting == "auto"


def name_of_test(test: Test) -> str:
    """A test as text, such as ``g2(df=classical)``; for a function, its name."""
    return str(test) if isinstance(test, Settings) else getattr(test, "__name__", "function")
