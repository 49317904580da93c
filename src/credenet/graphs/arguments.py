"""Arguments that are graphs, or networks or results that have one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeAlias

from credenet._arguments import show_value
from credenet.errors import ArgumentError
from credenet.graphs import DAG, PDAG
from credenet.graphs.foreign import graph_of_library

if TYPE_CHECKING:
    from credenet.learners.results import LearnResult
    from credenet.networks.bayesian import BayesianNetwork

    GraphLike: TypeAlias = "DAG | PDAG | BayesianNetwork | LearnResult"


class HasGraph(ABC):
    """An object that can be passed in place of its graph, such as a network or a result of learning."""

    __slots__ = ()

    @abstractmethod
    def _graph_for(self, argument: str) -> DAG | PDAG:
        """The graph; an error names the argument if there is none."""


def as_graph(value: Any, argument: str = "graph") -> DAG | PDAG:
    """The graph itself, the DAG of a network, or the learned graph of a result; also of other libraries.

    Examples
    --------
    >>> import credenet
    >>> as_graph(credenet.textbook.asia())
    <DAG 8 variables, 8 edges>
    """
    graph = find_graph(value, argument)
    if graph is not None:
        return graph
    advice = "; of a credible set take best" if hasattr(value, "best") else ""
    kinds = "a DAG, a PDAG, a BayesianNetwork or a LearnResult"
    raise ArgumentError(f"{argument} must be {kinds}, got {show_value(value)}{advice}")


def find_graph(value: Any, argument: str = "graph") -> DAG | PDAG | None:
    """The graph of an argument as `as_graph` finds it; None for a value that has no graph."""
    if isinstance(value, DAG | PDAG):
        return value
    return value._graph_for(argument) if isinstance(value, HasGraph) else graph_of_library(value)


def edges_by_kind(graph: DAG | PDAG) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The directed edges, then the undirected ones."""
    return (graph.edges, ()) if isinstance(graph, DAG) else (graph.directed, graph.undirected)


def as_dag(value: Any, argument: str = "graph") -> DAG:
    """The graph of an argument as a DAG; for a PDAG, a consistent extension."""
    graph = as_graph(value, argument)
    return graph if isinstance(graph, DAG) else graph.extension()
