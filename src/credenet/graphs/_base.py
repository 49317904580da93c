"""The common base of DAG and PDAG: names, indices, drawing and elimination orders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credenet import _core, _later
from credenet._advised import Advised
from credenet._arguments import list_values, mapping, one_of, show_value
from credenet._text import count
from credenet.errors import GraphError
from credenet.graphs.elimination import EliminationOrder, eliminate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.drawing.svg import Picture

IndexArray = NDArray[np.int32]
IndexPair = tuple[int, int]
IndexPairs = Sequence[IndexPair] | IndexArray


class Graph(Advised, ABC):
    """Named variables in a fixed order; subclasses have the edges."""

    __slots__ = ("_hash", "_index", "_variables")

    _variables: tuple[str, ...]
    _index: dict[str, int]
    _hash: int | None

    def _name(self, variables: tuple[str, ...]) -> None:
        self._variables = variables
        self._index = {name: place for place, name in enumerate(variables)}
        self._hash = None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names; positions and indices refer to this order."""
        return self._variables

    @property
    @abstractmethod
    def n_edges(self) -> int:
        """The number of edges."""

    @abstractmethod
    def _key(self) -> tuple[frozenset[object], ...]:
        """A key that is equal for equal graphs, in any order of their variables."""

    @abstractmethod
    def _drawn_edges(self) -> tuple[list[IndexPair], list[IndexPair]]:
        """Directed and undirected index pairs."""

    @abstractmethod
    def cpdag(self) -> Any:
        """The Markov equivalence class, a PDAG."""

    @abstractmethod
    def _moral_arrays(self) -> tuple[IndexArray, IndexArray]:
        """The edges of the moral graph, each once."""

    @abstractmethod
    def _move(self, variables: tuple[str, ...], places: Sequence[int | None]) -> Self:
        """The graph over other variables: variable i moves to ``places[i]`` and is left out if that is None."""

    @abstractmethod
    def _with_directed(self, edges: list[IndexPair]) -> Self:
        """This graph with more directed edges."""

    def __len__(self) -> int:
        return len(self._variables)

    def __contains__(self, variable: object) -> bool:
        return variable in self._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self._key())
        return self._hash

    @property
    def roots(self) -> tuple[str, ...]:
        """The variables into which no edge points and at which no undirected edge ends."""
        directed, undirected = self._drawn_edges()
        return self._outside({head for _, head in directed}, undirected)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The variables from which no edge points and at which no undirected edge ends."""
        directed, undirected = self._drawn_edges()
        return self._outside({tail for tail, _ in directed}, undirected)

    def _outside(self, ends: set[int], undirected: list[IndexPair]) -> tuple[str, ...]:
        inside = ends.union(*undirected)
        return self._names(place for place in range(len(self)) if place not in inside)

    @overload
    def to_adjacency(self, frame: None = None) -> NDArray[np.int8]: ...
    @overload
    def to_adjacency(self, frame: Literal["pandas", "polars"]) -> Any: ...

    def to_adjacency(self, frame: Literal["pandas", "polars"] | None = None) -> Any:
        """The adjacency matrix, which ``from_adjacency`` reads.

        Entry (i, j) is 1 for an edge i -> j; an undirected edge has two entries. Rows and columns are in the order of
        ``variables``.

        Parameters
        ----------
        frame
            ``"pandas"`` or ``"polars"``: a frame whose columns are named, as are the rows in pandas.

        Examples
        --------
        >>> import credenet
        >>> credenet.DAG([("rain", "wet"), ("sprinkler", "wet")]).to_adjacency().tolist()
        [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
        """
        directed, undirected = self._drawn_edges()
        matrix = np.zeros((len(self), len(self)), dtype=np.int8)
        rows = index_rows([*directed, *undirected, *(edge[::-1] for edge in undirected)])
        matrix[rows[:, 0], rows[:, 1]] = 1
        return matrix if frame is None else labelled_square(matrix, self._variables, frame)

    def rename(self, names: Mapping[str, str]) -> Self:
        """The same graph with other names; variables that are not among the keys keep theirs.

        Examples
        --------
        >>> import credenet
        >>> print(credenet.DAG([("a", "b"), ("b", "c")]).rename({"b": "tumour"}))
        a -> tumour
        tumour -> c
        """
        return self._move(new_names(self._index, names), range(len(self)))

    def subgraph(self, variables: Iterable[str]) -> Self:
        """The graph of some variables, in the order of this graph, with the edges between them.

        Examples
        --------
        >>> import credenet
        >>> credenet.DAG([("a", "b"), ("b", "c"), ("c", "d")]).subgraph(["d", "a", "c"]).edges
        (('c', 'd'),)
        """
        kept = self._places(variables)
        places = {place: at for at, place in enumerate(kept)}
        return self._move(self._names(kept), [places.get(place) for place in range(len(self))])

    def with_variable(
        self, variable: str, *, parents: str | Iterable[str] = (), children: str | Iterable[str] = ()
    ) -> Self:
        """This graph with one more variable, which comes last, and with edges from its parents and to its children.

        Examples
        --------
        >>> import credenet
        >>> credenet.DAG([("a", "b")]).with_variable("c", parents="a", children="b").edges
        (('a', 'b'), ('c', 'b'), ('a', 'c'))
        """
        into, out_of = self._places(parents), self._places(children)
        wider = self._move(check_variables([*self._variables, variable]), range(len(self)))
        last = len(self)
        return wider._with_directed([*((place, last) for place in into), *((last, place) for place in out_of)])

    def without_variable(self, variable: str) -> Self:
        """This graph without one variable and its edges."""
        gone = self._place(variable)
        return self.subgraph(self._names(place for place in range(len(self)) if place != gone))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {count(len(self), 'variable')}, {count(self.n_edges, 'edge')}>"

    def _repr_html_(self) -> str:
        directed, undirected = self._drawn_edges()
        return _later.drawing_graphs.to_html(self._variables, directed, undirected, caption=repr(self))

    def plot(self, to: str | Path | Axes | None = None) -> Axes:
        """Matplotlib axes with the graph drawn in layers; needs the ``plot`` extra.

        Parameters
        ----------
        to
            A file to write, in the format of its suffix (``.svg``, ``.png``, ``.pdf``), or the axes to draw into; by
            default a new figure of pyplot.
        """
        directed, undirected = self._drawn_edges()
        return _later.drawing_graphs.plot(self._variables, directed, undirected, to)

    def draw(
        self,
        path: str | Path | None = None,
        *,
        focus: str | Iterable[str] | None = None,
        depth: int = 2,
        other: Graph | None = None,
    ) -> Picture:
        """A picture of the graph in layers, which a notebook shows.

        Parameters
        ----------
        path
            A file to write, in the format of its suffix: ``.svg``, ``.dot``, or ``.png`` and ``.pdf``, which need the
            ``plot`` extra.
        focus, depth
            One variable or several: only variables at most ``depth`` edges away from them are drawn. A box with a
            dashed border has neighbours that are not drawn.
        other
            Another graph over the same variables, drawn beside this one in the same layout. Edges that differ are red;
            a dotted line is an edge that only the other graph has.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia().draw(focus="lung", depth=1)
        <Picture 71 x 158 pixels>
        """
        return _later.drawing_graphs.draw(self, path, focus=focus, depth=depth, other=other)

    def elimination_order(
        self,
        *,
        method: Literal["min_fill", "min_weight"] = "min_fill",
        n_states: Mapping[str, int] | None = None,
        restarts: int = 1,
        seed: int | None = 0,
        n_threads: int | None = None,
    ) -> EliminationOrder:
        """A greedy elimination order of the moral graph, with its width and table size.

        Parameters
        ----------
        method
            ``"min_fill"`` eliminates the variable that adds the fewest fill-in edges, ``"min_weight"`` the one with
            the smallest table over it and its neighbours. Of several orders, the first method keeps the one with the
            smallest width, the second the one with the smallest tables.
        n_states
            The number of states of every variable; by default 2 each. ``"min_weight"`` needs it.
        restarts
            The number of orders that are tried; the first breaks ties by position, the others at random.
        """
        return eliminate(
            self._variables,
            self._moral_arrays(),
            method=method,
            n_states=n_states,
            restarts=restarts,
            seed=seed,
            n_threads=n_threads,
        )

    def tree_width_bound(self, *, restarts: int = 1, seed: int | None = 0, n_threads: int | None = None) -> int:
        """An upper bound on the tree-width of the moral graph: the width of a min-fill order."""
        return self.elimination_order(restarts=restarts, seed=seed, n_threads=n_threads).width

    def _place(self, variable: str) -> int:
        return find_variable(self._index, variable)

    def _places(self, variables: str | Iterable[str]) -> list[int]:
        """The indices of one variable or of several, distinct and ascending."""
        names = (
            [variables]
            if isinstance(variables, str)
            else list_values("variables", variables, "names", error=GraphError)
        )
        return sorted({self._place(name) for name in names})

    def _names(self, places: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._variables[place] for place in places)


def check_variables(variables: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple, checked to be distinct and not empty."""
    names = tuple(list_values("variables", variables, "names", error=GraphError))
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"variable names must be text, got {name!r}")
        if not name:
            raise GraphError("variable names must not be empty")
        if name in seen:
            raise GraphError(f"variable {name!r} is named twice")
        seen.add(name)
    return names


