"""`credible_classes`: the Markov equivalence classes of credible networks, without listing these where that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet.credible.class_set import CredibleClasses
from credenet.credible.engine import listing
from credenet.credible.engine.class_products import ClassProduct, classes_of_part, classes_of_sizes
from credenet.credible.engine.group_listing import Group, Searches
from credenet.credible.engine.leaf_listing import Limits
from credenet.credible.engine.listing import Listing
from credenet.credible.engine.parts import Part
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
    listed = _ClassListing(task.families, slack, run)
    task.run(listed, run)
    outcome = task.outcome(listed, run)
    kept = outcome.families
    classes = [
        classes_of_part(part, listed.parts.fixed, listed.parts.tick, kept.flat())
        if sizes is None
        else classes_of_sizes(part, sizes, listed.parts.fixed, listed.parts.tick, kept.flat(), run.n_threads)
        for part, sizes in listed.classes
    ]
    product = ClassProduct(classes, listed.parts.fixed, listed.parts.tick, listed.parts.most)
    return CredibleClasses.of(outcome, product, is_whole=True)


class _ClassListing(Listing):
    """The same steps, but of each group of variables one network of each class and the size of the class.

    Groups too large for a table of their subsets are listed as they are, without sizes.
    """

    def __init__(self, families: FamilyTable, slack: float, run: Run) -> None:
        super().__init__(families, slack, run)
        self.classes: list[tuple[Part, NDArray[np.uint64] | None]] = []

    def _listed(self, searches: Searches, tick: float, most: int) -> tuple[list[Part], int]:
        for group in self.groups():
            self.check_number(group)
            if len(group) == 1:
                part = self.alone(group, tick, most)
                self.classes.append((part, np.ones(len(part), dtype=np.uint64)))
                continue
            if self.status not in ("complete", "memory_limit") or self._run.clock.is_over:
                self.status = self._run.status_of("stopped")
                continue
            taken = sum(2 * part.ticks.nbytes + part.positions.nbytes for part, _ in self.classes)
            left = self._run.memory - self.peak_bytes - taken
            if len(group) <= listing.LARGEST_TABLE or tuple(group.tolist()) in searches:
                most = self._add_classes(group, searches, tick, most, left)
            else:
                part, most = self._by_leaves(group, Limits(tick, most, left))
                self.classes.append((part, None))
        return [part for part, _ in self.classes], most

    def _add_classes(self, group: Group, searches: Searches, tick: float, most: int, memory: float) -> int:
        """By the table of subsets; the deviation up to which they fit in memory."""
        search = searches.get(tuple(group.tolist()))
        if search is None:
            search = _core.CredibleSearch(*self.flat, group)
            if not search.solve(self._run.n_threads, self._run.callback()):
                self.status = self._run.status_of("stopped")
                return most
        found = self._found(search, group, tick, most, memory)
        while found.status == "memory_limit" and most > 0:  # rather all the better ones than some of all
            self.status = "memory_limit"
            most = most * 3 // 4
            found = self._found(search, group, tick, most, memory)
        if found.status != "complete":
            self.status = self._run.status_of(found.status)
        ticks, positions = found.take_ticks(), found.take_families().reshape(-1, len(group))
        if len(ticks) and ticks[0] == 0:  # or it was stopped before it came to the best, which is taken then
            self.classes.append((Part(group, ticks, positions, self.flat.starts[group]), found.take_sizes()))
        return most

    def _found(
        self, search: _core.CredibleSearch, group: Group, tick: float, most: int, memory: float
    ) -> _core.CredibleListing:
        callback = self._run.callback()
        found = search.classes(*self.flat, group, tick, most, max(int(memory), 1), self._run.n_threads, callback)
        self.expanded += found.n_expanded
        return found
