"""Limits of time and memory hold for every long call, on wide, tall and dense tables.

Time is that of the processor, on one thread, so that a busy machine does not matter. Memory is the resident memory
above that at the start.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from credenet import Dataset, Knowledge
from credenet._run import clock
from credenet.errors import ArgumentError

Call = Callable[..., Any]


@cache
def table(rows: int, columns: int, states: int) -> Dataset:
    """Random codes; the second column is a copy of the first, and every fifth depends on the one before."""
    random = np.random.default_rng(1)
    codes = random.integers(0, states, size=(rows, columns))
    codes[:, 1] = codes[:, 0]
    for column in range(5, columns, 5):
        codes[:, column] = np.where(random.random(rows) < 0.7, codes[:, column - 1], codes[:, column])
    labels = [str(state) for state in range(states)]
    return Dataset({f"v{column}": labels for column in range(columns)}, codes)


TABLES = {"wide": (10, 1500, 2), "tall": (200_000, 20, 3), "dense": (500, 40, 8)}
TALLEST = (500_000, 12, 4)
WIDEST = (10, 5000, 2)


def learner(method: str, **options: Any) -> Call:
    def learn(data: Dataset, **limits: Any) -> Any:
        return credenet.learn(data, method=method, **options, **limits)

    return learn


def with_tiers(method: str) -> Call:
    """Learns with half of the variables before the others, which directs many pairs."""

    def learn(data: Dataset, **limits: Any) -> Any:
        half = data.n_variables // 2
        knowledge = Knowledge(tiers=[data.variables[:half], data.variables[half:]])
        return credenet.learn(data, method=method, knowledge=knowledge, **limits)

    return learn


CALLS: dict[str, Call] = {
    **{
        method: learner(method)
        for method in ("auto", "dp", "astar", "bfbnb", "ilp", "order_search", "hill_climb", "tabu", "pc", "rai", "mmhc")
    },
    **{f"{method} with tiers": with_tiers(method) for method in ("hill_climb", "pc", "rai", "mmhc")},
    "tree_width": learner("auto", tree_width=2),
    "annealing": learner("annealing", tree_width=3),
    "score_families": credenet.score_families,
    "best_first": lambda data, **limits: credenet.score_families(data, search="best_first", **limits),
    "credible_networks": credenet.credible_networks,
    "posterior": credenet.posterior,
    "mcmc": lambda data, **limits: credenet.posterior(data, method="mcmc", **limits),
}


@pytest.fixture
def processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", time.process_time)
    monkeypatch.setattr(clock, "seconds_waited", lambda _: 0.0)


def check_time(call: Call, data: Dataset, limit: float) -> None:
    # What else the machine does may slow one of the tries, not all.
    assert any(seconds_taken(call, data, limit) <= 1.1 * limit + 0.5 for _ in range(3))


def seconds_taken(call: Call, data: Dataset, limit: float) -> float:
    start = time.process_time()
    try:
        call(data, time_limit=limit, n_threads=1)
    except ArgumentError as error:  # The call may be refused before the work begins.
        assert "variables" in str(error) or "memory" in str(error)  # noqa: PT017
    return time.process_time() - start


@pytest.mark.usefixtures("processor_time")
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", CALLS)
def test_time_limits(name: str, kind: str) -> None:
    data = table(*TABLES[kind])
    data.info()
    # The first call imports modules, which must not be measured.
    CALLS[name](credenet.datasets.asia(20), time_limit=0.2, n_threads=1)
    check_time(CALLS[name], data, 0.5)


@pytest.mark.usefixtures("processor_time")
@pytest.mark.parametrize("name", ["auto", "posterior"])
def test_estimates_of_the_cost_of_scoring_keep_to_time_limits(name: str) -> None:
    """With many states, each of the families that are scored for the estimate takes long."""
    data = table(3000, 30, 200)
    data.info()
    CALLS[name](credenet.datasets.asia(20), time_limit=0.2, n_threads=1)
    check_time(CALLS[name], data, 2.0)


@pytest.mark.slow
@pytest.mark.usefixtures("processor_time")
@pytest.mark.parametrize("name", CALLS)
def test_time_limits_on_5000_columns(name: str) -> None:
    check_time(CALLS[name], table(*WIDEST), 10.0)


@pytest.mark.usefixtures("processor_time")
@pytest.mark.parametrize("method", ["pc", "rai"])
def test_tests_of_more_pairs_than_there_is_time_for_do_not_begin(method: str) -> None:
    data = table(*WIDEST)
    start = time.process_time()
    result = credenet.learn(data, method=method, time_limit=0.5, n_threads=1)
    assert time.process_time() - start <= 1.05
    assert result.status == "time_limit"
    assert not result.has_network
    assert "begins with all pairs of 5,000 variables" in str(result)
    assert bool(result.verify(data))
    # What is learned within another call gets what is left of its time.
    start = time.process_time()
    found = credenet.bootstrap(data, n_samples=3, method=method, time_limit=0.5, n_threads=1)
    assert time.process_time() - start <= 1.05
    assert found.status == "time_limit"
    few = credenet.learn(table(10, 200, 2), method=method, time_limit=1e-3, n_threads=1)
    assert few.has_network


def resident_bytes(entry: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{entry}:"))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="resident memory is read from Linux's /proc")
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", CALLS)
def test_memory_limits(name: str, kind: str) -> None:
    check_memory(CALLS[name], table(*TABLES[kind]), 3e8)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="resident memory is read from Linux's /proc")
@pytest.mark.parametrize("limit", [1e7, 4e7, 1e8])
@pytest.mark.parametrize("name", ["auto", "dp", "hill_climb", "pc", "mmhc", "tree_width", "credible_networks"])
def test_memory_limits_near_the_size_of_the_rows(name: str, limit: float) -> None:
    """The codes of the rows take 6 MB; some searches would copy them into ten times as much."""
    check_memory(CALLS[name], table(*TALLEST), limit)


def check_memory(call: Call, data: Dataset, limit: float) -> None:
    data.info()
    call(credenet.datasets.asia(20), time_limit=0.2, n_threads=1)
    release_memory()
    Path("/proc/self/clear_refs").write_text("5")  # This resets the peak of resident memory.
    before = resident_bytes("VmRSS")
    try:
        call(data, time_limit=1.0, memory_limit=limit, n_threads=1)
    except ArgumentError as error:
        assert "memory" in str(error)  # noqa: PT017
    assert resident_bytes("VmHWM") - before <= 1.1 * limit


def release_memory() -> None:
    """Gives what was freed back to the system, so that what is taken afterwards counts."""
    gc.collect()
    with suppress(AttributeError):  # Only the C library of GNU has the function.
        ctypes.CDLL(None).malloc_trim(0)


@pytest.mark.parametrize(
    "call", [credenet.posterior, credenet.score_families, learner("dp"), learner("auto", tree_width=2)]
)
def test_more_variables_than_families_can_have_are_refused_at_once(call: Call) -> None:
    with pytest.raises(
        ArgumentError, match=r"families of at most 4,096 variables can be scored, got 5,000; hill_climb"
    ):
        call(table(*WIDEST))


@pytest.mark.parametrize("method", ["auto", "hill_climb", "tabu", "pc", "rai", "mmhc"])
def test_learners_that_need_no_list_take_more_variables_or_say_what_they_need(method: str) -> None:
    data = table(10, 4200, 2)
    with pytest.raises(ArgumentError, match=r"keeps every pair of 4,200 variables, about .* memory_limit is 100 MB"):
        credenet.learn(data, method=method, memory_limit=1e8)
    result = credenet.learn(data, method="hill_climb", time_limit=0.1)
    assert result.status == "time_limit"
    assert result.has_network


def test_graphs_of_more_variables_are_scored_in_groups() -> None:
    data = table(10, 4200, 2)
    tree = credenet.learn(data, method="chow_liu", score="bic")
    assert tree.score is not None
    assert bool(tree.verify(data)), str(tree.verify(data))
    few = data.select(data.variables[:50])
    edges = [(a, b) for a, b in tree.dag.edges if a in few.variables and b in few.variables]
    expected = credenet.score(few, credenet.DAG(few.variables, edges), score="bic").local
    found = credenet.score(data, credenet.DAG(data.variables, edges), score="bic").local
    assert all(found[name] == expected[name] for name in few.variables)
    with pytest.raises(ArgumentError, match="families of at most 4,096 variables"):
        credenet.score(data, tree.dag, score="mdl")
