"""Drawings: what a notebook shows and what plot writes."""

from __future__ import annotations

import math
import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import matplotlib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import credenet
from credenet.drawing.graphs import draw_shared
from credenet.drawing.layout.arrangement import Arrangement, arrange, size_boxes
from credenet.drawing.layout.layered import layer_nodes
from credenet.drawing.svg import DIFFERENT
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG, PDAG
from graph_strategies import pdags
from shared import shared_data

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
    large = DAG(map(str, range(1041)))._repr_html_()
    assert large.startswith("<pre>&lt;DAG 1,041 variables, 0 edges&gt;; draw(focus=")
    assert len(large) < 200
    assert DAG([])._repr_html_() == "<pre>&lt;DAG 0 variables, 0 edges&gt;</pre>"


def test_layers_go_down_and_boxes_do_not_overlap() -> None:
    arcs = [(0, 2), (1, 2), (0, 3), (2, 4), (3, 4), (0, 5), (4, 6), (0, 6)]
    widths = [30.0, 80.0, 50.0, 40.0, 60.0, 20.0, 90.0]
    centres, ways = layer_nodes(7, arcs, widths, gap=10, layer_height=50)
    for (tail, head), way in zip(arcs, ways, strict=True):
        assert (way[0], way[-1]) == (centres[tail], centres[head])
        assert all(lower[1] - upper[1] == 50 for upper, lower in pairwise(way))
    beside = [(a, b) for a in range(7) for b in range(a) if centres[a][1] == centres[b][1]]
    assert beside
    for a, b in beside:
        apart = abs(centres[a][0] - centres[b][0])
        assert apart >= (widths[a] + widths[b]) / 2 + 10 - 1e-9


def arrangement_of(graph: DAG | PDAG) -> Arrangement:
    return arrange(size_boxes(graph.variables), *graph._drawn_edges())


def check_arrangement(graph: DAG | PDAG, arrangement: Arrangement) -> None:
    """No two boxes overlap, no line cuts a box, all is inside, and arrows lead down."""
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in zip(arrangement.centres, arrangement.sizes, strict=True)
    ]
    by_layer: dict[float, list[tuple[float, float, int]]] = {}
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert arrangement.left < left < right < arrangement.left + arrangement.width
        assert arrangement.top < top < bottom < arrangement.top + arrangement.height
        by_layer.setdefault(top, []).append((left, right, number))
    tops = sorted(by_layer)
    assert all(lower - upper > 26 for upper, lower in pairwise(tops) if lower != upper)
    for layer in by_layer.values():
        layer.sort()
        assert all(before[1] < after[0] for before, after in pairwise(layer))
    directed, undirected = graph._drawn_edges()
    for (tail, head), line in zip([*directed, *undirected], arrangement.lines, strict=True):
        for start, end in pairwise(line):
            assert crossed(boxes, by_layer, start, end) <= {tail, head}
    for (tail, head), line in zip(directed, arrangement.lines, strict=False):
        assert boxes[tail][0] <= line[0][0] <= boxes[tail][2]
        assert boxes[head][0] <= line[-1][0] <= boxes[head][2]
        assert line[0][1] == pytest.approx(boxes[tail][3])
        assert line[-1][1] == pytest.approx(boxes[head][1])


def crossed(
    boxes: list[tuple[float, float, float, float]],
    by_layer: dict[float, list[tuple[float, float, int]]],
    start: tuple[float, float],
    end: tuple[float, float],
) -> set[int]:
    """The boxes whose inside a piece of a line meets."""
    found: set[int] = set()
    low, high = min(start[1], end[1]), max(start[1], end[1])
    for top, layer in by_layer.items():
        bottom = boxes[layer[0][2]][3]
        if high <= top or low >= bottom:
            continue
        if start[0] == end[0]:
            least = most = start[0]
        else:
            slope = (end[0] - start[0]) / (end[1] - start[1])
            ends = [start[0] + slope * (min(max(y, low), high) - start[1]) for y in (top, bottom)]
            least, most = min(ends), max(ends)
        found.update(number for left, right, number in layer if left + 1e-6 < most and least < right - 1e-6)
    return found


@given(pdags(max_size=8))
@settings(max_examples=100, deadline=None)
def test_boxes_and_lines_keep_apart(pdag: PDAG) -> None:
    check_arrangement(pdag, arrangement_of(pdag))


@pytest.mark.parametrize("name", ["alarm", "hepar2", "win95pts", "pathfinder", "munin1", "andes", "pigs", "munin"])
def test_large_networks(name: str) -> None:
    """They have the shape of a page, more or less; andes is tall, as its longest path has some 40 layers."""
    network = credenet.load(shared_data("networks", f"{name}.bif.gz"))
    arrangement = arrangement_of(network.dag)
    check_arrangement(network.dag, arrangement)
    assert 0.5 < arrangement.width / arrangement.height < 2.6
    assert arrangement.width < 700 * math.sqrt(len(network.variables)) / 3


