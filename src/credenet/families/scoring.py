"""Scores of families: the candidate parent sets of a learner, and the families of a given graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

import credenet
from credenet import _core
from credenet._arguments import flag, mapping, name_list, one_of, real_number, whole_number
from credenet._run.memory import usable_memory
from credenet._run.progress import CoreCallback, OnProgress, thread_count
from credenet._run.run import Run
from credenet._run.workers import check_executor
from credenet.data.coding import States
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, DataError
from credenet.families.child_groups import scored_by_workers
from credenet.families.found import Found
from credenet.families.info import FamilyTableInfo, UnscoredSets
from credenet.families.priors import PRIORS, Prior
from credenet.families.scores import MDL, MIT, BDe, BDeu, BDs, Score, fNML, qNML, score_from
from credenet.families.sources import as_dataset, check_knowledge
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs.arguments import as_dag
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.families.sources import DataLike
    from credenet.graphs.arguments import GraphLike

DEFAULT_WORK = 40_000_000_000  # rows visited for large parent sets: a minute or two on two threads
BYTES_PER_FAMILY = 400  # including the terms of the sets that a family needs
MOST_VARIABLES = 4096  # bits of the largest set type of the core

Search = Literal["levels", "best_first"]

_CORE_NAMES = {"log_likelihood": "loglik"}


class CoreScore(NamedTuple):
    """A score in the form that the core takes; the parameter is its ESS or, for MIT, the confidence level."""

    name: str
    parameter: float
    prior: _core.PriorNetwork | None = None


def score_families(
    data: DataLike,
    *,
    score: Score | str = "bdeu",
    ess: float | None = None,
    prior: Prior | str = "uniform",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    up_to_parents: int | None = None,
    slack: float | None = None,
    bayes_factor: float | None = None,
    states: States = "declared",
    candidates: Mapping[str, Sequence[str]] | None = None,
    search: Search = "levels",
    max_families: int | None = None,
    unproven_bounds: bool = False,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
) -> FamilyTable:
    """For each variable the parent sets that can be in a network within ``slack`` of the best, with their scores.

    Parameters
    ----------
    data
        A `Dataset`, a data frame or a two-dimensional array.
    score
        Such as ``BDeu(ess=1)`` or ``"bic"``; ``ess`` is the equivalent sample size of a score given by name.
    prior
        A modular structure prior; its log factor is part of every score.
    knowledge
        Required and forbidden edges, tiers and in-degrees that the families must obey. If rules on whole networks may
        need a parent set although a subset scores better, no set is pruned for a better subset: the slack is infinite.
    max_parents
        The largest number of parents; if not given, as many as the bounds of the score allow, or as fit in memory.
    up_to_parents
        Score only sets of at most this many parents, required ones not counted, and bound the larger ones. Unlike
        ``max_parents`` this forbids nothing: if larger sets may be useful, the table is not complete, its status is
        ``iteration_limit``, and ``made.unscored`` says what they can gain at most. For ``search="levels"``.
    slack, bayes_factor
        How much worse than the best a network may be (in nats, or as a factor) for its families to be kept; 0 keeps
        those of optimal networks. Give at most one.
    states
        Whether the score counts states that are declared but do not occur.
    candidates
        The only possible parents of each variable that is named; other variables are not restricted. The table is then
        not complete.
    search
        ``"levels"`` visits all parent sets by size. ``"best_first"`` is for hundreds or thousands of variables: it
        scores the most promising sets first, judged by their subsets, until it reaches a limit; the variables take
        turns. The table is then not complete, unless the bounds of the score leave nothing to explore.
    max_families
        The largest number of families to score for one variable in a best-first search. Every run then gives the same
        table; under a time limit it depends on the speed of the machine.
    unproven_bounds
        Also prune by bounds of fNML and qNML that are checked numerically only. Far fewer families are scored, and no
        case is known in which a needed one was lost. The other scores have proven bounds or none.
    time_limit, memory_limit
        Seconds and bytes (three quarters of the free memory if not given) after which the families found so far are
        returned, not complete. If no time limit is given, the search of large parent sets ends after a fixed amount
        of work, a minute or two; ``math.inf`` removes this limit.
    executor
        Scores the families of groups of variables instead of threads of this process: any
        `concurrent.futures.Executor`, such as a process pool or that of a Dask client, ``client.get_executor()``.
        Memory and the fixed amount of work are divided between the groups. Unless a limit is reached, the table is
        the same; only ``made.evaluated`` may be larger, as variables of different groups do not share their counts.

    Examples
    --------
    >>> import credenet
    >>> families = credenet.score_families(credenet.datasets.asia(), score="bic")
    >>> families.best("xray").parents
    ('either',)
    """
    chosen, modular = score_from(score, ess=ess), PRIORS.get(prior)
    data = as_dataset(data)
    check_knowledge(knowledge)
    one_of("states", states, get_args(States))
    flag("unproven_bounds", unproven_bounds)
    run = Run.of(time_limit, memory_limit, n_threads, on_progress)
    _check_scorable(data)
    epsilon = _slack(slack, bayes_factor, chosen)
    _check_search(search, max_families, up_to_parents, chosen)
    check_executor(executor)
    scoring = FamilyScoring(
        data=data,
        states=states,
        score=chosen,
        prior=modular,
        knowledge=knowledge,
        max_parents=max_parents,
        candidates=candidates,
        slack=epsilon,
        unproven_bounds=unproven_bounds,
        most_added=min(data.n_variables if up_to_parents is None else up_to_parents, data.n_variables),
        max_families=(max_families or 0) if search == "best_first" else None,
        max_work=DEFAULT_WORK if time_limit is None else 0,
    )
    rules = scoring.rules()
    found = scoring.found(run, rules) if executor is None else scored_by_workers(scoring, executor, run)
    complete = found.status == "complete"
    reached = found.levels if complete else found.levels - 1
    limit = max((rule.max_parents for rule in rules), default=0)
    is_unproven = unproven_bounds and isinstance(chosen, fNML | qNML)
    return FamilyTable(
        data.variables,
        found.families,
        made=replace(
            table_info(data, chosen, modular, knowledge, states),
            slack=epsilon if scoring.prunes else math.inf,
            max_parents=max_parents if complete else min(limit, max(reached, 0)),
            complete=complete and candidates is None,
            evaluated=found.evaluated,
            status=found.status,
            unscored=None if complete or is_unproven else _known_unscored(data.variables, found.unscored),
            unproven_bounds=is_unproven,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScoring:
    """The families that are asked for; pickled if an executor has other processes."""

    data: Dataset
    states: States
    score: Score
    prior: Prior
    knowledge: Knowledge | None
    max_parents: int | None
    candidates: Mapping[str, Sequence[str]] | None
    slack: float
    unproven_bounds: bool
    most_added: int  # parents of a set that is scored, beyond those required
    max_families: int | None  # of a best-first search; None if levels are scored
    max_work: int  # for large parent sets, in rows; 0 for no limit

    @property
    def prunes(self) -> bool:
        return self.knowledge is None or not self.knowledge.makes_subset_pruning_unsafe

    def rules(self) -> list[_core.ChildRules]:
        return child_rules(self.data, self.prior, self.knowledge, self.max_parents, self.candidates)

    def found(self, run: Run, rules: list[_core.ChildRules]) -> Found:
        """The families of these rules, with the limits of a run."""
        used = self.data if self.states == "declared" else with_observed_states(self.data)
        options = _core.FamilyOptions(
            self.slack,
            self.prunes,
            data_tolerance(used),
            max(int(run.memory), 1),
            run.n_threads,
            self.unproven_bounds,
            self.max_work,
            self.most_added,
        )
        return core_families(used, self.score, rules, options, run.callback(), self.max_families)


def table_info(
    data: Dataset, score: Score, prior: Prior, knowledge: Knowledge | None, states: States
) -> FamilyTableInfo:
    """What is known of a table before its families are scored."""
    return FamilyTableInfo(
        score=str(score),
        prior=str(prior),
        knowledge=None if knowledge is None else knowledge.to_dict(),
        isolated=isolated_variables(data, knowledge),
        duplicates=data.info().duplicates,
        n_rows=data.total_weight,
        states=states,
        data_digest=data.digest(),
        version=credenet.__version__,
    )


@dataclass(frozen=True, slots=True)
class GraphScore:
    """The score of a graph: in total, and of each family."""

    total: float
    local: Mapping[str, float]
    score: Score

    def log_bayes_factor(self, other: GraphScore) -> float:
        """How much more probable this graph is than another, as the log of a factor."""
        if self.score != other.score or not self.score.has_bayes_factor:
            raise ArgumentError(
                "a Bayes factor needs two graphs with the same score, and one that is a log probability"
            )
        return self.total - other.total


def score(
    data: DataLike,
    graph: GraphLike,
    *,
    score: Score | str = "bdeu",
    ess: float | None = None,
    prior: Prior | str = "uniform",
    states: States = "declared",
    n_threads: int | None = None,
) -> GraphScore:
    """The score of a given graph, in total and of each family.

    Parameters
    ----------
    data
        A `Dataset`, a data frame or a two-dimensional array.
    graph
        A DAG, or an object that has one: a network, a result of `learn`; of a PDAG, a consistent extension.
    score, ess, prior, states
        As for `score_families`.

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
    _check_scorable(data)
    chosen, modular = score_from(score, ess=ess), PRIORS.get(prior)
    used = data if states == "declared" else with_observed_states(data)
    parents = [tuple(sorted(data.index(name) for name in graph.parents(child))) for child in data.variables]
    most = max(map(len, parents), default=0)
    factors = modular.log_factors(data.variables, data.total_weight, most)
    expert = modular.expert_parents(data.variables)
    rules = [
        _child_rule(required, required, len(required), factors[child], child, expert)
        for child, required in enumerate(parents)
    ]
    options = _core.FamilyOptions(0.0, False, 0.0, 0, thread_count(n_threads))
    found = core_families(used, chosen, rules, options, None)
    local = {
        name: float(scores[0]) if len(scores) else -math.inf
        for name, (scores, _, _) in zip(data.variables, found.families, strict=True)
    }
    return GraphScore(
        math.fsum(local.values()) if all(map(math.isfinite, local.values())) else -math.inf, local, chosen
    )


