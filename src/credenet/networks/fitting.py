"""Tables of a network estimated from data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import CoreStatus, require_end
from credenet._text import listing
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.data.states import Label
from credenet.errors import DataError, NetworkError
from credenet.graphs import DAG
from credenet.graphs.arguments import as_dag
from credenet.inference.model import FactorModel
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.pseudo_counts import pseudo_counts
from credenet.placement.data_options import DataOptions, takes_data
from credenet.settings.scores import BDeu, Smoothing, smoothing_from

if TYPE_CHECKING:
    from credenet.data.sources import DataLike
    from credenet.graphs.arguments import GraphLike

MAX_TABLE_CELLS = 1 << 31  # Cells of all tables at most: 16 GiB of probabilities.


@takes_data()
def fit(
    data: DataLike,
    dag: GraphLike,
    *,
    smoothing: Smoothing | str | None = BDeu(1.0),
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[DataOptions],
) -> BayesianNetwork:
    """The network of a graph with tables estimated from data.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, a two-dimensional array or the path of a table.
    dag
        A DAG, a result of `learn` or another network; for a PDAG, a consistent extension is used. The order of the
        parents of each variable is kept. The variables must be columns of the data; other columns are ignored.
    smoothing
        The Dirichlet prior whose posterior mean fills the tables: ``BDeu(ess)``, ``K2()``, ``Jeffreys()`` or
        ``BDe(network, ess)``; None for maximum likelihood, where a parent configuration without data gets the uniform
        distribution.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.textbook.sprinkler()
    >>> credenet.fit(truth.sample(10_000), truth.dag)
    <BayesianNetwork 4 variables, 4 edges, 9 parameters>
    """
    prior = smoothing_from(smoothing)
    dag = as_dag(dag, "dag")
    data = as_dataset(data, only=dag.variables)
    unknown = [repr(name) for name in dag.variables if name not in data.states]
    if unknown:
        raise DataError(f"the graph has variables that the data do not have: {listing(unknown)}")
    used = data if data.variables == dag.variables else data.select(dag.variables)
    used.check_complete("fitting needs")
    families = [(*dag.parents(name), name) for name in used.variables]
    sizes = _family_cells(used, dag)
    if sum(sizes) > MAX_TABLE_CELLS:
        largest = families[int(np.argmax(np.array(sizes, dtype=np.float64)))]
        widest = max(largest, key=lambda name: len(used.states[name]))
        raise NetworkError(
            f"the tables would take {8 * sum(sizes) / 2**30:.3g} GiB; {largest[-1]!r} has {len(largest) - 1} parents, "
            f"and {widest!r} has {len(used.states[widest]):,} states: give columns of many states fewer by discretize "
            "or merge_states, or leave them out with drop; or learn with max_parents=3"
        )
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    run = Run.from_limits(None, None, n_threads, on_progress)
    status, counts = _counts_of_source(used, dag, run) if used._is_elsewhere else _counts(used, dag, run)
    require_end(status, DataError("fitting was stopped"))

    tables = {}
    for family, begin, end in zip(families, offsets[:-1], offsets[1:], strict=True):
        table = counts[begin:end].reshape([len(used.states[name]) for name in family])
        tables[family[-1]] = probabilities_of(table, prior, family, used.states)
    return BayesianNetwork(used.states, dag, tables)


def _counts(data: Dataset, dag: DAG, run: Run) -> tuple[CoreStatus, NDArray[np.float64]]:
    """The tables of all families, one after another, from the rows."""
    model = FactorModel.of_families(data.states, dag, np.empty(0))
    counts = np.empty(sum(_family_cells(data, dag)))
    weights = np.empty(0) if data.weights is None else data.weights
    return _core.family_counts(model.arrays, data.codes, weights, run.n_threads, counts, run.callback()), counts


def _counts_of_source(data: Dataset, dag: DAG, run: Run) -> tuple[CoreStatus, NDArray[np.float64]]:
    """The tables of `_counts` from a count source, which has the cells of observed states only."""
    families = [(*parents, child) for child, parents in enumerate(dag._parent_order)]
    source = data._count_source()
    begins = np.cumsum([0, *map(len, families)], dtype=np.int64)
    members = np.array([member for family in families for member in family], dtype=np.uint16)
    status, found = _core.count_tables(source, members, begins, run.n_threads, run.callback())
    if status != "complete":
        return status, np.empty(0)
    observed = [source.observed(at) for at in range(data.n_variables)]
    n_states = data.n_states.tolist()
    tables, begin = [], 0
    for family in families:
        shape = [len(observed[member]) for member in family]
        end = begin + math.prod(shape)
        table = np.zeros([n_states[member] for member in family])
        table[np.ix_(*(observed[member] for member in family))] = found[begin:end].reshape(shape)
        tables.append(table.reshape(-1))
        begin = end
    return status, np.concatenate(tables)


def _family_cells(data: Dataset, dag: DAG) -> list[int]:
    """The number of cells of the table of each family."""
    n_states = data.n_states.tolist()
    return [
        math.prod(n_states[member] for member in (*parents, child)) for child, parents in enumerate(dag.parent_indices)
    ]


def probabilities_of(
    counts: NDArray[np.float64], prior: Smoothing | None, family: Sequence[str], states: Mapping[str, Sequence[Label]]
) -> NDArray[np.float64]:
    """The table of a family from its counts, the child on the last axis; rows without counts are uniform."""
    table = counts if prior is None else counts + pseudo_counts(prior, family, states)
    totals = table.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(totals > 0, table / totals, 1.0 / table.shape[-1]))
