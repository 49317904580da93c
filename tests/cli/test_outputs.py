"""Files that verbs write are checked before the work; what was done is said when a signal ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import credenet
from credenet._run.progress import Progress
from credenet.cli import app
from credenet.cli.outputs import check_output
from credenet.cli.progress_bar import _Step, _Steps
from credenet.errors import FormatError

PROGRAM = Path(sys.executable).with_name("credenet")

# Work that would take hours: only a check ahead of it ends in time.
ENDLESS = {
    "learn": ("learn", "wide.csv", "--score", "log_likelihood"),
    "score": ("score", "wide.csv", "--score", "log_likelihood"),
    "sample": ("sample", "asia.bif", "--rows", "2000000000"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.textbook.asia().save(tmp_path / "asia.bif")
    many = credenet.random.dag([f"v{k}" for k in range(60)], max_parents=3, seed=1)
    credenet.random.network(many, seed=1).sample(3000, seed=1).save(tmp_path / "wide.csv")
    return tmp_path


def run(*arguments: str, cwd: Path, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PROGRAM), *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=timeout
    )


@pytest.mark.parametrize("verb", ENDLESS)
@pytest.mark.parametrize(
    ("output", "message"),
    [("nowhere/out.txt", "the folder does not exist"), (".", "is a folder"), ("out.docx", "out.docx")],
)
def test_outputs_are_checked_first(folder: Path, verb: str, output: str, message: str) -> None:
    done = run(*ENDLESS[verb], "-o", output, cwd=folder)
    assert done.returncode in (1, 2), done.stderr
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("trace", ["trace.jpg", "nowhere/trace.csv"])
def test_a_trace_is_checked_first(folder: Path, trace: str) -> None:
    assert run(*ENDLESS["learn"], "--trace", trace, cwd=folder).returncode in (1, 2)


def test_what_the_format_cannot_hold_is_refused_first(tmp_path: Path) -> None:
    def refuse(path: Path) -> None:
        raise FormatError("names must not be empty", path=path)

    with pytest.raises(FormatError, match=r"out\.bif: names must not be empty"):
        check_output(tmp_path / "out.bif", refuse)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable_is_refused_first(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        check_output(tmp_path / "out.bif")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_modules_are_loaded(tmp_path: Path, number: signal.Signals) -> None:
    """An import that is interrupted may end with an error of its own; it is still an interrupt."""
    (tmp_path / "numpy.py").write_text(
        "import os\n"
        "try:\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "    raise AssertionError\n"
        "except KeyboardInterrupt:\n"
        "    raise ImportError('numpy failed to load')\n"
    )
    code = "from credenet.cli import main; main(['info', 'a.csv'])"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=30
    )
    assert (done.returncode, done.stderr) == (130, "interrupted; nothing was written\n")


SIGNALLED_TWICE = """
import os, signal, sys
from credenet.cli import app, main

def run(arguments):
    try:
        os.kill(os.getpid(), {first})
        raise AssertionError
    finally:
        exec("os.kill(os.getpid(), {second})")  # as in the body of a dataclass, which Python makes by exec

app.run = run
main([])
"""


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_the_work_that_the_first_one_left(first: signal.Signals, second: signal.Signals) -> None:
    code = SIGNALLED_TWICE.format(first=int(first), second=int(second))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (130, "interrupted; nothing was written\n")


def test_bars_never_go_back_or_stand_full() -> None:
    steps = _Steps("scoring")
    assert steps.step_at(Progress(1, 10)) == _Step("scoring", 1, 10)
    assert steps.step_at(Progress(10, 10)) == _Step("scoring", 10, None)
    assert steps.step_at(Progress(3, 40)) == _Step("scoring, step 2", 3, 40)
    assert steps.step_at(Progress(2, 40)) == _Step("scoring, step 3", 2, 40)
    assert steps.step_at(Progress(5, 0)) == _Step("scoring, step 4", 5, None)
    assert steps.step_at(Progress(6, 0)) == _Step("scoring, step 4", 6, None)
    assert steps.step_at(Progress(1, 9, phase="listing networks")) == _Step("listing networks", 1, 9)
    assert steps.step_at(Progress(1, 5, phase="listing networks")) == _Step("listing networks, step 2", 1, 5)


def test_polars_that_is_not_loaded(folder: Path) -> None:
    """Where memory is limited its library may not be; it warns then, and each use of it fails."""
    output = folder / "old.parquet"
    output.write_text("old", encoding="ascii")
    done = subprocess.run(
        [str(PROGRAM), "convert", "wide.csv", output.name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "POLARS_FORCE_PKG": "64"},  # a package that is not installed
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: polars, which reads and writes tables, was not loaded")
    assert len(done.stderr.splitlines()) == 1
    assert output.read_text(encoding="ascii") == "old"


def test_a_library_that_is_not_loaded(folder: Path) -> None:
    """Writers of plots load libraries late, when little memory may be left."""
    (folder / "matplotlib").mkdir()
    (folder / "matplotlib" / "__init__.py").write_text("")
    (folder / "matplotlib" / "figure.py").write_text("raise ImportError('libplot.so: failed to map segment')")
    output = folder / "old.svg"
    output.write_text("old", encoding="ascii")
    done = subprocess.run(
        [str(PROGRAM), "effect", "asia.csv", "--graph", "asia.bif", "--do", "smoke", "--on", "lung", "--plot", output],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in done.stderr
    assert output.read_text(encoding="ascii") == "old"


def test_out_of_memory_is_told_without_more_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("credenet.read", refuse)
    monkeypatch.setattr("credenet.cli.app.translate_to_shell", refuse)
    assert app.run(["info", str(folder / "asia.csv")]) == 1
    assert capsys.readouterr().err == "error: out of memory\n"
