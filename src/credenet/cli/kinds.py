"""Methods, scores, priors and tests as arguments of a verb: a name, or a name and its settings.

The help lists the names that `credenet.settings.choices` knows; ``--method "astar(heuristic=simple)"`` gives settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import Parameter, Token

from credenet._arguments import same_name
from credenet.cli import overwriting
from credenet.errors import ArgumentError
from credenet.settings.choices import Kind, Settings
from credenet.settings.inference import INFERENCE_METHODS, ApproximateMethod
from credenet.settings.methods import METHODS, Method
from credenet.settings.posterior import MCMC, POSTERIOR_METHODS, SumName
from credenet.settings.priors import PRIORS, Prior
from credenet.settings.scores import SCORES, SMOOTHINGS, Score, Smoothing
from credenet.settings.tests import TESTS, DataTest, Oracle

S = TypeVar("S", bound=Settings)


def _read(kind: Kind[Any], hint: object, tokens: Sequence[Token]) -> Settings | str:
    text = tokens[0].value
    word = next((word for word in kind.words if same_name(word, text)), None)
    return word or kind.from_text(text, _load)


def _load(path: Path, wanted: str) -> Any:
    """The network in a file, or the graph of it."""
    from credenet.cli.options import load_structure

    overwriting.note_read(path)
    structure = load_structure(path)
    return structure if wanted == "a BayesianNetwork" else getattr(structure, "dag", structure)


def _read_several(kind: Kind[Any], hint: object, tokens: Sequence[Token]) -> list[Settings]:
    """Choices separated by commas; those between the settings of one choice do not separate."""
    texts = [part.strip() for token in tokens for part in _parts(token.value)]
    return [kind.from_text(text, _load) for text in texts]


def _parts(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _argument(kind: Kind[Any]) -> Any:
    return Annotated[Literal[kind.names], Parameter(converter=partial(_read, kind), metavar="NAME")]


def _several_arguments(kind: Kind[Any]) -> Any:
    several = GenericAlias(list, (Literal[kind.names],))
    return Annotated[several, Parameter(converter=partial(_read_several, kind), metavar="NAME,NAME,…", negative=())]


if TYPE_CHECKING:
    MethodArgument = Method
    MethodArguments = list[Method]
    ScoreArguments = list[Score]
    PriorArguments = list[Prior]
    ScoreArgument = Score
    PriorArgument = Prior
    ModularPriorArgument = Prior
    TestArgument = DataTest | Oracle
    SmoothingArgument = Smoothing | Literal["none"]
    InferenceArgument = ApproximateMethod | Literal["exact", "auto"]
    PosteriorArgument = MCMC | SumName
else:
    MethodArgument = _argument(METHODS)
    MethodArguments = _several_arguments(METHODS)
    ScoreArguments = _several_arguments(SCORES)
    PriorArguments = _several_arguments(PRIORS)
    ScoreArgument = _argument(SCORES)
    PriorArgument = _argument(PRIORS)
    ModularPriorArgument = _argument(Kind("prior", (prior for prior in PRIORS.choices if prior.is_modular)))
    TestArgument = _argument(TESTS)
    SmoothingArgument = _argument(SMOOTHINGS)
    InferenceArgument = _argument(INFERENCE_METHODS)
    PosteriorArgument = _argument(POSTERIOR_METHODS)


def with_flags(kind: Kind[S], chosen: S | str, **flags: Any) -> S | str:
    """A choice with the settings that were given by flags of their own."""
    given = {name: value for name, value in flags.items() if value is not None}
    known = {} if isinstance(chosen, str) else {field.name: field for field in fields(chosen)}
    for name, value in given.items():
        flag = f"--{name.replace('_', '-')}"
        if name not in known:
            owners = [each.short_name for each in kind.choices if name in {field.name for field in fields(each)}]
            short = chosen if isinstance(chosen, str) else chosen.short_name
            raise ArgumentError(f"{flag} belongs to {', '.join(owners)}, not to {short}")
        if getattr(chosen, name) not in (known[name].default, value):
            raise ArgumentError(f"{name} is given twice: {chosen} and {flag} {value}")
    return chosen if isinstance(chosen, str) else replace(chosen, **given)


def scored_by(score: Score | None, ess: float | None) -> dict[str, Any]:
    """The arguments ``score`` and ``ess`` of a call."""
    return {"score": score, "ess": ess} if score is None else {"score": with_flags(SCORES, score, ess=ess), "ess": None}
