"""Approximate answers of a model given evidence, with their status and, for methods that sample, standard errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet._json import AsJson
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet._text import byte_count, count, table
from credenet.data.states import Label, text_keys
from credenet.errors import ArgumentError, NetworkError
from credenet.inference.evidence import Evidence, EvidenceLike, check_evidence, impossible
from credenet.inference.inference import Marginals
from credenet.inference.model import FactorModel
from credenet.settings.inference import (
    IJGP,
    ApproximateMethod,
    Gibbs,
    ImportanceSampling,
    LikelihoodWeighting,
    LoopyBP,
)

ApproximateStatus = Literal["converged", "complete", "not_converged", "iteration_limit", "time_limit", "stopped"]

_EXACT_ONLY = frozenset(
    {"joint", "mpe", "map", "sample", "entropy", "mutual_information", "most_informative", "update", "explain", "draw"}
)

MOST_BOUND = 20  # Largest i-bound of a join graph if the user gives none.
MOST_CELLS = 2.0**20
START_CELLS = 2.0**16
BYTES_PER_CELL = 100  # Bytes per cell at most, for messages, proposals and index maps between tables.
FEW_SAMPLES = 100.0  # Effective sample size below which even the standard errors are unreliable.
MOST_SCALE_REDUCTION = 1.1  # Largest scale reduction (R-hat) of Gibbs chains that count as converged.


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The numbers that a method computed, independent of the core; see `ApproximateInference`."""

    probabilities: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    log_value: float
    log_value_error: float
    effective_sample_size: float
    iterations: float

    @classmethod
    def from_core(cls, answer: _core.ApproximateAnswer) -> KeptAnswer:
        return cls(
            answer.probabilities(),
            answer.standard_errors(),
            answer.log_value,
            answer.log_value_error,
            answer.effective_sample_size,
            answer.iterations,
        )


