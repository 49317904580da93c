"""The log of a prior on whole networks, which depends on one number of a network: its complexity.

The networks of at most each complexity are nested, and the prior weighs a network by one over the number of networks
that are at most as complex as it is (see `SSP`). Complexities are whole numbers from 0:

- ``in_degree``: the largest number of parents;
- ``edges``: the number of edges;
- ``tree_width``: the tree-width of the moral graph, for networks of few variables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.families.edge_counts import count_by_edges
from credenet.families.few_networks import MOST_LISTED, count_by_tree_width, known_tree_width
from credenet.families.log_dag_counts import log_count_dags
from credenet.settings.priors import SSP, Edge, Prior

Penalties = NDArray[np.float64]
"""The log prior of each complexity, from 0 on."""

MOST_BY_IN_DEGREE = 4096  # Variables of a family table.
MOST_BY_EDGES = 100  # Variables whose networks are counted in 1.3 seconds, and by the fourth power of their number.
_MOST_COUNTED = 256  # Variables up to which numbers of DAGs are whole numbers, as they take milliseconds.
_LEAST_DIFFERENCE = 1e-3  # Difference of two logs of numbers of DAGs from which on that of the numbers is precise.


def complexity_of(prior: Prior, parents: Sequence[Sequence[int]]) -> int:
    """The complexity of a network, given the parents of each variable; 0 under a modular prior."""
    if prior.is_modular:
        return 0
    if prior.complexity == "tree_width":
        width = known_tree_width(parents)
        if width is None:
            raise ArgumentError(_say_unknown(prior, len(parents), "a network of tree-width 2 or more"))
        return width
    return int(complexities(prior, np.array([list(map(len, parents))], dtype=np.int64))[0])


def complexities(prior: SSP, sizes: NDArray[Any]) -> NDArray[np.int64]:
    """The complexities of several networks, from the numbers of parents of the variables of each (row).

    Tree-widths are not known by these.
    """
    assert prior.complexity != "tree_width"
    found = sizes.sum(axis=1) if prior.complexity == "edges" else sizes.max(axis=1, initial=0)
    return np.asarray(found, dtype=np.int64)


def largest_complexity(prior: SSP, n_variables: int, max_parents: int | None) -> int:
    """The largest complexity of networks of so many variables with at most ``max_parents`` parents each."""
    if prior.complexity == "tree_width":
        return max(n_variables - 1, 0)
    sizes = np.arange(n_variables)[None, :]
    return int(complexities(prior, sizes if max_parents is None else np.minimum(sizes, max_parents))[0])


def log_prior_of(prior: Prior, parents: Sequence[Sequence[int]]) -> float:
    """The part of the log prior that is no sum over the families of a network; 0 for a modular prior."""
    return 0.0 if prior.is_modular else log_penalty(prior, len(parents), complexity_of(prior, parents))


def log_penalty(prior: Prior, n_variables: int, complexity: int) -> float:
    """The log prior, up to a constant, of a network of so many variables and of a complexity; 0 if it is modular."""
    if prior.is_modular:
        return 0.0
    largest = largest_complexity(prior, n_variables, None)
    if not 0 <= complexity <= largest:
        what = "max_in_degree" if prior.complexity == "in_degree" else prior.complexity
        raise ArgumentError(f"{what} must be from 0 to {largest}, got {complexity}")
    if prior.complexity == "tree_width":
        return _penalty_of_tree_width(prior, n_variables, complexity)
    check_countable(prior, n_variables)
    if prior.complexity == "edges":
        return float(_penalties_of_edges(n_variables, prior.may_favour_parents)[complexity])
    return _penalty_of_in_degree(n_variables, complexity, prior.may_favour_parents)


def log_penalties(prior: Prior, n_variables: int, most: int) -> Penalties:
    """The log penalties of the complexities 0 to ``most``."""
    return np.array([log_penalty(prior, n_variables, each) for each in range(most + 1)])


def edge_prior(prior: SSP, n_variables: int, n_edges: int, *, fewer: bool = False) -> Edge:
    """The prior of single edges that weighs one edge more as a prior by edges does; with ``fewer`` one edge less.

    The number of edges may be the largest or the smallest, which then has the factor of the other direction.
    """
    most = largest_complexity(prior, n_variables, None)
    if most == 0:
        return Edge(1.0)
    below = min(max(n_edges - 1 if fewer else n_edges, 0), most - 1)
    return Edge(math.exp(log_penalty(prior, n_variables, below + 1) - log_penalty(prior, n_variables, below)))


def penalty_rise(prior: Prior, n_variables: int, max_parents: int | None) -> float:
    """How much more a network may weigh, in nats, for parents that it has beyond those that it needs.

    A family table is pruned by subsets that score better, as if fewer parents never weighed less. With so much more
    slack its families suffice for a prior on whole networks, too. No variable has more than ``max_parents`` parents.
    """
    if prior.is_modular or not prior.may_favour_parents or n_variables < 2:
        return 0.0
    penalties = log_penalties(prior, n_variables, largest_complexity(prior, n_variables, max_parents))
    return float((penalties - np.minimum.accumulate(penalties)).max())


class SlackError(ArgumentError):
    """Raised if families that the prior may favour were pruned; ``slack`` would have kept them."""

    def __init__(self, message: str, slack: float) -> None:
        super().__init__(message)
        self.slack = slack


def check_slack(slack: float | None, needed: float, margin: float, reason: str) -> None:
    """Raises an error unless the slack of a table is as large as needed.

    The error asks for a margin, as the same values computed from a larger table may be rounded otherwise.
    """
    if needed <= 0 or (slack is not None and slack >= needed):
        return
    needed += margin
    raise SlackError(
        f"{reason} although fewer score better; that needs families with a slack of at least {needed:.3g}; the table "
        f"has {'an unknown one' if slack is None else f'{slack:.3g}'}",
        needed,
    )


def check_in_degree(prior: Prior | None, what: str) -> None:
    """Refuses a prior on whole networks that depends on anything but their largest in-degree."""
    if prior is None or prior.is_modular or prior.complexity == "in_degree":
        return
    raise ArgumentError(
        f"{what} are not known under {prior}, which depends on {prior.says_complexity}; learn and score take this "
        "prior, and SSP() or a prior on single edges, such as prior='edge', is taken here"
    )


def check_countable(prior: Prior, n_variables: int) -> None:
    """Refuses a prior for which the networks of so many variables cannot be counted."""
    if prior.is_modular:
        return
    if prior.complexity == "tree_width" and n_variables > MOST_LISTED:
        raise ArgumentError(_say_unknown(prior, n_variables, "networks"))
    if prior.complexity == "edges" and n_variables > MOST_BY_EDGES:
        raise ArgumentError(
            f"networks of at most {MOST_BY_EDGES} variables can be counted by their edges for {prior}, got "
            f"{n_variables:,}; SSP(complexity='in_degree') counts those of up to {MOST_BY_IN_DEGREE:,}"
        )
    if n_variables > MOST_BY_IN_DEGREE:
        raise ArgumentError(
            f"networks of at most {MOST_BY_IN_DEGREE:,} variables can be counted for SSP, got {n_variables:,}; give "
            "another prior"
        )


def _penalty_of_tree_width(prior: SSP, n_variables: int, tree_width: int) -> float:
    within = count_by_tree_width(n_variables, tree_width)
    fewer = 0
    if prior.exclusive and tree_width > 0 and within is not None:
        less = count_by_tree_width(n_variables, tree_width - 1)
        within, fewer = (None, 0) if less is None else (within, less)
    if within is None:
        raise ArgumentError(_say_unknown(prior, n_variables, f"networks of tree-width {tree_width}"))
    return -math.log(within - fewer)


def _say_unknown(prior: SSP, n_variables: int, what: str) -> str:
    """The reason why the prior of some networks is not known."""
    return (
        f"{prior} is not known for {what} of {n_variables:,} variables: their number has no "
        f"formula here, and those of at most {MOST_LISTED} variables are listed to count them; complexity='edges' "
        f"counts those of up to {MOST_BY_EDGES} variables, complexity='in_degree' those of up to {MOST_BY_IN_DEGREE:,}"
    )


@lru_cache(maxsize=16)
def _penalties_of_edges(n_variables: int, exclusive: bool) -> Penalties:
    """The log penalty of each number of edges."""
    numbers = count_by_edges(n_variables)
    penalties = np.array([-math.log(number) for number in (numbers if exclusive else accumulate(numbers))])
    penalties.setflags(write=False)
    return penalties


@lru_cache(maxsize=1 << 14)
def _penalty_of_in_degree(n_variables: int, max_in_degree: int, exclusive: bool) -> float:
    if n_variables > _MOST_COUNTED:
        log_total = log_count_dags(n_variables, max_in_degree)
        if not exclusive or max_in_degree == 0:
            return -log_total
        difference = log_total - log_count_dags(n_variables, max_in_degree - 1)
        if difference > _LEAST_DIFFERENCE:
            return -(log_total + math.log(-math.expm1(-difference)))
    total = count_dags(n_variables, max_in_degree)
    if exclusive and max_in_degree > 0:
        total -= count_dags(n_variables, max_in_degree - 1)
    return -math.log(total)
