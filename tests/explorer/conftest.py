"""A browser for the tests of the explorer: Chromium of the system, which asks nobody outside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from credenet.explorer.server import Server
from credenet.explorer.session import Session

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

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

    open: Callable[..., Page]
    elsewhere: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Opens addresses and files. Requests to other hosts and errors of the pages fail the test at its end."""
    with ExitStack() as stack:

        def guarded(route: Route) -> None:
            parts = urlsplit(route.request.url)
            if parts.hostname in ("127.0.0.1", "localhost", None) or parts.scheme in ("data", "blob", "file"):
                route.continue_()
            else:
                visits.elsewhere.append(route.request.url)
                route.abort()

        def open_page(address: str | Path, *, width: int = 1280, height: int = 800, scheme: str = "light") -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                accept_downloads=True,
            )
            stack.callback(context.close)
            context.route("**/*", guarded)
            page = context.new_page()
            page.set_default_timeout(30_000)
            page.on("pageerror", lambda error: visits.errors.append(str(error)))
            page.on("console", lambda message: visits.errors.append(message.text) if message.type == "error" else None)
            page.goto(address.as_uri() if isinstance(address, Path) else address)
            return page

        visits = Visits(open_page)
        yield visits
    assert visits.elsewhere == []
    assert visits.errors == []


@pytest.fixture
def served(visits: Visits) -> Iterator[Callable[[Session], Page]]:
    """Opens a session in the browser and waits for its first picture."""
    with ExitStack() as stack:

        def open_session(session: Session, **looks: object) -> Page:
            server = stack.enter_context(Server(session))
            page = visits.open(server.address, **looks)
            page.wait_for_selector("[data-drawn]:not([data-drawn=none])")
            return page

        yield open_session
