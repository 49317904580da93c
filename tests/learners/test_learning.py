"""`learn`: tables and data, orders, options that are wrong, results that are checked, read and written."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, FamilyTable, Knowledge, LearnResult, learn
from credenet.errors import ArgumentError, KnowledgeError, WriteError
from credenet.families.tolerance import tolerance
from credenet.methods import DP, ILP, ARAStar, AStar, Auto, AWAStar, BFBnB, OrderSearch
from credenet.settings.methods import Method
from family_strategies import small_data
from polls import Stop, every_poll

EXACT = [
    Auto(),
    DP(),
    AStar(),
    BFBnB(),
    ILP(),
    ARAStar(),
    AWAStar(),
]


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return credenet.textbook.asia().sample(1000, seed=3)


@pytest.mark.parametrize("method", EXACT, ids=repr)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(list("abcde")))
def test_the_optimum_does_not_depend_on_the_order_of_columns(method: Method, seed: int, order: list[str]) -> None:
    data = small_data(seed)
    first = learn(data, method=method)
    second = learn(data.select(order), method=method)
    assert first.score is not None
    assert second.score == pytest.approx(first.score, abs=tolerance(first.score))


def test_columns_with_one_state_stay_alone(asia: Dataset) -> None:
    codes = np.column_stack([np.asarray(asia.codes), np.zeros(len(asia), dtype=np.uint8)])
    data = Dataset({**asia.states, "constant": ["only"]}, codes)
    result = learn(data, score="bic")
    assert result.isolated == ("constant",)
    assert result.dag.parents("constant") == ()
    assert result.dag.children("constant") == ()
    best = learn(asia, score="bic")
    assert result.score == pytest.approx(best.score)


def test_independent_parts_are_learned_apart() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 2, (4000, 6))
    codes = np.concatenate([base, np.where(rng.random((4000, 6)) < 0.1, 1 - base, base)], axis=1)
    data = Dataset({f"v{k}": ["0", "1"] for k in range(12)}, codes)
    result = learn(data, score="bic", method="dp")
    assert result.statistics.components == (2, 2, 2, 2, 2, 2)
    assert result.dag.n_edges == 6


@pytest.mark.parametrize("method", ["dp", "astar", "order_search", "auto"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(list("abcde")))
def test_a_given_order(method: str, seed: int, order: list[str]) -> None:
    data = small_data(seed)
    result = learn(data, score="bic", method=method, order=order)
    families = credenet.score_families(data, score="bic", slack=1e6)
    expected = math.fsum(families.best(name, available=order[:k]).score for k, name in enumerate(order))
    assert result.status == "optimal"
    assert result.score == pytest.approx(expected)
    places = {name: k for k, name in enumerate(order)}
    assert all(places[a] < places[b] for a, b in result.dag.edges)


class TestTables:
    def test_options_must_be_those_of_the_table(self, asia: Dataset) -> None:
        families = credenet.score_families(asia, score="bic", max_parents=2)
        assert learn(families, score="bic", prior="uniform").status == "optimal"
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"score": "bdeu"}, "the table was made with the score bic, not bdeu"),
            ({"prior": "edge"}, "the table was made with the prior uniform"),
            ({"states": "observed"}, "the table was made with the states declared"),
            ({"max_parents": 3}, "max_parents is 3, but the table was made with at most 2 parents"),
            ({"method": "chow_liu"}, "chow_liu needs the data"),
        ]
        for options, message in wrong:
            with pytest.raises(ArgumentError, match=message):
                learn(families, **options)

    def test_a_table_pruned_without_the_knowledge_is_refused(self, asia: Dataset) -> None:
        families = credenet.score_families(asia, score="bic")
        rules = Knowledge(required=[("asia", "xray")])
        with pytest.raises(KnowledgeError, match="'asia' -> 'xray' is required, but the table was pruned"):
            learn(families, knowledge=rules)
        made = credenet.score_families(asia, score="bic", knowledge=rules)
        assert ("asia", "xray") in learn(made).dag.edges
        assert ("asia", "xray") in learn(made, knowledge=rules).dag.edges

    def test_edges_can_still_be_forbidden(self, asia: Dataset) -> None:
        rules = Knowledge(forbidden=[("either", "xray"), ("xray", "either")])
        families = credenet.score_families(asia, score="bic")
        direct = learn(asia, score="bic", knowledge=rules)
        assert learn(families, knowledge=rules).score == pytest.approx(direct.score)

    def test_a_table_that_is_not_complete_says_so(self, asia: Dataset) -> None:
        families = credenet.score_families(asia, score="bic", candidates={"xray": ["asia"]})
        result = learn(families)
        assert result.provenance.complete is False
        assert (result.scope, result.gap) == ("table", 0.0)
        assert "optimal among the families of the table" in repr(result)


def test_too_little_memory_is_refused_with_the_figure(hard: FamilyTable) -> None:
    with pytest.raises(ArgumentError, match=r"dp needs .* PB for the 60 variables .* astar and bfbnb"):
        learn(hard, method="dp")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "dpp"}, "method must be a method or one of auto, dp, astar"),
        ({"time_limit": 0}, "time_limit must be a positive number, got"),
        ({"memory_limit": -1}, "memory_limit must be a positive number, got"),
        ({"max_parents": -1}, "max_parents must be at least 0"),
        ({"score": "bick"}, "score must be"),
    ],
)
def test_wrong_options(asia: Dataset, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        learn(asia, **options)


def test_a_claim_that_is_wrong_is_found(asia: Dataset) -> None:
    from dataclasses import replace

    result = learn(asia, score="bic")
    assert result.score is not None
    other = learn(asia.take(slice(0, 500)), score="bic")
    wrong: list[LearnResult] = [
        replace(result, score=result.score + 0.01),
        replace(result, bound=result.score - 1),
        replace(other, score=result.score, bound=result.score),
        replace(result, provenance=replace(result.provenance, knowledge=Knowledge(forbidden=[result.dag.edges[0]]))),
        replace(result, provenance=replace(result.provenance, max_parents=0)),
    ]
    for claim in wrong:
        assert not claim.verify(asia), str(claim.verify(asia))
    empty = learn(asia, score="bic", max_parents=0)
    free = replace(empty, provenance=replace(empty.provenance, max_parents=None))
    assert not free.verify(asia)
    assert not result.verify(asia.take(slice(0, 999)))


def test_results_can_be_read(asia: Dataset, tmp_path: Any) -> None:
    import json

    result = learn(asia, score="bic", method="astar")
    assert repr(result).startswith("<LearnResult 8 variables, ")
    assert "optimal in" in repr(result)
    text = str(result)
    assert all(f"{a} -> {b}" in text for a, b in result.dag.edges)
    contents = json.loads(result.to_json())
    assert contents["status"] == "optimal"
    assert contents["score"] == result.score
    assert "<svg" in result._repr_html_()
    result.save_trace(tmp_path / "bounds.csv")
    lines = (tmp_path / "bounds.csv").read_text().splitlines()
    assert lines[0] == "seconds,score,bound"
    assert len(lines) == len(result.trace) + 1
    result.save_trace(tmp_path / "bounds.svg")
    assert (tmp_path / "bounds.svg").read_text().count("<svg") == 1
    with pytest.raises(ArgumentError, match=r"\.csv, \.svg"):
        result.save_trace(tmp_path / "bounds.xlsx")
    assert [p.bound for p in result.trace] == sorted((p.bound for p in result.trace), reverse=True)
    assert [p.score for p in result.trace] == sorted(p.score for p in result.trace)


def test_limits_that_leave_no_families_are_not_taken_for_contradictions(asia: Dataset) -> None:
    result = learn(asia, memory_limit=100, score="bic")
    assert result.status == "memory_limit"
    assert result.score is None
    assert result.dag.n_edges == 0


def test_a_folder_that_cannot_be_written_is_named(asia: Dataset) -> None:
    with pytest.raises(WriteError, match="cannot write scratch file '/proc"):
        learn(asia, score="bic", method=BFBnB(scratch_dir="/proc/nothing"))


def test_an_order_search_without_end_needs_a_limit(asia: Dataset) -> None:
    with pytest.raises(ArgumentError, match="give a time_limit"):
        learn(asia, method=OrderSearch(iterations=0))
    assert learn(asia, method=OrderSearch(iterations=0), time_limit=0.3).score is not None


def test_results_as_frames_networks_and_files(asia: Dataset, tmp_path: Path) -> None:
    result = learn(asia, score="bic")
    frame = result.to_polars()
    assert [tuple(row[:2]) for row in frame.iter_rows()] == list(result.dag.edges)
    free = {frozenset(pair) for pair in result.cpdag.undirected}
    assert [frozenset(row[:2]) in free for row in frame.iter_rows()] == [not row[2] for row in frame.iter_rows()]
    assert result.to_pandas().shape == frame.shape
    assert result.fit(asia).dag == result.dag
    result.save(tmp_path / "learned.txt")
    assert credenet.load_graph(tmp_path / "learned.txt") == result.dag
    result.save(tmp_path / "learned.bif", data=asia)
    assert credenet.load(tmp_path / "learned.bif").dag == result.dag
    with pytest.raises(ArgumentError, match=r"learned.net would hold tables"):
        result.save(tmp_path / "learned.net")
    with pytest.raises(ArgumentError, match="path must be"):
        result.save_trace(None)  # type: ignore[arg-type]


def test_a_report_shows_so_many_edges() -> None:
    """A search by tests that is stopped before the first leaves every pair joined."""
    codes = np.random.default_rng(1).integers(0, 2, (50, 80))
    with every_poll():
        result = learn(codes, method="pc", on_progress=Stop())
    assert result.status == "stopped"
    assert result.graph.n_edges == 80 * 79 // 2
    lines = str(result).splitlines()
    first = lines.index("edges (3,160)") + 1
    assert len(lines) == first + 2000 + 1
    assert lines[-1] == "  … and 1,160 more, which to_json() and files have"


def test_variables_without_edges_are_named() -> None:
    """Those that no edge joins, and those that a rule keeps apart, each once."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, 500)
    columns = [first, first ^ (rng.random(500) < 0.1), rng.integers(0, 2, 500), np.zeros(500, dtype=np.int64)]
    data = credenet.Dataset({name: ["0", "1"] for name in "abcd"}, np.stack(columns, axis=1))
    result = learn(data)
    assert {frozenset(edge) for edge in result.dag.edges} == {frozenset("ab")}
    lines = str(result).splitlines()
    assert lines[-1] == "without edges: c"
    assert "isolated       by rule: d" in lines
    assert not any(line.startswith("without edges") for line in str(learn(data.select(["a", "b"]))).splitlines())
