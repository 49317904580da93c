"""Statistics and decisions of the tests of independence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

import credenet
import slow_independence as slow
from credenet import Dataset, independence_test
from credenet.errors import ArgumentError
from credenet.scores import BDeu
from credenet.settings.tests import as_test, name_of_test
from credenet.tests import CMI, G2, BayesFactor, ChiSquared, Oracle
from slow_scores import slow_family_score


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    """Few rows of variables with two to four states, not all of which occur; weights sometimes, some of them 0."""
    n_rows = draw(st.integers(1, 40))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    n_states = draw(st.lists(st.integers(1, 4), min_size=4, max_size=4))
    codes = np.column_stack([rng.integers(0, n, n_rows) for n in n_states])
    copied = rng.random(n_rows) < 0.6
    codes[:, 1] = np.where(copied, codes[:, 0] % n_states[1], codes[:, 1])
    weights = None
    if draw(st.booleans()):
        weights = np.where(rng.random(n_rows) < 0.3, 0.0, rng.random(n_rows) * 3)
        weights[0] = 1.0
    declared = {name: list(map(str, range(n + 1))) for name, n in zip("wxyz", n_states, strict=True)}
    return Dataset(declared, codes, weights=weights)


GIVEN = st.lists(st.sampled_from(["y", "z"]), unique=True)


@settings(max_examples=150, deadline=None)
@given(
    data=tables(), given=GIVEN, states=st.sampled_from(["observed", "declared"]), alpha=st.sampled_from([0.5, 1.0, 3])
)
def test_statistics_are_those_of_the_formulas(data: Dataset, given: list[str], states: Any, alpha: float) -> None:
    counts = slow.strata(data, "w", "x", given, states=states)
    total = sum(table.sum() for table in counts)
    n_strata = math.prod(
        len(data.states[name]) if states == "declared" else slow.strata(data, name, "w", [])[0].shape[0]
        for name in given
    )
    tolerance = 1e-9 * max(1, total)

    found = independence_test(data, "w", "x", given, test=BayesFactor(alpha), states=states)
    expected = slow.natori(counts, alpha)
    assert found.log_bayes_factor == found.statistic == pytest.approx(expected, abs=tolerance)
    is_clear = min(counts[0].shape) > 1 and abs(expected) > 1e-6
    assert found.independent == (expected > 0) or not is_clear

    found = independence_test(data, "w", "x", given, test="cmi", states=states)
    assert found.statistic == pytest.approx(slow.g2(counts) / (2 * total), abs=1e-9)
    assert found.p_value is None
    assert found.df is None

    for kind, formula in ((G2, slow.g2), (ChiSquared, slow.chi_squared)):
        for rule in ("adjusted", "observed", "classical"):
            found = independence_test(data, "w", "x", given, test=kind(df=rule), states=states)
            freedom = slow.degrees_of_freedom(counts, rule, n_strata)
            assert found.statistic == pytest.approx(formula(counts), abs=tolerance)
            assert found.df == freedom
            p_value = float(chi2.sf(formula(counts), freedom)) if freedom else 1.0
            assert found.p_value == pytest.approx(p_value, abs=1e-8)
            assert found.independent == (p_value >= 0.05) or abs(p_value - 0.05) < 1e-6


@settings(max_examples=60, deadline=None)
@given(data=tables(), given=GIVEN, ess=st.sampled_from([0.1, 1.0, 10.0]))
def test_the_factor_of_two_bdeu_scores(data: Dataset, given: list[str], ess: float) -> None:
    if data.weights is not None:  # A state in rows of weight 0 counts as observed for a score, but not for a test.
        data = data.take(np.flatnonzero(data.weights > 0))
    with_x = credenet.DAG(data.variables, [("w", "x"), *((name, "x") for name in given)])
    without = credenet.DAG(data.variables, [(name, "x") for name in given])
    scores = [credenet.score(data, dag, score=BDeu(ess), states="observed").local["x"] for dag in (without, with_x)]
    found = independence_test(data, "w", "x", given, test=BayesFactor(ess=ess))
    assert found.log_bayes_factor == pytest.approx(scores[0] - scores[1], abs=1e-8)
    turned = independence_test(data, "x", "w", given, test=BayesFactor(ess=ess))
    assert turned.log_bayes_factor == found.log_bayes_factor


@settings(max_examples=60, deadline=None)
@given(data=tables(), given=GIVEN, exponent=st.floats(-100, 100))
def test_bayes_factors_of_any_prior_weight(data: Dataset, given: list[str], exponent: float) -> None:
    """The logs of gamma functions that a factor is made of may be a googol times as large as its log."""
    weight = 10.0**exponent
    counts = slow.strata(data, "w", "x", given)
    tolerance = 1e-12 * max(10, sum(table.sum() for table in counts))
    found = independence_test(data, "w", "x", given, test=BayesFactor(weight))
    assert found.statistic == pytest.approx(slow.natori(counts, weight), rel=1e-12, abs=tolerance)
    if data.weights is not None:  # A state in rows of weight 0 counts as observed for a score, but not for a test.
        data = data.take(np.flatnonzero(data.weights > 0))
    with_x, without = (
        slow_family_score(data, "x", names, BDeu(weight), states="observed") for names in (["w", *given], given)
    )
    found = independence_test(data, "w", "x", given, test=BayesFactor(ess=weight))
    assert found.statistic == pytest.approx(without - with_x, rel=1e-12, abs=tolerance)


@pytest.mark.parametrize("test", ["g2", "chi2"])
@pytest.mark.parametrize("weight", [1e-300, 1e-160, 1e-3, 1e150, 1e300])
def test_statistics_grow_with_the_weight(test: str, weight: float) -> None:
    codes = np.array([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [1, 1]])
    states = {name: ["0", "1"] for name in "ab"}
    one = independence_test(Dataset(states, codes), "a", "b", test=test).statistic
    data = Dataset(states, codes, weights=np.full(len(codes), weight))
    assert independence_test(data, "a", "b", test=test).statistic / weight == pytest.approx(one, rel=1e-9)


def test_a_large_prior_weight_leaves_nothing_to_tell() -> None:
    """Every cell gets what the prior expects; dependence explains the rows no better than independence."""
    codes = np.random.default_rng(0).integers(0, 2, (20_000, 3))
    data = Dataset({name: ["0", "1"] for name in "abc"}, np.column_stack([codes[:, :2], codes[:, 0]]))
    for test in (BayesFactor(1e100), BayesFactor(ess=1e100)):
        found = independence_test(data, "a", "c", ["b"], test=test)
        assert found.statistic == pytest.approx(0, abs=1e-9)
        assert found.independent


def test_scipy_gives_the_same_for_one_table() -> None:
    data = credenet.textbook.asia().sample(2000, seed=4)
    [table] = slow.strata(data, "smoke", "bronc", [])
    for test, power in (("g2", "log-likelihood"), ("chi2", "pearson")):
        expected = chi2_contingency(table, correction=False, lambda_=power)
        found = independence_test(data, "smoke", "bronc", test=test)
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.df == expected.dof


def test_many_cells_are_counted_in_another_way() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 40, (400, 5))
    codes[:, 1] = (codes[:, 0] + rng.integers(0, 3, 400)) % 40
    data = Dataset({name: list(map(str, range(40))) for name in "abcde"}, codes)
    counts = slow.strata(data, "a", "b", ["c", "d", "e"])
    found = independence_test(data, "a", "b", ["c", "d", "e"], test="g2")
    assert found.statistic == pytest.approx(slow.g2(counts), abs=1e-7)


def test_the_bayes_factor_is_consistent_where_a_significance_is_not() -> None:
    """Under independence its errors vanish with rows, those of G² stay at 5 %; dependence is found by both."""
    rng = np.random.default_rng(8)
    wrong: dict[int, list[int]] = {}
    missed: dict[int, list[int]] = {}
    repeats = 400
    for n_rows in (100, 10_000):
        counts = [[0, 0], [0, 0]]
        for _ in range(repeats):
            z = rng.integers(0, 2, n_rows)
            x = (rng.random(n_rows) < 0.2 + 0.5 * z).astype(np.int64)
            y = (rng.random(n_rows) < 0.7 - 0.5 * z).astype(np.int64)
            linked = np.where(rng.random(n_rows) < 0.15, x, y)
            for dependent, other in enumerate((y, linked)):
                data = Dataset({name: ["0", "1"] for name in "xyz"}, np.column_stack([x, other, z]))
                for place, test in enumerate(("bayes_factor", "g2")):
                    said = independence_test(data, "x", "y", ["z"], test=test).independent
                    counts[dependent][place] += said == bool(dependent)
        wrong[n_rows], missed[n_rows] = counts
    assert wrong[10_000][0] <= 2 < wrong[100][0]
    assert 0.02 * repeats < wrong[10_000][1] < 0.09 * repeats
    assert missed[10_000] == [0, 0]
    assert missed[100][0] > 0


@settings(max_examples=100, deadline=None)
@given(
    data=tables(),
    given=GIVEN,
    states=st.sampled_from(["observed", "declared"]),
    least=st.sampled_from([0.1, 0.5, 1.0, 3.0]),
    kind=st.sampled_from([BayesFactor, G2, ChiSquared, CMI]),
)
def test_a_test_with_few_rows_per_cell_is_refused(
    data: Dataset, given: list[str], states: Any, least: float, kind: Any
) -> None:
    n_states = [
        len(data.states[name]) if states == "declared" else len(slow.strata(data, name, "w", [])[0])
        for name in ("w", "x", *given)
    ]
    n_rows = float(len(data) if data.weights is None else data.weights.sum())
    usual = independence_test(data, "w", "x", given, test=kind(), states=states)
    found = independence_test(data, "w", "x", given, test=kind(min_rows_per_cell=least), states=states)
    per_cell = n_rows / math.prod(n_states)
    assert found.refused == (per_cell < least and min(n_states[:2]) > 1) or per_cell == pytest.approx(least)
    assert found.independent == (usual.independent and not found.refused)
    assert found.statistic == usual.statistic
    assert ("not judged" in str(found)) == found.refused


@pytest.mark.parametrize("test", ["bayes_factor", BayesFactor(ess=1.0), "g2", "chi2", "cmi"], ids=str)
class TestLittleData:
    def test_one_row(self, test: Any) -> None:
        row = Dataset({"a": ["x", "y"], "b": ["x", "y"], "c": ["0", "1"]}, np.array([[0, 1, 1]]))
        for states in ("observed", "declared"):
            assert independence_test(row, "a", "b", ["c"], test=test, states=states).independent

    def test_one_state(self, test: Any) -> None:
        codes = np.column_stack([np.zeros(50, dtype=np.int64), np.arange(50) % 2])
        data = Dataset({"a": ["only"], "b": ["0", "1"]}, codes)
        assert independence_test(data, "a", "b", test=test).independent

    def test_copies(self, test: Any) -> None:
        column = np.arange(60) % 3
        data = Dataset({name: list("xyz") for name in "ab"}, np.column_stack([column, column]))
        assert not independence_test(data, "a", "b", test=test).independent


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BayesFactor(0), r"pseudo_count must be a number of at least 1e-100 and at most 1e\+100, got 0"),
        (lambda: BayesFactor(ess=-1), r"ess must be a number of at least 1e-100 and at most 1e\+100, got -1"),
        (lambda: BayesFactor(threshold=math.nan), "threshold must be a finite number"),
        (lambda: G2(0), "significance must be a number above 0 and below 1, got 0"),
        (lambda: ChiSquared(1.0), "significance must be a number above 0 and below 1, got 1.0"),
        (lambda: G2(df="none"), "df must be one of adjusted, observed, classical"),  # type: ignore[arg-type]
        (lambda: CMI(-0.1), "threshold must be a positive number, got -0.1"),
        (lambda: G2(min_rows_per_cell=-1), "min_rows_per_cell must be a number of at least 0, got -1"),
        (lambda: BayesFactor(setting="best"), "setting must be given or auto"),  # type: ignore[arg-type]
        (lambda: BayesFactor(ess=1, setting="auto"), "setting='auto' chooses pseudo_count or ess; leave them out"),
        (lambda: as_test("bayes_factor(pseudo_count=1, setting=auto)"), "setting='auto' chooses pseudo_count or ess"),
        (lambda: Oracle("a"), "dag must be a DAG, got 'a'"),  # type: ignore[arg-type]
        (
            lambda: as_test("g3"),
            "test must be a test, a function or one of bayes_factor, g2, .*, got 'g3'",
        ),
    ],
)
def test_wrong_settings(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


def test_wrong_questions() -> None:
    data = credenet.datasets.asia()
    with pytest.raises(ArgumentError, match="must be different variables"):
        independence_test(data, "lung", "smoke", ["lung"])
    with pytest.raises(ArgumentError, match="given must be a list of names"):
        independence_test(data, "lung", "smoke", "asia")
    with pytest.raises(ArgumentError, match="takes a test on data"):
        independence_test(data, "lung", "smoke", test=lambda x, y, given: True)  # type: ignore[arg-type]


def test_a_setting_is_chosen_by_learning_only() -> None:
    with pytest.raises(ArgumentError, match="independence_test needs pseudo_count or ess"):
        independence_test(credenet.datasets.asia(), "lung", "smoke", test="bayes_factor(setting=auto)")


def test_descriptions() -> None:
    assert name_of_test(BayesFactor(setting="auto", threshold=1)) == "bayes_factor(threshold=1, setting=auto)"
    assert name_of_test(as_test(None)) == "bayes_factor"
    assert name_of_test(G2(df="classical")) == "g2(df=classical)"
    found = independence_test(credenet.datasets.asia(), "asia", "smoke", ["lung"])
    assert str(found).startswith("asia and smoke are independent given lung: log Bayes factor ")
