"""The tutorial does what it says, chapter after chapter in one folder, and its pictures are those that it makes."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from commands import credenet_command

DOCS = Path(__file__).parents[1] / "docs"
INDEX = DOCS / "tutorial" / "index.md"
CHAPTERS = [
    INDEX.with_name(name) for name in re.findall(r"^- \[\d\. .*\]\((\w+\.md)\)", INDEX.read_text(), re.MULTILINE)
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ELLIPSIS = "…"  # Stands for any text in what a command prints.


def fits(expected: str, printed: str) -> bool:
    """Whether a text is the expected one, in which an ellipsis stands for anything."""
    lines = "\n".join(line.rstrip() for line in printed.splitlines()).strip()
    return re.fullmatch(".*?".join(map(re.escape, expected.strip().split(ELLIPSIS))), lines, re.DOTALL) is not None


def check_shell(block: str, folder: Path) -> Path:
    """Commands print what follows them; the folder after them."""
    for command, expected in COMMAND.findall(block):
        program, *words = shlex.split(command)
        if program == "cd":
            folder /= words[0]
            continue
        assert program == "credenet", command
        done = credenet_command(*words, cwd=folder)
        assert fits(expected, done.stdout + done.stderr), f"{command}\n{done.stdout}{done.stderr}"
    return folder


def check_python(block: str, names: dict[str, object], chapter: Path) -> None:
    test = doctest.DocTestParser().get_doctest(block, names, chapter.name, str(chapter), 0)
    test.globs = names
    complaints: list[str] = []
    doctest.DocTestRunner().run(test, out=complaints.append, clear_globs=False)
    assert not complaints, "".join(complaints)


def test_there_are_six_chapters() -> None:
    assert len(CHAPTERS) == 6
    assert {*CHAPTERS, INDEX} == set(INDEX.parent.glob("*.md"))


def test_the_chapters_follow_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of all chapters, in the order in which they stand; each chapter begins with an import."""
    monkeypatch.setenv("COLUMNS", "100")
    folder = tmp_path
    for chapter in CHAPTERS:
        names: dict[str, object] = {}
        for language, block in BLOCK.findall(chapter.read_text()):
            monkeypatch.chdir(folder)
            if language == "python":
                check_python(block, names, chapter)
            else:
                assert language == "console"
                folder = check_shell(block, folder)
    for chapter in CHAPTERS:
        for name in re.findall(r"\.\./figures/tutorial_(\w+\.svg)\)", chapter.read_text()):
            assert (DOCS / "figures" / f"tutorial_{name}").read_text() == (folder / name).read_text(), name
    for report in ("report.html", "networks.html"):
        assert "credenet" in (folder / report).read_text()


def test_an_ellipsis_stands_for_any_text() -> None:
    assert fits("in … s\nend", "in 0.1 s\nend\n")
    assert fits("a\n…\nz", "a\nb\nc\nz")
    assert not fits("in … s", "out 0.1 s")
