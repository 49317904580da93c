"""Exact queries: a model, its evidence and the limits of a computation.

A query plans the clique trees for its answers and checks the results of the core. It keeps the log-probability of the
evidence, and a clique tree with its messages for evidence that changes step by step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet.errors import NetworkError
from credenet.inference.evidence import Evidence, EvidenceLike, check_evidence, impossible
from credenet.inference.model import FactorModel, Mask, check_plan, memory_problem
from credenet.inference.session import InferenceSession

if TYPE_CHECKING:
    from credenet import _core
    from credenet._run.progress import CoreCallback
    from credenet._run.status import CoreStatus

CHEAP_CELLS = 200_000  # Cells above which a propagation costs more than a new plan.
FEW_TARGETS = 4  # Targets up to which one elimination each may be cheaper than a propagation to all.


class Query:
    """A model with evidence, and what the core needs to compute an answer."""

    def __init__(
        self,
        model: FactorModel,
        evidence: EvidenceLike | None = None,
        *,
        elimination_order: Sequence[str] | None = None,
        memory_limit: float | None = None,
        time_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._model = model
        self._evidence: Evidence = check_evidence(evidence, model.states, model.fixed)
        self._order = model.check_order(elimination_order)
        self._run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress)
        self._forget()

    def __getstate__(self) -> dict[str, Any]:
        """The state without the callback, which may not be picklable, and the clique tree, which can be rebuilt."""
        run = replace(self._run.restart(), on_progress=None)
        return {**self.__dict__, "_run": run, "_session": None}

    def _forget(self) -> None:
        self._log_evidence: float | None = None
        self._session: InferenceSession | None = None  # The clique tree for evidence that changes step by step.

    def _condition(self, evidence: EvidenceLike | None) -> Self:
        """The same query with other evidence, without any answers yet."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._evidence = check_evidence(evidence, self._model.states, self._model.fixed)
        other._forget()
        return other

    def memory_problem(self) -> str | None:
        """Why the marginals of all variables do not fit into memory; None if they do."""
        return memory_problem(self._make_plan(self._free(), joint=False), self._run.memory)

    def _free(self) -> list[int]:
        return np.flatnonzero(self._evidence.observed == 0).tolist()

    def _plan(self, targets: Sequence[int], *, joint: bool, whole_evidence: bool = False) -> _core.InferencePlan:
        plan = self._make_plan(targets, joint=joint, whole_evidence=whole_evidence)
        check_plan(plan, self._run.memory)
        return plan

    def _make_plan(self, targets: Sequence[int], *, joint: bool, whole_evidence: bool = False) -> _core.InferencePlan:
        """The plan for some targets. Once the evidence is known to be possible, irrelevant evidence is left out."""
        return self._model.plan(
            observed=self._evidence.observed,
            weighted=self._evidence.weighted,
            targets=targets,
            joint=joint,
            whole_evidence=whole_evidence or self._log_evidence is None,
            order=self._order,
            n_threads=self._run.n_threads,
        )

    def _few(self, targets: Sequence[int]) -> dict[int, NDArray[np.float64]] | None:
        """The marginals of a few targets by one elimination each; None if a propagation is cheaper."""
        if not 0 < len(targets) <= FEW_TARGETS:
            return None
        plans = {at: self._make_plan([at], joint=True) for at in targets}
        together = self._make_plan(targets, joint=False)
        if len(targets) > 1 and sum(plan.cells for plan in plans.values()) > 2 * together.cells:
            return None
        found = {}
        for at, plan in plans.items():
            check_plan(plan, self._run.memory)
            status, log_value, found[at] = plan.joint(*self._arguments())
            self._check(status, log_value)
        return found

    def _arguments(self, run: Run | None = None) -> tuple[NDArray[np.int32], NDArray[np.float64], int, CoreCallback]:
        """The arguments of a call to the core; the time limit starts now unless the run is given."""
        report = (run or self._run.restart()).callback(tells_score=True)
        return self._evidence.states, self._evidence.likelihoods, self._run.n_threads, report

    def _check(self, status: CoreStatus, log_value: float) -> None:
        seconds = self._run.clock.time_limit
        limit = "" if seconds is None else f" (time_limit is {seconds:g} s)"
        require_end(status, NetworkError(f"inference was stopped before it had an answer{limit}"))
        if log_value == -math.inf:
            raise impossible(self._evidence)

    def _answer(self, status: CoreStatus, log_value: float) -> None:
        self._check(status, log_value)
        if self._log_evidence is None:
            self._log_evidence = log_value

    def _kept_session(self) -> InferenceSession:
        if self._session is None:
            self._session = self._new_session(self._evidence.observed)
        return self._session

    def _session_for(self, evidence: Evidence) -> InferenceSession:
        """A session that can take other evidence: the kept one, unless a new one has far fewer cells."""
        session = self._session
        if session is None or not session.holds(evidence):
            session = self._new_session(self._evidence.observed & evidence.observed)
        if session.cells > CHEAP_CELLS:
            cut = self._new_session(evidence.observed)
            session = cut if 2 * cut.cells < session.cells else session
        return session

    def _are_cheap_alone(self, targets: Sequence[int], session: InferenceSession) -> bool:
        """Whether the targets are few, and an elimination for each is much cheaper than an update of the tree."""
        if not 0 < len(targets) <= FEW_TARGETS or session.cells < CHEAP_CELLS:
            return False
        return 20 * sum(self._make_plan([at], joint=True).cells for at in targets) < session.cells

    def _new_session(self, fixed: Mask) -> InferenceSession:
        return InferenceSession.from_model(self._model, fixed, memory=self._run.memory, n_threads=self._run.n_threads)

    def _kept_marginals(self, targets: Sequence[int]) -> dict[int, NDArray[np.float64]]:
        status, log_value, found = self._kept_session().marginals(self._evidence, targets, *self._arguments()[2:])
        self._answer(status, log_value)
        return found
