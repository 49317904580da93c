"""Credible networks against all networks, on random tables and data."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import brute
import credenet
from credenet import DAG, FamilyTable, Knowledge, credible_networks
from credenet.credible.growth import slack_rounds as stages
from credenet.credible.limit import evidence_level
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.info import FamilyTableInfo
from credenet.knowledge.equivalence import NO_RULES
from credenet.learners.problem import LearningProblem
from credenet.types import Progress
from credibility_tables import SLACKS, WHOLE, check_classes, check_networks, credible, independent_pairs, tables
from polls import CtrlC


@settings(max_examples=250, deadline=None)
@given(families=tables(), slack=SLACKS, n_threads=st.sampled_from([1, 3]))
def test_all_credible_networks(families: FamilyTable, slack: float, n_threads: int) -> None:
    found = credible_networks(families, slack=slack, n_threads=n_threads)
    assert found.status == "complete"
    assert found.complete
    expected = credible(families, slack)
    assert found.optimum == pytest.approx(expected.optimum, abs=1e-9)
    if len(expected.networks) <= 3000:
        check_networks(found, expected)
    else:
        assert found.n_networks == len(expected.networks)


@settings(max_examples=150, deadline=None)
@given(families=tables(4), slack=SLACKS)
def test_classes(families: FamilyTable, slack: float) -> None:
    check_classes(credible_networks(families, slack=slack).classes, credible(families, slack))


@settings(max_examples=150, deadline=None)
@given(families=tables(4, with_empty=False), slack=SLACKS)
def test_families_without_the_empty_set(families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    expected = credible(families, slack)
    if not expected.networks:
        assert found.status == "infeasible"
        assert found.optimum is None
        assert found.n_networks == 0
        assert list(found) == []
        assert list(found.classes) == []
        assert found.edge_probabilities() == {}
    else:
        check_networks(found, expected)


@settings(max_examples=100, deadline=None)
@given(families=tables(4), slack=SLACKS)
def test_a_larger_slack_gives_a_superset(families: FamilyTable, slack: float) -> None:
    smaller = credible_networks(families, slack=slack / 2)
    larger = credible_networks(families, slack=slack)
    assert larger.n_networks >= smaller.n_networks
    assert set(smaller) <= set(larger)


@settings(max_examples=60, deadline=None)
@given(
    families=tables(5),
    slack=st.sampled_from([math.log(3), math.log(20)]),
    data=st.data(),
)
def test_networks_by_rank_and_property(families: FamilyTable, slack: float, data: st.DataObject) -> None:
    found = credible_networks(families, slack=slack)
    assume(found.n_networks <= 500)
    listed = list(found)
    rank = data.draw(st.integers(-len(listed), len(listed) - 1))
    assert found[rank] == listed[rank]
    step = data.draw(st.sampled_from([1, 2, -1]))
    bounds = slice(data.draw(st.integers(-5, 20)), data.draw(st.integers(-5, 20)), step)
    assert found[bounds] == listed[bounds]
    with pytest.raises(IndexError):
        found[len(listed)]
    share = found.probability(lambda dag: dag.n_edges % 2 == 0)
    kept = found.listing.filter(lambda dag: dag.n_edges % 2 == 0)
    wanted = [network for network in found.listing.networks() if network.dag.n_edges % 2 == 0]
    total = math.fsum(network.probability for network in wanted)
    assert share == pytest.approx(total)
    assert list(kept) == [network.dag for network in wanted]
    assert [network.probability for network in kept.listing.networks()] == pytest.approx(
        [network.probability / total for network in wanted]
    )


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_knowledge_and_parent_limits(data: st.DataObject) -> None:
    families = data.draw(tables(4))
    names = families.variables
    pairs = [(a, b) for a in names for b in names if a != b]
    forbidden = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3)) if pairs else []
    limit = data.draw(st.integers(0, 3))
    rules = Knowledge(forbidden=forbidden)
    found = credible_networks(families, slack=1.0, knowledge=rules, max_parents=limit)
    flat = families.flat()
    keep = [
        len(family.parents) <= limit and not any((parent, name) in forbidden for parent in family.parents)
        for name in names
        for family in families.families(name)
    ]
    assert len(keep) == len(flat.scores)
    check_networks(found, credible(families.filter(keep), 1.0))


@settings(max_examples=60, deadline=None)
@given(families=tables(4), k=st.integers(1, 40))
def test_k_best(families: FamilyTable, k: int) -> None:
    found = credenet.k_best(families, k)
    scores = sorted((score for score, _ in credible(families, 1e5).networks.values()), reverse=True)
    last = scores[min(k, len(scores)) - 1]
    check_networks(found, credible(families, max(scores[0] - last, 0.0)))


def test_k_best_of_tables_with_a_slack() -> None:
    data = credenet.datasets.asia(200, seed=1)
    families = credenet.score_families(data, score="bic", slack=3.0)
    by_data, by_table = (credenet.k_best(source, 20, score="bic") for source in (data, families))
    assert by_data.n_networks == by_table.n_networks >= 20
    assert set(by_data) == set(by_table)
    assert set(by_data) <= set(credible_networks(families, slack=3.0))
    with pytest.raises(ArgumentError, match="larger one"):
        credenet.k_best(families, 10**6)
    with pytest.raises(ArgumentError, match="k must be"):
        credenet.k_best(families, 0)


@pytest.mark.parametrize("n", [1, 2, 5, 100])
@pytest.mark.parametrize("k", [0, 1, 3])
def test_numbers_that_no_listing_reaches(n: int, k: int) -> None:
    """Up to k of n pairs are not joined, the others in one of two ways."""
    found = credible_networks(independent_pairs(n), slack=k)
    ways = [math.comb(n, j) * 2 ** (n - j) for j in range(min(k, n) + 1)]
    assert found.n_networks == sum(ways)
    weight = sum(number * math.exp(-j) for j, number in enumerate(ways))
    joined = sum(math.comb(n - 1, j) * 2 ** (n - 1 - j) * math.exp(-j) for j in range(min(k, n - 1) + 1))
    shares = found.edge_probabilities()
    assert len(shares) == 2 * n
    assert all(share == pytest.approx(joined / weight) for share in shares.values())
    first = found[:10]
    assert len(set(first)) == len(first) == min(10, sum(ways))


@pytest.mark.parametrize("k", [0, 1, 3])
def test_numbers_beyond_64_bits(k: int) -> None:
    found = credible_networks(independent_pairs(100), slack=k)
    with pytest.raises(OverflowError, match="n_networks"):
        len(found)
    with pytest.raises(ArgumentError, match="one by one"):
        found.path_probabilities()
    assert found.classes.n_classes == sum(math.comb(100, j) for j in range(k + 1))
    assert found.to_polars(limit=5).height == 5
    assert json.loads(found.to_json())["networks"] == found.n_networks > sys.maxsize


def test_samples_have_the_probabilities() -> None:
    rng = np.random.default_rng(3)
    candidates = [[(), (1,), (2,)], [(), (0,)], [(), (0, 1), (0,)], [(), (0,), (1,), (4,)], [(), (3,)]]
    lists = {
        f"v{child}": [(float(rng.normal(0, 0.7)), [f"v{p}" for p in several]) for several in sets]
        for child, sets in enumerate(candidates)
    }
    found = credible_networks(FamilyTable.from_lists(lists, made=WHOLE), slack=1.5)
    assert len(found._product.components) >= 2
    assert found.n_networks > 10
    drawn = found.sample(20_000, seed=1)
    assert found.sample(50, seed=1) == found.sample(50, seed=1)
    for network in found.listing.networks():
        share = drawn.count(network.dag) / len(drawn)
        assert abs(share - network.probability) < 5 * math.sqrt(network.probability / len(drawn))
    assert set(drawn) <= set(found)


@pytest.mark.parametrize("score", ["bic", "bdeu", "k2", "fnml"])
@pytest.mark.parametrize("prior", ["uniform", "fair"])
def test_data_with_a_constant_column(score: str, prior: str) -> None:
    rng = np.random.default_rng(7)
    columns = {name: rng.integers(0, 2, 40) for name in "abc"}
    columns["d"] = (columns["a"] + columns["b"] + (rng.random(40) < 0.2)) % 2
    columns["e"] = np.zeros(40, dtype=np.int64)
    table = credenet.Dataset.from_frame(pl.DataFrame(columns))
    found = credible_networks(table, score=score, prior=prior, bayes_factor=20)
    assert found.isolated == ("e",)
    whole = credenet.score_families(table, score=score, prior=prior, slack=1e6)
    check_networks(found, credible(whole, math.log(20)))
    check_classes(found.classes, credible(whole, math.log(20)))
    assert all("e" not in edge for edge in found.edge_probabilities())


def test_what_is_asked_for() -> None:
    data = credenet.datasets.asia(200, seed=1)
    by_default = credible_networks(data, score="bic")
    by_slack = credible_networks(data, score="bic", slack=math.log(20))
    assert list(by_default) == list(by_slack)
    assert by_default.listing.bayes_factor == pytest.approx(20)
    assert by_default.optimum is not None
    ratio = 1 + math.log(20) / abs(by_default.optimum)
    by_ratio = credible_networks(data, score="bic", ratio=ratio)
    assert by_ratio.listing.slack == pytest.approx(math.log(20))
    assert set(by_ratio) == set(by_default)
    families = credenet.score_families(data, score="bic", slack=3.5)
    assert set(credible_networks(families, ratio=ratio)) == set(by_default)
    best = credenet.learn(data, score="bic")
    assert by_default.optimum == pytest.approx(best.score)
    assert best.dag in set(by_default)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bayes_factor": 0.5}, "bayes_factor must be a number of at least 1"),
        ({"slack": -1}, "slack must be a number of at least 0"),
        ({"ratio": math.nan}, "ratio must be a number of at least 1"),
        ({"slack": 1, "ratio": 2}, "give one of"),
        ({"score": "mit"}, "no log probability"),
        ({"max_parents": -1}, "max_parents"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": math.nan}, "time_limit"),
        ({"memory_limit": math.nan}, "memory_limit"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        credible_networks(credenet.datasets.asia(100), **options)  # type: ignore[arg-type]


def test_frames_of_fewer_than_no_networks() -> None:
    found = credible_networks(credenet.datasets.asia(100))
    for listed in (found, found.classes):
        with pytest.raises(ArgumentError, match="limit must be at least 0, got -1"):
            listed.to_polars(limit=-1)


def test_slacks_that_cannot_be_told_from_others() -> None:
    table = FamilyTable.from_lists({"a": [(0.0, [])], "b": [(0.0, []), (-1.0, ["a"])]}, made=WHOLE)
    with pytest.raises(ArgumentError, match="slack must be below"):
        credible_networks(table, slack=1e12)


def test_too_little_memory() -> None:
    families = credenet.score_families(credenet.datasets.asia(100), slack=3.0)
    found = credible_networks(families, bayes_factor=20, memory_limit=1000)
    assert (found.status, found.listing.ended_in, found.n_networks) == ("memory_limit", "optimum", 0)
    assert "a larger memory_limit (the search for the best score needs " in str(found)
    best = credenet.learn(families).score
    assert best is not None
    assert found.listing.incumbent is not None
    assert found.listing.incumbent.score <= best <= found.listing.incumbent.bound
    assert families.score_of(found.listing.incumbent.dag) == pytest.approx(found.listing.incumbent.score)


def test_scores_without_a_bayes_factor() -> None:
    data = credenet.datasets.asia(100)
    assert credible_networks(data, score="mit", slack=1.0, max_parents=1).n_networks > 0
    with pytest.warns(UserWarning, match="AIC"):
        credible_networks(data, score="aic", bayes_factor=2, max_parents=2)
    families = credenet.score_families(data, score="mit", slack=3.0, max_parents=1)
    with pytest.raises(ArgumentError, match="no log probability"):
        credible_networks(families)


def test_tables_that_do_not_have_enough() -> None:
    data = credenet.datasets.asia(200)
    families = credenet.score_families(data, score="bic", slack=1.0)
    with pytest.raises(ArgumentError, match="made with a slack of 1"):
        credible_networks(families, bayes_factor=20)
    assert credible_networks(families, slack=1.0).complete
    unknown = credible_networks(families.with_info(FamilyTableInfo()), bayes_factor=20)
    assert not unknown.complete
    assert unknown.status == "complete"
    assert "relative to the networks made of the families of this table" in str(unknown)


def test_knowledge_that_cannot_be_honoured() -> None:
    with pytest.raises(KnowledgeError, match="credible_networks cannot honour ancestral"):
        credible_networks(credenet.datasets.asia(100), knowledge=Knowledge(ancestral=[("smoke", "xray")]))


def test_a_stop_leaves_what_was_found() -> None:
    rng = np.random.default_rng(5)
    names = [f"v{k}" for k in range(12)]
    lists = {
        name: [(0.0, []), *((float(rng.normal(0, 0.5)), [other]) for other in names if other != name)] for name in names
    }
    families = FamilyTable.from_lists(lists, made=WHOLE)
    calls = []

    def stop(progress: Progress) -> bool:
        calls.append(progress)
        return False

    stopped = credible_networks(families, slack=20.0, on_progress=stop)
    assert calls
    assert stopped.status == "stopped"
    assert not stopped.complete
    timed = credible_networks(families, slack=5.0, time_limit=0.3)
    assert timed.status == "time_limit"
    full = credible_networks(families, slack=5.0, memory_limit=3_000_000)
    assert full.status == "memory_limit"
    assert stopped.listing.complete_slack is timed.listing.complete_slack is None
    assert full.listing.complete_slack is not None
    assert 0 < full.listing.complete_slack < 5
    within = credible_networks(families, slack=full.listing.complete_slack)
    assert within.complete
    assert within.n_networks == full.n_networks
    assert set(within[:100]) == set(full[:100])
    assert "there are more networks than fit into memory; complete within a Bayes factor of" in full.summary()
    for found in (stopped, timed, full):
        assert found.n_networks > 0
        first = found[:50]
        assert len(set(first)) == len(first)
        best = credenet.learn(families).score
        assert best is not None
        assert all(families.score_of(dag) >= best - 20.0 - 1e-9 for dag in first)
        assert families.score_of(found.best) == pytest.approx(best)
        assert "at least" in repr(found)


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while networks are listed returns those found so far."""
    monkeypatch.setattr(stages, "LARGEST_AT_ONCE", math.inf)
    names = [f"v{k}" for k in range(14)]
    lists = {name: [(0.0, []), *((-0.1, [other]) for other in names if other != name)] for name in names}
    families = FamilyTable.from_lists(lists, made=WHOLE)
    found = credible_networks(families, slack=20.0, on_progress=CtrlC(5))
    assert found.status == "stopped"
    assert found.n_networks > 0
    assert not found.complete


