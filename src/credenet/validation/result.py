"""The result of a validation: distances of all candidates, their means and ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._html import first_rows, paragraph
from credenet._json import AsJson
from credenet._run.status import Status
from credenet._text import count, table
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.validation.agreement import Agreement

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


class PartialDistance(NamedTuple):
    """The distance of one candidate's graph from one subsample to the agreed pairs.

    The distance is the sum of extra, missing and misdirected pairs; ``status`` is that of the learning.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.validate(credenet.datasets.asia(1000), scores=["bic", "bdeu"], repetitions=2)
    >>> result.distances[0].distance == sum(result.distances[0][4:7])
    True
    """

    candidate: str
    n_rows: int
    repetition: int
    distance: int
    extra: int
    missing: int
    misdirected: int
    status: Status


class MeanDistance(NamedTuple):
    """The mean distance of one candidate over the subsamples of one size, and its rank among the candidates.

    ``extra``, ``missing`` and ``misdirected`` are means, too; ``per_pair`` is the mean divided by the number of agreed
    pairs. The standard error is None for a single subsample, the rank None if the candidates agree on no edge.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.validate(credenet.datasets.asia(1000), scores=["bic", "bdeu"], repetitions=2)
    >>> sorted({mean.candidate for mean in result.means()})
    ['bdeu', 'bic']
    """

    candidate: str
    fraction: float
    n_rows: int
    repetitions: int
    mean: float
    standard_error: float | None
    extra: float
    missing: float
    misdirected: float
    per_pair: float | None
    rank: int | None


class Standing(NamedTuple):
    """One candidate over all sizes: the mean of its mean distances, its rank, and its distance behind the best.

    ``behind`` is the mean difference of the distances on the same subsamples; its standard error is often smaller than
    those of the means.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.validate(credenet.datasets.asia(1000), scores=["bic", "bdeu"], repetitions=2)
    >>> first = result.ranking()[0]
    >>> first.candidate == result.best, first.behind
    (True, 0.0)
    """

    candidate: str
    rank: int
    mean: float
    standard_error: float | None
    behind: float
    behind_error: float | None


_OVERALL = ("candidate", "rank", "mean distance", "behind the best")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IntersectionValidation(AsJson):
    """The distances of candidates, learning from subsamples, to the pairs on which all agree in the whole data.

    Attributes
    ----------
    candidates
        The names of the candidates, in the order given.
    learned
        What each candidate learned from all rows.
    agreement
        The agreement graph; None if the call ended before all candidates had learned from all rows.
    distances
        The partial Hamming distance of every candidate on every subsample that all of them finished.
    sizes
        The fraction of the rows for each size of the subsamples, the largest size first.
    repetitions
        The number of subsamples of each size that were asked for.
    status
        ``complete``, or what ended the call early: ``time_limit``, ``memory_limit`` or ``stopped``.
    remarks
        What a user should know before relying on the ranking.
    statistics, provenance
        What the work took; the rows (or their total weight) and the digest of the data, the seed, and the version of
        this library.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia(2000, seed=1)
    >>> credenet.validate(data, priors=["uniform", "fair"], repetitions=5)
    <IntersectionValidation 2 candidates, 27 agreed pairs, 7 of them edges, 40 distances, complete>
    """

    candidates: tuple[str, ...]
    learned: Mapping[str, LearnResult]
    agreement: Agreement | None
    distances: tuple[PartialDistance, ...]
    sizes: Mapping[int, float]
    repetitions: int
    status: Status
    provenance: Provenance
    statistics: Statistics = field(compare=False)
    remarks: tuple[str, ...] = ()

    @property
    def can_rank(self) -> bool:
        """Whether distances tell candidates apart: they do not if the candidates agree on no edge."""
        return bool(self.distances) and self.agreement is not None and self.agreement.n_edges > 0

    @property
    def best(self) -> str | None:
        """The candidate of the smallest mean distance, the first given of equal ones; None if there is no ranking."""
        standings = self.ranking()
        return standings[0].candidate if standings else None

    def means(self) -> tuple[MeanDistance, ...]:
        """Mean distances by size, the largest size first, and then by rank."""
        n_pairs = 0 if self.agreement is None else self.agreement.n_pairs
        found = []
        for n_rows, distances in self._by_size().items():
            totals = distances[..., 0].sum(axis=1)
            at_size = []
            for at, name in enumerate(self.candidates):
                mean, error = _mean(distances[at, :, 0])
                extra, missing, misdirected = distances[at, :, 1:].mean(axis=0).tolist()
                at_size.append(
                    MeanDistance(
                        candidate=name,
                        fraction=self.sizes[n_rows],
                        n_rows=n_rows,
                        repetitions=distances.shape[1],
                        mean=mean,
                        standard_error=error,
                        extra=extra,
                        missing=missing,
                        misdirected=misdirected,
                        per_pair=mean / n_pairs if n_pairs else None,
                        rank=1 + int((totals < totals[at]).sum()) if self.can_rank else None,
                    )
                )
            found += sorted(at_size, key=lambda each: each.rank or 0)
        return tuple(found)

    def ranking(self) -> tuple[Standing, ...]:
        """The candidates by their mean distance over all sizes, each of which counts the same.

        There is none without distances, or if the candidates agree on no edge (`can_rank`).
        """
        by_size = [distances[..., 0] for distances in self._by_size().values()]
        if not self.can_rank:
            return ()
        means = [_mean_of_sizes([distances[at] for distances in by_size]) for at in range(len(self.candidates))]
        best = min(range(len(means)), key=lambda at: means[at][0])
        found = []
        for at, name in enumerate(self.candidates):
            rank = 1 + sum(mean < means[at][0] for mean, _ in means)
            behind = _mean_of_sizes([distances[at] - distances[best] for distances in by_size])
            found.append(Standing(name, rank, *means[at], *behind))
        return tuple(sorted(found, key=lambda each: each.rank))

    def _by_size(self) -> dict[int, NDArray[np.int64]]:
        """For each size the distances by candidate, subsample and part: the sum first, then its three parts."""
        listed: dict[tuple[int, str], list[tuple[int, ...]]] = {}
        for each in self.distances:
            parts = (each.distance, each.extra, each.missing, each.misdirected)
            listed.setdefault((each.n_rows, each.candidate), []).append(parts)
        return {
            n_rows: np.array([listed[n_rows, name] for name in self.candidates])
            for n_rows in self.sizes
            if (n_rows, self.candidates[0]) in listed
        }

    def to_polars(self) -> pl.DataFrame:
        """The mean distances as a polars frame: a row for each size and candidate."""
        import polars as pl

        kinds = (pl.String, pl.Float64, pl.Int64, pl.Int64, *(pl.Float64,) * 6, pl.Int64)
        schema = dict(zip(MeanDistance._fields, kinds, strict=True))
        return pl.DataFrame(self.means(), schema=schema, orient="row")

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def plot(self, to: str | Path | Axes | None = None, *, per_pair: bool = False) -> Axes:
        """Matplotlib axes with mean distances and standard errors by number of rows; needs the plot extra.

        Parameters
        ----------
        to
            A file (``.svg``, ``.png``, ``.pdf``), axes to draw into, or nothing for a new figure.
        per_pair
            Draw distances divided by the number of agreed pairs.
        """
        return _later.drawing_validation.plot_distances(self, to, per_pair=per_pair)

    def __repr__(self) -> str:
        agreed = "" if self.agreement is None else f", {_write_agreement(self.agreement)}"
        distances = count(len(self.distances), "distance")
        return (
            f"<IntersectionValidation {count(len(self.candidates), 'candidate')}{agreed}, {distances}, {self.status}>"
        )

    def __str__(self) -> str:
        lines = [repr(self)[1:-1]]
        if self.can_rank:
            lines += ["partial Hamming distance: mean over all sizes, and by number of rows"]
            lines += [table(*self._table())]
        return "\n".join([*lines, *(f"remark: {remark}" for remark in self.remarks)])

    def _repr_html_(self) -> str:
        headers, rows = self._table() if self.can_rank else (["candidate"], [[name] for name in self.candidates])
        remarks = "".join(paragraph(f"remark: {remark}") for remark in self.remarks)
        return first_rows(repr(self)[1:-1], headers, rows, numbers=range(1, len(headers))) + remarks

    def _table(self) -> tuple[list[str], list[list[str]]]:
        """A line for each candidate, the best first: over all sizes, and at each of them."""
        means = {(each.candidate, each.n_rows): each for each in self.means()}
        sizes = list(dict.fromkeys(each.n_rows for each in means.values()))
        rows = []
        for each in self.ranking():
            behind = _write_distance(each.behind, each.behind_error) if each.behind or each.behind_error else ""
            row = [each.candidate, f"{each.rank}", _write_distance(each.mean, each.standard_error), behind]
            at_sizes = (means[each.candidate, n_rows] for n_rows in sizes)
            rows.append(row + [_write_distance(at.mean, at.standard_error) for at in at_sizes])
        return [*_OVERALL, *(f"{n_rows:,} rows" for n_rows in sizes)], rows

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "candidates": [self._candidate(name) for name in self.candidates],
            "agreement": None if self.agreement is None else self.agreement.to_dict(),
            "best": self.best,
            "ranking": [each._asdict() for each in self.ranking()],
            "means": [each._asdict() for each in self.means()],
            "distances": [each._asdict() for each in self.distances],
            "sizes": [[n_rows, fraction] for n_rows, fraction in self.sizes.items()],
            "repetitions": self.repetitions,
            "status": self.status,
            "remarks": list(self.remarks),
            "provenance": self.provenance.to_dict(),
        }

    def _candidate(self, name: str) -> dict[str, Any]:
        """The name of a candidate with what it learned from all rows, if anything."""
        result = self.learned.get(name)
        if result is None:
            return {"name": name}
        return {
            "name": name,
            "status": result.status,
            "score": result.score,
            "directed": [list(edge) for edge in result.cpdag.directed],
            "undirected": [list(edge) for edge in result.cpdag.undirected],
            "provenance": result.provenance.to_dict(),
        }

    def save(self, path: str | Path) -> None:
        """Writes all as ``.json``, which `load` reads, or the frame as ``.csv`` or ``.parquet``."""
        _later.io_result_files.save_result(self, path, "distances")

    @classmethod
    def load(cls, path: str | Path) -> IntersectionValidation:
        """The validation in a ``.json`` file that `save` wrote."""
        return _later.io_results_files.load_result(path, cls)


def _mean(values: NDArray[np.int64]) -> tuple[float, float | None]:
    """The mean and its standard error, which a single value does not have."""
    n = len(values)
    return float(values.mean()), None if n < 2 else float(values.std(ddof=1)) / math.sqrt(n)


def _mean_of_sizes(by_size: list[NDArray[np.int64]]) -> tuple[float, float | None]:
    """The mean of the means of all sizes; their subsamples are drawn independently."""
    means = [_mean(values) for values in by_size]
    mean = math.fsum(each for each, _ in means) / len(means)
    errors = [error for _, error in means if error is not None]
    return mean, math.hypot(*errors) / len(means) if len(errors) == len(means) else None


def _write_distance(mean: float, error: float | None) -> str:
    return f"{mean:.2f}" if error is None else f"{mean:.2f} ± {error:.2f}"


def _write_agreement(agreement: Agreement) -> str:
    return f"{count(agreement.n_pairs, 'agreed pair')}, {agreement.n_edges:,} of them edges"
