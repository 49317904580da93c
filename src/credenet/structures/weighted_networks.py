"""Networks with probabilities: the common part of credible sets and posteriors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Unpack, runtime_checkable

from credenet import _later
from credenet._arguments import real_number, show_value
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG
from credenet.structures.edges import Edge, consensus
from credenet.structures.network_averages import ParentSets
from credenet.structures.pairs import Pairs
from credenet.structures.weighted_choices import ParentBlock

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.data.sources import DataLike
    from credenet.interventions.questions import EffectOptions, Setting
    from credenet.interventions.result import Effects
    from credenet.learners.results import Provenance


class SampledNetworks(Protocol):
    """Networks that effects are averaged over: they can be sampled and have probabilities of parent sets and paths."""

    @property
    def variables(self) -> tuple[str, ...]: ...

    @property
    def among(self) -> str:
        """A phrase that names the networks, such as "the credible networks"."""

    @property
    def has_quick_paths(self) -> bool:
        """Whether `path_probabilities` takes at most a second or two."""

    def parent_set_probabilities(self) -> ParentSets: ...

    def path_probabilities(self) -> dict[Edge, float]: ...

    def parent_blocks(self) -> Iterator[ParentBlock] | None:
        """All networks in the form of the core; None if they are too many to visit quickly."""

    def sample(self, n_networks: int, *, seed: int | None = 0) -> list[DAG]: ...


@runtime_checkable
class JudgedNetworks(Protocol):
    """Networks whose probabilities come from a score and a prior."""

    @property
    def provenance(self) -> Provenance: ...

    def share_told(self) -> float | None:
        """The share of the posterior that they hold, if known or computed in a few seconds; else None."""


class WeightedNetworks(ABC):
    """Networks with probabilities, and the averages over them.

    A probability is a number; edges are pairs (parent, child).
    """

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the data."""

    @property
    @abstractmethod
    def has_probabilities(self) -> bool:
        """Whether the shares of networks are probabilities."""

    @property
    @abstractmethod
    def among(self) -> str:
        """A phrase that names the networks which the probabilities refer to."""

    @property
    @abstractmethod
    def has_quick_paths(self) -> bool:
        """Whether `path_probabilities` takes at most a second or two."""

    @abstractmethod
    def edge_probabilities(self) -> dict[Edge, float]:
        """For each edge (parent, child) its probability, most probable first."""

    @abstractmethod
    def pair_probabilities(self) -> Pairs:
        """For each pair that some network joins, the probabilities of the ways in which it is joined."""

    @abstractmethod
    def parent_set_probabilities(self) -> ParentSets:
        """For each variable its parent sets with their probabilities, most probable first."""

    @abstractmethod
    def path_probabilities(self) -> dict[Edge, float]:
        """For each (ancestor, descendant) the probability of a directed path, most probable first.

        Equivalent networks count separately, also where data cannot tell the direction of the path.
        """

    @abstractmethod
    def parent_blocks(self) -> Iterator[ParentBlock] | None:
        """All networks in the form of the core; None if they are too many to visit quickly."""

    @abstractmethod
    def sample(self, n_networks: int, *, seed: int | None = 0) -> list[DAG]:
        """Networks sampled by their probabilities, with replacement."""

    def edge_probability(self, parent: str, child: str) -> float:
        """The probability of one edge; 0 if no network has it.

        Examples
        --------
        >>> import credenet
        >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
        >>> credible.edge_probability("either", "xray") == credible.edge_probabilities()["either", "xray"]
        True
        """
        for name in (parent, child):
            check_variable(name, self.variables)
        return self._edges.get((parent, child), 0.0)

    @cached_property
    def _edges(self) -> dict[Edge, float]:
        return self.edge_probabilities()

    def consensus(self, threshold: float = 0.5) -> DAG:
        """The network of the edges above a threshold, added most probable first unless they close a cycle.

        With a threshold of 0.5 it is the median probability graph. Equivalent networks count separately: where data
        cannot tell the direction of an edge, it may have either one here, or none if both are too improbable;
        `pair_probabilities` and `plot_average` tell how two variables are joined.
        """
        real_number("threshold", threshold, least=0, most=1)
        return consensus(self.variables, self.edge_probabilities(), threshold)

    def effects(
        self,
        x: Setting = None,
        y: Setting = None,
        *,
        data: DataLike,
        **options: Unpack[EffectOptions],
    ) -> Effects:
        """P(y | do(x)) averaged over the networks, with intervals and the range over networks; see `credenet.effects`.

        Examples
        --------
        >>> import credenet
        >>> data = credenet.datasets.asia(1000, seed=1)
        >>> credible = credenet.credible_networks(data, bayes_factor=20)
        >>> effect = credible.effects("bronc", "dysp", data=data)["bronc", "dysp"]
        >>> round(effect.probability, 6), round(effect.means["yes"]["yes"], 2)
        (1.0, 0.81)
        """
        return _later.interventions_calls.effects(self, x, y, data=data, **options)

    def plot_edge_probabilities(self, to: str | Path | Axes | None = None) -> Axes:
        """The probabilities of all edges as a heat map: parents are rows, children columns.

        Equivalent networks count separately, so that an edge whose direction data cannot tell is in two cells; for
        directions that are determined see `pair_probabilities` and `plot_average`.

        Needs the plot extra, as do the other plots. ``to`` is a file (``.svg``, ``.png``, ``.pdf``), axes to draw
        into, or nothing for a new figure.
        """
        return _later.drawing_weighted_plots.plot_edge_probabilities(self, to)

    def plot_average(self, to: str | Path | Axes | None = None, *, threshold: float = 0.05) -> Axes:
        """The average network: pairs that are joined with more than a threshold, as lines of proportional width.

        A line has an arrow head if, given that the pair is joined, data and knowledge more probably determine this
        direction than not. Heads that would close a cycle are left out.
        """
        return _later.drawing_weighted_plots.plot_average(self, to, threshold)


def check_variable(variable: object, variables: tuple[str, ...]) -> int:
    """The position of a variable; raises an error if the networks do not have it."""
    if not isinstance(variable, str) or variable not in variables:
        raise ArgumentError(f"variable must be one of the networks, got {show_value(variable)}")
    return variables.index(variable)


def check_predicate(predicate: Callable[[DAG], bool]) -> None:
    if not callable(predicate):
        raise ArgumentError(f"predicate must be a function that takes a DAG, got {show_value(predicate)}")


def no_networks() -> GraphError:
    return GraphError("there are no networks to average over")
