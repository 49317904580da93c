"""What the ways to solve a strongly connected component cost, and which of them suits it.

A table of all subsets of n variables has 2^n entries: its time and memory are known before. Those of a search tree
(branch and cut, A*) are not; it may be far faster, or never end. So a table is made where it takes a moment. Where it
takes longer but fits into memory, the tree is given as long as the table would take, and the table is the last resort.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from credenet import _core
from credenet.settings.sizes import LARGEST_NODE_TABLE as LARGEST_NODE_TABLE
from credenet.settings.sizes import LARGEST_TABLE as LARGEST_TABLE
from credenet.settings.sizes import MOST_LATTICE_VARIABLES as MOST_LATTICE_VARIABLES

if TYPE_CHECKING:
    from credenet._run.run import Run
    from credenet.search.components import Component

# Variables of a component, of which a table of all subsets is made.
INSTANT_TABLE = 16  # Variables of a table that takes milliseconds: it ends a node of a tree before the node is cut.
QUICK_TABLE = 20  # Variables of a table that takes less than a second: learning makes it without thinking.
LARGEST_LEAF = QUICK_TABLE  # Variables of a table for a leaf, as leaves with credible networks may be many.
LARGEST_RESORT = 29  # Variables of a table of four gigabytes and minutes: only where a tree has taken as long.

SUMMED_BY_DEFAULT = 20  # Variables of a sum over all networks, 3^n steps, that takes seconds: nobody has to ask for it.
UNASKED_SECONDS = 10.0  # Seconds of a processor for a sum that nobody asked for.
_SECONDS_OF_SET = 1e-6  # Seconds to score a set of variables, for whatever number of rows.
_SECONDS_OF_ROW = 3.5e-9  # Seconds to count a row for a set of variables; fewer where most rows are alone.
_SECONDS_OF_TERM = 1.5e-9  # Seconds of a term of a sum over all networks, forward and backward.

DENSE = 500  # Families of a variable on average above which the linear program is large and its bound weak.
TREE_TURN = 20.0  # Seconds of branch and cut, which is faster more often, before A* has its turn.
LATTICE_TURN = 5.0  # Seconds of A* before the one with the better bound has the rest.
FIRST_NETWORK = 0.2  # Share of the time left for a network to start from.
ATTEMPTS = 3  # Attempts of a tree at credible networks (optimum, reduction, list), which share the time of a table.

WayToOptimum = Literal["quick table", "table", "tree, then table", "tree", "turns"]
WayToList = Literal["table", "tree, then table", "tree"]


def way_to_optimum(n_variables: int, n_families: int, *, table_fits: bool) -> WayToOptimum:
    """How the best network of a component is sought; turns are those of branch and cut and A*."""
    if table_fits and n_variables <= QUICK_TABLE:
        return "quick table"
    if n_variables > MOST_LATTICE_VARIABLES:
        return "tree"
    if not table_fits:
        return "turns"
    return "table" if n_families > DENSE * n_variables else "tree, then table"


def way_to_list(n_variables: int, *, table_fits: bool) -> WayToList:
    """How the credible networks of a component are listed."""
    if n_variables <= LARGEST_TABLE:
        return "table"
    return "tree, then table" if table_fits and n_variables <= LARGEST_RESORT else "tree"


def table_bytes(n_variables: int, n_threads: int, *, layered: bool = False) -> int:
    """The memory of a table of subsets; one variable needs none."""
    return _core.subset_dp_bytes(n_variables, layered, n_threads) if n_variables > 1 else 0


def table_seconds(component: Component) -> float:
    """About how long a table of subsets takes."""
    return _core.subset_dp_seconds(component.lists)


def sum_seconds(n_variables: int, n_rows: float, *, by_families: bool) -> float:
    """About how many seconds of a processor a sum over all networks takes, with the scores of all families.

    Most scores are made of terms of sets of variables, each of which is counted once; others by families, one by one.
    """
    sets = 2.0**n_variables * (n_variables / 2 if by_families else 1)
    return sets * (_SECONDS_OF_SET + _SECONDS_OF_ROW * n_rows) + _SECONDS_OF_TERM * 3.0**n_variables


def node_table(most: int, *, is_cut: bool) -> int:
    """The largest component that ends a node of a tree; most once cuts no longer help."""
    return max(most if is_cut else min(INSTANT_TABLE, most), 1)


def leaf_table(run: Run) -> int:
    """The largest component of a leaf with credible networks, whose table takes at most a quarter of the memory."""
    size = LARGEST_LEAF
    while size > 2 and table_bytes(size, run.n_threads) > run.memory / 4:
        size -= 1
    return size


def attempt(component: Component, run: Run) -> Run:
    """The run with the deadline of one attempt by a tree, where a table is the last resort."""
    return run.within(seconds=table_seconds(component) / ATTEMPTS)
