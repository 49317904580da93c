"""Tests of conditional independence prepared for the core, and their results.

Learners sort the variables by name, so that the order of the columns of a table has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from credenet import _core
from credenet._arguments import name_list, one_of
from credenet._run.progress import CoreCallback, thread_count
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.choices import Settings
from credenet.settings.tests import (
    CMI,
    G2,
    BayesFactor,
    ChiSquared,
    DataTest,
    DegreesOfFreedom,
    Oracle,
    TestFunction,
    as_test,
    chooses_setting,
    name_of_test,
)

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.sources import DataLike


class CoreTest(NamedTuple):
    """A test in the form the core takes."""

    kind: str
    prior: float
    threshold: float
    freedom: DegreesOfFreedom


@dataclass(frozen=True, slots=True)
class IndependenceResult:
    """The result of a test of two variables given a conditioning set.

    Attributes
    ----------
    statistic
        G² or χ², the conditional mutual information in nats, or the natural log of the Bayes factor.
    df, p_value
        Degrees of freedom and p-value of G² and χ²; None for the other tests.
    log_bayes_factor
        Positive in favour of independence; None for the other tests.
    refused
        Whether there were fewer rows per cell than the test asks for (``min_rows_per_cell``). The verdict is then not
        ``independent``, whatever the statistic, and says nothing.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.independence_test(credenet.datasets.asia(), "asia", "smoke", test="g2")
    >>> result.independent, result.df
    (True, 1)
    """

    x: str
    y: str
    given: tuple[str, ...]
    test: str
    statistic: float
    df: int | None
    p_value: float | None
    log_bayes_factor: float | None
    independent: bool
    refused: bool = False

    def __str__(self) -> str:
        given = f" given {', '.join(self.given)}" if self.given else ""
        verdict = "independent" if self.independent else "dependent"
        if self.refused:
            verdict = "not judged, as there are too few rows per cell,"
        if self.p_value is not None:
            value = f"statistic {self.statistic:.6g} with {self.df} df, p = {self.p_value:.4g}"
        elif self.log_bayes_factor is not None:
            value = f"log Bayes factor {self.log_bayes_factor:.6g}"
        else:
            value = f"mutual information {self.statistic:.6g}"
        return f"{self.x} and {self.y} are {verdict}{given}: {value} ({self.test})"


@takes_data()
def independence_test(
    data: DataLike,
    x: str,
    y: str,
    given: Iterable[str] = (),
    *,
    test: DataTest | str = "bayes_factor",
    states: States = "observed",
    **options: Unpack[DataOptions],
) -> IndependenceResult:
    """The result of a test of the independence of two variables given others.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table.
    given
        The conditioning set.
    test
        The test, such as ``"g2"`` or ``BayesFactor(ess=10)``.
    states
        Whether declared states that do not occur count (``declared``) for priors and classical degrees of freedom.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> asia = credenet.datasets.asia()
    >>> credenet.independence_test(asia, "xray", "dysp", ["either"]).independent
    True
    >>> print(credenet.independence_test(asia, "smoke", "lung", test="g2"))
    smoke and lung are dependent: statistic 168.425 with 1 df, p = 1.634e-38 (g2)
    """
    chosen, rows = as_test(test), as_dataset(data)
    if not isinstance(chosen, DataTest):
        raise ArgumentError("independence_test takes a test on data")
    if chooses_setting(chosen):
        raise ArgumentError(
            "setting='auto' is chosen by learn, from the networks that a method finds; independence_test needs "
            "pseudo_count or ess, such as those that a result of learn names (provenance.test)"
        )
    one_of("states", states, ("declared", "observed"))
    given = name_list("given", given)
    names = (*name_list("x and y", [x, y]), *given)
    if len(set(names)) < len(names):
        raise ArgumentError(f"x, y and given must be different variables, got {', '.join(map(repr, names))}")
    ordered = sorted(names)
    judge = data_judge(chosen, rows, ordered, states=states, n_threads=1)
    question = ordered.index(x), ordered.index(y), sorted(ordered.index(name) for name in given)
    results = results_of(judge, chosen, ordered, [question])
    if not results:  # Without a callback only Ctrl-C can have stopped the test.
        raise KeyboardInterrupt
    return results[0]


def results_of(
    judge: _core.CountJudge,
    test: DataTest,
    names: Sequence[str],
    questions: Sequence[tuple[int, int, Sequence[int]]],
    on_progress: CoreCallback | None = None,
) -> list[IndependenceResult]:
    """The results of a test for questions (x, y, given), by position of the variables; empty if it was stopped."""
    has_freedom = not isinstance(test, BayesFactor | CMI)
    described = name_of_test(test)
    status, found = judge.evidence(questions, on_progress)
    if status != "complete":
        return []
    return [
        IndependenceResult(
            names[x],
            names[y],
            tuple(names[member] for member in given),
            described,
            statistic,
            int(freedom) if has_freedom else None,
            _p_value(statistic, freedom) if has_freedom else None,
            statistic if isinstance(test, BayesFactor) else None,
            independent,
            test.min_rows_per_cell > 0 and judge.refuses(x, y, given),
        )
        for (x, y, given), (statistic, freedom, independent) in zip(questions, found, strict=True)
    ]


def _p_value(statistic: float, freedom: float) -> float:
    from scipy.stats import chi2

    return float(chi2.sf(statistic, freedom)) if freedom > 0 else 1.0


def data_judge(
    test: DataTest, data: Dataset, variables: Sequence[str], *, states: States, n_threads: int | None
) -> _core.CountJudge:
    """A test on data, for some columns."""
    data.check_complete("tests need")
    used = data if tuple(variables) == data.variables else data.select(variables)
    n_states = used.n_states if states == "declared" else np.empty(0, dtype=np.int32)
    source, threads = used._count_source(), thread_count(n_threads)
    least = (test.min_rows_per_cell,) if test.min_rows_per_cell > 0 else ()
    return _core.count_judge(source, n_states, *_core_test(test), threads, *least)


@singledispatch
def _core_test(test: DataTest) -> CoreTest:
    """A test on data in the form the core takes."""
    raise NotImplementedError(f"no test of the core is registered for {type(test).__name__}")


@_core_test.register
def _bayes_factor(test: BayesFactor) -> CoreTest:
    kind, prior = ("natori", test.pseudo_count) if test.ess is None else ("steck", test.ess)
    return CoreTest(kind, prior, test.threshold, "adjusted")


@_core_test.register
def _g2(test: G2) -> CoreTest:
    return CoreTest("g2", 0.0, test.significance, test.df)


@_core_test.register
def _chi_squared(test: ChiSquared) -> CoreTest:
    return CoreTest("chi2", 0.0, test.significance, test.df)


@_core_test.register
def _mutual_information(test: CMI) -> CoreTest:
    return CoreTest("cmi", 0.0, test.threshold, "adjusted")


@singledispatch
def judge_of(
    test: Settings | TestFunction, data: Dataset, variables: Sequence[str], *, states: States, n_threads: int | None
) -> _core.Judge:
    """The core's form of a test on data, a DAG or a function; variables are given by position."""
    if callable(test):
        return function_judge(test, variables)
    raise NotImplementedError(f"no judge is registered for {type(test).__name__}")


@judge_of.register(DataTest)
def _data_judge(
    test: DataTest, data: Dataset, variables: Sequence[str], *, states: States, n_threads: int | None
) -> _core.Judge:
    return data_judge(test, data, variables, states=states, n_threads=n_threads)


@judge_of.register(Oracle)
def _graph_judge(
    test: Oracle, data: Dataset, variables: Sequence[str], *, states: States, n_threads: int | None
) -> _core.Judge:
    dag = test.dag
    if set(dag.variables) != set(variables):
        raise ArgumentError("the DAG of Oracle must have the variables of the data")
    place = {name: at for at, name in enumerate(variables)}
    ends = np.array([[place[tail], place[head]] for tail, head in dag.edges], dtype=np.int32).reshape(-1, 2)
    tails, heads = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
    return _core.GraphJudge(len(variables), tails, heads)


def function_judge(function: TestFunction, variables: Sequence[str]) -> _core.FunctionJudge:
    """A function that is asked for one test at a time, with the names of the variables."""
    names = tuple(variables)

    def ask(x: int, y: int, given: Sequence[int]) -> bool:
        return bool(function(names[x], names[y], tuple(names[member] for member in given)))

    return _core.FunctionJudge(len(names), ask)
