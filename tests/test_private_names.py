"""Packages do not use each other's private names."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import credenet

ROOT = Path(credenet.__file__).parent

# What other packages still use of data, graphs and models. No name may be added.
STILL_USED = {
    "_code_of",
    "_count_source",
    "_drawn_edges",
    "_factor_model",
    "_from_table",
    "_guard",
    "_is_elsewhere",
    "_is_weighted",
    "_names",
    "_notes",
    "_number_rows",
    "_of_frame",
    "_parent_order",
    "_place",
    "_places",
    "_row_number",
    "_row_table",
    "_source_rows",
    "_state_counts",
    "_with_states",
}


def package_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def defined_names(tree: ast.Module) -> Iterator[str]:
    """The private names of methods, fields, slots, attributes of self, and class variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_own(node.value):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                if isinstance(line, ast.Assign):
                    yield from (target.id for target in line.targets if isinstance(target, ast.Name))
                    yield from (each.value for each in ast.walk(line.value) if is_text(each))  # type: ignore[attr-defined]


def is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def foreign_names() -> dict[str, list[str]]:
    """For each private name that a package uses of an object, but does not define, the places."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}
    homes: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for name in filter(is_private, defined_names(tree)):
            homes[name].add(package_of(path))
    found: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node.value):
                packages = homes.get(node.attr, set())  # The set is empty for named tuples and modules such as _core.
                if packages and package_of(path) not in packages:
                    found[node.attr].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_no_package_uses_private_names_of_another() -> None:
    found = foreign_names()
    assert {name: places for name, places in found.items() if name not in STILL_USED} == {}
    assert set(found) == STILL_USED  # A name that is no longer used must leave the list.
