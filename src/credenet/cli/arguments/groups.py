"""Flags that several verbs share: how a table is read, what is scored, what is credible, and the limits of a call.

A group is one parameter of a verb, which flattens into its flags. A verb words the help of a flag for itself by naming
it in its docstring, as in ``limits.time_limit``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from credenet._files.suffixes import DataFormat
from credenet.cli.arguments.merges import read_merges
from credenet.cli.arguments.parameters import (
    MemoryLimit,
    ModularPriorArgument,
    Names,
    PriorArgument,
    ScoreArgument,
    Seed,
    Switch,
    Threads,
    Whole,
    WholeOrNone,
    Words,
    apply_flags,
)
from credenet.errors import ArgumentError
from credenet.settings.priors import Uniform
from credenet.settings.scores import SCORES, BDeu

_MASS = (
    "Instead, the share of the posterior that the networks must hold, such as 0.95, with the least Bayes factor that\n"
    "covers it (at most 26 variables)."
)


@Parameter(name="*")
@dataclass(frozen=True)
class TableFlags:
    """How a table is read."""

    format: DataFormat | None = None
    "Read the table in this format, whatever its suffix."
    header: bool | None = None
    "Whether the first row holds the names; if not said, a first row of numbers only is data."
    encoding: str | None = None
    "The encoding of text that is not UTF-8: cp1252, latin-1, utf-16-le, …"
    columns: Names = None
    "The columns to read, separated by commas."
    drop: Names = None
    "Columns to leave out, separated by commas."
    discretize: Words = None
    "METHOD[:BINS] for columns of fractional numbers, and COLUMN=METHOD[:BINS]: width, frequency, median, cuts:A,B."
    decimal: Literal[".", ","] | None = None
    "The decimal mark of numbers; the other one may stand between thousands."
    missing: Literal["error", "drop", "state", "keep"] | None = None
    "What to do with missing cells; learning and fitting cannot keep them, and state makes a gap a value."
    na_values: Annotated[Names, Parameter(allow_leading_hyphen=True)] = None
    "Other labels of missing cells, separated by commas."
    weights: str | None = None
    "Column that holds row weights."
    states: Literal["declared", "observed"] = "declared"
    "Whether states that are declared but do not occur are kept."
    max_states: Whole = 1024
    "A column with more states is refused."
    merge_states: Annotated[Words, Parameter(name=["--merge-states", "--merge"])] = None
    "States that become one: COLUMN=a+b or COLUMN=a+b:new; double quotes around what contains + : or =."
    repair: Switch = False
    "Read a text table in spite of faults: leave out rows that do not fit, name columns without a name of their own."

    def arguments(self, *, missing: str = "error") -> dict[str, Any]:
        """The arguments of `credenet.read`."""
        return {
            **vars(self),
            "drop": self.drop or (),
            "discretize": _methods_by_column(self.discretize),
            "missing": self.missing or missing,
            "na_values": self.na_values or (),
            "merge_states": read_merges(self.merge_states),
        }


@Parameter(name="*")
@dataclass(frozen=True)
class IngestFlags(TableFlags):
    """How a table is read by the verb whose ``--merge`` is about equal rows."""

    merge_states: Words = None
    "States that become one: COLUMN=a+b or COLUMN=a+b:new; double quotes around what contains + : or =."


@Parameter(name="*")
@dataclass(frozen=True)
class ScoringFlags:
    """How networks are scored, and which are allowed."""

    score: ScoreArgument | None = None
    "The score; bdeu if not given."
    ess: float | None = None
    "Equivalent sample size of bdeu, bds and bde; 1 if not given."
    prior: PriorArgument | None = None
    "The structure prior; uniform if not given."
    knowledge: Path | None = None
    "A file of knowledge that the networks must obey (.json or GOBNILP constraints)."
    max_parents: WholeOrNone = None
    "The largest number of parents of a variable."

    def arguments(self) -> dict[str, Any]:
        """The arguments of a call; the file of knowledge is read."""
        score = self.score
        chosen = {"ess": self.ess} if score is None else {"score": apply_flags(SCORES, score, ess=self.ess)}
        return {**vars(self), "score": None, "ess": None, **chosen, "knowledge": load_knowledge(self.knowledge)}


@Parameter(name="*")
@dataclass(frozen=True)
class NetworkScoringFlags(ScoringFlags):
    """How the networks of a learner are scored, and which are allowed."""

    isolate_constant: bool = True
    "Whether variables with one observed state get no edges; otherwise the score decides."


@Parameter(name="*")
@dataclass(frozen=True)
class LearnScoringFlags(NetworkScoringFlags):
    """How the network of `learn` is scored."""

    knowledge: Path | None = None
    "A file of knowledge that the network must obey (.json or GOBNILP constraints)."


@Parameter(name="*")
@dataclass(frozen=True)
class FamilyScoringFlags(NetworkScoringFlags):
    """How families are scored, and which are allowed; they always have a score and a prior."""

    score: ScoreArgument = BDeu()
    "The score."
    prior: ModularPriorArgument = Uniform()
    "The structure prior."
    knowledge: Path | None = None
    "A file of knowledge that the families must obey (.json or GOBNILP constraints)."


@Parameter(name="*")
@dataclass(frozen=True)
class CredibleFlags:
    """How far from the best a network is credible."""

    bayes_factor: float | None = None
    "Keep a network if the best is at most this many times as probable; 20 if nothing else is given."
    slack: float | None = None
    "The same limit as a difference of scores, in nats."
    ratio: float | None = None
    "The same limit as a ratio of scores."


@Parameter(name="*")
@dataclass(frozen=True)
class ListingFlags(CredibleFlags):
    """How many networks are listed."""

    mass: Annotated[float | None, Parameter(help=_MASS)] = None
    k: WholeOrNone = None
    "Instead, the k best networks (or classes) and those that score the same as the last of them."

    def limit_arguments(self) -> dict[str, Any]:
        """The limit as arguments of a call that has no ``k``."""
        return {name: value for name, value in vars(self).items() if name != "k"}


@Parameter(name="*")
@dataclass(frozen=True)
class LimitFlags:
    """What a call may take."""

    time_limit: str | None = None
    "Stop after this long (90, 90s, 10m) with what was found so far."
    memory_limit: MemoryLimit = None
    "The memory that may be used (8e9, 500MB, 8GB); three quarters of the free memory if not given."
    n_threads: Threads = None

    def arguments(self) -> dict[str, Any]:
        """The arguments of a call."""
        return {**vars(self), "time_limit": seconds_of(self.time_limit)}


@Parameter(name="*")
@dataclass(frozen=True)
class MethodFlags:
    """The settings of an approximate method, with the defaults of the method."""

    samples: WholeOrNone = None
    "Samples of likelihood_weighting, importance_sampling and gibbs."
    i_bound: WholeOrNone = None
    "Clusters of ijgp and importance_sampling have at most one variable more than this."
    damping: float | None = None
    "The share of an old message that loopy_bp and ijgp keep."
    max_iterations: WholeOrNone = None
    "The largest number of iterations of loopy_bp and ijgp."
    tolerance: float | None = None
    "A message has converged if it changes by less than this."
    burn_in: WholeOrNone = None
    "Sweeps of a Gibbs chain before its first sample."
    restarts: WholeOrNone = None
    "The number of Gibbs chains."
    seed: Seed = 0
    "The seed of the methods that sample; fresh draws one and tells it."

    def method_arguments(self) -> dict[str, Any]:
        """All but the seed, which is an argument of the call."""
        return {name: value for name, value in vars(self).items() if name != "seed"}


def load_knowledge(path: Path | None) -> Any:
    """The knowledge in a file, if one is given."""
    import credenet

    return None if path is None else credenet.Knowledge.load(path)


def _methods_by_column(values: list[str] | None) -> str | dict[str, str] | None:
    """A method for all columns, methods by column, or both; a column's name may itself contain ``=``."""
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
