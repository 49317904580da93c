"""Types of a verb's parameters: how the words of a flag become a value, and what the help says of it.

Methods, scores, priors and tests are given by a name, or a name and its settings. The help lists the names that
`credenet.settings.choices` knows; ``--method "astar(heuristic=simple)"`` gives settings.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from cyclopts import Parameter, Token

from credenet._advice import flag
from credenet._arguments import same_name
from credenet.cli import overwriting
from credenet.errors import ArgumentError
from credenet.settings.choices import ChoiceKind, Settings
from credenet.settings.inference import INFERENCE_METHODS, SAMPLERS, ApproximateMethod, RowSampler
from credenet.settings.methods import METHODS, Method
from credenet.settings.posterior import MCMC, POSTERIOR_METHODS, SumName
from credenet.settings.priors import PRIORS, Prior
from credenet.settings.scores import SCORES, SMOOTHINGS, Score, Smoothing
from credenet.settings.tests import TESTS, DataTest, Oracle

FRESH = "fresh"


def _whole_number(kind: object, tokens: Sequence[Token], wanted: str = "a whole number") -> int:
    """A whole number; a fraction is an error, not rounded."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{wanted} is needed, got {text!r}") from None


def _width(kind: object, tokens: Sequence[Token]) -> int | Literal["auto"]:
    """A whole number, or ``auto``."""
    return "auto" if tokens[0].value.lower() == "auto" else _whole_number(kind, tokens, "a whole number or auto")


def _seed(kind: object, tokens: Sequence[Token]) -> int:
    """A whole number, or one that is drawn for ``fresh`` and told, so that the run can be repeated."""
    if tokens[0].value.lower() != FRESH:
        return _whole_number(kind, tokens, f"a whole number or {FRESH}")
    from credenet._run.progress import read_seed

    drawn = read_seed(None)
    print(f"--seed {FRESH} has drawn {drawn}; --seed {drawn} draws the same again", file=sys.stderr)
    return drawn


def _bytes_of(kind: object, tokens: Sequence[Token]) -> float:
    """A size as ``8e9``, ``500MB`` or ``8GB``."""
    text = tokens[0].value.strip()
    number, factor = text, 1.0
    for unit, size in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)):
        if text.lower().endswith(unit.lower()):
            number, factor = text[:-2], size
    try:
        return float(number) * factor
    except ValueError:
        raise ValueError(f"a size must be given as 8e9, 500MB or 8GB, got {text!r}") from None


def _comma_separated(kind: object, tokens: Sequence[Token]) -> list[str]:
    """Names or labels as ``a,b,"c, d"``; the flag may come more than once."""
    return [name for row in csv.reader((token.value for token in tokens), skipinitialspace=True) for name in row]


def _name(kind: Any, tokens: Sequence[Token]) -> str:
    """The name that a word stands for; the type of an optional flag is a union with None."""
    from credenet._peers import choice_advice

    choices = [name for part in (kind, *get_args(kind)) for name in get_args(part) if isinstance(name, str)]
    word, argument = tokens[0].value, str(tokens[0].keyword).lstrip("-").replace("-", "_")
    for name in choices:
        if same_name(name, word):
            return name
    raise ValueError(f"choose from {', '.join(choices)}; got {word!r}{choice_advice(argument, word, choices)}")


Whole = Annotated[int, Parameter(converter=_whole_number)]
WholeOrNone = Annotated[int | None, Parameter(converter=_whole_number)]
Width = Annotated[int | Literal["auto"] | None, Parameter(converter=_width, metavar="INT|auto")]
Seed = Annotated[int, Parameter(converter=_seed)]
"""``seed=None`` of Python is ``--seed fresh``."""
MemoryLimit = Annotated[float | None, Parameter(converter=_bytes_of)]
Threads = Annotated[WholeOrNone, Parameter(help="Number of threads; all cores if not given.")]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"]), overwriting.WRITTEN]
RequiredOutput = Annotated[Path, Parameter(name=["--output", "-o"]), overwriting.WRITTEN]
Written = Annotated[Path | None, overwriting.WRITTEN]
"""A further file that a verb writes, such as a plot."""
Json = Annotated[bool, Parameter(negative=(), help="Print one JSON object instead of text.")]
Names = Annotated[list[str] | None, Parameter(converter=_comma_separated, negative=())]
Words = Annotated[list[str] | None, Parameter(negative=())]
"""A flag that may come more than once."""
SeveralNames = Annotated[list[str] | None, Parameter(negative=(), consume_multiple=True)]
Switch = Annotated[bool, Parameter(negative=())]
"""A flag without a value, which is off if it is not given."""
AnyCase = Parameter(converter=_name)
"""For ``Annotated[Literal[...], AnyCase]``."""

S = TypeVar("S", bound=Settings)


def _read_choice(kind: ChoiceKind[Any], hint: object, tokens: Sequence[Token]) -> Settings | str:
    text = tokens[0].value
    word = next((word for word in kind.words if same_name(word, text)), None)
    return word or kind.from_text(text, _load)


def _load(path: Path, wanted: str) -> Any:
    """The network in a file, or the graph of it."""
    from credenet.cli.inputs import load_structure

    overwriting.note_read(path)
    structure = load_structure(path)
    return structure if wanted == "a BayesianNetwork" else getattr(structure, "dag", structure)


def _read_several(kind: ChoiceKind[Any], hint: object, tokens: Sequence[Token]) -> list[Settings]:
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


def _argument(kind: ChoiceKind[Any]) -> Any:
    return Annotated[Literal[kind.names], Parameter(converter=partial(_read_choice, kind), metavar="NAME")]


def _several_arguments(kind: ChoiceKind[Any]) -> Any:
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
    SamplerArgument = RowSampler | Literal["exact", "auto"]
    PosteriorArgument = MCMC | SumName
else:
    MethodArgument = _argument(METHODS)
    MethodArguments = _several_arguments(METHODS)
    ScoreArguments = _several_arguments(SCORES)
    PriorArguments = _several_arguments(PRIORS)
    ScoreArgument = _argument(SCORES)
    PriorArgument = _argument(PRIORS)
    ModularPriorArgument = _argument(ChoiceKind("prior", (prior for prior in PRIORS.choices if prior.is_modular)))
    TestArgument = _argument(TESTS)
    SmoothingArgument = _argument(SMOOTHINGS)
    InferenceArgument = _argument(INFERENCE_METHODS)
    SamplerArgument = _argument(SAMPLERS)
    PosteriorArgument = _argument(POSTERIOR_METHODS)


def apply_flags(kind: ChoiceKind[S], chosen: S | str, **flags: Any) -> S | str:
    """A choice with the settings that were given by flags of their own."""
    given = {name: value for name, value in flags.items() if value is not None}
    known = {} if isinstance(chosen, str) else {field.name: field for field in fields(chosen)}
    for name, value in given.items():
        if name not in known:
            owners = [each.short_name for each in kind.choices if name in {field.name for field in fields(each)}]
            short = chosen if isinstance(chosen, str) else chosen.short_name
            raise ArgumentError(f"{flag(name)} belongs to {', '.join(owners)}, not to {short}")
        if getattr(chosen, name) not in (known[name].default, value):
            raise ArgumentError(f"{name} is given twice: {chosen} and {flag(name)} {value}")
    return chosen if isinstance(chosen, str) else replace(chosen, **given)
