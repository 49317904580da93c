"""Names in files made of lines of text."""

from __future__ import annotations

import re
from pathlib import Path

from credenet.errors import FormatError

_unfit = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def quote_state(label: str, format: str, path: str | Path, forbidden: str = '"') -> str:
    """The label of a state in double quotes; an error if the format cannot hold it."""
    if any(character in label for character in forbidden) or not fits_line(label):
        raise FormatError(f"{format} cannot hold the name {label!r} of a state", path=path)
    return f'"{label}"'


def fits_line(name: str) -> bool:
    """Whether a name has no control characters, line ends or lone surrogates."""
    return _unfit.search(name) is None
