"""The cost of each way to solve a strongly connected component, and the choice among them.

A table of all subsets of n variables has 2^n entries, so its time and memory are known beforehand. Those of a tree
search (branch and cut, A*) are not: it may be far faster, or never end. So the table is made at once if it takes a
moment. If it takes longer but fits into memory, the tree search gets as long as the table would take, and the table is
the last resort.
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

INSTANT_TABLE = 16  # Variables of a component whose table takes milliseconds, so it replaces the cuts of a node.
QUICK_TABLE = 20  # Variables of a component whose table takes less than a second, so learning makes it at once.
LARGEST_LEAF = QUICK_TABLE  # Variables of a table for one leaf; a tree of credible networks may have many leaves.
LARGEST_RESORT = 29  # Variables of a component whose table takes minutes and 4 GB, so a tree search comes first.

SUMMED_BY_DEFAULT = 20  # Variables whose sum over all networks (3^n steps) takes seconds, so it needs no request.
UNASKED_SECONDS = 10.0  # CPU seconds that a sum over all networks may take without a request.
_SECONDS_OF_SET = 1e-6  # Seconds to score a set of variables besides counting its rows.
_SECONDS_OF_ROW = 3.5e-9  # Seconds to count one row for a set of variables; less if most rows are distinct.
_SECONDS_OF_TERM = 1.5e-9  # Seconds for one of the 3^n terms of a sum over networks, forward and backward.

DENSE = 500  # Families per variable (mean) above which the linear program is large and its bound weak.
TREE_TURN = 20.0  # Seconds of branch and cut before A* has its turn; it comes first as it wins more often.
LATTICE_TURN = 5.0  # Seconds of A*; then the method with the better bound gets the rest.
FIRST_NETWORK = 0.2  # Share of the time left that the search for a first network may take.
ATTEMPTS = 3  # Tree searches for credible networks (optimum, reduction, list), which share the time of a table.

WayToOptimum = Literal["quick table", "table", "tree, then table", "tree", "turns"]
WayToList = Literal["table", "tree, then table", "tree"]


def way_to_optimum(n_variables: int, n_families: int, *, table_fits: bool) -> WayToOptimum:
    """How to search for the best network of a component; "turns" alternates branch and cut and A*."""
    if table_fits and n_variables <= QUICK_TABLE:
        return "quick table"
    if n_variables > MOST_LATTICE_VARIABLES:
        return "tree"
    if not table_fits:
        return "turns"
    return "table" if n_families > DENSE * n_variables else "tree, then table"


def way_to_list(n_variables: int, *, table_fits: bool) -> WayToList:
    """How to list the credible networks of a component."""
    if n_variables <= LARGEST_TABLE:
        return "table"
    return "tree, then table" if table_fits and n_variables <= LARGEST_RESORT else "tree"


def table_bytes(n_variables: int, n_threads: int, *, layered: bool = False) -> int:
    """The bytes of a table of subsets; 0 for one variable, which needs none."""
    return _core.subset_dp_bytes(n_variables, layered, n_threads) if n_variables > 1 else 0


def table_seconds(component: Component) -> float:
    """The estimated seconds to make a table of subsets."""
    return _core.subset_dp_seconds(component.lists)


def sum_seconds(n_variables: int, n_rows: float, *, by_families: bool) -> float:
    """The estimated CPU seconds of a sum over all networks, including the scores of all families.

    Most scores are sums of terms of variable sets, and each set is counted once; ``by_families`` is for the others.
    """
    sets = 2.0**n_variables * (n_variables / 2 if by_families else 1)
    return sets * (_SECONDS_OF_SET + _SECONDS_OF_ROW * n_rows) + _SECONDS_OF_TERM * 3.0**n_variables


def node_table(most: int, *, is_cut: bool) -> int:
    """The largest component that dynamic programming may solve to end a node; ``most`` once cuts no longer help."""
    return max(most if is_cut else min(INSTANT_TABLE, most), 1)


def leaf_table(run: Run) -> int:
    """The largest component of a leaf with credible networks; its table takes at most a quarter of the memory."""
    size = LARGEST_LEAF
    while size > 2 and table_bytes(size, run.n_threads) > run.memory / 4:
        size -= 1
    return size


def attempt(component: Component, run: Run) -> Run:
    """The run with the deadline of one tree search that comes before the table."""
    return run.end_within(seconds=table_seconds(component) / ATTEMPTS)
