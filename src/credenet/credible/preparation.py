"""From what a user asks for to a table of families, with a record of how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from credenet._arguments import one_of, whole_number
from credenet._run.run import Run
from credenet.credible.engine.choices import dag_of, score_of
from credenet.credible.engine.listing import Listing
from credenet.credible.limit import CredibleLimit
from credenet.credible.outcome import Incumbent, Outcome, Stage
from credenet.credible.phases import begin, was_stopped
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.priors import PRIORS, SSP, Prior, Uniform
from credenet.families.restriction import check_options, with_knowledge
from credenet.families.scores import SCORES, Score, score_from
from credenet.families.sources import check_knowledge
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.from_data import scored_families, scoring_limit
from credenet.learners.options import Options, version
from credenet.learners.results import Provenance, Statistics
from credenet.search.support import check_supported

if TYPE_CHECKING:
    from credenet.data.coding import States

_NAME = "credible_networks"


@dataclass(frozen=True, slots=True)
class Asked:
    """What networks are judged by and must obey, as a user says it."""

    score: Score | str | None = None
    ess: float | None = None
    prior: Prior | str | None = None
    knowledge: Knowledge | None = None
    max_parents: int | None = None
    states: States | None = None

    def __post_init__(self) -> None:
        check_knowledge(self.knowledge)
        if self.max_parents is not None:
            whole_number("max_parents", self.max_parents)
        if self.states is not None:
            one_of("states", self.states, ("declared", "observed"))


@dataclass(frozen=True, slots=True)
class Task:
    """The families to search, how they were made, and what that took."""

    families: FamilyTable
    provenance: Provenance
    scoring_seconds: float
    is_scored_here: bool

    def run(self, listed: Listing, run: Run) -> None:
        """Searches, unless a stop was asked for while the families were scored."""
        if self.is_scored_here and (self.families.made.status == "interrupted" or was_stopped(run)):
            listed.stop_while_scoring()
        else:
            listed.run()

    def outcome(self, listed: Listing, run: Run) -> Outcome:
        """What the search came to, where the families may not be complete."""
        made, status = self.families.made, listed.status
        stage: Stage | None = listed.stage
        if status in ("complete", "infeasible"):
            stage = None
            if self.is_scored_here and not made.complete:
                status, stage = scoring_limit(made.status, run), "scoring"
        families = self.families.filter(listed.kept)
        return Outcome(
            families=families,
            optimum=listed.optimum,
            slack=listed.slack,
            complete_slack=listed.complete_slack,
            status=status,
            ended_in=stage,
            incumbent=None
            if listed.bound is None
            else Incumbent(dag_of(families, listed.best), score_of(families, listed.best), listed.bound),
            needed_bytes=listed.needed_bytes,
            complete=status in ("complete", "infeasible") and bool(made.complete) and made.slack is not None,
            statistics=Statistics(
                seconds=run.clock.passed,
                scoring_seconds=self.scoring_seconds,
                families=len(self.families),
                evaluated=made.evaluated,
                components=tuple(sorted((len(part.members) for part in listed.parts.parts), reverse=True)),
                expanded=listed.expanded,
                peak_bytes=listed.peak_bytes,
            ),
            provenance=self.provenance,
        )


def prepared(source: Dataset | FamilyTable, limit: CredibleLimit, asked: Asked, run: Run) -> Task:
    """The families of the networks asked for, checked; the limit is no ratio."""
    start = run.clock.passed
    modular = None if asked.prior is None else PRIORS.get(asked.prior)
    if isinstance(modular, SSP):
        raise ArgumentError("SSP is no sum over families, so credible networks cannot be listed with it")
    check_supported(asked.knowledge, _NAME)
    if isinstance(source, FamilyTable):
        scored = None if asked.score is None else score_from(asked.score, ess=asked.ess)
        check_options(source, scored, modular, asked.states, asked.max_parents)
        made_with = scored or SCORES.known(source.made.score)
        limit.check_score(made_with)
        families, known = with_knowledge(source, asked.knowledge)
        check_supported(known, _NAME)
        if asked.max_parents is not None:
            families = families.restrict(max_parents=asked.max_parents)
    else:
        made_with = score_from("bdeu" if asked.score is None else asked.score, ess=asked.ess)
        limit.check_score(made_with)
        modular = modular or Uniform()
        options = Options(made_with, modular, asked.knowledge, asked.max_parents, asked.states or "declared")
        begin("scoring families", run)
        families = scored_families(source, options, run, limit.in_nats(0.0))
        known = asked.knowledge
    made = families.made
    is_scored_here = isinstance(source, Dataset)
    provenance = Provenance(
        method=_NAME,
        score=made_with,
        prior=modular,
        score_name=made.score,
        prior_name=made.prior,
        states=made.states,
        max_parents=asked.max_parents if is_scored_here else made.max_parents,  # scoring may have ended before that
        knowledge=known,
        complete=made.complete,
        n_rows=made.n_rows,
        data_digest=source.digest() if isinstance(source, Dataset) else made.data_digest,
        version=version(),
    )
    return Task(families, provenance, run.clock.passed - start if is_scored_here else 0.0, is_scored_here)
