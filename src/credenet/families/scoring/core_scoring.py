"""Families scored by the core: what data must have, the scorer of a score, and the call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from credenet import _core
from credenet._run.memory import usable_memory
from credenet._run.progress import CoreCallback
from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.data.states import same_labels
from credenet.errors import ArgumentError, DataError
from credenet.families.scoring.function_scores import FunctionScores
from credenet.families.scoring.scoring_result import ScoringResult
from credenet.families.tolerance import tolerance
from credenet.settings.scores import Score

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork

BYTES_PER_FAMILY = 400  # Bytes of a family, with the terms of the variable sets that its score needs.
MOST_VARIABLES = 4096  # Bits of the largest set type of the core, one for each variable.
_BITMAP_STATES = 16  # Variables with at most this many states are also held as a bitmap for each state.
_COPIES = 2  # Copies of the rows that are counted at the same time, at most.
_COUNT_BYTES = 40  # Bytes that counting takes for each row beside the copies, about: the row's cells in nested sets.
_FEW_BYTES = 1 << 22  # Bytes that counting may take whatever the memory limit.


def check_data(data: Dataset) -> None:
    if not data.n_variables:
        raise DataError("the data have no variables")
    data.check_complete("scoring needs")


def check_scorable(data: Dataset) -> None:
    """Refuses data with missing cells, without variables, or with more than `MOST_VARIABLES`."""
    check_data(data)
    if data.n_variables > MOST_VARIABLES:
        raise ArgumentError(
            f"families of at most {MOST_VARIABLES:,} variables can be scored, got {data.n_variables:,}; hill_climb, "
            "tabu, pc, rai and mmhc learn from more"
        )


def check_rows_fit(data: Dataset, memory: float) -> None:
    """Refuses rows in memory that cannot be counted within a memory limit.

    Equal rows are merged later, so that a table of many equal rows needs less in the end.
    """
    if data._is_elsewhere:
        return
    bitmap_bits = sum(states for states in data.n_states if states <= _BITMAP_STATES)
    needed = data.n_rows * (_COPIES * (data.n_variables * data.codes.itemsize + bitmap_bits / 8) + _COUNT_BYTES)
    if needed > max(memory, _FEW_BYTES):
        raise ArgumentError(
            f"to count {count(data.n_rows, 'row')} of {count(data.n_variables, 'variable')} may take "
            f"{byte_count(needed)} beside the data; memory_limit is {byte_count(memory)}; a block file, which "
            "credenet.ingest writes, is counted in parts"
        )


def data_tolerance(data: Dataset) -> float:
    """The tolerance within which scores of the data are equal; rows and states bound the size of a score."""
    bound = data.total_weight * float(np.sum(np.log(np.maximum(data.n_states, 2))))
    return tolerance(bound)


def drop_unobserved_states(data: Dataset) -> Dataset:
    """The data with the states that occur; a variable of which none occurs keeps its first one.

    Rows of weight 0 are dropped.
    """
    if data.weights is not None and not np.all(data.weights):
        data = data.take(np.flatnonzero(data.weights))
    counts = data.info().counts
    states = {
        name: tuple(label for label, number in counts[name].items() if number) or labels[:1]
        for name, labels in data.states.items()
    }
    return data.aligned(states)


def family_scorer(score: Score, data: Dataset, *, rows: bool = False) -> _core.FamilyScorer:
    """The object that scores families in the core; with ``rows`` it counts rows in memory, equal rows merged."""
    if score.batch_functions is not None:
        return _core.FunctionScorer(FunctionScores(str(score), data, *score.batch_functions))
    if score.needs_rows and data.total_weight == 0:
        raise DataError(f"{score} takes the log of the weight of all rows, but there are none; bdeu needs no rows")
    network = score.prior_network
    prior = None if network is None else _prior_network(network, data)
    source = data._row_table() if rows else data._count_source()
    return _core.CountScorer(source, score.core_name, score.core_parameter, data.n_states, prior)


def _prior_network(network: BayesianNetwork, data: Dataset) -> _core.PriorNetwork:
    for name, labels in data.states.items():
        if not same_labels(network.states.get(name, ()), labels):
            raise ArgumentError(f"the prior network does not have the variable {name!r} with the states of the data")
    model = network._factor_model()
    places = np.array([model.index[name] for name in data.variables], dtype=np.int32)
    return _core.PriorNetwork(model.arrays, places, usable_memory())


def core_families(
    data: Dataset,
    score: Score,
    rules: list[_core.ChildRules],
    options: _core.FamilyOptions,
    on_progress: CoreCallback | None,
    max_families: int | None = None,
) -> ScoringResult:
    """The families that the core scores: all, or with ``max_families`` (0: no limit) those of a best-first search."""
    check_scorable(data)
    scorer = family_scorer(score, data)
    if max_families is not None:
        explorer = _core.FamilyExplorer(scorer, rules, options, max_families)
        ended = explorer.explore(on_progress)
        found = ScoringResult(*explorer.families())
        return found._replace(status=ended) if ended == "interrupted" else found
    with prior_fits_in_memory():
        return ScoringResult(*_core.score_families(scorer, rules, options, on_progress))


@contextmanager
def prior_fits_in_memory() -> Iterator[None]:
    try:
        yield
    except _core.PriorTooLarge as error:
        raise ArgumentError(f"{error}; use a smaller max_parents") from None
