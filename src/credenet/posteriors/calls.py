"""The call `posterior`, from data or families to the posterior over all networks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np

from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.nested_penalties import check_in_degree
from credenet.families.scoring.calls import table_info
from credenet.families.scoring.core_scoring import check_scorable
from credenet.families.table import FamilyTable
from credenet.learners.problem import LearningProblem
from credenet.learners.results import Statistics
from credenet.placement.data_options import DataOptions, takes_data
from credenet.posteriors.coverage import find_unscored_limit
from credenet.posteriors.exact import exact_sums
from credenet.posteriors.findings import PosteriorFindings
from credenet.posteriors.structure_posterior import StructurePosterior
from credenet.search.cost import SUMMED_BY_DEFAULT
from credenet.search.dag_sums import (
    MOST_SUMMED,
    FamilyLogWeights,
    SummedNetworks,
    check_fits,
    variables_to_sum,
    weights_of_data,
    weights_of_table,
)
from credenet.settings.choices import text
from credenet.settings.method_bases import MethodAbilities
from credenet.settings.posterior import MCMC, posterior_method

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress
    from credenet.data.coding import States
    from credenet.data.sources import DataLike
    from credenet.knowledge.knowledge import Knowledge
    from credenet.settings.priors import Prior
    from credenet.settings.scores import Score

_INSTEAD = '; method="mcmc" draws networks instead'


@dataclass(frozen=True, slots=True)
class Posterior(MethodAbilities):
    """The abilities of the posterior over all networks, with the method in its text."""

    method: str = field(default="auto", metadata=text("a method"))

    short_name: ClassVar[str] = "posterior"


@takes_data()
def posterior(
    data: DataLike | FamilyTable,
    *,
    method: MCMC | str = "auto",
    score: Score | str | None = None,
    ess: float | None = None,
    prior: Prior | str | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    states: States | None = None,
    isolate_constant: bool = True,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_threads: int | None = None,
    seed: int | None = 0,
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> StructurePosterior:
    """The posterior over all networks: probabilities of edges, parent sets and paths.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table; or families scored before
        (`score_families`, or the path of their file): the networks are then those made of these families.
    method
        ``"exact"`` sums over all networks, about 3^n steps: seconds for 20 variables, half a minute for 22, and at
        most 26. ``"order"`` sums over all orders of the variables instead, which takes less time but counts a network
        as often as it has orders: networks with few edges weigh more than their score says. ``"mcmc"``, or `MCMC` with
        settings, draws networks by Markov chains. ``"auto"`` is exact for up to 20 variables. With more it sums over
        each component of the scored families that has at most 18 variables, and draws the networks of the others.
    score, ess, prior, states
        What networks are judged by. None is BDeu with an equivalent sample size of 1, a uniform prior and declared
        states; for families it is what they were scored with.
    knowledge
        What the networks must obey: required and forbidden edges, tiers, orders and in-degrees.
    max_parents
        The most parents of a variable.
    isolate_constant
        Whether variables with one observed state have no edges. False leaves that to the score.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). Chains that do not agree when time is up have
        the status ``not_converged``; a sum that is stopped has no probabilities. Ctrl-C does the same.
    seed
        Of the Markov chains. None draws a fresh one, which ``provenance.seed`` tells.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia(1000, seed=1)
    >>> posterior = credenet.posterior(data)
    >>> f"{posterior.log_evidence:.4f}"
    '-2365.5831'
    >>> posterior.consistency < 1e-12
    True
    """
    chosen = posterior_method(method)
    way = Posterior(str(chosen))
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    problem = LearningProblem.from_arguments(
        data,
        way,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
        isolate_constant=isolate_constant,
    )
    check_in_degree(problem.prior, "sums over all networks")
    if isinstance(problem.source, Dataset):
        check_scorable(problem.source)
    n = _n_summed(problem)
    if chosen in ("exact", "order") or (chosen == "auto" and n <= SUMMED_BY_DEFAULT):
        n_rows = len(problem.source) if isinstance(problem.source, Dataset) else 0
        check_fits(n, n_rows, run.memory, backward=True, instead=_INSTEAD)
        return _sum_networks(problem, way, chosen == "order", run)
    if problem.prior is not None and not problem.prior.is_modular:
        raise ArgumentError(
            f"{problem.prior} is a prior on whole networks, whose networks can be summed but not drawn by Markov "
            f'chains: give method="exact", which sums up to {MOST_SUMMED} variables, or a prior that is a product over '
            'families, such as prior="edge"'
        )
    from credenet.posteriors.components import sum_by_components

    is_drawn = isinstance(chosen, MCMC)
    return sum_by_components(problem, way, run, chosen if isinstance(chosen, MCMC) else MCMC(), is_drawn=is_drawn)


def _networks(problem: LearningProblem) -> SummedNetworks:
    score, prior = problem.scoring
    return SummedNetworks(score, prior, problem.knowledge, problem.max_parents, problem.scored_states)


def _n_summed(problem: LearningProblem) -> int:
    if isinstance(problem.source, FamilyTable):
        return len(problem.source.variables)
    return len(variables_to_sum(problem.source, _networks(problem)))


def _sum_networks(problem: LearningProblem, way: Posterior, by_orders: bool, run: Run) -> StructurePosterior:
    """The exact posterior of all variables together."""
    source = problem.source
    if isinstance(source, FamilyTable):
        made = source.made
        status: CoreStatus = "complete"
        weights: FamilyLogWeights | None = weights_of_table(source)
    else:
        score, prior = problem.scoring
        made = replace(
            table_info(source, score, prior, problem.knowledge, problem.scored_states),
            slack=math.inf,
            complete=True,
            max_parents=problem.max_parents,
        )
        status, weights = weights_of_data(source, _networks(problem), run)
    sums = None
    if weights is not None:
        status, sums = exact_sums(weights, source.variables, made, problem.prior, by_orders, run)
    what = "orders of the variables, so that networks with more orders weigh more" if by_orders else "networks"
    reason = f"a sum over all {what}"
    if problem.prior is not None and not problem.prior.is_modular:
        reason += ", for each largest number of parents"
    provenance = problem.provenance(way, run, made, reason=reason)
    if sums is None:
        empty = FamilyTable.from_flat(source.variables, [0] * len(source.variables), [], [], [], made=made)
        return StructurePosterior(
            PosteriorFindings(
                families=empty,
                parts=(),
                edges=None,
                status=run.status_of(status),
                provenance=provenance,
                statistics=Statistics(seconds=run.clock.seconds_passed),
            )
        )
    return StructurePosterior(
        PosteriorFindings(
            families=sums.families,
            parts=(sums.part,),
            edges=np.clip(sums.edges, 0.0, 1.0),
            status=find_unscored_limit(problem, made, run) or "complete",
            provenance=provenance,
            statistics=Statistics(seconds=run.clock.seconds_passed),
            log_evidence=sums.log_evidence,
            consistency=sums.consistency,
            by_orders=by_orders,
        )
    )
