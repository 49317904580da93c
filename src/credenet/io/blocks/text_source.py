"""Text tables, read some whole rows at a time by the same reader as tables in memory."""

from __future__ import annotations

import codecs
import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._files.encodings import as_utf8, read_byte_order_mark
from credenet._files.files import SNIFFED_BYTES
from credenet._files.foreign import check_is_table
from credenet._text import byte_count
from credenet.errors import FormatError
from credenet.io.blocks.journal import Place
from credenet.io.blocks.sources import Batch, check_same_columns
from credenet.io.tables.delimited import TextLayout, TextOptions, end_of_rows, read_rows, text_layouts

_FIRST_LINES = 100  # Lines from which the layout is recognised.
_MOST_ROW_BYTES = 1 << 28  # Bytes of one row at most, as it is kept in memory until its end is found.


class TextSource:
    """The rows of text files with the same columns.

    A place is the number of a file, a byte of its text (as UTF-8, unpacked) and the number of the line there.
    """

    def __init__(self, paths: Sequence[Path], options: TextOptions, batch_bytes: int, n_threads: int) -> None:
        self.paths = paths
        self._options = options
        self._batch_bytes = batch_bytes
        self._n_threads = n_threads
        self._layouts = [self._layout(path) for path in paths]
        self.names: Sequence[str] = self._layouts[0].names
        for path, layout in zip(paths, self._layouts, strict=True):
            check_same_columns(path, layout.names, paths[0], self.names)
        self.row_names = frozenset(self.names[:1] if self._layouts[0].row_names is not None else ())
        self.n_rows: int | None = None
        self._sizes = [path.stat().st_size for path in paths]
        self.units = sum(self._sizes)
        self.declared: dict[str, tuple[str, ...]] = {}

    def _layout(self, path: Path) -> TextLayout:
        with _DecodedText(path, self._options.encoding) as text:
            check_is_table(text.first_bytes, path, self._options.encoding)
            first = b""
            while len(first) <= SNIFFED_BYTES or first.count(b"\n") < _FIRST_LINES:
                if not (more := text.read(SNIFFED_BYTES)):
                    break
                first += more
        return text_layouts(path, np.frombuffer(first, dtype=np.uint8), self._options)[1][-1]

    def batches(self, place: Place | None, names: Sequence[str]) -> Iterator[Batch]:
        part, offset, line = place or (0, 0, 0)
        for number in range(part, len(self.paths)):
            path, layout = self.paths[number], self._layouts[number]
            if number > part or place is None:
                offset, line = layout.begin, layout.first_line
            with _DecodedText(path, self._options.encoding) as text:
                text.skip(offset)
                for rows, n_lines in _rows(text, self._batch_bytes, layout.separator.encode()):
                    here = replace(layout, begin=0, first_line=line)
                    columns = read_rows(path, rows, here, self._options, self._n_threads, None)
                    assert columns is not None
                    by_name = {column.name: column for column in columns}
                    chosen = [by_name[name] for name in names]
                    done = sum(self._sizes[:number]) + text.n_read
                    yield Batch([number, offset, line], path, chosen, sum(columns[0].counts), done)
                    offset += len(rows)
                    line += n_lines
            if offset == layout.begin and len(self.paths) == 1:
                nothing = np.empty(0, dtype=np.uint8)
                read_rows(path, nothing, replace(layout, begin=0), self._options, self._n_threads, None)


