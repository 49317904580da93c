"""Base classes of the methods, with their abilities: needs, options and the knowledge that they honour."""

from __future__ import annotations

from typing import ClassVar, Literal

from credenet._arguments import whole_number
from credenet.errors import ArgumentError
from credenet.settings.choices import Settings

GLOBAL_KINDS = (
    *("adjacent", "ancestral", "not_ancestral", "min_edges", "max_edges", "min_roots", "max_roots"),
    *("no_immoralities", "forbidden_immoralities", "independences"),
)
"""The kinds of knowledge that are about whole networks, not about single families."""
MAX_PARENTS = "max_parents"
ALL_KINDS = frozenset({*GLOBAL_KINDS, MAX_PARENTS})


class MethodAbilities(Settings):
    """The abilities of a method: what it needs, what it uses, and which knowledge it can honour."""

    __slots__ = ()

    needs: ClassVar[str | None] = None
    """What the method needs besides a table of families."""
    uses_score: ClassVar[bool] = True
    uses_test: ClassVar[bool] = False
    bounds_tree_width: ClassVar[bool] = False
    """Whether it can search for networks of bounded tree-width."""
    needs_tree_width: ClassVar[bool] = False
    takes_cliques: ClassVar[bool] = False
    """Whether it can search for the best network within given cliques."""
    joins_constant: ClassVar[bool] = True
    """Whether it can give edges to variables with one observed state."""
    honours: ClassVar[frozenset[str]] = frozenset({MAX_PARENTS})
    """The kinds of knowledge that it honours, among those that not every method does."""

    @property
    def takes_score(self) -> bool:
        """Whether it uses a score with these settings."""
        return self.uses_score


class BaseMethod(MethodAbilities):
    """A method of `learn`."""

    __slots__ = ()


class ScoreBased(BaseMethod):
    """A search for the best network among scored families, component by component."""

    __slots__ = ()


class OrderGraphSearch(ScoreBased):
    """A heuristic search in the order graph, whose nodes are subsets of the variables."""

    __slots__ = ()

    heuristic: str
    pattern_size: int | None

    def _check_together(self) -> None:
        if self.heuristic == "simple" and self.pattern_size is not None:
            raise ArgumentError("heuristic=simple has no patterns; pattern_size is for static and dynamic")
        if self.heuristic == "dynamic" and self.pattern_size is not None:
            whole_number("pattern_size", self.pattern_size, least=2)


class WeightedOrderGraphSearch(OrderGraphSearch):
    """A search that weights what the variables not yet placed must lose against their best families.

    The simple heuristic, and patterns of one variable, give each of them its best family. By them nothing is lost, so
    that there is nothing to weight.
    """

    __slots__ = ()

    weight: float

    def _check_together(self) -> None:
        OrderGraphSearch._check_together(self)
        if self.weight == 1 or (self.heuristic != "simple" and self.pattern_size != 1):
            return
        simple = "heuristic=simple" if self.heuristic == "simple" else "pattern_size=1"
        cure = "heuristic=static or dynamic" if self.heuristic == "simple" else "a pattern_size of at least 2"
        raise ArgumentError(
            f"{simple} leaves {self.short_name} nothing to weight, so that every weight searches alike; use {cure}, or "
            "astar, which has no weight"
        )


class Climb(ScoreBased):
    """A local search that changes single edges."""

    __slots__ = ()

    honours: ClassVar[frozenset[str]] = frozenset({MAX_PARENTS, "adjacent"})

    restarts: int
    length: int = 0  # Length of the tabu list.
    patience: int = 0


class BoundedTreeWidth(BaseMethod):
    """A search for a network whose tree-width is at most a given number."""

    __slots__ = ()

    bounds_tree_width: ClassVar[bool] = True
    needs_tree_width: ClassVar[bool] = True

    iterations: int | None = None  # With 0 the search continues until the time limit.


class KTrees(BoundedTreeWidth):
    """A search over many k-trees, in each of which the method looks for a network."""

    __slots__ = ()

    needs: ClassVar[str | None] = "the data: a table of families does not give the mutual information of pairs"
    guided: ClassVar[bool] = False
    """Whether the k-trees are found by a search on the informative score, or drawn at random."""
    exact: ClassVar[bool] = False
    """Whether the best network of each k-tree is found, or the best for some orders of the variables."""

    iterations: int
    orders: int = 1
    complete: bool = False


class ConstraintBased(BaseMethod):
    """A method that decides all edges by tests of independence."""

    __slots__ = ()

    needs: ClassVar[str | None] = "data to test, got FamilyTable"
    uses_score: ClassVar[bool] = False
    uses_test: ClassVar[bool] = True
    joins_constant: ClassVar[bool] = False
    honours: ClassVar[frozenset[str]] = frozenset()

    max_order: int | None
    then: Literal["hill_climb", "tabu"] | None

    @property
    def takes_score(self) -> bool:
        return self.then is not None
