"""Flags of ``query`` that choose an approximate method and its settings, and how its answers are shown."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credenet.cli.options import Whole, WholeOrNone

if TYPE_CHECKING:
    from credenet.inference.approximate import ApproximateInference


@Parameter(name="*")
@dataclass(frozen=True)
class MethodOptions:
    """The settings of an approximate method; what is not given has the method's default."""

    samples: Annotated[WholeOrNone, Parameter(name="--samples")] = None
    "Samples of likelihood_weighting, importance_sampling and gibbs."
    i_bound: Annotated[WholeOrNone, Parameter(name="--i-bound")] = None
    "Clusters of ijgp and importance_sampling have at most one variable more than this."
    damping: Annotated[float | None, Parameter(name="--damping")] = None
    "The share of an old message that loopy_bp and ijgp keep."
    max_iterations: Annotated[WholeOrNone, Parameter(name="--max-iterations")] = None
    "Of loopy_bp and ijgp."
    tolerance: Annotated[float | None, Parameter(name="--tolerance")] = None
    "The change of a message below which it has settled."
    burn_in: Annotated[WholeOrNone, Parameter(name="--burn-in")] = None
    "Sweeps before the first sample of a chain of gibbs."
    restarts: Annotated[WholeOrNone, Parameter(name="--restarts")] = None
    "Chains of gibbs."
    seed: Annotated[Whole, Parameter(name="--seed")] = 0
    "Of the methods that sample."

    def of_method(self) -> dict[str, Any]:
        """All but the seed, which is an argument of the call."""
        return {name: value for name, value in asdict(self).items() if name != "seed"}


def check_task(task: str, method: str) -> None:
    """Refuses what a method cannot answer."""
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
    """The answer as JSON, as text and as a UAI result file, with how it ended and its errors."""
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
