"""Parquet files; a damaged file is an error and never a crash.

A file written here has a checksum in its metadata: its length and a hash of it, with zeros in place of the hash. If
the length differs, another program has rewritten the file and kept the metadata.
"""

from __future__ import annotations

import hashlib
import io
import mmap
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from credenet._arguments import file_path
from credenet._files.files import atomic_writer, read_bytes
from credenet.errors import FormatError
from credenet.io.tables.parquet_footer import MAGIC, DamagedParquetError, Footer, check_footer

_CHECKSUM = "credenet checksum"
_LENGTH_DIGITS, _HASH_BYTES = 15, 16
_SEAL = re.compile(rf"([0-9]{{{_LENGTH_DIGITS}}}) ([0-9a-f]{{{2 * _HASH_BYTES}}})")

# A panic of polars is no ordinary exception, but it must end only the reading of the file.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)


def read_parquet(path: str | Path) -> tuple[pl.DataFrame, Mapping[str, str]]:
    """The table in a parquet file and its metadata."""
    contents = read_bytes(path)
    footer = _footer(contents, path)
    try:
        return pl.read_parquet(io.BytesIO(contents), use_statistics=False), footer.metadata
    except (*POLARS_ERRORS, OSError) as error:
        raise FormatError(f"cannot be read as parquet: {error}", path=path) from None


def parquet_columns(path: str | Path) -> tuple[str, ...]:
    """The names of the columns of a parquet file."""
    return _footer(read_bytes(path), path).columns


def map_footer(path: str | Path) -> Footer:
    """The footer of a parquet file that is not read into memory, after all checks."""
    with file_path(path).open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise FormatError("is not a parquet file", path=path)
        return _footer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), path)


def write_parquet(frame: pl.DataFrame, path: str | Path, metadata: Mapping[str, str] | None = None) -> None:
    """Writes a table with a checksum."""
    with atomic_writer(path) as file:
        mark = "0" * _LENGTH_DIGITS + " " + secrets.token_hex(_HASH_BYTES)
        written = io.BytesIO()
        try:
            frame.write_parquet(written, metadata={**(metadata or {}), _CHECKSUM: mark})
        except pl.exceptions.PolarsError as error:
            raise FormatError(f"cannot be written as parquet: {error}", path=path) from None
        file.write(_seal(written.getvalue(), mark.encode()))


def _footer(contents: bytes | mmap.mmap, path: str | Path) -> Footer:
    if contents[: len(MAGIC)] != MAGIC:
        raise FormatError("is not a parquet file", path=path)
    try:
        footer = check_footer(contents)
        _check_seal(contents, footer.metadata.get(_CHECKSUM, ""))
    except DamagedParquetError as error:
        raise FormatError(f"is damaged or cut off: {error}", path=path) from None
    return footer


def _seal(contents: bytes, mark: bytes) -> bytes:
    at = contents.index(mark)
    length = str(len(contents)).zfill(_LENGTH_DIGITS).encode()
    contents = contents[:at] + length + contents[at + _LENGTH_DIGITS :]
    place = at + _LENGTH_DIGITS + 1
    return contents[:place] + _hash_around(contents, place).encode() + contents[place + 2 * _HASH_BYTES :]


def _check_seal(contents: bytes | mmap.mmap, seal: str) -> None:
    match = _SEAL.fullmatch(seal)
    if match is None or int(match[1]) != len(contents):
        return
    place = contents.rfind(match[2].encode())
    if _hash_around(contents, place) != match[2]:
        raise DamagedParquetError("its checksum does not fit its contents")


def _hash_around(contents: bytes | mmap.mmap, place: int) -> str:
    """A hash of the contents with zeros for the hash itself."""
    view = memoryview(contents)
    result = hashlib.blake2b(view[:place], digest_size=_HASH_BYTES)
    result.update(b"0" * 2 * _HASH_BYTES)
    result.update(view[place + 2 * _HASH_BYTES :])
    return result.hexdigest()