class ApproximateInference(AsJson):
    """Approximate answers of a model given evidence. Made by ``infer``; computed at the first call, and kept.

    Attributes
    ----------
    exact
        False: the error has no bound. Methods that sample have standard errors.
    method
        The inference method with its settings.

    Examples
    --------
    >>> import credenet
    >>> answers = credenet.textbook.asia().infer({"xray": "yes"}, method="likelihood_weighting")
    >>> answers.exact, answers.status
    (False, 'complete')
    """

    exact: Literal[False] = False

    def __init__(
        self,
        model: FactorModel,
        evidence: EvidenceLike | None = None,
        *,
        method: ApproximateMethod,
        reason: str = "",
        memory_limit: float | None = None,
        time_limit: float | None = None,
        seed: int | None = 0,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._model = model
        self._evidence: Evidence = check_evidence(evidence, model.states, model.fixed)
        self.method = method
        if isinstance(method, LikelihoodWeighting) and not model.directed:
            raise ArgumentError(
                "likelihood_weighting follows the arcs of a Bayesian network; for a Markov network use "
                "importance_sampling, gibbs, ijgp or loopy_bp"
            )
        self._run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress, seed=seed)
        self._reason = reason
        self._kept_answer: KeptAnswer | None = None
        self._status: ApproximateStatus = "complete"
        self._remarks: tuple[str, ...] = ()
        self._seconds = 0.0

    def __getstate__(self) -> dict[str, Any]:
        """The state without the callback, which may be a function that cannot be pickled."""
        return {**self.__dict__, "_run": replace(self._run.restart(), on_progress=None)}

    @property
    def evidence(self) -> Mapping[str, Label | dict[Label, float]]:
        """The evidence: a state for each variable, or the likelihood of every state."""
        return self._evidence.given

    @property
    def status(self) -> ApproximateStatus:
        """How the computation ended.

        Belief propagation ends with ``converged`` or ``iteration_limit``. Sampling ends with ``complete`` when all
        samples were drawn, or ``not_converged`` if Gibbs chains disagree. ``time_limit`` and ``stopped`` mean that the
        answers come from what was computed until then.
        """
        self._answer()
        return self._status

    @property
    def reason(self) -> str:
        """Why ``auto`` chose this method, and warnings about the answers; empty if there are none."""
        self._answer()
        return "; ".join(filter(None, (self._reason, *self._remarks)))

    @property
    def log_evidence(self) -> float | None:
        """An estimate of the natural log of the probability of the evidence; None for Gibbs sampling.

        For a Markov network, an estimate of the log of the partition function. Sampling estimates the probability
        itself without bias. Belief propagation is exact without loops; with loops its error is not known.
        """
        value = self._answer().log_value
        return None if math.isnan(value) else value

    @property
    def log_evidence_error(self) -> float | None:
        """The standard error of ``log_evidence``; None if it is not known."""
        error = self._answer().log_value_error
        return None if math.isnan(error) else error

    @property
    def effective_sample_size(self) -> float | None:
        """The number of independent samples with the same precision; None for belief propagation.

        For Gibbs sampling, the smallest such number over all states.
        """
        return self._answer().effective_sample_size if self._samples else None

    @property
    def iterations(self) -> float | None:
        """The number of times a message was sent, on average over the clusters; None if the method sends none."""
        return None if isinstance(self.method, LikelihoodWeighting) else self._answer().iterations

    @property
    def seconds(self) -> float:
        """The time that the computation took."""
        self._answer()
        return self._seconds

    def marginals(self, variables: Sequence[str] | None = None) -> Marginals:
        """Estimates of P(state | evidence) for all or some variables.

        Examples
        --------
        >>> import credenet
        >>> answers = credenet.textbook.asia().infer({"xray": "yes"}, method="ijgp")
        >>> answers.exact, answers.status, round(answers.marginals(["lung"])["lung"]["yes"], 4)
        (False, 'converged', 0.4887)
        """
        return self._by_state(self._answer().probabilities, variables, known=1.0)

    def standard_errors(self, variables: Sequence[str] | None = None) -> Marginals | None:
        """The standard error of every probability; None for belief propagation.

        For a state that no sample has, it is the inverse of the effective sample size.
        """
        errors = self._answer().standard_errors
        return self._by_state(errors, variables, known=0.0) if self._samples else None

    def to_dict(self, variables: Sequence[str] | None = None) -> dict[str, Any]:
        """All results, for all or some variables, as JSON values."""
        return {
            "marginals": {name: text_keys(shares) for name, shares in self.marginals(variables).items()},
            "log_evidence": self.log_evidence,
            "exact": self.exact,
            "method": {"name": self.method.short_name, **asdict(self.method)},
            "status": self.status,
            "reason": self.reason,
            "standard_errors": None
            if (errors := self.standard_errors(variables)) is None
            else {name: text_keys(each) for name, each in errors.items()},
            "log_evidence_error": self.log_evidence_error,
            "effective_sample_size": self.effective_sample_size,
            "iterations": self.iterations,
            "seconds": self.seconds,
        }

    if not TYPE_CHECKING:  # Type checkers must see that these attributes do not exist.

        def __getattr__(self, name: str) -> Any:
            """Raises an error that says which attributes need exact inference."""
            if name in _EXACT_ONLY:
                raise AttributeError(
                    f'approximate answers have marginals and log_evidence; {name} needs exact inference, method="exact"'
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        size = count(len(self._model.states), "variable")
        return f"<ApproximateInference {size}, {self.method.short_name}{self._evidence.summary()}>"

    def _repr_html_(self) -> str:
        return _later.drawing_inference.answers_html(self)

    def __str__(self) -> str:
        errors = self.standard_errors()
        rows = []
        for name, distribution in self.marginals().items():
            shown = [
                f"{state} {p:.4f}" + ("" if errors is None else f" ± {errors[name][state]:.4f}")
                for state, p in distribution.items()
            ]
            rows.append([name, ", ".join(shown)])
        heading = f"{self.method}: {self.status}" + (f" ({self.reason})" if self.reason else "")
        return heading + "\n" + table(["variable", "probabilities"], rows)

    @property
    def _samples(self) -> bool:
        return isinstance(self.method, LikelihoodWeighting | ImportanceSampling | Gibbs)

    def _by_state(self, flat: NDArray[np.float64], variables: Sequence[str] | None, *, known: float) -> Marginals:
        names = list(self._model.states) if variables is None else self._model.check_names(variables)
        ends = np.cumsum(self._model.n_states).tolist()
        result: Marginals = {}
        for name in names:
            at = self._model.index[name]
            labels = self._model.states[name]
            values = flat[ends[at] - len(labels) : ends[at]].tolist()
            if self._evidence.observed[at]:
                values = [known if k == self._evidence.states[at] else 0.0 for k in range(len(labels))]
            result[name] = dict(zip(labels, values, strict=True))
        return result

    def _answer(self) -> KeptAnswer:
        if self._kept_answer is None:
            run = self._run.restart()
            found = self._compute(run)
            self._seconds = run.clock.seconds_passed
            self._judge(found, run)
            self._kept_answer = KeptAnswer.from_core(found)
        return self._kept_answer

    def _compute(self, run: Run) -> _core.ApproximateAnswer:
        method, limit, report = self.method, run.memory, run.callback(tells_score=True)
        if isinstance(method, IJGP | ImportanceSampling):
            cells = min(MOST_CELLS, limit / BYTES_PER_CELL)
            plan = cluster_plan(self._model, self._evidence, method.i_bound, most_cells=cells, n_threads=run.n_threads)
        elif isinstance(method, Gibbs):
            plan = start_plan(self._model, self._evidence, n_threads=run.n_threads)
        else:
            plan = cluster_plan(self._model, self._evidence, 0, n_threads=run.n_threads)
        if not plan.is_possible:
            raise impossible(self._evidence)
        needed = plan.bytes + (8 * plan.cells if isinstance(method, ImportanceSampling | Gibbs) else 0)
        if needed > limit:
            raise ArgumentError(
                f"{method.short_name} needs {byte_count(needed)} of memory (clusters of up to {plan.i_bound + 1} "
                f"variables), more than memory_limit, {byte_count(limit)}; pass a smaller i_bound or raise memory_limit"
            )
        if isinstance(method, LoopyBP | IJGP):
            return plan.propagate(method.damping, method.max_iterations, method.tolerance, report)
        if isinstance(method, ImportanceSampling):
            return plan.importance_sampling(
                method.samples, 0.0, method.iterations, 1e-3, run.seed, run.n_threads, report
            )
        if isinstance(method, Gibbs):
            return plan.gibbs(
                method.samples, method.burn_in, method.restarts, method.thin, run.seed, run.n_threads, report
            )
        return plan.likelihood_weighting(method.samples, run.seed, run.n_threads, report)

    def _judge(self, answer: _core.ApproximateAnswer, run: Run) -> None:
        if answer.status == "infeasible":
            raise impossible(self._evidence)
        if len(answer.probabilities()) == 0:
            require_end(answer.status, NetworkError(f"{self.method.short_name} was stopped before it had an answer"))
            raise NetworkError(
                f"no sample had weight: none of {count(answer.n_samples + answer.n_abandoned, 'sample')} agrees with "
                "the evidence, whose probability is tiny or 0; try importance_sampling with a larger i_bound, or ijgp"
            )
        ended = run.status_of(answer.status)
        if ended == "stopped" or ended == "time_limit":
            self._status = ended
        elif not self._samples:
            self._status = "converged" if answer.status == "complete" else "iteration_limit"
        elif answer.scale_reduction > MOST_SCALE_REDUCTION:
            self._status = "not_converged"
        self._remarks = tuple(_remarks(self.method, answer))


def _remarks(method: ApproximateMethod, answer: _core.ApproximateAnswer) -> list[str]:
    remarks = []
    if isinstance(method, Gibbs):
        if answer.scale_reduction > MOST_SCALE_REDUCTION:
            remarks.append(f"the chains disagree (potential scale reduction {answer.scale_reduction:.3g})")
        if answer.n_abandoned:
            remarks.append(f"{count(answer.n_abandoned, 'chain')} found no initial state")
    elif isinstance(method, LikelihoodWeighting | ImportanceSampling):
        if answer.effective_sample_size < FEW_SAMPLES:
            size = f"{answer.effective_sample_size:.3g}"
            remarks.append(f"the effective sample size is {size}: the standard errors are unreliable")
        if answer.n_abandoned:
            remarks.append(f"{count(answer.n_abandoned, 'sample')} were abandoned after a long search")
        if answer.n_unsettled:
            remarks.append(f"{count(answer.n_unsettled, 'state')} may be dead ends, so the weights may be too large")
    return remarks


def cluster_plan(
    model: FactorModel, evidence: Evidence, i_bound: int | None, *, most_cells: float = 0.0, n_threads: int
) -> _core.ClusterPlan:
    """The join graph of a model with evidence; for an i-bound of 0, the factor graph."""
    return _core.ClusterPlan(
        model.arrays,
        model.directed,
        evidence.observed,
        evidence.weighted,
        evidence.states,
        evidence.likelihoods,
        MOST_BOUND if i_bound is None else i_bound,
        most_cells if i_bound is None else 0.0,
        n_threads,
    )


def start_plan(model: FactorModel, evidence: Evidence, *, n_threads: int) -> _core.ClusterPlan:
    """The join graph from which Gibbs chains get their initial states."""
    return cluster_plan(model, evidence, None, most_cells=START_CELLS, n_threads=n_threads)