def test_no_row_of_all_roots() -> None:
    roots = [f"root {number}" for number in range(300)]
    for dag in (DAG(["child", *roots], [(root, "child") for root in roots[:60]]), DAG(roots)):
        arrangement = arrangement_of(dag)
        assert arrangement.width < 2500
        check_arrangement(dag, arrangement)


def test_parts_are_laid_out_apart() -> None:
    """What no edge joins lies side by side, then in further rows."""
    pairs = [(f"a{number}", f"b{number}") for number in range(30)]
    dag = DAG([name for pair in pairs for name in pair], pairs)
    arrangement = arrangement_of(dag)
    check_arrangement(dag, arrangement)
    assert len({y for _, y in arrangement.centres}) > 2
    assert arrangement.width < 1000


def test_focus_shows_a_neighbourhood() -> None:
    dag = credenet.textbook.asia().dag
    svg = ElementTree.fromstring(dag.draw(focus="lung", depth=1).svg)
    assert {text.text for text in svg.iter(f"{SVG}text")} == {"smoke", "lung", "either"}
    assert len(list(svg.iter(f"{SVG}polyline"))) == 2
    boxes = list(svg.iter(f"{SVG}rect"))
    # The variables smoke and either have more neighbours.
    assert sum("stroke-dasharray" in box.attrib for box in boxes) == 2
    assert len({box.attrib["fill"] for box in boxes}) == 2
    whole = ElementTree.fromstring(dag.draw(focus=["asia", "bronc"], depth=9).svg)
    assert len(list(whole.iter(f"{SVG}rect"))) == 8
    assert not any("stroke-dasharray" in box.attrib for box in whole.iter(f"{SVG}rect"))
    alone = ElementTree.fromstring(dag.draw(focus="lung", depth=0).svg)
    assert len(list(alone.iter(f"{SVG}rect"))) == 1
    with pytest.raises(GraphError, match="unknown variable 'lun'; did you mean 'lung'"):
        dag.draw(focus="lun")
    with pytest.raises(ArgumentError, match="depth must be at least 0, got -1"):
        dag.draw(focus="lung", depth=-1)


def test_two_graphs_share_a_layout() -> None:
    first = PDAG.parse("a -> b -> c; a -- d; e")
    second = PDAG.parse("e; d; a -- b; b -> c; c -> e; a -- d")
    left, right = draw_shared([first, second])
    assert left.variables == right.variables
    assert left.arrangement.centres == right.arrangement.centres
    marked = [
        {edge for edge, stroke in zip(graph.edges, one.look.strokes or (), strict=True) if stroke.colour == DIFFERENT}
        for graph, one in ((first, left), (second, right))
    ]
    assert marked == [{("a", "b")}, {("a", "b"), ("c", "e")}]
    assert [len(one.look.dotted) for one in (left, right)] == [1, 0]  # The dotted edge is c -> e.
    svg = ElementTree.fromstring(first.draw(other=second).svg)
    assert len(list(svg.iter(f"{SVG}g"))) == 2
    assert len(list(svg.iter(f"{SVG}rect"))) == 10
    with pytest.raises(GraphError, match="must have the same variables"):
        first.draw(other=PDAG.parse("a -> b"))
    with pytest.raises(ArgumentError, match="give other or focus"):
        first.draw(other=second, focus="a")


@given(pdags(max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_a_graph_beside_itself_has_no_marks(pdag: PDAG, data: st.DataObject) -> None:
    names = data.draw(st.permutations(pdag.variables))
    same = PDAG(names, pdag.directed, pdag.undirected)
    for one in draw_shared([pdag, same]):
        assert one.look.strokes is not None
        assert len({(stroke.colour, stroke.width) for stroke in one.look.strokes}) <= 1
        assert not one.look.dotted
        assert one.variables == pdag.variables


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".dot"])
def test_draw_writes_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"graph{suffix}"
    dag = DAG.parse("a -> b; c")
    picture = dag.draw(path)
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".dot": b"digraph"}
    assert path.read_bytes().startswith(starts[suffix])
    assert repr(picture) == f"<Picture {picture.width:.0f} x {picture.height:.0f} pixels>"
    assert picture._repr_html_().startswith("<svg")


def test_what_dot_cannot_say_is_refused(tmp_path: Path) -> None:
    dag = DAG.parse("a -> b; c")
    with pytest.raises(GraphError, match="cannot be written as DOT"):
        dag.draw(tmp_path / "graph.dot", focus="a", depth=0)
    for suffix in (".svg", ".png", ".pdf"):
        path = tmp_path / f"graph{suffix}"
        dag.draw(path, focus="a", depth=0)
        dag.draw(path, other=DAG.parse("b -> a; c"))
        assert path.stat().st_size > 0


def test_draw_refuses_other_files_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"a graph is drawn as .svg, .png, .pdf, .dot or .gv, got 'graph.docx'"):
        DAG(["a"]).draw(tmp_path / "graph.docx", focus="nothing")


def test_wide_pictures_scroll() -> None:
    wide = DAG([f"a rather long name {number}" for number in range(400)]).draw()
    assert wide.width > 1200
    assert wide._repr_html_().startswith('<div style="overflow:auto')
    assert "max-width" not in wide.svg


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
