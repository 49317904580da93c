"""The parent sets that a variable has in the extensions of a PDAG (IDA: Maathuis, Kalisch and Buehlmann 2009).

Neighbours of the variable become parents or children. Those that become parents must be adjacent to each other and to
the other parents, else there is a new v-structure. In a CPDAG that is enough; in other graphs, directed edges may
forbid more, so that each choice is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from credenet.errors import GraphError

if TYPE_CHECKING:
    from credenet.graphs.dag import DAG
    from credenet.graphs.pdag import PDAG


def possible_parents(graph: PDAG, variable: str) -> Iterator[tuple[tuple[str, ...], DAG]]:
    """The possible parent sets, those with few neighbours first, and for each an extension that has it.

    All these extensions have the same variables below the variable: each path that may be causal begins with a
    directed edge, so that one that is unshielded is directed as a whole.
    """
    graph.extension()  # This raises an error if there is no extension.
    closed = graph.meek()
    neighbours, fixed = closed.neighbours(variable), closed.parents(variable)
    layer: list[tuple[str, ...]] = [()]
    while layer:
        for chosen in layer:
            dag = _extension_with(closed, variable, chosen, neighbours)
            if dag is not None:
                yield dag.parents(variable), dag
        layer = [
            (*chosen, name)
            for chosen in layer
            for name in neighbours[neighbours.index(chosen[-1]) + 1 if chosen else 0 :]
            if {*fixed, *chosen} <= set(closed.adjacent(name))
        ]


def _extension_with(closed: PDAG, variable: str, parents: tuple[str, ...], neighbours: tuple[str, ...]) -> DAG | None:
    from credenet.graphs.pdag import PDAG

    directed = [(name, variable) if name in parents else (variable, name) for name in neighbours]
    undirected = [edge for edge in closed.undirected if variable not in edge]
    try:
        return PDAG(closed.variables, [*closed.directed, *directed], undirected)._extension_or_none()
    except GraphError:  # The directed edges have a cycle.
        return None
