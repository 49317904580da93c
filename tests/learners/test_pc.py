"""PC: the truth from an oracle, the skeleton of a peer, and what every learner promises."""

from __future__ import annotations

import json
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, PDAG, Dataset, Knowledge, learn
from credenet.errors import ArgumentError, KnowledgeError
from credenet.methods import PC
from credenet.tests import G2, BayesFactor, Oracle
from credenet.types import Progress
from graph_strategies import dags
from polls import TimeByHand, every_poll
from shared import shared_data
from slow_independence import nothing_but_names, skeleton


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return credenet.load(shared_data("networks", "alarm.bif.gz")).sample(5000, seed=2)


@pytest.mark.parametrize("orientation", ["recorded", "majority"])
def test_the_oracle_gives_the_class(orientation: Any) -> None:
    for seed in range(120):
        n = 3 + seed % 20
        dag = credenet.random.dag(n, n_edges=min(n * (n - 1) // 2, n + seed % 7), seed=seed)
        result = learn(nothing_but_names(dag), method=PC(orientation=orientation), test=Oracle(dag))
        assert result.graph == dag.cpdag()
        assert result.status == "complete"
        assert result.conflicts == ()
        assert result.score is None


@settings(max_examples=40, deadline=None)
@given(dag=dags(max_size=6))
def test_a_function_is_asked_like_an_oracle(dag: DAG) -> None:
    asked: list[int] = []

    def separated(x: str, y: str, given: tuple[str, ...]) -> bool:
        asked.append(len(given))
        return dag.d_separated(x, y, given)

    result = learn(nothing_but_names(dag), method="pc", test=separated)
    assert result.graph == dag.cpdag()
    assert result.provenance.test == "separated"
    assert sum(result.statistics.tests.values()) <= len(asked)


def test_errors_of_a_function_come_through() -> None:
    def fails(x: str, y: str, given: tuple[str, ...]) -> bool:
        raise ZeroDivisionError(x)

    with pytest.raises(ZeroDivisionError):
        learn(credenet.datasets.asia(), method="pc", test=fails)

    def interrupted(x: str, y: str, given: tuple[str, ...]) -> bool:
        if given:
            raise KeyboardInterrupt
        return False

    result = learn(credenet.datasets.asia(), method="pc", test=interrupted)
    assert result.status == "stopped"
    assert len(skeleton(result.graph)) == 28


@pytest.mark.parametrize("test", ["bayes_factor", BayesFactor(ess=1.0), "g2", "chi2", "cmi"], ids=str)
def test_threads_and_the_order_of_columns_do_not_matter(test: Any, alarm: Dataset) -> None:
    method = PC(max_order=1 if test == "cmi" else 3)  # With few rows the threshold of cmi separates hardly any pair.
    first = learn(alarm, method=method, test=test, n_threads=1)
    second = learn(alarm, method=method, test=test, n_threads=3)
    turned = learn(alarm.select(alarm.variables[::-1]), method=method, test=test)
    assert first.graph == second.graph == turned.graph
    assert first.statistics.tests == second.statistics.tests == turned.statistics.tests
    assert {(*sorted((s.x, s.y)), s.statistic) for s in first.strengths} == {
        (*sorted((s.x, s.y)), s.statistic) for s in turned.strengths
    }
    assert bool(first.verify(alarm)), str(first.verify(alarm))


def slow_skeleton(data: Dataset, test: Any, max_order: int | None = None) -> set[frozenset[str]]:
    """PC-stable by its definition, one test after another."""
    edges = {frozenset(pair) for pair in combinations(data.variables, 2)}
    for order in range(len(data.variables) if max_order is None else max_order + 1):
        before = set(edges)
        near = {v: sorted(u for u in data.variables if frozenset((u, v)) in before) for v in data.variables}
        for x, y in map(sorted, before):
            sets = {s for v in (x, y) for s in combinations([u for u in near[v] if u not in (x, y)], order)}
            if any(credenet.independence_test(data, x, y, s, test=test).independent for s in sets):
                edges.discard(frozenset((x, y)))
    return edges


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), max_order=st.sampled_from([None, 0, 1]))
def test_the_skeleton_is_that_of_one_test_after_another(seed: int, max_order: int | None) -> None:
    network = credenet.random.network(credenet.random.dag(6, n_edges=7, seed=seed), seed=seed)
    data = network.sample(300, seed=seed)
    for test in ("bayes_factor", "g2"):
        result = learn(data, method=PC(max_order), test=test)
        assert skeleton(result.graph) == slow_skeleton(data, test, max_order)
        for strength in result.strengths:
            assert not strength.independent
            again = credenet.independence_test(data, strength.x, strength.y, strength.given, test=test)
            assert again == strength