class _DecodedText:
    """The text of a file as UTF-8, unpacked and decoded while it is read."""

    def __init__(self, path: Path, encoding: str | None) -> None:
        self.path = path
        self._raw = path.open("rb")
        start = self._raw.read(2)
        self._raw.seek(0)
        packed = gzip.GzipFile(fileobj=self._raw) if start == b"\x1f\x8b" else self._raw
        self._file = cast(BinaryIO, packed)
        self.first_bytes = self._read_checked(SNIFFED_BYTES)
        self._file.seek(0)
        self._ahead = b""
        self._encoding = encoding or read_byte_order_mark(self.first_bytes[:4])
        if self._encoding is not None:
            as_utf8(np.empty(0, dtype=np.uint8), self._encoding, path)  # This call checks the name of the encoding.
            name = codecs.lookup(self._encoding).name
            if name in ("utf-16", "utf-32") and read_byte_order_mark(self.first_bytes[:4]) is None:
                # Text without a mark has the byte order of the machine, as Python reads it.
                name += "-le" if sys.byteorder == "little" else "-be"
            self._decoder = codecs.getincrementaldecoder(name)()

    def __enter__(self) -> _DecodedText:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._raw.close()

    @property
    def n_read(self) -> int:
        """The bytes of the file that were read."""
        return self._raw.tell()

    def read(self, size: int) -> bytes:
        """The next bytes; none at the end."""
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        contents = self._read_checked(size)
        if self._encoding is None:
            return contents
        try:
            text = self._decoder.decode(contents, final=not contents)
            while not text and contents:
                contents = self._read_checked(size)
                text = self._decoder.decode(contents, final=not contents)
        except UnicodeError as error:
            raise FormatError(f"is not {self._encoding} text ({error})", path=self.path) from None
        return text.encode()

    def skip(self, size: int) -> None:
        if self._encoding is None:
            self._file.seek(size)
            return
        while size and (contents := self.read(SNIFFED_BYTES)):
            self._ahead = contents[size:]
            size -= min(size, len(contents))

    def _read_checked(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FormatError(f"the gzip data is damaged or cut off ({error})", path=self.path) from None


def _rows(text: _DecodedText, size: int, separator: bytes) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Pieces of about ``size`` bytes that end with a row, with their numbers of line ends.

    Blank lines at the end of the text are left out.
    """
    left, has_lines = b"", False
    while contents := text.read(max(size, len(left))):
        # Pieces grow with a long row, so that it is not searched again for every piece.
        if len(left) > _MOST_ROW_BYTES:
            raise FormatError(
                f"has a row of more than {byte_count(_MOST_ROW_BYTES)}; a quote may not be closed", path=text.path
            )
        has_lines = has_lines or b"\n" in contents
        left = left + contents if left else contents
        end = _end_of_whole_rows(left, separator)
        if end:
            rest = left[end:]
            yield np.frombuffer(left, dtype=np.uint8, count=end), left.count(b"\n", 0, end)
            left = rest
    if not has_lines:  # The text has the line ends of old Macintosh files.
        left = left.replace(b"\r", b"\n")
    end = end_of_rows(np.frombuffer(left, dtype=np.uint8), separator.decode())
    if end:
        yield np.frombuffer(left, dtype=np.uint8, count=end), left.count(b"\n", 0, end)


def _end_of_whole_rows(contents: bytes, separator: bytes) -> int:
    """The end of the last row that is known to be whole and is not blank; 0 if there is none."""
    if b'"' not in contents:
        line_end = contents.rfind(b"\n")
    else:
        line_end = _line_end_outside_quotes(contents, separator)
    if line_end < 0:
        return 0
    # Blank lines stay with the next piece, as they are no error at the end of the text.
    last = end_of_rows(np.frombuffer(contents, dtype=np.uint8)[:line_end], separator.decode())
    return 0 if last == 0 else contents.index(b"\n", last) + 1


def _line_end_outside_quotes(contents: bytes, separator: bytes) -> int:
    """The last line end that is not within a quoted field; -1 if there is none.

    If every second quote stands where a field begins, then quotes open and close in turn. Otherwise rows are read one
    after another.
    """
    text = np.frombuffer(contents, dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    opening = quotes[::2]
    before = text[np.maximum(opening - 1, 0)]
    begins = (opening == 0) | (before == ord("\n")) | (before == ord(separator or b" "))
    if begins.all():
        line_ends = np.flatnonzero(text == ord("\n"))
        outside = line_ends[np.searchsorted(quotes, line_ends) % 2 == 0]
        return int(outside[-1]) if len(outside) else -1
    at = 0
    while True:
        try:
            _, size, _ = _core.first_row(text[at:], separator.decode())
        except _core.DelimitedError:
            return at - 1
        if at + size >= len(contents):
            return at - 1
        at += size
