"""The explorer in a real browser, as a person uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import axe_playwright_python
import pytest

import credenet
from credenet import Knowledge
from credenet.explorer.server import Server
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource
from credenet.structures.pairs import arrows
from explorer.examples import ODD, asia_session, learned, odd_data
from shared import shared_data

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from explorer.conftest import Visits

    Open = Callable[..., Page]

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
TABS = ("edges", "networks", "evidence", "effects", "knowledge", "data", "export")
FOREIGN_REQUEST = """
  (address) => fetch(address, { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).catch(() => null)
"""
READY = {  # The selector of a view that has its answers.
    "edges": ".cx-table",
    "networks": ".cx-tree",
    "evidence": ".cx-value:not(:empty)",
    "effects": ".cx-dot",
    "knowledge": ".cx-tier",
    "data": ".cx-parts",
    "export": "textarea",
}
CY = "document.querySelector('.cx-canvas')._cyreg.cy"


def n_drawn(page: Page, what: str = "edges") -> int:
    number: int = page.evaluate(f"{CY}.{what}().length")
    return number


def n_joined(session: ExplorerSession, threshold: float) -> int:
    """How many pairs at least so many networks join."""
    assert session.answer.networks is not None
    pairs = session.answer.networks.pair_probabilities()
    return sum(shares.joined >= threshold for shares in pairs.values())


def show(page: Page, tab: str) -> None:
    page.click(f"#cx-tab-{tab}")


def downloaded(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as started:
        page.get_by_role("button", name=button).click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def test_alarm_from_the_data_to_a_corrected_model(visits: Visits, tmp_path: Path) -> None:
    """Load, threshold, evidence, forbid an arc and relearn, undo, export, reload, cancel."""
    path = shared_data("datasets", "alarm1000.csv.gz")
    data = credenet.read(path)
    source = OpenedSource("alarm1000", data, f"credenet.read({str(path)!r})", {"max_parents": 3, "bayes_factor": 3})
    session = ExplorerSession.begin(source, Knowledge())
    with Server(session) as server:
        page = visits.open(server.address)
        page.wait_for_selector("[data-drawn=credible]")
        assert n_drawn(page, "nodes") == 37

        before = n_drawn(page)
        assert before == n_joined(session, 0.1)
        page.get_by_label("Least share of the networks").fill("90")
        assert n_drawn(page) == n_joined(session, 0.9)
        assert n_drawn(page) < before
        page.get_by_label("only what is uncertain").check()
        assert 0 < n_drawn(page) < before
        page.get_by_label("only what is uncertain").uncheck()

        show(page, "evidence")
        group = page.get_by_role("group", name="3", exact=True)
        other = page.get_by_role("group", name="8", exact=True).locator(".cx-value").first
        page.wait_for_selector(".cx-given button[disabled]")
        usual = other.inner_text()
        group.get_by_role("button", pressed=False).nth(1).click()
        page.wait_for_selector(".cx-given .cx-chip")
        group.locator("[aria-pressed=true]").wait_for()
        assert other.inner_text() != usual
        assert group.locator(".cx-value").nth(0).inner_text() == "100 %"

        edges = session.state()["pairs"]
        parent, child = session.answer.arrows[0]
        show(page, "knowledge")
        page.get_by_label("From").select_option(parent)
        page.get_by_label("To", exact=True).select_option(child)
        page.get_by_role("button", name="Add rule").click()
        page.get_by_role("button", name="Relearn").click()
        page.locator(".cx-header").get_by_role("button", name="Undo").wait_for()
        session.wait()
        assert session.answer.networks is not None
        assert (parent, child) not in session.answer.networks.edge_probabilities()
        assert session.answer.knowledge.forbidden == ((parent, child),)
        page.locator(".cx-header").get_by_role("button", name="Undo").click()
        page.locator(".cx-header").get_by_role("button", name="Redo").wait_for()
        assert session.state()["pairs"] == edges

        show(page, "export")
        assert credenet.load(downloaded(page, "Best network (BIF)", tmp_path)).dag == session.answer.dag
        assert "<polyline" in downloaded(page, "Picture (SVG)", tmp_path).read_text()
        assert downloaded(page, "Picture (PNG)", tmp_path).read_bytes().startswith(b"\x89PNG")
        assert "credenet.credible_networks(data, max_parents=3" in page.get_by_label("Python lines").input_value()

        page.reload()
        page.wait_for_selector("[data-drawn=credible]")
        assert page.get_by_label("Least share of the networks").input_value() == "90"
        assert page.locator("#cx-tab-export").get_attribute("aria-selected") == "true"
        show(page, "evidence")
        page.wait_for_selector(".cx-given .cx-chip")


def test_cancel(visits: Visits) -> None:
    """What was found before Cancel stays."""
    data = credenet.read(shared_data("datasets", "alarm1000.csv.gz"))
    session = ExplorerSession.begin(OpenedSource("alarm1000", data, ""), Knowledge())
    with Server(session) as server:
        page = visits.open(server.address)
        page.wait_for_selector("[data-drawn=best]")
        page.get_by_text("A first look").wait_for()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_text("Cancelled before the credible networks were found").wait_for()
        page.locator(".cx-job").wait_for(state="hidden")
        session.wait()
        assert n_drawn(page) == len(session.answer.pairs) > 0
        check_no_certainty(page)
        show(page, "networks")
        page.get_by_text("There is one network, not a set of credible ones.").wait_for()
        show(page, "knowledge")
        page.get_by_role("button", name="Relearn").click()  # Learning runs again with the same rules.
        page.get_by_role("button", name="Cancel").click()
        page.locator(".cx-header").get_by_role("button", name="Undo").wait_for()


def check_no_certainty(page: Page) -> None:
    """No share, no width and no colour of certainty, and words that say what is shown."""
    words = "edges of the best network found so far; how sure they are is not known"
    page.locator(".cx-toolbar").get_by_text(words).wait_for()
    assert not page.get_by_label("Least share of the networks").is_visible()
    assert not page.get_by_label("only what is uncertain").is_visible()
    looks = page.evaluate(f"{CY}.edges().map(edge => edge.data('colour') + edge.data('width'))")
    assert len(set(looks)) == 1
    show(page, "edges")
    assert [text.rstrip(" ▲▼") for text in page.locator("thead th").all_inner_texts()] == ["edge", "direction"]
    cells = set(page.locator("tbody td").all_inner_texts())
    assert cells <= {"→", "data cannot tell"}
    page.locator("tbody .cx-link").first.click()
    told = "in the best network found so far; how sure that is is not known"
    assert told in page.locator(".cx-inspector").inner_text()
    for part in (".cx-left", "#cx-panel"):
        assert "%" not in page.locator(part).inner_text()
        assert "all networks" not in page.locator(part).inner_text()


def heads_of(page: Page) -> set[tuple[str, str]]:
    """The edges that the picture draws with an arrow head."""
    name = f"node => {CY}.getElementById(node).data('name')"
    ends = f"[({name})(edge.data('source')), ({name})(edge.data('target'))]"
    shown = f"{CY}.edges().filter(edge => edge.style('target-arrow-shape') !== 'none').map(edge => {ends})"
    return {(tail, head) for tail, head in page.evaluate(shown)}


def test_directions_given_tiers(served: Open, tmp_path: Path) -> None:
    """Arrow heads, table, inspector and files say what the table of pairs says, also of directions that tiers force."""
    data = credenet.textbook.asia().sample(1000, seed=1)
    for rules in (Knowledge(), Knowledge(tiers=[["asia", "smoke"]])):
        page = served(learned(OpenedSource("asia.csv", data, "", {"score": "bic"}), rules))
        pairs = credenet.credible_networks(data, score="bic", knowledge=rules).pair_probabilities()
        likely = {pair: shares for pair, shares in pairs.items() if shares.joined >= 0.1}
        heads = {edge for edge in arrows(data.variables, pairs) if edge in likely or edge[::-1] in likely}
        assert heads_of(page) == heads
        assert (("smoke", "lung") in heads) == (rules != Knowledge())
        show(page, "export")
        svg = downloaded(page, "Picture (SVG)", tmp_path).read_text()
        assert (svg.count("<polygon"), svg.count("<polyline")) == (len(heads), len(likely))
        show(page, "edges")
        for row in page.locator("tbody tr").all():
            edge = row.locator("th").inner_text()
            a, b = re.findall(r"\w+", edge)
            shares = pairs.get((a, b)) or pairs[b, a]
            ahead, back = (shares.forward, shares.backward)[:: 1 if (a, b) in pairs else -1]
            told = [shares.joined, ahead, back, shares.undetermined]
            assert [number(text) for text in row.locator("td").all_inner_texts()] == pytest.approx(told, abs=0.006)
            row.locator("button").click()
            words = page.locator(".cx-inspector span").first.inner_text()
            assert [number(text) for text in re.findall(r"[\d.<>]+ %", words)][:4] == pytest.approx(told, abs=0.006)


def number(text: str) -> float:
    return float(text.strip("<> %")) / 100


def test_questions_in_words(served: Open) -> None:
    """Whether two are joined, with yes and no; or in which direction, with the directions."""
    page = served(asia_session())
    show(page, "networks")
    page.locator(".cx-tree").wait_for()
    asked = re.compile(r"(Are|In which direction are) \w+ and \w+ joined\?")
    questions = page.locator(".cx-tree button").all_inner_texts()
    assert questions
    assert all(asked.fullmatch(each) for each in questions)
    answers = set(page.locator(".cx-tree .cx-answer").all_inner_texts()) - {""}
    assert {"yes", "no", "data cannot tell"} < answers
    assert all(re.fullmatch(r"yes|no|data cannot tell|\w+ → \w+", each) for each in answers)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(served: Open, scheme: str) -> None:
    """No serious findings of axe in any view."""
    page = served(asia_session(score="bic"), scheme=scheme)
    page.evaluate(AXE.read_text())
    for tab in TABS:
        show(page, tab)
        page.locator(READY[tab]).first.wait_for()
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (each["id"], [node["html"][:120] for node in each["nodes"]])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == [], tab


def test_by_keyboard_alone(served: Open) -> None:
    session = asia_session(score="bic")
    page = served(session)
    press = page.keyboard.press
    press("Tab")
    press("ArrowRight")  # The key changes the threshold.
    assert page.get_by_label("Least share of the networks").input_value() == "11"
    press("Tab")
    press("Space")  # The key shows only uncertain pairs.
    assert page.get_by_label("only what is uncertain").is_checked()
    press("Space")
    press("Tab")
    page.keyboard.type("smoke")
    press("Enter")
    assert page.locator(".cx-inspector strong").inner_text() == "smoke"
    while page.evaluate("document.activeElement.className").split(" ")[0] != "cx-canvas":
        press("Tab")
    press("ArrowDown")
    below = page.locator(".cx-inspector strong").inner_text()
    assert below in credenet.textbook.asia().variables
    assert below != "smoke"
    press("Enter")
    page.get_by_role("button", name="Whole network").wait_for()
    press("Escape")
    press("Escape")
    page.get_by_role("button", name="Whole network").wait_for(state="detached")
    assert n_drawn(page, "nodes") == 8
    while page.evaluate("document.activeElement.id") != "cx-tab-edges":
        press("Tab")
    for _ in range(4):
        press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "cx-tab-knowledge"
    page.get_by_role("button", name="Add tier").focus()
    press("Enter")
    page.locator("[data-name=smoke]").focus()
    press("ArrowUp")
    assert page.get_by_role("group", name="tier 1").locator(".cx-chip").all_inner_texts() == ["smoke"]
    assert page.evaluate("document.activeElement.dataset.name") == "smoke"
    page.get_by_role("button", name="Relearn").focus()
    press("Enter")
    page.locator(".cx-header").get_by_role("button", name="Undo").wait_for()
    session.wait()
    assert session.answer.knowledge.tiers == (("smoke",),)


def test_tiers_by_dragging_and_contradictions(served: Open) -> None:
    session = asia_session(score="bic")
    page = served(session)
    show(page, "knowledge")
    page.get_by_role("button", name="Add tier").click()
    page.get_by_role("button", name="Add tier").click()
    page.locator("[data-name=dysp]").drag_to(page.get_by_role("group", name="tier 1"))
    page.locator("[data-name=bronc]").drag_to(page.get_by_role("group", name="tier 2"))
    assert page.get_by_role("group", name="tier 1").locator(".cx-chip").all_inner_texts() == ["dysp"]
    page.get_by_label("Kind of rule").select_option("required")
    page.get_by_label("From").select_option("bronc")
    page.get_by_label("To", exact=True).select_option("dysp")
    page.get_by_role("button", name="Add rule").click()
    page.get_by_text("These rules contradict each other").wait_for()
    assert "'bronc' -> 'dysp'" in page.locator(".cx-problem").first.inner_text()
    assert page.get_by_role("button", name="Relearn").is_disabled()
    page.get_by_role("button", name="Remove required bronc → dysp").click()
    page.locator(".cx-main-button:not([disabled])").click()
    page.locator(".cx-header").get_by_role("button", name="Undo").wait_for()
    session.wait()
    assert session.answer.knowledge.tiers == (("dysp",), ("bronc",))
    assert session.answer.networks is not None
    assert ("bronc", "dysp") not in session.answer.networks.edge_probabilities()


def test_two_tabs_see_the_same(visits: Visits) -> None:
    session = asia_session(score="bic")
    with Server(session) as server:
        first, second = (visits.open(server.address) for _ in range(2))
        for page in (first, second):
            page.wait_for_selector("[data-drawn=credible]")
        show(first, "evidence")
        show(second, "evidence")
        first.get_by_role("group", name="smoke").get_by_role("button", name="yes").click()
        first.locator("[aria-pressed=true]").wait_for()
        assert second.locator("[aria-pressed=true]").count() == 0  # Each browser asks its own questions.
        first.locator(".cx-canvas").focus()
        show(first, "knowledge")
        first.get_by_label("From").select_option("bronc")
        first.get_by_label("To", exact=True).select_option("dysp")
        first.get_by_role("button", name="Add rule").click()
        first.get_by_role("button", name="Relearn").click()
        for page in (first, second):
            page.locator(".cx-header").get_by_role("button", name="Undo").wait_for()
        session.wait()
        second.locator(".cx-header").get_by_role("button", name="Undo").click()
        first.locator(".cx-header").get_by_role("button", name="Redo").wait_for()
        assert session.answer.knowledge == Knowledge()


def test_strangers_get_nothing(visits: Visits) -> None:
    """A wrong token, and a page of another origin that sends a request to the server."""
    session = asia_session(score="bic")
    with Server(session) as server, ExitStack() as stack:
        page = visits.open(f"http://127.0.0.1:{server.port}/?token=guessed")
        assert "The token is missing or wrong" in page.inner_text("body")
        page = visits.open(server.address)  # This gives the browser the cookie.
        page.wait_for_selector("[data-drawn=credible]")
        # The foreign server has no pages.
        foreign = stack.enter_context(HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler))
        Thread(target=foreign.serve_forever, daemon=True).start()
        stack.callback(foreign.shutdown)
        # It counts as the same site, so that the browser sends the cookie.
        page.goto(f"http://127.0.0.1:{foreign.server_port}/")
        with page.expect_response("**/api/undo") as answered:
            page.evaluate(FOREIGN_REQUEST, f"http://127.0.0.1:{server.port}/api/undo")
        assert answered.value.status == 403
    assert all("Failed to load resource" in error for error in visits.errors), visits.errors
    visits.errors.clear()


def test_names_with_markup_are_text(served: Open) -> None:
    session = learned(OpenedSource("<img src=x onerror=alert(1)>.csv", odd_data(), "", {"bayes_factor": 3}))
    page = served(session)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>.csv"
    for tab in TABS:
        show(page, tab)
        page.locator("#cx-panel > *").wait_for()
        assert page.locator("#cx-panel b, #cx-panel i, img").count() == 0
    show(page, "evidence")
    assert set(page.locator(".cx-variable > .cx-link").all_inner_texts()) == set(ODD)
    page.get_by_role("button", name="<i>x</i>").click()
    page.get_by_text("<b>bold</b> = <i>x</i> ✕").wait_for()


def test_linked_views(served: Open) -> None:
    page = served(asia_session())
    show(page, "edges")
    page.locator("tbody .cx-link").first.click()
    name = page.locator("tbody .cx-link").first.inner_text()
    assert page.locator(".cx-inspector strong").inner_text() == name
    assert page.evaluate(f"{CY}.$('.chosen').length") == 1
    joined = [float(text.strip("<> %")) for text in page.locator("tbody tr td:nth-child(2)").all_inner_texts()]
    assert joined == sorted(joined, reverse=True)
    page.get_by_role("button", name="joined").click()
    joined = [float(text.strip("<> %")) for text in page.locator("tbody tr td:nth-child(2)").all_inner_texts()]
    assert joined == sorted(joined)
    show(page, "networks")
    page.get_by_label("A: rank 1", exact=True).check()
    page.get_by_label("B: rank 5", exact=True).check()
    page.get_by_role("button", name="Compare A and B").click()
    assert page.locator("dialog figure").count() == 2
    different = page.locator("dialog li").count()
    assert page.locator("dialog strong").inner_text() == f"{different} difference{'s' * (different != 1)}, drawn in red"
    page.keyboard.press("Escape")
    page.locator(".cx-tree button").first.click()
    assert page.locator(".cx-inspector strong").inner_text()
    page.get_by_label("Find a variable and select it").fill("smoke")
    page.keyboard.press("Enter")
    show(page, "effects")
    page.get_by_text("P(y | do(smoke))").wait_for()
    assert page.locator(".cx-dot").count() > 4
    page.get_by_role("button", name="Look closer").click()
    page.get_by_role("button", name="Whole network").wait_for()


def test_many_variables(served: Open) -> None:
    """An overview of all, and a closer look at some."""
    session = learned(OpenedSource("andes", credenet.load(shared_data("networks", "andes.bif.gz")), ""))
    page = served(session)
    assert n_drawn(page, "nodes") == 223
    name = session.answer.variables[100]
    page.get_by_label("Find a variable and select it").fill(name)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Look closer").click()
    page.get_by_role("button", name="Whole network").wait_for()
    page.get_by_label("Edges away").select_option("2")
    near = session.call("layout", {"focus": 100, "depth": 2, "threshold": 0.1})["boxes"]
    page.wait_for_selector(f"[data-boxes='{len(near)}']")
    assert set(page.evaluate(f"{CY}.nodes().map(node => node.data('name'))")) == {
        session.answer.variables[box["variable"]] for box in near
    }
    show(page, "evidence")
    page.locator(".cx-state").nth(30).click()
    page.locator("[aria-pressed=true]").wait_for()
    show(page, "networks")
    page.get_by_text("There is one network, not a set of credible ones.").wait_for()


def test_the_report_without_a_server(visits: Visits, tmp_path: Path) -> None:
    data = credenet.datasets.asia(1000, seed=1)
    path = tmp_path / "report.html"
    credenet.credible_networks(data, score="bic").report(path, data=data)
    page = visits.open(path)
    page.wait_for_selector("[data-drawn=credible]")
    everything = n_drawn(page)
    page.get_by_label("Least share of the networks").fill("95")
    assert 0 < n_drawn(page) < everything
    for tab in TABS:
        show(page, tab)
        page.locator("#cx-panel > *").wait_for()
    show(page, "networks")
    page.locator(".cx-chart").wait_for()
    page.locator(".cx-tree").wait_for()
    show(page, "effects")
    page.locator(".cx-dot").first.wait_for()
    show(page, "evidence")
    page.get_by_text("Evidence needs a server").wait_for()
    page.emulate_media(media="print")
    assert not page.locator(".cx").is_visible()
    assert page.get_by_text("How the scores fall", exact=True).last.is_visible()


def test_the_widget_in_a_page(visits: Visits, tmp_path: Path) -> None:
    """The module of the notebook, with a stand-in for the notebook that answers by Python."""
    data = credenet.datasets.asia(500, seed=1)
    widget = credenet.credible_networks(data, score="bic").explore(data=data)
    sent: list[Any] = []
    widget.send = sent.append

    def answer(text: str) -> str:
        widget._handle_custom_msg(json.loads(text), [])
        return json.dumps(sent.pop())

    path = tmp_path / "notebook.html"
    path.write_text("<!DOCTYPE html><title>notebook</title><div id='cell'></div>")
    page = visits.open(path)
    page.expose_function("ask", answer)
    page.add_style_tag(content=widget._css)
    stand_in = """
      async (source) => {
        const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
        let heard = null;
        const model = {
          on: (name, callback) => { heard = callback; },
          send: async (message) => heard(JSON.parse(await globalThis.ask(JSON.stringify(message)))),
        };
        module.default.render({ model, el: document.getElementById("cell") });
      }
    """
    page.evaluate(stand_in, widget._esm)
    page.wait_for_selector("[data-drawn=credible]")
    show(page, "evidence")
    page.get_by_role("group", name="smoke").get_by_role("button", name="yes").click()
    page.locator("[aria-pressed=true]").wait_for()
