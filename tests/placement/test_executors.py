"""Work that goes to an executor: the same results as on threads of this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset, _core
from credenet.errors import ArgumentError
from credenet.scores import MIT
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from credenet.types import Progress
from scoring_strategies import CORE_SCORES, PRIORS, datasets

DATA = credenet.textbook.asia().sample(300, seed=3)


@contextmanager
def dask_executor() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs distributed: pip install credenet[distributed]")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        distributed.Client(local, set_as_default=False) as client,
        client.get_executor() as executor,
    ):
        yield executor


EXECUTORS: dict[str, Callable[[], Any]] = {
    "threads": lambda: ThreadPoolExecutor(3),
    "processes": lambda: ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
    "dask": dask_executor,
}


@pytest.mark.parametrize("kind", EXECUTORS)
def test_an_executor_gives_the_results_of_threads(kind: str) -> None:
    rules = credenet.Knowledge(required=[("smoke", "lung")])
    sampling: dict[str, Any] = {"method": "hill_climb", "n_samples": 13, "seed": 4, "knowledge": rules}
    validation: dict[str, Any] = {"priors": ["uniform", "fair"], "repetitions": 3, "fractions": [0.5, 0.1], "seed": 1}
    told: list[Progress] = []
    with EXECUTORS[kind]() as executor:
        found = credenet.bootstrap(DATA, executor=executor, on_progress=told.append, **sampling)
        compared = credenet.validate(DATA, executor=executor, **validation)
        families = credenet.score_families(DATA, knowledge=rules, slack=1.0, executor=executor)
    assert found == credenet.bootstrap(DATA, **sampling)
    assert (told[-1].done, told[-1].total) == (13, 13)
    expected = credenet.validate(DATA, **validation)
    assert compared.distances == expected.distances
    assert compared.to_dict() == expected.to_dict()
    assert families == credenet.score_families(DATA, knowledge=rules, slack=1.0)


@pytest.fixture
def every_poll_looks() -> Iterator[None]:
    """Not at most ten times a second, as tests do not take that long."""
    _core.set_poll_interval(0.0)
    yield
    _core.set_poll_interval(0.1)


class Delayed(Executor):
    """Does what it is given when its result is asked for."""

    def __init__(self, before: Callable[[int], None]) -> None:
        self.inner = ThreadPoolExecutor(1)
        self.n_submitted = 0
        self.before = before

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        number = self.n_submitted
        self.n_submitted += 1

        def work() -> Any:
            self.before(number)
            return function(*arguments, **options)

        return self.inner.submit(work)


def test_ctrl_c_keeps_what_is_finished() -> None:
    def interrupt(number: int) -> None:
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)

    executor = Delayed(interrupt)
    found = credenet.bootstrap(DATA, method="chow_liu", n_samples=40, n_threads=2, executor=executor)
    executor.inner.shutdown()
    assert found.status == "stopped"
    assert found.n_samples < 40
    assert found.n_samples % 5 == 0  # A group has 40 / (4 * 2) samples.


def test_the_callback_and_the_time_limit_end_the_work() -> None:
    with ThreadPoolExecutor(2) as executor:
        stopped = credenet.bootstrap(
            DATA, method="chow_liu", n_samples=50, executor=executor, on_progress=lambda progress: progress.done < 14
        )
        late = credenet.bootstrap(DATA, method="chow_liu", n_samples=100_000, executor=executor, time_limit=0.3)
    assert (stopped.status, stopped.n_samples) == ("stopped", 14)
    assert late.status == "time_limit"
    assert late.n_samples < 100_000


def test_errors_of_workers_are_raised() -> None:
    with ThreadPoolExecutor(2) as executor, pytest.raises(ArgumentError, match="uses tests of independence alone"):
        credenet.bootstrap(DATA, method="pc", score="bic", n_samples=5, executor=executor)


def test_what_is_no_executor_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"executor must be a concurrent\.futures\.Executor, got 3"):
        credenet.bootstrap(DATA, executor=3)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(
    data=datasets(5, weighted=True),
    score=st.sampled_from(CORE_SCORES),
    prior=st.sampled_from(PRIORS),
    options=st.sampled_from(
        [
            {},
            {"slack": 2.0, "states": "observed"},
            {"max_parents": 2},
            {"up_to_parents": 1},
            {"candidates": {"v0": ["v1", "v3"]}},
            {"search": "best_first", "max_families": 5},
        ]
    ),
    n_workers=st.integers(1, 3),
)
def test_families_of_groups_are_those_of_all(
    data: Dataset, score: Score, prior: Prior, options: dict[str, Any], n_workers: int
) -> None:
    assume("search" not in options or not isinstance(score, MIT))
    assume(data.total_weight >= 1)  # DataPrior refuses a smaller weight.
    expected = credenet.score_families(data, score=score, prior=prior, **options)
    with ThreadPoolExecutor(n_workers) as executor:
        found = credenet.score_families(data, score=score, prior=prior, executor=executor, **options)
    assert found == expected


def test_families_of_large_sets_are_those_of_all() -> None:
    rows = credenet.datasets.asia(500, seed=1)
    noise = np.random.default_rng(5).integers(0, 2, (500, 9))
    states = {**rows.states, **{f"noise{at}": ("0", "1") for at in range(9)}}
    data = Dataset(states, np.hstack([rows.codes, noise]))
    whole = credenet.score_families(data)
    with ThreadPoolExecutor(2) as executor:
        found = credenet.score_families(data, executor=executor)
    assert found == whole
    assert found.made.evaluated != whole.made.evaluated  # The groups count families of their own.


@pytest.mark.usefixtures("every_poll_looks")
def test_families_at_a_limit() -> None:
    with ThreadPoolExecutor(2) as executor:
        late = credenet.score_families(DATA, executor=executor, time_limit=1e-6)
        full = credenet.score_families(DATA, executor=executor, memory_limit=2000.0)
        told: list[Progress] = []

        def stop(progress: Progress) -> bool:
            told.append(progress)
            return progress.done < 2

        stopped = credenet.score_families(DATA, executor=executor, on_progress=stop)
    assert (late.made.status, late.made.complete) == ("stopped", False)
    assert (full.made.status, full.made.complete) == ("memory_limit", False)
    assert (stopped.made.status, stopped.made.complete) == ("stopped", False)
    assert (told[-1].done, told[-1].total) == (2, 8)
    whole = credenet.score_families(DATA)
    assert list(stopped.families(DATA.variables[0])) == list(whole.families(DATA.variables[0]))
    assert not list(stopped.families(DATA.variables[-1]))


def test_ctrl_c_keeps_the_families_that_are_there() -> None:
    def interrupt(number: int) -> None:
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)

    executor = Delayed(interrupt)
    found = credenet.score_families(DATA, n_threads=2, executor=executor)
    executor.inner.shutdown()
    assert (found.made.status, found.made.complete) == ("stopped", False)
    whole = credenet.score_families(DATA)
    scored = [name for name in DATA.variables if list(found.families(name))]
    assert len(scored) < DATA.n_variables
    assert all(list(found.families(name)) == list(whole.families(name)) for name in scored)


def test_a_lost_worker_is_an_error() -> None:
    with (
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=os._exit, initargs=(1,)) as executor,
        pytest.raises(BrokenExecutor),
    ):
        credenet.score_families(DATA, executor=executor)
