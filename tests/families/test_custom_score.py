"""Scores written in Python: against all networks, against the same score of the core, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, Knowledge
from credenet.errors import ArgumentError
from credenet.scores import BIC, CustomScore
from enumerated_networks import EnumeratedNetworks
from slow_learning import best_score

Families = Sequence[tuple[str, tuple[str, ...]]]
NAMES = ("a", "b", "c", "d")


def table(seed: int, n_rows: int = 60) -> Dataset:
    """Four variables, each but the first often a copy of the one before."""
    random = np.random.default_rng(seed)
    columns = [random.integers(0, 3, n_rows)]
    for _ in NAMES[1:]:
        columns.append(np.where(random.random(n_rows) < 0.6, columns[-1], random.integers(0, 3, n_rows)))
    states = dict.fromkeys(NAMES, ("0", "1", "2"))
    return Dataset.from_frame(
        pl.DataFrame(dict(zip(NAMES, (column.astype(str) for column in columns), strict=True))), states=states
    )


def python_bic(data: Dataset, families: Families) -> list[float]:
    """BIC by its formula."""
    codes = data.codes
    n_states = dict(zip(data.variables, data.n_states.tolist(), strict=True))

    def log_likelihood(names: Sequence[str]) -> float:
        places = [data.index(name) for name in names]
        counts = np.unique(codes[:, places], axis=0, return_counts=True)[1] if places else np.array([len(codes)])
        return float(np.sum(counts * np.log(counts)))

    return [
        log_likelihood([child, *parents])
        - log_likelihood(parents)
        - math.log(len(codes)) / 2 * (n_states[child] - 1) * math.prod(n_states[name] for name in parents)
        for child, parents in families
    ]


def penalty_alone(data: Dataset, families: Families) -> list[float]:
    """No family with these parents and more exceeds it: the likelihood is at most 1, and the penalty grows."""
    n_states = dict(zip(data.variables, data.n_states.tolist(), strict=True))
    weight = math.log(data.n_rows) / 2
    return [
        -weight * (n_states[child] - 1) * math.prod(n_states[name] for name in parents) for child, parents in families
    ]


BIC_AGAIN = CustomScore(python_bic, name="bic_again", is_equivalent=True, has_bayes_factor=True)
BOUNDED = CustomScore(
    python_bic, name="bounded", is_equivalent=True, has_bayes_factor=True, superset_bound=penalty_alone
)


def drawn_score(seed: int) -> CustomScore:
    """Any numbers, the same for the same family; some families are impossible."""

    def scores(data: Dataset, families: Families) -> list[float]:
        found = []
        for child, parents in families:
            number = sum(2 ** NAMES.index(name) for name in parents) + 16 * NAMES.index(child)
            random = np.random.default_rng([seed, number])
            found.append(-math.inf if parents and random.random() < 0.1 else float(random.normal(scale=3)))
        return found

    return CustomScore(scores, name="drawn", has_bayes_factor=True)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_all_networks(seed: int) -> None:
    data, score = table(0), drawn_score(seed)
    every = credenet.score_families(data, score=score, slack=1e9)
    best = best_score(every)
    for method in ("auto", "dp", "astar", "ilp"):
        result = credenet.learn(data, score=score, method=method)
        assert result.status == "optimal"
        assert result.score == pytest.approx(best)
        assert credenet.score(data, result.dag, score=score).total == pytest.approx(best)
        assert result.verify(data)
    networks = EnumeratedNetworks.of(every)
    posterior = credenet.posterior(data, score=score)
    expected = np.zeros((4, 4))
    for dag, share in zip(networks.dags, networks.shares, strict=True):
        for parent, child in dag.edges:
            expected[NAMES.index(parent), NAMES.index(child)] += share
    for parent, child in permutations(NAMES, 2):
        probability = posterior.edge_probability(parent, child)
        assert probability == pytest.approx(expected[NAMES.index(parent), NAMES.index(child)], abs=1e-9)
    credible = credenet.credible_networks(data, score=score, bayes_factor=20)
    assert credible.n_networks == sum(share >= max(networks.shares) / 20 for share in networks.shares)
    for method in ("hill_climb", "tabu", "order_search"):
        climbed = credenet.learn(data, score=score, method=method)
        assert climbed.score is not None
        assert climbed.score <= best + 1e-9
        assert credenet.score(data, climbed.dag, score=score).total == pytest.approx(climbed.score)


@pytest.mark.parametrize("score", [BIC_AGAIN, BOUNDED], ids=str)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_parents": 1},
        {"prior": "fair"},
        {"knowledge": Knowledge(required=[("b", "a")], forbidden=[("c", "d")])},
        {"states": "observed"},
    ],
    ids=str,
)
def test_bic_in_python(score: CustomScore, options: dict[str, Any]) -> None:
    data = table(1)
    calls: list[Callable[..., Any]] = [
        lambda chosen: credenet.score_families(data, score=chosen, **options),
        lambda chosen: credenet.score_families(data, score=chosen, bayes_factor=20, **options),
    ]
    for call in calls:
        mine, built_in = call(score), call(BIC())
        assert mine.made.complete
        assert mine.made.score == str(score)
        for name in data.variables:
            expected = {family.parents: family.score for family in built_in.families(name)}
            assert {family.parents: family.score for family in mine.families(name)} == pytest.approx(expected)
    for method in ("auto", "hill_climb", "tabu", "order_search"):
        mine, built_in = (credenet.learn(data, score=each, method=method, **options) for each in (score, BIC()))
        assert mine.score == pytest.approx(built_in.score)
    mine, built_in = (credenet.learn(data, score=each, tree_width=1, **options) for each in (score, BIC()))
    assert mine.score == pytest.approx(built_in.score)
    mine, built_in = (credenet.credible_networks(data, score=each, **options) for each in (score, BIC()))
    assert mine.n_networks == built_in.n_networks
    mine, built_in = (credenet.posterior(data, score=each, **options) for each in (score, BIC()))
    assert mine.log_evidence == pytest.approx(built_in.log_evidence)


def test_bounds_save_work() -> None:
    data = table(2, 20)
    every, some = (credenet.score_families(data, score=score).made.evaluated for score in (BIC_AGAIN, BOUNDED))
    assert every == 4 * 2**3
    assert some is not None
    assert some < every


@pytest.mark.parametrize("score", [BIC_AGAIN, BOUNDED], ids=str)
def test_best_first(score: CustomScore) -> None:
    data = table(5)
    explored = credenet.score_families(data, score=score, search="best_first", max_families=100)
    listed = credenet.score_families(data, score="bic")
    assert explored.made.complete
    np.testing.assert_allclose(np.sort(explored.flat().scores), np.sort(listed.flat().scores))
    some = credenet.score_families(data, score=score, search="best_first", max_families=5)
    assert some.made.status == "iteration_limit"


def test_families_are_asked_once_in_batches() -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []
    sizes: list[int] = []

    def counted(data: Dataset, families: Families) -> list[float]:
        sizes.append(len(families))
        asked.extend(families)
        return [0.0] * len(families)

    credenet.score_families(table(0), score=CustomScore(counted), n_threads=4)
    assert len(asked) == len(set(asked)) == 4 * 2**3
    assert sizes == [4, 12, 12, 4]


def test_up_to_parents_has_bounds_if_the_score_has() -> None:
    data = table(3)
    assert credenet.score_families(data, score=BIC_AGAIN, up_to_parents=1).made.unscored is None
    unscored = credenet.score_families(data, score=BOUNDED, up_to_parents=1).made.unscored
    every = credenet.score_families(data, score="bic", slack=1e9)
    assert unscored is not None
    for name, sets in unscored.items():
        largest = max(family.score for family in every.families(name) if len(family.parents) > 1)
        assert largest <= sets.bound + 1e-9


class TroubleError(Exception):
    pass


def test_errors_of_the_function_pass_through() -> None:
    def fails(data: Dataset, families: Families) -> list[float]:
        raise TroubleError("mine")

    score = CustomScore(fails)
    data = table(0)
    calls: list[Callable[[], Any]] = [
        lambda: credenet.score_families(data, score=score),
        lambda: credenet.learn(data, score=score, method="hill_climb"),
        lambda: credenet.learn(data, score=score),
        lambda: credenet.posterior(data, score=score),
        lambda: credenet.score(data, credenet.DAG(NAMES), score=score),
    ]
    for call in calls:
        with pytest.raises(TroubleError, match=r"^mine$"):
            call()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: [0.0] * (n + 1), r"a number for each of \d+ families, got an array of shape \(\d+,\)"),
        (lambda n: [math.nan] * n, "finite numbers or minus infinity, got nan for 'a' without parents"),
        (lambda n: [math.inf] * n, "finite numbers or minus infinity, got inf for 'a' without parents"),
        (lambda n: ["x"] * n, "must return numbers"),
        (lambda n: None, "must return a number for each|must return numbers|finite numbers"),
    ],
)
def test_wrong_answers(answer: Callable[[int], Any], message: str) -> None:
    score = CustomScore(lambda data, families: answer(len(families)))
    with pytest.raises(ArgumentError, match=message):
        credenet.score_families(table(0), score=score)


def test_settings() -> None:
    with pytest.raises(ArgumentError, match="function must be a function"):
        CustomScore(3)  # type: ignore[arg-type]
    for name in ("bdeu", "BIC", "two words", ""):
        with pytest.raises(ArgumentError, match="name must be a word"):
            CustomScore(python_bic, name=name)
    assert str(BIC_AGAIN) == "bic_again"
    with pytest.raises(ArgumentError, match="no log probability"):
        credenet.score_families(table(0), score=CustomScore(python_bic), bayes_factor=3)
    with pytest.raises(ArgumentError, match="score"):
        credenet.learn(table(0), score="custom")


def test_more_variables_than_a_word() -> None:
    """Parent sets of 70 variables take two words."""
    random = np.random.default_rng(4)
    names = [f"v{at}" for at in range(70)]
    data = Dataset.from_frame(pl.DataFrame({name: random.integers(0, 2, 50).astype(str) for name in names}))
    mine = credenet.score_families(data, score=BIC_AGAIN, max_parents=1)
    built_in = credenet.score_families(data, score="bic", max_parents=1)
    assert len(mine) == len(built_in)
    np.testing.assert_allclose(np.sort(mine.flat().scores), np.sort(built_in.flat().scores))
