"""``credenet query``: probabilities of variables of a model given evidence."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from credenet.cli.answers import end, evidence_line, marginal_bars, print_answer, print_json
from credenet.cli.approximate import approximate_answer, check_task
from credenet.cli.arguments.evidence import EvidenceFile, EvidencePairs, load_model, read_evidence
from credenet.cli.arguments.groups import LimitFlags, MethodFlags, TableFlags
from credenet.cli.arguments.parameters import AnyCase, InferenceArgument, Json, Output, Written, apply_flags
from credenet.cli.inputs import read_data
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar
from credenet.errors import ArgumentError
from credenet.settings.inference import INFERENCE_METHODS

if TYPE_CHECKING:
    from credenet._run.status import Status
    from credenet.cli.arguments.evidence import Model
    from credenet.inference.inference import Inference


def query(
    model: Path,
    *variables: str,
    evidence: EvidencePairs = None,
    evidence_file: EvidenceFile = None,
    task: Annotated[Literal["mar", "pr", "mpe", "mmap"], AnyCase] = "mar",
    query_file: Path | None = None,
    method: InferenceArgument = "exact",
    data: Path | None = None,
    output: Output = None,
    draw: Written = None,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
    settings: MethodFlags = MethodFlags(),
    options: TableFlags = TableFlags(),
) -> int:
    """Ask a network for probabilities given evidence.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    variables
        The variables to ask for; all if none is named.
    task
        mar: marginals; pr: the probability of the evidence alone; mpe: the most probable state of all variables;
        mmap: the most probable state of the variables named, all others summed out.
    query_file
        The variables to ask for by number, as in UAI .query files.
    method
        exact, or an approximate method for networks that are too large for exact inference; auto is exact if that fits
        into memory. Approximate methods answer mar and pr (gibbs only mar); for mpe and mmap auto is exact.
    data
        Rows for which the variable is predicted, instead of --evidence; the other cells of a row are its evidence.
    output
        Where to write the answer as a UAI result file (base-10 logs there), or the predictions as .csv.
    draw
        Where to draw the network with the marginals of all variables (or of those named) as bars, as .svg.
    limits.memory_limit
        As 8e9, 500MB or 8GB; a query that needs more is refused.
    limits.time_limit
        As 90, 90s or 10m; approximate methods and the search for mmap then give their best answer so far.
    """
    name = method if isinstance(method, str) else method.short_name
    check_task(task, name)
    _check_files(output, draw, name)
    loaded = load_model(model)
    if data is not None:
        others = (evidence_file, query_file, draw)
        if evidence or any(other is not None for other in others) or task != "mar" or method != "exact":
            raise ArgumentError(
                "--data takes the place of --evidence, --evidence-file, --query-file, --task, --method and --draw"
            )
        _predict(loaded, variables, data, output, limits, json, options)
        return 0
    if query_file is not None:
        from credenet.io.uai_evidence import load_query

        variables += tuple(load_query(query_file, loaded.states))
    if output is not None and variables and task == "mar":
        raise ArgumentError("--output writes the marginals of all variables; name none")
    if task == "mmap" and not variables:
        raise ArgumentError("--task mmap needs variables, named or in a --query-file")
    if task == "pr" and variables:
        raise ArgumentError("--task pr is the probability of the evidence alone; name no variables")
    chosen = apply_flags(
        INFERENCE_METHODS, "exact" if task in ("mpe", "mmap") else method, **settings.method_arguments()
    )
    ended: str
    with progress_bar("inference") as on_progress:
        answers = loaded.infer(
            read_evidence(loaded, evidence or [], evidence_file),
            method=chosen,
            seed=settings.seed,
            **limits.arguments(),
            on_progress=on_progress,
        )
        if answers.exact:
            result, text, uai, ended = _answer(loaded, answers, variables, task)
            if draw is not None:
                write_output(draw, lambda path: answers.draw(path, variables=variables or None))
            if method == "auto":
                result |= {"exact": True, "status": "complete", "standard_errors": None}
        else:
            if draw is not None:
                raise ArgumentError(f"--draw is for exact inference: {answers.reason}")
            result, text, uai = approximate_answer(answers, variables, task)
            ended = answers.status
    _write(output, uai)
    print_answer(json, lambda: result, text)
    return end(ended, "the answer is that of the work done so far")


def _write(output: Path | None, text: str) -> None:
    from credenet._files.files import write_text

    write_output(output, lambda path: write_text(path, text))


def _check_files(output: Path | None, draw: Path | None, method: str) -> None:
    """Raises an error before the work for a file that could not be written after it."""
    for path in (output, draw):
        check_output(path)
    if draw is not None and draw.suffix.lower() != ".svg":
        raise ArgumentError(f"--draw writes .svg files, got {draw.name!r}")
    if draw is not None and method not in ("exact", "auto"):
        raise ArgumentError(f"--draw is for exact inference, not for --method {method}")


def _answer(
    model: Model, answers: Inference, variables: tuple[str, ...], task: str
) -> tuple[dict[str, Any], str, str, Status]:
    """The answer as JSON, as text and as a UAI result file, and how it ended."""
    from credenet.data.states import text_keys
    from credenet.io.uai_evidence import render_mar, render_mmap, render_mpe, render_pr

    log_evidence = answers.log_evidence
    heading = evidence_line(log_evidence)
    if task == "pr":
        return {"log_evidence": log_evidence}, heading, render_pr(log_evidence), "complete"
    if task in ("mpe", "mmap"):
        best = answers.mpe() if task == "mpe" else answers.map(variables)
        shown = {name: str(best.assignment[name]) for name in variables or model.states}
        result = {
            "assignment": shown,
            "log_probability": best.log_probability,
            "log_bound": best.log_bound,
            "status": best.status,
            "log_evidence": log_evidence,
        }
        limit = "no bound is known" if math.isinf(best.log_bound) else f"at most {best.log_bound:.6f}"
        bound = "" if best.status == "optimal" else f" ({limit}; {best.status})"
        heading = f"log probability {best.log_probability:.6f}{bound}"
        lines = [heading, *(f"{name} = {state}" for name, state in shown.items())]
        uai = render_mpe(best, model.states) if task == "mpe" else render_mmap(best, model.states)
        return result, "\n".join(lines), uai, best.status
    marginals = answers.marginals(variables or None)
    return (
        {"marginals": {name: text_keys(shares) for name, shares in marginals.items()}, "log_evidence": log_evidence},
        f"{heading}\n{marginal_bars(marginals)}",
        render_mar(marginals),
        "complete",
    )


def _predict(
    model: Model,
    variables: tuple[str, ...],
    data: Path,
    output: Path | None,
    limits: LimitFlags,
    json: bool,
    options: TableFlags,
) -> None:
    """One line per row: the most probable state and the probability of each."""
    import polars as pl

    from credenet.networks.bayesian import BayesianNetwork

    if len(variables) != 1:
        raise ArgumentError(f"--data predicts one variable, got {len(variables)}")
    if not isinstance(model, BayesianNetwork):
        raise ArgumentError("--data needs a Bayesian network; predictions from UAI files are not supported")
    target = variables[0]
    table = read_data(data, options, missing="keep", remarks=False, known=model.states, n_threads=limits.n_threads)
    allowed: dict[str, Any] = {"memory_limit": limits.memory_limit, "n_threads": limits.n_threads}
    with progress_bar("predicting") as on_progress:
        probabilities = model.predict_proba(table, target, **allowed, on_progress=on_progress)
    labels = list(map(str, model.states[target]))
    best = [labels[at] for at in probabilities.argmax(axis=1).tolist()]
    if json:
        print_json({"variable": target, "states": labels, "predictions": best, "probabilities": probabilities.tolist()})
        return
    columns = {target: best} | {f"P({label})": probabilities[:, at] for at, label in enumerate(labels)}
    text = pl.DataFrame(columns).write_csv()
    if output is None:
        print(text, end="")
    else:
        _write(output, text)
