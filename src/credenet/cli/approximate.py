"""Approximate inference by ``query``: what a method can answer, and how its answers are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credenet.inference.approximate import ApproximateInference


def check_task(task: str, method: str) -> None:
    """Raises an error for a task that the method cannot answer."""
    from credenet.errors import ArgumentError

    if method in ("exact", "auto"):
        return
    if task in ("mpe", "mmap"):
        raise ArgumentError(
            f"--task {task} is for exact inference; --method {method} answers {_answerable_tasks(method)}"
        )
    if task == "pr" and method == "gibbs":
        raise ArgumentError("--method gibbs has no estimate of the probability of the evidence; it answers mar")


def _answerable_tasks(method: str) -> str:
    return "mar" if method == "gibbs" else "mar and pr"


def approximate_answer(
    answers: ApproximateInference, variables: tuple[str, ...], task: str
) -> tuple[dict[str, Any], str, str]:
    """The answer as JSON, as text and as a UAI result file, with its status and standard errors."""
    from credenet.cli.answers import evidence_line, marginal_bars
    from credenet.io.uai_evidence import render_mar, render_pr

    result = answers.to_dict(variables or None)
    lines = [f"{answers.method.short_name}: {answers.status}" + (f"; {answers.reason}" if answers.reason else "")]
    value, error = answers.log_evidence, answers.log_evidence_error
    if value is not None:
        lines.append(evidence_line(value, error, is_exact=False))
    if task == "pr" and value is not None:
        del result["marginals"], result["standard_errors"]
        return result, "\n".join(lines), render_pr(value)
    lines.append(marginal_bars(result["marginals"], result["standard_errors"]))
    return result, "\n".join(lines), render_mar(result["marginals"])
