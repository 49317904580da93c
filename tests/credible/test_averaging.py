"""What credible networks say together, against sums over listed networks."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import CredibleSet, Dataset, FamilyTable, Knowledge, credible_networks, fit
from credenet.errors import ArgumentError, DataError
from credenet.families.dag_counts import count_dags
from credenet.families.info import FamilyTableInfo
from credenet.learners.problem import LearningProblem
from credibility_tables import credible, tables
from hard_cases import allowed_networks, hard_cases
from polls import every_poll
from shared import shared_data
from slow_learning import all_scores

SLACKS = st.sampled_from([0.0, math.log(3), math.log(20), 10.0])


@settings(max_examples=100, deadline=None)
@given(families=tables(4), slack=SLACKS)
def test_paths_and_blankets(families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    expected = credible(families, slack).networks
    paths = found.path_probabilities()
    for a, b in permutations(found.variables, 2):
        share = math.fsum(share for dag, (_, share) in expected.items() if a in dag.ancestors(b))
        assert paths.pop((a, b), 0.0) == pytest.approx(share, rel=1e-8, abs=1e-12)
    assert not paths
    for name in found.variables:
        blankets = found.markov_blanket_probabilities(name)
        sums: dict[frozenset[str], float] = {}
        for dag, (_, share) in expected.items():
            children = set(dag.children(name))
            near = {*dag.parents(name), *children, *(p for child in children for p in dag.parents(child))} - {name}
            sums[frozenset(near)] = sums.get(frozenset(near), 0.0) + share
        assert {frozenset(several): share for several, share in blankets.items()} == pytest.approx(sums, rel=1e-8)
        assert list(blankets.values()) == sorted(blankets.values(), reverse=True)


def test_blankets_of_sets_that_cannot_be_listed() -> None:
    """Only what bears on a variable is gone through."""
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for pair in range(60):
        lists[f"a{pair}"] = [(-1.0, []), (0.0, [f"b{pair}"])]
        lists[f"b{pair}"] = [(-1.0, []), (0.0, [f"a{pair}"])]
    found = credible_networks(FamilyTable.from_lists(lists), slack=2)
    weights = [math.comb(60, j) * 2 ** (60 - j) * math.exp(-j) for j in range(3)]
    apart = sum(j / 60 * weight for j, weight in enumerate(weights)) / sum(weights)
    assert found.markov_blanket_probabilities("a7") == pytest.approx({("b7",): 1 - apart, (): apart})
    with pytest.raises(ArgumentError, match="one by one"):
        found.path_probabilities()
    with pytest.raises(ArgumentError, match="variable must be"):
        found.markov_blanket_probabilities("c")


def random_data(n: int, rows: int, seed: int, *, weighted: bool = False) -> Dataset:
    rng = np.random.default_rng(seed)
    columns = {"v0": rng.integers(0, 2, rows)}
    for place in range(1, n):
        other = columns[f"v{rng.integers(0, place)}"]
        noise = rng.integers(0, 3, rows)
        columns[f"v{place}"] = np.where(rng.random(rows) < 0.6, other, noise)
    for name, column in columns.items():  # All columns have the same states.
        column[:3] = [0, 1, 1 if name == "v0" else 2]
    if weighted:
        columns["weight"] = rng.integers(1, 4, rows)
    return Dataset.from_frame(pl.DataFrame(columns), weights="weight" if weighted else None)


def slow_prediction(found: CredibleSet, rows: Dataset, target: str, data: Dataset, smoothing: str) -> np.ndarray:
    total = np.zeros((len(rows), len(data.states[target])))
    for network in found.listing.networks():
        fitted = fit(data, network.dag, smoothing=smoothing)
        total += network.probability * fitted.predict_proba(rows, target)
    return total


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    target=st.integers(0, 3),
    smoothing=st.sampled_from(["bdeu", "k2"]),
    weighted=st.booleans(),
)
def test_prediction_is_an_average_over_networks(seed: int, target: int, smoothing: str, weighted: bool) -> None:
    data, rows = random_data(4, 60, seed, weighted=weighted), random_data(4, 12, seed + 1)
    found = credible_networks(data, bayes_factor=5)
    name = f"v{target}"
    expected = slow_prediction(found, rows, name, data, smoothing)
    predicted = found.predict_proba(rows, name, data=data, smoothing=smoothing)
    np.testing.assert_allclose(predicted, expected, rtol=1e-9)
    np.testing.assert_allclose(predicted.sum(axis=1), 1.0)
    labels = found.predict(rows, name, data=data, smoothing=smoothing)
    assert labels == [data.states[name][at] for at in predicted.argmax(axis=1)]


def test_prediction_of_rows_with_gaps() -> None:
    data = random_data(4, 80, 5)
    found = credible_networks(data, bayes_factor=5)
    frame = random_data(4, 10, 6).to_polars().with_columns(pl.all().cast(pl.String))
    gaps = frame.with_row_index().with_columns(
        pl.when(pl.col("index") % 3 == 0).then(None).otherwise(pl.col("v0")).alias("v0")
    )
    rows = Dataset.from_frame(gaps.drop("index"), missing="keep")
    expected = slow_prediction(found, rows, "v2", data, "bdeu")
    np.testing.assert_allclose(found.predict_proba(rows, "v2", data=data), expected, rtol=1e-9)
    fewer = rows.select(["v1", "v3"])
    expected = slow_prediction(found, fewer, "v2", data, "bdeu")
    np.testing.assert_allclose(found.predict_proba(fewer, "v2", data=data), expected, rtol=1e-9)


def test_prediction_mistakes() -> None:
    data = random_data(4, 40, 1)
    found = credible_networks(data, bayes_factor=3)
    with pytest.raises(ArgumentError, match="target must be"):
        found.predict(data, "w", data=data)
    with pytest.raises(DataError, match="do not have"):
        found.predict(data, "v1", data=data.select(["v1", "v2"]))
    with pytest.raises(ArgumentError, match="rows must be a Dataset"):
        found.predict([[1]], "v1", data=data)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 5),
    score=st.sampled_from(["bdeu", "bic", "k2", "qnml"]),
    prior=st.sampled_from(["uniform", "fair", "edge"]),
    limited=st.sampled_from([None, "parents", "knowledge"]),
)
def test_covered_mass(seed: int, n: int, score: str, prior: str, limited: str | None) -> None:
    data = random_data(n, 40, seed)
    options: dict[str, object] = {"score": score, "prior": prior}
    if limited == "parents":
        options["max_parents"] = 1
    if limited == "knowledge" and n > 1:
        options["knowledge"] = Knowledge(forbidden=[("v0", "v1")])
    found = credible_networks(data, bayes_factor=4, **options)  # type: ignore[arg-type]
    whole = credenet.score_families(data, slack=1e6, **options)  # type: ignore[arg-type]
    scores = all_scores(whole)
    total = np.exp(scores - scores.max()).sum()
    inside = math.fsum(math.exp(network.score - scores.max()) for network in found.listing.networks())
    assert found.covered_mass(data) == pytest.approx(inside / total, rel=1e-9)


def test_covered_mass_of_data_with_a_constant_column() -> None:
    frame = random_data(3, 50, 2).to_polars().with_columns(pl.lit("x").alias("constant"))
    with_it, without = Dataset.from_frame(frame), Dataset.from_frame(frame.drop("constant"))
    shares = [credible_networks(data, bayes_factor=3).covered_mass(data) for data in (with_it, without)]
    assert shares[0] == pytest.approx(shares[1], rel=1e-12)
    everything = credible_networks(without, slack=1e3)
    assert everything.n_networks == 25
    assert everything.covered_mass(without) == pytest.approx(1.0, rel=1e-12)


@settings(max_examples=120, deadline=None)
@given(hard_cases(), st.sampled_from([0.0, math.log(3), 3.0, 1e3]))
def test_covered_mass_is_that_over_all_networks(case: tuple[Dataset, dict[str, Any]], slack: float) -> None:
    data, options = case
    scores = [score for _, score in allowed_networks(data, **options)]
    best = max(scores, default=-math.inf)
    found = credible_networks(data, slack=slack, **options)
    if best == -math.inf:
        assert found.optimum is None
        return
    assert found.optimum == pytest.approx(best, abs=1e-9)
    weights = [math.exp(score - best) for score in scores]
    inside = [weight for weight, score in zip(weights, scores, strict=True) if score >= best - slack - 1e-9]
    assert found.n_networks == len(inside)
    assert found.covered_mass(data) == pytest.approx(math.fsum(inside) / math.fsum(weights), rel=1e-9)


def test_a_constant_column_with_a_required_edge() -> None:
    """Networks with the required edge were left out of the sum, and the share was 1 whatever the networks."""
    frame = random_data(3, 30, 4).to_polars().with_columns(pl.lit("x").alias("constant"))
    rules = Knowledge(required=[("constant", "v0")])
    with_it, without = Dataset.from_frame(frame), Dataset.from_frame(frame.drop("constant"))
    found = credible_networks(with_it, bayes_factor=3, knowledge=rules)
    share = credible_networks(without, bayes_factor=3).covered_mass(without)
    assert found.covered_mass(with_it) == pytest.approx(share, rel=1e-9)
    assert share is not None
    assert share < 0.999
    assert found.isolated == ()
    assert ("constant", "v0") in found.edge_probabilities()


@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_number_of_dags(n: int) -> None:
    """With scores of 0 the sum is the number of all DAGs, in which most of it cancels."""
    names = [str(k) for k in range(n)]
    lists = {
        name: [(0.0, [names[k] for k in range(n) if mask >> k & 1]) for mask in range(1 << n) if not mask >> place & 1]
        for place, name in enumerate(names)
    }
    total = credenet.posterior(FamilyTable.from_lists(lists), method="exact").log_evidence
    assert total == pytest.approx(math.log(count_dags(n)), rel=1e-14, abs=1e-14)


def test_total_of_housing() -> None:
    """Another program's sum over all networks, which agrees with itself to 6e-5."""
    data = credenet.read(shared_data("treewidth", "housing.dat.gz"))
    found = credible_networks(data, bayes_factor=20, states="observed")
    assert found.optimum is not None
    weight = math.fsum(math.exp(network.score - found.optimum) for network in found.listing.networks())
    share = found.covered_mass(data)
    assert share is not None
    total = found.optimum + math.log(weight) - math.log(share)
    assert total == pytest.approx(-3074.5431, abs=1e-4)


