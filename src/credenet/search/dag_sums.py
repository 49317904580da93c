"""Sums of exp(score) over all networks, from data or families, and what follows from them.

A sum takes about 3^n steps and tables for all sets of variables. The core computes it; this module checks the memory,
scores the data, and leaves out variables without edges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet._text import byte_count
from credenet.errors import ArgumentError
from credenet.families.scoring.calls import score_families
from credenet.families.scoring.child_rules import child_rules, find_isolated
from credenet.families.scoring.core_scoring import drop_unobserved_states, family_scorer
from credenet.families.structure_priors import expert_parents
from credenet.families.table import FamilyTable
from credenet.search.cost import SUMMED_BY_DEFAULT, UNASKED_SECONDS, sum_seconds
from credenet.settings.scores import Score

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.dataset import Dataset
    from credenet.knowledge.knowledge import Knowledge
    from credenet.settings.priors import Prior

MOST_SUMMED = _core.most_summed
_NO_PRUNING = 1e300  # Nats of slack so large that no family is pruned.
MOST_NATS = 2.0**54
"""Nats below the best score of its variable at which a family still counts; doubles of this size are whole numbers."""
_MOST_MERGED = 1_000_000
"""Rows up to which equal rows are merged to estimate the time of a sum, which takes a fraction of a second."""
OUT_OF_RANGE = (
    "every network has a family that scores more than 1e16 nats less than the best of its variable: no digits are left "
    "for probabilities. If rows have weights, divide them"
)


@dataclass(frozen=True, slots=True)
class SummedNetworks:
    """The networks of a sum: how they are scored, and which are allowed."""

    score: Score
    prior: Prior
    knowledge: Knowledge | None
    max_parents: int | None
    states: States


@dataclass(frozen=True, slots=True)
class FamilyLogWeights:
    """The log weights of all families of some variables.

    ``alone`` holds the scores of the variables that have no edges and are not among ``variables``.
    """

    variables: tuple[str, ...]
    core: _core.WeightTable
    alone: Mapping[str, float]


def check_number(n_variables: int) -> None:
    """Refuses more variables than a sum can take; variables with one state do not count."""
    if n_variables > MOST_SUMMED:
        raise ArgumentError(
            f"the sum over all networks takes 3^n steps, which is done for up to {MOST_SUMMED} variables; "
            f"there are {n_variables}"
        )


def check_fits(n_variables: int, n_rows: int, memory: float, *, backward: bool, instead: str = "") -> None:
    """Refuses a sum that needs more memory than the limit."""
    check_number(n_variables)
    needed = sum_bytes(n_variables, n_rows, backward=backward)
    if needed > memory:
        raise ArgumentError(
            f"the sum over all networks of {n_variables} variables needs {byte_count(needed)} of memory; the limit is "
            f"{byte_count(memory)}{instead}"
        )


def variables_to_sum(data: Dataset, networks: SummedNetworks) -> tuple[str, ...]:
    """The variables of a sum; those with one state are left out if that changes nothing."""
    if networks.score.counts_variables or expert_parents(networks.prior, data.variables) is not None:
        return data.variables  # The score of a family depends on the number of variables.
    isolated = find_isolated(data, networks.knowledge)
    return tuple(name for name in data.variables if name not in isolated)


def sum_bytes(n_variables: int, n_rows: int, *, backward: bool) -> int:
    """The bytes that the sums need."""
    return max(_core.dag_sums_bytes(n_variables, backward), _core.all_families_bytes(n_variables, n_rows))


def takes_seconds(data: Dataset, networks: SummedNetworks) -> bool:
    """Whether the sum, including the scores of all families, takes a few seconds at most."""
    names = variables_to_sum(data, networks)
    by_families = not networks.score.sums_counts

    def is_quick(n_rows: float) -> bool:
        return sum_seconds(len(names), n_rows, by_families=by_families) <= UNASKED_SECONDS

    if len(names) > SUMMED_BY_DEFAULT or not is_quick(0):
        return False
    if is_quick(min(data.n_rows, math.prod(float(len(data.states[name])) for name in names))):
        return True
    return data.n_rows <= _MOST_MERGED and is_quick(data.select(names)._row_table().n_rows)


def weights_of_data(data: Dataset, networks: SummedNetworks, run: Run) -> tuple[CoreStatus, FamilyLogWeights | None]:
    """The status, and the log weights of all families of the data (None if stopped).

    A prior on whole networks is left out.
    """
    names = variables_to_sum(data, networks)
    left_out = tuple(name for name in data.variables if name not in names)
    if not networks.score.sums_counts:
        return _weights_by_levels(data, networks, names, left_out, run)
    used = data if networks.states == "declared" else drop_unobserved_states(data)
    rules = child_rules(data, networks.prior.modular_part(), networks.knowledge, networks.max_parents, None)
    places = [data.index(name) for name in names]
    summed = used if len(places) == len(data.variables) else used.select(names)
    status, found = _core.weights_of_all_families(
        family_scorer(networks.score, summed, rows=True),
        _renumber(rules, places),
        run.n_threads,
        run.callback(),
    )
    if status != "complete":
        return status, None
    factors = {name: rules[data.index(name)].log_factors[0] for name in left_out}
    return status, FamilyLogWeights(names, found, _scores_alone(data, networks, factors, run))


def _renumber(rules: Sequence[_core.ChildRules], places: Sequence[int]) -> list[_core.ChildRules]:
    """The rules of the variables ``places``, with these renumbered from 0."""
    place = {old: new for new, old in enumerate(places)}
    return [
        _core.ChildRules(
            [place[parent] for parent in rules[old].required],
            np.array([place[parent] for parent in rules[old].candidates.tolist()], dtype=np.uint16),
            rules[old].max_parents,
            rules[old].log_factors,
            [place[parent] for parent in rules[old].expert],
            rules[old].log_kappa,
        )
        for old in places
    ]


def _scores_alone(data: Dataset, networks: SummedNetworks, factors: Mapping[str, float], run: Run) -> dict[str, float]:
    """The scores of variables without edges, from the log factors that the prior gives them."""
    if not factors:
        return {}
    families = score_families(
        data.select(factors), score=networks.score, max_parents=0, states=networks.states, n_threads=run.n_threads
    )
    return {name: families.best(name).score + factor for name, factor in factors.items()}


def _weights_by_levels(
    data: Dataset, networks: SummedNetworks, names: tuple[str, ...], left_out: Sequence[str], run: Run
) -> tuple[CoreStatus, FamilyLogWeights | None]:
    """The same as `weights_of_data` for scores that are no sums over counts: families are scored level by level."""
    families = score_families(
        data,
        score=networks.score,
        prior=networks.prior.modular_part(),
        knowledge=networks.knowledge,
        max_parents=networks.max_parents,
        states=networks.states,
        slack=_NO_PRUNING,
        time_limit=max(run.clock.seconds_left, 1e-3),
        memory_limit=run.memory - _core.dag_sums_bytes(len(names), True),
        n_threads=run.n_threads,
        on_progress=run.inner_progress,
    )
    if families.made.status == "memory_limit":
        raise ArgumentError(
            f"the families of all networks do not fit into memory, of which {byte_count(run.memory)} may be taken; "
            "allow more of it, or fewer parents"
        )
    if not families.made.complete:
        return "interrupted" if families.made.status == "interrupted" else "stopped", None
    alone = {name: families.best(name).score if families.n_families(name) else -math.inf for name in left_out}
    return "complete", FamilyLogWeights(names, _core.WeightTable(families.select(names).flat().lists), alone)


def sum_over_networks(
    weights: _core.WeightTable, by_orders: bool, backward: bool, run: Run
) -> tuple[CoreStatus, _core.DagSums | None]:
    """The status, and the sums over all networks or all orders (None if stopped)."""
    status, sums = _core.sum_over_dags(weights, by_orders, backward, run.n_threads, run.callback())
    if sums is not None and sums.is_cut and not math.isfinite(sums.log_sum):
        raise ArgumentError(OUT_OF_RANGE)
    return status, sums


def weights_of_table(families: FamilyTable) -> FamilyLogWeights:
    """The log weights of the families of a table; all other families are excluded."""
    return FamilyLogWeights(families.variables, _core.WeightTable(families.flat().lists), {})
