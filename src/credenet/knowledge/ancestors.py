"""The directions that rules on ancestors leave open in a Markov equivalence class.

To test an edge, it is reversed, and a member of the class that obeys the rules is searched for. Graphs closed under
Meek's rules are branched on an undirected edge of a path that a rule concerns, until directed edges alone decide all
rules. Edges on no such path are never branched on, so the size of the class matters little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet.graphs import DAG, PDAG
from credenet.knowledge.shapes import Pair

if TYPE_CHECKING:
    from credenet.knowledge.knowledge import Knowledge

_MOST_GRAPHS = 10_000  # Graphs examined for one edge at most; above, the edge counts as undecided.


def direct_by_ancestors(graph: PDAG, dag: DAG, knowledge: Knowledge) -> PDAG:
    """The graph of a class with the directions that all members share which obey the rules; ``dag`` is one of them."""
    free = {frozenset(edge) for edge in graph.undirected}
    turnable = [edge for edge in dag.edges if frozenset(edge) in free]
    fixed = [edge for edge in turnable if not _is_member(_direct(graph, edge[::-1]), knowledge)]
    kept = set(turnable).difference(fixed)
    return PDAG(dag.variables, [*graph.directed, *fixed], [edge for edge in turnable if edge in kept])


def _is_member(graph: PDAG, knowledge: Knowledge) -> bool:
    """Whether a network of the graph obeys the rules; also True if the search is given up."""
    waiting = [graph]
    for _ in range(_MOST_GRAPHS):
        if not waiting:
            return False
        one = waiting.pop()
        edge = _choose_undirected(one, knowledge)
        if edge is None:
            continue
        if not edge:
            if not knowledge.violations(one.extension()):
                return True
            if not one.undirected:
                continue
            edge = one.undirected[0]
        waiting += [_direct(one, edge[::-1]), _direct(one, edge)]
    return True


def _choose_undirected(graph: PDAG, knowledge: Knowledge) -> Pair | tuple[()] | None:
    """An undirected edge to branch on, in the direction to try first; () if all rules hold, None if one is broken."""
    chosen: Pair | tuple[()] = ()
    for rules, is_wanted in ((knowledge.ancestral, True), (knowledge.not_ancestral, False)):
        for a, b in rules:
            is_certain, on_path = _way(graph, a, b)
            if is_certain if not is_wanted else not is_certain and on_path is None:
                return None
            if on_path is not None and not is_certain:
                chosen = chosen or (on_path if is_wanted else on_path[::-1])
    return chosen


def _way(graph: PDAG, a: str, b: str) -> tuple[bool, Pair | None]:
    """Whether directed edges lead from a to b, and else an undirected edge of a path that may, along the path."""
    ahead: dict[str, list[Pair]] = {name: [] for name in graph.variables}
    for tail, head in graph.directed:
        ahead[tail].append((tail, head))
    if b in _reach(ahead, a):
        return True, None
    free = [each for edge in graph.undirected for each in (edge, edge[::-1])]
    for tail, head in free:
        ahead[tail].append((tail, head))
    before = _reach(ahead, a)
    if b not in before:
        return False, None
    edge, node = before[b], b
    undirected = set(free)
    while edge not in undirected:
        node = edge[0]
        edge = before[node]
    return False, edge


def _reach(ahead: dict[str, list[Pair]], start: str) -> dict[str, Pair]:
    """For each node that is reached, the edge by which it was."""
    before: dict[str, Pair] = {}
    waiting = [start]
    while waiting:
        for edge in ahead[waiting.pop()]:
            if edge[1] != start and edge[1] not in before:
                before[edge[1]] = edge
                waiting.append(edge[1])
    return before


def _direct(graph: PDAG, edge: Pair) -> PDAG:
    """The graph with an undirected edge directed, and all that follows."""
    others = [each for each in graph.undirected if frozenset(each) != frozenset(edge)]
    return PDAG(graph.variables, [*graph.directed, edge], others).meek()
