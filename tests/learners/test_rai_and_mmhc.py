"""RAI, MMHC and the bootstrap: the truth from an oracle, slow versions, and what every learner promises."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import DAG, PDAG, Dataset, Knowledge, bootstrap, learn
from credenet.errors import ArgumentError
from credenet.methods import MMHC, PC, RAI
from credenet.scores import LogLikelihood
from credenet.settings.methods import Method
from credenet.tests import Oracle
from credenet.types import Progress
from shared import shared_data
from slow_independence import nothing_but_names, skeleton

BY_TESTS: list[Method] = [RAI(), RAI(variant="published"), MMHC(), MMHC(search="tabu")]


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return credenet.load(shared_data("networks", "alarm.bif.gz")).sample(3000, seed=2)


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return credenet.textbook.asia().sample(2000, seed=3)


def test_the_oracle_gives_the_class() -> None:
    for seed in range(150):
        n = 3 + seed % 20
        dag = credenet.random.dag(n, n_edges=min(n * (n - 1) // 2, n + seed % 7), seed=seed)
        result = learn(nothing_but_names(dag), method="rai", test=Oracle(dag))
        assert result.graph == dag.cpdag()
        assert result.status == "complete"
        assert result.conflicts == ()


def test_as_published_it_may_keep_edges_but_loses_none() -> None:
    wrong = 0
    for seed in range(150):
        dag = credenet.random.dag(12, n_edges=15, seed=seed)
        found = learn(nothing_but_names(dag), method=RAI(variant="published"), test=Oracle(dag)).graph
        assert skeleton(found) >= skeleton(dag)
        wrong += skeleton(found) != skeleton(dag)
    assert 0 < wrong < 75


def test_a_start_leaves_out_pairs(asia: Dataset) -> None:
    start = PDAG.parse("smoke -- lung, smoke -> bronc, bronc -- dysp, either -> xray")
    result = learn(asia, method=RAI(start=start))
    assert skeleton(result.graph) <= skeleton(start)
    assert result.statistics.tests[0] == 4
    with pytest.raises(ArgumentError, match="'weather', which the data do not have"):
        learn(asia, method=RAI(start=DAG.parse("weather -> lung")))


@pytest.mark.parametrize("method", BY_TESTS, ids=str)
@pytest.mark.parametrize("test", ["bayes_factor", "g2"])
def test_threads_change_nothing(method: Method, test: str, alarm: Dataset) -> None:
    one = learn(alarm, method=method, test=test, n_threads=1)
    four = learn(alarm, method=method, test=test, n_threads=4)
    assert one.graph == four.graph
    assert one.statistics.tests == four.statistics.tests
    assert one.verify(alarm)


@pytest.mark.parametrize("method", [method for method in BY_TESTS if isinstance(method, RAI)], ids=str)
@pytest.mark.parametrize("test", ["bayes_factor", "g2"])
def test_the_order_of_columns_changes_nothing(method: Method, test: str, alarm: Dataset) -> None:
    one = learn(alarm, method=method, test=test)
    turned = learn(alarm.select(reversed(alarm.variables)), method=method, test=test)
    assert set(turned.graph.directed) == set(one.graph.directed)  # type: ignore[union-attr]
    assert skeleton(turned.graph) == skeleton(one.graph)


@pytest.mark.parametrize("method", BY_TESTS, ids=str)
def test_knowledge_is_obeyed(method: Method, asia: Dataset) -> None:
    rules = Knowledge(
        required=[("xray", "asia")],
        forbidden=[("smoke", "bronc"), ("either", "lung")],
        tiers=[["either", "lung"], ["smoke", "tub"]],
        not_adjacent=[("bronc", "dysp")],
    )
    result = learn(asia, method=method, knowledge=rules)
    assert rules.violations(result.dag) == []
    assert result.verify(asia)


@pytest.mark.parametrize("method", BY_TESTS, ids=str)
def test_it_stops_with_what_it_has(method: Method, alarm: Dataset) -> None:
    def stop(_: Progress) -> bool:
        return False

    result = learn(alarm.take(np.tile(np.arange(len(alarm)), 200)), method=method, on_progress=stop)
    assert result.status == "stopped"
    assert result.dag is not None
    limited = learn(alarm.take(np.tile(np.arange(len(alarm)), 200)), method=method, time_limit=0.05)
    assert limited.status in ("time_limit", "complete", "local_optimum")


@pytest.fixture(scope="module")
def munin() -> Dataset:
    return credenet.load(shared_data("networks", "munin.bif.gz")).sample(2000, seed=1)


@pytest.mark.parametrize("test", ["bayes_factor", "g2", "cmi"])
@pytest.mark.parametrize("method", [PC(), *BY_TESTS], ids=str)
def test_limits_hold_while_edges_are_many(method: Method, test: str, munin: Dataset) -> None:
    """After tests of pairs munin has some 50,000 edges left, and millions of possible colliders."""
    start = time.process_time()  # CPU time does not depend on other programs.
    result = learn(munin, method=method, test=test, time_limit=0.8, n_threads=1)
    assert time.process_time() - start < 2.5
    assert result.status in ("time_limit", "local_optimum", "complete")
    assert result.dag is not None


INTERRUPTED = """
import json, sys
import numpy as np
import credenet

rng = np.random.default_rng(1)
common = rng.integers(0, 2, 4000)
columns = [np.where(rng.random(4000) < 0.35, rng.integers(0, 2, 4000), common) for _ in range(60)]
data = credenet.Dataset({f"v{k}": ["0", "1"] for k in range(60)}, np.column_stack(columns))

