"""Drawings of graphs: SVG for notebooks without any dependency, and matplotlib figures with the plot extra."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from credenet._arguments import file_path, whole_number
from credenet._files.files import suffix_of
from credenet.drawing.layout.arrangement import Arrangement, arrange, arrange_shared, size_boxes
from credenet.drawing.layout.neighbourhood import find_neighbours
from credenet.drawing.matplotlib_drawing import draw_into, figure_axes
from credenet.drawing.plotting import check_axes, save_figure
from credenet.drawing.svg import (
    DIFFERENT,
    DrawingMarks,
    Picture,
    Stroke,
    frame_drawing,
    names_in_boxes,
    svg_body,
    svg_text,
    to_svg,
)
from credenet.errors import ArgumentError, GraphError
from credenet.graphs._base import Graph, IndexPair
from credenet.graphs.arguments import as_graph
from credenet.io.graphs import save_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SHOWN = 250  # Variables up to which a notebook draws a graph; larger ones are a line of text.
SUFFIXES = (".svg", ".png", ".pdf", ".dot", ".gv")
_BETWEEN = 40.0  # Pixels between two graphs.
_TITLE = 26.0
_SIGN, _LEAST_LINE = 4.8, 24  # Points of a character of a title, and fewest characters of its lines.


@dataclass(frozen=True, slots=True)
class Sketch:
    """A graph ready to be drawn: names, arrangement and marks."""

    variables: Sequence[str]
    arrangement: Arrangement
    n_directed: int
    look: DrawingMarks
    title: str = ""

    def picture(self, caption: str) -> Picture:
        return to_svg(self.arrangement, self.n_directed, self._contents(), caption=caption, look=self.look)

    def body(self) -> str:
        return svg_body(self.arrangement, self.n_directed, self._contents(), self.look)

    def plot(self, axes: Axes) -> None:
        draw_into(axes, self.variables, self.arrangement, self.n_directed, self.look)

    def _contents(self) -> list[str]:
        return names_in_boxes(self.variables, self.arrangement)


def sketch(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    *,
    focus: Sequence[int] | None = None,
    depth: int = 2,
    widths: Sequence[float] | None = None,
) -> Sketch:
    """A graph, or its part at most ``depth`` edges away from the focus."""
    edges = [*directed, *undirected]
    near = range(len(variables)) if focus is None else find_neighbours(len(variables), edges, focus, depth)
    place = {node: at for at, node in enumerate(near)}
    kept = [
        [(place[a], place[b]) for a, b in several if a in place and b in place] for several in (directed, undirected)
    ]
    names = [variables[node] for node in near]
    cut = {place[a] for edge in edges for a, b in (edge, edge[::-1]) if a in place and b not in place}
    look = DrawingMarks(
        strokes=None if widths is None else [Stroke(width=width) for width in widths],
        focus=frozenset(place[node] for node in focus or ()),
        cut=frozenset(cut),
    )
    return Sketch(names, arrange(size_boxes(names), *kept), len(kept[0]), look)


def draw_shared(graphs: Sequence[Graph], titles: Sequence[str] = ()) -> list[Sketch]:
    """Graphs over the same variables in one layout, with the edges that differ marked."""
    first = graphs[0]
    for graph in graphs:
        if set(graph.variables) != set(first.variables):
            raise GraphError("graphs that are drawn together must have the same variables")
    place = {name: at for at, name in enumerate(first.variables)}
    edges = []
    for graph in graphs:
        at = [place[name] for name in graph.variables]
        edges.append(tuple([(at[a], at[b]) for a, b in several] for several in graph._drawn_edges()))
    found = arrange_shared(size_boxes(first.variables), [(directed, undirected) for directed, undirected in edges])
    named = [*titles, *[""] * (len(graphs) - len(titles))]
    return [
        Sketch(
            first.variables,
            one.arrangement,
            one.n_directed,
            DrawingMarks([Stroke(DIFFERENT, 1.8) if is_other else Stroke() for is_other in one.differs], one.absent),
            title,
        )
        for one, title in zip(found, named, strict=True)
    ]


def side_by_side(sketches: Sequence[Sketch], caption: str) -> Picture:
    """Drawings side by side, each under its title."""
    size = sketches[0].arrangement
    step = size.width + _BETWEEN
    parts = []
    for number, one in enumerate(sketches):
        title = svg_text(one.title, size.left + size.width / 2, size.top - _TITLE / 2, anchor="middle")
        parts.append(f'<g transform="translate({number * step:.1f} 0)">{title}{one.body()}</g>')
    width = step * len(sketches) - _BETWEEN
    n_boxes = sum(len(one.variables) for one in sketches)
    corner = size.left, size.top - _TITLE
    return frame_drawing("".join(parts), corner, (width, size.height + _TITLE), n_boxes=n_boxes, caption=caption)


def draw(
    graph: Graph,
    path: str | Path | None,
    *,
    focus: str | Iterable[str] | None,
    depth: int,
    other: Graph | None = None,
    titles: Sequence[str] = (),
) -> Picture:
    """The picture of a graph, or of two side by side, which is written to a file if one is given; see `Graph.draw`."""
    if path is not None:
        check_suffix(path)
    depth = whole_number("depth", depth)
    if other is not None:
        if focus is not None:
            raise ArgumentError("focus is for one graph; give other or focus")
        other = as_graph(other, "other")
        sketches = draw_shared([graph, other], titles)
        picture = side_by_side(sketches, f"{graph!r} and {other!r}")
    else:
        directed, undirected = graph._drawn_edges()
        start = None if focus is None else graph._places(focus)
        sketches = [sketch(graph.variables, directed, undirected, focus=start, depth=depth)]
        picture = sketches[0].picture(repr(graph))
    if path is not None:
        write(graph, sketches, picture, path)
    return picture


def check_suffix(path: str | Path) -> None:
    """Raises an error, before any work, for a file that cannot be written."""
    suffix = file_path(path).suffix.lower()
    if suffix not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise ArgumentError(f"a graph is drawn as {known}, got {file_path(path).name!r}")
    if suffix in (".png", ".pdf"):
        figure_axes([(1.0, 1.0)])  # This raises an error if matplotlib is missing.


def write(graph: Graph, sketches: Sequence[Sketch], picture: Picture, path: str | Path) -> None:
    suffix = suffix_of(path)
    if suffix in (".dot", ".gv"):
        if len(sketches) > 1 or len(sketches[0].variables) < len(graph):
            raise GraphError("a part of a graph, or two graphs, cannot be written as DOT; use .svg, .png or .pdf")
        save_graph(graph, path)  # type: ignore[arg-type]  # a DAG or a PDAG
    elif suffix == ".svg":
        picture.save(path)
    else:
        figure, panels = figure_axes([(one.arrangement.width, one.arrangement.height) for one in sketches])
        for axes, one in zip(panels, sketches, strict=True):
            one.plot(axes)
            axes.set_title(one.title)
        save_figure(figure, path)


def to_html(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    *,
    caption: str,
    widths: Sequence[float] | None = None,
) -> str:
    """An SVG drawing; only the caption if the graph is empty or too large for a page.

    ``widths`` are the line widths of the directed edges, then of the undirected ones.
    """
    if not 0 < len(variables) <= MOST_SHOWN:
        return _say_focus(variables, caption)
    return sketch(variables, directed, undirected, widths=widths).picture(caption)._repr_html_()


def write_shared_html(graphs: Sequence[Graph]) -> list[str]:
    """Drawings of graphs over the same variables in one layout, with their differences marked."""
    if not graphs or not 0 < len(graphs[0]) <= MOST_SHOWN:
        return [_say_focus(graph.variables, repr(graph)) for graph in graphs]
    sketches = zip(draw_shared(graphs), graphs, strict=True)
    return [one.picture(repr(graph))._repr_html_() for one, graph in sketches]


def _say_focus(variables: Sequence[str], caption: str) -> str:
    advice = f"; draw(focus={variables[0]!r}, depth=2) shows what is around a variable" if variables else ""
    return f"<pre>{escape(caption + advice)}</pre>"


def plot(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    target: str | Path | Axes | None,
    *,
    widths: Sequence[float] | None = None,
    title: str = "",
) -> Axes:
    """Matplotlib axes with the same drawing."""
    if isinstance(target, str | Path) and suffix_of(target) not in (".svg", ".png", ".pdf"):
        raise GraphError(f"plot writes .svg, .png or .pdf, got {Path(target).name!r}")
    drawn = sketch(variables, directed, undirected, widths=widths)
    size = (drawn.arrangement.width, drawn.arrangement.height)
    if target is None or isinstance(target, str | Path):
        figure, (axes,) = figure_axes([size], is_shown=target is None)
        drawn.plot(axes)
        axes.set_title(fill(title, max(_LEAST_LINE, int(size[0] / _SIGN))), fontsize=9)
        if target is not None:
            save_figure(figure, target)
        return axes
    drawn.plot(check_axes(target))
    target.set_title(title, fontsize=9, wrap=True)
    return target
