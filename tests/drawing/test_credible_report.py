"""Reports and figures of credible sets."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

import credenet
from credenet import CredibleSet, Dataset, FamilyTable, credible_networks
from credenet._text import probability
from credenet.errors import ArgumentError
from html_page import Page

matplotlib.use("agg")


@pytest.fixture(scope="module")
def found() -> CredibleSet:
    return credible_networks(credenet.datasets.asia(1000, seed=1), score="bic")


def test_report(found: CredibleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # The report must not need matplotlib.
    path = tmp_path / "report.html"
    found.report(
        path, data=credenet.datasets.asia(1000, seed=1), command="credenet credible <asia.csv>", explorer=False
    )
    written = path.read_text()
    assert "http" not in written
    page = Page(written)
    assert page.tags.count("svg") == 2 + 4 + 1
    for text in (
        "a Bayes factor of 20 of the best",
        "7 classes",
        "each network left out is at least 20 times less probable than the best; together they hold 28 % of the",
        "3 networks tie for the best score, all equivalent (1 class)",
        "data cannot tell",
        "where data cannot tell a direction, either of the two may be the parent",
        "bic",
        "credenet credible <asia.csv>",
    ):
        assert text in page.text, text
    for (a, b), shares in found.pair_probabilities().items():
        for parent, child, share in ((a, b, shares.forward), (b, a, shares.backward)):
            assert f'title="{parent} \u2192 {child}: {probability(share)}' in written
    assert str(found.provenance.data_digest) in page.text
    assert "<tr><td>networks</td><td>32</td></tr>" in written


def test_the_explorer_comes_with_its_contents(found: CredibleSet, tmp_path: Path) -> None:
    """What it draws is tested in a browser (tests/explorer)."""
    path = tmp_path / "report.html"
    found.report(path)
    written = path.read_text()
    tags = re.findall(
        r"<(script|link|img|iframe)\b([^>]*)>",
        re.sub(r"<script type=.module.>.*?</script>", "", written, flags=re.DOTALL),
    )
    assert tags == [("script", ' type="application/json" id="contents"')]
    found.report(path, explorer=False)
    plain = path.read_text()
    assert "<script" not in plain
    assert plain[plain.index("<section>") :] == written[written.index("<section>") :]  # Only this part is printed.


def test_notebooks(found: CredibleSet) -> None:
    shown = found._repr_html_()
    assert "<tr><td>networks</td><td>32</td></tr>" in shown
    page = Page(shown.replace(' xmlns="http://www.w3.org/2000/svg"', ""))
    assert page.tags.count("svg") == 2


def test_reports_of_unusual_sets(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    odd = pl.DataFrame({'<b a="1">': ["x", "y"] * 20, "&amp;": ["u", "u", "v", "v"] * 10, "one": ["1"] * 40})
    credible_networks(Dataset.from_frame(odd), bayes_factor=5).report(path, explorer=False)
    page = Page(path.read_text())
    assert '<b a="1">' in page.text
    assert "b" not in page.tags
    lists = {f"v{k}": [(0.0, []), (0.0, [f"v{k ^ 1}"])] for k in range(120)}
    credible_networks(FamilyTable.from_lists(lists), slack=1.0).report(path, explorer=False)
    assert f"{3**60:,}" in Page(path.read_text()).text
    credible_networks(FamilyTable.from_lists({"a": [(0.0, ["b"])], "b": [(0.0, ["a"])]}), slack=1.0).report(
        path, explorer=False
    )
    assert "no network is made of the families of this table" in Page(path.read_text()).text
    none = credible_networks(FamilyTable.from_lists({"a": []}), slack=1.0)
    assert "no network is made of the families of this table" in none._repr_html_()


def test_plots(found: CredibleSet, tmp_path: Path) -> None:
    figure = Figure()
    axes = found.listing.plot(figure.add_subplot())
    line = axes.lines[0]
    ranks, values = np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()
    assert found.optimum is not None
    scores = [network.score for network in found.listing.networks()]
    assert ranks[-1] == found.n_networks
    assert values == pytest.approx([found.optimum - scores[rank - 1] for rank in ranks], abs=1e-8)
    assert axes.get_xlim() == (1, found.n_networks)
    assert axes.get_ylim()[0] == 0
    image = np.asarray(found.plot_edge_probabilities(Figure().add_subplot()).images[0].get_array())
    place = found.variables.index
    for (parent, child), share in found.edge_probabilities().items():
        assert image[place(parent), place(child)] == pytest.approx(share)
    average = found.plot_average(Figure().add_subplot(), threshold=0.5)
    widths = [patch.get_linewidth() for patch in average.patches if type(patch).__name__ == "FancyArrowPatch"]
    assert len(widths) == 7
    assert max(widths) == pytest.approx(4.0)
    panels = found.classes.plot(tmp_path / "classes.svg", k=2)
    assert len(panels) == 2
    first, second = ([text.get_position() for text in axes.texts] for axes in panels)
    assert first == second  # The boxes are at the same places.
    found.listing.plot(tmp_path / "deviations.png")
    found.plot_edge_probabilities(tmp_path / "edges.pdf")
    found.plot_average(tmp_path / "average.svg")
    assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 4


def test_plots_that_make_no_sense(found: CredibleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match=r"\.svg, \.png or \.pdf"):
        found.listing.plot("x.gif")
    with pytest.raises(ArgumentError, match="k must be"):
        found.classes.plot(k=0)
    with pytest.raises(ArgumentError, match="threshold"):
        found.plot_average(threshold=2)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"credenet\[plot\]"):
        found.listing.plot("x.svg")
