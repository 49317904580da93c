"""What Bayesian and Markov networks have in common: inference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from credenet._advised import Advised, check_keywords
from credenet._run.progress import OnProgress
from credenet.errors import ArgumentError
from credenet.inference.approximate import ApproximateInference
from credenet.inference.inference import Inference
from credenet.settings.inference import IJGP, ApproximateMethod, inference_method

if TYPE_CHECKING:
    from credenet.inference.evidence import EvidenceLike
    from credenet.inference.model import FactorModel
    from credenet.settings.inference import MethodName


class InferenceLimits(TypedDict, total=False):
    """Keywords of `Queryable.infer` that are the same for all methods."""

    memory_limit: float | None
    time_limit: float | None
    seed: int | None
    n_threads: int | None
    on_progress: OnProgress | None


class Queryable(Advised, ABC):
    """A network in which probabilities given evidence can be computed."""

    __slots__ = ()

    @abstractmethod
    def _factor_model(self) -> FactorModel: ...

    @overload
    def infer(
        self,
        evidence: EvidenceLike | None = None,
        *,
        method: Literal["exact"] = "exact",
        elimination_order: Sequence[str] | None = None,
        **limits: Unpack[InferenceLimits],
    ) -> Inference: ...
    @overload
    def infer(
        self,
        evidence: EvidenceLike | None = None,
        *,
        method: ApproximateMethod | MethodName,
        elimination_order: None = None,
        **limits: Unpack[InferenceLimits],
    ) -> ApproximateInference: ...
    @overload
    def infer(
        self,
        evidence: EvidenceLike | None = None,
        *,
        method: ApproximateMethod | str,
        elimination_order: Sequence[str] | None = None,
        **limits: Unpack[InferenceLimits],
    ) -> Inference | ApproximateInference: ...

    @check_keywords
    def infer(
        self,
        evidence: EvidenceLike | None = None,
        *,
        method: ApproximateMethod | str = "exact",
        elimination_order: Sequence[str] | None = None,
        memory_limit: float | None = None,
        time_limit: float | None = None,
        seed: int | None = 0,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Inference | ApproximateInference:
        """The answers of the network given evidence: marginals and, if exact, joint distributions, MPE and MAP.

        ``log_evidence`` is the log of the probability of the evidence. For a Markov network it is the log of the
        partition function, restricted to states that agree with the evidence.

        Parameters
        ----------
        evidence
            By variable, its known state or the likelihoods of its states. Likelihoods are a list in the order of the
            states, or a mapping from states, in which a missing state has 0.
        method
            ``exact``, or one of the approximations ``loopy_bp``, ``ijgp``, ``likelihood_weighting`` (Bayesian
            networks), ``importance_sampling`` and ``gibbs``, by name or with settings such as ``IJGP(i_bound=4)``.
            ``auto`` is exact if that fits into memory and ``ijgp`` otherwise; ``exact`` and ``reason`` of the result
            say which, and why.
        elimination_order
            All variables in the order in which to sum them out; by default the best of several greedy orders and of
            the order that the network has. For exact inference only.
        memory_limit
            Bytes. A query that needs more is refused before it starts. By default most of the free memory.
        time_limit
            Seconds. Then an exact query ends with an error, and an approximate one with its estimates so far.
        seed
            For methods that sample; the same answers for a seed with any number of threads. None draws a fresh one.

        Examples
        --------
        >>> import credenet
        >>> answers = credenet.textbook.asia().infer({"xray": "yes", "smoke": "yes"})
        >>> {state: round(p, 4) for state, p in answers.marginals(["lung"])["lung"].items()}
        {'yes': 0.646, 'no': 0.354}
        >>> round(answers.log_evidence, 4)
        -2.579
        """
        chosen, reason = inference_method(method), ""
        if isinstance(chosen, str):
            answers = Inference(
                self._factor_model(),
                evidence,
                elimination_order=elimination_order,
                memory_limit=memory_limit,
                time_limit=time_limit,
                n_threads=n_threads,
                on_progress=on_progress,
            )
            problem = answers.memory_problem() if chosen == "auto" else None
            if problem is None:
                return answers
            chosen = IJGP()
            reason = f"{problem}, so ijgp was used"
        elif elimination_order is not None:
            raise ArgumentError(f"elimination_order is for exact inference, not for {chosen.short_name}")
        return ApproximateInference(
            self._factor_model(),
            evidence,
            method=chosen,
            reason=reason,
            memory_limit=memory_limit,
            time_limit=time_limit,
            seed=seed,
            n_threads=n_threads,
            on_progress=on_progress,
        )
