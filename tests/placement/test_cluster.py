"""Counting on a Dask cluster: the same answers, with == and without a tolerance, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from all_answers import all_answers, families_of
from commands import answer
from credenet import Dataset, _core
from credenet.errors import ArgumentError, ClusterError, DataError, FormatError, MissingExtraError
from credenet.placement import cluster as cluster_module
from credenet.placement.cluster import ClusterCounts
from credenet.placement.placed import PlacedDataset
from scoring_strategies import datasets

distributed = pytest.importorskip("distributed", reason="needs distributed: pip install credenet[distributed]")

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:distributed", "ignore::pytest.PytestUnraisableExceptionWarning"
)

DATA = credenet.textbook.asia().sample(1500, seed=3)


@contextmanager
def workers(number: int, *, processes: bool = False) -> Iterator[Any]:
    """A client of a cluster on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=number, threads_per_worker=1, processes=processes, dashboard_address=":0"
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def two() -> Iterator[Any]:
    with workers(2) as client:
        yield client


@pytest.fixture
def block_file(tmp_path: Path) -> Dataset:
    path = tmp_path / "rows.cnb"
    return credenet.ingest(DATA, path, block_rows=512, merge="no")


@pytest.mark.parametrize(("number", "in_file"), [(1, True), (2, False), (4, True)])
def test_threads_of_a_cluster_give_the_answers_of_rows_in_memory(
    number: int, in_file: bool, block_file: Dataset
) -> None:
    with workers(number) as client, credenet.placed(block_file if in_file else DATA, cluster=client) as rows:
        assert isinstance(rows, PlacedDataset)
        assert f"{min(number, 3)} shard" in repr(rows)  # The file has three blocks.
        assert all_answers(rows) == all_answers(DATA)


@pytest.fixture(scope="module")
def clusters() -> Iterator[list[Any]]:
    with workers(1) as one, workers(2) as two, workers(4) as four:
        yield [one, two, four]


@settings(max_examples=8, deadline=None)
@given(
    data=datasets(),
    copies=st.integers(1, 20),
    block_rows=st.sampled_from([512, 1024, 1536]),
    merge=st.sampled_from(["yes", "no"]),
)
def test_the_same_answers_everywhere(
    clusters: list[Any], data: Dataset, copies: int, block_rows: int, merge: Any
) -> None:
    data = Dataset(data.states, np.tile(data.codes, (copies, 1)))

    def answers(rows: Dataset) -> list[Any]:
        found = credenet.learn(rows, method="pc")
        return [
            families_of(rows, score="bic", slack=1.0),
            families_of(rows, score="k2", max_parents=2),
            (found.graph, found.strengths),
        ]

    expected = answers(data)
    with tempfile.TemporaryDirectory() as folder:
        in_file = credenet.ingest(data, Path(folder) / "t.cnb", block_rows=block_rows, merge=merge)
        assert answers(in_file) == expected
        for client in clusters:
            for rows in (data, in_file):
                with credenet.placed(rows, cluster=client) as placed:
                    assert answers(placed) == expected


def test_processes_give_the_answers_of_rows_in_memory(block_file: Dataset) -> None:
    dag = credenet.textbook.asia().dag
    with workers(2, processes=True) as client:
        for data in (DATA, block_file):
            with credenet.placed(data, cluster=client) as rows:
                for options in ({"score": "k2", "max_parents": 3}, {"score": "bic", "slack": 1.0}):
                    assert families_of(rows, **options) == families_of(DATA, **options)
                assert credenet.learn(rows, method="pc").strengths == credenet.learn(DATA, method="pc").strengths
                assert credenet.fit(rows, dag) == credenet.fit(DATA, dag)


def test_tables_of_many_cells_and_weights(two: Any) -> None:
    rng = np.random.default_rng(5)
    states = {f"v{at}": [str(k) for k in range(26)] for at in range(4)}
    codes = rng.integers(1, 25, (400, 4))  # The first and the last state do not occur.
    for weights in (None, rng.integers(0, 4, 400)):
        data = Dataset(states, codes, weights=weights)
        with credenet.placed(data, cluster=two) as rows:
            for test in ("bayes_factor", "g2"):
                question = ("v0", "v3", ["v1", "v2"])
                assert credenet.independence_test(rows, *question, test=test) == credenet.independence_test(
                    data, *question, test=test
                )
            dag = credenet.DAG(data.variables, [("v0", "v1"), ("v2", "v1")])
            assert credenet.fit(rows, dag) == credenet.fit(data, dag)