@pytest.mark.parametrize(("name", "n_rows"), [("asia", 2000), ("sachs", 1000), ("alarm", 2000)])
def test_the_skeleton_is_that_of_causal_learn(name: str, n_rows: int) -> None:
    pytest.importorskip("causallearn")
    data = credenet.load(shared_data("networks", f"{name}.bif.gz")).sample(n_rows, seed=5)
    constant = data.info().constant
    data = data.select([variable for variable in data.variables if variable not in constant])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.PC import pc

        peer = pc(np.asarray(data.codes), 0.05, "gsq", stable=True, show_progress=False)
    marks = peer.G.graph
    joined = {frozenset((data.variables[i], data.variables[j])) for i, j in np.argwhere(marks != 0).tolist() if i < j}
    assert skeleton(learn(data, method="pc", test=G2(0.05, df="adjusted")).graph) == joined


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), rules=st.data(), orientation=st.sampled_from(["recorded", "majority"]))
def test_knowledge_is_obeyed(seed: int, rules: st.DataObject, orientation: Any) -> None:
    names = list("abcdef")
    network = credenet.random.network(credenet.random.dag(names, n_edges=8, seed=seed), seed=seed)
    data = network.sample(200, seed=seed)
    order = rules.draw(st.permutations(names))
    forwards = [(order[i], order[j]) for i, j in combinations(range(6), 2)]
    required = rules.draw(st.lists(st.sampled_from(forwards), max_size=3, unique=True))
    free = [(a, b) for a in names for b in names if a != b and (a, b) not in required]
    forbidden = rules.draw(st.lists(st.sampled_from(free), max_size=12, unique=True))
    tiers = [order[:3], order[3:]] if rules.draw(st.booleans()) else None
    knowledge = Knowledge(required=required, forbidden=forbidden, tiers=tiers)
    result = learn(data, method=PC(orientation=orientation), knowledge=knowledge)
    assert knowledge.violations(result.dag) == []
    graph = result.graph
    assert isinstance(graph, PDAG)
    assert set(required) <= set(graph.directed)
    may = knowledge.allowed(data.variables)
    for a, b in graph.undirected:
        for tail, head in ((a, b), (b, a)):
            assert data.index(tail) in may.candidates[data.index(head)]
    assert bool(result.verify(data))


def test_knowledge_that_leaves_an_edge_no_direction() -> None:
    rng = np.random.default_rng(0)
    common = rng.integers(0, 4, 3000)
    columns = [np.where(rng.random(3000) < 0.3, rng.integers(0, 4, 3000), common) for _ in range(3)]
    data = Dataset({name: list("0123") for name in "abc"}, np.column_stack(columns))
    assert len(skeleton(learn(data, method="pc").graph)) == 3
    knowledge = Knowledge(forbidden=[("a", "b"), ("b", "c"), ("c", "a")])
    result = learn(data, method="pc", knowledge=knowledge)
    assert len(skeleton(result.graph)) == 2
    assert knowledge.violations(result.dag) == []
    assert any("the knowledge leaves it no direction" in conflict for conflict in result.conflicts)


