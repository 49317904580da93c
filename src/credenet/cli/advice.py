"""Python arguments in messages become flags: ``missing='drop'`` becomes ``--missing drop``."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from dataclasses import fields
from functools import cache
from importlib import import_module

_TEXT = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_ITEM = rf"(?:{_TEXT}|\.\.\.)"
_LIST = rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]"
_MAPPING = rf"\{{(?:{_TEXT}): (?:{_TEXT})(?:, (?:{_TEXT}): (?:{_TEXT}))*\}}"
_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?\b"
_CALL = r"\b\w+\((?:[^()]|\([^()]*\))*\)"
_SETTING = re.compile(rf"{_CALL}|\b([a-z][a-z_]*)=({_TEXT}|{_LIST}|{_MAPPING}|True|False|{_NUMBER})")


def in_shell(text: str) -> str:
    """A message with its Python arguments written as flags; calls such as ``bdeu(ess=10)`` are not changed."""
    return _SETTING.sub(lambda found: _as_flag(found) if found[1] in _flags() else found[0], text)


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


def _as_flag(found: re.Match[str]) -> str:
    name, value = found[1].replace("_", "-"), ast.literal_eval(found[2])
    if value is True or value is False:
        return f"--{name}" if value else f"--no-{name}"
    if isinstance(value, dict):
        pairs = (method if key == "*" else f"{key}={method}" for key, method in value.items())
        return " ".join(f"--{name} {shlex.quote(pair)}" for pair in pairs)
    if isinstance(value, list):  # double quotes around an item with a comma
        value = ",".join("…" if item is ... else f'"{item}"' if "," in item else item for item in value)
    return f"--{name} {value if value == ',' else shlex.quote(str(value))}"