def variables_and_edges(variables: Iterable[Any], edges: Iterable[Any]) -> tuple[tuple[str, ...], Iterable[Any]]:
    """Names and edges, as they are given; of edges alone, the names are in the order in which they appear."""
    if isinstance(variables, Mapping | str):
        cure = "parse reads a text" if isinstance(variables, str) else "DAG.from_parents takes a mapping"
        raise GraphError(f"variables must be a list of names, got {show_value(variables)}; {cure}")
    given = list_values("variables", variables, "names", error=GraphError)
    is_edges = bool(given) and all(not isinstance(one, str) and isinstance(one, Sequence) for one in given)
    if is_edges and isinstance(edges, Collection) and not len(edges):
        return check_variables(dict.fromkeys(name for edge in given for name in edge)), given
    return check_variables(given), edges


def new_names(index: Mapping[str, int], names: Mapping[str, str]) -> tuple[str, ...]:
    """The names of variables after some are changed."""
    given = mapping("names", names, "new names", error=GraphError)
    for name in given:
        find_variable(index, name)
    return check_variables(given.get(name, name) for name in index)


def labelled_square(matrix: NDArray[np.int8], variables: tuple[str, ...], frame: Literal["pandas", "polars"]) -> Any:
    """A square matrix as a frame of pandas or polars."""
    one_of("frame", frame, ("pandas", "polars"))
    if frame == "polars":
        import polars as pl

        return pl.DataFrame(matrix, schema=list(variables), orient="row")
    import pandas as pd

    return pd.DataFrame(matrix, index=list(variables), columns=list(variables))


