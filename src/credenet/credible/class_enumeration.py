"""`credible_classes`: the Markov equivalence classes of credible networks, without listing these where that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.credible.class_set import CredibleClasses
from credenet.credible.engine.class_products import classes_of as classes_of_components
from credenet.credible.engine.enumeration import Enumeration
from credenet.credible.enumeration import networks_of
from credenet.credible.limit import CredibleLimit
from credenet.credible.phases import run_with_phases
from credenet.credible.preparation import Asked, Task
from credenet.credible.settings import treats_classes_alike
from credenet.credible.stages import by_stages
from credenet.families.priors import Prior
from credenet.families.scores import Score
from credenet.families.sources import as_source
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.families.sources import DataLike


def credible_classes(
    source: DataLike | FamilyTable,
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
) -> CredibleClasses:
    """All Markov equivalence classes with a network whose score is within a Bayes factor of the best.

    Where score and prior are the same for all networks of a class and nothing limits the networks, one network of each
    class is found and the others are only counted, so that classes of far more networks than can be listed are
    found. Otherwise it is the same as ``credible_networks(...).classes()``, whose options these are.

    Examples
    --------
    >>> import credenet
    >>> classes = credenet.credible_classes(credenet.datasets.asia(1000, seed=1), score="bic")
    >>> classes.n_classes, classes.n_networks
    (7, 32)
    """
    limit = CredibleLimit(bayes_factor, slack, ratio)
    run = run_with_phases(time_limit, memory_limit, n_threads, on_progress)
    asked = Asked(score, ess, prior, knowledge, max_parents, states)
    return by_stages(as_source(source), limit, asked, run, classes_of)


def classes_of(task: Task, slack: float, run: Run) -> CredibleClasses:
    """All classes within a slack, of families that are at hand."""
    if treats_classes_alike(task.provenance):
        return _listed(task, slack, run)
    return networks_of(task, slack, run).classes()


def _listed(task: Task, slack: float, run: Run) -> CredibleClasses:
    listed = Enumeration(task.families, slack, run, "classes")
    task.run(listed, run)
    outcome = task.outcome(listed, run)
    product = classes_of_components(listed.components, listed.product, outcome.families)
    return CredibleClasses.of(outcome, product, is_whole=True)
