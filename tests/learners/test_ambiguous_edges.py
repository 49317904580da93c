"""Edges whose removals rely on each other, and the search by score that may follow PC and RAI."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, Knowledge, learn
from credenet.errors import ArgumentError
from credenet.methods import PC, RAI
from credenet.priors import InDegree
from credenet.tests import BayesFactor, Oracle
from polls import TimeByHand, every_poll
from slow_independence import nothing_but_names, skeleton

METHODS: list[PC | RAI] = [PC(ambiguous="one"), RAI(ambiguous="one")]


def near_deterministic(seed: int, *, n_variables: int = 6, n_rows: int = 200) -> Dataset:
    """Each variable is a random function of up to two others, nearly always."""
    rng = np.random.default_rng(seed)
    columns: list[Any] = []
    for at in range(n_variables):
        n_states = int(rng.integers(2, 4))
        noise = rng.integers(0, n_states, n_rows)
        if at < 2:
            columns.append(noise)
            continue
        parents = rng.choice(at, size=int(rng.integers(1, 3)), replace=False)
        function = rng.integers(0, n_states, (3, 3))
        first, second = columns[parents[0]], columns[parents[-1]]
        columns.append(np.where(rng.random(n_rows) < 0.03, noise, function[first, second]))
    names = rng.permutation(list("abcdefgh")[:n_variables]).tolist()
    return Dataset({name: list("012") for name in names}, np.column_stack(columns).astype(np.uint8))


def slow_skeleton(data: Dataset, test: BayesFactor, max_order: int) -> set[frozenset[str]]:
    """PC in rounds of 1, 2, 4, ... sets for each pair; the separating sets of a round are read surest first."""
    asked: dict[Any, Any] = {}

    def answer(x: str, y: str, given: tuple[str, ...]) -> tuple[np.float32, bool]:
        if (x, y, given) not in asked:
            found = credenet.independence_test(data, x, y, given, test=test)
            asked[x, y, given] = np.float32(-found.statistic), found.independent
        return asked[x, y, given]  # type: ignore[no-any-return]

    names = sorted(set(data.variables) - set(data.info().constant))
    edges = {pair for pair in combinations(names, 2) if not answer(*pair, ())[1]}
    gone: dict[frozenset[str], tuple[str, ...]] = {}
    refused: dict[tuple[str, str], list[set[str]]] = {}

    def marginal(x: str, y: str) -> float:
        return -credenet.independence_test(data, *sorted((x, y)), test=test).statistic

    def is_circular(x: str, y: str, given: tuple[str, ...]) -> bool:
        ends = ((x, y), (y, x))
        return any(other in gone.get(frozenset((member, end)), ()) for member in given for end, other in ends)

    for order in range(1, max_order + 1):
        near = {
            v: [u for _, u in sorted((-marginal(u, v), u) for u in names if (u, v) in edges or (v, u) in edges)]
            for v in names
        }
        waiting = {pair: in_turn(near, *pair, order) for pair in sorted(edges)}
        size = 1
        while any(waiting.values()):
            found = []
            for (x, y), sets in waiting.items():
                for chosen in sets[:size]:
                    association, independent = answer(x, y, chosen)
                    if independent:
                        found.append((association, np.float32(marginal(x, y)), (x, y), chosen))
                waiting[x, y] = sets[size:]
            for _, _, pair, chosen in sorted(found, key=lambda each: each[:2]):
                if pair not in edges or any(part <= set(chosen) for part in refused.get(pair, [])):
                    continue
                if is_circular(*pair, chosen):
                    refused.setdefault(pair, []).append(set(chosen))
                    continue
                gone[frozenset(pair)] = chosen
                edges.discard(pair)
            waiting = {pair: sets for pair, sets in waiting.items() if pair in edges}
            size *= 2
    return {frozenset(pair) for pair in edges}


def in_turn(near: dict[str, list[str]], x: str, y: str, order: int) -> list[tuple[str, ...]]:
    """The sets of neighbours of x and of y, in turn, each once."""
    sides = [list(combinations([u for u in near[v] if u != other], order)) for v, other in ((x, y), (y, x))]
    sides[1] = [chosen for chosen in sides[1] if not set(chosen) <= set(near[x])]
    listed = []
    for at in range(max(map(len, sides))):
        listed += [tuple(sorted(side[at])) for side in sides if at < len(side)]
    return listed


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), max_order=st.integers(1, 3), ess=st.sampled_from([None, 1.0]))
def test_the_skeleton_is_that_of_the_definition(seed: int, max_order: int, ess: float | None) -> None:
    data, test = near_deterministic(seed), BayesFactor(ess=ess)
    result = learn(data, method=PC(max_order, ambiguous="one"), test=test)
    assert skeleton(result.graph) == slow_skeleton(data, test, max_order)


def test_the_rule_matters_for_such_data() -> None:
    differing = {
        type(method): sum(
            skeleton(learn(data, method=method).graph) != skeleton(learn(data, method=type(method)()).graph)
            for data in map(near_deterministic, range(30))
        )
        for method in METHODS
    }
    assert min(differing.values()) > 5


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_the_oracle_gives_the_class(method: Any) -> None:
    for seed in range(60):
        n = 3 + seed % 20
        dag = credenet.random.dag(n, n_edges=min(n * (n - 1) // 2, n + seed % 7), seed=seed)
        assert learn(nothing_but_names(dag), method=method, test=Oracle(dag)).graph == dag.cpdag()


def nearly_equal() -> Dataset:
    """In y -> z -> x the variable x is nearly z."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 1000)
    z = np.where(rng.random(1000) < 0.3, 1 - y, y)
    x = np.where(rng.random(1000) < 0.005, 1 - z, z)
    return Dataset({name: ["0", "1"] for name in "xyz"}, np.column_stack([x, y, z]).astype(np.uint8))


