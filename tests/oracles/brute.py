"""Slow oracles: graphs on 0..n-1 as sets of (tail, head) pairs, and everything by its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, combinations, pairwise, permutations, product

Arcs = frozenset[tuple[int, int]]
Pair = frozenset[int]


def subsets(items: Iterable[int]) -> Iterator[tuple[int, ...]]:
    pool = tuple(items)
    return chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1))


def is_acyclic(n: int, arcs: Iterable[tuple[int, int]]) -> bool:
    remaining, left = set(arcs), set(range(n))
    while left:
        roots = left - {head for _, head in remaining}
        if not roots:
            return False
        left -= roots
        remaining = {arc for arc in remaining if arc[0] not in roots}
    return True


@cache
def all_dags(n: int) -> tuple[Arcs, ...]:
    """Every labelled DAG: 1, 3, 25, 543, 29281 of them for n = 1, 2, 3, 4, 5."""
    dags = []
    pairs = list(combinations(range(n), 2))
    for marks in product(range(3), repeat=len(pairs)):
        arcs = [(a, b) if mark == 1 else (b, a) for (a, b), mark in zip(pairs, marks, strict=True) if mark]
        if is_acyclic(n, arcs):
            dags.append(frozenset(arcs))
    return tuple(dags)


def skeleton(arcs: Iterable[tuple[int, int]]) -> frozenset[Pair]:
    return frozenset(frozenset(arc) for arc in arcs)


def colliders(arcs: Iterable[tuple[int, int]], undirected: Iterable[Pair] = ()) -> frozenset[tuple[int, int, int]]:
    """Unshielded colliders (a, child, b) with a < b."""
    directed = set(arcs)
    joined = skeleton(directed) | set(undirected)
    return frozenset(
        (a, child, b)
        for (a, child), (b, other) in product(directed, repeat=2)
        if child == other and a < b and frozenset((a, b)) not in joined
    )


def class_of(arcs: Arcs) -> tuple[frozenset[Pair], frozenset[tuple[int, int, int]]]:
    """The features that Markov equivalent DAGs share (Verma and Pearl 1990)."""
    return skeleton(arcs), colliders(arcs)


def extensions(n: int, directed: Arcs, undirected: frozenset[Pair]) -> list[Arcs]:
    """All DAGs with the skeleton, the directed edges and exactly the unshielded colliders of the graph."""
    wanted = colliders(directed, undirected)
    free = [tuple(sorted(pair)) for pair in undirected]
    found = []
    for flips in product((False, True), repeat=len(free)):
        turned = {(b, a) if flip else (a, b) for (a, b), flip in zip(free, flips, strict=True)}
        arcs = frozenset(directed | turned)
        if is_acyclic(n, arcs) and colliders(arcs) == wanted:
            found.append(arcs)
    return found


def members(n: int, arcs: Arcs) -> list[Arcs]:
    """All DAGs of a Markov equivalence class: every orientation of the skeleton is tried."""
    edges = [tuple(sorted(pair)) for pair in skeleton(arcs)]
    wanted = colliders(arcs)
    found = []
    for flips in product((False, True), repeat=len(edges)):
        turned = frozenset((b, a) if flip else (a, b) for (a, b), flip in zip(edges, flips, strict=True))
        if is_acyclic(n, turned) and colliders(turned) == wanted:
            found.append(turned)
    return found


def common(graphs: list[Arcs]) -> tuple[Arcs, frozenset[Pair]]:
    """Arcs that all graphs of one skeleton share, and the other pairs as undirected."""
    shared = frozenset.intersection(*graphs)
    return shared, skeleton(graphs[0]) - skeleton(shared)


def parents(arcs: Iterable[tuple[int, int]], node: int) -> set[int]:
    return {tail for tail, head in arcs if head == node}


def descendants(arcs: Iterable[tuple[int, int]], node: int) -> set[int]:
    """The node itself included."""
    pairs, found = set(arcs), {node}
    while True:
        more = {head for tail, head in pairs if tail in found} - found
        if not more:
            return found
        found |= more


def ancestors(arcs: Iterable[tuple[int, int]], node: int) -> set[int]:
    return descendants(((head, tail) for tail, head in arcs), node)


def paths(arcs: Arcs, start: int, end: int) -> Iterator[tuple[int, ...]]:
    """All simple paths in the skeleton."""
    joined = skeleton(arcs)

    def extend(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if path[-1] == end:
            yield path
            return
        nodes = {node for pair in joined if path[-1] in pair for node in pair}
        for node in sorted(nodes - set(path)):
            yield from extend((*path, node))

    return extend((start,))


def is_open(arcs: Arcs, path: tuple[int, ...], given: Iterable[int]) -> bool:
    """Whether no inner node blocks the path: a collider needs a descendant in the set, others must be outside."""
    blocking = set(given)
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        if (before, node) in arcs and (after, node) in arcs:
            if not descendants(arcs, node) & blocking:
                return False
        elif node in blocking:
            return False
    return True


def d_separated(arcs: Arcs, x: int, y: int, given: Iterable[int]) -> bool:
    blocking = set(given)
    return not any(is_open(arcs, path, blocking) for path in paths(arcs, x, y))


def sid(n: int, truth: Arcs, learned: Arcs) -> int:
    """Structural intervention distance, pair by pair and path by path."""
    errors = 0
    for i, j in permutations(range(n), 2):
        adjusted = parents(learned, i)
        if j in adjusted:
            errors += j in descendants(truth, i)
        else:
            errors += not is_valid_adjustment(truth, i, j, adjusted)
    return errors


def is_valid_adjustment(truth: Arcs, i: int, j: int, adjusted: set[int]) -> bool:
    for path in paths(truth, i, j):
        if all(step in truth for step in pairwise(path)):
            if any(descendants(truth, node) & adjusted for node in path[1:]):
                return False
        elif is_open(truth, path, adjusted):
            return False
    return True


def moral(n: int, arcs: Arcs) -> frozenset[Pair]:
    married = {frozenset(pair) for node in range(n) for pair in combinations(sorted(parents(arcs, node)), 2)}
    return skeleton(arcs) | married


def elimination_cliques(n: int, edges: Iterable[Pair], order: Iterable[int]) -> list[set[int]]:
    """For every node in order, it and its neighbours when it is eliminated."""
    neighbours: dict[int, set[int]] = {node: set() for node in range(n)}
    for first, second in map(tuple, edges):
        neighbours[first].add(second)
        neighbours[second].add(first)
    cliques = []
    for node in order:
        around = neighbours.pop(node)
        cliques.append(around | {node})
        for other in around:
            neighbours[other] |= around
            neighbours[other] -= {node, other}
    return cliques


def tree_width(n: int, edges: Iterable[Pair]) -> int:
    """Exact: the smallest width over all elimination orders."""
    joined = frozenset(edges)
    widths = (
        max(len(clique) - 1 for clique in elimination_cliques(n, joined, order)) for order in permutations(range(n))
    )
    return min(widths, default=0)
