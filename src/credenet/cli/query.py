"""``credenet query``: what a model says about some variables when others are known."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from credenet.cli.approximate import MethodOptions, approximate_answer, method_of
from credenet.cli.options import (
    DataOptions,
    Json,
    Output,
    Threads,
    exit_code,
    load_model,
    marginal_bars,
    print_json,
    progress_bar,
    read_data,
    seconds_of,
)

if TYPE_CHECKING:
    from credenet.inference.inference import Inference
    from credenet.inference.markov import MarkovNetwork
    from credenet.network import BayesianNetwork

    Model = BayesianNetwork | MarkovNetwork


def query(
    model: Path,
    *variables: str,
    evidence: Annotated[list[str] | None, Parameter(name="--evidence", negative=())] = None,
    evidence_file: Path | None = None,
    task: Literal["mar", "pr", "mpe"] = "mar",
    method: Literal[
        "exact", "auto", "loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling", "gibbs"
    ] = "exact",
    data: Path | None = None,
    output: Output = None,
    memory_limit: float | None = None,
    time_limit: str | None = None,
    n_threads: Threads = None,
    json: Json = False,
    settings: MethodOptions | None = None,
    options: DataOptions | None = None,
) -> int:
    """Ask a network for probabilities given evidence.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    variables
        The variables to ask for; all if none is named.
    evidence
        VARIABLE=STATE, once for each variable that is known; VARIABLE=0.2,0.8 gives the likelihood of its states.
    evidence_file
        Known variables and states by number, in either form of UAI .evid files.
    task
        mar: marginals; pr: the probability of the evidence alone; mpe: the most probable state of all variables.
    method
        exact, or an approximation for networks that it does not fit; auto is exact where that fits the memory.
    data
        Rows to predict the variable for, instead of evidence; other variables of the row are known, unless missing.
    output
        Where to write the answer as a UAI result file (base-10 logs there), or the predictions as .csv.
    memory_limit
        Bytes; a query that needs more is refused.
    time_limit
        As 90, 90s or 10m; an approximation then answers with what it has.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    loaded = load_model(model)
    if data is not None:
        if evidence or evidence_file is not None or task != "mar" or method != "exact":
            raise _argument_error("--data takes the place of --evidence, --evidence-file, --task and --method")
        _predict(loaded, variables, data, output, memory_limit, n_threads, json, options)
        return 0
    if output is not None and variables and task == "mar":
        raise _argument_error("--output writes the marginals of all variables; name none")
    settings = settings or MethodOptions()
    with progress_bar("inference") as on_progress:
        answers = loaded.infer(
            _evidence(loaded, evidence or [], evidence_file),
            method=method_of(method, settings),
            seed=settings.seed,
            memory_limit=memory_limit,
            time_limit=seconds_of(time_limit),
            n_threads=n_threads,
            on_progress=on_progress,
        )
        if answers.exact:
            result, text, uai = _answer(loaded, answers, variables, task)
            if method == "auto":
                result |= {"exact": True, "status": "complete", "standard_errors": None}
        else:
            result, text, uai = approximate_answer(answers, variables, task)
    if output is not None:
        from credenet.io.files import write_text

        write_text(output, uai)
    if json:
        print_json(result)
    else:
        print(text)
    return 0 if answers.exact else exit_code(answers.status)


def _argument_error(message: str) -> Exception:
    from credenet.errors import ArgumentError

    return ArgumentError(message)


def _evidence(model: Model, given: list[str], path: Path | None) -> list[tuple[str, Any]]:
    from credenet.io.uai_evidence import load_evidence

    pairs: list[tuple[str, Any]] = [] if path is None else list(load_evidence(path, model.states))
    for text in given:
        # names and states may contain "=": the longest variable that fits is meant
        names = [text[:at] for at, sign in enumerate(text) if sign == "=" and text[:at] in model.states]
        if not names:
            name, sign, _ = text.partition("=")
            if not sign:
                raise _argument_error(f"--evidence must be VARIABLE=STATE, got {text!r}")
            raise _argument_error(f"--evidence names {name!r}, but there is no such variable")
        name = names[-1]
        pairs.append((name, _state_or_likelihood(text[len(name) + 1 :], model.states[name])))
    return pairs


def _state_or_likelihood(text: str, labels: tuple[str, ...]) -> str | list[float]:
    if text in labels or "," not in text:
        return text
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        return text


def _answer(model: Model, answers: Inference, variables: tuple[str, ...], task: str) -> tuple[dict[str, Any], str, str]:
    """The answer as JSON, as text and as a UAI result file."""
    from credenet.io.uai_evidence import render_mar, render_mpe, render_pr

    log_evidence = answers.log_evidence
    heading = f"log probability of the evidence {log_evidence:.6f} (base 10: {log_evidence / math.log(10):.6f})"
    if task == "pr":
        return {"log_evidence": log_evidence}, heading, render_pr(log_evidence)
    if task == "mpe":
        best = answers.mpe()
        shown = {name: best.assignment[name] for name in variables or model.states}
        result = {"assignment": shown, "log_probability": best.log_probability, "log_evidence": log_evidence}
        lines = [f"log probability {best.log_probability:.6f}", *(f"{name} = {state}" for name, state in shown.items())]
        return result, "\n".join(lines), render_mpe(best, model.states)
    marginals = answers.marginals(variables or None)
    return (
        {"marginals": marginals, "log_evidence": log_evidence},
        f"{heading}\n{marginal_bars(marginals)}",
        render_mar(marginals),
    )


def _predict(
    model: Model,
    variables: tuple[str, ...],
    data: Path,
    output: Path | None,
    memory_limit: float | None,
    n_threads: int | None,
    json: bool,
    options: DataOptions | None,
) -> None:
    """One line per row: the most probable state and the probability of each."""
    import polars as pl

    from credenet.network import BayesianNetwork

    if len(variables) != 1:
        raise _argument_error(f"--data predicts one variable, got {len(variables)}")
    if not isinstance(model, BayesianNetwork):
        raise _argument_error("--data needs a Bayesian network; predictions from UAI files are not supported")
    target = variables[0]
    rows = read_data(data, options, missing="keep", n_threads=n_threads)
    with progress_bar("predicting") as on_progress:
        probabilities = model.predict_proba(
            rows, target, memory_limit=memory_limit, n_threads=n_threads, on_progress=on_progress
        )
    labels = model.states[target]
    best = [labels[at] for at in probabilities.argmax(axis=1).tolist()]
    if json:
        print_json(
            {"variable": target, "states": list(labels), "predictions": best, "probabilities": probabilities.tolist()}
        )
        return
    columns = {target: best} | {f"P({label})": probabilities[:, at] for at, label in enumerate(labels)}
    text = pl.DataFrame(columns).write_csv()
    if output is None:
        print(text, end="")
    else:
        from credenet.io.files import write_text

        write_text(output, text)
