"""`score_families`: the candidate parent sets of a learner, with their scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Unpack, get_args

import credenet
from credenet import _core
from credenet._arguments import flag, one_of, real_number, whole_number
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.workers import check_executor
from credenet.data.coding import States
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError
from credenet.families.info import FamilyTableInfo, UnscoredSets
from credenet.families.scoring.child_groups import score_by_workers
from credenet.families.scoring.child_rules import child_rules, find_isolated
from credenet.families.scoring.core_scoring import (
    check_rows_fit,
    check_scorable,
    core_families,
    data_tolerance,
    drop_unobserved_states,
)
from credenet.families.scoring.scoring_result import ScoringResult
from credenet.families.sources import add_constant_rule
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.priors import PRIORS, Prior
from credenet.settings.scores import Score, score_from

if TYPE_CHECKING:
    from credenet.data.sources import DataLike

DEFAULT_WORK = 40_000_000_000  # Rows visited for large parent sets if there is no time limit; takes a minute or two.

Search = Literal["levels", "best_first"]


@takes_data()
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
    isolate_constant: bool = True,
    search: Search = "levels",
    max_families: int | None = None,
    unproven_bounds: bool = False,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> FamilyTable:
    """For each variable the parent sets that can be in a network within ``slack`` of the best, with their scores.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table.
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
    isolate_constant
        Whether variables with one observed state get no edges, as the data say nothing of them. With False they are
        scored like any other; where more states are declared, a score such as BDeu may give them edges.
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
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> families = credenet.score_families(credenet.datasets.asia(), score="bic")
    >>> families.best("xray").parents
    ('either',)
    """
    chosen, modular = score_from(score, ess=ess), PRIORS.get(prior)
    data = as_dataset(data)
    knowledge = add_constant_rule(knowledge, isolate_constant)
    one_of("states", states, get_args(States))
    flag("unproven_bounds", unproven_bounds)
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress)
    check_scorable(data)
    check_rows_fit(data, run.memory)
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
    scored = scoring.score_rules(run, rules) if executor is None else score_by_workers(scoring, executor, run)
    complete = scored.status == "complete"
    reached = scored.levels if complete else scored.levels - 1
    limit = max((rule.max_parents for rule in rules), default=0)
    is_unproven = unproven_bounds and chosen.has_unproven_bounds
    return FamilyTable(
        data.variables,
        scored.families,
        made=replace(
            table_info(data, chosen, modular, knowledge, states),
            slack=epsilon if scoring.prunes else math.inf,
            max_parents=max_parents if complete else min(limit, max(reached, 0)),
            complete=complete and candidates is None,
            evaluated=scored.evaluated,
            status=scored.status,
            unscored=None if complete or is_unproven else _keep_gainful(data.variables, scored.unscored),
            unproven_bounds=is_unproven,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScoring:
    """The families that a call asks for; pickled for executors with other processes."""

    data: Dataset
    states: States
    score: Score
    prior: Prior
    knowledge: Knowledge | None
    max_parents: int | None
    candidates: Mapping[str, Sequence[str]] | None
    slack: float
    unproven_bounds: bool
    most_added: int  # Parents of a scored set beyond the required ones, at most.
    max_families: int | None  # Limit for each variable of a best-first search (0 for none); None scores by levels.
    max_work: int  # Rows visited for large parent sets at most; 0 for no limit.

    @property
    def prunes(self) -> bool:
        return self.knowledge is None or not self.knowledge.makes_subset_pruning_unsafe

    def rules(self) -> list[_core.ChildRules]:
        return child_rules(self.data, self.prior, self.knowledge, self.max_parents, self.candidates)

    def score_rules(self, run: Run, rules: list[_core.ChildRules]) -> ScoringResult:
        """The families that the rules allow, scored within the limits of a run."""
        used = self.data if self.states == "declared" else drop_unobserved_states(self.data)
        options = _core.FamilyOptions(
            slack=self.slack,
            prune=self.prunes,
            tolerance=data_tolerance(used),
            max_bytes=max(int(run.memory), 1),
            n_threads=run.n_threads,
            unproven=self.unproven_bounds,
            max_work=self.max_work,
            most_added=self.most_added,
        )
        return core_families(used, self.score, rules, options, run.callback(), self.max_families)


def table_info(
    data: Dataset, score: Score, prior: Prior, knowledge: Knowledge | None, states: States
) -> FamilyTableInfo:
    """The info of a table before its families are scored."""
    return FamilyTableInfo(
        score=str(score),
        prior=str(prior),
        knowledge=None if knowledge is None else knowledge.to_dict(),
        isolated=find_isolated(data, knowledge),
        duplicates=data.info().duplicates,
        n_rows=data.total_weight,
        states=states,
        data_digest=data.digest(),
        version=credenet.__version__,
    )


def _keep_gainful(variables: Sequence[str], unscored: Sequence[tuple[float, float]]) -> dict[str, UnscoredSets] | None:
    """The unscored sets of the variables for which they can raise the score; None if some gain is not known."""
    found = {name: UnscoredSets(*sets) for name, sets in zip(variables, unscored, strict=False) if sets[0] > 0}
    is_known = len(unscored) == len(variables) and all(
        math.isfinite(value) for sets in found.values() for value in sets
    )
    return found if is_known else None


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
    if search == "best_first" and not score.has_best_first:
        raise ArgumentError(f"search='best_first' is not made for {score}; use search='levels'")
    if max_families is not None and search != "best_first":
        raise ArgumentError("max_families is a limit of search='best_first'; search='levels' takes max_parents")
    if up_to_parents is not None:
        whole_number("up_to_parents", up_to_parents)
        if search == "best_first":
            raise ArgumentError("up_to_parents is for search='levels'; search='best_first' takes max_families")
    if max_families is not None:
        whole_number("max_families", max_families, least=1, most=2**62)
