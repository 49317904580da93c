"""The families within the bags of a tree decomposition: a variable and its parents lie in one bag.

Bags that share no variable are scored by one call of the core, which counts a set of variables once for all of its
families. A family may lie in several bags. These form a subtree, and the family is kept at its topmost bag only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.data.coding import States
from credenet.data.dataset import Dataset
from credenet.families.scoring.child_rules import NO_PARENTS, child_rules
from credenet.families.scoring.core_scoring import data_tolerance, drop_unobserved_states, family_scorer
from credenet.families.scoring.scoring_result import FamilyArrays, ScoringResult
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.priors import Prior
from credenet.settings.scores import Score

Bag = Sequence[int]

_SECONDS_BETWEEN = 0.1  # Seconds between two reports of progress.


@dataclass(frozen=True, slots=True, kw_only=True)
class BagScoring:
    """What the families within bags are scored by, and what they must obey."""

    data: Dataset
    score: Score
    prior: Prior
    knowledge: Knowledge | None
    max_parents: int
    states: States

    def score_bags(self, bags: Sequence[Bag], parents: Sequence[int], run: Run) -> ScoringResult:
        """For each variable its families within the bags that no subset dominates; ``parents`` are those of the bags.

        If a limit ends the work, families are missing, and the status says so.
        """
        used = self.data if self.states == "declared" else drop_unobserved_states(self.data)
        scorer = family_scorer(self.score, used)
        prunes = self.knowledge is None or not self.knowledge.makes_subset_pruning_unsafe
        options = _core.FamilyOptions(
            slack=0.0,
            prune=prunes,
            tolerance=data_tolerance(used),
            max_bytes=max(int(run.memory), 1),
            n_threads=run.n_threads,
        )
        whole = child_rules(self.data, self.prior, self.knowledge, self.max_parents, None)
        free = np.zeros((len(whole), len(whole)), dtype=np.bool_)
        for child, rule in enumerate(whole):
            free[child, rule.candidates] = True
        zeros = _core.SizeFactors(np.zeros(1))
        # A variable that requires itself has no family.
        nothing = [_core.ChildRules([child], NO_PARENTS, 0, zeros, [], 0.0) for child in range(len(whole))]
        kept: list[list[FamilyArrays]] = [[] for _ in whole]
        evaluated = 0
        status: CoreStatus = "complete"
        callback, asked = run.callback(), -math.inf
        for several in _group_disjoint(bags, len(whole)):
            # The calls of the core may be too short to ask for a stop themselves.
            if run.clock.seconds_passed - asked >= _SECONDS_BETWEEN:
                asked = run.clock.seconds_passed
                if not callback(0, 0, math.nan, math.nan):
                    status = "stopped"
                    break
            rules = list(nothing)
            for at in several:
                for child in bags[at]:
                    if set(whole[child].required).issubset(bags[at]):
                        rules[child] = _narrow_rule(whole[child], [other for other in bags[at] if free[child, other]])
            families, number, _, status, _ = _core.score_families(scorer, rules, options, callback)
            evaluated += number
            if status != "complete":
                break
            for at in several:
                above = set() if parents[at] < 0 else set(bags[parents[at]])
                for child in bags[at]:
                    kept[child].append(_drop_within(families[child], above) if child in above else families[child])
        return ScoringResult([_join(parts) for parts in kept], evaluated, 0, status)


def _narrow_rule(rule: _core.ChildRules, candidates: list[int]) -> _core.ChildRules:
    """The rule of a variable with fewer candidate parents."""
    return _core.ChildRules(
        rule.required,
        np.array(sorted(candidates), dtype=np.uint16),
        min(rule.max_parents, len(rule.required) + len(candidates)),
        rule.log_factors,
        rule.expert,
        rule.log_kappa,
    )


def _group_disjoint(bags: Sequence[Bag], n_variables: int) -> list[list[int]]:
    """Groups of bags by place, such that no variable is in two bags of a group."""
    groups: list[list[int]] = []
    taken: list[set[int]] = [set() for _ in range(n_variables)]  # Groups that have a bag of the variable.
    first = [0] * n_variables  # First group without a bag of the variable.
    for at, bag in enumerate(bags):
        group = max((first[member] for member in bag), default=0)
        while any(group in taken[member] for member in bag):
            group += 1
        while len(groups) <= group:
            groups.append([])
        groups[group].append(at)
        for member in bag:
            taken[member].add(group)
            while first[member] in taken[member]:
                first[member] += 1
    return groups


def _drop_within(families: FamilyArrays, members: set[int]) -> FamilyArrays:
    """The families that have a parent outside a set of variables."""
    scores, offsets, parents = families
    outside = np.concatenate(([0], np.cumsum(~np.isin(parents, list(members)))))
    keep = outside[offsets[1:]] > outside[offsets[:-1]]
    sizes = np.diff(offsets)
    return scores[keep], np.concatenate(([0], np.cumsum(sizes[keep]))), parents[np.repeat(keep, sizes)]


def _join(parts: Sequence[FamilyArrays]) -> FamilyArrays:
    """The families of one variable from several bags."""
    scores = np.concatenate([np.empty(0), *(part[0] for part in parts)])
    sizes = np.concatenate([np.empty(0, dtype=np.int64), *(np.diff(part[1]) for part in parts)])
    parents = np.concatenate([np.empty(0, dtype=np.int32), *(part[2] for part in parts)])
    return scores, np.concatenate(([0], np.cumsum(sizes))), parents
