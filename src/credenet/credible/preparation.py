"""Prepares a search for credible networks: from the user's options to a family table and its provenance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from credenet._run.run import Run
from credenet.credible.covered_mass import AllNetworks
from credenet.credible.engine.enumeration import Enumeration
from credenet.credible.engine.enumerator import What
from credenet.credible.engine.penalised import PenalisedEnumeration
from credenet.credible.growth.phases import begin
from credenet.credible.limit import CredibleLimit
from credenet.credible.result import Findings, Stage
from credenet.data.dataset import Dataset
from credenet.families.nested_penalties import check_in_degree, penalty_rise
from credenet.families.table import FamilyTable
from credenet.learners.problem import LearningProblem
from credenet.learners.results import Provenance, Statistics
from credenet.learners.score_based import scoring_limit
from credenet.settings.method_bases import MethodAbilities


@dataclass(frozen=True, slots=True)
class CredibleNetworks(MethodAbilities):
    """The listing of all credible networks."""

    short_name: ClassVar[str] = "credible_networks"


CREDIBLE = CredibleNetworks()


@dataclass(frozen=True, slots=True)
class EnumerationTask:
    """The families to search, their provenance, and the seconds of scoring."""

    families: FamilyTable
    provenance: Provenance
    scoring_seconds: float
    data: Dataset | None

    @property
    def is_scored_here(self) -> bool:
        """Whether the families were scored from data in this call."""
        return self.data is not None

    def enumerate(self, slack: float, run: Run, what: What = "networks") -> Enumeration | PenalisedEnumeration:
        """The search for networks or classes within a slack, which ended; a stop while scoring ended it early."""
        prior = self.provenance.prior
        enumeration: Enumeration | PenalisedEnumeration
        if prior is None or prior.is_modular:
            enumeration = Enumeration(self.families, slack, run, what)
        else:
            enumeration = PenalisedEnumeration(self.families, prior, slack, run, what)
        if self.is_scored_here and (self.families.made.status == "interrupted" or run.stop.is_asked):
            enumeration.stop_while_scoring()
        else:
            enumeration.run()
        return enumeration

    def findings(self, enumeration: Enumeration | PenalisedEnumeration, run: Run) -> Findings:
        """The findings of a search, which take into account that families may be incomplete."""
        made, status = self.families.made, enumeration.status
        stage: Stage | None = enumeration.stage
        if status in ("complete", "infeasible"):
            stage = None
            if self.is_scored_here and not made.complete:
                status, stage = scoring_limit(made.status, run), "scoring"
        return Findings(
            families=self.families.filter(enumeration.families_in_use),
            optimum=enumeration.optimum,
            slack=enumeration.slack,
            complete_slack=enumeration.complete_slack,
            status=status,
            ended_in=stage,
            incumbent=enumeration.incumbent,
            needed_bytes=enumeration.needed_bytes,
            complete=status in ("complete", "infeasible") and bool(made.complete) and made.slack is not None,
            statistics=Statistics(
                seconds=run.clock.seconds_passed,
                scoring_seconds=self.scoring_seconds,
                families=len(self.families),
                evaluated=made.evaluated,
                components=tuple(sorted((len(each.members) for each in enumeration.product.components), reverse=True)),
                expanded=enumeration.n_expanded,
                peak_bytes=enumeration.table_bytes,
            ),
            provenance=self.provenance,
            all_networks=AllNetworks.of(self.data),
        )


def prepare(problem: LearningProblem, limit: CredibleLimit, run: Run) -> EnumerationTask:
    """The checked families of the networks within a limit, which must not be a ratio."""
    start = run.clock.seconds_passed
    limit.check_score(problem.score)
    check_in_degree(problem.prior, "credible networks")
    data = problem.source if isinstance(problem.source, Dataset) else None
    if data is not None:
        begin("scoring families", run)
    rise = 0.0
    if data is not None:
        rise = penalty_rise(problem.scoring[1], data.n_variables, problem.max_parents)
    families = problem.families(run, limit.in_nats(0.0) + rise)
    # The limit is that of the user; scoring may have ended before it.
    made = replace(families.made, max_parents=problem.max_parents)
    provenance = problem.provenance(CREDIBLE, run, made)
    return EnumerationTask(families, provenance, 0.0 if data is None else run.clock.seconds_passed - start, data)
