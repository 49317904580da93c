"""Calls of later packages: every name that is called exists, and nothing is listed that nobody calls."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import credenet
from credenet import _later

SOURCE = Path(credenet.__file__).parent
CALLED = {
    (module, name)
    for path in SOURCE.rglob("*.py")
    if path.name != "_later.py"
    for module, name in re.findall(r"\b_later\.(\w+)\.(\w+)", path.read_text())
}


def test_what_is_called_exists() -> None:
    for module, name in CALLED:
        assert hasattr(getattr(_later, module), name), f"{_later.HOMES[module]} has no {name}"


def test_what_is_listed_is_called() -> None:
    assert set(_later.HOMES) == {module for module, _ in CALLED}
    for name, home in _later.HOMES.items():
        assert name == home.removeprefix("credenet.").replace(".", "_")


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match=r"module 'credenet\._later' has no attribute 'nothing'"):
        _later.nothing  # type: ignore[attr-defined] # noqa: B018


def test_a_module_is_imported_when_it_is_asked_for() -> None:
    program = "\n".join(
        [
            "import sys",
            "from credenet import _later",
            "print('credenet.io.knowledge' in sys.modules)",
            "print(_later.io_knowledge is sys.modules['credenet.io.knowledge'])",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
