"""The calls that list credible networks or classes, or the k best, from data or families.

Each call checks its arguments, scores families if it is given data, and searches by stages of growing slack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.credible.class_set import CredibleClasses
from credenet.credible.credible_set import CredibleSet
from credenet.credible.growth.covering import covering
from credenet.credible.growth.phases import run_with_phases
from credenet.credible.growth.slack_rounds import find_by_stages, first_k
from credenet.credible.limit import CredibleLimit
from credenet.credible.preparation import CREDIBLE, EnumerationTask
from credenet.credible.provenance import treats_classes_alike
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.problem import LearningProblem
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.priors import Prior
from credenet.settings.scores import Score
from credenet.structures.products.class_products import classes_of_components
from credenet.structures.products.network_diagrams import list_components, list_networks

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.sources import DataLike


@takes_data()
def credible_networks(
    data: DataLike | FamilyTable,
    *,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    mass: float | None = None,
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
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> CredibleSet:
    """All networks whose score is within a Bayes factor of the best.

    A network counts as within the limit if it misses it by at most ``max(1e-9, 1e-12 |best|)``, which allows for
    rounding.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table; or families scored before
        (`score_families`, or the path of their file), with at least the slack asked for.
    bayes_factor, slack, ratio
        A network is kept when the best is at most this many times as probable (20 by default; 1 keeps the optima
        only), when it scores at most so much lower, or when its score is at most this many times that of the best.
        Give at most one of these and ``mass``.
    mass
        Instead, the share of the posterior over all networks that the networks must hold together, such as 0.95: those
        within the smallest Bayes factor that covers it. It takes the data, and a sum over all networks, which is made
        for up to 26 variables. Where these are too many networks, or time is up, the set is not complete; its
        `covered_mass` says how much it holds.
    score, ess, prior, states
        What networks are judged by. None is BDeu with an equivalent sample size of 1, a uniform prior and declared
        states; for families it is what they were scored with.
    knowledge
        What the networks must obey: required and forbidden edges, tiers, orders and in-degrees.
    max_parents
        The most parents of a variable; by default as many as can matter.
    isolate_constant
        Whether variables with one observed state have no edges. False leaves that to the score.
    time_limit, memory_limit
        Seconds and bytes (three quarters of what is free by default). When time is up, what was found so far is
        returned, marked as not complete; Ctrl-C does the same. Where there are too many networks for the memory, those
        within a smaller slack are returned, all of them. If memory is full before all families are scored, the
        networks are those made of the scored ones, and ``listing.ended_in`` is ``scoring``.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), bayes_factor=3)
    >>> credible[0] == credible.best
    True
    >>> len(credible) == credible.n_networks
    True
    >>> most = credenet.credible_networks(credenet.datasets.asia(), score="bic", mass=0.95)
    >>> most.covered_mass() >= 0.95
    True
    """
    limit = CredibleLimit(bayes_factor, slack, ratio, mass)
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = LearningProblem.from_arguments(
        data,
        CREDIBLE,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
        isolate_constant=isolate_constant,
    )
    return (find_by_stages if mass is None else covering)(problem, limit, run, networks_of)


@takes_data()
def credible_classes(
    data: DataLike | FamilyTable,
    *,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    mass: float | None = None,
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
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> CredibleClasses:
    """All Markov equivalence classes with a network whose score is within a Bayes factor of the best.

    If score and prior are the same for all networks of a class and nothing limits the networks, one network of each
    class is listed and the others are only counted, so that the classes of far more networks than can be listed are
    found. Otherwise the result is that of ``credible_networks(...).classes``, which has the same options.

    Examples
    --------
    >>> import credenet
    >>> classes = credenet.credible_classes(credenet.datasets.asia(1000, seed=1), score="bic")
    >>> classes.n_classes, classes.n_networks
    (7, 32)
    """
    limit = CredibleLimit(bayes_factor, slack, ratio, mass)
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = LearningProblem.from_arguments(
        data,
        CREDIBLE,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
        isolate_constant=isolate_constant,
    )
    return (find_by_stages if mass is None else covering)(problem, limit, run, classes_of)


@takes_data()
def k_best(
    data: DataLike | FamilyTable,
    k: int,
    *,
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
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> CredibleSet:
    """The k best networks, and all that have the same score as the last of them.

    There are fewer if fewer than k networks score within 100,000 of the best. The other options are those of
    `credible_networks`.

    Examples
    --------
    >>> import credenet
    >>> best = credenet.k_best(credenet.datasets.asia(), 10, score="bic")
    >>> best.n_networks >= 10
    True
    """
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = LearningProblem.from_arguments(
        data,
        CREDIBLE,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
        isolate_constant=isolate_constant,
    )
    return first_k(k, problem, run, networks_of)


@takes_data()
def k_best_classes(
    data: DataLike | FamilyTable,
    k: int,
    *,
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
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> CredibleClasses:
    """The k best Markov equivalence classes, and all that have the same score as the last of them; see `k_best`.

    Examples
    --------
    >>> import credenet
    >>> best = credenet.k_best_classes(credenet.datasets.asia(), 10, score="bic")
    >>> best.n_classes >= 10
    True
    """
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    problem = LearningProblem.from_arguments(
        data,
        CREDIBLE,
        score=score,
        ess=ess,
        prior=prior,
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
        isolate_constant=isolate_constant,
    )
    return first_k(k, problem, run, classes_of)


def networks_of(task: EnumerationTask, slack: float, run: Run) -> CredibleSet:
    """All networks of scored families within a slack."""
    enumeration = task.enumerate(slack, run)
    return CredibleSet(task.findings(enumeration, run), enumeration.product)


def classes_of(task: EnumerationTask, slack: float, run: Run) -> CredibleClasses:
    """All classes of scored families within a slack; networks are listed only if classes cannot be listed alone."""
    prior = task.provenance.prior
    if not treats_classes_alike(task.provenance) or (prior is not None and prior.may_favour_parents):
        return networks_of(task, slack, run).classes  # Slices of such a prior do not hold whole classes.
    enumeration = task.enumerate(slack, run, "classes")
    findings = task.findings(enumeration, run)
    lists = map(list_networks, enumeration.components)  # A search for classes makes lists, not diagrams.
    product = classes_of_components(lists, list_components(enumeration.product), findings.families)
    return CredibleClasses.from_product(findings, product, is_whole=True)
