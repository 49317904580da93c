"""How far credible networks or classes were listed, and in which order: limits, ties, ranks, files."""

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
from credenet.structures.network_products import ComponentNetworks, NetworkProduct, dag_of
from credenet.structures.weighted_choices import WeightedNetwork
from credenet.structures.weighted_networks import check_predicate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

R = TypeVar("R", bound="CredibleSet | CredibleClasses")


class CredibleListing(Generic[R]):
    """How far networks or classes were listed: the limit, what is missing and why, the first of them."""

    def __init__(self, result: R) -> None:
        self._result = result
        self._findings = result._findings

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._result!r}>"

    @property
    def slack(self) -> float:
        """How much lower than the best a network may score, in nats."""
        return self._findings.slack

    @property
    def bayes_factor(self) -> float:
        """How many times as probable as a credible network the best is at most."""
        return factor_of(self.slack)

    @property
    def mass(self) -> float | None:
        """The share of the posterior that was asked for; None if a limit on the scores was given."""
        return self._findings.mass

    @property
    def complete_slack(self) -> float | None:
        """All networks of the table within this slack are there.

        It is smaller than `slack` where there are too many networks, and None where any may be missing, mostly as the
        search was stopped.
        """
        return self._findings.complete_slack

    @property
    def ended_in(self) -> Stage | None:
        """The work that the limit ended; None where all of it was done.

        ``"scoring"``: not all families were scored, and the set is that of the networks made of the scored ones.
        ``"optimum"``: the best score was not proven, so nothing is listed; see `incumbent`. ``"enumeration"``: networks
        are missing from the list; where the limit is that of memory, there are too many of them. ``"sum"``: a share of
        the posterior was asked for, and it is not known how much the networks hold.
        """
        return self._findings.ended_in

    @property
    def incumbent(self) -> Incumbent | None:
        """The best network so far, with its score and a bound, where the best score was not proven."""
        return self._findings.incumbent

    @property
    def sum_ended(self) -> Status | None:
        """The limit that ended the sum for `covered_mass`, if one did."""
        return self._findings.all_networks.ended

    @property
    def ties(self) -> Ties:
        """How many networks have the best score, up to rounding, and how many classes these are.

        Examples
        --------
        >>> import credenet
        >>> credenet.credible_networks(credenet.datasets.asia(1000, seed=1), score="bic").listing.ties
        Ties(networks=3, classes=1)
        """
        return self._result._ties()

    def first(self, k: int) -> R:
        """The k best and those that score the same as the last of them."""
        return cast("R", self._result._first(whole_number("k", k, least=1)))

    def covers_quickly(self, data: Dataset, memory: float | None = None) -> bool:
        """Whether the covered mass can be told in a few seconds, within the memory."""
        return self._result.optimum is not None and self.why_unasked(data, memory) is None

    def why_unasked(self, data: Dataset, memory: float | None = None) -> str | None:
        """Why the covered mass is not told without being asked for; None where it takes a few seconds."""
        return self._result._why_unasked(data, memory)

    def to_pandas(self, limit: int | None = None) -> Any:
        """What `to_polars` tells as a pandas frame."""
        return _later.io_tables_frames.to_pandas(self._result.to_polars(limit))

    def to_parquet(self, path: str | Path) -> None:
        """Writes the whole frame to a parquet file, whatever its suffix; its metadata tell what is known of the set."""
        self._result._write_parquet(path)


class NetworkListing(CredibleListing["CredibleSet"]):
    """The networks in their order: ranks, scores, and those that have a property."""

    def networks(self, start: int = 0) -> Iterator[WeightedNetwork]:
        """The networks from a rank on, best first, with their scores and probabilities."""
        return self._result._averages.networks(whole_number("start", start))

    @property
    def best_found(self) -> DAG | None:
        """The best network that was found, proven to be the best or not; None if there is none."""
        if self._result:
            return self._result.best
        return None if self.incumbent is None else self.incumbent.dag

    def summary_rows(
        self, data: Dataset | None = None, *, shell: bool = False, has_table: bool = True
    ) -> list[tuple[str, str]]:
        """The lines of the summary, each with its name; ``has_table`` where the table of pairs is shown with them."""
        return self._result._summary_rows(data, shell=shell, has_table=has_table)

    def steps(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """How the scores fall: numbers of networks that score no worse, and for each how much less than the best.

        Nothing is listed for it. The numbers are whole, of Python's kind where they are large.
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
        for choices, ticks in product.ranked():
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
        """How much lower than the best the networks score, against their rank, with the usual Bayes factors as lines.

        Needs the plot extra, as do the other plots. ``to`` is a file (``.svg``, ``.png``, ``.pdf``), axes to draw
        into, or nothing for a new figure.
        """
        return _later.drawing_credible_plots.plot_deviations(self._result, to, limit)
