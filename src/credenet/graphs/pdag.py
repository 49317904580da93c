"""Graphs with directed and undirected edges: CPDAGs, skeletons, moral graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credenet import _core
from credenet.errors import GraphError
from credenet.graphs._base import (
    Graph,
    IndexArray,
    IndexPair,
    IndexPairs,
    adjacency_pairs,
    check_acyclic,
    check_variables,
    class_of,
    index_arrays,
    index_pairs,
    index_rows,
    networkx_parts,
    position_rows,
    variables_and_edges,
)
from credenet.graphs.dag import DAG
from credenet.graphs.parsing import format_graph, parse_graph

if TYPE_CHECKING:
    from credenet.graphs.adjustment import AdjustmentSets
    from credenet.graphs.arguments import GraphLike


class PDAG(Graph):
    """A graph with directed and undirected edges, without directed cycles; immutable and hashable.

    A pair of variables has at most one edge. Two PDAGs are equal if they have the same variables and edges, in any
    order.

    Parameters
    ----------
    variables
        The names, distinct; or directed edges alone, whose variables are then in the order in which they appear.
    directed
        Pairs (parent, child).
    undirected
        Pairs in either order.

    Examples
    --------
    >>> from credenet.graphs import PDAG
    >>> pdag = PDAG("a b c".split(), directed=[("a", "b")], undirected=[("b", "c")])
    >>> print(pdag.meek())
    a -> b
    b -> c
    """

    __slots__ = ("_directed_rows", "_joined", "_undirected_rows")

    _directed_rows: IndexArray
    """Parent and child of each directed edge, by child, then by parent; a graph may have millions of edges."""
    _undirected_rows: IndexArray
    """The two ends of each undirected edge, the smaller position first, in this order."""
    _joined: dict[str, list[list[int]]] | None

    def __init__(
        self,
        variables: Iterable[str] | Iterable[tuple[str, str]],
        directed: Iterable[tuple[str, str]] = (),
        undirected: Iterable[tuple[str, str]] = (),
    ) -> None:
        names, arcs = variables_and_edges(variables, directed)
        self._name(names)
        self._connect(index_pairs(self._index, arcs), index_pairs(self._index, undirected))

    def _connect(self, directed: IndexPairs, undirected: IndexPairs) -> None:
        n = len(self._variables)
        arcs, lines = index_rows(directed), np.sort(index_rows(undirected), axis=1)
        self._directed_rows = arcs[np.argsort(_numbers(arcs[:, ::-1], n), kind="stable")]
        self._undirected_rows = lines[np.argsort(_numbers(lines, n), kind="stable")]
        self._joined = None
        pairs = np.sort(_numbers(np.vstack([np.sort(arcs, axis=1), lines]), n))
        twice = np.flatnonzero(pairs[1:] == pairs[:-1])
        if twice.size:
            first, second = self._names(divmod(int(pairs[twice[0]]), n))
            raise GraphError(f"the pair {first!r}, {second!r} has more than one edge")
        check_acyclic(self._variables, index_arrays(self._directed_rows))

    @property
    def _directed_pairs(self) -> tuple[IndexPair, ...]:
        return _pairs(self._directed_rows)

    @property
    def _undirected_pairs(self) -> tuple[IndexPair, ...]:
        return _pairs(self._undirected_rows)

    @classmethod
    def _from_pairs(cls, variables: tuple[str, ...], directed: IndexPairs, undirected: IndexPairs) -> PDAG:
        pdag = cls.__new__(cls)
        pdag._name(variables)
        pdag._connect(directed, undirected)
        return pdag

    @classmethod
    def from_indices(
        cls,
        variables: Iterable[str],
        directed: Iterable[tuple[int, int]] | IndexArray = (),
        undirected: Iterable[tuple[int, int]] | IndexArray = (),
    ) -> PDAG:
        """The PDAG whose edges are pairs of positions; an array has a row for each."""
        names = check_variables(variables)
        return cls._from_pairs(names, position_rows(names, directed), position_rows(names, undirected))

    @classmethod
    def from_adjacency(cls, matrix: ArrayLike, variables: Iterable[str] | None = None) -> PDAG:
        """The PDAG with i -> j if only ``matrix[i][j]`` is 1, and i -- j if ``matrix[j][i]`` is 1 too."""
        names, pairs = adjacency_pairs(matrix, variables)
        return cls._from_pairs(names, *_split_pairs(pairs))

    @classmethod
    def from_networkx(cls, graph: Any) -> PDAG:
        """The PDAG of a networkx graph.

        All edges of a ``Graph`` are undirected; in a ``DiGraph``, those that go both ways. Nodes that are not text are
        named by their ``str``.
        """
        names, edges = networkx_parts(graph)
        if not graph.is_directed():
            return cls(names, (), edges)
        pairs = index_pairs({name: place for place, name in enumerate(names)}, edges)
        return cls._from_pairs(names, *_split_pairs(pairs))

    @classmethod
    def parse(cls, text: str) -> PDAG:
        """The PDAG written as ``A -> B; B -- C``, or as a model string; see ``DAG.parse``.

        Examples
        --------
        >>> PDAG.parse("a -> b -- tumor-size").undirected
        (('b', 'tumor-size'),)
        """
        parsed = parse_graph(text, undirected_allowed=True)
        return cls(parsed.variables, parsed.directed, parsed.undirected)

    def __str__(self) -> str:
        return format_graph(self._variables, self.directed, self.undirected)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_indices, (self._variables, self._directed_rows, self._undirected_rows))

    def _key(self) -> tuple[frozenset[object], ...]:
        undirected = frozenset(map(frozenset, self.undirected))
        return (frozenset(self._variables), frozenset(self.directed), undirected)

    def _drawn_edges(self) -> tuple[list[IndexPair], list[IndexPair]]:
        return list(self._directed_pairs), list(self._undirected_pairs)

    def edge_arrays(self) -> tuple[IndexArray, IndexArray, IndexArray, IndexArray]:
        """Positions of the edges: tails and heads of directed edges, then the two ends of undirected edges."""
        return (*index_arrays(self._directed_rows), *index_arrays(self._undirected_rows))

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """Pairs (parent, child), ordered by the position of the child, then of the parent."""
        return tuple((self._variables[tail], self._variables[head]) for tail, head in self._directed_pairs)

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """Pairs joined by an undirected edge, each in the order of ``variables``."""
        return tuple((self._variables[first], self._variables[second]) for first, second in self._undirected_pairs)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All edges as pairs of names: the directed ones, then the undirected ones."""
        return self.directed + self.undirected

    @property
    def n_edges(self) -> int:
        """The number of edges of both kinds."""
        return len(self._directed_rows) + len(self._undirected_rows)

    def parents(self, variable: str) -> tuple[str, ...]:
        """The variables with a directed edge to this one."""
        return self._names(self._ends("parents", variable))

    def children(self, variable: str) -> tuple[str, ...]:
        """The variables with a directed edge from this one."""
        return self._names(self._ends("children", variable))

    def neighbours(self, variable: str) -> tuple[str, ...]:
        """The variables joined to this one by an undirected edge."""
        return self._names(self._ends("neighbours", variable))

    def markov_blanket(self, variable: str) -> tuple[str, ...]:
        """The Markov blanket of a variable, which all extensions share; see `DAG.markov_blanket`.

        Examples
        --------
        >>> PDAG.parse("a -- b; c -> d <- e").markov_blanket("c")
        ('d', 'e')
        """
        self._place(variable)
        return self.extension().markov_blanket(variable)

    def adjacent(self, variable: str) -> tuple[str, ...]:
        """The variables joined to this one by an edge of either kind."""
        kinds = ("parents", "children", "neighbours")
        return self._names(sorted(place for kind in kinds for place in self._ends(kind, variable)))

    def _ends(self, kind: str, variable: str) -> list[int]:
        if self._joined is None:
            lists: dict[str, list[list[int]]] = {
                name: [[] for _ in self._variables] for name in ("parents", "children", "neighbours")
            }
            for tail, head in self._directed_pairs:
                lists["parents"][head].append(tail)
                lists["children"][tail].append(head)
            for first, second in self._undirected_pairs:
                lists["neighbours"][first].append(second)
                lists["neighbours"][second].append(first)
            for places in lists.values():
                for ends in places:
                    ends.sort()
            self._joined = lists
        return self._joined[kind][self._place(variable)]

    def skeleton(self) -> PDAG:
        """The same graph with all directions dropped."""
        return self._from_pairs(self._variables, [], np.vstack([self._directed_rows, self._undirected_rows]))

    def immoralities(self) -> tuple[tuple[str, str, str], ...]:
        """The immoralities (v-structures): all (a, child, b) with a -> child <- b and no edge between a and b."""
        flat = _core.unshielded_colliders(len(self), *self.edge_arrays())
        return tuple((a, child, b) for a, child, b in map(self._names, flat.reshape(-1, 3).tolist()))

    def meek(self) -> PDAG:
        """This graph with all directions that its directed edges imply (Meek's rules 1 to 4).

        If the graph has an extension, an edge is directed in the result if and only if it has that direction in all
        extensions. If it has none, the rules may lead to a cycle, which is an error.
        """
        marks, lines = _core.meek_marks(len(self), *self.edge_arrays()), self._undirected_rows
        forth, back = lines[marks == 1], lines[marks > 1][:, ::-1]
        return self._from_pairs(self._variables, np.vstack([self._directed_rows, forth, back]), lines[marks == 0])

    def extension(self) -> DAG:
        """A consistent extension: a DAG with the same skeleton, directed edges and v-structures (Dor and Tarsi)."""
        dag = self._extension_or_none()
        if dag is None:
            raise GraphError(
                "the graph has no consistent extension: its undirected edges cannot be directed without "
                "a cycle or a new v-structure"
            )
        return dag

    def _extension_or_none(self) -> DAG | None:
        order = _core.extension_order(len(self), *self.edge_arrays())
        if order is None:
            return None
        rank = {place: step for step, place in enumerate(order.tolist())}
        oriented = [edge if rank[edge[0]] > rank[edge[1]] else edge[::-1] for edge in self._undirected_pairs]
        return DAG._from_pairs(self._variables, [*self._directed_pairs, *oriented])

    def has_extension(self) -> bool:
        """Whether some DAG is a consistent extension of this graph."""
        return self._extension_or_none() is not None

    def cpdag(self) -> PDAG:
        """The Markov equivalence class of the extensions of this graph."""
        return self.extension().cpdag()

    def is_cpdag(self) -> bool:
        """Whether the graph is the CPDAG of some DAG."""
        dag = self._extension_or_none()
        return dag is not None and dag.cpdag() == self

    def equivalent(self, other: GraphLike) -> bool:
        """Whether both graphs represent the same Markov equivalence class over the same variables."""
        return bool(self.cpdag() == class_of(other))

    def is_amenable(self, x: str | Iterable[str], y: str | Iterable[str]) -> bool:
        """Whether no path from x to y that may be causal begins with an undirected edge.

        Only then does the graph tell the effect of x on y: adjustment sets are the same in all extensions.

        Examples
        --------
        >>> PDAG.parse("x -- y").is_amenable("x", "y"), PDAG.parse("x -> y; x -- z").is_amenable("x", "y")
        (False, True)
        """
        from credenet.graphs.adjustment import find_undecided_edge

        return find_undecided_edge(self, set(self._places(x)), set(self._places(y))) is None

    def adjustment_sets(self, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100) -> AdjustmentSets:
        """The adjustment sets that all extensions share; see `DAG.adjustment_sets`.

        If the graph does not tell the effect (`is_amenable`), an error names an edge that would have to be directed.
        """
        from credenet.graphs.adjustment import adjustment_sets

        return adjustment_sets(self, x, y, limit)

    def is_adjustment_set(self, x: str | Iterable[str], y: str | Iterable[str], z: str | Iterable[str] = ()) -> bool:
        """Whether the effect of x on y follows from adjusting for z in all extensions."""
        from credenet.graphs.adjustment import is_adjustment_set

        return is_adjustment_set(self, x, y, z)

    def possible_parents(self, variable: str) -> tuple[tuple[str, ...], ...]:
        """The parent sets that a variable has in the extensions, the smallest first.

        Examples
        --------
        >>> PDAG.parse("x -- y; y -- z").possible_parents("y")
        ((), ('x',), ('z',))
        """
        from credenet.graphs.possible_parents import possible_parents

        return tuple(parents for parents, _ in possible_parents(self, variable))

    def _move(self, variables: tuple[str, ...], places: Sequence[int | None]) -> PDAG:
        kept = np.array([-1 if place is None else place for place in places], dtype=np.int32)
        directed, undirected = (kept[rows] for rows in (self._directed_rows, self._undirected_rows))
        return self._from_pairs(variables, *(rows[(rows >= 0).all(axis=1)] for rows in (directed, undirected)))

    def _with_directed(self, edges: list[IndexPair]) -> PDAG:
        directed = np.vstack([self._directed_rows, index_rows(edges)])
        return self._from_pairs(self._variables, directed, self._undirected_rows)

    def _moral_arrays(self) -> tuple[IndexArray, IndexArray]:
        if len(self._directed_rows):
            raise GraphError("an elimination order needs a DAG or a graph without directed edges")
        return index_arrays(self._undirected_rows)


def _numbers(rows: IndexArray, n: int) -> NDArray[np.int64]:
    """One number for each pair of positions, in the order of the pairs."""
    return rows[:, 0].astype(np.int64) * n + rows[:, 1]


def _pairs(rows: IndexArray) -> tuple[IndexPair, ...]:
    return tuple(zip(rows[:, 0].tolist(), rows[:, 1].tolist(), strict=True))


def _split_pairs(pairs: Iterable[IndexPair]) -> tuple[list[IndexPair], list[IndexPair]]:
    """One-way pairs as directed, two-way pairs as undirected edges."""
    both = set(pairs)
    directed = [pair for pair in both if pair[::-1] not in both]
    return directed, [pair for pair in both if pair[::-1] in both and pair[0] < pair[1]]
