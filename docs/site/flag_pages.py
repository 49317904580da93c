"""The pages of the command line: for every verb its arguments and flags, with the help that ``--help`` prints."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import NamedTuple

from cyclopts import Argument

from credenet.cli.app import VERBS, app

FOLDER = "reference/verbs"  # Where the pages stand in the site.
MARKDOWN = re.compile(r"([*_<>|\[\]])")
FLAG = re.compile(r"(?<![\w-])(--[a-z]+(?:-[a-z]+)*)")


class Flag(NamedTuple):
    """A parameter of a verb as a shell has it: its names, what it does, its choices and its default."""

    names: tuple[str, ...]
    what: str
    choices: tuple[str, ...]
    default: str


def flag_pages() -> dict[str, str]:
    """The text of the page of each verb, by its path in the site."""
    return {f"{FOLDER}/{verb}.md": _page(verb) for verb in VERBS}


def list_of_verbs() -> str:
    """The list of these pages, for the page of the command line."""
    rows = [f"- [{verb}](/{FOLDER}/{verb}.md): {_escape(_first_line(verb))}" for verb in VERBS]
    return "\n".join(["", "## All flags by verb", "", *rows, ""])


def flags_of(verb: str) -> list[Flag]:
    """The arguments of a verb, those without dashes first."""
    parameters = inspect.signature(getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)).parameters
    positional = {name for name, each in parameters.items() if each.kind is not inspect.Parameter.KEYWORD_ONLY}
    found = []
    for each in app[verb].assemble_argument_collection(parse_docstring=True):
        if not each.show:
            continue  # A group of flags, whose members follow.
        names = tuple(each.names)
        if len(each.keys) == 0 and each.field_info.name in positional:
            names = tuple(dict.fromkeys([each.field_info.name.upper(), *names]))
        found.append(Flag(names, each.parameter.help or "", tuple(each.get_choices() or ()), _default(each)))
    return sorted(found, key=lambda flag: flag.names[0].startswith("-"))


def _page(verb: str) -> str:
    rows = [
        f"# credenet {verb}",
        "",
        _escape(VERBS[verb]),
        "",
        "| flag | does | choices | default |",
        "|---|---|---|---|",
    ]
    for flag in flags_of(verb):
        names = ", ".join(f"`{name}`" for name in flag.names)
        choices = ", ".join(f"`{choice}`" for choice in flag.choices)
        default = f"`{flag.default}`" if flag.default else ""
        rows.append(f"| {names} | {_escape(' '.join(flag.what.split()))} | {choices} | {default} |")
    return "\n".join([*rows, ""])


def _default(argument: Argument) -> str:
    """The default as the help has it, empty for switches and where the help tells it in words."""
    shows, value = argument.show_default, argument.field_info.default
    if not shows or value is None or isinstance(value, bool):
        return ""
    return str(shows(value)) if callable(shows) else str(value)


def _first_line(verb: str) -> str:
    return " ".join(VERBS[verb].split("\n\n")[0].split())


def _escape(text: str) -> str:
    """Words of the help as Markdown; flags among them are code, as two hyphens would become a dash."""
    return FLAG.sub(r"`\1`", MARKDOWN.sub(r"\\\1", text))
