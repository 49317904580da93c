"""Choices with settings, such as ``astar(heuristic=static)``: bounds, text, and reading of the text.

A choice is a frozen dataclass under `Settings`; the metadata of a field has its rule. A `ChoiceKind` is the list
of choices that one argument takes. Its text is the name of a choice and, in brackets, the settings that differ from the
defaults; the text gives an equal object back, unless it holds a graph or a network.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from credenet import _later
from credenet._arguments import (
    LEAST_PRIOR_WEIGHT,
    MOST_PRIOR_WEIGHT,
    choice,
    file_path,
    flag,
    instance,
    one_of,
    prior_weight,
    real_bounds,
    real_number,
    same_name,
    show_value,
    whole_number,
)
from credenet._peers import namesake_advice
from credenet.errors import ArgumentError

Load = Callable[[Path, str], Any]
"""Reads the graph or the network in a file; the second argument is the wanted type, such as ``a DAG``."""

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_BRACKETED = rf"[(\[{{<](?:{_QUOTED}|[^()\[\]{{}}<>'\"])*[)\]}}>]"
_SETTING = re.compile(rf"(?:{_QUOTED}|{_BRACKETED}|[^,()\[\]{{}}<>'\"])+")
_SETTINGS = re.compile(rf"(?:{_SETTING.pattern}(?:,{_SETTING.pattern})*)?")
_BARE = re.compile(r"[^\s,()\[\]{}<>'\"=](?:[^,()\[\]{}<>'\"=]*[^\s,()\[\]{}<>'\"=])?")


class Rule(NamedTuple):
    """What a setting may be."""

    allowed: str
    "In words."
    check: Callable[[str, Any], object]
    "Raises an error that names the setting if a value is not allowed."
    is_text: bool = False
    is_loaded: bool = False
    "Whether it is a graph or a network, which a text gives as a file name."
    convert: Callable[[str, Any], Any] | None = None
    "Makes the value of what a user may give for it."
    choices: tuple[str, ...] = ()


def _metadata(rule: Rule) -> Mapping[str, Rule]:
    return {"rule": rule}


def whole(*, least: int = 0, most: int | None = None, besides: str = "") -> Mapping[str, Rule]:
    """A whole number within bounds; `besides` says what else its class asks for."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most:,}"
    allowed = f"a whole number {bounds}{besides}"
    return _metadata(Rule(allowed, lambda name, value: whole_number(name, value, least=least, most=most)))


def real(**bounds: Any) -> Mapping[str, Rule]:
    """A number within bounds, as for `real_number`."""
    return _metadata(Rule(real_bounds(**bounds), lambda name, value: real_number(name, value, **bounds)))


def check_prior_weight() -> Mapping[str, Rule]:
    """The weight of a Dirichlet prior, as for `prior_weight`."""
    return _metadata(Rule(real_bounds(least=LEAST_PRIOR_WEIGHT, most=MOST_PRIOR_WEIGHT), prior_weight))


def switch() -> Mapping[str, Rule]:
    """True or False."""
    return _metadata(Rule("True or False", flag))


def names(*choices: str, besides: str = "") -> Mapping[str, Rule]:
    """One of some names; `besides` as for `whole`."""
    allowed = f"{', '.join(choices[:-1])} or {choices[-1]}{besides}"
    return _metadata(Rule(allowed, lambda name, value: one_of(name, value, choices), is_text=True, choices=choices))


def text(allowed: str) -> Mapping[str, Rule]:
    """Any text."""
    return _metadata(Rule(allowed, lambda name, value: instance(name, value, str, allowed), is_text=True))


def folder() -> Mapping[str, Rule]:
    """The path of a folder."""
    return _metadata(Rule("the path of a folder", lambda name, value: file_path(value, name), is_text=True))


def callback() -> Mapping[str, Rule]:
    """A function."""

    def check(name: str, value: object) -> None:
        if not callable(value):
            raise ArgumentError(f"{name} must be a function, got {show_value(value)}")

    return _metadata(Rule("a function", check))


def leave_to_class(allowed: str) -> Mapping[str, Rule]:
    """A setting that the class itself checks."""
    return _metadata(Rule(allowed, lambda name, value: None))


