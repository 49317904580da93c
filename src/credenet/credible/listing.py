"""The listing of credible networks or classes: its limits, its order, ties, ranks, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._arguments import whole_number
from credenet._run.status import Status
from credenet.credible.limit import factor_of
from credenet.credible.result import Incumbent, Stage, Ties
from credenet.graphs import DAG
from credenet.structures.listing_limit import check_listing
from credenet.structures.products.network_products import ComponentNetworks, NetworkProduct, dag_of
from credenet.structures.weighted_choices import WeightedNetwork
from credenet.structures.weighted_networks import check_predicate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

R = TypeVar("R", bound="CredibleSet | CredibleClasses")


class CredibleListing(Generic[R]):
    """The extent of a listing: its limit, what is missing and why, and the first items.

    Examples
    --------
    >>> import credenet
    >>> classes = credenet.credible_classes(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> classes.listing.bayes_factor
    3.0
    """

    def __init__(self, result: R) -> None:
        self._result = result
        self._findings = result._findings

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._result!r}>"

    @property
    def slack(self) -> float:
        """The largest difference from the best score, in nats."""
        return self._findings.slack

    @property
    def bayes_factor(self) -> float:
        """The largest factor by which the best network is more probable than a credible one."""
        return factor_of(self.slack)

    @property
    def mass(self) -> float | None:
        """The share of the posterior that was asked for; None if a limit on the scores was given."""
        return self._findings.mass

    @property
    def complete_slack(self) -> float | None:
        """The slack within which no network of the table is missing.

        It is smaller than `slack` if there are too many networks. It is None if any network may be missing, mostly
        because the search was stopped.
        """
        return self._findings.complete_slack

    @property
    def ended_in(self) -> Stage | None:
        """The work that a limit ended; None if all work was done.

        ``"scoring"``: not all families were scored, and the set has the networks made of the scored ones.
        ``"optimum"``: the best score was not proven, so nothing is listed; see `incumbent`. ``"enumeration"``: networks
        are missing from the list; if memory was the limit, they are too many. ``"sum"``: a share of the posterior was
        asked for, and the share that the networks hold is not known.
        """
        return self._findings.ended_in

    @property
    def incumbent(self) -> Incumbent | None:
        """The best network so far, with its score and a bound; None if the best score was proven."""
        return self._findings.incumbent

    @property
    def sum_ended(self) -> Status | None:
        """The limit that ended the sum for `covered_mass`, if one did."""
        return self._findings.all_networks.ended

    @property
    def ties(self) -> Ties:
        """The number of networks with the best score, up to rounding, and of their classes.

        Examples
        --------
        >>> import credenet
        >>> credenet.credible_networks(credenet.datasets.asia(1000, seed=1), score="bic").listing.ties
        Ties(networks=3, classes=1)
        """
        return self._result._ties()

    def first(self, k: int) -> R:
        """The k best items and those with the same score as the last of them."""
        return cast("R", self._result._first(whole_number("k", k, least=1)))

    def covers_quickly(self, data: Dataset, memory: float | None = None) -> bool:
        """Whether the covered mass can be computed in a few seconds, within the memory."""
        return self._result.optimum is not None and self.why_unasked(data, memory) is None

    def why_unasked(self, data: Dataset, memory: float | None = None) -> str | None:
        """The reason why the covered mass is computed only on request; None if it takes a few seconds."""
        return self._result._why_unasked(data, memory)

    def to_pandas(self, limit: int | None = None) -> Any:
        """The frame of `to_polars` as a pandas frame."""
        return _later.io_tables_frames.to_pandas(self._result.to_polars(limit))

    def to_parquet(self, path: str | Path) -> None:
        """Writes the whole frame to a parquet file, whatever its suffix; its metadata describe the set."""
        self._result._write_parquet(path)


class NetworkListing(CredibleListing["CredibleSet"]):
    """The listing of networks: ranks, scores, and the networks with a property.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> credible.listing.first(1)[0] == credible.best
    True
    """

    def networks(self, start: int = 0) -> Iterator[WeightedNetwork]:
        """The networks from rank ``start`` on, best first, with their scores and probabilities."""
        return self._result._averages.networks(whole_number("start", start))

    @property
    def best_found(self) -> DAG | None:
        """The best network that was found, proven or not; None if there is none."""
        if self._result:
            return self._result.best
        return None if self.incumbent is None else self.incumbent.dag

    def summary_rows(
        self, data: Dataset | None = None, *, shell: bool = False, has_table: bool = True
    ) -> list[tuple[str, str]]:
        """The named lines of the summary; ``has_table`` says that the table of pairs is shown with them."""
        return self._result._summary_rows(data, shell=shell, has_table=has_table)

    def steps(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The fall of the scores: numbers of networks that score no worse, and for each the distance from the best.

        This needs no list of networks. Large numbers are Python's whole numbers.
        """
        product = self._result._product
        ticks, numbers = product.counts()
        return np.cumsum(numbers), np.asarray(ticks * product.tick, dtype=np.float64)

    def filter(self, predicate: Callable[[DAG], bool]) -> CredibleSet:
        """The networks that have a property; their probabilities are those given the property."""
        check_predicate(predicate)
        families, product = self._findings.families, self._result._product
        check_listing(self._result.n_networks, "networks", "filter")
        kept, kept_ticks = [], []
        for choices, ticks in product.blocks_from():
            keep = np.array([bool(predicate(dag_of(families, choice))) for choice in choices], dtype=np.bool_)
            kept.append(choices[keep])
            kept_ticks.append(ticks[keep])
        starts = families.flat().starts[:-1]
        choices = np.concatenate([*kept, np.empty((0, len(starts)), dtype=np.int64)])
        kept_networks = ComponentNetworks(
            np.arange(len(starts), dtype=np.int32),
            np.concatenate([*kept_ticks, np.empty(0, dtype=np.int64)]),
            (choices - starts).astype(np.uint16),
            starts,
        )
        most = product.most if len(kept_networks) else -1
        fewer = NetworkProduct([kept_networks], product.fixed, product.tick, most)
        return type(self._result)(replace(self._findings, is_filtered=True, mass=None), fewer)

    def plot(self, to: str | Path | Axes | None = None, *, limit: int = 100_000) -> Axes:
        """Plots the distance from the best score against the rank, with the usual Bayes factors as lines.

        Needs the plot extra, as do the other plots. ``to`` is a file (``.svg``, ``.png``, ``.pdf``), axes to draw
        into, or nothing for a new figure.
        """
        return _later.drawing_credible_plots.plot_deviations(self._result, to, limit)
