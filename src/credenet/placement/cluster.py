"""Counting on the workers of a Dask cluster.

Each worker holds some of the rows and counts every batch of tables in them; the counts are added up by tasks in a tree,
so that one array comes back. Counts are whole numbers: the sum does not depend on the order, and answers are those of
rows in memory.

The work is done by tasks, not by actors. An actor dies with its worker, and Dask does not make another one; a task is
run again elsewhere, where its worker opens the blocks of the file again. Rows that were sent to a lost worker are sent
again by this process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from distributed import CancelledError, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError
from numpy.typing import NDArray

from credenet import _core
from credenet._text import count
from credenet.data.dataset import Dataset
from credenet.errors import ClusterError
from credenet.placement.shards import (
    FileShard,
    ShardedRows,
    add_cells,
    add_tables,
    cells_of,
    tables_of,
)

if TYPE_CHECKING:
    from credenet.placement.service import Cells, Counts, Members

    Client = Any  # Most of distributed has no types.
    Future = Any

_FAN_IN = 8  # Counts that one task adds up.
_ATTEMPTS = 5  # Attempts at a batch.
_POLL = 0.2  # Seconds between two looks at a batch.
_PATIENCE = 30.0  # Seconds without a worker or a scheduler after which a batch is given up.
_IDLE = 2.0  # Seconds of idle workers after which a batch counts as lost.
_HOLD = 5.0  # Seconds that a batch may still take after Ctrl-C.
_LOSSES = (CancelledError, KilledWorker, CommClosedError)


class ClusterCounts:
    """Counts from row shards on the workers of a cluster, one shard for each of their threads."""

    def __init__(self, data: Dataset, client: Client) -> None:
        self._client = client
        self._address = str(client.scheduler.address)
        self._rows = ShardedRows.of(data, len(self._threads()))
        self._lock = Lock()
        self._homes: list[str] = []
        self._shards: list[Any] = []  # The inputs of tasks: shards of a file, or futures of packed rows.
        self._place()

    @property
    def observed_codes(self) -> Sequence[Sequence[int]]:
        return self._rows.observed

    @property
    def n_rows(self) -> int:
        return self._rows.n_rows

    def __repr__(self) -> str:
        return f"{count(len(self._shards), 'shard')} on the cluster at {self._address}"

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        """All cells of each set, one table after another."""
        found: Counts = self._batch(tables_of, add_tables, self._rows.columns[members], begins)
        return found

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        """The occupied cells of one set of any size, ascending, and their counts."""
        found: tuple[Cells, Counts] = self._batch(cells_of, add_cells, self._rows.columns[members])
        return found

    def _batch(self, work: Callable[..., Any], add: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        """The counts of all shards together; if a worker is lost, the batch is repeated."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                if attempt > 1:
                    self._place()
                return self._result(self._submit(work, add, arguments))
            except _LOSSES as error:
                if attempt == _ATTEMPTS:
                    raise ClusterError(
                        f"the cluster at {self._address} lost the same tables {attempt} times "
                        f"({type(error).__name__}); are its workers killed, perhaps for want of memory?"
                    ) from error
            except ClosedClientError as error:
                raise self._cluster_error() from error
        raise AssertionError

    def _submit(self, work: Callable[..., Any], add: Callable[[Sequence[Any]], Any], arguments: tuple[Any, ...]) -> Any:
        with self._lock:
            placed = list(zip(self._shards, self._homes, strict=True))
        level = [
            self._client.submit(work, shard, *arguments, workers=[home], allow_other_workers=True, pure=False)
            for shard, home in placed
        ]
        while len(level) > 1:
            level = [
                self._client.submit(add, level[begin : begin + _FAN_IN], pure=False)
                for begin in range(0, len(level), _FAN_IN)
            ]
        return level[0]

    def _result(self, future: Future) -> Any:
        """The result of a task, awaited as long as the cluster has a worker."""
        self._wait_for(future)
        try:
            return future.result(timeout=_PATIENCE)
        except TimeoutError as error:
            raise CommClosedError("the counts did not arrive") from error
        except (ImportError, OSError) as error:
            if isinstance(error, CommClosedError):
                raise
            raise ClusterError(
                f"a worker of the cluster at {self._address} cannot count: {error}; "
                "all workers need this version of credenet, and a block file at the same path"
            ) from error

    def _wait_for(self, future: Future) -> None:
        """Waits for the end of a task, unless it is lost, the cluster has gone or Ctrl-C has been held too long."""
        alive = busy = time.monotonic()
        held = None
        while True:
            with suppress(TimeoutError):
                future.exception(timeout=_POLL)  # The result raises the exception again.
                return
            now = time.monotonic()
            if _core.is_interrupt_held():
                held = held or now
                if now - held > _HOLD:
                    raise ClusterError(f"interrupted while the cluster at {self._address} was counting")
            working = self._ask(self._client.processing)
            if working:
                alive = now
            elif now - alive > _PATIENCE:
                raise self._cluster_error()
            if not working or any(working.values()):
                busy = now
            elif now - busy > _IDLE or future.status == "lost":
                raise CancelledError(f"no worker has {future.key}")  # A restart of the scheduler may forget a task.

    def _place(self) -> None:
        """Gives each shard a worker, and sends packed rows that are not there."""
        homes = self._threads()
        with self._lock:
            shards = self._rows.shards
            self._homes = [homes[at % len(homes)] for at in range(len(shards))]
            known = self._shards or [None] * len(shards)
            self._shards = [
                shard if isinstance(shard, FileShard) else self._send(shard, future, home)
                for shard, future, home in zip(shards, known, self._homes, strict=True)
            ]

    def _send(self, shard: Any, future: Future | None, home: str) -> Future:
        if future is not None and future.status == "finished":
            return future
        try:
            return self._client.scatter(shard, workers=[home], hash=False)
        except (KeyError, TimeoutError) as error:
            raise CommClosedError(f"the worker {home} has gone") from error

    def _threads(self) -> list[str]:
        """The workers, each as often as it has threads; some must come before patience ends."""
        end = time.monotonic() + _PATIENCE
        while True:
            workers = self._ask(self._client.nthreads)
            if workers:
                turns = range(max(workers.values()))
                return [worker for turn in turns for worker, number in workers.items() if turn < number]
            if time.monotonic() > end or self._client.status == "closed" or _core.is_interrupt_held():
                raise self._cluster_error()
            time.sleep(_POLL)

    def _ask(self, question: Callable[[], Any]) -> dict[str, Any]:
        """The scheduler's answer for each worker; empty if it does not answer."""
        if self._client.status != "running":
            return {}
        try:
            return dict(question())
        except (OSError, RuntimeError, TimeoutError):
            return {}

    def _cluster_error(self) -> ClusterError:
        if self._client.status == "running":
            return ClusterError(f"the cluster at {self._address} has no workers; start some, or wait for them")
        return ClusterError(f"the scheduler at {self._address} does not answer; is it running?")
