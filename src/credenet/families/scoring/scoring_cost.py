"""An estimate of the cost of scoring all families, made before they are scored; it takes about a second.

A few times, `score_families` scores all parent sets among a few variables drawn at random. Mostly the subsets of a set
decide whether it is scored or pruned, so the scored share of the sets of each size is taken to be the same among all
variables. For Dirichlet scores, whose large sets have tighter bounds, the estimate is too high.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from credenet import _core
from credenet._run.clock import Clock
from credenet._run.progress import thread_count
from credenet.data.coding import States
from credenet.data.sources import as_dataset
from credenet.families.scoring.child_rules import NO_PARENTS, child_rules, most_added, n_families_of_size
from credenet.families.scoring.core_scoring import (
    BYTES_PER_FAMILY,
    check_scorable,
    core_families,
    data_tolerance,
    drop_unobserved_states,
)
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.priors import PRIORS, Prior
from credenet.settings.scores import Score, score_from

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.data.sources import DataLike

N_DRAWS = 4  # Random draws of variables; several, so that one unusual draw does not decide.
MOST_DRAWN = 13  # Variables of a draw at most; their sets of all sizes take a moment.
FEWEST_DRAWN = 6  # Variables of a draw at least, so that there are sets of several parents.
WORK_OF_A_DRAW = 2e7  # Rows counted in a draw, which take a fraction of a second.
ESTIMATE_SHARE = 0.1  # Share of the time of a call that the estimate may take.
HOPELESS = 1e9  # Families above which the estimate ends, as no machine scores so many.


class LevelCost(NamedTuple):
    """The estimated cost of scoring the parent sets of one size."""

    parents: int  # Parents beyond the required ones.
    families: float
    seconds: float
    n_bytes: float  # Bytes in use while this size is scored.


def scoring_cost(
    data: DataLike,
    *,
    score: Score | str = "bdeu",
    ess: float | None = None,
    prior: Prior | str = "uniform",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    slack: float = 0.0,
    states: States = "declared",
    n_threads: int | None = None,
    seed: int = 0,
    clock: Clock | None = None,
) -> tuple[LevelCost, ...]:
    """The estimated cost of `score_families` with these options, for each number of parents that is needed.

    The estimate ends early at a billion families. The seconds are those of this machine now; the numbers of families
    depend on the seed only, unless ``clock`` ends first: larger sets are then taken to be like the last ones scored.

    Examples
    --------
    >>> import credenet
    >>> from credenet.families.scoring.scoring_cost import scoring_cost
    >>> levels = scoring_cost(credenet.datasets.asia(1000), score="bic")
    >>> [round(level.families) for level in levels[:2]]
    [8, 56]
    """
    dataset = as_dataset(data)
    check_scorable(dataset)
    used = dataset if states == "declared" else drop_unobserved_states(dataset)
    rules = child_rules(dataset, PRIORS.get(prior), knowledge, max_parents, None)
    prune = knowledge is None or not knowledge.makes_subset_pruning_unsafe
    sample = _SampledVariables(
        used, score_from(score, ess=ess), rules, slack, prune=prune, n_threads=thread_count(n_threads), seed=seed
    )
    costs: list[LevelCost] = []
    share, total = 1.0, 0.0
    level: _ScoredLevel | None = None
    for added in range(max((most_added(rule) for rule in rules), default=0) + 1):
        if level is None or clock is None or not clock.is_over:
            level = sample.level(added)
            share = level.n_scored / level.n_possible if level.n_possible else share
        number = share * n_families_of_size(rules, added)
        total += number
        if number:
            costs.append(LevelCost(added, number, number * level.seconds_each, number * BYTES_PER_FAMILY))
        if number == 0 or total > HOPELESS:
            break
    return tuple(costs)


class _ScoredLevel(NamedTuple):
    n_possible: int
    n_scored: int
    seconds_each: float  # Mean seconds of a family up to this size.


class _SampledVariables:
    """The parent sets among variables drawn at random, scored level by level."""

    def __init__(
        self,
        data: Dataset,
        score: Score,
        rules: list[_core.ChildRules],
        slack: float,
        *,
        prune: bool,
        n_threads: int,
        seed: int,
    ) -> None:
        self._data, self._score, self._slack, self._prune = data, score, slack, prune
        self._n_threads = n_threads
        self._tolerance = data_tolerance(data)
        n_drawn = _n_drawn(data.n_rows, len(rules))
        generator = random.Random(seed)
        if n_drawn == len(rules):
            self._draws = [rules]
        else:
            self._draws = [_restrict_rules(rules, generator.sample(range(len(rules)), n_drawn)) for _ in range(N_DRAWS)]
        self._n_before = 0  # Families scored up to the previous level.

    def level(self, added: int) -> _ScoredLevel:
        """Scores the sets with ``added`` parents beyond the required ones; to be called in ascending order."""
        options = _core.FamilyOptions(
            slack=self._slack,
            prune=self._prune,
            tolerance=self._tolerance,
            max_bytes=0,
            n_threads=self._n_threads,
            most_added=added,
        )
        start = perf_counter()
        total = 0
        for rules in self._draws:
            found = core_families(self._data, self._score, rules, options, None)
            if found.status == "interrupted":
                raise KeyboardInterrupt
            total += found.evaluated
        seconds = perf_counter() - start
        n_scored = total - self._n_before
        self._n_before = total
        return _ScoredLevel(
            sum(n_families_of_size(rules, added) for rules in self._draws), n_scored, seconds / max(total, 1)
        )


def _n_drawn(n_rows: int, n_variables: int) -> int:
    """The number of variables whose parent sets of all sizes can be scored within the work of a draw."""
    drawn = FEWEST_DRAWN
    while drawn < MOST_DRAWN and (drawn + 1) * 2**drawn * n_rows <= WORK_OF_A_DRAW:
        drawn += 1
    return min(drawn, n_variables)


def _restrict_rules(rules: Sequence[_core.ChildRules], drawn: Sequence[int]) -> list[_core.ChildRules]:
    """The rules restricted to the variables drawn; other variables, which require themselves, have no family."""
    chosen = set(drawn)
    return [
        _core.ChildRules(
            rule.required if child in chosen else [child],
            np.intersect1d(rule.candidates, np.array(drawn, dtype=np.uint16)) if child in chosen else NO_PARENTS,
            rule.max_parents if child in chosen else 0,
            rule.log_factors,
            rule.expert,
            rule.log_kappa,
        )
        for child, rule in enumerate(rules)
    ]
