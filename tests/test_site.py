"""The site: its links lead somewhere, its navigation has every page, and no page loads from another host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loads import foreign_loads
from staging import ROOT, broken_links, site_pages, stage

PAGES = site_pages()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    assert not broken_links(page)


def test_links_to_markdown_lead_to_pages(tmp_path: Path) -> None:
    """Sphinx takes a link to Markdown for a page; files beside the pages must be of another kind."""
    stage(tmp_path)
    assert not list((tmp_path / "files").rglob("*.md"))


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Some `code`, and more\n\n```\n# no heading\n```\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n[a](other.md#some-code-and-more) [b](#title) [c](https://credenet.example)\n"
        "[d](other.md#no-heading) [e](gone.md) [f](#gone)\n```\n[g](gone.md)\n```\n"
    )
    assert broken_links(page) == ["other.md#no-heading", "gone.md", "#gone"]


def test_the_navigation_has_every_page(tmp_path: Path) -> None:
    """From the first page, through lists of pages, every page is reached, and each from one list only."""
    stage(tmp_path)
    listed = []
    for page in tmp_path.rglob("*.md"):
        for block in re.findall(r"^```{toctree}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
            entries = [line for line in block.splitlines() if not line.startswith(":")]
            above = [tmp_path if entry.startswith("/") else page.parent for entry in entries]
            listed += [root / entry.lstrip("/") for root, entry in zip(above, entries, strict=True)]
    assert sorted(listed) == sorted(path for path in tmp_path.rglob("*.md") if path != tmp_path / "index.md")


def test_pages_are_copied_with_what_they_link(tmp_path: Path) -> None:
    stage(tmp_path)
    assert "](/measurements/credible.md)" in (tmp_path / PAGES[ROOT / "docs" / "guide" / "credible.md"]).read_text()
    assert (tmp_path / "figures" / "credible_set.svg").exists()
    gone = tmp_path / "gone.md"
    gone.write_text("# A page that was removed")
    stage(tmp_path)
    assert not gone.exists()


def test_loads_from_other_hosts_are_found(tmp_path: Path) -> None:
    (tmp_path / "good.html").write_text(
        '<a href="https://a.example">a</a><link rel="canonical" href="https://b.example"><img src="here.png">'
        '<svg xmlns="http://www.w3.org/2000/svg"></svg><script src="_static/s.js"></script>'
    )
    (tmp_path / "good.svg").write_text('<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use href="#a"/></svg>')
    assert foreign_loads(tmp_path) == []
    (tmp_path / "bad.html").write_text(
        '<link rel="stylesheet" href="https://c.example/c.css"><script src="//d.example/d.js"></script>'
        '<p style="background: url(https://e.example/e.png)">'
    )
    (tmp_path / "bad.css").write_text('@import "https://f.example/f.css"; p { src: url(http://g.example/g.woff) }')
    (tmp_path / "bad.svg").write_text('<svg><image xlink:href="https://h.example/h.png"/></svg>')
    found = " ".join(foreign_loads(tmp_path))
    assert set(re.findall(r"(\w)\.example", found)) == set("cdefgh")
