"""The pictures of docs/guide/explorer.md: the views of the explorer, taken in Chromium.

Run from the root of the repository: ``python examples/explorer_pictures.py docs/pictures``. Needs playwright, Pillow
and a Chromium (CREDENET_CHROMIUM, or chromium on PATH); alarm and munin are read from $CREDENET_DATA.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from PIL import Image

import credenet
from credenet.explorer.server import Server
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

DATA = Path(os.environ.get("CREDENET_DATA", Path(__file__).parents[2] / "shared" / "data"))
SIZE: ViewportSize = {"width": 1200, "height": 720}


@contextmanager
def explored(browser: Browser, source: OpenedSource, scheme: Literal["light", "dark"] = "light") -> Iterator[Page]:
    session = ExplorerSession.begin(source, credenet.Knowledge())
    session.wait()
    with Server(session) as server:
        page = browser.new_page(viewport=SIZE, color_scheme=scheme)
        page.goto(server.address)
        page.wait_for_selector("[data-drawn]:not([data-drawn=none])")
        yield page
        page.close()


def take(page: Page, path: Path) -> None:
    """A picture of few colours, which makes a small file."""
    Image.open(BytesIO(page.screenshot())).quantize(128).save(path, optimize=True)


def show(page: Page, tab: str, ready: str) -> None:
    page.click(f"#cx-tab-{tab}")
    page.locator(ready).first.wait_for()


def select(page: Page, name: str) -> None:
    page.get_by_label("Find a variable and select it").fill(name)
    page.keyboard.press("Enter")


def alarm(browser: Browser, folder: Path) -> None:
    network = credenet.load(DATA / "networks" / "alarm.bif.gz")
    source = OpenedSource("alarm.csv", network.sample(2000, seed=1), "credenet.read('alarm.csv')", {"max_parents": 3})
    with explored(browser, source) as page:
        take(page, folder / "explorer.png")
        page.get_by_label("only what is uncertain").check()
        page.locator("tbody .cx-link").nth(5).click()
        take(page, folder / "explorer_uncertain.png")
        page.get_by_label("only what is uncertain").uncheck()
        show(page, "evidence", ".cx-value:not(:empty)")
        page.get_by_label("Find a variable", exact=True).fill("v")
        page.get_by_role("group", name="LVEDVOLUME").get_by_role("button", name="HIGH").click()
        page.get_by_role("group", name="VENTMACH").get_by_role("button", name="ZERO").click()
        page.locator("[aria-pressed=true]").nth(1).wait_for()
        page.locator(".cx-canvas").click(position={"x": 10, "y": 10})
        page.locator("#cx-panel").evaluate("panel => { panel.scrollTop = 0; }")
        take(page, folder / "explorer_evidence.png")
        select(page, "HYPOVOLEMIA")
        show(page, "effects", ".cx-dot")
        take(page, folder / "explorer_effects.png")
        page.locator(".cx-canvas").click(position={"x": 10, "y": 10})
        show(page, "data", ".cx-parts")
        take(page, folder / "explorer_data.png")
        show(page, "export", "textarea")
        take(page, folder / "explorer_export.png")


def asia(browser: Browser, folder: Path) -> None:
    source = OpenedSource("patients.csv", credenet.datasets.asia(1000, seed=1), "credenet.read('patients.csv')")
    with explored(browser, source, "dark") as page:
        show(page, "networks", ".cx-tree")
        take(page, folder / "explorer_networks.png")
        page.get_by_label("A: rank 1", exact=True).check()
        page.get_by_label("B: rank 4", exact=True).check()
        page.get_by_role("button", name="Compare A and B").click()
        take(page, folder / "explorer_compare.png")
    with explored(browser, source) as page:
        show(page, "knowledge", ".cx-tier")
        page.get_by_role("button", name="Add tier").click()
        page.get_by_role("button", name="Add tier").click()
        for name, tier in (("smoke", 1), ("asia", 1), ("dysp", 2), ("xray", 2)):
            page.locator(f"[data-name={name}]").drag_to(page.get_by_role("group", name=f"tier {tier}"))
        page.get_by_label("Kind of rule").select_option("required")
        page.get_by_label("From").select_option("dysp")
        page.get_by_label("To", exact=True).select_option("smoke")
        page.get_by_role("button", name="Add rule").click()
        page.get_by_text("These rules contradict each other").wait_for()
        take(page, folder / "explorer_knowledge.png")


def report(browser: Browser, folder: Path) -> None:
    """The page without a server."""
    data = credenet.datasets.asia(1000, seed=1)
    with TemporaryDirectory() as name:
        path = Path(name) / "credible.html"
        credenet.credible_networks(data, score="bic").report(path, data=data)
        page = browser.new_page(viewport=SIZE)
        page.goto(path.as_uri())
        page.wait_for_selector("[data-drawn=credible]")
        show(page, "networks", ".cx-tree")
        take(page, folder / "explorer_report.png")
        page.close()


def munin(browser: Browser, folder: Path) -> None:
    source = OpenedSource("munin.bif", credenet.load(DATA / "networks" / "munin.bif.gz"), "")
    with explored(browser, source) as page:
        take(page, folder / "explorer_overview.png")
        select(page, "R_LNLW_APB_MUSIZE")
        page.get_by_role("button", name="Look closer").click()
        page.get_by_label("Edges away").select_option("2")
        page.locator("[data-boxes]:not([data-boxes='1041'])").wait_for()
        show(page, "evidence", ".cx-value:not(:empty)")
        take(page, folder / "explorer_focus.png")


def main() -> None:
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(exist_ok=True)
    program = os.environ.get("CREDENET_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for views in (alarm, asia, munin, report):
            views(browser, folder)


if __name__ == "__main__":
    main()
