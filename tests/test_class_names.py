"""A class has a name of its own in the whole tree, so that it can be looked for and spoken of."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import credenet

ROOT = Path(credenet.__file__).parent


def classes() -> dict[str, list[str]]:
    """The places of each class; an underscore before its name makes it no other one."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name.lstrip("_")].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_a_class_name_exists_once() -> None:
    found = classes()
    assert len(found) > 300
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