def _known_unscored(
    variables: Sequence[str], unscored: Sequence[tuple[float, float]]
) -> dict[str, UnscoredSets] | None:
    """The entries of the variables whose unscored parent sets can gain; None if some gain is not known."""
    found = {name: UnscoredSets(*sets) for name, sets in zip(variables, unscored, strict=False) if sets[0] > 0}
    is_known = len(unscored) == len(variables) and all(
        math.isfinite(value) for sets in found.values() for value in sets
    )
    return found if is_known else None


def check_data(data: Dataset) -> None:
    if not data.n_variables:
        raise DataError("the data have no variables")
    data.check_complete("scoring needs")


def _check_scorable(data: Dataset) -> None:
    check_data(data)
    if data.n_variables > MOST_VARIABLES:
        raise ArgumentError(f"at most {MOST_VARIABLES} variables can be scored, got {data.n_variables}")


def _slack(slack: float | None, bayes_factor: float | None, score: Score) -> float:
    if slack is not None and bayes_factor is not None:
        raise ArgumentError("give slack or bayes_factor, not both")
    if bayes_factor is not None:
        real_number("bayes_factor", bayes_factor, least=1)
        if not score.has_bayes_factor:
            raise ArgumentError(f"{score} is no log probability, so a Bayes factor has no meaning; give slack")
        return math.log(bayes_factor)
    return 0.0 if slack is None else real_number("slack", slack, least=0)


