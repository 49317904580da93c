"""Climbs on the data of one problem, each under a limit on the number of parents."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from credenet import _core
from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.data.dataset import Dataset
from credenet.errors import KnowledgeError
from credenet.families.scoring.child_rules import child_rules
from credenet.families.scoring.core_scoring import drop_unobserved_states, family_scorer, prior_fits_in_memory
from credenet.graphs import DAG
from credenet.learners.problem import LearningProblem
from credenet.search.adjacency import adjacent_pairs, join_network
from credenet.search.first_network import place_parents
from credenet.search.local import climb_options
from credenet.settings.method_bases import Climb
from credenet.settings.priors import Prior

Rules = Sequence[_core.ChildRules]
Network = Sequence[Sequence[int]]
"""For each variable its parents."""


class ReachedNetwork(NamedTuple):
    """The best network that climbs reached, and how they ended; its score is minus infinity if there is none."""

    parents: Network
    score: float
    status: Status
    expanded: int
    trace: tuple[BoundPoint, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DataClimb:
    """Climbs on the data of one problem, each under a limit on the number of parents.

    Parameters
    ----------
    used
        The data with the states that the score counts.
    candidates
        For each variable its possible parents besides the required ones; None for all others.
    adjacent
        Pairs that must be adjacent.
    start
        The network that climbs begin with if the rules allow it.
    """

    problem: LearningProblem
    run: Run
    used: Dataset
    scorer: _core.FamilyScorer
    candidates: Mapping[str, Sequence[str]] | None
    adjacent: Collection[tuple[int, int]]
    start: Network | None

    @classmethod
    def from_problem(
        cls,
        problem: LearningProblem,
        run: Run,
        candidates: Mapping[str, Sequence[str]] | None,
        start: DAG | None,
    ) -> DataClimb:
        """The climbs of a problem whose data were checked."""
        data = problem.data
        used = data if problem.scored_states == "declared" else drop_unobserved_states(data)
        return cls(
            problem=problem,
            run=run,
            used=used,
            scorer=family_scorer(problem.scoring[0], used),
            candidates=candidates,
            adjacent=adjacent_pairs(problem.knowledge, data.variables),
            start=None if start is None else start.parent_indices,
        )

    def rules(self, max_parents: int | None, prior: Prior | None = None) -> list[_core.ChildRules]:
        """The rules of each variable, with a prior on families; by default the part of the prior that is one."""
        prior = self.problem.scoring[1].modular_part() if prior is None else prior
        return child_rules(self.used, prior, self.problem.knowledge, max_parents, self.candidates)

    def first_network(self, rules: Rules, max_parents: int | None) -> Network | None:
        """The start if the rules allow it, else the required edges and adjacent pairs; None if no network does."""
        if self.start is not None:
            first = self.keep_allowed(self.start, rules)
            if first is not None:
                return first
        return self._join(rules, max_parents)

    def keep_allowed(self, network: Network, rules: Rules) -> Network | None:
        """For each variable its parents if allowed, else those it needs; None if these are not allowed.

        It needs the required ones, and those that must be adjacent.
        """
        first = [
            list(parents) if _is_allowed(rule, parents) else self._needed_parents(child, parents, rule)
            for child, (rule, parents) in enumerate(zip(rules, network, strict=True))
        ]
        return first if all(map(_is_allowed, rules, first)) else None

    def climb(self, method: Climb, rules: Rules, first: Network) -> _core.ClimbResult:
        """The best network that the method reaches from a first one that obeys the rules."""
        with prior_fits_in_memory():
            return _core.hill_climb_data(
                self.scorer,
                rules,
                first,
                climb_options(method, self.run, list(self.adjacent)),
                self.run.memory / 2,  # The gains that are cached may take the other half.
                self.run.n_threads,
                self.run.callback(),
            )

    def _needed_parents(self, child: int, parents: Sequence[int], rule: _core.ChildRules) -> list[int]:
        joined = {other for pair in self.adjacent if child in pair for other in pair}
        return sorted({*rule.required, *joined.intersection(parents)})

    def _join(self, rules: Rules, max_parents: int | None) -> Network | None:
        """A network with the required edges and adjacent pairs, and more parents if the prior demands them; or None."""
        if any(len(rule.required) > rule.max_parents for rule in rules):
            return None
        knowledge, variables = self.problem.knowledge, self.problem.data.variables
        most = [len(rules) if max_parents is None else max_parents] * len(rules)
        first = join_network(knowledge, variables, most, self.run)
        if first is None:
            raise KnowledgeError(
                "no network has an edge for every pair that must be adjacent, and obeys the other rules"
            )
        if all(map(_is_finite, rules, first)):
            return first
        most = list(map(_most_parents, rules))
        return join_network(knowledge, variables, most, self.run, lambda kept: place_parents(rules, kept))


def _is_allowed(rule: _core.ChildRules, parents: Sequence[int]) -> bool:
    return len(parents) <= rule.max_parents and _is_finite(rule, parents)


def _is_finite(rule: _core.ChildRules, parents: Sequence[int]) -> bool:
    return math.isfinite(rule.log_prior(parents))


def _most_parents(rule: _core.ChildRules) -> int:
    """The largest number of parents that the rules and the prior allow; at least the number of required ones."""
    sizes = range(rule.max_parents, len(rule.required), -1)
    return next((size for size in sizes if math.isfinite(rule.log_factors[size])), len(rule.required))
