"""`credible_networks`: from data or families to every network within a Bayes factor of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet.credibility.credible_set import CredibleSet
from credenet.credibility.limit import CredibleLimit
from credenet.credibility.listing import Listing
from credenet.data import Dataset
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.knowledge import Knowledge
from credenet.learners.context import Context
from credenet.learners.learning import learn, scored_families, scoring_limit
from credenet.learners.options import Options, version
from credenet.learners.support import check_supported
from credenet.learners.tables import check_options, with_knowledge
from credenet.priors import SSP, Prior, Uniform, prior_from
from credenet.progress import OnProgress
from credenet.results import Provenance, Statistics
from credenet.scores import Score, score_described, score_from

if TYPE_CHECKING:
    from credenet.coding import States

_NAME = "credible_networks"


def credible_networks(
    source: Dataset | FamilyTable,
    *,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    states: States | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> CredibleSet:
    """All networks whose score is within a Bayes factor of the best.

    A score is within if it misses the limit by no more than max(1e-9, 1e-12 |best|), which is rounding.

    Parameters
    ----------
    source
        Data, or families scored before with at least the slack asked for (`score_families`).
    bayes_factor, slack, ratio
        A network is kept when the best is at most this many times as probable (20 by default; 1 keeps the optima
        only), when it scores at most so much lower, or when its score is at most this many times that of the best.
        Give at most one.
    score, ess, prior, states
        What networks are judged by: BDeu with an equivalent sample size of 1 and a uniform prior by default.
    knowledge
        What the networks must obey: required and forbidden edges, tiers, orders and in-degrees.
    max_parents
        The most parents of a variable; by default as many as can matter.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). When time is up, what was found so far is
        returned, marked as not complete; Ctrl-C does the same. When memory is short, the networks within a smaller
        slack are returned, all of them.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), bayes_factor=3)
    >>> credible[0] == credible.best
    True
    >>> len(credible) == credible.n_networks
    True
    """
    limit = CredibleLimit(bayes_factor, slack, ratio)
    context = Context.of(time_limit, memory_limit, n_threads, on_progress)
    if max_parents is not None and max_parents < 0:
        raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
    modular = None if prior is None else prior_from(prior)
    if isinstance(modular, SSP):
        raise ArgumentError("SSP is no sum over families, so credible networks cannot be listed with it")
    check_supported(knowledge, _NAME)
    if isinstance(source, FamilyTable):
        scored = None if score is None else score_from(score, ess=ess)
        check_options(source, scored, modular, states, max_parents)
        made_with = scored or _described(source.made.score)
        limit.check_score(made_with)
        families, known = with_knowledge(source, knowledge)
        check_supported(known, _NAME)
        if max_parents is not None:
            families = families.restrict(max_parents=max_parents)
    elif isinstance(source, Dataset):
        made_with = score_from("bdeu" if score is None else score, ess=ess)
        limit.check_score(made_with)
        modular = modular or Uniform()
        options = Options(made_with, modular, knowledge, max_parents, states or "declared")
        families = _scored(source, limit, options, context)
        known = knowledge
    else:
        raise ArgumentError(f"{_NAME} takes a Dataset or a FamilyTable, got {type(source).__name__}")
    scoring_seconds = context.clock.passed
    listed = Listing(families, limit, context)
    listed.run()
    made = families.made
    status = listed.status
    if isinstance(source, Dataset) and not made.complete and status == "complete":
        status = scoring_limit(made.status, context)
    provenance = Provenance(
        method=_NAME,
        score=made_with,
        prior=modular,
        score_name=made.score,
        prior_name=made.prior,
        states=made.states,
        max_parents=made.max_parents,
        knowledge=known,
        complete=made.complete,
        n_rows=made.n_rows,
        data_digest=source.digest() if isinstance(source, Dataset) else made.data_digest,
        version=version(),
    )
    return CredibleSet(
        families=families.filter(listed.kept),
        parts=listed.parts,
        optimum=listed.optimum,
        slack=listed.slack,
        complete_slack=listed.complete_slack,
        status=status,
        complete=status in ("complete", "infeasible") and bool(made.complete) and made.slack is not None,
        statistics=Statistics(
            seconds=context.clock.passed,
            scoring_seconds=scoring_seconds if isinstance(source, Dataset) else 0.0,
            families=len(families),
            evaluated=made.evaluated,
            components=tuple(sorted((len(part.members) for part in listed.parts.parts), reverse=True)),
            expanded=listed.expanded,
            peak_bytes=listed.peak_bytes,
        ),
        provenance=provenance,
    )


def _described(text: str | None) -> Score | None:
    if text is None:
        return None
    try:
        return score_described(text)
    except ArgumentError:  # another program's name for it
        return None


def _scored(data: Dataset, limit: CredibleLimit, options: Options, context: Context) -> FamilyTable:
    optimum = 0.0
    if limit.ratio is not None:
        best = learn(
            data,
            score=options.score,
            prior=options.prior,
            knowledge=options.knowledge,
            max_parents=options.max_parents,
            states=options.states,
            time_limit=None if context.clock.time_limit is None else max(context.clock.left / 3, 1e-3),
            memory_limit=context.memory,
            n_threads=context.n_threads,
        )
        # If it is not proven to be the best, the slack is larger than needed.
        optimum = max(abs(best.score or 0.0), abs(best.bound or 0.0))
    return scored_families(data, options, context, limit.in_nats(optimum))
