"""No verb writes onto a file that it reads, or onto another of its outputs.

A verb marks the parameters of files that it writes by ``WRITTEN``. All other paths are read. Files are compared before
the work begins: by their place on the disk if they exist, so that links do not hide anything, else by their names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from credenet.cli.arguments.flags import arguments_of

WRITTEN = "written"
"""The mark of a file that a verb writes, as in ``Annotated[Path, WRITTEN]``."""

_read: list[Path] = []  # Files that settings of this command name, such as the graph of an oracle.


class _NamedFile(NamedTuple):
    flag: str
    path: Path


def begin() -> None:
    """Forgets the files of an earlier command."""
    _read.clear()


def note_read(path: Path) -> None:
    """Notes a file that is read while the command line is."""
    _read.append(path)


def check(verb: Callable[..., Any], given: inspect.BoundArguments) -> None:
    """Raises an error if a file that is to be written is read too, or written twice."""
    if (verb.__module__ or "").startswith("cyclopts."):  # The verb is one of cyclopts itself, such as --help.
        return
    written, read = _files(verb, given)
    read += [_NamedFile("", path) for path in _read]
    if not written:
        return
    from credenet._files.files import is_same_file
    from credenet.errors import ArgumentError

    for output in written:
        for source in read:
            if is_same_file(output.path, source.path):
                name = f"{source.flag} {source.path}".strip()
                raise ArgumentError(
                    f"{output.flag} {output.path} is a file that is read ({name}) and would be lost; "
                    f"give {output.flag} another name"
                )
    for one, other in combinations(written, 2):
        if is_same_file(one.path, other.path):
            raise ArgumentError(
                f"{one.flag} {one.path} and {other.flag} {other.path} are the same file; give them different names"
            )


def _files(verb: Callable[..., Any], given: inspect.BoundArguments) -> tuple[list[_NamedFile], list[_NamedFile]]:
    """The files that a verb writes and those that it reads."""
    written: list[_NamedFile] = []
    read: list[_NamedFile] = []
    for _, flag, hint, value in arguments_of(verb, given):
        is_written = WRITTEN in getattr(hint, "__metadata__", ())
        (written if is_written else read).extend(_NamedFile(flag, path) for path in _paths(value))
    return written, read


def _paths(value: object) -> Iterator[Path]:
    """The paths of an argument: one, or several."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each)
