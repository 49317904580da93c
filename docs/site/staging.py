"""The pages of the site, copied to where Sphinx reads them, and the links of each, which must lead somewhere.

The site has the pages of ``docs``, the reports of ``benchmarks``, two pages of the root, and the reference of names and
of verbs, which is made from the code. A link from a page to one of them is a link within the site; other files of the
repository are copied beside the pages. A page named ``index.md`` lists pages; its lists are the navigation of the site.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from flag_pages import flag_pages, list_of_verbs
from reference_pages import list_of_pages, reference_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NAMES = DOCS / "reference" / "names.md"  # The pages of the reference are below this one.
VERBS = DOCS / "reference" / "command_line.md"  # The pages of verbs are below this one.
PLACES = {  # Where the pages of a folder or file of the repository stand in the site.
    DOCS: Path(),
    ROOT / "benchmarks" / "reports": Path("measurements"),
    ROOT / "CONTRIBUTING.md": Path("contributing.md"),
    ROOT / "CHANGELOG.md": Path("changes.md"),
}
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
FENCE = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def site_pages() -> dict[Path, Path]:
    """The place in the site of each Markdown file that is a page of it."""
    pages: dict[Path, Path] = {}
    for above, place in PLACES.items():
        files = [above] if above.is_file() else sorted(above.rglob("*.md"))
        pages |= {file: place / file.relative_to(above) if above.is_dir() else place for file in files}
    return pages


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub and MyST make them."""
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(FENCE.sub("", text)))
    return {heading.strip().replace(" ", "-") for heading in plain}


def broken_links(page: Path) -> list[str]:
    """The links of a page to files or headings of the repository that do not exist."""
    broken = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        target = Path(os.path.normpath(page.parent / path)) if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    return broken


def stage(folder: Path) -> None:
    """Copy the pages, and what they link, into a folder; what has not changed is left alone, what is gone removed."""
    pages = site_pages()
    staged = {folder / place: _site_text(page, pages, folder) for page, place in pages.items()}
    for above, listing, made in (
        (NAMES, list_of_pages(), reference_pages()),
        (VERBS, list_of_verbs(), flag_pages()),
    ):
        staged |= {folder / place: text for place, text in made.items()}
        staged[folder / pages[above]] += listing + _contents("", [f"/{place}" for place in made])
    for path, text in staged.items():
        write_if_changed(path, text)
    for path in folder.rglob("*.md"):
        if path not in staged:
            path.unlink()


def write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _site_text(page: Path, pages: dict[Path, Path], folder: Path) -> str:
    """The text of a page with the links that hold in the site."""

    def site_link(link: re.Match[str]) -> str:
        path, mark, anchor = link.group().partition("#")
        if not path or ":" in path:
            return link.group()
        target = Path(os.path.normpath(page.parent / path))
        place = pages.get(target)
        if place is None:
            place = target.relative_to(DOCS) if target.is_relative_to(DOCS) else "files" / target.relative_to(ROOT)
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(target, folder / place)
        return f"/{place}{mark}{anchor}"

    text = LINK.sub(site_link, page.read_text(encoding="utf-8"))
    return text + "".join(_contents(caption, listed) for caption, listed in _lists(page, text) if listed)


def _lists(page: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """The headings of the lists of a page, with their pages; below ``x.md`` stand the pages of the folder ``x``."""
    if page.name == "index.md":
        for part in re.split(r"^## ", text, flags=re.MULTILINE):
            yield part.partition("\n")[0].lstrip("# "), re.findall(r"^- \[[^\]]*\]\((/\S+\.md)\)", part, re.MULTILINE)
    else:
        yield "", [path.relative_to(page.parent).as_posix() for path in sorted(page.with_suffix("").glob("*.md"))]


def _contents(caption: str, listed: list[str]) -> str:
    """An entry in the navigation."""
    options = [":hidden:", f":caption: {caption}"] if caption else [":hidden:"]
    return "\n".join(["", "```{toctree}", *options, *listed, "```", ""])