def test_selected_variables_of_a_file(two: Any, block_file: Dataset) -> None:
    names = ["xray", "either", "tub", "lung"]
    with credenet.placed(block_file.select(names), cluster=two) as rows:
        assert families_of(rows, score="bic") == families_of(DATA.select(names), score="bic")
    states = {name: ["more", *DATA.states[name]] for name in names}
    dag = credenet.DAG(names, [("either", "xray")])
    with credenet.placed(block_file.aligned(states), cluster=two) as rows:
        assert families_of(rows, score="bic") == families_of(DATA.aligned(states), score="bic")
        assert credenet.fit(rows, dag) == credenet.fit(DATA.aligned(states), dag)


def test_few_rows(two: Any) -> None:
    for n_rows in (0, 1):
        data = DATA.take(slice(n_rows))
        with credenet.placed(data, cluster=two) as rows:
            assert families_of(rows, score="bdeu") == families_of(data, score="bdeu")


def test_learn_takes_a_client_a_cluster_or_an_address(two: Any) -> None:
    expected = credenet.learn(DATA, method="rai").graph
    for cluster in (two, two.cluster):
        assert credenet.learn(DATA, method="rai", cluster=cluster).graph == expected
    assert two.status == "running"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, protocol="tcp", processes=False, dashboard_address=":0"
    ) as local:
        assert credenet.learn(DATA, method="rai", cluster=local.scheduler_address).graph == expected


def test_every_kind_of_call_takes_a_cluster(two: Any) -> None:
    """With a file or a frame, whose rows are on the workers until the call ends."""
    frame, dag = DATA.to_polars(), credenet.textbook.asia().dag
    assert credenet.score_families(frame, cluster=two) == credenet.score_families(DATA)
    assert credenet.score(frame, dag, cluster=two).local == credenet.score(DATA, dag).local
    assert credenet.fit(frame, dag, cluster=two) == credenet.fit(DATA, dag)
    tested = [credenet.independence_test(DATA, "lung", "smoke", cluster=cluster) for cluster in (two, None)]
    assert tested[0] == tested[1]
    found = [credenet.credible_networks(DATA, bayes_factor=2, cluster=cluster) for cluster in (two, None)]
    assert list(found[0]) == list(found[1])
    sums = [credenet.posterior(DATA, cluster=cluster).log_evidence for cluster in (two, None)]
    assert sums[0] == sums[1]
    effects = [credenet.effects(dag, "smoke", "lung", data=DATA, cluster=cluster) for cluster in (two, None)]
    assert str(effects[0]) == str(effects[1])


def test_the_command_takes_an_address(tmp_path: Path) -> None:
    DATA.save(tmp_path / "rows.csv")
    expected = answer("learn", "rows.csv", "--method", "pc", cwd=tmp_path)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, protocol="tcp", processes=False, dashboard_address=":0"
    ) as local:
        found = answer("learn", "rows.csv", "--method", "pc", "--cluster", local.scheduler_address, cwd=tmp_path)
    for key in ("edges", "undirected", "strengths", "tests"):
        assert found[key] == expected[key]


def test_without_distributed_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install credenet\[distributed\]"):
        credenet.learn(DATA, cluster="tcp://127.0.0.1:9")


