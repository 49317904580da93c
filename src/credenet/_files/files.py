"""Reading and writing of files: bounded decompression, atomic writing, suffixes."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import secrets
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import file_path
from credenet._files.encodings import as_utf8, read_byte_order_mark
from credenet._files.foreign import check_is_text
from credenet._memory import available_memory
from credenet._text import byte_count
from credenet.errors import FormatError, WriteError

MAX_UNCOMPRESSED_BYTES = 8 << 30
_PIECE_BYTES = 1 << 20  # Bytes of unpacked contents at a time.
_BUFFER_BYTES = 1 << 17  # Bytes of the buffer of a file that is written.
SNIFFED_BYTES = 1 << 16  # Bytes that are read to recognise the format of a file.


def suffix_of(path: str | Path) -> str:
    """The suffix that names the format, in lower case and without a final ``.gz``."""
    name = file_path(path).name.lower()
    return Path(name.removesuffix(".gz")).suffix


def read_bytes(path: str | Path, *, limit: int | None = None) -> bytes:
    """The contents of a file, decompressed if they are gzip-compressed (whatever the name says).

    A small file may become very large. By default the limit is 8 GB, and half of the memory that is available.
    """
    with file_path(path).open("rb") as file:
        start = file.read(2)
        if start != b"\x1f\x8b":
            return start + file.read()
        if not file.seekable():
            return _decompress(io.BytesIO(start + file.read()), path, limit)
        file.seek(0)
        return _decompress(file, path, limit)


def beginning_of(path: str | Path) -> bytes:
    """The first bytes of a file, decompressed; none of a stream that can be read only once, such as standard input."""
    if not Path(path).is_file():
        return b""
    with Path(path).open("rb") as file:
        start = file.read(SNIFFED_BYTES)
        if not start.startswith(b"\x1f\x8b"):
            return start
        file.seek(0)
        try:
            with gzip.GzipFile(fileobj=file) as unzipped:
                return unzipped.read(SNIFFED_BYTES)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return b""  # The reader will report the error.


def read_array(path: str | Path) -> NDArray[np.uint8]:
    """The contents of a file like `read_bytes`, in memory allocated by numpy in large pages: half the time of bytes."""
    if not Path(path).is_file():
        return np.frombuffer(read_bytes(path), dtype=np.uint8)
    with Path(path).open("rb") as file:
        if file.read(2) == b"\x1f\x8b":
            return np.frombuffer(read_bytes(path), dtype=np.uint8)
        file.seek(0)
        contents = np.empty(os.fstat(file.fileno()).st_size, dtype=np.uint8)
        return contents[: file.readinto(contents.data)]


def _decompress(file: BinaryIO, path: str | Path, limit: int | None) -> bytes:
    """The unpacked contents, piece by piece: to ask for all at once would take memory for the limit."""
    most = _most_unpacked() if limit is None else limit
    contents = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=file) as unzipped:
            while piece := unzipped.read(_PIECE_BYTES):
                if contents.tell() + len(piece) > most:
                    raise FormatError(
                        f"decompresses to more than {byte_count(most)}, which may not fit into memory; "
                        "unpack it first, and ingest it if it is a table",
                        path=path,
                    )
                contents.write(piece)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the gzip data is damaged or cut off ({error})", path=path) from None
    except MemoryError:
        raise FormatError("decompresses to more than fits into memory", path=path) from None
    return contents.getvalue()


def _most_unpacked() -> int:
    available = available_memory()
    return MAX_UNCOMPRESSED_BYTES if available is None else min(MAX_UNCOMPRESSED_BYTES, available // 2)


def read_text(path: str | Path) -> str:
    """The contents of a text file with ``\\n`` line ends: UTF-8, or UTF-16 with a byte order mark."""
    contents = read_bytes(path)
    check_is_text(contents[:SNIFFED_BYTES], path)
    encoding = read_byte_order_mark(contents)
    if encoding is not None:
        contents = as_utf8(np.frombuffer(contents, dtype=np.uint8), encoding, path).tobytes()
    try:
        text = contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = contents.count(b"\n", 0, error.start) + 1
        raise FormatError("is not UTF-8 text; save it as UTF-8", path=path, line=line) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: str | Path) -> Any:
    """The value in a JSON file."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from None
    except RecursionError:
        raise FormatError("is nested too deeply", path=path) from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("has a number with too many digits", path=path) from None


def check_writable(path: str | Path) -> None:
    """Raises a `WriteError` now for a file that could not be written later."""
    target = Path(os.path.realpath(file_path(path)))
    if target.is_dir():
        raise WriteError.from_os_error(IsADirectoryError(errno.EISDIR, "is a folder"), path)
    if not target.parent.is_dir():
        raise WriteError.from_os_error(FileNotFoundError(errno.ENOENT, "the folder does not exist"), path)
    if not os.access(target.parent if not target.exists() or target.is_file() else target, os.W_OK):
        raise WriteError.from_os_error(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)


def is_same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two names are of one file, also by links; streams such as a terminal are never the same."""
    first, second = file_path(one), file_path(other)
    if first.exists() and second.exists():
        return first.is_file() and first.samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)


class _WatchedFile(io.FileIO):
    """A file that keeps why it could not be written: libraries that write into it make errors of their own of that."""

    failure: OSError | None = None

    def write(self, contents: Any, /) -> int:
        try:
            return super().write(contents)
        except OSError as error:
            self.failure = error
            raise


class _WatchedStream(io.BufferedWriter):
    """A type of its own, as a library may write to the descriptor of a plain stream, past the `_WatchedFile`."""


@contextmanager
def atomic_writer(path: str | Path) -> Iterator[BinaryIO]:
    """A binary stream that becomes the file only when the block ends without an error.

    A ``.gz`` name is compressed. On any failure (a full disk, Ctrl-C) the file at ``path`` is not changed. A new
    file has the permissions of the one that it replaces; a link stays a link. What cannot be written is a `WriteError`.
    """
    target = Path(os.path.realpath(file_path(path)))
    if target.is_dir():
        raise WriteError.from_os_error(IsADirectoryError(errno.EISDIR, "is a folder"), path)
    if target.exists() and not target.is_file():  # A device such as /dev/stdout cannot be replaced by renaming.
        with _stream_to(target, "w", path) as stream:
            yield stream
        return
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with _stream_to(temporary, "x", path) as stream:
            if target.name.lower().endswith(".gz"):
                with gzip.GzipFile(fileobj=stream, mode="wb", filename="", mtime=0, compresslevel=6) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield stream
        with _system_errors_of(path):
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _stream_to(file: Path, mode: str, path: str | Path) -> Iterator[BinaryIO]:
    """A stream into a file, whose errors name the path that was asked for."""
    with _system_errors_of(path):
        raw = _WatchedFile(file, mode)
    try:
        with _WatchedStream(raw, _BUFFER_BYTES) as stream:
            yield cast(BinaryIO, stream)
    except Exception as error:
        failure = raw.failure
        if failure is None and isinstance(error, OSError) and error.filename is None:
            failure = error
        if failure is None or isinstance(failure, BrokenPipeError):
            raise
        raise WriteError.from_os_error(failure, path) from None


@contextmanager
def _system_errors_of(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError.from_os_error(error, path) from None


def write_text(path: str | Path, text: str) -> None:
    try:
        contents = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(f"UTF-8 cannot hold {text[error.start : error.end]!r}", path=path) from None
    with atomic_writer(path) as file:
        file.write(contents)
