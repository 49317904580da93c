"""States to merge, as ``COLUMN=a+b`` or ``COLUMN=a+b:new``; double quotes protect ``+``, ``:`` and ``=`` in names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from credenet.errors import ArgumentError

_QUOTED = r'"(?:[^"]|"")*"'
_COLUMN = re.compile(rf'({_QUOTED}|[^"=][^=]*)=')
_STATE = re.compile(rf'({_QUOTED}|[^+:"][^+:]*)([+:]|$)')


def read_merges(values: Sequence[str] | None) -> dict[str, dict[str, list[str]]] | None:
    """The argument ``merge_states`` of `credenet.read`."""
    merges: dict[str, dict[str, list[str]]] = {}
    for value in values or ():
        column, new, old = _read_merge(value)
        groups = merges.setdefault(column, {})
        if new in groups:
            raise ArgumentError(f"--merge-states names the new state {new!r} of column {column!r} twice")
        groups[new] = old
    return merges or None


def _read_merge(value: str) -> tuple[str, str, list[str]]:
    """The column, the new state, and the old ones."""
    column = _COLUMN.match(value)
    at = len(value) + 1 if column is None else column.end()
    states, marks = [], ""
    while at < len(value) and (state := _STATE.match(value, at)):
        states.append(_unquote(state[1]))
        marks += state[2]
        at = state.end()
    if column is None or at != len(value) or len(marks) != len(states) - 1 or not re.fullmatch(r"\+*[+:]", marks):
        raise ArgumentError(
            f"--merge-states must be COLUMN=a+b or COLUMN=a+b:new, got {value!r}; "
            "put double quotes around names that contain + : or ="
        )
    old = states[:-1] if marks.endswith(":") else states
    new = states[-1] if marks.endswith(":") else "+".join(old)
    return _unquote(column[1]), new, old


def write_merges(merges: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[str]:
    """Each group as `read_merges` reads it."""
    for column, groups in merges.items():
        for new, old in groups.items():
            name = "" if new == "+".join(old) else f":{_quote(new)}"
            yield f"{_quote(column)}={'+'.join(map(_quote, old))}{name}"


def _quote(text: str) -> str:
    if text and not re.search(r'[+:="]', text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _unquote(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text
