"""The Markov equivalence class of a network given knowledge: the directions that neither data nor rules determine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.graphs import DAG, PDAG
from credenet.knowledge.ancestors import direct_by_ancestors
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.limits import limits_by_variable, smaller_limits
from credenet.settings.priors import InDegree, Prior


class ClassRules(NamedTuple):
    """The rules on parents in the form of the core; empty arrays say nothing."""

    possible: NDArray[np.uint8]
    """For each child, then for each parent, 1 if the edge is possible."""
    max_parents: NDArray[np.int32]

    @classmethod
    def from_knowledge(
        cls, variables: Sequence[str], knowledge: Knowledge | None, prior: Prior | None = None
    ) -> ClassRules:
        """The rules of knowledge, and of a prior that limits numbers of parents.

        A limit that is the same for all variables has no influence: all networks of a class have the same largest
        number of parents.
        """
        most = limits_by_variable(prior.limits, variables) if isinstance(prior, InDegree) else []
        if knowledge is None and not most:
            return NO_RULES
        allowed = (Knowledge() if knowledge is None else knowledge).allowed(variables)
        limits = np.array(allowed.max_parents, dtype=np.int32)
        for child, limit in enumerate(most):
            if limit is not None:
                limits[child] = min(limits[child], limit)
        return cls(np.ascontiguousarray(allowed.possible, dtype=np.uint8).ravel(), limits)

    def allows(self, parent: int, child: int) -> bool:
        """Whether the edge between two variables, by position, is possible."""
        n = len(self.max_parents)
        return n == 0 or (self.max_parents[child] > 0 and bool(self.possible[child * n + parent]))

    def direct(self, dag: DAG) -> PDAG:
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


def class_given(dag: DAG, knowledge: Knowledge | None, prior: Prior | None = None) -> PDAG:
    """The networks equivalent to one that obeys the rules, as far as they obey them too, as a graph.

    The rules are those of knowledge, and of a prior that limits numbers of parents. An edge is directed if all of these
    networks have it in this direction. Without rules the graph is the CPDAG.

    Examples
    --------
    >>> print(class_given(DAG.parse("a -> b -> c"), Knowledge(forbidden=[("b", "a")])))
    a -> b
    b -> c
    """
    graph = ClassRules.from_knowledge(dag.variables, knowledge, prior).direct(dag)
    if knowledge is None or not (knowledge.ancestral or knowledge.not_ancestral) or not graph.undirected:
        return graph
    if isinstance(prior, InDegree):
        limits = smaller_limits(knowledge.max_parents, prior.limits)
        knowledge = Knowledge.from_dict({**knowledge.to_dict(), "max_parents": limits})
    return direct_by_ancestors(graph, dag, knowledge)
