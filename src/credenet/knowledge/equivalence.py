"""The Markov equivalence class of a network, given what is known: which directions neither data nor rules determine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.graphs import DAG, PDAG

if TYPE_CHECKING:
    from credenet.knowledge.knowledge import Knowledge

_MOST_TRIED = 500  # networks of a class that are tried one by one against rules on ancestors


class ClassRules(NamedTuple):
    """The rules on parents in the form of the core; empty arrays say nothing."""

    possible: NDArray[np.uint8]
    """For each child, then for each parent, 1 if the edge is possible."""
    max_parents: NDArray[np.int32]

    @classmethod
    def of(cls, variables: Sequence[str], knowledge: Knowledge | None, max_parents: int | None = None) -> ClassRules:
        """The rules of knowledge, and one limit for all variables.

        One limit for all has no influence by itself: networks of a class have the same largest number of parents.
        """
        if knowledge is None:
            return NO_RULES
        allowed = knowledge.allowed(variables)
        limits = np.array(allowed.max_parents, dtype=np.int32)
        return cls(
            np.ascontiguousarray(allowed.possible, dtype=np.uint8).ravel(),
            limits if max_parents is None else np.minimum(limits, np.int32(min(max_parents, len(variables)))),
        )

    def allows(self, parent: int, child: int) -> bool:
        """Whether the edge between two variables, by position, is possible."""
        n = len(self.max_parents)
        return n == 0 or bool(self.possible[child * n + parent])

    def directed(self, dag: DAG) -> PDAG:
        """The class of a DAG: an edge is directed if all equivalent networks that obey the rules have it so."""
        edges = np.column_stack(dag.edge_arrays())
        is_compelled = _core.allowed_compelled_edges(len(dag), *dag.edge_arrays(), *self).astype(np.bool_)
        return PDAG.from_indices(dag.variables, edges[is_compelled], edges[~is_compelled])

    def class_size(self, dag: DAG) -> int:
        """The number of networks equivalent to this one that obey the rules; counted without listing them.

        Examples
        --------
        >>> NO_RULES.class_size(DAG.parse("a -> b -> c"))
        3
        """
        return _core.allowed_class_size(len(dag), *dag.edge_arrays(), *self)


NO_RULES = ClassRules(np.empty(0, dtype=np.uint8), np.empty(0, dtype=np.int32))


def class_given(dag: DAG, knowledge: Knowledge | None, max_parents: int | None = None) -> PDAG:
    """The networks equivalent to one that obeys the rules, as far as they obey them too, as a graph.

    An edge is directed if all of these networks have it in this direction. Without rules the graph is the CPDAG. Rules
    on ancestors count in classes of at most 500 networks that obey the other rules.

    Examples
    --------
    >>> from credenet.knowledge.knowledge import Knowledge
    >>> print(class_given(DAG.parse("a -> b -> c"), Knowledge(forbidden=[("b", "a")])))
    a -> b
    b -> c
    """
    rules = ClassRules.of(dag.variables, knowledge, max_parents)
    graph = rules.directed(dag)
    if knowledge is None or not (knowledge.ancestral or knowledge.not_ancestral) or not graph.undirected:
        return graph
    if rules.class_size(dag) > _MOST_TRIED:
        return graph
    members = [set(member.edges) for member in _extensions(graph) if not knowledge.violations(member)]
    shared = set(dag.edges).intersection(*members)
    return PDAG(dag.variables, shared, [edge for edge in dag.edges if edge not in shared])


def _extensions(graph: PDAG) -> Iterator[DAG]:
    """All networks of a class whose graph is closed under Meek's rules."""
    if not graph.undirected:
        yield graph.extension()
        return
    (a, b), *others = graph.undirected
    for edge in ((a, b), (b, a)):
        yield from _extensions(PDAG(graph.variables, [*graph.directed, edge], others).meek())
