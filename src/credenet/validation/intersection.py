"""`validate` by intersection-validation: the score, prior or method that recovers most of an unknown network.

All candidates learn from all rows. The pairs on which they agree (an edge, its direction, or no edge) replace the
unknown network. Then all candidates learn from the same smaller subsamples. The partial Hamming distance counts the
agreed pairs on which a learned graph differs. Source: Viinikka, Eggeling and Koivisto (2018).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import credenet
from credenet._arguments import seconds_limit, whole_number
from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._run.workers import check_executor, run_in_workers
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import CredenetError, KnowledgeError
from credenet.learners.learning import learn
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.placement.data_options import takes_data
from credenet.settings.methods import Method
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from credenet.validation.agreement import Agreement, agreement_of, partial_differences
from credenet.validation.candidates import Candidate, candidates_of, check_candidates
from credenet.validation.remarks import agreement_remarks, limit_remarks
from credenet.validation.result import IntersectionValidation, PartialDistance
from credenet.validation.subsamples import check_rows, sample_sizes, subsample

if TYPE_CHECKING:
    from credenet.data.sources import DataLike

_MOST_REPETITIONS = 100_000


@takes_data(hands_on=True)
def validate(
    data: DataLike,
    candidates: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    methods: Method | str | Iterable[Method | str] | None = None,
    scores: Score | str | Iterable[Score | str] | None = None,
    priors: Prior | str | Iterable[Prior | str] | None = None,
    fractions: Iterable[float] = (1 / 2, 1 / 4, 1 / 8, 1 / 16),
    repetitions: int = 10,
    time_limit: float | None = None,
    time_limit_each: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    seed: int | None = 0,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> IntersectionValidation:
    """A ranking of scores, priors or methods by how well they find, in few rows, what all of them find in all rows.

    This needs no true network. Equivalence classes are compared: a pair of variables has no edge, an undirected edge,
    or an edge in one of two directions.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table. Weights must be whole numbers; a
        row of weight w then counts as w rows.
    candidates
        Options of `learn` by name, such as ``{"sparse": {"prior": "fair"}, "tests": {"method": "pc"}}``; or give some
        of the next three.
    methods, scores, priors
        One or several of each, as `learn` takes them; all combinations are candidates. A method that uses no score is
        one candidate.
    fractions
        The sizes of the subsamples, as fractions of the rows.
    repetitions
        The number of subsamples of each size, drawn without replacement; all candidates learn from the same ones.
    time_limit
        Seconds for the whole call. At the limit, subsamples that not all candidates have finished are dropped. Ctrl-C
        does the same.
    time_limit_each
        Seconds for each learning, which then gives the best network found by then; an option ``time_limit`` of a
        candidate replaces it.
    memory_limit
        Bytes for all learnings that run at the same time; by default three quarters of the free memory.
    n_threads
        The number of subsamples that are learned from at the same time.
    seed
        A subsample depends on the seed, its size and its number alone. Without time limits, the same data, options and
        seed give the same result, whatever the number of threads. None draws a fresh one, which the result tells.
    executor
        Learns from the subsamples instead of threads of this process: any `concurrent.futures.Executor`, such as a
        process pool or that of a Dask client, ``client.get_executor()``. The result is the same.
    options
        Other options of `learn` for all candidates, such as ``max_parents``, ``knowledge``, ``tree_width``, ``states``
        or ``test``. What only scores or only tests use is passed to the candidates that use it.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia(2000, seed=1)
    >>> result = credenet.validate(data, priors=["uniform", "fair"], repetitions=5)
    >>> result.best
    'fair'
    """
    check_executor(executor)
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    listed = {"method": methods, "score": scores, "prior": priors}
    chosen = candidates_of(candidates, listed, options, seconds_limit(time_limit_each, "time_limit_each"))
    n = whole_number("repetitions", repetitions, least=1, most=_MOST_REPETITIONS)
    rows = as_dataset(data)
    check_rows(rows)
    sizes = sample_sizes(fractions, rows)
    check_candidates(chosen, rows)
    return _Validation(rows, chosen, sizes, n, run, executor).result()


class _SubsampleTask(NamedTuple):
    """One learning from a subsample."""

    repetition: int
    n_rows: int
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class _Validation:
    """The work of one call."""

    data: Dataset
    candidates: list[Candidate]
    sizes: dict[int, float]
    repetitions: int
    run: Run
    executor: Executor | None = None

    def result(self) -> IntersectionValidation:
        learned, status = self._learn_from_all_rows()
        agreement = None
        distances: tuple[PartialDistance, ...] = ()
        remarks: list[str] = []
        if status == "complete":
            graphs = {name: result.cpdag for name, result in learned.items()}
            agreement = agreement_of(list(graphs.values()))
            remarks += agreement_remarks(agreement, graphs)
            distances, status = self._distances(agreement)
        else:
            missing = [candidate.name for candidate in self.candidates if candidate.name not in learned]
            remarks += [
                f"there is no agreement without {name}, which did not learn from all rows" for name in missing[:1]
            ]
        for candidate in self.candidates:
            own = [each.status for each in distances if each.candidate == candidate.name]
            remarks += limit_remarks(candidate.name, [*_statuses(learned, candidate), *own])
        return IntersectionValidation(
            candidates=tuple(candidate.name for candidate in self.candidates),
            learned=learned,
            agreement=agreement,
            distances=distances,
            sizes=self.sizes,
            repetitions=self.repetitions,
            status=status,
            provenance=Provenance(
                method="intersection_validation",
                n_rows=self.data.total_weight,
                data_digest=self.data.digest(),
                seed=self.run.seed,
                version=credenet.__version__,
            ),
            statistics=Statistics(seconds=self.run.clock.seconds_passed),
            remarks=tuple(remarks),
        )

    def _learn_from_all_rows(self) -> tuple[dict[str, LearnResult], Status]:
        """The graph of each candidate from all rows, learned in turn on all threads; and the status."""
        results: dict[str, LearnResult] = {}
        try:
            for candidate in self.candidates:
                result = self._learn(
                    candidate,
                    self.data,
                    n_threads=self.run.n_threads,
                    memory_limit=self.run.memory,
                    on_progress=self._callback(len(results)),
                )
                if self._was_cut(result):
                    return results, self._end()
                if not result.has_network:
                    return results, result.status
                results[candidate.name] = result
                if self.run.stop.is_asked:
                    return results, "stopped"
        except KeyboardInterrupt:
            return results, "stopped"
        return results, "complete"

    def _distances(self, agreement: Agreement) -> tuple[tuple[PartialDistance, ...], Status]:
        """The distances on all subsamples that all candidates finished, and how the work ended."""
        tasks = [
            _SubsampleTask(repetition, n_rows, candidate)
            for repetition in range(self.repetitions)
            for n_rows in self.sizes
            for candidate in self.candidates
        ]
        memory = self.run.memory / min(self.run.n_threads, len(tasks))
        quiet = replace(self, run=replace(self.run, on_progress=None), executor=None)
        work = _Measuring(quiet, tasks, agreement, memory)
        distances = run_in_workers(self.executor, self.run, len(tasks), work, phase="learning from subsamples")
        finished = Counter((each.n_rows, each.repetition) for each in distances)
        status: Status = "complete" if len(distances) == len(tasks) else self._end()
        every = len(self.candidates)
        return tuple(each for each in distances if finished[each.n_rows, each.repetition] == every), status

    def _learn(self, candidate: Candidate, data: Dataset, **limits: Any) -> LearnResult:
        """The result of a candidate, within its own time limit and the time that is left."""
        ends = [candidate.time_limit, self.run.clock.limit()]
        seconds = min((end for end in ends if end is not None), default=None)
        try:
            result = learn(
                data, method=candidate.method, time_limit=seconds, seed=self.run.seed, **limits, **candidate.options
            )
        except CredenetError as error:
            raise candidate.name_error(error) from error
        if result.status == "infeasible":
            raise KnowledgeError(f"candidate {candidate.name!r}: no network obeys the knowledge")
        return result

    def _callback(self, done: int) -> OnProgress | None:
        """A callback for one learning from all rows, when ``done`` others are finished."""
        run, total = self.run, len(self.candidates)
        on_progress = run.on_progress
        if on_progress is None:
            return None

        def tell(_: Progress) -> bool:
            if not run.stop.is_asked and on_progress(Progress(done, total, phase="learning from all rows")) is False:
                run.stop.is_asked = True
            return not run.stop.is_asked

        return tell

    def _was_cut(self, result: LearnResult) -> bool:
        """Whether the end of the whole call, not a limit of the candidate, ended a learning."""
        return result.status == "stopped" or (result.status == "time_limit" and self.run.clock.is_over)

    def _end(self) -> Status:
        return "time_limit" if self.run.clock.is_over and not self.run.stop.is_asked else "stopped"


@dataclass(frozen=True, slots=True)
class _Measuring:
    """The distance of task k; pickled if an executor has other processes."""

    validation: _Validation
    tasks: list[_SubsampleTask]
    agreement: Agreement
    memory: float

    def __call__(self, number: int, keep_going: OnProgress) -> PartialDistance | None:
        repetition, n_rows, candidate = self.tasks[number]
        whole = self.validation
        if whole.run.clock.is_over:
            return None
        drawn = subsample(whole.data, n_rows, (whole.run.seed, n_rows, repetition))
        result = whole._learn(candidate, drawn, n_threads=1, memory_limit=self.memory, on_progress=keep_going)
        if whole._was_cut(result):
            return None
        parts = partial_differences(self.agreement, result.cpdag)
        return PartialDistance(candidate.name, n_rows, repetition, sum(parts), *parts, result.status)


def _statuses(learned: Mapping[str, LearnResult], candidate: Candidate) -> list[Status]:
    return [learned[candidate.name].status] if candidate.name in learned else []
