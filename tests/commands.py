"""Commands as a user gives them, run in this process: to start Python for each takes longer than what they do."""

from __future__ import annotations

import io
import json
import sys
import warnings
from contextlib import AbstractContextManager, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from credenet.cli.app import run

PROGRAM = Path(sys.executable).with_name("credenet")


@dataclass(frozen=True)
class Done:
    """The exit code of a command and its output."""

    returncode: int
    stdout: str
    stderr: str


def as_program(words: list[str]) -> AbstractContextManager[object]:
    return patch.object(sys, "argv", ["credenet", *words])


def credenet_command(*arguments: object, cwd: Path) -> Done:
    """``credenet`` with these arguments, in a folder."""
    words = list(map(str, arguments))
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings(), as_program(words):
        warnings.resetwarnings()
        for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", hidden)  # Python ignores these warnings, too, unless asked.
        code = run(words)
    return Done(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def answer(*arguments: object, cwd: Path) -> dict[str, Any]:
    """The JSON object that a command prints."""
    done = credenet_command(*arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result