def tell(progress):
    print("begun" if progress.order else "", flush=True)

result = credenet.learn(data, method=sys.argv[1], test="g2", on_progress=tell)
print(json.dumps([result.status, result.graph.n_edges, result.dag.n_edges, sum(result.statistics.tests.values())]))
"""


@pytest.mark.parametrize("method", ["pc", "rai"])
def test_interrupt(method: str) -> None:
    """Ctrl-C between tests returns the graph so far."""
    words = [sys.executable, "-c", INTERRUPTED, method]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == "begun":
                break
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0, err
    status, n_edges, n_extended, n_tests = json.loads(out.splitlines()[-1])
    assert status == "stopped"
    assert n_edges == n_extended > 60
    assert n_tests > 60 * 59 // 2


def slow_neighbours(independent: Any, association: Any, names: list[str], target: str) -> set[str]:
    """Max-min parents and children of one target, all sets of all candidates."""

    def weakest(name: str, others: list[str]) -> float:
        least = float("inf")
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                if independent(name, target, given):
                    return -1.0
                least = min(least, association(name, target, given))
        return least

    chosen: list[str] = []
    while True:
        race = {name: weakest(name, chosen) for name in names if name != target and name not in chosen}
        alive = {name: value for name, value in race.items() if value >= 0}
        if not alive:
            break
        chosen.append(max(alive, key=lambda name: alive[name]))
    for name in list(chosen):
        others = [other for other in chosen if other != name]
        if weakest(name, others) < 0:
            chosen = others
    return set(chosen)


def test_max_min_neighbours_by_the_definition() -> None:
    data = credenet.textbook.asia().sample(500, seed=11)
    names = sorted(data.variables)

    def ask(x: str, y: str, given: tuple[str, ...]) -> Any:
        return credenet.independence_test(data, x, y, list(given))

    def association(x: str, y: str, given: tuple[str, ...]) -> float:
        factor = ask(x, y, given).log_bayes_factor
        assert factor is not None
        return -float(factor)

    own = {name: slow_neighbours(lambda x, y, s: ask(x, y, s).independent, association, names, name) for name in names}
    both = {frozenset((a, b)) for a in names for b in own[a] if a in own[b]}
    result = learn(data, method="mmhc", test="bayes_factor")
    assert skeleton(result.graph) <= both
    # A score that rewards every edge joins all pairs that passed.
    full = learn(data, method="mmhc", score=LogLikelihood())
    assert skeleton(full.graph) == both


@pytest.mark.parametrize("method", ["rai", "pc", "mmhc", "hill_climb", "dp"])
def test_a_bootstrap_repeats(method: str, asia: Dataset) -> None:
    first = bootstrap(asia, method=method, n_samples=6, seed=4, n_threads=1)
    again = bootstrap(asia, method=method, n_samples=6, seed=4, n_threads=3)
    assert first == again
    assert first.status == "complete"
    assert first.n_samples == 6
    for pair in first.pairs.values():
        assert pair.joined == pytest.approx(pair.forward + pair.backward + pair.undetermined)
        assert 0 < pair.joined <= 1
    assert first != bootstrap(asia, method=method, n_samples=6, seed=5)
    json.dumps(first.to_dict())


def test_a_bootstrap_counts_what_its_samples_have(asia: Dataset) -> None:
    found = bootstrap(asia, method="pc", n_samples=5, seed=9, test="g2")
    graphs = []
    for sample in range(5):
        rows = np.random.default_rng([9, sample]).integers(0, len(asia), size=len(asia))
        graphs.append(learn(asia.take(rows), method="pc", test="g2", seed=9).graph)
    for a, b in combinations(sorted(asia.variables), 2):
        pair = found[a, b]
        assert pair.joined == pytest.approx(sum(frozenset((a, b)) in skeleton(graph) for graph in graphs) / 5)
        assert pair.forward == pytest.approx(
            sum((a, b) in graph.directed for graph in graphs if isinstance(graph, PDAG)) / 5
        )
        assert found[b, a].backward == pair.forward


def test_a_bootstrap_ends_in_time(asia: Dataset) -> None:
    few = bootstrap(asia, method="rai", n_samples=100_000, time_limit=0.3)
    assert few.status == "time_limit"
    assert few.n_samples < 100_000
    stopped = bootstrap(asia, method="rai", n_samples=50, on_progress=lambda progress: progress.done < 3)
    assert stopped.status == "stopped"


def test_wrong_settings_are_named(asia: Dataset) -> None:
    for wrong, message in (
        (lambda: RAI(max_order=-1), "max_order must be at least 0"),
        (lambda: RAI(variant="best"), "variant must be corrected or published"),  # type: ignore[arg-type]
        (lambda: MMHC(search="ges"), "search must be hill_climb or tabu"),  # type: ignore[arg-type]
        (lambda: bootstrap(asia, n_samples=0), "n_samples must be at least 1"),
        (lambda: learn(asia, method="rai", score="bic"), "it has no score"),
        (lambda: learn(asia, method="hill_climb", test="g2"), "not a test of independence"),
    ):
        with pytest.raises(ArgumentError, match=message):
            wrong()


@pytest.mark.parametrize("method", BY_TESTS, ids=str)
def test_odd_data_are_legal(method: Method) -> None:
    one_row = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.zeros((1, 2), dtype=np.uint8))
    assert learn(one_row, method=method).dag.n_edges == 0
    one_variable = Dataset({"a": ["0", "1"]}, np.array([[0], [1]], dtype=np.uint8))
    assert learn(one_variable, method=method).dag.n_edges == 0
