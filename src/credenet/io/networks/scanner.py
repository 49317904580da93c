"""A position in a text that is moved forward by patterns, with errors at their line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Never

from credenet.errors import FormatError
from credenet.io.networks.formats import Lines

_space = re.compile(r"\s*")


class Scanner:
    def __init__(self, text: str, path: str | Path) -> None:
        self.text = text
        self.path = path
        self.at = 0
        self.lines = Lines(text)

    def at_end(self, end: int | None = None) -> bool:
        """Whether only blanks are left (before ``end``)."""
        end = len(self.text) if end is None else end
        return self._past_space(self.at, end) >= end

    def accept(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Moves past a pattern if it is next."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        found = self.accept(pattern)
        if found is None:
            self.fail(f"expected {what}")
        return found

    def line(self, place: int | None = None) -> int:
        """The line of the first word at or after a position; at the end, the last line that is not blank."""
        return self.lines.line(self._past_space(self.at if place is None else place, len(self.text)))

    def fail(self, message: str, place: int | None = None) -> Never:
        if self._past_space(self.at if place is None else place, len(self.text)) >= len(self.text):
            message += ", but the file ends here"
        raise FormatError(message, path=self.path, line=self.line(place))

    def _past_space(self, place: int, end: int) -> int:
        found = _space.match(self.text, place, end)
        return place if found is None else found.end()


def remove_comments(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks in place of comments; the pattern matches comments, and quoted strings, which are kept.

    A ``/*`` without its ``*/`` is kept, and is then an error in every format.
    """
    return pattern.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    text = match[0]
    if text.startswith('"') or (text.startswith("/*") and not text.endswith("*/", 2)):
        return text
    return "\n" * text.count("\n") or " "
