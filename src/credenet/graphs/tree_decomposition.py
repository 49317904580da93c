"""Tree decompositions: bags of variables in a tree.

A graph has tree-width at most k if it has a tree decomposition whose bags have at most k + 1 variables: every variable
is in a bag, every edge lies in a bag, and the bags of each variable are connected. The tree-width of a DAG is that of
its moral graph, so each variable and its parents lie in one bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from credenet._arguments import list_values, name_list, show_value, whole_number
from credenet._text import count
from credenet.errors import GraphError
from credenet.graphs._base import check_variables, find_variable

if TYPE_CHECKING:
    from credenet.graphs.arguments import GraphLike
    from credenet.graphs.dag import DAG
    from credenet.graphs.pdag import PDAG


@dataclass(frozen=True, slots=True, repr=False)
class TreeDecomposition:
    """Bags of variables in a tree.

    Attributes
    ----------
    variables
        All variables.
    bags
        The variables of each bag, in the order of ``variables``.
    parents
        For each bag the number of an earlier one, which it is joined to; -1 for the first.

    Examples
    --------
    >>> from credenet import DAG
    >>> from credenet.types import TreeDecomposition
    >>> chain = TreeDecomposition.from_cliques(list("abcd"), [["a", "b"], ["b", "c"], ["c", "d"]])
    >>> chain
    <TreeDecomposition 4 variables, 3 bags, width 1>
    >>> chain.elimination_order
    ('d', 'c', 'a', 'b')
    >>> chain.covers(DAG.parse("a -> b -> c <- d"))
    False
    >>> chain.problems(DAG.parse("a -> b -> c <- d"))
    ("no bag holds 'c' and its parents 'b', 'd'",)
    """

    variables: tuple[str, ...]
    bags: tuple[tuple[str, ...], ...]
    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        variables = check_variables(self.variables)
        index = {name: place for place, name in enumerate(variables)}
        bags = [_places(index, bag) for bag in list_values("bags", self.bags, "lists of names", error=GraphError)]
        parents = list_values("parents", self.parents, "numbers of bags", error=GraphError)
        if len(parents) != len(bags):
            raise GraphError(
                f"parents must have a number for each of the {count(len(bags), 'bag')}, got {len(parents)}"
            )
        for bag, parent in enumerate(parents):
            whole_number(f"parents[{bag}]", parent, least=min(bag, 1) - 1, most=bag - 1, error=GraphError)
        set_field = object.__setattr__
        set_field(self, "variables", variables)
        set_field(self, "bags", tuple(tuple(variables[place] for place in bag) for bag in bags))
        set_field(self, "parents", tuple(int(parent) for parent in parents))

    @classmethod
    def from_cliques(cls, variables: Iterable[str], cliques: Iterable[Iterable[str]]) -> TreeDecomposition:
        """The tree of given cliques, in any order; a variable in none of them has a bag of its own.

        The cliques must be those of a chordal graph, such as a k-tree: otherwise they have no tree in which the cliques
        of each variable are connected.

        Examples
        --------
        >>> TreeDecomposition.from_cliques(["a", "b", "c"], [["b", "c"], ["a", "b"]]).bags
        (('b', 'c'), ('a', 'b'))
        """
        names = check_variables(variables)
        index = {name: place for place, name in enumerate(names)}
        bags = [
            _places(index, clique) for clique in list_values("cliques", cliques, "lists of names", error=GraphError)
        ]
        named = {place for bag in bags for place in bag}
        bags += [[place] for place in range(len(names)) if place not in named]
        order, parents = _spanning_tree(bags)
        found = cls(names, tuple(tuple(names[place] for place in bags[bag]) for bag in order), tuple(parents))
        apart = found._unconnected_variables()
        if apart:
            raise GraphError(
                "the cliques have no tree in which those of each variable are connected; see those with "
                f"{apart[0]!r}, and give the maximal cliques of a chordal graph"
            )
        return found

    @classmethod
    def from_elimination_order(cls, graph: GraphLike, order: Sequence[str]) -> TreeDecomposition:
        """The decomposition of a graph whose bags are the variables and their neighbours when they are eliminated.

        Bags that are part of another are left out. For a DAG, the graph is its moral graph.

        Examples
        --------
        >>> import credenet
        >>> asia = credenet.textbook.asia().dag
        >>> TreeDecomposition.from_elimination_order(asia, asia.elimination_order().order).width
        2
        """
        from credenet.graphs.arguments import as_graph

        graph = as_graph(graph)
        names = graph.variables
        if sorted(name_list("order", order)) != sorted(names):
            raise GraphError(f"order must list each of the {count(len(names), 'variable')} once")
        index = {name: place for place, name in enumerate(names)}
        tails, heads = graph._moral_arrays()
        neighbours: list[set[int]] = [set() for _ in names]
        for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
            neighbours[tail].add(head)
            neighbours[head].add(tail)
        steps = [index[name] for name in order]
        for place in steps:
            for other in neighbours[place]:
                neighbours[other] |= neighbours[place]
                neighbours[other] -= {other, place}
        step = {place: at for at, place in enumerate(steps)}
        bags: list[set[int]] = []
        parents: list[int] = []
        home: dict[int, int] = {}  # For each eliminated variable the bag that its elimination made.
        for place in reversed(steps):
            around = neighbours[place]
            above = home[min(around, key=step.__getitem__)] if around else min(len(bags), 1) - 1
            if around and bags[above] == around:
                bags[above].add(place)
                home[place] = above
                continue
            home[place] = len(bags)
            bags.append({place, *around})
            parents.append(above)
        return cls(names, tuple(tuple(names[place] for place in bag) for bag in bags), tuple(parents))

    @classmethod
    def from_indices(
        cls, variables: Iterable[str], bags: Iterable[Iterable[int]], parents: Iterable[int]
    ) -> TreeDecomposition:
        """The decomposition whose bags hold the positions of variables."""
        names = check_variables(variables)
        named = []
        for bag in list_values("bags", bags, "lists of positions", error=GraphError):
            places = list_values("a bag", bag, "positions", error=GraphError)
            for place in places:
                whole_number("a position", place, most=len(names) - 1, error=GraphError)
            named.append(tuple(names[place] for place in places))
        return cls(names, tuple(named), tuple(list_values("parents", parents, "numbers of bags", error=GraphError)))

    @property
    def width(self) -> int:
        """The size of the largest bag, less one; 0 without variables."""
        return max(map(len, self.bags), default=1) - 1

    @property
    def elimination_order(self) -> tuple[str, ...]:
        """The variables in an order whose width is at most that of the decomposition.

        Bags are removed from the last to the first; a variable is eliminated when its last bag is removed.
        """
        leaving = (name for bag in reversed(range(len(self.bags))) for name in self._leaving(bag))
        return tuple(dict.fromkeys(leaving))

    def _leaving(self, bag: int) -> Iterator[str]:
        """The variables of a bag that are not in its parent."""
        above = set(self.bags[self.parents[bag]]) if bag else set[str]()
        return (name for name in self.bags[bag] if name not in above)

    def covers(self, graph: DAG | PDAG) -> bool:
        """Whether this is a tree decomposition of the graph, or of the moral graph of a DAG."""
        return not self.problems(graph)

    def problems(self, graph: DAG | PDAG | None = None) -> tuple[str, ...]:
        """Why this is no tree decomposition, or none of a graph, in words; empty if it is one."""
        inside = {name for bag in self.bags for name in bag}
        problems = [f"no bag holds {name!r}" for name in self.variables if name not in inside]
        problems += [f"the bags with {name!r} are not connected" for name in self._unconnected_variables()]
        if graph is None:
            return tuple(problems)
        from credenet.graphs.arguments import as_graph

        graph = as_graph(graph)
        if set(graph.variables) != set(self.variables):
            odd = min(set(graph.variables) ^ set(self.variables))
            return (*problems, f"the graph and the decomposition have different variables: only one has {odd!r}")
        return (*problems, *self._outside(graph))

    def _outside(self, graph: DAG | PDAG) -> Iterator[str]:
        """The families or edges that no bag holds."""
        from credenet.graphs.dag import DAG

        sets = [frozenset(bag) for bag in self.bags]
        homes: dict[str, set[int]] = {name: set() for name in self.variables}
        for at, bag in enumerate(sets):
            for name in bag:
                homes[name].add(at)
        if isinstance(graph, DAG):
            for child in graph.variables:
                parents = graph.parents(child)
                if parents and not set.intersection(homes[child], *(homes[name] for name in parents)):
                    words = f"its parent{'s' if len(parents) > 1 else ''} {', '.join(map(repr, parents))}"
                    yield f"no bag holds {child!r} and {words}"
            return
        tails, heads = graph._moral_arrays()
        for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
            first, second = graph.variables[tail], graph.variables[head]
            if not homes[first] & homes[second]:
                yield f"no bag holds {first!r} and {second!r}, which are adjacent"

    def _unconnected_variables(self) -> list[str]:
        """Variables with several bags whose parent lacks the variable: these bags are not connected."""
        tops = Counter(name for bag in range(len(self.bags)) for name in self._leaving(bag))
        return [name for name in self.variables if tops[name] > 1]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "variables": list(self.variables),
            "bags": [list(bag) for bag in self.bags],
            "parents": list(self.parents),
            "width": self.width,
        }

    def __repr__(self) -> str:
        sizes = f"{count(len(self.variables), 'variable')}, {count(len(self.bags), 'bag')}"
        return f"<TreeDecomposition {sizes}, width {self.width}>"


def _places(index: Mapping[str, int], names: Iterable[str]) -> list[int]:
    """The distinct positions of the variables of a bag, ascending."""
    if isinstance(names, str):
        raise GraphError(f"a bag must be a list of names, got the text {show_value(names)}")
    places = sorted(find_variable(index, name) for name in list_values("a bag", names, "names", error=GraphError))
    if not places:
        raise GraphError("a bag must have a variable")
    if len(set(places)) < len(places):
        raise GraphError(f"a bag must name each variable once, got {show_value(list(names))}")
    return places


def _spanning_tree(bags: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """The bags in an order with parents first, and their parents: a spanning tree with the largest intersections.

    If any tree connects the bags of each variable, then this one does.
    """
    with_variable: dict[int, list[int]] = {}
    for at, bag in enumerate(bags):
        for place in bag:
            with_variable.setdefault(place, []).append(at)
    shared = Counter(pair for several in with_variable.values() for pair in combinations(several, 2))
    leader = list(range(len(bags)))
    joined: list[list[int]] = [[] for _ in bags]
    for first, second in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        a, b = _leader(leader, first), _leader(leader, second)
        if a != b:
            leader[a] = b
            joined[first].append(second)
            joined[second].append(first)
    order: list[int] = []
    parents: list[int] = []
    number: dict[int, int] = {}
    for root in range(len(bags)):
        waiting = [(root, min(len(order), 1) - 1)] if root not in number else []
        while waiting:
            at, above = waiting.pop()
            number[at] = len(order)
            order.append(at)
            parents.append(above)
            waiting += [(other, number[at]) for other in reversed(joined[at]) if other not in number]
    return order, parents


def _leader(leader: list[int], at: int) -> int:
    """The representative of all bags that are joined to this one (union-find)."""
    while leader[at] != at:
        leader[at] = leader[leader[at]]
        at = leader[at]
    return at