def test_wrong_clusters_and_data_are_refused(two: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"cluster must be a distributed\.Client, .* got 3"):
        credenet.learn(DATA, cluster=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a family table has no rows"):
        credenet.learn(credenet.score_families(DATA), cluster=two)
    with pytest.raises(ArgumentError, match="data must be a Dataset"), credenet.placed([1], cluster=two):  # type: ignore[arg-type]
        pass
    weighted = Dataset(DATA.states, DATA.codes, weights=np.full(len(DATA), 0.5))
    with pytest.raises(DataError, match="weights must be whole numbers"):
        credenet.learn(weighted, cluster=two)
    weighted.save(tmp_path / "weighted.cnb")
    with pytest.raises(DataError, match="weights must be whole numbers"):
        credenet.learn(credenet.read(tmp_path / "weighted.cnb"), cluster=two)
    gaps = Dataset({"a": ["x"], "b": ["y"]}, np.array([[0, -1]]))
    with pytest.raises(DataError, match="counting on a cluster needs complete rows"):
        credenet.learn(gaps, cluster=two)


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credenet.placement.calls._CONNECT", 0.5)
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        credenet.learn(DATA, cluster="tcp://127.0.0.1:9")


def test_a_file_that_workers_do_not_see_is_named(two: Any, block_file: Dataset) -> None:
    with credenet.placed(block_file, cluster=two) as rows:
        Path(block_file.file.path).unlink()  # type: ignore[attr-defined]
        with pytest.raises(ClusterError, match=r"cannot count: .*rows\.cnb.*same path"):
            credenet.learn(rows, method="pc")


def test_a_file_that_was_replaced_is_refused(two: Any, block_file: Dataset) -> None:
    with credenet.placed(block_file, cluster=two) as rows:
        credenet.ingest(DATA.take(slice(10)), block_file.file.path)  # type: ignore[attr-defined]
        with pytest.raises(FormatError, match="has changed since it was opened"):
            credenet.learn(rows, method="pc")


class Nth:
    """Does something when so many batches have begun."""

    def __init__(self, patch: pytest.MonkeyPatch, number: int, action: Any) -> None:
        self.n_batches = 0
        submit = ClusterCounts._submit

        def counted(service: ClusterCounts, *arguments: Any) -> Any:
            future = submit(service, *arguments)
            self.n_batches += 1
            if self.n_batches == number:
                action()
            return future

        patch.setattr(ClusterCounts, "_submit", counted)


@pytest.mark.parametrize("in_file", [False, True])
def test_a_worker_killed_in_mid_run_changes_nothing(
    in_file: bool, block_file: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workers(2, processes=True) as client:
        victim = next(iter(client.run(os.getpid).values()))
        batches = Nth(monkeypatch, 3, lambda: os.kill(victim, signal.SIGKILL))
        found = credenet.learn(block_file if in_file else DATA, method="pc", cluster=client)
    expected = credenet.learn(DATA, method="pc")
    assert batches.n_batches > 3
    assert (found.graph, found.strengths, found.status) == (expected.graph, expected.strengths, expected.status)


def test_a_restart_in_mid_run_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with workers(2, processes=True) as client:
        batches = Nth(monkeypatch, 3, client.restart)
        found = credenet.learn(DATA, method="pc", cluster=client)
    expected = credenet.learn(DATA, method="pc")
    assert batches.n_batches > 3
    assert (found.graph, found.strengths, found.status) == (expected.graph, expected.strengths, expected.status)


def test_a_scheduler_that_goes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 1.0)
    with workers(1) as client:
        Nth(monkeypatch, 3, client.cluster.close)
        with pytest.raises(ClusterError, match=r"the scheduler at .* does not answer"):
            credenet.learn(DATA, method="pc", cluster=client)


class Processes:
    """A scheduler and workers that are processes of their own, on this machine alone."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._all: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._all:
            process.kill()
            process.wait()

    def start_scheduler(self) -> None:
        self._start("scheduler", "--port", str(self._port))

    def start_worker(self) -> None:
        self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def kill_scheduler(self) -> None:
        self._all[0].kill()
        self._all[0].wait()

    def _start(self, what: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, "--no-dashboard"]
        quiet = subprocess.DEVNULL
        self._all.append(subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=quiet, stderr=quiet))


@pytest.mark.parametrize("has_worker", [True, False])
def test_a_scheduler_that_is_killed_and_started_again(has_worker: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with Processes() as processes:
        processes.start_scheduler()
        processes.start_worker()
        with distributed.Client(processes.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=60)

            def start_again() -> None:
                processes.kill_scheduler()
                processes.start_scheduler()
                if has_worker:  # The first worker ends with its scheduler.
                    processes.start_worker()

            batches = Nth(monkeypatch, 3, start_again)
            if has_worker:
                found = credenet.learn(DATA, method="pc", cluster=client)
                expected = credenet.learn(DATA, method="pc")
                assert batches.n_batches > 3
                assert (found.graph, found.strengths, found.status) == (
                    expected.graph,
                    expected.strengths,
                    expected.status,
                )
            else:
                monkeypatch.setattr(cluster_module, "_PATIENCE", 1.0)
                with pytest.raises(ClusterError, match=r"has no workers|does not answer"):
                    credenet.learn(DATA, method="pc", cluster=client)


def test_a_cluster_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.5)
    with workers(0) as client, pytest.raises(ClusterError, match="has no workers"):
        credenet.learn(DATA, method="pc", cluster=client)


def test_tables_that_are_lost_again_and_again_are_given_up(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(service: ClusterCounts, future: Any) -> Any:
        raise distributed.CancelledError("x")

    monkeypatch.setattr(ClusterCounts, "_result", lost)
    with pytest.raises(ClusterError, match="lost the same tables 5 times"):
        credenet.learn(DATA, method="pc", cluster=two)


@pytest.fixture
def every_poll_looks() -> Iterator[None]:
    """Not at most ten times a second, as tests do not take that long."""
    _core.set_poll_interval(0.0)
    yield
    _core.set_poll_interval(0.1)


@pytest.mark.usefixtures("every_poll_looks")
def test_ctrl_c_is_a_status(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Nth(monkeypatch, 3, lambda: os.kill(os.getpid(), signal.SIGINT))
    with credenet.placed(DATA, cluster=two) as rows:
        result = credenet.learn(rows, method="pc")
        assert result.status == "stopped"
        assert batches.n_batches >= 3
        assert credenet.learn(rows, method="rai").status == "complete"