def _check_search(search: Search, max_families: int | None, up_to_parents: int | None, score: Score) -> None:
    one_of("search", search, get_args(Search))
    if search == "best_first" and isinstance(score, BDe | MIT):
        raise ArgumentError(f"search='best_first' is not made for {score}; use search='levels'")
    if max_families is not None and search != "best_first":
        raise ArgumentError("max_families is a limit of search='best_first'; search='levels' takes max_parents")
    if up_to_parents is not None:
        whole_number("up_to_parents", up_to_parents)
        if search == "best_first":
            raise ArgumentError("up_to_parents is for search='levels'; search='best_first' takes max_families")
    if max_families is not None:
        whole_number("max_families", max_families, least=1, most=2**62)


def data_tolerance(data: Dataset) -> float:
    """The documented tolerance for "as good as", with rows times states as a bound on the size of a score."""
    bound = data.total_weight * float(np.sum(np.log(np.maximum(data.n_states, 2))))
    return tolerance(bound)


def with_observed_states(data: Dataset) -> Dataset:
    """The data without the states that do not occur."""
    info = data.info()
    states = {
        name: tuple(label for label, number in zip(labels, info.counts[name], strict=True) if number)
        for name, labels in data.states.items()
    }
    return data.aligned(states)


def child_rules(
    data: Dataset,
    prior: Prior,
    knowledge: Knowledge | None,
    max_parents: int | None,
    candidates: Mapping[str, Sequence[str]] | None,
) -> list[_core.ChildRules]:
    n = data.n_variables
    most = n - 1 if max_parents is None else min(whole_number("max_parents", max_parents), n - 1)
    factors = prior.log_factors(data.variables, data.total_weight, most)
    expert = prior.expert_parents(data.variables)
    allowed = (knowledge or Knowledge()).allowed(data.variables)
    constant = {data.index(name) for name in _without_free_edges(data, knowledge)}
    lists = {} if candidates is None else mapping("candidates", candidates, "lists of names")
    named = {
        data.index(name): {data.index(other) for other in name_list(f"candidates[{name!r}]", others)}
        for name, others in lists.items()
    }
    rules = []
    for child in range(n):
        required = tuple(allowed.required[child])
        free = [
            parent
            for parent in allowed.candidates[child]
            if parent not in required
            and parent not in constant
            and child not in constant
            and (child not in named or parent in named[child])
        ]
        limit = min(most, allowed.max_parents[child], len(required) + len(free))
        rules.append(_child_rule(required, free, limit, factors[child], child, expert))
    return rules


