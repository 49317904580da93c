"""How a verb ends: its answer on stdout, as text or as JSON, remarks and messages on stderr, and its exit code."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from credenet.cli import INTERRUPTED
from credenet.cli.advice import translate_to_shell

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.inference.inference import Marginals

STOPPED = 3
_BAR = 20  # The characters of a bar for the probability 1.
_SMALLEST_LOG = -700.0  # Natural log of a probability below which floating-point numbers are too coarse.
_data_remarks: list[list[str]] = []  # The remarks on each table that was read, as they were printed.


def begin() -> None:
    """Forgets the tables of an earlier command."""
    _data_remarks.clear()


def print_remarks(data: Dataset, *, of_reading: bool = False) -> None:
    """Prints the remarks on a table to stderr, one per line; JSON repeats them.

    Those of reading tell what was left out, and are not in a file that is written.
    """
    remarks = list(map(translate_to_shell, data._notes if of_reading else data.info().remarks))
    _data_remarks.append(remarks)
    for remark in remarks:
        print(f"remark: {remark}", file=sys.stderr)


def print_json(result: Mapping[str, Any]) -> None:
    """Prints one JSON object, with the remarks on the tables; numbers that are not finite are null."""
    from credenet._json import json_text

    told = dict(result)
    if "remarks" in told:
        told["remarks"] = list(map(translate_to_shell, told["remarks"]))
    if _data_remarks:
        told["data_remarks"] = [remark for remarks in _data_remarks for remark in remarks]
    print(json_text(told))


def print_answer(json: bool, described: Callable[[], Mapping[str, Any]], text: object) -> None:
    """Prints the answer of a verb, as JSON if asked for."""
    if json:
        print_json(described())
    else:
        print(text)


def exit_code(status: str) -> int:
    """The exit code of a status; on the command line only Ctrl-C stops a search."""
    if status in ("stopped", "interrupted"):
        return INTERRUPTED
    if status == "infeasible":
        return 1
    return STOPPED if status.endswith("_limit") else 0


def say_stopped(status: str, answer: str) -> None:
    """After Ctrl-C, says what the answer is."""
    if exit_code(status) == INTERRUPTED:
        print(f"interrupted; {answer}", file=sys.stderr)


def end(status: str, answer: str) -> int:
    """The exit code of a status; after Ctrl-C, says what the answer is."""
    say_stopped(status, answer)
    return exit_code(status)


def evidence_line(log_probability: float, error: float | None = None, *, is_exact: bool = True) -> str:
    """The probability of the evidence, and its logs, which do not vanish where it is very small."""
    base10 = log_probability / math.log(10)
    plain = f"{math.exp(log_probability):.4g}" if log_probability > _SMALLEST_LOG else f"10^{base10:.1f}"
    spread = "" if error is None else f" ± {error:.6f}"
    about = "" if is_exact else "about "
    return f"probability of the evidence {about}{plain} (log {log_probability:.6f}{spread}, base 10: {base10:.6f})"


def marginal_bars(marginals: Marginals, errors: Marginals | None = None) -> str:
    """A line for every state, with a bar in proportion to its probability."""
    from credenet._text import table

    rows = []
    for name, distribution in marginals.items():
        for at, (state, probability) in enumerate(distribution.items()):
            shown = f"{probability:.6f}" + ("" if errors is None else f" ± {errors[name][state]:.6f}")
            rows.append([name if at == 0 else "", str(state), shown, "█" * round(_BAR * probability)])
    return table(["variable", "state", "probability", ""], rows)
