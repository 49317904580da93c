"""Rules for the tests themselves: every way through one checks something, and none waits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TREES = {path: ast.parse(path.read_text()) for path in sorted(Path(__file__).parent.rglob("*.py"))}
JUMPS = (ast.Return, ast.Continue, ast.Raise)
WAITING = {"sleep", "Timer", "time", "monotonic", "perf_counter"}


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).split(".")[-1]


def has_check(block: list[ast.stmt]) -> bool:
    """Whether there is an assertion, pytest.raises or a call of a check in it."""
    nodes = [node for statement in block for node in ast.walk(statement)]
    names = [name_of(node) for node in nodes if isinstance(node, ast.Call)]
    is_called = any(name == "raises" or name.startswith(("check", "assert")) for name in names)
    return is_called or any(isinstance(node, ast.Assert) for node in nodes)


def lopsided(block: list[ast.stmt]) -> Iterator[ast.If]:
    """Each `if` with a check in one branch and none in the other."""
    for at, statement in enumerate(block):
        if isinstance(statement, ast.If):
            rest = block[at + 1 :] if isinstance(statement.body[-1], JUMPS) else []
            first, other = has_check(statement.body), has_check(statement.orelse or rest)
            if first != other and (first or statement.orelse):
                yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from lopsided(getattr(statement, field, []))


def test_no_check_may_be_passed_by() -> None:
    found = [f"{path}:{one.lineno}: if {ast.unparse(one.test)}" for path in TREES for one in lopsided(TREES[path].body)]
    assert not found, "\n".join(found)


def test_nothing_waits() -> None:
    """Time is moved by hand, and stops come at a poll: see polls.py."""
    calls = [(path, node) for path in TREES for node in ast.walk(TREES[path]) if isinstance(node, ast.Call)]
    found = [f"{path}:{call.lineno}: {name_of(call)}" for path, call in calls if name_of(call) in WAITING]
    assert not found, "\n".join(found)


def test_what_the_rules_find() -> None:
    code = """
def test():
    if a:
        assert b
    if a:
        assert b
    else:
        check(c)
    if a:
        return
    assert b
    for d in e:
        if d:
            with pytest.raises(f): g()
"""
    assert [one.lineno for one in lopsided(ast.parse(code).body)] == [3, 13]
