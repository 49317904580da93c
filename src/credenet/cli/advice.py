"""Python arguments in messages become flags: ``missing='drop'`` becomes ``--missing drop``."""

from __future__ import annotations

import ast
import inspect
import shlex
from dataclasses import fields
from functools import cache
from importlib import import_module

from credenet._advice import in_other_words


def in_shell(text: str) -> str:
    """A message with its Python arguments written as flags; calls such as ``bdeu(ess=10)`` are not changed."""
    return in_other_words(text, _flags(), _as_flag)


@cache
def _flags() -> set[str]:
    """The names of all flags, as Python spells them."""
    from credenet.cli.app import VERBS
    from credenet.cli.options import DataOptions

    names = {field.name for field in fields(DataOptions)}
    for verb in VERBS:
        parameters = inspect.signature(getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)).parameters.values()
        names |= {parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    return names


def _as_flag(argument: str, text: str) -> str:
    name, value = argument.replace("_", "-"), ast.literal_eval(text)
    if value is True or value is False:
        return f"--{name}" if value else f"--no-{name}"
    if isinstance(value, dict):
        pairs = (method if key == "*" else f"{key}={method}" for key, method in value.items())
        return " ".join(f"--{name} {shlex.quote(pair)}" for pair in pairs)
    if isinstance(value, list):  # double quotes around an item with a comma
        value = ",".join("…" if item is ... else f'"{item}"' if "," in item else item for item in value)
    return f"--{name} {value if value == ',' else shlex.quote(str(value))}"
