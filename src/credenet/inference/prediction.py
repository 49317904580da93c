"""Prediction of one variable for many rows. Rows with the same missing cells share a clique tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import show_value
from credenet._run.memory import check_memory
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.data.dataset import Dataset
from credenet.data.sources import as_dataset
from credenet.errors import DataError, NetworkError
from credenet.inference.inference import Inference
from credenet.inference.model import FactorModel, check_plan

if TYPE_CHECKING:
    from credenet.data.sources import DataLike

CELLS_PER_PLAN = 50_000  # Cells of a propagation that costs about as much as making a plan.


def predict_proba(
    model: FactorModel,
    rows: DataLike,
    target: str,
    *,
    memory_limit: float | None,
    n_threads: int | None,
    on_progress: OnProgress | None,
) -> NDArray[np.float64]:
    """P(target | row) for each row; see `BayesianNetwork.predict_proba`."""
    rows = as_dataset(rows, "rows", missing="keep", only=model.states, known=model.states)
    if not isinstance(target, str) or target not in model.states:
        raise NetworkError(f"there is no variable {show_value(target)}", variable=str(target))
    run = Run.from_limits(None, memory_limit, n_threads, on_progress)
    used = {name: labels for name, labels in model.states.items() if name in rows.states and name != target}
    n_states = len(model.states[target])
    check_memory(8 * len(rows) * n_states, f"a prediction of {len(rows)} rows", "predict fewer rows at a time")
    result = np.empty((len(rows), n_states))
    if not used or not len(rows):
        result[:] = _predict_without_rows(model, target, memory_limit, n_threads)
        return result
    begin = 0
    for block in rows.row_blocks():
        known = _EvidenceRows(model, block.aligned(used, first_row=begin), target, run)
        flat = result[begin : begin + len(block)].reshape(-1)
        for plan, chosen in known.plans():
            status = plan.predict(known.rows.codes, known.columns, chosen, run.n_threads, flat, run.callback())
            require_end(status, DataError("prediction was stopped"))
        begin += len(block)
    impossible = np.isnan(result[:, 0])
    if impossible.any():
        raise NetworkError(f"row {rows._row_number(int(np.argmax(impossible)))} has probability 0 in the network")
    return result


def _predict_without_rows(
    model: FactorModel, target: str, memory_limit: float | None, n_threads: int | None
) -> NDArray[np.float64]:
    return Inference(model, memory_limit=memory_limit, n_threads=n_threads).joint([target])


class _EvidenceRows:
    """Rows as evidence, in groups that share a plan."""

    def __init__(self, model: FactorModel, rows: Dataset, target: str, run: Run) -> None:
        self.model = model
        self.rows = rows
        self.target = model.index[target]
        self.run = run
        self.columns = np.full(len(model.states), -1, dtype=np.int32)
        for column, name in enumerate(rows.variables):
            self.columns[model.index[name]] = column

    def plans(self) -> list[tuple[_core.InferencePlan, NDArray[np.int64]]]:
        """Plans with their rows.

        If enough rows share a pattern of missing cells, they get a plan in which known cells are instantiated. All
        other rows share one plan in which known cells are likelihoods of 0 and 1.
        """
        gaps = [self.rows.index(name) for name in self.rows.missing]
        if not gaps:
            return [(self._plan(self.columns >= 0, None), np.arange(len(self.rows), dtype=np.int64))]
        is_missing = self.rows.codes[:, gaps] == self.rows.missing_code
        packed = np.ascontiguousarray(np.packbits(is_missing, axis=1))
        keys = packed.view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
        _, first, group, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        has_gaps = np.isin(self.columns, gaps) & (self.columns >= 0)
        shared = self._plan((self.columns >= 0) & ~has_gaps, has_gaps)
        by_group = np.split(np.argsort(group, kind="stable"), np.cumsum(sizes)[:-1])
        plans = []
        rest: list[NDArray[np.int64]] = []
        for at, alike in enumerate(by_group):
            if shared.cells * len(alike) < CELLS_PER_PLAN:
                rest.append(alike)
                continue
            known = self.columns >= 0
            known[np.isin(self.columns, np.array(gaps)[is_missing[first[at]]])] = False
            plans.append((self._plan(known, None), alike.astype(np.int64)))
        if rest:
            plans.append((shared, np.concatenate(rest).astype(np.int64)))
        return plans

    def _plan(self, observed: NDArray[np.bool_], weighted: NDArray[np.bool_] | None) -> _core.InferencePlan:
        none = np.zeros(len(self.columns), dtype=np.uint8)
        plan = self.model.plan(
            observed=observed.astype(np.uint8),
            weighted=none if weighted is None else weighted.astype(np.uint8),
            targets=[self.target],
            joint=True,
            whole_evidence=False,
            n_threads=self.run.n_threads,
        )
        check_plan(plan, self.run.memory)
        return plan
