"""Graphs as text: ``A -> B; B -> C <- D; E``, or a model string of bnlearn: ``[A][D][B|A][C|B:D][E]``.

A statement is a name or a chain of names joined by ``->``, ``<-`` or ``--`` (undirected). Statements end at a line
break, ``;`` or ``,``, and ``#`` starts a comment. Variables are in the order in which they first occur. A name with
spaces, separators, arrows or quotes, or that begins with ``[``, is in double quotes, with backslash escapes.

A model string lists every variable in brackets; its parents follow ``|`` and are separated by ``:``. Names must not
have any of these characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from credenet._arguments import show_value
from credenet.errors import GraphError

# A single - may be part of a name (tumor-size); several, or one with < or >, are an arrow.
_ARROW = r"<-+>?|-+>|-{2,}"
_NAME = rf"(?:(?!{_ARROW})[^\s;,#\"])+"
_TOKEN = re.compile(
    rf"""(?P<space>[^\S\n]+|\#[^\n]*)
       | (?P<end>[\n;,])
       | (?P<arrow>{_ARROW})
       | (?P<quoted>"(?:[^"\\\n]|\\.)*")
       | (?P<name>{_NAME})""",
    re.VERBOSE,
)
_PLAIN_NAME = re.compile(rf"(?!\[){_NAME}")
_COMMENT_LINE = re.compile(r"^[^\S\n]*+#.*$", re.MULTILINE)
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(slots=True)
class ParsedGraph:
    variables: list[str] = field(default_factory=list)
    directed: list[tuple[str, str]] = field(default_factory=list)
    undirected: list[tuple[str, str]] = field(default_factory=list)


def parse_graph(text: str, *, undirected_allowed: bool) -> ParsedGraph:
    """The variables and edges of a text; an error names the line."""
    if not isinstance(text, str):
        raise GraphError(f"text must be a text such as 'a -> b; b -> c', got {show_value(text)}")
    if is_model_string(text):
        return _parse_model_string(_COMMENT_LINE.sub("", text))
    graph = ParsedGraph()
    seen: set[str] = set()
    previous: str | None = None
    arrow: str | None = None
    for kind, token, line in _tokens(text):
        if kind == "end":
            if arrow is not None:
                raise GraphError(f"line {line}: a name is missing after '{arrow}'")
            previous = None
        elif kind == "arrow":
            if previous is None or arrow is not None:
                raise GraphError(f"line {line}: a name is missing before '{token}'")
            if token not in ("->", "<-", "--"):
                raise GraphError(f"line {line}: '{token}' is not an arrow; write '->', '<-' or '--'")
            if token == "--" and not undirected_allowed:
                raise GraphError(f"line {line}: '--' is an undirected edge, which a DAG cannot have")
            arrow = token
        else:
            if previous is not None and arrow is None:
                raise GraphError(
                    f"line {line}: an arrow or ';' is missing between {previous!r} and {token!r}; "
                    "a name with spaces goes in double quotes"
                )
            if token not in seen:
                seen.add(token)
                graph.variables.append(token)
            if previous is not None:
                if arrow == "--":
                    graph.undirected.append((previous, token))
                else:
                    graph.directed.append((previous, token) if arrow == "->" else (token, previous))
            previous, arrow = token, None
    return graph


def is_model_string(text: str) -> bool:
    """Whether a text is a model string, correct or not. Text with arrows is not one; its names may have brackets."""
    bare = _COMMENT_LINE.sub("", text).lstrip()
    rest = _BRACKETS.sub("", bare)
    if not bare.startswith("[") or re.search(_ARROW, rest):
        return False
    return not rest.strip(" \t\r\n;,") or "[" in rest or "]" in rest


def names_and_arrows(text: str) -> list[tuple[list[str], bool]]:
    """For each line that is not blank its names and whether it has an arrow, up to a quote that is not closed."""
    names: dict[int, list[str]] = {}
    arrows: set[int] = set()
    try:
        for kind, token, line in _tokens(text):
            if kind != "end":
                names.setdefault(line, []).extend([token] if kind == "name" else [])
            if kind == "arrow":
                arrows.add(line)
    except GraphError:
        pass
    return [(several, line in arrows) for line, several in names.items()]


def _parse_model_string(text: str) -> ParsedGraph:
    graph = ParsedGraph()
    lines: dict[str, int] = {}
    place, line = 0, 1
    for match in _BRACKETS.finditer(text):
        _check_blank(text[place : match.start()], line)
        line += text.count("\n", place, match.start())
        name, bar, rest = match[1].partition("|")
        names = [part.strip() for part in (name, *(rest.split(":") if bar else ()))]
        if not all(names) or any("|" in part for part in names):
            raise GraphError(f"line {line}: expected [variable] or [variable|parent:parent], got {match[0]!r}")
        variable, *parents = names
        if variable in lines:
            raise GraphError(f"line {line}: variable {variable!r} is listed twice")
        lines[variable] = line
        graph.directed += [(parent, variable) for parent in parents]
        line += match[0].count("\n")
        place = match.end()
    _check_blank(text[place:], line)
    for parent, child in graph.directed:
        if parent not in lines:
            raise GraphError(f"line {lines[child]}: {parent!r}, a parent of {child!r}, is not listed itself")
    graph.variables = list(lines)
    return graph


def _check_blank(text: str, line: int) -> None:
    if text.strip():
        raise GraphError(f"line {line}: expected [variable] or [variable|parent:parent], got {text.strip()!r}")


def format_model_string(variables: Iterable[str], parents: Iterable[Iterable[str]]) -> str:
    """The model string of a DAG, in the order of its variables."""
    parts = []
    for variable, several in zip(variables, parents, strict=True):
        if variable != variable.strip() or re.search(r"[\[\]|:\n\r]", variable):
            raise GraphError(f"a model string cannot hold the name {variable!r}")
        parts.append(f"[{'|'.join([variable, *filter(None, [':'.join(several)])])}]")
    return "".join(parts)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """The kind, content and line of every token except spaces, and an end token after the last."""
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise GraphError(f"line {line}: a double quote is not closed")
        kind, token = str(match.lastgroup), match.group()
        if kind == "quoted":
            name = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), token[1:-1])
            if not name:
                raise GraphError(f"line {line}: a name must not be empty")
            yield "name", name, line
        elif kind != "space":
            yield kind, token, line
        line += token.count("\n")
        place = match.end()
    yield "end", "", line


def format_graph(
    variables: Iterable[str], directed: Iterable[tuple[str, str]], undirected: Iterable[tuple[str, str]]
) -> str:
    """The text of a graph, with an edge or an isolated variable on each line."""
    lines = []
    joined: set[str] = set()
    for arrow, edges in (("->", directed), ("--", undirected)):
        for first, second in edges:
            joined.update((first, second))
            lines.append(f"{_write_name(first)} {arrow} {_write_name(second)}")
    lines.extend(_write_name(name) for name in variables if name not in joined)
    return "\n".join(lines)


def _write_name(name: str) -> str:
    if _PLAIN_NAME.fullmatch(name):
        return name
    escaped = name.replace("\\", r"\\").replace('"', r"\"")
    for letter, character in _ESCAPES.items():
        escaped = escaped.replace(character, "\\" + letter)
    return f'"{escaped}"'