def test_columns_with_one_state_stay_alone() -> None:
    asia = credenet.textbook.asia().sample(500, seed=1)
    codes = np.column_stack([np.asarray(asia.codes), np.zeros(len(asia), dtype=np.uint8)])
    data = Dataset({**asia.states, "constant": ["only"]}, codes)
    result = learn(data, method="pc")
    assert result.isolated == ("constant",)
    assert skeleton(result.graph) == skeleton(learn(asia, method="pc").graph)
    required = learn(data, method="pc", knowledge=Knowledge(required=[("constant", "lung")]))
    assert isinstance(required.graph, PDAG)
    assert ("constant", "lung") in required.graph.directed


def test_little_data() -> None:
    alone = Dataset({"a": ["x", "y"]}, np.array([[0], [1]]))
    assert learn(alone, method="pc").graph == PDAG(["a"])
    row = Dataset({"a": ["x", "y"], "b": ["x", "y"]}, np.array([[0, 1]]))
    for test in ("bayes_factor", "g2", "chi2", "cmi"):
        result = learn(row, method="pc", test=test)
        assert result.graph == PDAG(["a", "b"])
        assert result.isolated == ("a", "b")
    constant = Dataset({name: ["x"] for name in "abc"}, np.zeros((10, 3), dtype=np.uint8))
    assert skeleton(learn(constant, method="pc").graph) == set()


def test_limits_give_the_graph_so_far() -> None:
    rng = np.random.default_rng(1)
    common = rng.integers(0, 2, 4000)
    columns = [np.where(rng.random(4000) < 0.35, rng.integers(0, 2, 4000), common) for _ in range(40)]
    data = Dataset({f"v{k}": ["0", "1"] for k in range(40)}, np.column_stack(columns))
    with every_poll(), TimeByHand(300).set() as hand:
        result = learn(data, method="pc", time_limit=60.0, on_progress=hand)
    assert result.status == "time_limit"
    assert result.dag.n_edges > 0
    assert bool(result.verify(data))
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return False

    stopped = learn(data, method="pc", on_progress=stop)
    assert stopped.status == "stopped"
    assert len(seen) == 1
    assert seen[0].done <= seen[0].total
    assert seen[0].order is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "pc", "score": "bic"}, "pc uses tests of independence alone; it has no score"),
        ({"method": "pc", "max_parents": 2}, "it has no max_parents"),
        ({"method": "pc", "test": "g3"}, "test must be a test"),
        ({"method": "dp", "test": "g2"}, "dp uses a score, not a test"),
        ({"method": "pc", "memory_limit": 1000}, "pc keeps every pair of 8 variables"),
        ({"method": "pc", "test": Oracle(DAG(["a"]))}, "must have the variables of the data"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        learn(credenet.datasets.asia(), **options)


def test_wrong_settings_and_sources() -> None:
    asia = credenet.datasets.asia()
    with pytest.raises(ArgumentError, match="max_order must be at least 0"):
        PC(max_order=-1)
    with pytest.raises(ArgumentError, match="orientation must be recorded or majority"):
        PC(orientation="other")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="pc needs data to test, got FamilyTable"):
        learn(credenet.score_families(asia), method="pc")
    with pytest.raises(KnowledgeError, match="pc cannot honour max_parents; use auto or dp"):
        learn(asia, method="pc", knowledge=Knowledge(max_parents=2))


def test_results_can_be_read() -> None:
    result = learn(credenet.datasets.asia(), method="pc")
    assert "complete in" in repr(result)
    assert "test           bayes_factor" in str(result)
    contents = json.loads(result.to_json())
    assert contents["score"] is None
    assert contents["statistics"]["tests"]["0"] == 28
    assert "order 0" in contents["statistics"]["stage_seconds"]
    assert len(contents["strengths"]) == result.graph.n_edges
    assert {"x", "y", "given", "log_bayes_factor"} <= set(contents["strengths"][0])
