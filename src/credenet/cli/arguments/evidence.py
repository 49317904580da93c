"""Models and evidence for the verbs that query a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credenet.cli.arguments.parameters import Words
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.data.states import Label, StateLabels
    from credenet.networks.bayesian import BayesianNetwork
    from credenet.networks.markov import MarkovNetwork

    Model = BayesianNetwork | MarkovNetwork

_PAIRS = "VARIABLE=STATE, once for each variable that is known; VARIABLE=0.2,0.8 gives the likelihood of its states."
EvidencePairs = Annotated[Words, Parameter(help=_PAIRS)]
EvidenceFile = Annotated[
    Path | None, Parameter(help="Known variables and states by number, in either form of UAI .evid files.")
]


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
        if "=" not in text:
            raise ArgumentError(f"--evidence must be VARIABLE=STATE, got {text!r}")
        name, state = split_pair("--evidence", text, model.states)
        pairs.append((name, _state_or_likelihood(state, model.states[name])))
    return pairs


def _state_or_likelihood(text: str, labels: tuple[Label, ...]) -> str | list[float]:
    if text in map(str, labels) or "," not in text:
        return text
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        return text


def split_pair(flag: str, text: str, states: StateLabels) -> tuple[str, str]:
    """The variable and the state of VARIABLE=STATE, whose names may contain ``=``: the longest variable that fits."""
    ends = [at for at, sign in enumerate(text) if sign == "=" and text[:at] in states]
    if ends:
        return text[: ends[-1]], text[ends[-1] + 1 :]
    raise ArgumentError(f"{flag} names {text.partition('=')[0]!r}, but there is no such variable")
