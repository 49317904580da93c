"""Work that goes to an executor: the same results as on threads of this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

import credenet
from credenet import ArgumentError

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
    settings: dict[str, Any] = {"method": "hill_climb", "n_samples": 13, "seed": 4, "knowledge": rules}
    validation: dict[str, Any] = {"priors": ["uniform", "fair"], "repetitions": 3, "fractions": [0.5, 0.1], "seed": 1}
    told: list[credenet.Progress] = []
    with EXECUTORS[kind]() as executor:
        found = credenet.bootstrap(DATA, executor=executor, on_progress=told.append, **settings)
        compared = credenet.intersection_validation(DATA, executor=executor, **validation)
    assert found == credenet.bootstrap(DATA, **settings)
    assert (told[-1].done, told[-1].total) == (13, 13)
    expected = credenet.intersection_validation(DATA, **validation)
    assert compared.distances == expected.distances
    assert compared.to_dict() == expected.to_dict()


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
    assert found.n_samples % 5 == 0  # groups of 40 / (4 * 2)


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
