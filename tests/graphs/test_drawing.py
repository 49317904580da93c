"""Drawings: what a notebook shows and what plot writes."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import matplotlib
import pytest
from hypothesis import given, settings
from matplotlib.figure import Figure

from credenet.errors import GraphError
from credenet.graphs import DAG, PDAG
from credenet.graphs.layout import layered
from strategies import pdags

matplotlib.use("agg")
SVG = "{http://www.w3.org/2000/svg}"


@given(pdags(max_size=6))
@settings(max_examples=100, deadline=None)
def test_svg_shows_every_variable_and_edge(pdag: PDAG) -> None:
    svg = ElementTree.fromstring(pdag._repr_html_())
    assert {text.text for text in svg.iter(f"{SVG}text")} == set(pdag.variables)
    lines = list(svg.iter(f"{SVG}polyline"))
    assert len(lines) == pdag.n_edges
    assert sum("marker-end" in line.attrib for line in lines) == len(pdag.directed)


def test_names_are_escaped() -> None:
    html = DAG(["<script>alert(1)</script>", "a&b"])._repr_html_()
    assert "<script>" not in html
    texts = {text.text for text in ElementTree.fromstring(html).iter(f"{SVG}text")}
    assert texts == {"<script>alert(1)</script>", "a&b"}


def test_large_and_empty_graphs_are_one_line() -> None:
    assert DAG(map(str, range(1041)))._repr_html_() == "<pre>&lt;DAG 1,041 variables, 0 edges&gt;</pre>"
    assert DAG([])._repr_html_() == "<pre>&lt;DAG 0 variables, 0 edges&gt;</pre>"


def test_layers_go_down_and_boxes_do_not_overlap() -> None:
    arcs = [(0, 2), (1, 2), (0, 3), (2, 4), (3, 4), (0, 5), (4, 6), (0, 6)]
    widths = [30.0, 80.0, 50.0, 40.0, 60.0, 20.0, 90.0]
    centres, ways = layered(7, arcs, widths, gap=10, layer_height=50)
    for (tail, head), way in zip(arcs, ways, strict=True):
        assert (way[0], way[-1]) == (centres[tail], centres[head])
        assert all(lower[1] - upper[1] == 50 for upper, lower in pairwise(way))
    for a in range(7):
        for b in range(a):
            if centres[a][1] == centres[b][1]:
                apart = abs(centres[a][0] - centres[b][0])
                assert apart >= (widths[a] + widths[b]) / 2 + 10 - 1e-9


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_plot_writes_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"graph{suffix}"
    PDAG.parse("a -> b -- 'c$d$'; a -> e; f".replace("'", '"')).plot(path)
    start = path.read_bytes()[:8]
    assert start.startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])


def test_plot_into_axes() -> None:
    axes = Figure().add_subplot()
    assert DAG.parse("a -> b; c").plot(axes) is axes
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c"]
    assert len(axes.patches) == 4


def test_plot_makes_a_figure() -> None:
    from matplotlib import pyplot

    axes = DAG.parse("a -> b").plot()
    assert axes.figure is pyplot.gcf()
    pyplot.close("all")


def test_plot_refuses_other_files(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"plot writes .svg, .png or .pdf, got 'graph.docx'"):
        DAG(["a"]).plot(tmp_path / "graph.docx")


def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install credenet\[plot\]"):
        DAG(["a"]).plot()
