"""The tests of conditional independence, each with its settings.

All tests on data count only states that occur, unless told otherwise, and strata without rows add nothing. A variable
with one state is independent of everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NamedTuple, get_args

from credenet._arguments import choice, instance, one_of, real_number
from credenet.graphs import DAG

DegreesOfFreedom = Literal["adjusted", "observed", "classical"]


class CoreTest(NamedTuple):
    """A test as the core takes it."""

    kind: str
    prior: float
    threshold: float
    freedom: DegreesOfFreedom


@dataclass(frozen=True, slots=True)
class BayesFactor:
    """Independent if that is more probable than dependence, by the marginal likelihoods of the counts.

    Errors of both kinds vanish as rows grow, where a test at a fixed significance keeps a share of false dependences.
    Without evidence either way, as for a single row, variables are taken as independent.

    Parameters
    ----------
    pseudo_count
        Of every cell (Natori, Uto and Ueno 2017): 1/2 is Jeffreys' prior, 1 the uniform one.
    ess
        An equivalent sample size, spread over the cells: then it is the difference of two BDeu scores (Steck), which is
        the same for X and Y as for Y and X. It takes the place of the pseudo-count.
    threshold
        Independent if the natural log of the Bayes factor is above this.
    """

    pseudo_count: float = 0.5
    ess: float | None = None
    threshold: float = 0.0

    short_name: ClassVar[str] = "bayes_factor"

    def __post_init__(self) -> None:
        real_number("pseudo_count", self.pseudo_count, above=0)
        if self.ess is not None:
            real_number("ess", self.ess, above=0)
        real_number("threshold", self.threshold)

    @property
    def _core(self) -> CoreTest:
        kind, prior = ("natori", self.pseudo_count) if self.ess is None else ("steck", self.ess)
        return CoreTest(kind, prior, self.threshold, "adjusted")


@dataclass(frozen=True, slots=True)
class G2:
    """The likelihood-ratio test: independent if the p-value of G² is at least the significance.

    Parameters
    ----------
    df
        How degrees of freedom are counted: ``adjusted`` from the states of both variables that occur in each stratum,
        ``observed`` with all their states in the strata that occur, ``classical`` in all strata. With none left,
        variables are independent.
    """

    significance: float = 0.05
    df: DegreesOfFreedom = "adjusted"

    short_name: ClassVar[str] = "g2"

    def __post_init__(self) -> None:
        _check_significance(self.significance, self.df)

    @property
    def _core(self) -> CoreTest:
        return CoreTest("g2", 0.0, self.significance, self.df)


@dataclass(frozen=True, slots=True)
class ChiSquared:
    """Pearson's test: independent if the p-value of χ² is at least the significance. ``df`` as for `G2`."""

    significance: float = 0.05
    df: DegreesOfFreedom = "adjusted"

    short_name: ClassVar[str] = "chi2"

    def __post_init__(self) -> None:
        _check_significance(self.significance, self.df)

    @property
    def _core(self) -> CoreTest:
        return CoreTest("chi2", 0.0, self.significance, self.df)


@dataclass(frozen=True, slots=True)
class CMI:
    """Independent if the conditional mutual information, in nats, is below the threshold."""

    threshold: float = 0.003

    short_name: ClassVar[str] = "cmi"

    def __post_init__(self) -> None:
        real_number("threshold", self.threshold, above=0)

    @property
    def _core(self) -> CoreTest:
        return CoreTest("cmi", 0.0, self.threshold, "adjusted")


@dataclass(frozen=True, slots=True)
class Oracle:
    """Independent if d-separated in a DAG, whatever the data: for trying a method on a known truth."""

    dag: DAG

    short_name: ClassVar[str] = "oracle"

    def __post_init__(self) -> None:
        instance("dag", self.dag, DAG, "a DAG")


DataTest = BayesFactor | G2 | ChiSquared | CMI
TestFunction = Callable[[str, str, tuple[str, ...]], bool]
"""A test of one's own: two variables and those given; True if independent. Slow, as it is asked one by one."""

Test = DataTest | Oracle | TestFunction

_NAMED: dict[str, type[DataTest]] = {kind.short_name: kind for kind in get_args(DataTest)}
TEST_NAMES = tuple(_NAMED)


def as_test(test: Test | str | None) -> Test:
    """A test from its name, in any case; the Bayes factor where none is given.

    Examples
    --------
    >>> as_test("g2")
    G2(significance=0.05, df='adjusted')
    """
    if test is None:
        return BayesFactor()
    if isinstance(test, DataTest | Oracle):
        return test
    if callable(test) and not isinstance(test, type):
        return test
    return _NAMED[choice("test", test, _NAMED, also="a test, a function or ")]()


def describe_test(test: Test) -> str:
    """A test and the settings that differ from the usual ones, such as ``g2(df='classical')``."""
    if isinstance(test, Oracle):
        return test.short_name
    if not isinstance(test, DataTest):
        return getattr(test, "__name__", "function")
    usual = type(test)()
    settings = [
        f"{field.name}={getattr(test, field.name)!r}"
        for field in fields(test)
        if getattr(test, field.name) != getattr(usual, field.name)
    ]
    return f"{test.short_name}({', '.join(settings)})" if settings else test.short_name


def _check_significance(significance: float, df: str) -> None:
    real_number("significance", significance, above=0, below=1)
    one_of("df", df, get_args(DegreesOfFreedom))