def wide_data() -> Dataset:
    """Twenty variables, the sum over whose networks takes many seconds."""
    return credenet.random.network(credenet.random.dag(20, max_parents=1, seed=1), n_states=2, seed=1).sample(200)


@pytest.mark.parametrize("how", ["time_limit", "callback"])
def test_a_sum_that_is_stopped_has_no_share(how: str) -> None:
    data = wide_data()
    found = credible_networks(data, score="bic", bayes_factor=1)
    with every_poll():
        if how == "time_limit":
            share = found.covered_mass(data, time_limit=0.01)
        else:
            share = found.covered_mass(data, on_progress=lambda progress: False)
    assert share is None
    assert found.listing.sum_ended == ("time_limit" if how == "time_limit" else "stopped")
    reason = "time was up" if how == "time_limit" else "the sum was stopped"
    assert f"together they hold an unknown share: {reason}" in found.summary(data)
    assert found.to_dict(data)["covered_mass"] is None
    assert found.to_dict(data)["covered_mass_reason"] == reason


@pytest.mark.parametrize("where", ["scoring", "sum"])
def test_ctrl_c_in_the_sum_leaves_the_set(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    data = credenet.datasets.asia(200, seed=1)
    found = credible_networks(data, score="bic")

    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        step = {"scoring": "weights_of_all_families", "sum": "sum_over_dags"}[where]
        patch.setattr(credenet._core, step, interrupt)
        assert found.covered_mass(data) is None
    assert found.listing.sum_ended == "stopped"
    assert "the sum was stopped" in found.summary(data)
    assert found.covered_mass(data) is not None  # The second call asks for it again.
    assert "% of the posterior" in found.summary(data)


def test_memory_for_the_families_of_all_networks() -> None:
    data = credenet.datasets.asia(200, seed=1)
    found = credible_networks(data, score="bds")
    of_the_sum = credenet._core.dag_sums_bytes(data.n_variables, True)
    with pytest.raises(ArgumentError, match="the families of all networks do not fit into memory, of which"):
        found.covered_mass(data, memory_limit=of_the_sum + 10_000)


def test_the_share_is_that_over_networks_that_were_not_scored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scoring that ended at one parent makes a smaller set, not a smaller world."""
    data = random_data(4, 60, 3)

    families = LearningProblem.families

    def scored(*arguments: Any) -> FamilyTable:
        table = families(*arguments).restrict(max_parents=0)
        return table.with_info(replace(table.made, complete=False, status="memory_limit"))

    monkeypatch.setattr(LearningProblem, "families", scored)
    found = credible_networks(data, bayes_factor=3)
    assert found.n_networks == 1
    scores = all_scores(credenet.score_families(data, slack=1e6))
    assert found.optimum is not None
    expected = 1 / math.fsum(np.exp(scores - found.optimum).tolist())
    assert found.covered_mass(data) == pytest.approx(expected, rel=1e-9)


def test_covered_mass_mistakes() -> None:
    data = credenet.datasets.asia(100, seed=1)
    found = credible_networks(data, bayes_factor=3)
    with pytest.raises(ArgumentError, match="data must be those"):
        found.covered_mass(credenet.datasets.asia(100, seed=2))
    with pytest.raises(ArgumentError, match="of memory"):
        found.covered_mass(data, memory_limit=1000)
    families = credenet.score_families(data, slack=3.0)
    unnamed = credible_networks(families.with_info(FamilyTableInfo()), bayes_factor=3)
    with pytest.raises(ArgumentError, match="by its table only"):
        unnamed.covered_mass(data)
    by_table = credible_networks(families, bayes_factor=3)
    assert by_table.covered_mass(data) == pytest.approx(found.covered_mass(data))
    wide = credenet.random.network(credenet.random.dag(45, max_parents=1, seed=1), n_states=2, seed=1).sample(50)
    with pytest.raises(ArgumentError, match="up to 26 variables"):
        credible_networks(wide, bayes_factor=1, max_parents=1).covered_mass(wide)


def test_verify() -> None:
    data = credenet.datasets.asia(400, seed=1)
    families = credenet.score_families(data, score="bic", slack=3.0)
    rules = Knowledge(forbidden=[("xray", "lung")])
    for found, source in (
        (credible_networks(data, score="bic"), data),
        (credible_networks(families, slack=3.0), families),
        (credible_networks(data, score="k2", max_parents=2, knowledge=rules), data),
        (credible_networks(data, score="bic").listing.first(5), data),
    ):
        result = found.verify(source)
        assert result, str(result)
        assert all(check.holds for check in result)
    found = credible_networks(data, score="bic")
    assert not found.verify(credenet.datasets.asia(400, seed=2))
    missing = found.listing.filter(lambda dag: dag != found[3])
    missing = missing._with_findings(replace(missing._findings, is_filtered=False))
    wrong = [check.claim for check in missing.verify(data) if check.holds is False]
    assert wrong == [f"there are {found.n_networks - 1:,} networks"]
    better = credible_networks(families.filter(np.arange(len(families)) > 0), slack=3.0)
    assert not better.verify(families)
