"""The score of a given graph: of each family, and in total."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack, get_args

import numpy as np

from credenet import _core
from credenet._arguments import one_of
from credenet._run.progress import thread_count
from credenet._text import listing
from credenet.data.coding import States
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError, DataError
from credenet.families.nested_penalties import log_prior_of
from credenet.families.scoring.child_rules import NO_PARENTS, child_rule, size_factors
from credenet.families.scoring.core_scoring import (
    MOST_VARIABLES,
    check_data,
    check_scorable,
    core_families,
    drop_unobserved_states,
)
from credenet.families.structure_priors import expert_parents
from credenet.graphs.arguments import as_dag
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.priors import PRIORS, Prior
from credenet.settings.scores import Score, score_from

if TYPE_CHECKING:
    from credenet.data.sources import DataLike
    from credenet.graphs.arguments import GraphLike
    from credenet.graphs.dag import DAG

MOST_JOINT_STATES = 10**200  # Joint states of parents at most, so that no share of a prior weight underflows.


@dataclass(frozen=True, slots=True)
class GraphScore:
    """The score of a graph: in total, and of each family.

    The total is the sum over the families and, for the prior SSP, the penalty of the whole graph.
    ``remarks`` are sentences for the user, such as that a search would not consider some edges of the graph.

    Examples
    --------
    >>> import credenet
    >>> score = credenet.score(credenet.datasets.sprinkler(), credenet.textbook.sprinkler().dag, score="bic")
    >>> abs(sum(score.local.values()) - score.total) < 1e-6
    True
    """

    total: float
    local: Mapping[str, float]
    score: Score
    remarks: tuple[str, ...] = ()

    def log_bayes_factor(self, other: GraphScore) -> float:
        """The log of the factor by which the data favour this graph over another."""
        if self.score != other.score or not self.score.has_bayes_factor:
            raise ArgumentError(
                "a Bayes factor needs two graphs with the same score, and one that is a log probability"
            )
        return self.total - other.total


@takes_data()
def score(
    data: DataLike,
    graph: GraphLike,
    *,
    score: Score | str = "bdeu",
    ess: float | None = None,
    prior: Prior | str = "uniform",
    states: States = "declared",
    n_threads: int | None = None,
    **options: Unpack[DataOptions],
) -> GraphScore:
    """The score of a given graph, in total and of each family.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table.
    graph
        A DAG, or an object that has one: a network, a result of `learn`; of a PDAG, a consistent extension.
    score, ess, prior, states
        As for `score_families`.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> asia = credenet.textbook.asia()
    >>> data = asia.sample(1000)
    >>> truth, empty = credenet.score(data, asia.dag), credenet.score(data, credenet.DAG(asia.variables))
    >>> truth.log_bayes_factor(empty) > 100
    True
    """
    data, graph = as_dataset(data), as_dag(graph)
    one_of("states", states, get_args(States))
    unknown = sorted(set(graph.variables) ^ set(data.variables))
    if unknown:
        raise DataError(f"the graph and the data must have the same variables; only one has {unknown[0]!r}")
    check_data(data)
    chosen, modular = score_from(score, ess=ess), PRIORS.get(prior)
    if chosen.counts_variables:
        check_scorable(data)
    used = data if states == "declared" else drop_unobserved_states(data)
    parents = [tuple(sorted(data.index(name) for name in graph.parents(child))) for child in data.variables]
    _check_joint_states(used, parents, chosen)
    most = max(map(len, parents), default=0)
    factors = size_factors(modular.modular_part(), data, most)
    expert = expert_parents(modular, data.variables)
    rules = [
        child_rule(required, NO_PARENTS, len(required), factors[child], child, expert)
        for child, required in enumerate(parents)
    ]
    plain = _score_without_prior(used, chosen, parents, thread_count(n_threads))
    local = {
        name: plain[child] + rules[child].log_prior(list(parents[child])) for child, name in enumerate(data.variables)
    }
    is_possible = all(map(math.isfinite, local.values()))
    return GraphScore(
        math.fsum(local.values()) + log_prior_of(modular, parents) if is_possible else -math.inf,
        local,
        chosen,
        _edges_of_constant(data, graph),
    )


def _edges_of_constant(data: Dataset, graph: DAG) -> tuple[str, ...]:
    """A remark on edges of variables with one observed state, which a search considers only on request."""
    ends = {name for edge in graph.edges for name in edge}
    joined = [name for name in data.info().constant if name in ends]
    if not joined:
        return ()
    has = "has" if len(joined) == 1 else "have"
    return (
        f"the graph has edges of {listing(joined)}, which {has} one observed state: a search considers such edges only "
        "with isolate_constant=False, or where the knowledge asks for them",
    )


def _score_without_prior(data: Dataset, score: Score, parents: Sequence[Sequence[int]], n_threads: int) -> list[float]:
    """The scores of the families of a graph without the prior; groups of families keep to `MOST_VARIABLES` each."""
    found = [-math.inf] * len(parents)
    options = _core.FamilyOptions(slack=0.0, prune=False, tolerance=0.0, max_bytes=0, n_threads=n_threads)
    for children, members in _family_groups(parents):
        place = {member: at for at, member in enumerate(members)}
        zeros = _core.SizeFactors(np.zeros(1 + max(len(parents[child]) for child in children)))
        # A variable that requires itself has no family.
        rules = [_core.ChildRules([at], NO_PARENTS, 0, zeros, [], 0.0) for at in range(len(members))]
        for child in children:
            own = [place[parent] for parent in parents[child]]
            rules[place[child]] = _core.ChildRules(own, NO_PARENTS, len(own), zeros, [], 0.0)
        some = data if len(members) == data.n_variables else data.select([data.variables[at] for at in members])
        families = core_families(some, score, rules, options, None).families
        for child in children:
            scores = families[place[child]][0]
            found[child] = float(scores[0]) if len(scores) else -math.inf
    return found


def _family_groups(parents: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Groups of children, each with the variables of its families in ascending order: at most `MOST_VARIABLES`."""
    if len(parents) <= MOST_VARIABLES:
        yield list(range(len(parents))), list(range(len(parents)))
        return
    children: list[int] = []
    members: set[int] = set()
    for child, several in enumerate(parents):
        if children and len(members) + len({child, *several} - members) > MOST_VARIABLES:
            yield children, sorted(members)
            children, members = [], set()
        children.append(child)
        members.update((child, *several))
    yield children, sorted(members)


def _check_joint_states(data: Dataset, parents: Sequence[Sequence[int]], score: Score) -> None:
    """Refuses parents with so many joint states that their number, or the prior weight of one, is no finite double."""
    if not score.counts_joint_states:
        return
    n_states = data.n_states.tolist()
    for name, of_child in zip(data.variables, parents, strict=True):
        if math.prod(n_states[parent] for parent in of_child) > MOST_JOINT_STATES:
            raise DataError(
                f"the {len(of_child):,} parents of {name!r} have more than 1e200 joint states, too many for "
                f"{score.short_name}; bds, k2 and fnml do not need their number"
            )
