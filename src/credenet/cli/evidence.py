"""Models and evidence for the verbs that query a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

if TYPE_CHECKING:
    from credenet.data.states import Label
    from credenet.networks.bayesian import BayesianNetwork
    from credenet.networks.markov import MarkovNetwork

    Model = BayesianNetwork | MarkovNetwork

EvidencePairs = Annotated[list[str] | None, Parameter(name="--evidence", negative=())]
EvidenceFile = Annotated[Path | None, Parameter(name="--evidence-file")]


def argument_error(message: str) -> Exception:
    from credenet.errors import ArgumentError

    return ArgumentError(message)


def load_model(path: Path) -> Model:
    """The network in a file; a UAI file may hold factors of any kind."""
    import credenet
    from credenet._files.files import suffix_of

    return credenet.MarkovNetwork.load(path) if suffix_of(path) == ".uai" else credenet.load(path)


def read_evidence(model: Model, given: list[str], path: Path | None) -> list[tuple[str, Any]]:
    """Evidence given as VARIABLE=STATE and in a file."""
    from credenet.io.uai_evidence import load_evidence

    pairs: list[tuple[str, Any]] = [] if path is None else list(load_evidence(path, model.states))
    for text in given:
        # names and states may contain "=": the longest variable name that fits is taken
        names = [text[:at] for at, sign in enumerate(text) if sign == "=" and text[:at] in model.states]
        if not names:
            name, sign, _ = text.partition("=")
            if not sign:
                raise argument_error(f"--evidence must be VARIABLE=STATE, got {text!r}")
            raise argument_error(f"--evidence names {name!r}, but there is no such variable")
        name = names[-1]
        pairs.append((name, _state_or_likelihood(text[len(name) + 1 :], model.states[name])))
    return pairs


def _state_or_likelihood(text: str, labels: tuple[Label, ...]) -> str | list[float]:
    if text in map(str, labels) or "," not in text:
        return text
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        return text
