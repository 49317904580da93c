"""Files of other programs, recognised by their first bytes, are an error."""

from __future__ import annotations

import re
from pathlib import Path

from credenet._files.encodings import read_byte_order_mark
from credenet.errors import FormatError

_AS_CSV = "save the table as .csv"
_FROM_R = "write the table in R with write.csv(table, 'table.csv', row.names = FALSE)"
_UNPACK = "unpack it first"

# Each entry has the first bytes of a file, its format, and advice.
_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook (.xls)", _AS_CSV),
    (b"$FL2@(#)", "an SPSS file (.sav)", _AS_CSV),
    (b"$FL3@(#)", "an SPSS file (.zsav)", _AS_CSV),
    (b"\0" * 12 + b"\xc2\xea\x81\x60", "a SAS file (.sas7bdat)", _AS_CSV),
    (b"HEADER RECORD*******LIB", "a SAS transport file (.xpt)", _AS_CSV),
    (b"<stata_dta>", "a Stata file (.dta)", _AS_CSV),
    (b"RDX2\nX\n", "an R workspace (.RData)", _FROM_R),
    (b"RDX3\nX\n", "an R workspace (.RData)", _FROM_R),
    (b"X\n\0\0", "an R object (.rds)", _FROM_R),
    (b"ARROW1\0\0", "an Arrow file", "save the table as .parquet"),
    (b"\x89HDF\r\n", "an HDF5 file", _AS_CSV),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file (.mat)", _AS_CSV),
    (b"SQLite format 3\0", "an SQLite database", _AS_CSV),
    (b"\x93NUMPY", "a numpy file (.npy)", _AS_CSV),
    (b"%PDF-", "a PDF document", _AS_CSV),
    (b"{\\rtf", "an RTF document", _AS_CSV),
    (b"BZh91AY&SY", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\0", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a rar archive", _UNPACK),
)
_TEXTS: tuple[tuple[re.Pattern[bytes], str, str], ...] = (
    (re.compile(rb"\s*+<(!doctype\s++html|html)\b", re.IGNORECASE), "a web page", "download the table itself"),
    (re.compile(rb"(?:\s*+%[^\n]*+\n)*+\s*+@relation\s", re.IGNORECASE), "a Weka file (.arff)", _AS_CSV),
    (re.compile(rb"\s*+\[\s*+[{\[]"), "JSON", _AS_CSV),
)


def check_is_text(beginning: bytes, path: str | Path) -> None:
    """Raises an error for binary files of other programs, by their first few kilobytes."""
    if beginning.startswith((b"PK\3\4", b"PK\5\6")):
        _refuse(*_kind_of_zip(beginning), path)
    for start, what, cure in _BEGINNINGS:
        if beginning.startswith(start):
            _refuse(what, cure, path)


def check_is_table(beginning: bytes, path: str | Path, encoding: str | None = None) -> None:
    """Raises an error for a file that is not a text table, by its first few kilobytes."""
    check_is_text(beginning, path)
    if b"\0" in beginning and encoding is None and read_byte_order_mark(beginning) is None:
        raise FormatError("is not text, or in UTF-16; save it as UTF-8", path=path)
    for pattern, what, cure in _TEXTS:
        if pattern.match(beginning.removeprefix(b"\xef\xbb\xbf")):
            _refuse(what, cure, path)


def _kind_of_zip(beginning: bytes) -> tuple[str, str]:
    """The format of a zip archive, by the names of its first members."""
    if b"opendocument.spreadsheet" in beginning:
        return "a spreadsheet (.ods)", _AS_CSV
    if b"xl/" in beginning or b"[Content_Types].xml" in beginning:
        return "an Excel workbook (.xlsx)", _AS_CSV
    return "a zip archive", _UNPACK


def _refuse(what: str, cure: str, path: str | Path) -> None:
    raise FormatError(f"is {what}; {cure}", path=path)
