"""Text in other encodings than UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError, FormatError

# Byte order marks are tried in this order, as the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def not_utf8(where: str = "") -> str:
    return f"is not UTF-8 text{where}; pass the encoding it was saved in, such as encoding='cp1252' on Windows"


def read_byte_order_mark(beginning: bytes) -> str | None:
    """UTF-16 or UTF-32, if there is a byte order mark."""
    return next((encoding for mark, encoding in _MARKS if beginning.startswith(mark)), None)


def as_utf8(contents: NDArray[np.uint8], encoding: str | None, path: str | Path) -> NDArray[np.uint8]:
    """Text of any encoding as UTF-8; UTF-16 and UTF-32 are recognised by their byte order mark."""
    encoding = encoding or read_byte_order_mark(contents[:4].tobytes())
    if encoding is None:
        return contents
    raw = contents.tobytes()
    try:
        return np.frombuffer(raw.decode(encoding).encode(), dtype=np.uint8)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise FormatError(f"is not {encoding} text ({error.reason})", path=path, line=line) from None
    except UnicodeError as error:
        raise FormatError(f"is not {encoding} text ({error})", path=path) from None
    except (LookupError, TypeError, ValueError):
        raise ArgumentError(f"encoding must be one that Python knows, such as 'cp1252', got {encoding!r}") from None
