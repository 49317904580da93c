"""The application: its verbs, and how errors and signals become exit codes."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from cyclopts import App

from credenet.cli import FAILED, INTERRUPTED, answers, overwriting
from credenet.cli.advice import translate_to_shell

if TYPE_CHECKING:
    from cyclopts import CycloptsError

USAGE = 2


def _version() -> str:
    from importlib.metadata import version

    return version("credenet")


def _error_panel(error: CycloptsError) -> object:
    """An error of usage as it is shown; a flag of another program is answered with ours."""
    from cyclopts import CycloptsPanel, UnknownOptionError

    from credenet.cli.advice import flag_advice

    if isinstance(error, UnknownOptionError):
        flag = (error.token.keyword or error.token.value).partition("=")[0]
        advice = flag_advice(flag, {name for each in error.argument_collection for name in each.names})
        if advice is not None:
            return CycloptsPanel(f"Unknown option: {flag}. {advice}")
    return CycloptsPanel(error)


app = App(
    name="credenet",
    help="Bayesian networks learned from tables of labels and numbers, with a statement of how sure they are.",
    version=_version,
    result_action="return_value",
    error_formatter=_error_panel,
    help_format="plaintext",
)
# Verbs are imported only when they run, so their help is repeated here.
VERBS = {
    "tutorial": "Write the files of the tutorial into a new folder, and tell the first command.",
    "example": "Write a textbook network, or rows drawn from one; without a name, list them.",
    "info": "Show what is in a table of data or of families, a network file or a graph file.\n\n"
    "Missing cells are counted and kept unless --missing says otherwise. "
    "Of a table that cannot be used as it stands, all\nproblems are listed with their cures; the exit code is then 1.",
    "score": "Score the candidate parent sets of every variable, or the graph given with --graph.",
    "learn": "Learn the best network of a table of data, or of a family table.",
    "credible": "List all networks of a table of data, or of families, that are within a Bayes factor of the best.",
    "posterior": "Find the probability of every edge, over all networks of a table of data or of families.",
    "effect": "Tell what happens to variables if others are set from outside: P(y | do(x)).\n\n"
    "Effects are averaged over the credible networks of a table of data. In a network file they are computed exactly.",
    "explore": "Explore credible networks, or one network, in the browser. Ctrl-C ends it.\n\n"
    "The page is served on this machine only, at the address that is printed. Needs the extra credenet[explore].",
    "validate": "Rank scores, priors or methods by how well they find, in few rows, what all of them find in all rows."
    "\n\nNo true network is needed.",
    "fit": "Fit the tables of a network with a known structure to data.",
    "query": "Ask a network for probabilities given evidence.",
    "approximate": "Answer for a network that is too hard by a simpler one, learned from rows drawn from it.\n\n"
    "If the rows do not represent the network, as those of Gibbs chains that disagree, the answer says so and the "
    "exit\ncode is 3.",
    "explain": "Find the most relevant explanations of evidence: states of some targets with a large generalised Bayes "
    "factor.",
    "sample": "Draw rows from a network.\n\n"
    "Rows of a Markov network are drawn exactly if that fits into memory, else by Gibbs sampling.",
    "compare": "Compare a learned graph or network with a reference.",
    "convert": "Write a network, a graph or a table in another format, given by the suffixes.\n\n"
    "A network can also be written as a graph (.txt, .csv adjacency matrix, .dot), which keeps its structure only.",
    "ingest": "Write a table of any size as a block file, which is opened without reading it into memory.\n\n"
    "An interrupted run leaves OUTPUT.part and OUTPUT.journal; the same command continues it.",
    "draw": "Draw a graph or the structure of a network.",
}
FIRST_WORDS = """\
credenet learns Bayesian networks from tables, and says how sure they are.

To try it:
  credenet tutorial clinic                a table in a new folder, and the first command for it

With a table of your own:
  credenet info TABLE.csv                 what is in it, and what must be mended first
  credenet learn TABLE.csv -o MODEL.bif   the best network; then it shows the commands that fit next
  credenet query MODEL.bif VARIABLE --evidence OTHER=STATE

All verbs: credenet --help        One of them: credenet learn --help"""
for verb, description in VERBS.items():
    app.command(f"credenet.cli.verbs.{verb}:{verb}", name=verb, help=description)
app.register_install_completion_command(add_to_startup=False)


_NOT_LOADED = "Polars binary is missing!"  # A warning of polars, which then fails wherever it is used.


def run(arguments: Sequence[str]) -> int:
    """Runs one command; the exit code."""
    from cyclopts import CycloptsError

    from credenet.errors import ArgumentError, CredenetError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    warnings.filterwarnings("error", message=_NOT_LOADED)
    overwriting.begin()
    answers.begin()
    try:
        if not arguments:
            print(FIRST_WORDS)
            sys.stdout.flush()
            return 0
        verb, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=True)
        overwriting.check(verb, bound)
        code = verb(*bound.args, **bound.kwargs)
        sys.stdout.flush()
    except CycloptsError:
        return USAGE
    except ArgumentError as error:
        return _fail(str(error), USAGE)
    except CredenetError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has ended; the interpreter must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except MemoryError as error:
        # The message is printed as it is: to put it in the words of a shell would take memory.
        print(f"error: out of memory ({error})" if str(error) else "error: out of memory", file=sys.stderr)
        return FAILED
    except UserWarning as error:
        if str(error) != _NOT_LOADED:
            raise
        return _fail("polars, which reads and writes tables, was not loaded; this happens where memory is limited")
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int = FAILED) -> int:
    print(f"error: {translate_to_shell(message)}", file=sys.stderr)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"warning: {translate_to_shell(str(message))}", file=sys.stderr)
