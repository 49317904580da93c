"""Branch and cut until some network of listed families obeys the rules on whole networks."""

from __future__ import annotations

import math
from dataclasses import replace

from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run, Stop
from credenet.errors import KnowledgeError
from credenet.families.table import FamilyTable
from credenet.search.components import Choice, solve_apart, whole
from credenet.search.ilp.branch_and_cut import solve_ilp
from credenet.search.ilp.constraints import Constraints
from credenet.search.local import obeying, quick_network
from credenet.settings.methods import ILP


def any_network(families: FamilyTable, constraints: Constraints, run: Run) -> Choice | None:
    """The families of a network that obeys the rules; None if no network does."""
    until_found = replace(run, on_progress=_stop_when_found(run), stop=Stop())
    rescue = obeying(quick_network, constraints)
    result = solve_apart(families, until_found, solve_ilp(ILP(), constraints), rescue, whole(families))
    if result.choice is None and result.status != "infeasible":
        raise KnowledgeError("no network that obeys the rules was found to start from; use ilp, or give more time")
    return result.choice


def _stop_when_found(run: Run) -> OnProgress:
    """A callback that stops the search once it has a network, or when the user stops the run."""

    def report(progress: Progress) -> bool:
        if run.on_progress is not None and run.on_progress(replace(progress, score=None, bound=None)) is False:
            run.stop.is_asked = True
        has_network = progress.score is not None and math.isfinite(progress.score)
        return not has_network and not run.stop.is_asked

    return report
