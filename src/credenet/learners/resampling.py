"""`bootstrap`: how often each edge is learned from bootstrap samples of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from credenet._arguments import shown, whole_number
from credenet._html import first_rows
from credenet._json import AsJson
from credenet._run.clock import Clock
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._run.workers import check_executor, in_workers
from credenet._text import JOINED_HEADERS, count, table
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.sources import as_dataset
from credenet.graphs import PDAG
from credenet.learners.learning import learn
from credenet.placement.block_samples import BlockSample, BlockTables
from credenet.placement.placed import PlacedDataset
from credenet.settings.methods import METHODS, Method

if TYPE_CHECKING:
    import polars as pl

    from credenet.families.sources import DataLike

_HEADERS = ("variable", "with", *JOINED_HEADERS)
_MOST_SAMPLES = 1_000_000  # Samples that a call may ask for, as their graphs are held in memory.


class PairConfidence(NamedTuple):
    """The shares of samples in which two variables are joined, and in which direction.

    ``joined`` is the sum of the others; ``undetermined`` are the samples whose equivalence class, given the knowledge,
    leaves the direction open.
    """

    a: str
    b: str
    joined: float
    forward: float
    backward: float
    undetermined: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EdgeConfidence(AsJson):
    """How often edges were learned from samples of the rows.

    Attributes
    ----------
    pairs
        The pairs that are adjacent in at least one sample, the most frequent first.
    n_samples
        The number of samples that were learned from.
    status
        ``complete``, or what ended the call before the last sample: ``time_limit`` or ``stopped``.
    method
        The method and its settings.
    """

    variables: tuple[str, ...]
    pairs: tuple[PairConfidence, ...]
    n_samples: int
    status: Status
    method: str
    seed: int

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[PairConfidence]:
        return iter(self.pairs)

    def __getitem__(self, pair: tuple[str, str]) -> PairConfidence:
        """The shares of a pair, with directions as seen from its first variable."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(f"a pair of names is needed, got {shown(pair)}")
        first, second = pair
        for name in pair:
            if name not in self.variables:
                raise ArgumentError(f"there is no variable {name!r}")
        for found in self.pairs:
            if (found.a, found.b) == (first, second):
                return found
            if (found.b, found.a) == (first, second):
                return PairConfidence(first, second, found.joined, found.backward, found.forward, found.undetermined)
        return PairConfidence(first, second, 0.0, 0.0, 0.0, 0.0)

    def __repr__(self) -> str:
        samples = count(self.n_samples, "sample")
        return f"<EdgeConfidence {count(len(self), 'pair')} of {samples} by {self.method}, {self.status}>"

    def __str__(self) -> str:
        return table(_HEADERS, self._rows())

    def _repr_html_(self) -> str:
        return first_rows(repr(self)[1:-1], _HEADERS, self._rows(), numbers=(2, 3, 4, 5))

    def _rows(self) -> list[list[str]]:
        return [[pair.a, pair.b, *(f"{share:.3f}" for share in pair[2:])] for pair in self.pairs]

    def to_polars(self) -> pl.DataFrame:
        """A row for each pair, with the shares of samples."""
        import polars as pl

        return pl.DataFrame(self.pairs, schema=list(PairConfidence._fields), orient="row")

    def to_pandas(self) -> Any:
        """The same for pandas, which must be installed."""
        from credenet.io.tables.frames import to_pandas

        return to_pandas(self.to_polars())

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "pairs": [pair._asdict() for pair in self.pairs],
            "n_samples": self.n_samples,
            "status": self.status,
            "method": self.method,
            "seed": self.seed,
        }

    def save(self, path: str | Path) -> None:
        """Writes all as ``.json``, which `load` reads, or the frame as ``.csv`` or ``.parquet``."""
        from credenet.io.result_files import save_result

        save_result(self, path, "shares")

    @classmethod
    def load(cls, path: str | Path) -> EdgeConfidence:
        """The shares in a ``.json`` file that `save` wrote."""
        from credenet.io.results.files import load_result

        return load_result(path, cls)


