"""Flags of ``query`` that choose an approximate method and its settings, and how its answers are shown."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credenet.cli.options import Seed, WholeOrNone

if TYPE_CHECKING:
    from credenet.inference.approximate import ApproximateInference


@Parameter(name="*")
@dataclass(frozen=True)
class MethodOptions:
    """The settings of an approximate method, with the defaults of the method."""

    samples: Annotated[WholeOrNone, Parameter(name="--samples")] = None
    "Samples of likelihood_weighting, importance_sampling and gibbs."
    i_bound: Annotated[WholeOrNone, Parameter(name="--i-bound")] = None
    "Clusters of ijgp and importance_sampling have at most one variable more than this."
    damping: Annotated[float | None, Parameter(name="--damping")] = None
    "The share of an old message that loopy_bp and ijgp keep."
    max_iterations: Annotated[WholeOrNone, Parameter(name="--max-iterations")] = None
    "The largest number of iterations of loopy_bp and ijgp."
    tolerance: Annotated[float | None, Parameter(name="--tolerance")] = None
    "A message has converged if it changes by less than this."
    burn_in: Annotated[WholeOrNone, Parameter(name="--burn-in")] = None
    "Sweeps of a Gibbs chain before its first sample."
    restarts: Annotated[WholeOrNone, Parameter(name="--restarts")] = None
    "The number of Gibbs chains."
    seed: Annotated[Seed, Parameter(name="--seed")] = 0
    "The seed of the methods that sample; fresh draws one and tells it."

    def of_method(self) -> dict[str, Any]:
        """All but the seed, which is an argument of the call."""
        return {name: value for name, value in asdict(self).items() if name != "seed"}


def check_task(task: str, method: str) -> None:
    """Raises an error for a task that the method cannot answer."""
    from credenet.errors import ArgumentError

    if method in ("exact", "auto"):
        return
    if task in ("mpe", "mmap"):
        raise ArgumentError(f"--task {task} is for exact inference; --method {method} answers {_answered(method)}")
    if task == "pr" and method == "gibbs":
        raise ArgumentError("--method gibbs has no estimate of the probability of the evidence; it answers mar")


def _answered(method: str) -> str:
    return "mar" if method == "gibbs" else "mar and pr"


def approximate_answer(
    answers: ApproximateInference, variables: tuple[str, ...], task: str
) -> tuple[dict[str, Any], str, str]:
    """The answer as JSON, as text and as a UAI result file, with its status and standard errors."""
    from credenet.cli.options import marginal_bars
    from credenet.io.uai_evidence import render_mar, render_pr

    result = answers.to_dict(variables or None)
    lines = [f"{answers.method.short_name}: {answers.status}" + (f"; {answers.reason}" if answers.reason else "")]
    value, error = answers.log_evidence, answers.log_evidence_error
    if value is not None:
        shown = "" if error is None else f" ± {error:.6f}"
        lines.append(f"log probability of the evidence about {value:.6f}{shown} (base 10: {value / math.log(10):.6f})")
    if task == "pr" and value is not None:
        del result["marginals"], result["standard_errors"]
        return result, "\n".join(lines), render_pr(value)
    lines.append(marginal_bars(result["marginals"], result["standard_errors"]))
    return result, "\n".join(lines), render_mar(result["marginals"])
