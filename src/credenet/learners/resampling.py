"""`bootstrap`: how often each edge is learned from bootstrap samples of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import credenet
from credenet import _later
from credenet._arguments import show_value, whole_number
from credenet._html import first_rows
from credenet._json import AsJson
from credenet._peers import keyword_advice
from credenet._run.clock import Clock
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._run.workers import check_executor, run_in_workers
from credenet._text import JOINED_HEADERS, count, table
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError, UnknownArgumentError
from credenet.graphs import PDAG
from credenet.learners.learning import learn
from credenet.learners.results import Provenance, Statistics
from credenet.placement.block_samples import BlockSample, BlockTables
from credenet.placement.data_options import USUAL, takes_data
from credenet.placement.placed import PlacedDataset
from credenet.settings.methods import METHODS, Method
from credenet.settings.tests import as_test, chooses_setting, name_of_test
from credenet.structures.edges import Edge
from credenet.structures.pairs import NOT_JOINED, PairProbabilities, Pairs, json_pairs

if TYPE_CHECKING:
    import polars as pl

    from credenet.data.sources import DataLike

_HEADERS = ("variable", "with", *JOINED_HEADERS)
MOST_SAMPLES = 1_000_000  # Samples of a call at most, as their graphs are held in memory.


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EdgeConfidence(AsJson):
    """How often edges were learned from samples of the rows.

    Attributes
    ----------
    pairs
        The pairs that are adjacent in at least one sample, the most frequent first, each with the shares of samples
        that join the two in each way. ``undetermined`` counts samples whose equivalence class, given the knowledge,
        leaves the direction open.
    n_samples
        The number of samples that were learned from.
    status
        ``complete``, or what ended the call before the last sample: ``time_limit`` or ``stopped``.
    statistics, provenance
        Time and work; the method, the data, the seed, and the version of this library.

    Examples
    --------
    >>> import credenet
    >>> confidence = credenet.bootstrap(credenet.datasets.sprinkler(), method="chow_liu", n_samples=5)
    >>> confidence.n_samples, confidence["rain", "wet_grass"].joined
    (5, 1.0)
    """

    variables: tuple[str, ...]
    pairs: Pairs
    n_samples: int
    status: Status
    provenance: Provenance
    statistics: Statistics = field(compare=False)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.pairs)

    def __getitem__(self, pair: Edge) -> PairProbabilities:
        """The shares of a pair, with directions as seen from its first variable."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(f"a pair of names is needed, got {show_value(pair)}")
        for name in pair:
            if name not in self.variables:
                raise ArgumentError(f"there is no variable {name!r}")
        found = self.pairs.get(pair[::-1])
        return self.pairs.get(pair, NOT_JOINED) if found is None else found.turned()

    def pair_probabilities(self) -> Pairs:
        """For each pair that is adjacent in some sample, the shares of samples that join it in each way."""
        return dict(self.pairs)

    def __repr__(self) -> str:
        samples = count(self.n_samples, "sample")
        return f"<EdgeConfidence {count(len(self), 'pair')} of {samples} by {self.provenance.method}, {self.status}>"

    def __str__(self) -> str:
        return table(_HEADERS, self._rows())

    def _repr_html_(self) -> str:
        return first_rows(repr(self)[1:-1], _HEADERS, self._rows(), numbers=(2, 3, 4, 5))

    def _rows(self) -> list[list[str]]:
        return [[a, b, *(f"{share:.3f}" for share in shares)] for a, b, *shares in self._joined_pairs()]

    def _joined_pairs(self) -> list[tuple[str, str, float, float, float, float]]:
        return [(a, b, one.joined, one.forward, one.backward, one.undetermined) for (a, b), one in self.pairs.items()]

    def to_polars(self) -> pl.DataFrame:
        """A row for each pair, with the shares of samples."""
        import polars as pl

        names = ("joined", "forward", "backward", "undetermined")
        schema = {"a": pl.String, "b": pl.String, **dict.fromkeys(names, pl.Float64)}
        return pl.DataFrame(self._joined_pairs(), schema=schema, orient="row")

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "variables": list(self.variables),
            "pair_probabilities": json_pairs(self.pairs),
            "n_samples": self.n_samples,
            "status": self.status,
            "provenance": self.provenance.to_dict(),
        }

    def save(self, path: str | Path) -> None:
        """Writes everything as ``.json``, which `load` reads, or the frame as ``.csv`` or ``.parquet``."""
        _later.io_result_files.save_result(self, path, "shares")

    @classmethod
    def load(cls, path: str | Path) -> EdgeConfidence:
        """The shares in a ``.json`` file that `save` wrote."""
        return _later.io_results_files.load_result(path, cls)


