"""The posterior of many variables: each component of the scored families is summed, or sampled if it is large."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from credenet._run.run import Run
from credenet._text import count
from credenet.families.arrays import FlatFamilies
from credenet.families.scoring.scoring_budget import ScoringBudget
from credenet.families.scoring.scoring_cost import ESTIMATE_SHARE, scoring_cost
from credenet.families.table import FamilyTable
from credenet.learners.problem import LearningProblem
from credenet.learners.results import Statistics
from credenet.posteriors.coverage import find_unscored_limit, whole_levels
from credenet.posteriors.findings import EdgeErrors, PosteriorFindings
from credenet.posteriors.parts import ComponentPosterior, rows_of, sum_part
from credenet.posteriors.sampling.chains import ChainResult, ChainStatus, run_chains
from credenet.posteriors.sampling.stretches import OutsideEdges
from credenet.posteriors.structure_posterior import StructurePosterior
from credenet.search.components import Component, components_of
from credenet.settings.method_bases import MethodAbilities
from credenet.settings.posterior import MCMC

SLACK = 14.0
"""Nats: a parent set that scores less than a subset by more than this has at most exp(-14) of its probability."""
MOST_SUMMED_TOGETHER = 18
"""Variables of a component up to which it is summed, which takes a second or two."""
SCORING_SECONDS = 10.0  # Estimated seconds that scoring may take without a time limit.
SCORING_SHARE = 0.3  # Share of a time limit that scoring may take by estimate.
FEWEST_PARENTS = 2  # Parents up to which all families are scored, whatever the cost.


def sum_by_components(
    problem: LearningProblem, method: MethodAbilities, run: Run, settings: MCMC, *, is_drawn: bool
) -> StructurePosterior:
    """The posterior as a product over components; with ``is_drawn`` chains sample all of them."""
    scored = _score(problem, run)
    families = whole_levels(scored, problem.knowledge) if problem.has_data else scored
    unscored = find_unscored_limit(problem, scored.made, run)
    if scored.made.status == "interrupted" or run.stop.is_asked:
        return _nothing(problem, method, run, scored, "stopped")
    if families is None or (np.diff(families.flat().starts) == 0).any():
        return _nothing(problem, method, run, scored, unscored or "infeasible")
    flat = families.flat()
    status = "complete"
    parts: list[ComponentPosterior] = []
    chains: list[ChainResult] = []
    components = components_of(families)
    together = {int(member) for component in components for member in component.members}
    parts += [
        LoneVariablePosterior.from_variable(flat, at) for at in range(len(families.variables)) if at not in together
    ]
    for component in components:
        if len(component) <= MOST_SUMMED_TOGETHER and not is_drawn:
            core_status, part = sum_part(
                component.flat, component.members, rows_of(flat, component.members), False, run
            )
            if part is None:
                status = run.status_of(core_status)
                break
            parts.append(part)
        else:
            folded = FoldedFamilies.from_component(families, component)
            sampled = run_chains(folded.families, run, settings, seed=run.seed, outside=folded.outside(flat))
            chains.append(sampled)
            if sampled.status == "infeasible":
                status = "infeasible"
                break
            parts.append(SampledPosterior(component.members, folded, sampled))
    if status == "complete" and chains:
        status = _status_of(chains, run)
    elif status == "complete" and unscored is not None:
        status = unscored
    has_probabilities = len(parts) == len(families.variables) - len(together) + len(components)
    findings = PosteriorFindings(
        families=families,
        parts=tuple(parts),
        edges=None,
        status=status,
        provenance=problem.provenance(method, run, families.made, reason=_reason(components, chains)),
        statistics=Statistics(seconds=run.clock.seconds_passed),
        chains=tuple(chains),
    )
    if has_probabilities and status != "infeasible" and families.variables:
        shares = StructurePosterior(findings)._probabilities
        findings = replace(findings, edges=_edges(flat, shares), errors=_errors(len(families.variables), parts))
    return StructurePosterior(findings)


def _status_of(chains: list[ChainResult], run: Run) -> ChainStatus:
    """The status of the first chains that have not converged."""
    status: ChainStatus = next((each.status for each in chains if each.status != "converged"), "converged")
    return "stopped" if run.stop.is_asked and status != "converged" else status


def _nothing(
    problem: LearningProblem, method: MethodAbilities, run: Run, families: FamilyTable, status: ChainStatus
) -> StructurePosterior:
    """A posterior without probabilities, whose status says how the work ended."""
    return StructurePosterior(
        PosteriorFindings(
            families=families,
            parts=(),
            edges=None,
            status=status,
            provenance=problem.provenance(method, run, families.made),
            statistics=Statistics(seconds=run.clock.seconds_passed),
        )
    )


def _score(problem: LearningProblem, run: Run) -> FamilyTable:
    """The given families, or those of the data up to as many parents as the time suffices for."""
    if isinstance(problem.source, FamilyTable):
        return problem.source
    score, prior = problem.scoring
    if not score.has_best_first:
        return problem.families(run, SLACK)
    costs = scoring_cost(
        problem.source,
        score=score,
        prior=prior,
        knowledge=problem.knowledge,
        max_parents=problem.max_parents,
        slack=SLACK,
        states=problem.scored_states,
        n_threads=run.n_threads,
        clock=run.clock.end_within(share=ESTIMATE_SHARE),
    )
    budget = ScoringBudget.from_share(run, problem.data, share=SCORING_SHARE, seconds=SCORING_SECONDS)
    reached = budget.depths_within(costs, at_least=FEWEST_PARENTS)
    depth = reached[-1]
    return problem.families(run, SLACK, up_to_parents=None if depth.is_last else depth.parents)


def _edges(flat: FlatFamilies, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each child (row) the probability of each parent, from probabilities of families."""
    n = len(flat.starts) - 1
    edges = np.zeros((n, n))
    np.add.at(edges, (np.repeat(flat.children, flat.sizes), flat.parents), np.repeat(shares, flat.sizes))
    return np.clip(edges, 0.0, 1.0)


