"""Flags that several verbs share, and how results and progress are shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cyclopts import Parameter, Token

from credenet._files.suffixes import DATA_SUFFIXES, GRAPH_TEXT_SUFFIXES, NETWORK_SUFFIXES, DataFormat
from credenet.cli import INTERRUPTED, data_remarks
from credenet.cli.merges import read_merges
from credenet.cli.overwriting import WRITTEN

if TYPE_CHECKING:
    from credenet._run.progress import OnProgress, Progress
    from credenet.data.dataset import Dataset
    from credenet.data.states import StateLabels
    from credenet.families.table import FamilyTable
    from credenet.graphs import DAG, PDAG
    from credenet.inference.inference import Marginals
    from credenet.networks.bayesian import BayesianNetwork


def _whole_number(kind: object, tokens: Sequence[Token], wanted: str = "a whole number") -> int:
    """A whole number; a fraction is an error, not rounded."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{wanted} is needed, got {text!r}") from None


def _seed(kind: object, tokens: Sequence[Token]) -> int:
    """A whole number, or one that is drawn for ``fresh`` and told, so that the run can be repeated."""
    if tokens[0].value.lower() != FRESH:
        return _whole_number(kind, tokens, f"a whole number or {FRESH}")
    from credenet._run.progress import read_seed

    drawn = read_seed(None)
    print(f"--seed {FRESH} has drawn {drawn}; --seed {drawn} draws the same again", file=sys.stderr)
    return drawn


Whole = Annotated[int, Parameter(converter=_whole_number)]
WholeOrNone = Annotated[int | None, Parameter(converter=_whole_number)]
FRESH = "fresh"
Seed = Annotated[int, Parameter(converter=_seed)]
"""``seed=None`` of Python is ``--seed fresh``."""
Json = Annotated[bool, Parameter(name="--json", negative=())]
Threads = Annotated[WholeOrNone, Parameter(name="--n-threads")]


def _bytes_of(kind: object, tokens: Sequence[Token]) -> float:
    """A size as ``8e9``, ``500MB`` or ``8GB``."""
    text = tokens[0].value.strip()
    number, factor = text, 1.0
    for unit, size in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)):
        if text.lower().endswith(unit.lower()):
            number, factor = text[:-2], size
    try:
        return float(number) * factor
    except ValueError:
        raise ValueError(f"a size must be given as 8e9, 500MB or 8GB, got {text!r}") from None


def _comma_separated(kind: object, tokens: Sequence[Token]) -> list[str]:
    """Names or labels as ``a,b,"c, d"``; the flag may come more than once."""
    import csv

    return [name for row in csv.reader((token.value for token in tokens), skipinitialspace=True) for name in row]


MemoryLimit = Annotated[float | None, Parameter(name="--memory-limit", converter=_bytes_of)]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"]), WRITTEN]
RequiredOutput = Annotated[Path, Parameter(name=["--output", "-o"]), WRITTEN]
Written = Annotated[Path | None, WRITTEN]
"""A further file that a verb writes, such as a plot."""


@Parameter(name="*")
@dataclass(frozen=True)
class DataOptions:
    """How a table is read."""

    format: Annotated[DataFormat | None, Parameter(name="--format")] = None
    "Read the table in this format, whatever its suffix."
    header: Annotated[bool | None, Parameter(name="--header", negative="--no-header")] = None
    "Whether the first row holds the names; if not said, a first row of numbers only is data."
    encoding: Annotated[str | None, Parameter(name="--encoding")] = None
    "The encoding of text that is not UTF-8: cp1252, latin-1, utf-16-le, …"
    columns: Annotated[list[str] | None, Parameter(name="--columns", negative=(), converter=_comma_separated)] = None
    "The columns to read, separated by commas."
    drop: Annotated[list[str] | None, Parameter(name="--drop", negative=(), converter=_comma_separated)] = None
    "Columns to leave out, separated by commas."
    discretize: Annotated[list[str] | None, Parameter(name="--discretize", negative=())] = None
    "METHOD[:BINS] for columns of fractional numbers, and COLUMN=METHOD[:BINS]: width, frequency, median, cuts:A,B."
    decimal: Annotated[Literal[".", ","] | None, Parameter(name="--decimal")] = None
    "The decimal mark of numbers; the other one may stand between thousands."
    missing: Annotated[Literal["error", "drop", "state", "keep"] | None, Parameter(name="--missing")] = None
    "What to do with missing cells; learning and fitting cannot keep them, and state makes a gap a value."
    na_values: Annotated[
        list[str] | None,
        Parameter(name="--na-values", negative=(), converter=_comma_separated, allow_leading_hyphen=True),
    ] = None
    "Other labels of missing cells, separated by commas."
    weights: Annotated[str | None, Parameter(name="--weights")] = None
    "Column that holds row weights."
    states: Annotated[Literal["declared", "observed"], Parameter(name="--states")] = "declared"
    "Whether states that are declared but do not occur are kept."
    max_states: Annotated[Whole, Parameter(name="--max-states")] = 1024
    "A column with more states is refused."
    merge_states: Annotated[list[str] | None, Parameter(name=["--merge-states", "--merge"], negative=())] = None
    "States that become one: COLUMN=a+b or COLUMN=a+b:new; double quotes around what contains + : or =."
    repair: Annotated[bool, Parameter(name="--repair", negative=())] = False
    "Read a text table in spite of faults: leave out rows that do not fit, name columns without a name of their own."