@takes_data(hands_on=True)
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
        A `Dataset`, a data frame, a two-dimensional array or the path of a table.
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
    _check_names(options)
    chosen = METHODS.get(method)
    n = whole_number("n_samples", n_samples, least=1, most=MOST_SAMPLES)
    rows = as_dataset(data)
    if len(rows) == 0:
        raise ArgumentError("bootstrap needs data with at least one row")
    check_executor(executor)
    run = Run.from_limits(time_limit, None, n_threads, on_progress, seed=seed)
    options = options | _settled_test(rows, chosen, options, run)
    work = _Samples(rows, chosen, run.seed, run.clock, options, _block_tables(rows, blocks, executor, run))
    joined = run_in_workers(executor, run, n, work)
    status: Status = "complete"
    if len(joined) < n:
        status = "stopped" if run.stop.is_asked or time_limit is None else "time_limit"
    return EdgeConfidence(
        variables=rows.variables,
        pairs=_shares(joined, rows.variables),
        n_samples=len(joined),
        status=status,
        provenance=Provenance(
            method=str(chosen),
            test=None if options.get("test") is None else name_of_test(as_test(options["test"])),
            n_rows=rows.total_weight,
            data_digest=rows.digest(),
            seed=run.seed,
            version=credenet.__version__,
        ),
        statistics=Statistics(seconds=run.clock.seconds_passed),
    )


def _check_names(options: Mapping[str, Any]) -> None:
    """Raises an error for an option that neither `bootstrap` nor `learn` has."""
    own = [name for name in signature(bootstrap).parameters if name != "options"]
    of_learn = [name for name in signature(learn).parameters if name not in {*own, "options"}]
    unknown = next((name for name in options if name not in {*of_learn, *USUAL}), None)
    if unknown is not None:
        advice = keyword_advice(unknown, [*own, *of_learn, *USUAL])
        raise UnknownArgumentError(f"bootstrap() got an unexpected keyword argument {unknown!r}{advice}")


def _settled_test(rows: Dataset, method: Method, options: Mapping[str, Any], run: Run) -> dict[str, Any]:
    """The test that ``setting="auto"`` chooses on all rows, for all samples; empty if nothing is to be chosen."""
    test = options.get("test")
    if test is None or not chooses_setting(as_test(test)):
        return {}
    result = learn(
        rows,
        method=method,
        seed=run.seed,
        n_threads=run.n_threads,
        time_limit=run.clock.limit(1 / 2),
        on_progress=run.inner_progress,
        **options,
    )
    return {"test": result.provenance.test}


@dataclass(frozen=True, slots=True)
class _Samples:
    """Learns the edges of sample k; pickled for executors with other processes."""

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
            self._draw(sample),
            method=self.method,
            seed=self.seed,
            n_threads=1,
            time_limit=self.clock.limit(),
            on_progress=keep_going,
            **self.options,
        )
        if result.status in ("stopped", "time_limit"):
            return None
        graph = result.graph if isinstance(result.graph, PDAG) else result.cpdag
        edges: Counter[tuple[str, str, bool]] = Counter((a, b, True) for a, b in graph.directed)
        edges.update((a, b, False) for a, b in graph.undirected)
        return edges

    def _draw(self, sample: int) -> Dataset:
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


def _shares(joined: list[Counter[tuple[str, str, bool]]], variables: tuple[str, ...]) -> Pairs:
    total: Counter[tuple[str, str, bool]] = Counter()
    for edges in joined:
        total.update(edges)
    place = {name: at for at, name in enumerate(variables)}
    pairs: Pairs = {}
    for a, b in {(a, b) if place[a] < place[b] else (b, a) for a, b, _ in total}:
        counts = total[a, b, True], total[b, a, True], total[a, b, False] + total[b, a, False]
        shares = (number / len(joined) for number in (*counts, len(joined) - sum(counts)))
        pairs[a, b] = PairProbabilities(*shares)
    ordered = sorted(pairs.items(), key=lambda item: (item[1].absent, place[item[0][0]], place[item[0][1]]))
    return dict(ordered)
