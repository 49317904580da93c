"""The commands that fit the result of ``credenet learn`` or ``info``, as a terminal shows them after it.

After ``learn``, three are chosen from what is known: whether a limit ended the search, the number of variables, whether
rows or families were given, which file was written, and the tree-width. Each works as it is printed: it reads the table
with the flags of the command that was given, and scores it alike.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count, islice
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from credenet._files.suffixes import GRAPH_SUFFIXES
from credenet.cli import INTERRUPTED
from credenet.cli.answers import exit_code
from credenet.cli.arguments.flags import arguments_of

if TYPE_CHECKING:
    from credenet.data.states import StateLabels
    from credenet.families.table import FamilyTable
    from credenet.learners.results import LearnResult

N_SHOWN = 3
DEFAULT_BAYES_FACTOR = 20.0  # Of `credenet credible`.
MOST_SUMMED = 20  # Variables that `credenet posterior` sums over exactly, in seconds.
MOST_DRAWN_FROM = 100  # Variables for which Markov chains are worth ten minutes.
MOST_ASKED_EXACTLY = 60  # Variables of a network that effects are computed in without knowing its tree-width.
MOST_DRAWN_WHOLE = 60  # Nodes that fit into one picture.
_SWITCHES = {"--repair", "--header", "--no-header", "--isolate-constant", "--no-isolate-constant"}
_SYNONYMS = {"--merge": "--merge-states"}


class NextCommand(NamedTuple):
    """A command as it can be given, and what it tells."""

    line: str
    what: str


@dataclass(frozen=True)
class LearnedNetwork:
    """What ``credenet learn`` has done, as far as the next commands depend on it.

    Attributes
    ----------
    words
        The words of the command after ``learn``.
    families
        The families, if they were given instead of rows.
    states
        The states of the variables; None if families were given, or if the file that was written has other names.
    """

    result: LearnResult
    words: Sequence[str]
    data: Path
    output: Path | None
    families: FamilyTable | None
    states: StateLabels | None
    kept: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kept", _flags_in(self.words))

    @property
    def n_variables(self) -> int:
        return len(self.result.graph.variables)

    @property
    def is_table(self) -> bool:
        return self.families is None

    @property
    def has_tables(self) -> bool:
        """Whether the file that was written has tables, so that it answers questions."""
        from credenet._files.files import suffix_of

        return self.output is not None and self.is_table and suffix_of(self.output) not in GRAPH_SUFFIXES

    @property
    def is_modular(self) -> bool:
        """Whether prior and rules are sums over families, which averages over networks need."""
        from credenet.knowledge.kinds import global_kinds

        prior, knowledge = self.result.provenance.prior, self.result.provenance.knowledge
        return (prior is None or prior.is_modular) and (knowledge is None or not global_kinds(knowledge))

    def with_data(self, verb: str, *words: str) -> str:
        """A command of another verb on the same data, with the flags of the given one that this verb has, too."""
        function = getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)
        known = {each.written for each in arguments_of(function)}
        flags = {name: given for name, given in self.kept.items() if _long(name) in known and name != "--time-limit"}
        kept = [word for given in flags.values() for word in given]
        return shlex.join(["credenet", verb, str(self.data), *words, *kept])

    def again(self, *words: str) -> str:
        """The same command with more flags."""
        return shlex.join(["credenet", "learn", *self.words, *words])

    def new_file(self, suffix: str) -> str:
        """The name of a file that does not exist yet, beside the data."""
        return _new_file(self.data, suffix)


def _new_file(beside: Path, suffix: str) -> str:
    """The name of a file that does not exist yet, beside another one."""
    stem = beside.name.removesuffix(".gz").partition(".")[0] or "network"
    names = (beside.with_name(f"{stem}{'' if k == 1 else f'-{k}'}{suffix}") for k in count(1))
    return str(next(path for path in names if not path.exists()))


def print_commands_for_table(table: Path, words: Sequence[str], has_gaps: bool) -> None:
    """Prints what to do with a table that ``info`` could read to stderr, if the result was printed on a terminal.

    ``words`` are the flags of the command that read it.
    """
    if not is_terminal():
        return
    reading = [word for given in _flags_in(words).values() for word in given]
    if has_gaps and not _has(reading, "--missing"):
        reading += ["--missing", "drop"]
    network = ["-o", _new_file(table, ".bif")]
    lines = [(["learn", str(table), *reading, *network], "the best network; then the commands that fit next")]
    if reading:
        clean = _new_file(table, "-clean.parquet")
        weights = ["--weights", "weight"] if _has(reading, "--weights") else []  # The name of the column in the file.
        lines = [
            (
                ["convert", str(table), clean, *reading],
                "the table as it is read here, so that no flags are needed later",
            ),
            (["learn", clean, *weights, *network], lines[0][1]),
        ]
    _print_commands([NextCommand(shlex.join(["credenet", *line]), what) for line, what in lines])


def print_advice_on_order(variables: Sequence[str]) -> None:
    """Prints how to say which variable comes first, if effects without knowledge were printed on a terminal."""
    if not is_terminal():
        return
    from credenet._json import json_text

    sys.stdout.flush()
    rules = {"format": "credenet knowledge", "tiers": [[name] for name in variables]}
    print(
        "\nThe directions of edges come from the rows alone, which often cannot tell them. Say what comes first:\n"
        f"  --knowledge rules.json, a file such as {json_text(rules)};\n"
        "  each list is a step in time, and may have more variables",
        file=sys.stderr,
    )


def _print_commands(commands: Sequence[NextCommand]) -> None:
    sys.stdout.flush()
    print("\nnext:", *(f"  {each.line}\n      {each.what}" for each in commands), sep="\n", file=sys.stderr)


def print_next_commands(learned: LearnedNetwork) -> None:
    """Prints the commands to stderr, if the result was printed on a terminal."""
    if not is_terminal() or not learned.result.has_network:
        return
    if exit_code(learned.result.status) == INTERRUPTED:
        return
    _print_commands(next_commands(learned))


def is_terminal() -> bool:
    """Whether results are printed on a terminal."""
    return sys.stdout.isatty()


def next_commands(learned: LearnedNetwork) -> list[NextCommand]:
    """The three commands that fit a result best."""
    from_network = [*_questions(learned), *_how_sure(learned)]
    from_data = [*_how_sure(learned), *_questions(learned)]
    by_use = from_network if learned.result.tree_width is not None else from_data
    return list(islice([*_more_time(learned), *by_use, *_pictures(learned), *_choices(learned)], N_SHOWN))


def _more_time(learned: LearnedNetwork) -> Iterator[NextCommand]:
    """The same search for ten times as long, if time ended it."""
    given = learned.kept.get("--time-limit")
    if learned.result.status != "time_limit" or given is None:
        return
    from credenet.cli.arguments.groups import seconds_of

    text = given[-1].removeprefix("--time-limit=")
    longer = f"{10 * (seconds_of(text) or 0):g}s"
    words = list(learned.words)
    at = words.index(given[0])
    words[at : at + len(given)] = ["--time-limit", longer]
    yield NextCommand(shlex.join(["credenet", "learn", *words]), "the search was ended by its limit: give it more time")


def _how_sure(learned: LearnedNetwork) -> Iterator[NextCommand]:
    """How sure the edges are: over all networks if that takes seconds, else over as many as can be had."""
    if learned.families is not None:
        slack = learned.families.made.slack
        if learned.is_modular and slack is not None and slack >= log(DEFAULT_BAYES_FACTOR):
            yield NextCommand(learned.with_data("credible"), "all networks that are nearly as probable as this one")
        return
    if learned.is_modular and learned.n_variables <= MOST_SUMMED:
        yield NextCommand(learned.with_data("posterior"), "how probable each edge is, over all networks")
    elif learned.is_modular and learned.result.status == "optimal":
        line = learned.with_data("credible", "--time-limit", "10m")
        yield NextCommand(line, "all networks that are nearly as probable as this one")
    elif learned.is_modular and learned.n_variables <= MOST_DRAWN_FROM:
        line = learned.with_data("posterior", "--time-limit", "10m")
        yield NextCommand(line, "how probable each edge is, by Markov chains that say whether they agree")
    elif not _has(learned.words, "--bootstrap"):
        yield NextCommand(learned.again("--bootstrap", "20"), "how often each edge is found in samples of the rows")


def _questions(learned: LearnedNetwork) -> Iterator[NextCommand]:
    """Probabilities and effects, or the file that answers them."""
    output = learned.output
    if output is None:
        suffix, what = (".bif", "its tables, for questions") if learned.is_table else (".txt", "its edges")
        yield NextCommand(learned.again("-o", learned.new_file(suffix)), f"writes the network with {what}")
    elif learned.is_table and not learned.has_tables:
        words = ("--graph", str(output), "-o", learned.new_file(".bif"))
        yield NextCommand(learned.with_data("fit", *words), "adds tables to the graph, for questions")
    edge = _chosen_edge(learned)
    if edge is None or learned.states is None:
        return
    cause, effect = edge
    if output is not None and learned.has_tables:
        evidence = f"{cause}={learned.states[cause][0]}"
        method = [] if _is_small(learned, MOST_SUMMED) else ["--method", "auto"]
        line = shlex.join(["credenet", "query", str(output), effect, "--evidence", evidence, *method])
        yield NextCommand(line, f"the probabilities of {effect} where {cause} is known")
    what = f"what happens to {effect} if {cause} is changed from outside"
    if learned.is_modular and learned.n_variables <= MOST_SUMMED:
        line = learned.with_data("effect", "--do", cause, "--on", effect, "--posterior")
        yield NextCommand(line, f"{what}, and how sure that is")
    elif output is not None and learned.has_tables and _is_small(learned, MOST_ASKED_EXACTLY):
        yield NextCommand(shlex.join(["credenet", "effect", str(output), "--do", cause, "--on", effect]), what)


def _pictures(learned: LearnedNetwork) -> Iterator[NextCommand]:
    if learned.output is None:
        return
    line = ["credenet", "draw", str(learned.output), "-o", learned.new_file(".svg")]
    edge = _chosen_edge(learned)
    if learned.n_variables > MOST_DRAWN_WHOLE and edge is not None:
        line += ["--focus", edge[1]]
    yield NextCommand(shlex.join(line), "a picture of the network")


def _choices(learned: LearnedNetwork) -> Iterator[NextCommand]:
    """What is left to ask if nothing else fits: how much depends on the rows, and on the score."""
    if not learned.is_table:
        yield NextCommand(shlex.join(["credenet", "info", str(learned.data)]), "what the families were made of")
        if not _has(learned.words, "--cpdag"):
            yield NextCommand(learned.again("--cpdag"), "the edges whose directions all equivalent networks share")
        return
    if not _has(learned.words, "--bootstrap"):
        yield NextCommand(learned.again("--bootstrap", "20"), "how often each edge is found in samples of the rows")
    line = learned.with_data("info")
    yield NextCommand(line, "what is in the table: states, rows and remarks")


def _chosen_edge(learned: LearnedNetwork) -> tuple[str, str] | None:
    """The last edge of the network, if possible one whose direction all equivalent networks share."""
    from credenet.errors import GraphError

    try:
        dag, directed = learned.result.dag, set(learned.result.cpdag.directed)
    except GraphError:  # The graph of a constraint-based method may have no consistent extension.
        return None
    place = {name: at for at, name in enumerate(dag.topological_order())}
    named = [each for each in dag.edges if not any(name.startswith("-") for name in each)]
    return max(named, key=lambda edge: (edge in directed, place[edge[1]], place[edge[0]]), default=None)


def _is_small(learned: LearnedNetwork, most: int) -> bool:
    """Whether exact inference is fast for sure: the network has few variables or a known tree-width."""
    return learned.result.tree_width is not None or learned.n_variables <= most


def _has(words: Sequence[str], name: str) -> bool:
    return any(word.partition("=")[0] == name for word in words)


def _long(name: str) -> str:
    """The name under which a flag is listed."""
    plain = name.replace("--no-", "--", 1)
    return _SYNONYMS.get(plain, plain)


def _flags_in(words: Sequence[str]) -> dict[str, list[str]]:
    """The flags of a command about reading, scoring and time, each with its words, as they were given."""
    from credenet.cli.arguments.groups import LearnScoringFlags, TableFlags

    groups: list[Any] = [LearnScoringFlags, TableFlags]
    shared = {f"--{name.replace('_', '-')}" for group in groups for name in group.__dataclass_fields__}
    found: dict[str, list[str]] = {}
    rest = iter(words)
    for word in rest:
        name = word.partition("=")[0]
        if not name.startswith("--") or (_long(name) not in shared and name != "--time-limit"):
            continue
        alone = "=" in word or name in _SWITCHES
        found.setdefault(name, []).extend([word] if alone else [word, next(rest, "")])
    return found