def find_variable(index: Mapping[str, int], variable: str) -> int:
    """The index of a variable; the error for an unknown name suggests similar ones."""
    try:
        return index[variable]
    except (KeyError, TypeError):
        close = get_close_matches(variable, index, n=3) if isinstance(variable, str) else []
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise GraphError(f"unknown variable {variable!r}{hint}") from None


def index_pairs(index: Mapping[str, int], edges: Iterable[tuple[str, str]]) -> list[IndexPair]:
    """Pairs of names as pairs of indices; self-loops are an error."""
    pairs = []
    for edge in list_values("edges", edges, "pairs of names", error=GraphError):
        if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
            raise GraphError(f"an edge must be a pair of names, got {edge!r}")
        first, second = (find_variable(index, name) for name in edge)
        if first == second:
            raise GraphError(f"variable {edge[0]!r} has an edge to itself")
        pairs.append((first, second))
    return pairs


def position_rows(names: Sequence[str], edges: Iterable[tuple[int, int]] | IndexArray) -> IndexArray:
    """Pairs of positions, checked, as the rows of an array."""
    pairs = (
        edges if isinstance(edges, np.ndarray) else list_values("edges", edges, "pairs of positions", error=GraphError)
    )
    if len(pairs) == 0:
        return index_rows([])
    try:
        table = np.array(pairs)
    except (ValueError, OverflowError):  # The rows have different lengths, or entries are no numbers.
        table = np.empty(0)
    if table.ndim != 2 or table.shape[1] != 2 or table.dtype.kind not in "iu":
        raise GraphError("an edge must be a pair of positions, which are whole numbers")
    outside = np.flatnonzero(((table < 0) | (table >= len(names))).any(axis=1))
    if outside.size:
        first, second = table[outside[0]].tolist()
        raise GraphError(f"positions must be at least 0 and below {len(names)}, got ({first}, {second})")
    loops = np.flatnonzero(table[:, 0] == table[:, 1])
    if loops.size:
        raise GraphError(f"variable {names[table[loops[0], 0]]!r} has an edge to itself")
    return index_rows(table)


