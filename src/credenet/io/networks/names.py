"""Names in files made of lines of text."""

from __future__ import annotations

import re

_unfit = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def fits_line(name: str) -> bool:
    """Whether a name has no control characters, line ends or lone surrogates."""
    return _unfit.search(name) is None
