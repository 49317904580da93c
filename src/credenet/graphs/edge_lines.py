"""The edges of a network as lines of text; a mark shows the edges whose direction its class leaves open."""

from __future__ import annotations

from credenet.graphs.dag import DAG
from credenet.graphs.pdag import PDAG


def edge_lines(dag: DAG, graph: PDAG) -> list[str]:
    """Lines such as ``a -> b``; of edges that the class leaves undirected also that they have either direction.

    Examples
    --------
    >>> print(*edge_lines(DAG.parse("a -> b -> c <- d"), PDAG.parse("a -- b; b -> c; d -> c")), sep="\\n")
    a -> b   a -- b, either direction
    b -> c
    d -> c
    """
    free = set(graph.undirected)
    arrows = {edge: f"{edge[0]} -> {edge[1]}" for edge in dag.edges}
    width = max(map(len, arrows.values()), default=0)
    return [
        f"{arrow:<{width}}   {' -- '.join(edge)}, either direction" if free & {edge, edge[::-1]} else arrow
        for edge, arrow in arrows.items()
    ]
