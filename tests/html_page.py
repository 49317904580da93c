"""Pages that a report must be: closed tags, nothing fetched."""

from __future__ import annotations

from html.parser import HTMLParser

EMPTY = {"meta", "path", "polyline", "rect"}


class Page(HTMLParser):
    """Checks that tags are closed in order and that nothing is fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert tag not in ("script", "link", "img", "iframe")
        for name, value in attrs:
            assert name not in ("href", "src", "srcset")
            assert "//" not in (value or "")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in EMPTY

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"
