"""What a built site makes a browser load from other hosts: nothing is allowed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

LOADED = {"src", "srcset", "data", "poster", "action"}  # Attributes whose address a browser loads.
RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}
IN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//[^'\")\s;]+", re.IGNORECASE)
IN_PICTURE = re.compile(r"<(?:image|use|script|feImage)[^>]*href=['\"](?:https?:)?//[^'\"]+", re.IGNORECASE)


class Loads(HTMLParser):
    """What a page makes a browser load from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        addresses = [value for name, value in given.items() if name in LOADED]
        if tag == "link" and RELATIONS & set(given.get("rel", "").lower().split()):
            addresses.append(given.get("href", ""))
        self.found += [address for address in addresses if address.lstrip().startswith(("http:", "https:", "//"))]
        self.found += IN_STYLE.findall(given.get("style", ""))


def foreign_loads(site: Path) -> list[str]:
    """Every address of another host that a file of the site loads, with the file."""
    found = []
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html":
            page = Loads()
            text = path.read_text(encoding="utf-8")
            page.feed(text)
            addresses = [*page.found, *IN_STYLE.findall(text)]
        elif path.suffix == ".css":
            addresses = IN_STYLE.findall(path.read_text(encoding="utf-8"))
        elif path.suffix == ".svg":
            addresses = IN_PICTURE.findall(path.read_text(encoding="utf-8"))
        else:
            continue
        found += [f"{path.relative_to(site)}: {address}" for address in addresses]
    return found
