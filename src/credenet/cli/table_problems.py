"""A table that cannot be used as it stands: what can be read of it, all that is wrong, and the flags that cure it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet._text import count, several
from credenet.cli.advice import as_flags, translate_to_shell
from credenet.cli.arguments.groups import TableFlags
from credenet.errors import DataError, FormatError, Problem

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class UnusableTable:
    """The problems of a table, the columns that have none, and the arguments that read it cured, if any do."""

    path: Path
    messages: tuple[str, ...]
    problems: tuple[Problem, ...]
    readable: Dataset | None
    cures: dict[str, Any] | None
    cured: Dataset | None
    left_out: list[str]  # Columns that have no problem, but that a remark advises to leave out.

    @property
    def command(self) -> str | None:
        """The command line that shows the table cured."""
        if self.cures is None:
            return None
        return f"credenet info {shlex.quote(str(self.path))} {_flags_of(self.cures)}"

    def to_dict(self) -> dict[str, Any]:
        """The summary of what can be read, with the problems."""
        told = [{**each.to_dict(), "cure": _flags_of(each.arguments)} for each in self.problems]
        described = {} if self.readable is None else self.readable.info().to_dict()
        return {"remarks": [], **described, "problems": told, "cure": self.command}

    def __str__(self) -> str:
        lines = [] if self.readable is None else [translate_to_shell(str(self.readable.info()))]
        lines += [f"problem: {translate_to_shell(message)}" for message in self.messages]
        if self.cured is not None and self.readable is not None:
            lines.append(_what_is_left(self.cured, self.readable, self.left_out))
        lines.append("no flag cures all of this" if self.command is None else f"all cured: {self.command}")
        return "\n".join(lines)


def _what_is_left(cured: Dataset, readable: Dataset, left_out: list[str]) -> str:
    """How many rows and columns the cures leave."""
    without = f", without {several(list(map(repr, left_out)))} (see the remarks)" if left_out else ""
    of_rows = f" of {count(readable.n_rows, 'row')}" if cured.n_rows < readable.n_rows else ""
    n_rows = f"{cured.n_rows:,}" if of_rows else count(cured.n_rows, "row")
    return f"left by the cures: {n_rows}{of_rows}, {count(len(cured.variables), 'variable')}{without}"


def _flags_of(arguments: Mapping[str, Any]) -> str:
    """The flags for arguments that are not as usual."""
    usual = TableFlags().arguments()
    return " ".join(as_flags(name, value) for name, value in arguments.items() if value and value != usual[name])


def unusable(path: Path, arguments: dict[str, Any], error: DataError | FormatError) -> UnusableTable | None:
    """What is wrong with a table that cannot be read with these arguments; None if only the error can be told.

    Missing cells are among the problems, unless the arguments say what becomes of them.
    """
    from credenet.data.problems import all_problems, cure_arguments, messages_of

    if not error.problems:
        return None
    strict = {**arguments, "missing": "error" if arguments["missing"] == "keep" else arguments["missing"]}
    error = all_problems(_error_of(path, strict) or error, strict, lambda now: _read_table(path, now))
    now = cure_arguments(strict, error.problems)
    cured = _read_if_possible(path, now)
    left_out = [] if cured is None else _columns_to_leave_out(path, {**now, "missing": "keep"})
    if left_out:
        without = cure_arguments(now, [Problem.from_arguments(None, "", {"drop": left_out})])
        # All gaps may be in the columns that are left out.
        tries = [(each, _read_if_possible(path, each)) for each in ({**without, "missing": strict["missing"]}, without)]
        smaller = next(((each, data) for each, data in tries if data is not None and len(data.variables) > 1), None)
        if smaller is None:
            left_out = []
        else:
            now, cured = smaller
    cures = None if cured is None else now
    at_all = [each for each in error.problems if {"repair", "encoding"} & set(each.arguments)]
    bad = {each.column for each in error.problems if each.column and each not in at_all and not _is_gap(each)}
    kept = cure_arguments(
        {**arguments, "missing": "keep"}, [*at_all, Problem.from_arguments(None, "", {"drop": sorted(bad)})]
    )
    readable = _read_if_possible(path, kept)
    return UnusableTable(path, messages_of(error), error.problems, readable, cures, cured, left_out)


def _columns_to_leave_out(path: Path, arguments: Mapping[str, Any]) -> list[str]:
    """The columns of a cured table that a remark advises to leave out; their gaps would cost rows."""
    from credenet.data.remarks.tables import columns_to_leave_out

    data = _read_table(path, arguments)
    counts = {
        name: {str(label): number for label, number in numbers.items() if number}
        for name, numbers in data.info().counts.items()
    }
    return columns_to_leave_out(counts, {name: sum(numbers.values()) for name, numbers in counts.items()}, data.cuts)


def _is_gap(problem: Problem) -> bool:
    return "missing" in problem.arguments


def _read_table(path: Path, arguments: Mapping[str, Any]) -> Dataset:
    import credenet

    return credenet.read(path, **arguments)


def _read_if_possible(path: Path, arguments: Mapping[str, Any]) -> Dataset | None:
    try:
        return _read_table(path, arguments)
    except (DataError, FormatError):
        return None


def _error_of(path: Path, arguments: Mapping[str, Any]) -> DataError | FormatError | None:
    try:
        _read_table(path, arguments)
    except (DataError, FormatError) as error:
        return error
    return None
