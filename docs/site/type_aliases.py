"""The names that signatures give to types, such as ``DataLike``, with their definitions read from the source."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import credenet

PACKAGE = Path(credenet.__file__).parent


@cache
def definitions() -> dict[str, list[tuple[str, str]]]:
    """Each name that a module of the package gives to a type: its definitions, and what is said of them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in {"cli", "explorer"}:
            continue  # These name types for themselves only.
        for name, meaning, remark in _assignments(ast.parse(path.read_text(encoding="utf-8")).body):
            if all(meaning != known for known, _ in found.setdefault(name, [])):
                found[name].append((meaning, remark))
    return found


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """The names, values and docstrings of the assignments of a module, also of those that only type checkers read."""
    for line, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        remark = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        if isinstance(line, ast.If) and ast.unparse(line.test) == "TYPE_CHECKING":
            yield from _assignments(line.body)
        elif isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and _is_type(line.value):
            yield line.targets[0].id, ast.unparse(line.value), str(remark)
        elif isinstance(line, ast.AnnAssign) and ast.unparse(line.annotation) == "TypeAlias" and line.value is not None:
            meaning = line.value.value if isinstance(line.value, ast.Constant) else ast.unparse(line.value)
            yield ast.unparse(line.target), str(meaning), str(remark)


def _is_type(value: ast.expr) -> bool:
    """Whether a value is made of types only: names, subscripts and unions; Any says nothing."""
    if ast.unparse(value) == "Any":
        return False
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr) and _is_type(value.left) and _is_type(value.right)
    return isinstance(value, ast.Subscript | ast.Name | ast.Attribute) or (
        isinstance(value, ast.Constant) and value.value is None
    )


def signature_types(value: Any) -> Iterator[str]:
    """The annotations in the signature of a call, as the source writes them."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return
    for written in (*(part.annotation for part in signature.parameters.values()), signature.return_annotation):
        text = getattr(written, "__forward_arg__", written)
        if isinstance(text, str):
            yield text


def calls_of(value: Any) -> Iterator[Any]:
    """What has a signature among a public object and its methods."""
    yield value
    if inspect.isclass(value):
        for name in dir(value):
            if not name.startswith("_"):
                member = inspect.getattr_static(value, name)
                yield getattr(member, "fget", None) or getattr(member, "func", None) or getattr(value, name)


def type_aliases(values: list[object]) -> list[str]:
    """The names that signatures of the objects use, and those in their definitions, which the package defines."""
    known = definitions()
    waiting = {
        word for value in values for call in calls_of(value) for text in signature_types(call) for word in _words(text)
    }
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found.add(name)
            waiting |= {word for meaning, _ in known[name] for word in _words(meaning)}
    return sorted(found, key=str.lower)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\b[A-Z]\w+", re.sub(r"'[^']*'|\"[^\"]*\"", "", text)))