def test_one_of_two_edges_that_rely_on_each_other_stays() -> None:
    data = nearly_equal()
    assert credenet.independence_test(data, "x", "y", ["z"]).independent
    assert credenet.independence_test(data, "z", "y", ["x"]).independent
    assert skeleton(learn(data, method="pc").graph) == {frozenset("xz")}
    for method in METHODS:
        assert skeleton(learn(data, method=method).graph) == {frozenset("xz"), frozenset("yz")}


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_columns_and_threads_do_not_matter(method: Any) -> None:
    for seed in range(10):
        data = near_deterministic(seed, n_variables=8, n_rows=500)
        result = learn(data, method=method, n_threads=1)
        assert learn(data, method=method, n_threads=3).graph == result.graph
        turned = learn(data.select(data.variables[::-1]), method=method)
        assert turned.graph == result.graph
        assert turned.statistics.tests == result.statistics.tests
        assert all(not strength.independent for strength in result.strengths)
        assert bool(result.verify(data))


@pytest.mark.parametrize("then", ["hill_climb", "tabu"])
@pytest.mark.parametrize("method", [PC, RAI])
def test_a_search_by_score_follows(method: Any, then: Any) -> None:
    data = credenet.datasets.asia(2000, seed=3)
    tested = learn(data, method=method(), test="g2")
    result = learn(data, method=method(then=then), test="g2", score="bic")
    assert isinstance(result.graph, DAG)
    assert result.status == "local_optimum"
    assert result.score is not None
    assert result.score >= credenet.score(data, tested.dag, score="bic").total - 1e-9
    assert result.statistics.tests == tested.statistics.tests
    assert set(result.statistics.stage_seconds) == {"tests", "search"}
    assert result.provenance.method == f"{method.short_name}(then={then})"
    assert result.provenance.test == "g2"
    assert bool(result.verify(data))
    assert result.graph == learn(data, method=method(then=then), test="g2", score="bic", n_threads=3).graph


def test_the_search_obeys_knowledge_and_limits() -> None:
    data = credenet.datasets.asia(2000, seed=3)
    rules = Knowledge(required=[("xray", "asia")], forbidden=[("smoke", "lung"), ("lung", "smoke")])
    result = learn(data, method="rai(then=hill_climb)", knowledge=rules)
    assert rules.violations(result.dag) == []
    limited = learn(data, method="pc(then=hill_climb)", max_parents=1)
    assert max(map(len, limited.dag.parent_indices)) == 1
    fixed = learn(data, method="rai(then=hill_climb)", prior=InDegree({"dysp": 1}))
    assert len(fixed.dag.parents("dysp")) <= 1


def test_a_score_needs_a_search() -> None:
    data = credenet.datasets.asia(200)
    with pytest.raises(ArgumentError, match="rai uses tests of independence alone; it has no score"):
        learn(data, method="rai", score="bic")
    with pytest.raises(ArgumentError, match="then must be hill_climb or tabu"):
        PC(then="astar")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="ambiguous must be both or one"):
        RAI(ambiguous="none")  # type: ignore[arg-type]


def test_tests_that_are_stopped_leave_a_network() -> None:
    data = credenet.datasets.asia(500)
    with every_poll():
        stopped = learn(data, method="pc(then=hill_climb)", on_progress=lambda progress: False)
    assert stopped.status == "stopped"
    assert isinstance(stopped.graph, DAG)
    with every_poll(), TimeByHand(40).set() as hand:
        late = learn(data, method="pc(then=hill_climb)", time_limit=60.0, on_progress=hand)
    assert late.status == "time_limit"
    assert bool(late.verify(data))
