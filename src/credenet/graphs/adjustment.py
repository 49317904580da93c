"""Adjustment sets: variables Z with P(y | do(x)) = sum over z of P(z) P(y | x, z).

The criterion is complete (Shpitser et al. 2010; Perkovic et al. 2018): Z holds no descendant of a variable on a proper
causal path from x to y (a forbidden one), and blocks all other proper paths. That is, it separates x and y in the
proper back-door graph, which lacks the first edges of the causal paths. Minimal sets are minimal separators of a moral
graph (van der Zander et al. 2019), listed one from another (Kloks and Kratsch 1998). The optimal set has the smallest
asymptotic variance of all (Henckel et al. 2022). A PDAG tells the effect if it is amenable: no path that may be causal
begins with an undirected edge. All its extensions then have the same adjustment sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from credenet import _core
from credenet._arguments import whole_number
from credenet.errors import GraphError
from credenet.graphs._base import Graph
from credenet.graphs.pdag import PDAG

if TYPE_CHECKING:
    from credenet.graphs.dag import DAG
    from credenet.graphs.pdag import PDAG

Names = tuple[str, ...]
Links = list[set[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentSets:
    """Sets of variables to adjust for, to get the effect of x on y from observed probabilities.

    Attributes
    ----------
    parents
        The parents of x, in a PDAG those by directed edges; None if they are no adjustment set, as y is one of them, or
        if x are several variables.
    optimal
        The set whose estimates vary least in large samples; None if a y is no descendant of x,
        or if there is no adjustment set at all.
    minimal
        Sets that have no smaller one within them, the smallest first.
    complete
        Whether these are all minimal sets.
    has_effect
        Whether there is a directed path from x to y; without one, x has no effect on y.

    Examples
    --------
    >>> import credenet
    >>> sets = credenet.textbook.asia().dag.adjustment_sets("smoke", "dysp")
    >>> sets.optimal, sets.minimal
    (('tub',), ((),))
    """

    x: Names
    y: Names
    parents: Names | None
    optimal: Names | None
    minimal: tuple[Names, ...]
    complete: bool
    has_effect: bool


class Criterion:
    """The adjustment criterion for two sets of variables of a DAG, by position."""

    def __init__(self, dag: DAG, x: set[int], y: set[int]) -> None:
        self.dag, self.x, self.y = dag, x, y
        n = len(dag)
        self.parents: Links = [set(several) for several in dag.parent_indices]
        self.children: Links = [set() for _ in range(n)]
        for child, several in enumerate(self.parents):
            for parent in several:
                self.children[parent].add(child)
        from_x = _reach(self.children, x, avoid=x)
        to_y = _reach(self.parents, y, avoid=x) | y
        self.causal = (from_x & to_y) - x
        self.forbidden = _reach(self.children, self.causal) | self.causal | x
        self.back_door = [
            several - x if child in self.causal else several for child, several in enumerate(self.parents)
        ]

    def holds(self, z: set[int]) -> bool:
        """Whether Z is an adjustment set."""
        if z & (self.forbidden | self.x | self.y):
            return False
        edges = [(parent, child) for child, several in enumerate(self.back_door) for parent in several]
        arrays = np.array(edges, dtype=np.int32).reshape(-1, 2)
        tails, heads = np.ascontiguousarray(arrays[:, 0]), np.ascontiguousarray(arrays[:, 1])
        connected = _core.d_connected(len(self.dag), tails, heads, _array(self.x), _array(z))
        return not connected[_array(self.y)].any()

    def optimal(self) -> set[int] | None:
        """The O-set pa(cn) without forbidden variables, if it is an adjustment set."""
        around = {parent for node in self.causal for parent in self.parents[node]} - self.forbidden
        return around if self.y <= self.causal and self.holds(around) else None

    def minimal(self) -> Iterator[set[int]]:
        """All minimal adjustment sets, each once."""
        ancestors = _reach(self.back_door, self.x | self.y) | self.x | self.y
        links = _moral(self.back_door, ancestors)
        for node in (self.forbidden & ancestors) - self.x - self.y:
            # No set may hold a forbidden node, so its neighbours are joined directly.
            around = links.pop(node)
            for each in around:
                links[each] = (links[each] | around) - {node, each}
        a, b = _merge_nodes(links, self.x), _merge_nodes(links, self.y)
        if b not in links[a]:
            yield from _separators(links, a, b)


def adjustment_sets(graph: DAG | PDAG, x: str | Iterable[str], y: str | Iterable[str], limit: int) -> AdjustmentSets:
    """The adjustment sets of a graph; for a PDAG, the sets that all its extensions share."""
    limit = whole_number("limit", limit, most=1_000_000)
    places = _check_pair(graph, x, y)
    edge = find_undecided_edge(graph, *places)
    if edge is not None:
        first, second = edge
        raise GraphError(
            f"the graph does not tell the effect of {_list_names(graph, places[0])} on "
            f"{_list_names(graph, places[1])}: the edge {first} -- {second} has no direction, and a "
            "causal path may begin with it; direct this edge, or average over all networks of the class"
        )
    criterion = Criterion(_extension(graph), *places)
    found = list(islice(criterion.minimal(), limit + 1)) if limit else []
    minimal = sorted((sorted(each) for each in found[:limit]), key=lambda each: (len(each), each))
    optimal = criterion.optimal()
    parents = set(graph._places(_close(graph).parents(graph.variables[min(places[0])])))
    return AdjustmentSets(
        x=graph._names(sorted(places[0])),
        y=graph._names(sorted(places[1])),
        parents=graph._names(sorted(parents)) if len(places[0]) == 1 and criterion.holds(parents) else None,
        optimal=None if optimal is None else graph._names(sorted(optimal)),
        minimal=tuple(graph._names(each) for each in minimal),
        complete=limit > 0 and len(found) <= limit,
        has_effect=bool(criterion.causal),
    )


def is_adjustment_set(
    graph: DAG | PDAG, x: str | Iterable[str], y: str | Iterable[str], z: str | Iterable[str]
) -> bool:
    """Whether Z is one, in all extensions of a PDAG."""
    places, members = _check_pair(graph, x, y), set(graph._places(z))
    return find_undecided_edge(graph, *places) is None and Criterion(_extension(graph), *places).holds(members)


def find_undecided_edge(graph: DAG | PDAG, x: set[int], y: set[int]) -> tuple[str, str] | None:
    """An undirected edge of x with which a path may begin that is causal in some extensions; None if there is none."""
    closed = _close(graph)
    if not isinstance(closed, PDAG):
        return None
    for place in sorted(x):
        first = graph.variables[place]
        for second in closed.neighbours(first):
            if graph._place(second) not in x and _may_lead(closed, first, second, x, y):
                return first, second
    return None


def _may_lead(closed: PDAG, first: str, second: str, x: set[int], y: set[int]) -> bool:
    """Whether an extension has first -> second and a causal path from there to y that avoids x."""
    undirected = [edge for edge in closed.undirected if set(edge) != {first, second}]
    try:
        directed = PDAG(closed.variables, [*closed.directed, (first, second)], undirected).meek()
    except GraphError:  # No extension has this direction.
        return False
    if not directed.has_extension():
        return False
    start = closed._place(second)
    return bool(({start} | _ends_of_unshielded(directed, start, x)) & y)


def _ends_of_unshielded(graph: PDAG, start: int, avoid: set[int]) -> set[int]:
    """The ends of unshielded paths without an edge against their direction; they are causal in some extension."""
    names = graph.variables
    onward = [set(graph._places(graph.children(name))) | set(graph._places(graph.neighbours(name))) for name in names]
    joined = [set(graph._places(graph.adjacent(name))) for name in names]
    seen: set[tuple[int, int]] = set()
    left = [(start, after) for after in onward[start] - avoid]
    while left:
        step = left.pop()
        if step not in seen:
            seen.add(step)
            before, here = step
            left += [(here, after) for after in onward[here] - joined[before] - avoid - {before}]
    return {end for _, end in seen}


def _check_pair(graph: Graph, x: str | Iterable[str], y: str | Iterable[str]) -> tuple[set[int], set[int]]:
    places = set(graph._places(x)), set(graph._places(y))
    for argument, several in zip("xy", places, strict=True):
        if not several:
            raise GraphError(f"{argument} must name a variable")
    shared = sorted(places[0] & places[1])
    if shared:
        raise GraphError(f"x and y must not share variables, both have {graph.variables[shared[0]]!r}")
    return places


def _close(graph: DAG | PDAG) -> DAG | PDAG:
    return graph.meek() if isinstance(graph, PDAG) else graph


def _extension(graph: DAG | PDAG) -> DAG:
    return graph.extension() if isinstance(graph, PDAG) else graph


def _list_names(graph: Graph, places: set[int]) -> str:
    return ", ".join(graph._names(sorted(places)))


def _array(places: set[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(sorted(places), dtype=np.int32)


def _reach(links: Links, start: Iterable[int], avoid: Set[int] = frozenset()) -> set[int]:
    """The nodes reachable from ``start`` in at least one step, by paths that avoid the nodes ``avoid``."""
    seen: set[int] = set()
    left = list(start)
    while left:
        for node in links[left.pop()] - seen - avoid:
            seen.add(node)
            left.append(node)
    return seen


def _moral(parents: Links, nodes: set[int]) -> dict[int, set[int]]:
    """The moral graph of some nodes, which hold all their parents."""
    links: dict[int, set[int]] = {node: set() for node in nodes}
    for child in nodes:
        family = parents[child] | {child}
        for node in family:
            links[node] |= family - {node}
    return links


def _merge_nodes(links: dict[int, set[int]], nodes: set[int]) -> int:
    """Makes one node of several; its number."""
    kept, *others = sorted(nodes)
    for node in others:
        around = links.pop(node) - nodes
        links[kept] |= around
        for each in around:
            links[each] = (links[each] - {node}) | {kept}
    links[kept] -= nodes
    return kept


def _separators(links: dict[int, set[int]], a: int, b: int) -> Iterator[set[int]]:
    """All minimal separators of two nodes that are not neighbours.

    Each but the first follows from another one: a node of that one, and what the node cuts off from b, move to a.
    """
    first = _border(links, _component(links, b, links[a]))
    seen, left = {frozenset(first)}, [first]
    while left:
        separator = left.pop()
        yield separator
        side = _component(links, a, separator)
        for node in separator - links[b]:
            grown = side | {node}
            following = _border(links, _component(links, b, _border(links, grown) | grown))
            if frozenset(following) not in seen:
                seen.add(frozenset(following))
                left.append(following)


def _component(links: dict[int, set[int]], start: int, removed: set[int]) -> set[int]:
    seen, left = {start}, [start]
    while left:
        for node in links[left.pop()] - removed - seen:
            seen.add(node)
            left.append(node)
    return seen


def _border(links: dict[int, set[int]], nodes: set[int]) -> set[int]:
    return {each for node in nodes for each in links[node]} - nodes