def bootstrap(
    data: DataLike,
    *,
    method: Method | str = "auto",
    n_samples: int = 100,
    seed: int | None = 0,
    time_limit: float | None = None,
    n_threads: int | None = None,
    blocks: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> EdgeConfidence:
    """The share of bootstrap samples in which each pair of variables is adjacent, and in which direction.

    A sample has as many rows as the data, drawn with replacement, each with its weight. Edges are those of the
    equivalence class, given the knowledge: an edge whose direction differs within it counts as undetermined.

    Parameters
    ----------
    data
        A `Dataset`, a data frame or a two-dimensional array.
    method, options
        As for `learn`: any method, with its score, test, knowledge and so on.
    n_samples
        The number of samples.
    seed
        Sample k, and what is learned from it, depend on the seed and k alone. None draws a fresh one, which the result
        tells.
    time_limit
        Seconds; at the limit, unfinished samples are dropped. Ctrl-C does the same.
    n_threads
        The number of samples that are learned from at the same time.
    blocks
        Draw blocks of rows instead of rows: the rows are put into this many random blocks, and the tables of each block
        are counted once for all samples. This pays for 100,000 rows and more. 512 blocks estimate a variance with an
        error of about 6 %; shares of samples differ little from those of the rows.
    executor
        Learns from the samples instead of threads of this process: any `concurrent.futures.Executor`, such as a process
        pool or that of a Dask client, ``client.get_executor()``. The result is the same.

    Examples
    --------
    >>> import credenet
    >>> confidence = credenet.bootstrap(credenet.datasets.asia(), method="rai", n_samples=20)
    >>> confidence["either", "xray"].joined
    0.95
    """
    chosen = METHODS.get(method)
    n = whole_number("n_samples", n_samples, least=1, most=_MOST_SAMPLES)
    rows = as_dataset(data)
    if len(rows) == 0:
        raise ArgumentError("bootstrap needs data with at least one row")
    check_executor(executor)
    run = Run.of(time_limit, None, n_threads, on_progress, seed=seed)
    work = _Samples(rows, chosen, run.seed, run.clock, options, _block_tables(rows, blocks, executor, run))
    joined = in_workers(executor, run, n, work)
    status: Status = "complete"
    if len(joined) < n:
        status = "stopped" if run.stop.is_asked or time_limit is None else "time_limit"
    return EdgeConfidence(
        variables=rows.variables,
        pairs=_shares(joined),
        n_samples=len(joined),
        status=status,
        method=str(chosen),
        seed=run.seed,
    )


@dataclass(frozen=True, slots=True)
class _Samples:
    """The edges learned from sample k; pickled if an executor has other processes."""

    rows: Dataset
    method: Method
    seed: int
    clock: Clock
    options: Mapping[str, Any]
    blocks: BlockTables | None = None

    def __call__(self, sample: int, keep_going: OnProgress) -> Counter[tuple[str, str, bool]] | None:
        if self.clock.is_over:
            return None
        result = learn(
            self._drawn(sample),
            method=self.method,
            seed=self.seed,
            n_threads=1,
            time_limit=None if self.clock.time_limit is None else max(self.clock.left, 1e-3),
            on_progress=keep_going,
            **self.options,
        )
        if result.status in ("stopped", "time_limit"):
            return None
        graph = result.graph if isinstance(result.graph, PDAG) else result.cpdag
        edges: Counter[tuple[str, str, bool]] = Counter((a, b, True) for a, b in graph.directed)
        edges.update((a, b, False) for a, b in graph.undirected)
        return edges

    def _drawn(self, sample: int) -> Dataset:
        seed = [self.seed, sample]
        if self.blocks is not None:
            return PlacedDataset(self.rows, BlockSample(self.blocks, seed))
        return self.rows.take(np.random.default_rng(seed).integers(0, len(self.rows), size=len(self.rows)))


def _block_tables(rows: Dataset, blocks: int | None, executor: Executor | None, run: Run) -> BlockTables | None:
    if blocks is None:
        return None
    number = whole_number("blocks", blocks, least=2)
    if executor is not None:
        raise ArgumentError("blocks are counted once for all samples in this process; leave out blocks or executor")
    if number > len(rows):
        raise ArgumentError(f"blocks must be at most the number of rows, {len(rows)}, got {number}")
    return BlockTables(rows, number, run.seed, run.memory / 2)


def _shares(joined: list[Counter[tuple[str, str, bool]]]) -> tuple[PairConfidence, ...]:
    total: Counter[tuple[str, str, bool]] = Counter()
    for edges in joined:
        total.update(edges)
    pairs = {(min(a, b), max(a, b)) for a, b, _ in total}
    found = []
    for a, b in pairs:
        counts = total[a, b, True], total[b, a, True], total[a, b, False] + total[b, a, False]
        found.append(PairConfidence(a, b, *(number / len(joined) for number in (sum(counts), *counts))))
    return tuple(sorted(found, key=lambda pair: (-pair.joined, pair.a, pair.b)))
