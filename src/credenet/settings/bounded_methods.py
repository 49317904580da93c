"""The methods of learning networks of bounded tree-width, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from credenet.settings.choices import names, switch, whole
from credenet.settings.method_bases import BoundedTreeWidth, KTrees

_MOST_REPEATS = 1_000_000  # Repetitions at most; with more, only a time limit would end the search.

_ITERATIONS = whole(most=_MOST_REPEATS)
_ORDERS = whole(least=1, most=_MOST_REPEATS)


@dataclass(frozen=True, slots=True)
class S2(KTrees):
    """Bounded tree-width: random k-trees of high informative score, and in each the best of several random orders.

    Parameters
    ----------
    iterations
        The number of k-trees; 0 continues until the time limit.
    orders
        The number of orders that are drawn in each k-tree; variables of the best one are then moved while that helps.

    Examples
    --------
    >>> import credenet
    >>> method = credenet.methods.S2(iterations=20)
    >>> credenet.learn(credenet.datasets.asia(), method=method, tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)
    orders: int = field(default=100, metadata=_ORDERS)

    short_name: ClassVar[str] = "s2"


@dataclass(frozen=True, slots=True)
class S2Plus(KTrees):
    """Bounded tree-width: k-trees by a search on the informative score, and in each the best of several random orders.

    Parameters
    ----------
    iterations
        The number of k-trees, each grown from another first clique; 0 continues until the time limit.
    orders
        The number of orders that are drawn in each k-tree; variables of the best one are then moved while that helps.
    complete
        Find the k-tree of the highest informative score for each first clique by A*; only for few variables. By default
        the search commits to each variable that it adds.

    Examples
    --------
    >>> import credenet
    >>> method = credenet.methods.S2Plus(iterations=20)
    >>> credenet.learn(credenet.datasets.asia(), method=method, tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)
    orders: int = field(default=100, metadata=_ORDERS)
    complete: bool = field(default=False, metadata=switch())

    short_name: ClassVar[str] = "s2_plus"
    guided: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class KP(KTrees):
    """Bounded tree-width: random k-trees of high informative score, and in each the best network; tree-widths up to 7.

    Parameters
    ----------
    iterations
        The number of k-trees; 0 continues until the time limit.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.KP(iterations=20), tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "kp"
    exact: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class KPPlus(KTrees):
    """Bounded tree-width: k-trees by a search on the informative score, and in each the best network; tree-widths up
    to 7.

    Parameters
    ----------
    iterations, complete
        As for `S2Plus`.

    Examples
    --------
    >>> import credenet
    >>> method = credenet.methods.KPPlus(iterations=20)
    >>> credenet.learn(credenet.datasets.asia(), method=method, tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)
    complete: bool = field(default=False, metadata=switch())

    short_name: ClassVar[str] = "kp_plus"
    guided: ClassVar[bool] = True
    exact: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class KMax(BoundedTreeWidth):
    """Bounded tree-width: networks are grown variable by variable, first the one that loses least; any size.

    Parameters
    ----------
    iterations
        The number of networks that are grown; 0 continues until the time limit.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="kmax", tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "kmax"


@dataclass(frozen=True, slots=True)
class KG(BoundedTreeWidth):
    """Bounded tree-width: networks are grown variable by variable in random orders; any size.

    Parameters
    ----------
    iterations
        The number of orders; 0 continues until the time limit.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="kg", tree_width=2).tree_width
    2
    """

    iterations: int = field(default=100, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "kg"


@dataclass(frozen=True, slots=True)
class Annealing(BoundedTreeWidth):
    """Bounded tree-width: simulated annealing over tree decompositions and orders of the variables, from networks of
    `KMax`; any size.

    The best network of each round is also improved by exact search in windows, if the tree-width is at most 4.

    Parameters
    ----------
    iterations
        The number of annealings, in rounds of four of which each takes twice as long as the one before; 0 continues
        until the time limit.

    Examples
    --------
    >>> import credenet
    >>> method = credenet.methods.Annealing(iterations=4)
    >>> credenet.learn(credenet.datasets.asia(), method=method, tree_width=2).tree_width
    2
    """

    iterations: int = field(default=16, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "annealing"


@dataclass(frozen=True, slots=True)
class Exact(BoundedTreeWidth):
    """Bounded tree-width: the best network, proven; for few variables.

    Parameters
    ----------
    engine
        ``dp`` is dynamic programming over all tree decompositions, ``milp`` an integer linear program over elimination
        orders. By default ``dp`` where time and memory allow it.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="exact", tree_width=2).status
    'optimal'
    """

    engine: Literal["auto", "dp", "milp"] = field(default="auto", metadata=names("auto", "dp", "milp"))

    short_name: ClassVar[str] = "exact"
    takes_cliques: ClassVar[bool] = True
