"""How much of the posterior over all networks a credible set stands for."""

from __future__ import annotations

import math

from credenet._run.run import Run
from credenet.credible.phases import begin
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.learners.results import Provenance
from credenet.search.cost import QUICKLY_SUMMED
from credenet.search.dag_sums import Networks, check_fits, sum_over_networks, summed_variables, weights_of_data


def is_quick(made: Provenance, n_variables: int) -> bool:
    """Whether the sum can be made, and takes no more than a second or two."""
    return n_variables <= QUICKLY_SUMMED and made.score is not None and made.prior is not None


def check_known(made: Provenance) -> None:
    """Refuses a score or a prior that data cannot be scored with."""
    if made.score is None or made.prior is None:
        raise ArgumentError("the score or the prior is known by its table only, so the data cannot be scored with it")


def log_total(made: Provenance, data: Dataset, run: Run) -> float | None:
    """The logarithm of the sum of exp(score) over all networks that the options allow; None if it was stopped."""
    check_known(made)
    assert made.score is not None
    assert made.prior is not None
    if made.data_digest is not None and data.digest() != made.data_digest:
        raise ArgumentError("data must be those that the credible set was made from")
    networks = Networks(made.score, made.prior, made.knowledge, made.max_parents, made.states or "declared")
    check_fits(len(summed_variables(data, networks)), len(data), run.memory, backward=False)
    begin("summing over all networks", run)
    _, weights = weights_of_data(data, networks, run)
    if weights is None:
        return None
    _, sums = sum_over_networks(weights.core, False, False, run)
    return None if sums is None else sums.log_sum + math.fsum(weights.alone.values())
