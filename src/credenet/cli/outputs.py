"""Files that a verb writes: checked before the work, announced when they are written."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

_written: list[Path] = []


def check_output(path: Path | None, write: Callable[[Path], object] | None = None) -> None:
    """Raises an error now for a file that could not be written later.

    Parameters
    ----------
    write
        Writes a small example of the contents, so that a format that cannot hold them is an error now.
    """
    if path is None:
        return
    from tempfile import TemporaryDirectory

    from credenet._files.files import check_writable
    from credenet.errors import FormatError

    check_writable(path)
    if write is None:
        return
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # They come when the file itself is written.
        try:
            write(Path(folder) / path.name)
        except FormatError as error:
            raise FormatError(error.message, path=path) from None


def check_page(path: Path) -> None:
    """Raises an error if the name of a report is not that of a page."""
    from credenet.errors import ArgumentError

    if path.suffix.lower() not in (".html", ".htm"):
        raise ArgumentError(f"a report is written to a .html file, got {path.name}")


def write_output(path: Path | None, write: Callable[[Path], object]) -> None:
    """Writes a file, if one is asked for, and says so on standard error."""
    if path is None:
        return
    write(path)
    _written.append(path)
    print(f"written to {path}", file=sys.stderr)


def interruption_message() -> str:
    """The message after Ctrl-C, for a verb without an answer yet."""
    files = ", ".join(map(str, _written))
    return f"interrupted; {f'{files} had been written' if files else 'nothing was written'}"
