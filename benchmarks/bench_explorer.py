"""The explorer in a browser: how long a person waits, and how large the front end is.

Times are those of the page itself (``performance.measure``), in Chromium without a GPU: CREDENET_CHROMIUM, or chromium
on PATH. The first picture of alarm1000 counts from the start of the command, reading included. That of munin counts
from the arrival of its data in the page.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet.explorer.front_end import STATIC, script, style
from measure import DATA, Report, Timing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REPEATS = 3
CLICKS = 20
FRAMES = 60
MEASURES = "performance.getEntriesByName('{}').map(each => [each.startTime, each.duration])"
ARRIVED = "performance.getEntriesByType('resource').find(each => each.name.endsWith('api/state')).responseEnd"
PAN = """
  (number) => new Promise((done) => {
    const cy = document.querySelector(".cx-canvas")._cyreg.cy;
    const start = performance.now();
    let left = number;
    const step = () => {
      cy.panBy({ x: left % 2 ? 25 : -25, y: 4 });
      left -= 1;
      if (left > 0) requestAnimationFrame(step);
      else done((1000 * number) / (performance.now() - start));
    };
    requestAnimationFrame(step);
  })
"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    report = Report("explorer", "How long does a person wait for the explorer?", "starlette", "uvicorn", "igraph")
    program = os.environ.get("CREDENET_CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no Chromium: set CREDENET_CHROMIUM")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        first_picture(report, browser)
        many_variables(report, browser)
        evidence(report, browser)
    size(report)


@contextmanager
def explored(browser: Browser, path: Path) -> Iterator[tuple[Page, float]]:
    """A page of ``credenet explore``, with the time from the start of the command to the picture."""
    program = Path(sys.executable).with_name("credenet")
    start = time.perf_counter()
    command = [str(program), "explore", str(path), "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "exploring" in line)
        address = re.search(r"http://\S+", line)
        assert address is not None
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address[0])
        page.wait_for_selector("[data-drawn]:not([data-drawn=none])")
        seconds = time.perf_counter() - start
        try:
            yield page, seconds
        finally:
            page.close()
            process.terminate()


def entries(page: Page, name: str) -> list[tuple[float, float]]:
    found: Any = page.evaluate(MEASURES.format(name))
    return [(begin, duration) for begin, duration in found]


def add(report: Report, task: str, seconds: list[float], note: str, **facts: object) -> None:
    """The median of some times; there are no CPU seconds of a browser."""
    middle = statistics.median(seconds)
    note = f"{note}; between {min(seconds):.3g} and {max(seconds):.3g} s"
    report.add(task, "credenet", Timing(middle, 0.0), note=note, facts={**facts, "cpu": None, "seconds": seconds})


def first_picture(report: Report, browser: Browser) -> None:
    times, credible = [], []
    for _ in range(REPEATS):
        with explored(browser, DATA / "datasets" / "alarm1000.csv.gz") as (page, seconds):
            times.append(seconds)
            begin = time.perf_counter()
            page.wait_for_selector("[data-drawn=credible]", timeout=120_000)
            credible.append(seconds + time.perf_counter() - begin)
    add(report, "alarm1000, data to first picture", times, "goal 5 s; from the start of the command")
    add(report, "alarm1000, data to credible networks", credible, "from the start of the command")


def many_variables(report: Report, browser: Browser) -> None:
    drawn, frames = [], []
    for _ in range(REPEATS):
        with explored(browser, DATA / "networks" / "munin.bif.gz") as (page, _):
            page.locator(".cx-canvas").focus()
            ((begin, duration),) = entries(page, "cx-first-picture")
            drawn.append((begin + duration - page.evaluate(ARRIVED)) / 1000)
            frames.append(float(page.evaluate(PAN, FRAMES)))
    note = "goal 2 s; 1,041 variables, from the arrival of the data"
    add(report, "munin, data to picture", drawn, note, frames_per_second=statistics.median(frames))


def evidence(report: Report, browser: Browser) -> None:
    with explored(browser, DATA / "networks" / "andes.bif.gz") as (page, _):
        page.click("#cx-tab-evidence")
        page.locator(".cx-value:not(:empty)").first.wait_for()
        for at in range(CLICKS):
            page.locator(".cx-state").nth(7 * at).click()
            page.locator(".cx-given .cx-chip").nth(at).wait_for()
            while len(entries(page, "cx-evidence")) <= at:
                page.evaluate("new Promise(requestAnimationFrame)")
        times = [duration / 1000 for _, duration in entries(page, "cx-evidence")]
    add(report, "andes, click to bars", times, "goal 150 ms; 223 variables", slowest=max(times))


def size(report: Report) -> None:
    """The front end in bytes: as served, and as one piece."""
    served = sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file())
    inlined = len((script() + style()).encode())
    report.add("front end", "credenet", None, note=f"goal 700 kB; {served:,} bytes served, {inlined:,} inlined")


if __name__ == "__main__":
    main()
