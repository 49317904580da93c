"""Errors of the user's input. Every message names the argument or the place and what would be right."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from credenet._text import one_line

__all__ = [
    "ArgumentError",
    "ClusterError",
    "CredenetError",
    "DataError",
    "FormatError",
    "GraphError",
    "KnowledgeError",
    "NetworkError",
    "Problem",
    "WriteError",
]


class CredenetError(Exception):
    """The base of all errors raised by this library.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.learn(credenet.datasets.asia(100), method="dynamic")
    ... except credenet.CredenetError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """


class ArgumentError(CredenetError, ValueError):
    """An option outside its bounds.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.learn(credenet.datasets.asia(100), max_parents=-1)
    ... except credenet.errors.ArgumentError as error:
    ...     print(error)
    max_parents must be at least 0, got -1
    """


class UnknownArgumentError(ArgumentError, TypeError):
    """An argument that a call does not have."""


class MissingExtraError(CredenetError, ImportError):
    """A library that an extra of this one installs is not there."""


class ClusterError(CredenetError, RuntimeError):
    """A cluster that is not there, that does not answer, or that loses its workers.

    Examples
    --------
    >>> import credenet
    >>> issubclass(credenet.errors.ClusterError, credenet.CredenetError)
    True
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem of a table, with its cure.

    Attributes
    ----------
    column
        The column, or None for the whole table.
    lines
        Lines of the file, where they are known.
    what
        What is wrong.
    cure
        The arguments of `credenet.read` that cure it, as text; empty if there are none.
    arguments
        The same arguments by name.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> try:
    ...     credenet.Dataset.from_frame(pl.DataFrame({"rain": ["yes", None]}))
    ... except credenet.errors.DataError as error:
    ...     print(error.problems[0].column, error.problems[0].arguments)
    rain {'missing': 'drop'}
    """

    column: str | None
    lines: tuple[int, ...]
    what: str
    cure: str
    arguments: Mapping[str, Any]

    @classmethod
    def from_arguments(
        cls, column: str | None, what: str, arguments: Mapping[str, Any], *, lines: Sequence[int | None] = ()
    ) -> Problem:
        """A problem with its cure written out."""
        known = tuple(line for line in lines if line is not None)
        cure = write_arguments(arguments)
        return cls(column=column, lines=known, what=one_line(what), cure=cure, arguments=arguments)

    def to_dict(self) -> dict[str, Any]:
        """The problem as JSON values."""
        return {"column": self.column, "lines": list(self.lines), "what": self.what, "cure": self.cure}


def write_arguments(arguments: Mapping[str, Any]) -> str:
    """Arguments as they are passed, such as ``decimal=',' and drop=['id']``."""
    return " and ".join(f"{name}={value!r}" for name, value in arguments.items())


class DataError(CredenetError, ValueError):
    """Raised for a table that cannot be used as it is; quotations in the message are short and on one line.

    ``problems`` has all known problems of the table, and the message lists them.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> try:
    ...     credenet.Dataset.from_frame(pl.DataFrame({"rain": ["yes", None]}))
    ... except credenet.errors.DataError as error:
    ...     print(error.problems[0].cure)
    missing='drop'
    """

    problems: tuple[Problem, ...]
    messages: tuple[str, ...]  # One text for each kind of problem.
    _cures: Mapping[str, Any] | None  # The arguments that cure several problems together.

    def __init__(self, message: str, *, problems: Sequence[Problem] = ()) -> None:
        super().__init__(one_line(message))
        self.problems = tuple(problems)
        self.messages = (str(self),)
        self._cures = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _data_error, (type(self), self.args, self.problems, self.messages, self._cures)

    @classmethod
    def listing(
        cls, messages: Sequence[str], problems: Sequence[Problem], cures: Mapping[str, Any] | None = None
    ) -> DataError:
        """Several errors as one; ``cures`` are the arguments that cure all of them."""
        made = cls("", problems=problems)
        made.messages = tuple(map(one_line, messages))
        made._cures = cures or None
        made.args = (_list_messages(made.messages, None if made._cures is None else write_arguments(made._cures)),)
        return made

    def reword(self, reword: Callable[[str], str], write_cure: Callable[[Mapping[str, Any]], str]) -> DataError:
        """This error with its messages, and the cure of all problems together, reworded."""
        made = type(self)(reword(str(self)), problems=self.problems)
        if len(self.messages) > 1:
            made.messages = tuple(one_line(reword(text)) for text in self.messages)
            made.args = (_list_messages(made.messages, None if self._cures is None else write_cure(self._cures)),)
        return made

    @classmethod
    def name_file(cls, place: object, error: DataError) -> DataError:
        """The error with the name of a file in front."""
        made = cls("", problems=error.problems)
        made.messages = error.messages
        made.args = (f"{place}: {error}",)
        return made


def _list_messages(messages: Sequence[str], cure: str | None) -> str:
    """Several messages, one on each line, and what cures all of it."""
    ending = [] if cure is None else [f"all of this is cured by {cure}"]
    return "\n".join([f"{len(messages)} problems:", *(f"- {text}" for text in messages), *ending])


def _data_error(
    kind: type[DataError],
    args: tuple[Any, ...],
    problems: tuple[Problem, ...],
    messages: tuple[str, ...],
    cures: Mapping[str, Any] | None,
) -> DataError:
    """An error as it was before it was pickled; a list of problems keeps its lines and its cure."""
    made = kind("", problems=problems)
    made.args, made.messages, made._cures = args, messages, cures
    return made


class GraphError(CredenetError, ValueError):
    """Edges that are not a graph of the asked-for kind.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.DAG.parse("a -> b -> a")
    ... except credenet.errors.GraphError as error:
    ...     print(error)
    the directed edges form a cycle: a -> b -> a
    """


class NetworkError(CredenetError, ValueError):
    """Raised for parts that form no network; ``variable`` names the variable at fault, if there is one.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.textbook.sprinkler().infer({"rain": "heavy"})
    ... except credenet.errors.NetworkError as error:
    ...     print(error)
    variable 'rain' has no state 'heavy'; it has true, false
    """

    def __init__(self, message: str, *, variable: str | None = None) -> None:
        super().__init__(message)
        self.variable = variable


class KnowledgeError(CredenetError, ValueError):
    """Knowledge that contradicts itself or that a method cannot honour.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.Knowledge(required=[("a", "b")], forbidden=[("a", "b")])
    ... except credenet.errors.KnowledgeError as error:
    ...     print(error)
    the edge 'a' -> 'b' is required, but it is forbidden
    """


class FormatError(CredenetError, ValueError):
    """Raised for a file that cannot be read or written in a format, with the place of the fault.

    Quotations in the message are short and on one line. ``problems`` has the problems that have a cure.

    Examples
    --------
    >>> from pathlib import Path
    >>> import credenet
    >>> _ = Path("faulty.bif").write_text("network {}\\nvariabel x\\n")
    >>> try:
    ...     credenet.load("faulty.bif")
    ... except credenet.errors.FormatError as error:
    ...     print(error)
    faulty.bif:2: expected network, variable or probability
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.problems = tuple(problems)
        self.message = message = one_line(message)
        self.path = None if path is None else str(path)
        self.line = line
        place = self.path or ""
        if line is not None:
            place = f"{place}:{line}" if place else f"line {line}"
        super().__init__(f"{place}: {message}" if place else message)


class WriteError(CredenetError, OSError):
    """A file that cannot be written: the disk is full, or the folder does not allow it.

    ``filename``, ``errno`` and ``strerror`` say which file and why. Where Python has an error for the reason, such as
    `PermissionError`, this is one, too.

    Examples
    --------
    >>> import credenet
    >>> try:
    ...     credenet.textbook.asia().save("no_such_folder/asia.bif")
    ... except credenet.errors.WriteError as error:
    ...     print(error.strerror)
    No such file or directory
    """

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}" if self.filename and self.strerror else super().__str__()

    @classmethod
    def from_os_error(cls, error: OSError, path: str | Path) -> WriteError:
        """The error for a file from an error of the system."""
        kinds = (_NoFolderError, _IsFolderError, _DeniedError)
        kind = next((kind for kind in kinds if isinstance(error, kind.system)), cls)
        return kind(error.errno or errno.EIO, error.strerror or str(error), str(path))


class _NoFolderError(WriteError, FileNotFoundError):
    system = FileNotFoundError


class _IsFolderError(WriteError, IsADirectoryError):
    system = IsADirectoryError


class _DeniedError(WriteError, PermissionError):
    system = PermissionError
