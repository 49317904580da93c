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
from credenet._files.encodings import as_utf8, marked_encoding
from credenet._files.foreign import check_is_text
from credenet.errors import FormatError

MAX_UNCOMPRESSED_BYTES = 8 << 30
SNIFFED_BYTES = 1 << 16  # read to find out the format of a file


def suffix_of(path: str | Path) -> str:
    """The suffix that names the format, in lower case and without a final ``.gz``."""
    name = file_path(path).name.lower()
    return Path(name.removesuffix(".gz")).suffix


def read_bytes(path: str | Path, *, limit: int = MAX_UNCOMPRESSED_BYTES) -> bytes:
    """The contents of a file, decompressed if they are gzip-compressed (whatever the name says)."""
    with file_path(path).open("rb") as file:
        start = file.read(2)
        if start != b"\x1f\x8b":
            return start + file.read()
        if not file.seekable():
            return _decompressed(io.BytesIO(start + file.read()), path, limit)
        file.seek(0)
        return _decompressed(file, path, limit)


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
            return b""  # the reader will report the error


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


def _decompressed(file: BinaryIO, path: str | Path, limit: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=file) as unzipped:
            contents = unzipped.read(limit + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the gzip data is damaged or cut off ({error})", path=path) from None
    if len(contents) > limit:
        raise FormatError(f"decompresses to more than {limit} bytes; unpack it first", path=path)
    return contents


def read_text(path: str | Path) -> str:
    """The contents of a text file with ``\\n`` line ends: UTF-8, or UTF-16 with a byte order mark."""
    contents = read_bytes(path)
    check_is_text(contents[:SNIFFED_BYTES], path)
    encoding = marked_encoding(contents)
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
    """Raises an error now for a file that could not be written later."""
    target = Path(os.path.realpath(file_path(path)))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the folder does not exist", str(path))
    if not os.access(target.parent if not target.exists() or target.is_file() else target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


@contextmanager
def atomic_writer(path: str | Path) -> Iterator[BinaryIO]:
    """A binary stream that becomes the file only when the block ends without an error.

    A ``.gz`` name is compressed. On any failure (a full disk, Ctrl-C) the file at ``path`` is not changed. A new
    file has the permissions of the one that it replaces; a link stays a link.
    """
    target = Path(os.path.realpath(file_path(path)))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if target.exists() and not target.is_file():  # /dev/stdout and the like cannot be renamed onto
        with target.open("wb") as stream:
            yield stream
        return
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        raw = temporary.open("xb")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with raw:
            if target.name.lower().endswith(".gz"):
                with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0, compresslevel=6) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield raw
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.filename is None:  # such as a full disk: the message should name the file
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from None
        raise
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> None:
    try:
        contents = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(f"UTF-8 cannot hold {text[error.start : error.end]!r}", path=path) from None
    with atomic_writer(path) as file:
        file.write(contents)
