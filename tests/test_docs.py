"""README, docs and examples do what they say."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import other_programs  # noqa: F401 (pages import these programs, whose warnings are errors unless they are loaded before)

ROOT = Path(__file__).parents[1]
IN_ORDER = ("tutorial", "notebooks")  # Folders whose pages have tests of their own.
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name not in IN_ORDER),
]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(page.read_text()) if kind == language]


@pytest.mark.usefixtures("forgotten_additions")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python examples of a page, then its commands, in one folder."""
    monkeypatch.chdir(tmp_path)
    check_python(page)
    check_commands(page, tmp_path)
    alone = tmp_path / "shell"  # Shell examples must not depend on the Python before them.
    alone.mkdir()
    check_scripts(page, alone)


def check_python(page: Path) -> None:
    text = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    complaints: list[str] = []
    runner.run(test, out=complaints.append)
    assert not complaints, "".join(complaints)


def check_commands(page: Path, folder: Path) -> None:
    """Commands after ``$`` print what follows them."""
    program = Path(sys.executable).with_name("credenet")
    for block in blocks(page, "console"):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = shlex.split(command)
            assert words[0] == "credenet", command
            environment = {**os.environ, "COLUMNS": "100"}
            done = subprocess.run(
                [str(program), *words[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
            wanted = "\n".join(line.rstrip() for line in expected.splitlines())
            assert printed.strip() == wanted.strip(), command


def check_scripts(page: Path, folder: Path) -> None:
    """Every line of a ``sh`` block works as printed."""
    program = Path(sys.executable).with_name("credenet")
    for block in blocks(page, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "credenet", line
            done = subprocess.run(
                [str(program), *words[1:]], cwd=folder, capture_output=True, text=True, check=False, timeout=60
            )
            assert done.returncode == 0, f"{line}\n{done.stderr}"


@pytest.mark.parametrize("path", sorted((ROOT / "src" / "credenet").rglob("*.py")), ids=lambda path: path.stem)
def test_docstrings(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    from importlib import import_module

    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    failures, _ = doctest.testmod(import_module(name))
    assert failures == 0


def test_demo_runs(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "demo.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "SHD" in done.stdout
    assert "<td>networks</td><td>6</td>" in (tmp_path / "credible.html").read_text()
