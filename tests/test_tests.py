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


def returns_too_early(test: ast.FunctionDef) -> Iterator[ast.Return]:
    """Each `return` of a test that no check precedes: what it leaves out, nobody hears of."""
    inner = [node for node in ast.walk(test) if isinstance(node, ast.FunctionDef | ast.Lambda) and node is not test]
    foreign = {node for each in inner for node in ast.walk(each)}
    own = [node for node in ast.walk(test) if node not in foreign]
    simple = (ast.Assert, ast.Expr, ast.Assign, ast.With)  # A check stands in one of these.
    checks = [node.lineno for node in own if isinstance(node, simple) and has_check([node])]
    for node in own:
        if isinstance(node, ast.Return) and not any(line <= node.lineno for line in checks):
            yield node


def test_no_test_returns_before_its_checks() -> None:
    """Cases that a test is not about are dropped by `assume` and `reject`, which hypothesis counts."""
    tests = [
        (path, node)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]
    found = [f"{path}:{one.lineno}: {test.name}" for path, test in tests for one in returns_too_early(test)]
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
    early = ast.parse("def test():\n  if a:\n    return\n  assert b\n  if c:\n    return").body[0]
    assert isinstance(early, ast.FunctionDef)
    assert [one.lineno for one in returns_too_early(early)] == [3]
