"""From what a user asks for to a table of families, with a record of how it was made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from credenet._run.run import Run
from credenet.credible.covered_mass import AllNetworks
from credenet.credible.engine.enumeration import Enumeration
from credenet.credible.limit import CredibleLimit
from credenet.credible.phases import begin
from credenet.credible.result import Findings, Incumbent, Stage
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.learners.problem import Problem
from credenet.learners.results import Provenance, Statistics
from credenet.learners.score_based import scoring_limit
from credenet.settings.method_bases import Abilities
from credenet.settings.priors import SSP
from credenet.structures.network_products import dag_of, score_of


@dataclass(frozen=True, slots=True)
class CredibleNetworks(Abilities):
    """The listing of all credible networks."""

    short_name: ClassVar[str] = "credible_networks"


CREDIBLE = CredibleNetworks()


@dataclass(frozen=True, slots=True)
class Task:
    """The families to search, how they were made, and what that took."""

    families: FamilyTable
    provenance: Provenance
    scoring_seconds: float
    data: Dataset | None

    @property
    def is_scored_here(self) -> bool:
        """Whether the families were scored from data, and not given."""
        return self.data is not None

    def run(self, found: Enumeration, run: Run) -> None:
        """Searches, unless a stop was asked for while the families were scored."""
        if self.is_scored_here and (self.families.made.status == "interrupted" or run.stop.is_asked):
            found.stop_while_scoring()
        else:
            found.run()

    def findings(self, found: Enumeration, run: Run) -> Findings:
        """What the search came to, where the families may not be complete."""
        made, status = self.families.made, found.loop.status
        stage: Stage | None = found.stage
        if status in ("complete", "infeasible"):
            stage = None
            if self.is_scored_here and not made.complete:
                status, stage = scoring_limit(made.status, run), "scoring"
        families, best = self.families.filter(found.kept), found.loop.best
        return Findings(
            families=families,
            optimum=found.optimum,
            slack=found.slack,
            complete_slack=found.complete_slack,
            status=status,
            ended_in=stage,
            incumbent=None
            if found.bound is None
            else Incumbent(dag_of(families, best), score_of(families, best), found.bound),
            needed_bytes=found.needed_bytes,
            complete=status in ("complete", "infeasible") and bool(made.complete) and made.slack is not None,
            statistics=Statistics(
                seconds=run.clock.passed,
                scoring_seconds=self.scoring_seconds,
                families=len(self.families),
                evaluated=made.evaluated,
                components=tuple(sorted((len(each.members) for each in found.product.components), reverse=True)),
                expanded=found.loop.n_expanded,
                peak_bytes=found.shared.table_bytes,
            ),
            provenance=self.provenance,
            all_networks=AllNetworks.of(self.data),
        )


def prepared(problem: Problem, limit: CredibleLimit, run: Run) -> Task:
    """The families of the networks asked for, checked; the limit is no ratio."""
    start = run.clock.passed
    if isinstance(problem.prior, SSP):
        raise ArgumentError("SSP is no sum over families, so credible networks cannot be listed with it")
    limit.check_score(problem.score)
    data = problem.source if isinstance(problem.source, Dataset) else None
    if data is not None:
        begin("scoring families", run)
    families = problem.families(run, limit.in_nats(0.0))
    made = replace(families.made, max_parents=problem.max_parents)  # scoring may have ended before that
    provenance = problem.provenance(CREDIBLE, run, made)
    return Task(families, provenance, 0.0 if data is None else run.clock.passed - start, data)
