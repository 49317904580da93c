"""The application: its verbs, and how errors and signals become exit codes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn, TextIO

from cyclopts import App

from credenet.cli.compare import compare
from credenet.cli.convert import convert
from credenet.cli.fit import fit
from credenet.cli.info import info
from credenet.cli.sample import sample

FAILED = 1
USAGE = 2
INTERRUPTED = 130


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
for verb in (info, fit, sample, compare, convert):
    app.command(verb)
app.register_install_completion_command(add_to_startup=False)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Runs one command; the exit code."""
    from cyclopts import CycloptsError

    from credenet.errors import CredenetError

    warnings.showwarning = _show_warning
    try:
        app(arguments, exit_on_error=False, print_error=True)
    except CycloptsError:
        return USAGE
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
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return 0


def _failed(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return FAILED


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"warning: {message}", file=sys.stderr)
