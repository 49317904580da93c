"""``credenet explain``: the states of some variables that explain the evidence best."""

from __future__ import annotations

from pathlib import Path

from credenet.cli.answers import end, print_json
from credenet.cli.arguments.evidence import EvidenceFile, EvidencePairs, load_model, read_evidence
from credenet.cli.arguments.groups import LimitFlags
from credenet.cli.arguments.parameters import Json, SeveralNames, Whole
from credenet.cli.progress_bar import progress_bar


def explain(
    model: Path,
    *,
    evidence: EvidencePairs = None,
    evidence_file: EvidenceFile = None,
    targets: SeveralNames = None,
    k: Whole = 5,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
) -> int:
    """Find the most relevant explanations of evidence: states of some targets with a large generalised Bayes factor.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    targets
        The variables that may be in an explanation; by default all without evidence.
    k
        The largest number of explanations; only minimal ones are given.
    limits.memory_limit
        As 8e9, 500MB or 8GB; if comparing all assignments needs more, a search is used.
    limits.time_limit
        As 90, 90s or 10m.
    """
    loaded = load_model(model)
    with progress_bar("explaining") as on_progress:
        answers = loaded.infer(
            read_evidence(loaded, evidence or [], evidence_file),
            **limits.arguments(),
            on_progress=on_progress,
        )
        explanations = answers.explain(targets, k=k)
    if json:
        print_json(explanations.to_dict())
    else:
        print(explanations)
        if explanations.status != "optimal":
            print(f"found by search ({explanations.status}); there may be better ones")
    return end(explanations.status, "the explanations are those found so far")
