"""The flags of a verb, those in its groups among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any, NamedTuple, get_type_hints

from credenet._advice import flag


class Argument(NamedTuple):
    """A parameter of a verb: its name in Python and on the command line, its type and its value, if that is known."""

    name: str
    written: str
    hint: Any
    value: Any = None


def arguments_of(verb: Callable[..., Any], given: inspect.BoundArguments | None = None) -> Iterator[Argument]:
    """The parameters of a verb, each field of a group by itself; with their values, those that are given only."""
    hints = get_type_hints(verb, include_extras=True)
    parameters = inspect.signature(verb).parameters
    for name in parameters if given is None else given.arguments:
        value = None if given is None else given.arguments[name]
        if is_dataclass(hints[name]):
            for field, hint in get_type_hints(hints[name], include_extras=True).items():
                yield Argument(field, flag(field), hint, getattr(value, field, None))
        else:
            is_flag = parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
            yield Argument(name, flag(name) if is_flag else name.upper(), hints[name], value)
