"""How much of the posterior over all networks a credible set stands for."""

from __future__ import annotations

import math

from credenet import _core
from credenet._run.run import Run
from credenet._text import byte_count
from credenet.credible.phases import begin
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.scoring import isolated_variables, score_families
from credenet.learners.results import Provenance
from credenet.search.cost import QUICKLY_SUMMED

MOST_SUMMED = _core.most_summed
_NO_PRUNING = 1e300  # nats


def is_quick(made: Provenance, n_variables: int) -> bool:
    """Whether the sum can be made, and takes no more than a second or two."""
    return n_variables <= QUICKLY_SUMMED and made.score is not None and made.prior is not None


def check_number(n_variables: int) -> None:
    """Refuses more variables with several states than the sum is made for."""
    if n_variables > MOST_SUMMED:
        raise ArgumentError(
            f"the sum over all networks takes 3^n steps, which is done for up to {MOST_SUMMED} variables; "
            f"there are {n_variables}"
        )


def check_known(made: Provenance) -> None:
    """Refuses a score or a prior that data cannot be scored with."""
    if made.score is None or made.prior is None:
        raise ArgumentError("the score or the prior is known by its table only, so the data cannot be scored with it")


def log_total(made: Provenance, data: Dataset, run: Run) -> float | None:
    """The logarithm of the sum of exp(score) over all networks that the options allow; None if it was stopped.

    Variables with one state have no edges in any of them, but for those that are required.
    """
    check_known(made)
    assert made.score is not None
    assert made.prior is not None
    if made.data_digest is not None and data.digest() != made.data_digest:
        raise ArgumentError("data must be those that the credible set was made from")
    isolated = isolated_variables(data, made.knowledge)
    summed = [name for name in data.variables if name not in isolated]
    check_number(len(summed))
    needed = _core.dag_sum_bytes(len(summed))
    if needed > run.memory:
        raise ArgumentError(
            f"the sum over all networks needs {byte_count(needed)} of memory; the limit is {byte_count(run.memory)}"
        )
    begin("summing over all networks", run)
    families = score_families(
        data,
        score=made.score,
        prior=made.prior,
        knowledge=made.knowledge,
        max_parents=made.max_parents,
        states=made.states or "declared",
        slack=_NO_PRUNING,
        time_limit=max(run.clock.left, 1e-3),
        memory_limit=run.memory - needed,
        n_threads=run.n_threads,
        on_progress=run.on_progress,
    )
    if families.made.status == "memory_limit":
        raise ArgumentError(
            f"the families of all networks do not fit into memory, of which {byte_count(run.memory)} may be taken; "
            "allow more of it, or fewer parents"
        )
    if not families.made.complete:
        return None
    alone = math.fsum(families.best(name).score for name in isolated)
    flat = families.select(summed).flat()
    status, total = _core.log_sum_of_dags(flat.lists, run.n_threads, run.callback())
    return total + alone if status == "complete" else None
