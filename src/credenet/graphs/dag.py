"""Directed acyclic graphs over named variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from credenet import _core
from credenet._arguments import list_values, mapping, show_value
from credenet.errors import GraphError
from credenet.graphs._base import (
    Graph,
    IndexArray,
    IndexPair,
    adjacency_pairs,
    check_acyclic,
    check_variables,
    class_of,
    index_arrays,
    index_pairs,
    networkx_parts,
    variables_and_edges,
)
from credenet.graphs.parsing import format_graph, format_model_string, parse_graph

if TYPE_CHECKING:
    from credenet.graphs.adjustment import AdjustmentSets
    from credenet.graphs.arguments import GraphLike
    from credenet.graphs.pdag import PDAG

ParentIndices = tuple[tuple[int, ...], ...]


class DAG(Graph):
    """A directed acyclic graph over named variables; immutable and hashable.

    Two DAGs are equal if they have the same variables and edges, in any order. Methods that return several variables
    return them in the order of ``variables``; `parents` keeps the order of the lists of parents that a DAG was made of.

    Parameters
    ----------
    variables
        The names, distinct; or the edges alone, whose variables are then in the order in which they appear.
    edges
        Pairs (parent, child).

    Examples
    --------
    >>> from credenet.graphs import DAG
    >>> dag = DAG(["smoke", "lung", "xray"], [("smoke", "lung"), ("lung", "xray")])
    >>> dag
    <DAG 3 variables, 2 edges>
    >>> dag.parents("xray")
    ('lung',)
    >>> dag.d_separated("smoke", "xray", given="lung")
    True
    """

    __slots__ = ("_arrays", "_children", "_parent_order", "_parents")

    _parents: ParentIndices
    _parent_order: ParentIndices  # The parents of each variable in the order of `parents`.
    _arrays: tuple[IndexArray, IndexArray]
    _children: ParentIndices | None

    def __init__(
        self, variables: Iterable[str] | Iterable[tuple[str, str]], edges: Iterable[tuple[str, str]] = ()
    ) -> None:
        names, pairs = variables_and_edges(variables, edges)
        self._name(names)
        self._connect(index_pairs(self._index, pairs))

    def _connect(self, edges: Iterable[IndexPair], *, in_order: bool = False) -> None:
        parents: list[list[int]] = [[] for _ in self._variables]
        for parent, child in edges:
            parents[child].append(parent)
        given = tuple(map(tuple, parents))
        for child, several in enumerate(parents):
            several.sort()
            for first, second in pairwise(several):
                if first == second:
                    names = self._names((first, child))
                    raise GraphError(f"edge {names[0]!r} -> {names[1]!r} is given twice")
        self._parents = tuple(map(tuple, parents))
        self._parent_order = given if in_order else self._parents
        pairs = [(parent, child) for child, several in enumerate(parents) for parent in several]
        self._arrays = index_arrays(pairs)
        self._children = None
        check_acyclic(self._variables, self._arrays)

    @classmethod
    def _from_pairs(cls, variables: tuple[str, ...], edges: Iterable[IndexPair], *, in_order: bool = False) -> DAG:
        """A DAG of pairs of positions; with ``in_order`` the parents of each variable keep their order."""
        dag = cls.__new__(cls)
        dag._name(variables)
        dag._connect(edges, in_order=in_order)
        return dag

    @classmethod
    def from_indices(cls, variables: Iterable[str], parent_indices: Sequence[Iterable[int]]) -> DAG:
        """The DAG in which variable i has the parents ``parent_indices[i]``, given by position, in this order."""
        names = check_variables(variables)
        lists = list_values("parent_indices", parent_indices, "lists of positions", error=GraphError)
        if len(lists) != len(names):
            raise GraphError(f"parent_indices has {len(lists)} entries for {len(names)} variables")
        try:
            pairs = [(int(parent), child) for child, several in enumerate(lists) for parent in several]
        except (TypeError, ValueError):
            raise GraphError(f"parent_indices must be a list of lists of positions, got {show_value(lists)}") from None
        for parent, child in pairs:
            if not 0 <= parent < len(names):
                raise GraphError(f"parent_indices[{child}] must be below {len(names)}, got {parent}")
            if parent == child:
                raise GraphError(f"variable {names[child]!r} has an edge to itself")
        return cls._from_pairs(names, pairs, in_order=True)

    @classmethod
    def from_parents(cls, parents: Mapping[str, Iterable[str]]) -> DAG:
        """The DAG with the keys of a mapping as variables and its values as their parents, in this order.

        Examples
        --------
        >>> DAG.from_parents({"a": [], "b": ["a"]}).edges
        (('a', 'b'),)
        """
        edges = []
        given = mapping("parents", parents, "lists of names", error=GraphError)
        for child, several in given.items():
            names = list_values(f"the parents of {child!r}", several, "names", error=GraphError)
            edges += [(parent, child) for parent in names]
        variables = check_variables(given)
        index = {name: place for place, name in enumerate(variables)}
        return cls._from_pairs(variables, index_pairs(index, edges), in_order=True)

    @classmethod
    def from_adjacency(cls, matrix: ArrayLike, variables: Iterable[str] | None = None) -> DAG:
        """The DAG with i -> j where ``matrix[i][j]`` is 1; names are "0", "1", … by default."""
        return cls._from_pairs(*adjacency_pairs(matrix, variables))

    @classmethod
    def from_networkx(cls, graph: Any) -> DAG:
        """The DAG of a ``networkx.DiGraph``; nodes that are not text are named by their ``str``."""
        names, edges = networkx_parts(graph)
        if not graph.is_directed():
            raise GraphError("a DAG needs a directed networkx graph; use PDAG.from_networkx")
        return cls(names, edges)

    @classmethod
    def parse(cls, text: str) -> DAG:
        """The DAG written as ``A -> B; B -> C <- D; E``, or as a model string of bnlearn: ``[A][B|A][C|A:B]``.

        Statements end at ``;``, ``,`` or a line break, and ``#`` starts a comment. A name on its own is an isolated
        variable. A name with spaces or arrows must be in double quotes.

        Examples
        --------
        >>> DAG.parse("a -> c <- b; d").edges
        (('a', 'c'), ('b', 'c'))
        >>> DAG.parse("[a][b][c|a:b][d]") == DAG.parse("a -> c <- b; d")
        True
        """
        parsed = parse_graph(text, undirected_allowed=False)
        return cls(parsed.variables, parsed.directed)

    def to_model_string(self) -> str:
        """The model string of this DAG, which `DAG.parse` and ``model2network`` of bnlearn read.

        Examples
        --------
        >>> DAG.parse("a -> c <- b; d").to_model_string()
        '[a][c|a:b][b][d]'
        """
        return format_model_string(self._variables, map(self._names, self._parents))

    def to_networkx(self) -> Any:
        """The same graph as a ``networkx.DiGraph``."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(self._variables)
        graph.add_edges_from((parent, name) for name in self._variables for parent in self.parents(name))
        return graph

    def __str__(self) -> str:
        return format_graph(self._variables, self.edges, ())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_indices, (self._variables, self._parent_order))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DAG) and self._variables == other._variables:
            return self._parents == other._parents
        return super().__eq__(other)

    __hash__ = Graph.__hash__

    def _key(self) -> tuple[frozenset[object], ...]:
        return (frozenset(self._variables), frozenset(self.edges))

    def _drawn_edges(self) -> tuple[list[IndexPair], list[IndexPair]]:
        return self._edge_indices(), []

    def _edge_indices(self) -> list[IndexPair]:
        return [(parent, child) for child, several in enumerate(self._parents) for parent in several]

    def _edges_in_order(self) -> list[IndexPair]:
        """The edges with the parents of each variable as `parents` has them."""
        return [(parent, child) for child, several in enumerate(self._parent_order) for parent in several]

    def _with_edges(self, edges: list[IndexPair]) -> DAG:
        """Other edges over the same variables; an order of the parents that was given is kept."""
        return self._from_pairs(self._variables, edges, in_order=self._parent_order != self._parents)

    @property
    def parent_indices(self) -> ParentIndices:
        """The positions of the parents of every variable, ascending."""
        return self._parents

    def edge_arrays(self) -> tuple[IndexArray, IndexArray]:
        """Two read-only arrays with the positions of the parents and of the children, in the order of ``edges``."""
        return self._arrays

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs (parent, child), ordered by the position of the child, then of the parent."""
        names = self._variables
        return tuple((names[parent], names[child]) for parent, child in self._edge_indices())

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return len(self._arrays[0])

    @property
    def max_in_degree(self) -> int:
        """The largest number of parents of a variable; 0 without variables."""
        return max(map(len, self._parents), default=0)

    def parents(self, variable: str) -> tuple[str, ...]:
        """The parents of a variable: in the order of the variables, or of the list of parents that was given.

        Examples
        --------
        >>> DAG.from_parents({"a": [], "b": [], "c": ["b", "a"]}).parents("c")
        ('b', 'a')
        """
        return self._names(self._parent_order[self._place(variable)])

    def children(self, variable: str) -> tuple[str, ...]:
        """The children of a variable."""
        if self._children is None:
            children: list[list[int]] = [[] for _ in self._variables]
            for parent, child in self._edge_indices():
                children[parent].append(child)
            self._children = tuple(map(tuple, children))
        return self._names(self._children[self._place(variable)])

    def markov_blanket(self, variable: str) -> tuple[str, ...]:
        """Parents, children and other parents of children: given these, all other variables are independent of it.

        Examples
        --------
        >>> DAG.parse("a -> b -> c <- d -> e").markov_blanket("b")
        ('a', 'c', 'd')
        """
        place = self._place(variable)
        children = [self._index[child] for child in self.children(variable)]
        family = {*self._parents[place], *children, *(parent for child in children for parent in self._parents[child])}
        return self._names(sorted(family - {place}))

    def ancestors(self, variables: str | Iterable[str]) -> tuple[str, ...]:
        """The variables with a directed path to the variable, or to one of several."""
        tails, heads = self._arrays
        return self._beyond(variables, heads, tails)

    def descendants(self, variables: str | Iterable[str]) -> tuple[str, ...]:
        """The variables with a directed path from the variable, or from one of several."""
        return self._beyond(variables, *self._arrays)

    def _beyond(self, variables: str | Iterable[str], tails: IndexArray, heads: IndexArray) -> tuple[str, ...]:
        first_steps = heads[np.isin(tails, self._places(variables))]
        reached = _core.reachable(len(self), tails, heads, first_steps)
        return self._names(np.flatnonzero(reached).tolist())

    def topological_order(self) -> tuple[str, ...]:
        """An order with parents before children; ties are broken by the order of ``variables``."""
        return self._names(_core.topological_order(len(self), *self._arrays).tolist())

    def d_separated(self, x: str | Iterable[str], y: str | Iterable[str], given: str | Iterable[str] = ()) -> bool:
        """Whether every path between x and y is blocked by the conditioning set.

        Examples
        --------
        >>> collider = DAG.parse("a -> c <- b")
        >>> collider.d_separated("a", "b"), collider.d_separated("a", "b", given="c")
        (True, False)
        """
        sets = {"x": self._places(x), "y": self._places(y), "given": self._places(given)}
        for first, second in combinations(sets, 2):
            shared = sorted(set(sets[first]) & set(sets[second]))
            if shared:
                name = self._variables[shared[0]]
                raise GraphError(f"{first} and {second} must not share variables, both have {name!r}")
        x_nodes, y_nodes, given_nodes = (np.array(places, dtype=np.int32) for places in sets.values())
        connected = _core.d_connected(len(self), *self._arrays, x_nodes, given_nodes)
        return not connected[y_nodes].any()

    def adjustment_sets(self, x: str | Iterable[str], y: str | Iterable[str], *, limit: int = 100) -> AdjustmentSets:
        """Sets Z that give the effect of x on y: P(y | do(x)) = sum over z of P(z) P(y | x, z).

        At most ``limit`` minimal sets are listed.

        Examples
        --------
        >>> dag = DAG.parse("z -> x -> m -> y <- z; m <- w -> v -> y")
        >>> sets = dag.adjustment_sets("x", "y")
        >>> sets.parents, sets.optimal, sets.minimal
        (('z',), ('z', 'w', 'v'), (('z',),))
        """
        from credenet.graphs.adjustment import adjustment_sets

        return adjustment_sets(self, x, y, limit)

    def is_adjustment_set(self, x: str | Iterable[str], y: str | Iterable[str], z: str | Iterable[str] = ()) -> bool:
        """Whether the effect of x on y follows from adjusting for z; see `adjustment_sets`.

        Examples
        --------
        >>> dag = DAG.parse("z -> x -> y <- z")
        >>> dag.is_adjustment_set("x", "y", "z"), dag.is_adjustment_set("x", "y")
        (True, False)
        """
        from credenet.graphs.adjustment import is_adjustment_set

        return is_adjustment_set(self, x, y, z)

    def immoralities(self) -> tuple[tuple[str, str, str], ...]:
        """The immoralities (v-structures): all (a, child, b) with a -> child <- b and no edge between a and b."""
        none = index_arrays(())
        flat = _core.unshielded_colliders(len(self), *self._arrays, *none)
        return tuple((a, child, b) for a, child, b in map(self._names, flat.reshape(-1, 3).tolist()))

    def covered_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges x -> y where y has the parents of x and x itself; reversing one keeps the equivalence class."""
        return tuple(
            (self._variables[x], self._variables[y])
            for x, y in self._edge_indices()
            if {*self._parents[x], x} == set(self._parents[y])
        )

    def cpdag(self) -> PDAG:
        """The Markov equivalence class: an edge is directed if it has the same direction in all equivalent DAGs.

        Examples
        --------
        >>> print(DAG.parse("a -> b -> c").cpdag())
        a -- b
        b -- c
        """
        from credenet.graphs.pdag import PDAG

        compelled = _core.compelled_edges(len(self), *self._arrays).tolist()
        edges = self._edge_indices()
        return PDAG._from_pairs(
            self._variables,
            [edge for edge, fixed in zip(edges, compelled, strict=True) if fixed],
            [edge for edge, fixed in zip(edges, compelled, strict=True) if not fixed],
        )

    def class_key(self) -> tuple[frozenset[object], ...]:
        """A hashable key, equal for two DAGs iff they have the same variables and are Markov equivalent."""
        return self.cpdag()._key()

    def equivalent(self, other: GraphLike) -> bool:
        """Whether both graphs represent the same Markov equivalence class over the same variables."""
        return bool(self.cpdag() == class_of(other))

    def moral(self) -> PDAG:
        """The moral graph: parents of a common child are joined, and directions are dropped."""
        from credenet.graphs.pdag import PDAG

        tails, heads = self._moral_arrays()
        return PDAG._from_pairs(self._variables, [], list(zip(tails.tolist(), heads.tolist(), strict=True)))

    def _moral_arrays(self) -> tuple[IndexArray, IndexArray]:
        pairs = _core.moral_edges(len(self), *self._arrays).reshape(-1, 2)
        return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])

    def skeleton(self) -> PDAG:
        """The same graph with all directions dropped."""
        from credenet.graphs.pdag import PDAG

        return PDAG._from_pairs(self._variables, [], self._edge_indices())

    def _move(self, variables: tuple[str, ...], places: Sequence[int | None]) -> DAG:
        edges = [
            (tail, head)
            for at, child in enumerate(self._variables)
            for parent in self.parents(child)
            if (tail := places[self._index[parent]]) is not None and (head := places[at]) is not None
        ]
        return self._from_pairs(variables, edges)

    def _with_directed(self, edges: list[IndexPair]) -> DAG:
        own = [(self._index[parent], at) for at, child in enumerate(self._variables) for parent in self.parents(child)]
        return self._from_pairs(self._variables, own + edges)

    def with_edge(self, parent: str, child: str) -> DAG:
        """This graph with one more edge."""
        return self._with_edges(self._edges_in_order() + index_pairs(self._index, [(parent, child)]))

    def without_edge(self, parent: str, child: str) -> DAG:
        """This graph without one edge."""
        edges = self._edges_in_order()
        edges.remove(self._existing(parent, child))
        return self._with_edges(edges)

    def reverse_edge(self, parent: str, child: str) -> DAG:
        """This graph with one edge reversed."""
        edges = self._edges_in_order()
        edges[edges.index(self._existing(parent, child))] = (self._place(child), self._place(parent))
        return self._with_edges(edges)

    def _existing(self, parent: str, child: str) -> IndexPair:
        pair = (self._place(parent), self._place(child))
        if pair[0] not in self._parents[pair[1]]:
            raise GraphError(f"there is no edge {parent!r} -> {child!r}")
        return pair
