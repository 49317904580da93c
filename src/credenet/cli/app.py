"""The application: its verbs, and how errors and signals become exit codes."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

from cyclopts import App

from credenet.cli.advice import in_shell
from credenet.cli.verbs.compare import compare
from credenet.cli.verbs.convert import convert
from credenet.cli.verbs.credible import credible
from credenet.cli.verbs.draw import draw
from credenet.cli.verbs.example import example
from credenet.cli.verbs.explain import explain
from credenet.cli.verbs.fit import fit
from credenet.cli.verbs.info import info
from credenet.cli.verbs.learn import learn
from credenet.cli.verbs.query import query
from credenet.cli.verbs.sample import sample
from credenet.cli.verbs.score import score

FAILED = 1
USAGE = 2


def _version() -> str:
    from importlib.metadata import version

    return version("credenet")


app = App(
    name="credenet",
    help="Bayesian networks learned from discrete data, with a statement of how sure they are.",
    version=_version,
    result_action="return_value",
    help_format="plaintext",
)
VERBS = (example, info, score, learn, credible, fit, query, explain, sample, compare, convert, draw)
for verb in VERBS:
    app.command(verb)
app.register_install_completion_command(add_to_startup=False)


def run(arguments: Sequence[str]) -> int:
    """Runs one command; the exit code."""
    from cyclopts import CycloptsError

    from credenet.errors import ArgumentError, CredenetError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    try:
        code = app(arguments, exit_on_error=False, print_error=True)
        sys.stdout.flush()
    except CycloptsError:
        return USAGE
    except ArgumentError as error:
        return _failed(str(error), USAGE)
    except CredenetError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # what reads our output has gone; keep the interpreter from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        return _failed(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except MemoryError as error:
        return _failed(f"out of memory ({error})" if str(error) else "out of memory")
    return code if isinstance(code, int) else 0


def _failed(message: str, code: int = FAILED) -> int:
    print(f"error: {in_shell(message)}", file=sys.stderr)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"warning: {in_shell(str(message))}", file=sys.stderr)