def isolated_variables(data: Dataset, knowledge: Knowledge | None) -> tuple[str, ...]:
    """Variables with one state that have no edges: no rule joins them with others."""
    required = {name for edge in (() if knowledge is None else knowledge.required) for name in edge}
    return tuple(name for name in _without_free_edges(data, knowledge) if name not in required)


def _without_free_edges(data: Dataset, knowledge: Knowledge | None) -> tuple[str, ...]:
    """Variables with one state that no rule on paths or adjacency names; they have required edges only."""
    pairs = () if knowledge is None else (*knowledge.adjacent, *knowledge.ancestral)
    joined = {name for pair in pairs for name in pair}
    return tuple(name for name in data.info().constant if name not in joined)


def n_families(rules: Sequence[_core.ChildRules], max_parents: float = math.inf) -> int:
    """How many families the rules allow, of at most so many parents."""
    return sum(
        math.comb(len(rule.candidates), size)
        for rule in rules
        for size in range(int(min(rule.max_parents, max_parents)) - len(rule.required) + 1)
    )


def _child_rule(
    required: Sequence[int],
    candidates: Sequence[int],
    limit: int,
    factors: NDArray[np.float64],
    child: int,
    expert: tuple[tuple[tuple[int, ...], ...], float] | None,
) -> _core.ChildRules:
    experts, log_kappa = ((), 0.0) if expert is None else (expert[0][child], expert[1])
    return _core.ChildRules(
        list(required), [c for c in candidates if c not in required], limit, factors.tolist(), list(experts), log_kappa
    )


def core_score(score: Score | Literal["loglik"], data: Dataset) -> CoreScore:
    """A score of data in the form that the core takes."""
    if score == "loglik":
        return CoreScore("loglik", 1.0)
    if isinstance(score, BDe):
        return CoreScore("bde", float(score.ess), _prior_network(score, data))
    if isinstance(score, MIT):
        return CoreScore("mit", score.alpha)
    name = _CORE_NAMES.get(score.short_name, score.short_name)
    if isinstance(score, MDL) and not score.name_parents:
        name = "bic"
    return CoreScore(name, score.ess if isinstance(score, BDeu | BDs) else 1.0)


def _prior_network(score: BDe, data: Dataset) -> _core.PriorNetwork:
    for name, labels in data.states.items():
        if tuple(score.network.states.get(name, ())) != tuple(labels):
            raise ArgumentError(f"the prior network does not have the variable {name!r} with the states of the data")
    model = score.network._factor_model()
    places = np.array([model.index[name] for name in data.variables], dtype=np.int32)
    return _core.PriorNetwork(model.arrays, places, usable_memory())


def core_families(
    data: Dataset,
    score: Score | Literal["loglik"],
    rules: list[_core.ChildRules],
    options: _core.FamilyOptions,
    on_progress: CoreCallback | None,
    max_families: int | None = None,
) -> Found:
    """All families, or with ``max_families`` (0 for no limit) those that a best-first search scores."""
    name, parameter, prior = core_score(score, data)
    arguments = (data._count_source(), name, parameter, data.n_states, rules, options)
    if max_families is not None:
        explorer = _core.FamilyExplorer(*arguments, max_families)
        ended = explorer.explore(on_progress)
        found = Found(*explorer.families())
        return found._replace(status=ended) if ended == "interrupted" else found
    with prior_fits_in_memory():
        return Found(*_core.score_families(*arguments, on_progress, prior))


@contextmanager
def prior_fits_in_memory() -> Iterator[None]:
    try:
        yield
    except _core.PriorTooLarge as error:
        raise ArgumentError(f"{error}; use a smaller max_parents") from None
