"""Best-first search for families against all families, and on data with many variables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, FamilyTable, Knowledge, score_families
from credenet.errors import ArgumentError
from credenet.priors import Edge, Fair, InDegree, InDegreeWeights, Uniform
from credenet.scores import AIC, BIC, K2, MDL, BDeu, BDs, Jeffreys, LogLikelihood, fNML, qNML
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from polls import TimeByHand, every_poll
from shared import shared_data
from slow_scores import slow_family_score

SCORES: list[Score] = [
    LogLikelihood(),
    BIC(),
    AIC(),
    MDL(),
    BDeu(1.0),
    K2(),
    Jeffreys(),
    BDs(2.0),
    fNML(),
    qNML(),
]
PRIORS: list[Prior] = [
    Uniform(),
    Edge(0.1),
    Edge(3.0),
    Fair(),
    InDegreeWeights([1.0, 0.1, 5.0, 5.0, 0.1, 1.0]),
    InDegree(2, exact=True),
]


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Copies with noise, parities and independent columns, of up to six variables."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_rows = draw(st.integers(1, 6)), draw(st.sampled_from([1, 10, 60, 300]))
    codes = rng.integers(0, 3, (n_rows, n))
    for at in range(1, n):
        chosen = rng.permutation(at)[: int(rng.integers(0, 3))]
        if len(chosen):
            noise = rng.random(n_rows) < 0.2
            codes[:, at] = np.where(noise, codes[:, at], codes[:, chosen].sum(axis=1) % 3)
    return Dataset({f"v{at}": "abcd"[: draw(st.integers(3, 4))] for at in range(n)}, codes)


def families_of(table: FamilyTable) -> dict[str, dict[frozenset[str], float]]:
    return {name: {frozenset(parents): value for value, parents in table.families(name)} for name in table.variables}


def has_empty_set(table: FamilyTable, name: str) -> bool:
    return () in [family.parents for family in table.families(name)]


@settings(max_examples=150, deadline=None)
@given(
    data=datasets(),
    score=st.sampled_from(SCORES),
    prior=st.sampled_from(PRIORS),
    slack=st.sampled_from([0.0, 2.0]),
    states=st.sampled_from(["declared", "observed"]),
    seed=st.integers(0, 1000),
)
def test_run_to_the_end_it_is_the_table_of_all_levels(
    data: Dataset, score: Score, prior: Prior, slack: float, states: Any, seed: int
) -> None:
    options: dict[str, Any] = {"score": score, "prior": prior, "slack": slack, "states": states}
    explored = score_families(data, **options, search="best_first")
    expected = score_families(data, **options)
    assert explored.made.complete
    assert explored.made.status == "complete"
    assert explored.made.max_parents == expected.made.max_parents
    found = families_of(explored)
    for name, families in families_of(expected).items():
        assert found[name].keys() == families.keys()
        for parents, value in families.items():
            assert found[name][parents] == pytest.approx(value, rel=1e-10, abs=1e-8)
    everything = score_families(data, **options | {"knowledge": Knowledge(no_immoralities=True)})
    rng = np.random.default_rng(seed)
    for name in [name for name in data.variables if has_empty_set(everything, name)]:
        available = [other for other in data.variables if other != name and rng.random() < 0.5]
        best = everything.best(name, available=available).score
        assert explored.best(name, available=available).score == pytest.approx(best, rel=1e-10, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(data=datasets(), score=st.sampled_from(SCORES), prior=st.sampled_from(PRIORS), budget=st.integers(1, 20))
def test_a_budget_gives_true_scores_and_the_same_on_any_threads(
    data: Dataset, score: Score, prior: Prior, budget: int
) -> None:
    options: dict[str, Any] = {"score": score, "prior": prior, "search": "best_first", "max_families": budget}
    table = score_families(data, **options, n_threads=1)
    assert table == score_families(data, **options, n_threads=2)
    assert table.made.evaluated is not None
    assert table.made.evaluated <= budget * data.n_variables
    assert table.made.complete == (table.made.status == "complete")
    for name, families in families_of(table).items():
        for parents, value in families.items():
            slow = slow_family_score(data, name, sorted(parents), score, prior)
            assert value == pytest.approx(slow, rel=1e-10, abs=1e-8)


def test_knowledge_is_obeyed() -> None:
    data = credenet.datasets.asia(2000, seed=1)
    rules = Knowledge(required=[("smoke", "dysp")], forbidden=[("bronc", "dysp")], max_parents={"dysp": 2, "xray": 1})
    table = score_families(data, score="bic", knowledge=rules, search="best_first", max_families=30)
    assert all("smoke" in parents and "bronc" not in parents for _, parents in table.families("dysp"))
    assert max(len(parents) for _, parents in table.families("dysp")) <= 2
    assert max(len(parents) for _, parents in table.families("xray")) <= 1
    narrow = score_families(data, search="best_first", candidates={"dysp": ["asia", "tub"]})
    assert {parent for _, parents in narrow.families("dysp") for parent in parents} <= {"asia", "tub"}
    assert not narrow.made.complete


def test_wide_data() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (200, 300))
    codes[:, 7] = (codes[:, 100] + codes[:, 200]) % 3
    data = Dataset({f"v{at}": "abc" for at in range(300)}, codes)
    table = score_families(data, score="bdeu", search="best_first", max_families=400)
    assert table.made.status == "iteration_limit"
    assert table.made.complete is False
    assert table.made.evaluated == 300 * 400
    assert all(has_empty_set(table, name) for name in table.variables)


def test_limits_leave_a_usable_table() -> None:
    network = credenet.random.network(credenet.random.dag(150, n_edges=250, seed=1), n_states=3, seed=1)
    data = network.sample(5000, seed=1)
    with every_poll(), TimeByHand(1000).set() as hand:  # The stop comes after the first families of each variable.
        table = score_families(data, score="bdeu", search="best_first", time_limit=60.0, on_progress=hand)
    assert table.made.status == "stopped"
    assert table.made.complete is False
    assert all(has_empty_set(table, name) for name in table.variables)
    table = score_families(data, score="bic", search="best_first", memory_limit=20e6)
    assert table.made.status == "memory_limit"
    assert all(has_empty_set(table, name) for name in table.variables)
    with every_poll():
        stopped = score_families(data, score="bdeu", search="best_first", on_progress=lambda progress: False)
    assert stopped.made.status == "stopped"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "depth_first"}, "search must be levels or best_first, got 'depth_first'"),
        ({"max_families": 10}, "max_families is a limit of search='best_first'"),
        ({"search": "best_first", "max_families": 0}, "max_families must be at least 1, got 0"),
        ({"search": "best_first", "score": "mit"}, "not made for mit"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        score_families(credenet.datasets.asia(50), **options)


@pytest.mark.slow
def test_munin1_against_the_listed_parent_sets() -> None:
    """The file lists sets found by independence selection; their best, scored exactly, is at least reached."""
    data = credenet.read(shared_data("datasets", "munin1-5000.dat.gz"))
    listed = credenet.load_families(shared_data("scores", "munin1-5000.jkl.gz"))
    table = score_families(data, score="bic", search="best_first", max_families=6000)
    for child, name in enumerate(data.variables):
        score = max(
            slow_bic(data, child, [int(parent) for parent in parents]) for _, parents in listed.families(str(child))
        )
        assert table.best(name).score >= score - 1e-6, name


def slow_bic(data: Dataset, child: int, parents: list[int]) -> float:
    """By its definition, with numbers of rows for each state that occurs."""
    cells = np.zeros(len(data), dtype=np.int64)
    for parent in parents:
        cells = cells * int(data.n_states[parent]) + data.codes[:, parent]
    given = np.unique(cells, return_counts=True)[1]
    joint = np.unique(cells * int(data.n_states[child]) + data.codes[:, child], return_counts=True)[1]
    likelihood = float(np.sum(joint * np.log(joint)) - np.sum(given * np.log(given)))
    n_parameters = (int(data.n_states[child]) - 1) * math.prod(int(data.n_states[parent]) for parent in parents)
    return likelihood - math.log(len(data)) / 2 * n_parameters