def index_rows(pairs: IndexPairs) -> IndexArray:
    """Index pairs as the rows of an array."""
    return np.asarray(pairs, dtype=np.int32).reshape(-1, 2)


def index_arrays(pairs: IndexPairs) -> tuple[IndexArray, IndexArray]:
    """Index pairs as two read-only arrays."""
    table = index_rows(pairs)
    arrays = np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])
    for array in arrays:
        array.setflags(write=False)
    return arrays


def check_acyclic(variables: Sequence[str], arrays: tuple[IndexArray, IndexArray]) -> None:
    """Raises an error that shows a directed cycle, if there is one."""
    if len(_core.topological_order(len(variables), *arrays)) == len(variables):
        return
    cycle = _core.find_cycle(len(variables), *arrays).tolist()
    path = " -> ".join(variables[place] for place in [*cycle, cycle[0]])
    raise GraphError(f"the directed edges form a cycle: {path}")


def class_of(graph: Any) -> Any:
    """The Markov equivalence class of a graph."""
    from credenet.graphs.arguments import find_graph

    found = find_graph(graph)
    if found is None:
        raise GraphError(f"a DAG or a PDAG is needed, got {show_value(graph)}")
    return found.cpdag()


def adjacency_pairs(matrix: ArrayLike, variables: Iterable[str] | None) -> tuple[tuple[str, ...], list[IndexPair]]:
    """Names, and the pairs (row, column) of the ones in a square 0/1 matrix."""
    if variables is None and hasattr(matrix, "columns"):
        variables = [str(name) for name in matrix.columns]
    try:
        table = np.asarray(matrix)
    except ValueError:
        raise GraphError("an adjacency matrix must be square; its rows differ in length") from None
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise GraphError(f"an adjacency matrix must be square, got shape {table.shape}")
    if not np.isin(table, (0, 1)).all():
        raise GraphError("an adjacency matrix must hold only 0 and 1")
    names = tuple(map(str, range(len(table)))) if variables is None else check_variables(variables)
    if len(names) != len(table):
        raise GraphError(f"the adjacency matrix has {len(table)} rows, but {len(names)} variables are named")
    loops = np.flatnonzero(np.diagonal(table))
    if loops.size:
        raise GraphError(f"variable {names[loops[0]]!r} has an edge to itself")
    rows, columns = np.nonzero(table)
    return names, list(zip(rows.tolist(), columns.tolist(), strict=True))


def networkx_parts(graph: Any) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Nodes and edges of a networkx graph; nodes that are not text are named by their ``str``."""
    if not hasattr(graph, "is_multigraph"):
        raise GraphError(f"graph must be a networkx graph, got {show_value(graph)}")
    if graph.is_multigraph():
        raise GraphError("a pair of variables may carry one edge; got a networkx multigraph")
    names = check_variables(str(node) for node in graph.nodes)
    return names, [(str(first), str(second)) for first, second in graph.edges]