@Parameter(name="*")
@dataclass(frozen=True)
class IngestOptions(DataOptions):
    """How a table is read by the verb whose ``--merge`` is about equal rows."""

    merge_states: Annotated[list[str] | None, Parameter(name="--merge-states", negative=())] = None
    "States that become one: COLUMN=a+b or COLUMN=a+b:new; double quotes around what contains + : or =."


_DEFAULT_DATA_OPTIONS = DataOptions()


def read_data(
    path: Path,
    options: DataOptions | None,
    *,
    missing: str = "error",
    remarks: bool = True,
    known: StateLabels | None = None,
    n_threads: int | None = None,
) -> Dataset:
    """The table that a verb works on; remarks on it are printed to stderr if wanted.

    A variable with ``known`` states need have no values.
    """
    import credenet
    from credenet.io.blocks.opening import is_block_file

    arguments = reading_arguments(options, missing=missing)
    if known and arguments["states"] == "declared" and not is_block_file(path):
        arguments["states"] = known
    with progress_bar(f"reading {path.name}") as on_progress:
        data = credenet.read(path, **arguments, n_threads=n_threads, on_progress=on_progress)
    if remarks:
        print_remarks(data)
    return data


def reading_arguments(options: DataOptions | None, *, missing: str = "error") -> dict[str, Any]:
    """The flags for a table as arguments of `credenet.read`."""
    options = options or _DEFAULT_DATA_OPTIONS
    return {
        "format": options.format,
        "header": options.header,
        "encoding": options.encoding,
        "columns": options.columns,
        "drop": options.drop or (),
        "discretize": _discretize(options.discretize),
        "decimal": options.decimal,
        "missing": options.missing or missing,
        "na_values": options.na_values or (),
        "weights": options.weights,
        "states": options.states,
        "max_states": options.max_states,
        "merge_states": read_merges(options.merge_states),
        "repair": options.repair,
    }


def print_remarks(data: Dataset) -> None:
    """Prints the remarks on a table to stderr, one per line; JSON has them, too."""
    from credenet.cli.advice import in_shell

    remarks = list(map(in_shell, data.info().remarks))
    data_remarks.note(remarks)
    for remark in remarks:
        print(f"remark: {remark}", file=sys.stderr)


def _discretize(values: list[str] | None) -> str | dict[str, str] | None:
    """A method for all columns, methods by column, or both; a column's name may itself contain ``=``."""
    from credenet.errors import ArgumentError

    methods: dict[str, str] = {}
    for value in values or ():
        column, _, method = value.rpartition("=") if "=" in value else ("*", "", value)
        if column in methods:
            which = "all columns" if column == "*" else f"column {column!r}"
            raise ArgumentError(f"--discretize gives two methods for {which}: {methods[column]} and {method}")
        methods[column] = method
    return methods["*"] if set(methods) == {"*"} else methods or None


def seconds_of(text: str | None) -> float | None:
    """A time as ``90``, ``90s``, ``10m`` or ``2h``."""
    from credenet.errors import ArgumentError

    if text is None:
        return None
    number, unit = (text[:-1], text[-1]) if text[-1:] in ("s", "m", "h") else (text, "s")
    try:
        seconds = float(number) * {"s": 1, "m": 60, "h": 3600}[unit]
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise ArgumentError(f"a time must be given as 90, 90s, 10m or 2h, got {text!r}")
    return seconds


