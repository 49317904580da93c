"""Verification of a network of bounded tree-width: its bags, its elimination order, and its bound."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from credenet.graphs import DAG, TreeDecomposition
from credenet.learners import learn
from credenet.settings.bounded_methods import Exact

if TYPE_CHECKING:
    from credenet.families.table import FamilyTable
    from credenet.learners.results import LearnResult

MOST_VARIABLES = 8  # Variables up to which the second exact method takes a moment.


def bag_problems(result: LearnResult) -> str:
    """Why the bags are no tree decomposition of the network, or leave the cliques; empty if all is well."""
    cliques, decomposition = result.provenance.cliques, result.decomposition
    if decomposition is None:
        return "there are no bags"
    parents = {child: result.dag.parents(child) for child in result.dag.variables}
    wrong = _tree_problems(decomposition, parents)
    if not wrong and cliques is not None:
        wrong = _tree_problems(cliques, parents)
    return wrong


def _tree_problems(decomposition: TreeDecomposition, parents: dict[str, tuple[str, ...]]) -> str:
    bags = [set(bag) for bag in decomposition.bags]
    for child, several in parents.items():
        if not any(bag.issuperset((child, *several)) for bag in bags):
            return f"no bag holds {child!r} and its parents"
        homes = [at for at, bag in enumerate(bags) if child in bag]
        joined = [at for at in homes if at and child in bags[decomposition.parents[at]]]
        if len(joined) != len(homes) - 1:
            return f"the bags with {child!r} are not connected"
    return ""


def elimination_width(dag: DAG, order: Sequence[str]) -> int:
    """The largest number of neighbours in the moral graph of a variable when it is eliminated."""
    neighbours: dict[str, set[str]] = {name: set() for name in dag.variables}
    for child in dag.variables:
        for first, second in combinations((child, *dag.parents(child)), 2):
            neighbours[first].add(second)
            neighbours[second].add(first)
    width = 0
    for name in order:
        around = neighbours.pop(name)
        width = max(width, len(around))
        for other in around:
            neighbours[other] |= around
            neighbours[other] -= {other, name}
    return width


def best_of_width_again(result: LearnResult, families: FamilyTable) -> float | str:
    """The optimum by a second exact method; or the reason why it is not computed."""
    made = result.provenance
    if made.cliques is not None:
        return "no other method searches within cliques"
    if len(families.variables) > MOST_VARIABLES:
        return f"more than {MOST_VARIABLES} variables, for which this is done again"
    method = Exact("milp" if "dynamic programming" in made.reason else "dp")
    again = learn(
        families, method=method, tree_width=made.tree_width, knowledge=made.knowledge, max_parents=made.max_parents
    )
    return float("-inf") if again.score is None else again.score