def test_interrupt_while_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is not forgotten once the families are there: no search begins."""

    families = LearningProblem.families

    def scored(*arguments: Any) -> FamilyTable:
        table = families(*arguments)
        return table.with_info(replace(table.made, complete=False, status="interrupted"))

    monkeypatch.setattr(LearningProblem, "families", scored)
    for find in (credible_networks, credenet.credible_classes):
        found = find(credenet.datasets.asia(100))
        assert found.status == "stopped"
        assert found.optimum is None
        assert found.n_networks == 0


@settings(max_examples=200, deadline=None)
@given(n=st.integers(1, 5), at=st.integers(0, 10**9))
def test_class_sizes(n: int, at: int) -> None:
    arcs = brute.all_dags(n)[at % len(brute.all_dags(n))]
    names = [f"v{k}" for k in range(n)]
    dag = DAG(names, [(names[a], names[b]) for a, b in arcs])
    assert NO_RULES.class_size(dag) == len(brute.members(n, arcs))


def test_size_of_a_large_class() -> None:
    names = [f"v{k}" for k in range(60)]
    path = DAG(names, list(pairwise(names)))
    assert NO_RULES.class_size(path) == 60
    complete = DAG(names[:20], [(a, b) for at, a in enumerate(names[:20]) for b in names[at + 1 : 20]])
    assert NO_RULES.class_size(complete) == math.factorial(20)


def test_frames_and_files(tmp_path: Path) -> None:
    found = credible_networks(credenet.datasets.asia(300, seed=2), score="bic")
    frame = found.to_polars()
    assert frame.height == found.n_networks
    assert frame["rank"].to_list() == list(range(found.n_networks))
    assert frame["probability"].sum() == pytest.approx(1.0)
    assert [DAG.parse(text) for text in frame["network"]] == list(found)
    found.save(tmp_path / "credible.parquet")
    assert pl.read_parquet(tmp_path / "credible.parquet").equals(frame)
    described = json.loads(found.to_json())
    assert described["networks"] == found.n_networks
    assert described["classes"] == found.classes.n_classes
    assert described["complete"] is True


@settings(max_examples=60, deadline=None)
@given(tables(), SLACKS)
def test_frames_hold_the_networks_as_text(families: FamilyTable, slack: float) -> None:
    found = credible_networks(families, slack=slack)
    frame = found.to_polars(limit=300)
    networks = list(islice(found.listing.networks(), 300))
    assert frame["network"].to_list() == ["; ".join(str(one.dag).splitlines()) for one in networks]
    assert frame["score"].to_list() == pytest.approx([one.score for one in networks])
    assert frame["probability"].to_list() == pytest.approx([one.probability for one in networks])


def test_consensus() -> None:
    found = credible_networks(credenet.datasets.asia(1000, seed=2), score="bic")
    shares = found.edge_probabilities()
    assert set(found.consensus().edges) == {edge for edge, share in shares.items() if share > 0.5}
    assert found.consensus(1.0).n_edges == 0
    ring = ["a", "b", "c"]
    lists = {child: [(-1.0, []), (0.0, [ring[at - 1]])] for at, child in enumerate(ring)}
    cyclic = credible_networks(FamilyTable.from_lists(lists, made=WHOLE), slack=0.0)
    assert all(share == pytest.approx(2 / 3) for share in cyclic.edge_probabilities().values())
    assert cyclic.consensus().n_edges == 2


def test_levels_of_evidence() -> None:
    assert [evidence_level(factor) for factor in (1, 2.9, 3, 19.9, 20, 150, 151)] == [
        "anecdotal",
        "anecdotal",
        "positive",
        "positive",
        "strong",
        "strong",
        "very strong",
    ]
    assert credible_networks(credenet.datasets.asia(100)).to_dict()["evidence"] == "strong"
