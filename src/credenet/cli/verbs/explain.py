"""``credenet explain``: the states of some variables that explain the evidence best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credenet.cli.evidence import EvidenceFile, EvidencePairs, load_model, read_evidence
from credenet.cli.options import (
    Json,
    MemoryLimit,
    Threads,
    Whole,
    exit_code,
    print_json,
    progress_bar,
    say_stopped,
    seconds_of,
)


def explain(
    model: Path,
    *,
    evidence: EvidencePairs = None,
    evidence_file: EvidenceFile = None,
    targets: Annotated[list[str] | None, Parameter(name="--targets", negative=(), consume_multiple=True)] = None,
    k: Annotated[Whole, Parameter(name="--k")] = 5,
    memory_limit: MemoryLimit = None,
    time_limit: str | None = None,
    n_threads: Threads = None,
    json: Json = False,
) -> int:
    """Find the most relevant explanations of evidence: states of some targets with a large generalised Bayes factor.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    evidence
        VARIABLE=STATE, once for each variable that is known; VARIABLE=0.2,0.8 gives the likelihood of its states.
    evidence_file
        Known variables and states by number, in either form of UAI .evid files.
    targets
        The variables that may be in an explanation; by default all without evidence.
    k
        The largest number of explanations; only minimal ones are given.
    memory_limit
        As 8e9, 500MB or 8GB; if comparing all assignments needs more, a search is used.
    time_limit
        As 90, 90s or 10m.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    loaded = load_model(model)
    with progress_bar("explaining") as on_progress:
        answers = loaded.infer(
            read_evidence(loaded, evidence or [], evidence_file),
            memory_limit=memory_limit,
            time_limit=seconds_of(time_limit),
            n_threads=n_threads,
            on_progress=on_progress,
        )
        found = answers.explain(targets, k=k)
    if json:
        print_json(found.to_dict())
    else:
        print(found)
        if found.status != "optimal":
            print(f"found by search ({found.status}); there may be better ones")
    say_stopped(found.status, "the explanations are those found so far")
    return exit_code(found.status)