def print_json(result: dict[str, Any]) -> None:
    """Prints one JSON object, with the remarks on the table; numbers that are not finite are null."""
    from credenet._json import json_text

    print(json_text({**result, **data_remarks.noted()}))


def finite(value: float | None) -> float | None:
    """A number that can be shown; an infinite one becomes None."""
    import math

    return value if value is not None and math.isfinite(value) else None


STOPPED = 3
_BAR = 20  # characters of a probability of 1


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


def read_source(
    path: Path, options: DataOptions | None, *, n_threads: int | None = None
) -> tuple[Dataset | FamilyTable, Literal["declared", "observed"] | None]:
    """A table of data with the states to count, or a table of families."""
    import credenet
    from credenet.io.families.family_tables import holds_families

    if holds_families(path):
        return credenet.load_families(path), None
    return read_data(path, options, n_threads=n_threads), None if options is None else options.states


@contextmanager
def progress_bar(what: str) -> Iterator[OnProgress | None]:
    """A progress bar on stderr if that is a terminal, with the score and the bound of a search."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[bounds]}"))
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None, bounds="")

        steps = _Steps(what)

        def show(progress: Progress) -> None:
            shown = steps.at(progress)
            bars.update(
                task, description=shown.title, completed=shown.done, total=shown.total, bounds=_bounds(progress)
            )

        yield show


class _Step(NamedTuple):
    """A bar: its title, the work done, and the total; None if the total is not known."""

    title: str
    done: int
    total: int | None


class _Steps:
    """Work in several steps, each of which counts from 0: a bar for each, named by its phase or numbered.

    A bar never moves back. A full bar becomes one without a total while the work continues.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._number = 0
        self._phase: str | None = None
        self._total = -1
        self._done = 0

    def at(self, progress: Progress) -> _Step:
        if progress.phase != self._phase:
            self._number = 0
        if progress.phase != self._phase or progress.total != self._total or progress.done < self._done:
            self._number += 1
        self._phase, self._total, self._done = progress.phase, progress.total, progress.done
        what = progress.phase or self._what
        title = what if self._number == 1 else f"{what}, step {self._number}"
        return _Step(title, progress.done, progress.total if progress.done < progress.total else None)


def _bounds(progress: Progress) -> str:
    score, bound = finite(progress.score), finite(progress.bound)
    parts = [f"{name} {value:.4f}" for name, value in (("score", score), ("bound", bound)) if value is not None]
    if progress.order is not None:
        parts.append(f"order {progress.order}")
    if score is not None and bound is not None:
        parts.append(f"gap {bound - score:.4g}")
    return "  ".join(parts)


def kind_of(path: Path) -> Literal["table", "families", "network", "graph"]:
    """What a file holds, by its suffix, or by its contents if the suffix does not decide it."""
    from credenet._files.files import beginning_of, suffix_of
    from credenet.io.families.family_tables import holds_families
    from credenet.io.networks.json_network import is_network
    from credenet.io.sniffing import looks_like_graph, looks_like_table, sniffed_format

    suffix = suffix_of(path)
    if suffix in DATA_SUFFIXES and suffix != ".parquet":
        return "table"
    if suffix == ".json":
        return "network" if is_network(path) else "graph"
    if suffix in NETWORK_SUFFIXES:
        return "network"
    if path.is_file() and holds_families(path):
        return "families"
    if suffix == ".parquet":
        return "table"
    beginning = beginning_of(path)
    if sniffed_format(beginning):
        return "network"
    if suffix in GRAPH_TEXT_SUFFIXES:
        return "table" if looks_like_table(beginning) else "graph"
    return "graph" if not suffix and looks_like_graph(beginning) else "table"


def load_structure(path: Path) -> BayesianNetwork | DAG | PDAG:
    """The network or the graph in a file; a file with the suffix of a table is read as an adjacency matrix."""
    import credenet

    return credenet.load(path) if kind_of(path) == "network" else credenet.load_graph(path)


def marginal_bars(marginals: Marginals, errors: Marginals | None = None) -> str:
    """A line for every state, with a bar in proportion to its probability."""
    from credenet._text import table

    rows = []
    for name, distribution in marginals.items():
        for at, (state, probability) in enumerate(distribution.items()):
            shown = f"{probability:.6f}" + ("" if errors is None else f" ± {errors[name][state]:.6f}")
            rows.append([name if at == 0 else "", str(state), shown, "█" * round(_BAR * probability)])
    return table(["variable", "state", "probability", ""], rows)
