"""Tables that are read batch by batch: the interface of a source of rows, and the search for its files."""

from __future__ import annotations

import errno
import glob
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, get_args

from credenet._arguments import file_path, show_value
from credenet._files.files import suffix_of
from credenet._files.suffixes import DATA_SUFFIXES, DataFormat
from credenet.data.raw_columns import RawColumn
from credenet.errors import ArgumentError, FormatError
from credenet.io.blocks.journal import Place

_HASHED_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows, column by column; reading can be resumed at their place."""

    place: Place
    path: Path
    columns: Sequence[RawColumn]
    n_rows: int
    done: int  # Units of work done after these rows.


class RowSource(Protocol):
    """Rows in files, with a known number of units of work (rows or bytes)."""

    paths: Sequence[Path]
    names: Sequence[str]
    row_names: frozenset[str]  # Columns that hold row names.
    declared: dict[str, tuple[str, ...]]  # States that the files declare.
    n_rows: int | None  # The number of rows, if known before they are read.
    units: int

    def batches(self, place: Place | None, names: Sequence[str]) -> Iterator[Batch]:
        """The rows from a place on, in batches of the named columns."""
        ...


def find_paths(data: str | PathLike[str] | Sequence[Any]) -> list[Path]:
    """The files of a table: one file, the files of a folder or of a pattern in the order of their names, or a list."""
    if isinstance(data, str | PathLike):
        path = file_path(str(data) if isinstance(data, str) else data)
        if path.is_dir():
            files = [each for each in path.iterdir() if each.is_file() and suffix_of(each) in DATA_SUFFIXES]
            inside = sorted(each for each in files if not each.name.startswith("."))
            if not inside:
                raise FileNotFoundError(errno.ENOENT, f"the folder has no {', '.join(DATA_SUFFIXES)} files", str(path))
            return inside
        if not path.exists() and glob.has_magic(str(path)):
            inside = sorted(Path(each) for each in glob.iglob(str(path), recursive=True) if Path(each).is_file())  # noqa: PTH207
            if not inside:
                raise FileNotFoundError(errno.ENOENT, "no file has such a name", str(path))
            return inside
        return [path]
    paths = [file_path(each) for each in data]
    if not paths:
        raise ArgumentError("data must be files, got none")
    return paths


def format_of(path: Path, format: DataFormat | None) -> DataFormat:
    """The format of a file: as said, by its suffix, or by its first bytes."""
    if format is not None and format not in get_args(DataFormat):
        raise FormatError(f"format must be one of {', '.join(get_args(DataFormat))}, got {format!r}", path=path)
    data_format = format or DATA_SUFFIXES.get(suffix_of(path))
    if data_format is None:
        with path.open("rb") as file:
            data_format = "parquet" if file.read(4) == b"PAR1" else "csv"
    return data_format


def common_format(paths: Sequence[Path], format: DataFormat | None) -> DataFormat:
    """The format of all files; an error names the first that differs."""
    first = format_of(paths[0], format)
    for path in paths[1:]:
        if format_of(path, format) != first:
            raise FormatError(f"is not a {first} file, as {paths[0].name} is", path=path)
    return first


def check_same_columns(path: Path, names: Sequence[str], first_path: Path, first_names: Sequence[str]) -> None:
    """Refuses a file whose columns differ from those of the first file; their order does not matter."""
    if len(names) != len(first_names) or set(names) != set(first_names):
        lacking = [name for name in first_names if name not in names]
        extra = [name for name in names if name not in first_names]
        what = f"has no column {lacking[0]!r}" if lacking else f"has the column {extra[0]!r}"
        raise FormatError(f"{what}, unlike {first_path.name}; all files need the same columns", path=path)


def fingerprint(path: Path) -> list[Any]:
    """The fingerprint by which a file counts as unchanged: its name, size, time of change, first and last bytes."""
    about = path.stat()
    with path.open("rb") as file:
        contents = hashlib.blake2b(file.read(_HASHED_BYTES), digest_size=16)
        file.seek(max(0, about.st_size - _HASHED_BYTES))
        contents.update(file.read(_HASHED_BYTES))
    return [str(path.resolve()), about.st_size, about.st_mtime_ns, contents.hexdigest()]


def check_no_streams(paths: Sequence[Path]) -> None:
    """Refuses what can be read only once, such as standard input."""
    for path in paths:
        if path.exists() and not path.is_file():
            raise ArgumentError(f"data must be files that can be read twice, got {show_value(str(path))}")
