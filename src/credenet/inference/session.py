"""A clique tree with its messages, kept while evidence comes and goes.

A known state enters as likelihoods of 0 and 1, so one tree serves evidence on any variables. New evidence changes only
the messages on the path from its clique to the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.inference.evidence import Evidence
from credenet.inference.model import FactorModel, Mask, check_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from credenet._run.progress import CoreCallback
    from credenet._run.status import CoreStatus


@dataclass(frozen=True, slots=True)
class InferenceSession:
    """A clique tree with its messages.

    Attributes
    ----------
    fixed
        1 for each variable that was instantiated in the tables; all evidence must give it a state.
    cells
        The number of cells of all cliques.
    """

    model: FactorModel
    fixed: Mask
    core: _core.InferenceSession
    starts: NDArray[np.int64]
    cells: float

    @classmethod
    def from_model(cls, model: FactorModel, fixed: Mask, *, memory: float, n_threads: int) -> InferenceSession:
        free = (fixed == 0).astype(np.uint8)
        plan = model.plan(
            observed=fixed, weighted=free, targets=np.flatnonzero(free).tolist(), joint=False, n_threads=n_threads
        )
        check_plan(plan, memory)
        starts = np.concatenate([[0], np.cumsum(model.n_states, dtype=np.int64)])
        return cls(model, fixed, _core.InferenceSession(plan), starts, plan.cells)

    def holds(self, evidence: Evidence) -> bool:
        """Whether the tree can take the evidence."""
        return bool((evidence.observed >= self.fixed).all())

    def marginals(
        self, evidence: Evidence, targets: Sequence[int], n_threads: int, report: CoreCallback | None
    ) -> tuple[CoreStatus, float, dict[int, NDArray[np.float64]]]:
        """The status, the log-probability of the evidence, and the marginals of the targets."""
        likelihoods = evidence.likelihoods.copy()
        for at in np.flatnonzero((evidence.observed == 1) & (self.fixed == 0)).tolist():
            values = likelihoods[self.starts[at] : self.starts[at + 1]]
            known = int(evidence.states[at])
            values[:known] = 0.0
            values[known + 1 :] = 0.0
        chosen = np.array(targets, dtype=np.int32)
        status, log_value, flat = self.core.marginals(evidence.states, likelihoods, chosen, n_threads, report)
        return status, log_value, self.model.split_values(flat, targets) if len(flat) else {}
