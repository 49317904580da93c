"""What can be wrong with the user's input. Every message names the argument or the place and what would be right."""

from __future__ import annotations

import errno
from pathlib import Path

from credenet._text import one_line


class CredenetError(Exception):
    """The base of all errors raised by this library."""


class ArgumentError(CredenetError, ValueError):
    """An option outside its bounds."""


class UnknownArgumentError(ArgumentError, TypeError):
    """An argument that a call does not have."""


class MissingExtraError(CredenetError, ImportError):
    """A library that an extra of this one installs is not there."""


class ClusterError(CredenetError, RuntimeError):
    """A cluster that is not there, that does not answer, or that loses its workers."""


class DataError(CredenetError, ValueError):
    """A table that cannot be used as it is; what the message quotes of it is kept short and on one line."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class GraphError(CredenetError, ValueError):
    """Edges that are not a graph of the asked-for kind."""


class NetworkError(CredenetError, ValueError):
    """Tables that do not make a Bayesian network; ``variable`` names the one at fault, where there is one."""

    def __init__(self, message: str, *, variable: str | None = None) -> None:
        super().__init__(message)
        self.variable = variable


class KnowledgeError(CredenetError, ValueError):
    """Knowledge that contradicts itself or that a method cannot honour."""


class FormatError(CredenetError, ValueError):
    """A file that cannot be read or written in a format, with the place where it goes wrong.

    What the message quotes of the file is kept short and on one line.
    """

    def __init__(self, message: str, *, path: str | Path | None = None, line: int | None = None) -> None:
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
    """

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}" if self.filename and self.strerror else super().__str__()

    @classmethod
    def of(cls, error: OSError, path: str | Path) -> WriteError:
        """The error of a file, whatever name the system's error has."""
        kinds = (_NoFolderError, _IsFolderError, _DeniedError)
        kind = next((kind for kind in kinds if isinstance(error, kind.system)), cls)
        return kind(error.errno or errno.EIO, error.strerror or str(error), str(path))


class _NoFolderError(WriteError, FileNotFoundError):
    system = FileNotFoundError


class _IsFolderError(WriteError, IsADirectoryError):
    system = IsADirectoryError


class _DeniedError(WriteError, PermissionError):
    system = PermissionError
