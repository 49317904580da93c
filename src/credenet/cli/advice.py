"""Advice in a shell: Python arguments in messages become flags, and flags of other programs become ours."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Collection
from functools import cache
from importlib import import_module
from typing import Any

from credenet._advice import flag, reword_arguments
from credenet._json import json_text
from credenet._peers import meant_argument
from credenet.cli.arguments.flags import arguments_of
from credenet.cli.arguments.merges import write_merges


def translate_to_shell(text: str) -> str:
    """A message with its Python arguments written as flags; calls such as ``bdeu(ess=10)`` are not changed."""
    return reword_arguments(text, _flags(), _as_flag)


@cache
def _flags() -> set[str]:
    """The names of all flags, as Python spells them."""
    from credenet.cli.app import VERBS

    verbs = (getattr(import_module(f"credenet.cli.verbs.{verb}"), verb) for verb in VERBS)
    return {each.name for verb in verbs for each in arguments_of(verb) if each.written.startswith("-")}


def _as_flag(argument: str, text: str) -> str:
    return as_flags(argument, ast.literal_eval(text))


def as_flags(argument: str, value: Any) -> str:
    """An argument of Python as one flag or several."""
    name = flag(argument)
    if value is True or value is False:
        return name if value else flag(f"no-{argument}")
    if argument == "merge_states" and isinstance(value, dict):
        return " ".join(f"{name} {shlex.quote(each)}" for each in write_merges(value))
    if isinstance(value, dict):
        pairs = (method if key == "*" else f"{key}={method}" for key, method in value.items())
        return " ".join(f"{name} {shlex.quote(pair)}" for pair in pairs)
    if isinstance(value, list | tuple):  # An item with a comma gets double quotes.
        value = ",".join("…" if item is ... else f'"{item}"' if "," in item else item for item in value)
    return f"{name} {value if value in (',', '…') else shlex.quote(str(value))}"


def flag_advice(given: str, known: Collection[str]) -> str | None:
    """What a flag of another program is called here, as a sentence, if that is one of the known flags.

    Examples
    --------
    >>> flag_advice("--max-indegree", ["--max-parents"])
    'Use --max-parents 3.'
    """
    name = given.lstrip("-").replace("-", "_")
    arguments = [each[2:].replace("-", "_") for each in known if each.startswith("--")]
    meant = meant_argument(name, [*arguments, "on_progress"])
    if meant is None:
        return None
    if meant.startswith("on_progress="):
        return "Progress is shown on a terminal."
    if not meant.startswith("knowledge="):
        return f"Use {translate_to_shell(meant).replace(', ', ' ')}."
    rules = {"format": "credenet knowledge", **_rules_of(meant)}
    return f"Use --knowledge rules.json, a file that has {json_text(rules)}."


def _rules_of(meant: str) -> dict[str, object]:
    """The rules in the text of a call of Knowledge."""
    call = ast.parse(meant.partition("=")[2], mode="eval").body
    assert isinstance(call, ast.Call)
    return {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
