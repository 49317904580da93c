"""A browser for the tests of the explorer: Chromium of the system, which asks nobody outside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest

from credenet.explorer.server import Server
from credenet.explorer.session import ExplorerSession

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; the test is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    found = [os.environ.get("CREDENET_CHROMIUM"), *map(shutil.which, NAMES)]
    program = next(filter(None, found), None)
    if program is None:
        pytest.skip("no Chromium on PATH (on Debian: apt install chromium), and CREDENET_CHROMIUM is not set")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@dataclass
class Visits:
    """Pages that are open, and what went wrong on them."""

    browser: Browser
    closing: ExitStack
    elsewhere: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, address: str | Path, scheme: Literal["light", "dark"] = "light") -> Page:
        """Opens an address or a file."""
        size: ViewportSize = {"width": 1280, "height": 800}
        context = self.browser.new_context(viewport=size, color_scheme=scheme, accept_downloads=True)
        self.closing.callback(context.close)
        context.route("**/*", self._guard)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.extend([message.text] * (message.type == "error")))
        page.goto(address.as_uri() if isinstance(address, Path) else address)
        return page

    def _guard(self, route: Route) -> None:
        parts = urlsplit(route.request.url)
        if parts.hostname in ("127.0.0.1", "localhost") or parts.scheme in ("data", "blob", "file"):
            route.continue_()
        else:
            self.elsewhere.append(route.request.url)
            route.abort()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Opens pages. Requests to other hosts and errors of the pages fail the test at its end."""
    with ExitStack() as closing:
        made = Visits(browser, closing)
        yield made
    assert made.elsewhere == []
    assert made.errors == []


@pytest.fixture
def served(visits: Visits) -> Iterator[Callable[..., Page]]:
    """Opens a session in the browser and waits for its first picture."""
    with ExitStack() as stack:

        def open_session(session: ExplorerSession, scheme: Literal["light", "dark"] = "light") -> Page:
            server = stack.enter_context(Server(session))
            page = visits.open(server.address, scheme)
            page.wait_for_selector("[data-drawn]:not([data-drawn=none])")
            return page

        yield open_session