def _errors(n: int, parts: list[ComponentPosterior]) -> EdgeErrors | None:
    """The errors of edges by the chains of sampled parts; None if all parts were summed."""
    sampled = [part for part in parts if isinstance(part, SampledPosterior)]
    if not sampled:
        return None
    edges, joined = np.zeros((n, n)), np.zeros((n, n))
    for part in sampled:
        members = np.ix_(part.members, part.members)
        edges[members] = _known_errors(part.result, part.result.edge_errors.T)
        joined[members] = _known_errors(part.result, part.result.joined_errors)
        for (child, parent), error in zip(part.folded.outside_pairs, part.result.outside_errors.tolist(), strict=True):
            edges[child, parent] = joined[child, parent] = joined[parent, child] = error
    return EdgeErrors(edges, joined)


def _known_errors(chains: ChainResult, errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The errors, 0 of edges that no network has, and infinite where chains were too short."""
    return np.full(errors.shape, np.inf) if math.isnan(chains.largest_rhat) else np.nan_to_num(errors, nan=0.0)


def _reason(components: list[Component], chains: list[ChainResult]) -> str:
    sampled = sum(chain.path_probabilities.shape[0] for chain in chains)
    summed = sum(map(len, components)) - sampled
    told = []
    if chains:
        n_chains = len(chains[0].log_scores)
        told.append(f"{count(n_chains, 'Markov chain')} over the networks of {count(sampled, 'variable')}")
    if summed:
        told.append(f"a sum over all networks of {count(summed, 'variable')}, by component")
    return " and ".join(told) or "a sum over the families of each variable, which no cycle joins"


@dataclass(frozen=True, slots=True)
class LoneVariablePosterior:
    """A variable in no cycle of candidate parents, whose families compete with each other only."""

    members: NDArray[np.int32]
    first: int
    probabilities: NDArray[np.float64]

    @classmethod
    def from_variable(cls, flat: FlatFamilies, variable: int) -> LoneVariablePosterior:
        scores = flat.scores[flat.starts[variable] : flat.starts[variable + 1]]
        weights = np.exp(scores - scores.max())
        return cls(np.array([variable], dtype=np.int32), int(flat.starts[variable]), weights / weights.sum())

    def family_probabilities(self) -> NDArray[np.float64]:
        return self.probabilities

    def draw(self, n_networks: int, seed: int) -> NDArray[np.int64]:
        random = np.random.default_rng([seed, int(self.members[0])])
        drawn = random.choice(len(self.probabilities), size=(n_networks, 1), p=self.probabilities)
        return np.asarray(self.first + drawn, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class FoldedFamilies:
    """The families of a component as a table of its own.

    Families that differ only in parents outside the component become one family with the sum of their weights.
    """

    families: FamilyTable
    groups: NDArray[np.int64]
    """For each family of the component the position of its merged family in this table."""
    shares: NDArray[np.float64]
    """The share of each family in the weight of its merged family."""
    rows: NDArray[np.int64]
    """For each family of the component its position in the whole table."""
    outside_pairs: tuple[tuple[int, int], ...] = ()
    """Children of the component with their parents outside, by position in the whole table."""

    def outside(self, flat: FlatFamilies) -> OutsideEdges:
        """The edges into the component from outside; their probabilities are sums over the merged families."""
        place = {pair: at for at, pair in enumerate(self.outside_pairs)}
        found = [
            (place[child, parent], group, share)
            for row, group, share in zip(self.rows.tolist(), self.groups.tolist(), self.shares.tolist(), strict=True)
            for child in (int(flat.children[row]),)
            for parent in flat.parents_of(row)
            if (child, parent) in place
        ]
        edges, groups, shares = zip(*found, strict=True) if found else ((), (), ())
        return OutsideEdges(len(place), np.array(edges, np.int64), np.array(groups, np.int64), np.array(shares))

    @classmethod
    def from_component(cls, table: FamilyTable, component: Component) -> FoldedFamilies:
        flat = component.flat
        if np.array_equal(component.members, np.arange(len(table.variables))):  # No parents are outside.
            every = np.arange(len(flat.scores), dtype=np.int64)
            return cls(table, every, np.ones(len(flat.scores)), every)
        names = tuple(table.variables[at] for at in component.members.tolist())
        sums: dict[tuple[int, ...], float] = {}
        keys = []
        for row, (child, score) in enumerate(zip(flat.children.tolist(), flat.scores.tolist(), strict=True)):
            key = (child, *sorted(flat.parents_of(row)))
            keys.append(key)
            sums[key] = float(np.logaddexp(sums[key], score)) if key in sums else score
        ordered = sorted(sums, key=lambda key: key[0])
        folded = FamilyTable.from_flat(
            names,
            np.bincount([key[0] for key in ordered], minlength=len(names)),
            [sums[key] for key in ordered],
            [len(key) - 1 for key in ordered],
            [parent for key in ordered for parent in key[1:]],
            made=table.made,
        )
        own = folded.flat()
        place = {(child, *own.parents_of(row)): row for row, child in enumerate(own.children.tolist())}
        shares = np.exp(flat.scores - np.array([sums[key] for key in keys]))
        return cls(
            folded,
            np.array([place[key] for key in keys], dtype=np.int64),
            shares,
            rows := rows_of(table.flat(), component.members),
            _outside_pairs(table.flat(), rows, component.members),
        )


def _outside_pairs(
    flat: FlatFamilies, rows: NDArray[np.int64], members: NDArray[np.int32]
) -> tuple[tuple[int, int], ...]:
    inside = set(members.tolist())
    pairs = {
        (int(flat.children[row]), parent)
        for row in rows.tolist()
        for parent in flat.parents_of(row)
        if parent not in inside
    }
    return tuple(sorted(pairs))


@dataclass(frozen=True, slots=True)
class SampledPosterior:
    """A component whose networks were sampled."""

    members: NDArray[np.int32]
    folded: FoldedFamilies
    result: ChainResult

    def family_probabilities(self) -> NDArray[np.float64]:
        return np.asarray(self.result.family_probabilities[self.folded.groups] * self.folded.shares)

    def draw(self, n_networks: int, seed: int) -> NDArray[np.int64]:
        random = np.random.default_rng([seed, int(self.members[0])])
        visited = self.result.networks[random.integers(len(self.result.networks), size=n_networks)]
        order = np.argsort(self.folded.groups, kind="stable")
        starts = np.searchsorted(self.folded.groups[order], np.arange(len(self.folded.families) + 1))
        ends = np.cumsum(self.folded.shares[order])
        below = np.concatenate([[0.0], ends])
        # A family is drawn among those of its merged family by its share.
        targets = below[starts[visited]] + random.random(visited.shape) * (
            below[starts[visited + 1]] - below[starts[visited]]
        )
        places = np.clip(np.searchsorted(ends, targets, side="right"), starts[visited], starts[visited + 1] - 1)
        return np.asarray(self.folded.rows[order[places]])
