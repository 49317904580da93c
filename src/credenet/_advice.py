"""Advice in messages: the arguments that they name, such as ``missing='drop'``, in the words of who reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

_TEXT = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_ITEM = rf"(?:{_TEXT}|\.\.\.)"
_LIST = rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]"
_GROUP = rf"(?:{_TEXT}): {_LIST}"
_GROUPS = rf"(?:{_TEXT}): \{{{_GROUP}(?:, {_GROUP})*\}}"
_MERGES = rf"\{{{_GROUPS}(?:, {_GROUPS})*\}}"
_MAPPING = rf"\{{(?:{_TEXT}): (?:{_TEXT})(?:, (?:{_TEXT}): (?:{_TEXT}))*\}}"
_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?\b"
_CALL = r"\b\w+\((?:[^()]|\([^()]*\))*\)"
_SETTING = re.compile(rf"{_CALL}|\b([a-z][a-z_]*)=({_TEXT}|{_LIST}|{_MAPPING}|{_MERGES}|True|False|{_NUMBER})")


def reword_arguments(text: str, names: Container[str], write: Callable[[str, str], str]) -> str:
    """A text with each ``name=value`` of some names as ``write(name, value)``; calls such as ``bdeu(ess=10)`` stay.

    Examples
    --------
    >>> reword_arguments("pass missing='drop', not bdeu(ess=1)", {"missing", "ess"}, lambda name, value: f"--{name} …")
    'pass --missing …, not bdeu(ess=1)'
    """
    return _SETTING.sub(lambda found: write(found[1], found[2]) if found[1] in names else found[0], text)


def flag(argument: str) -> str:
    """The flag of the command line for an argument.

    Examples
    --------
    >>> flag("max_parents")
    '--max-parents'
    """
    return f"--{argument.replace('_', '-')}"