def load_graphs(*classes: str) -> Mapping[str, Rule]:
    """A graph or a network, of a class of the library with one of these names, or what such an argument may be.

    The classes are in packages above this one. So a value is asked for the names of its classes.
    """
    allowed = " or ".join(f"a {each}" for each in classes)

    def has_class(value: object) -> bool:
        kinds = (each for each in type(value).__mro__ if each.__module__.startswith("credenet."))
        return any(each.__name__ in classes for each in kinds)

    def convert(name: str, value: Any) -> Any:
        if has_class(value):
            return value
        is_network = "BayesianNetwork" in classes
        find = _later.networks_interop.network_of_library if is_network else _later.graphs_arguments.find_graph
        found = find(value)
        return value if found is None else found

    def check(name: str, value: object) -> None:
        if not has_class(value):
            raise ArgumentError(f"{name} must be {allowed}, got {show_value(value)}")

    return _metadata(Rule(allowed, check, is_loaded=True, convert=convert))


@dataclass(frozen=True, slots=True)
class Settings:
    """A choice with settings. None is allowed for a setting whose default is None."""

    short_name: ClassVar[str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value, rule = getattr(self, field.name), rule_of(field)
            if value is not None and rule.convert is not None:
                value = rule.convert(field.name, value)
                object.__setattr__(self, field.name, value)
            if value is not None or field.default is not None:
                rule.check(field.name, value)
        self._check_together()

    def _check_together(self) -> None:
        """Raises an error for settings that are not allowed together."""

    def __str__(self) -> str:
        differing = [
            f"{field.name}={_write_value(value)}"
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        ]
        return f"{self.short_name}({', '.join(differing)})" if differing else self.short_name


S = TypeVar("S", bound=Settings)
Added = TypeVar("Added", bound=Settings)


def rule_of(field: Field[Any]) -> Rule:
    """What a setting may be."""
    rule: Rule = field.metadata["rule"]
    return rule


class ChoiceKind(Generic[S]):
    """The choices that an argument takes.

    ``words`` are names that the caller handles itself; ``also`` says what the argument accepts besides a name. No text
    stands for the ``unnamed`` choices.
    """

    def __init__(
        self,
        argument: str,
        choices: Iterable[type[S]],
        *,
        also: str = "",
        words: tuple[str, ...] = (),
        unnamed: tuple[type[S], ...] = (),
    ) -> None:
        self.argument = argument
        self.choices = tuple(each for each in choices if each not in unnamed)
        self.unnamed = unnamed
        self.words = words
        self.names = (*words, *(each.short_name for each in self.choices))
        self._also = also

    def add(self, choice: type[Added]) -> type[Added]:
        """Adds a choice from outside the package; it replaces an earlier one that the same code defined."""
        kept = [each for each in self.choices if _origin(each) != _origin(choice)]
        taken = [*self.words, *(name for each in kept for name in (each.short_name, each.__name__))]
        for name in (choice.short_name, choice.__name__):
            if any(same_name(name, other) for other in taken):
                raise ArgumentError(f"there is already a {self.argument} named {name}; choose another name")
        self.choices = (*kept, cast("type[S]", choice))
        self.names = (*self.words, *(each.short_name for each in self.choices))
        return choice

    def get(self, value: Any) -> S:
        """The choice that a value is, or that a text means.

        Examples
        --------
        >>> from credenet.settings.methods import METHODS
        >>> METHODS.get("AStar(pattern-size=4)")
        AStar(heuristic='static', pattern_size=4)
        >>> str(METHODS.get("astar(pattern_size=4)"))
        'astar(pattern_size=4)'
        """
        chosen: tuple[type[S], ...] = (*self.choices, *self.unnamed)
        return value if isinstance(value, chosen) else self.from_text(value)

    def from_text(self, value: Any, load: Load | None = None) -> S:
        """The choice that a text means; ``load`` reads the files that it names."""
        name, inner = value, ""
        if isinstance(value, str) and value.strip().endswith(")"):
            name, _, inner = value.strip()[:-1].partition("(")
        chosen = self._class_of(name, load)
        given = _read_settings(chosen, inner.strip(), load)
        needed = [field for field in fields(chosen) if field.default is MISSING]
        missing = [field.name for field in needed if field.name not in given]
        if missing:
            with_text = f"{chosen.short_name}({', '.join(f'{field.name}=…' for field in needed)})"
            made = f"{chosen.__name__}({', '.join(field.name for field in needed)})"
            has_text = load is not None or not any(rule_of(field).is_loaded for field in needed)
            advice = with_text if has_text else made
            namesake = namesake_advice(self.argument, chosen.short_name)
            raise ArgumentError(f"{self.argument} {name!r} needs {' and '.join(missing)}; pass {advice}{namesake}")
        return chosen(**given)

    def _class_of(self, name: Any, load: Load | None) -> type[S]:
        """The class of a short name or of a class name."""
        for each in self.choices:
            if same_name(each.__name__, name):
                return each
        short = choice(self.argument, name, self.names, also="" if load else self._also)
        if short in self.words:
            raise ArgumentError(f"{self.argument} {short!r} has no settings")
        return next(each for each in self.choices if each.short_name == short)

    def parse(self, value: str | None) -> S | None:
        """The choice that a text means; None if it means none."""
        try:
            return None if value is None else self.from_text(value)
        except ArgumentError:  # The text comes from another program.
            return None


def _origin(choice: type[Settings]) -> tuple[str, str]:
    """The place of a class's definition, by which a notebook cell that runs again redefines the class."""
    return choice.__module__, choice.__qualname__


def describe_settings(chosen: type[Settings]) -> list[tuple[str, str, str]]:
    """The name, the default and the bounds of every setting, in words."""
    return [
        (field.name, "" if field.default is MISSING else _write_value(field.default), rule_of(field).allowed)
        for field in fields(chosen)
    ]


def _read_settings(chosen: type[Settings], inner: str, load: Load | None) -> dict[str, Any]:
    """The settings in the brackets of a text."""
    if not _SETTINGS.fullmatch(inner):
        raise ArgumentError(
            f"settings are written as name=value, name=value, got {show_value(inner)}; {_list_settings(chosen)}"
        )
    given: dict[str, Any] = {}
    for part in _SETTING.findall(inner):
        name, sign, value = (word.strip() for word in part.partition("="))
        field = next((field for field in fields(chosen) if same_name(field.name, name)), None)
        if not sign:
            raise ArgumentError(f"settings are written as name=value, got {show_value(name)}; {_list_settings(chosen)}")
        if field is None:
            raise ArgumentError(f"{chosen.short_name} has no setting {show_value(name)}; {_list_settings(chosen)}")
        if field.name in given:
            raise ArgumentError(f"{chosen.short_name} has the setting {field.name} twice")
        given[field.name] = _read_value(field, value, load)
    return given


def _list_settings(chosen: type[Settings]) -> str:
    known = [f"{name} ({allowed})" for name, _, allowed in describe_settings(chosen)]
    return f"{chosen.short_name} has {', '.join(known) or 'none'}"


def _read_value(field: Field[Any], value: str, load: Load | None) -> Any:
    """The value of a setting from its text."""
    rule = rule_of(field)
    if value.lower() == "none" and field.default is None:
        return None
    if rule.is_loaded:
        if load is None or value.startswith("<"):
            raise ArgumentError(
                f"{field.name} must be {rule.allowed}, which a text does not hold, got {show_value(value)}"
            )
        return load(Path(str(_literal(value)) if value[:1] in ("'", '"') else value), rule.allowed)
    if value[:1] in ("'", '"', "(", "[", "{"):
        return _literal(value)
    if rule.is_text:
        return next((name for name in rule.choices if same_name(name, value)), value)
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            pass
    return value


def _literal(value: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def _write_value(value: Any) -> str:
    """A value as `_read_value` takes it."""
    if isinstance(value, str | Path):
        bare = str(value)
        return bare if _BARE.fullmatch(bare) and bare.lower() != "none" else repr(bare)
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return "{" + ", ".join(f"{name!r}: {_write_value(number)}" for name, number in value) + "}"
        return f"[{', '.join(map(_write_value, value))}]"
    if value is None or isinstance(value, bool):
        return str(value)
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        return repr(float(value) + 0.0).removesuffix(".0")  # Adding 0.0 turns minus zero into zero.
    return repr(value)
