"""Drawings: inline SVG for notebooks without any dependency, and matplotlib figures with the plot extra."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from credenet import _core
from credenet.arguments import shown
from credenet.errors import ArgumentError, GraphError
from credenet.graphs._base import IndexPair, index_arrays
from credenet.graphs.layout import Point, layered
from credenet.io.files import atomic_writer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Lengths are pixels in SVG and points in matplotlib.
MAX_DRAWN = 150  # variables; beyond that a notebook shows one line instead
_FONT_SIZE = 13
_CHARACTER = 7.8  # an upper estimate of the mean width
_BOX_HEIGHT = 26.0
_LAYER_GAP = 36.0
_GAP = 18.0
_MARGIN = 4.0
_MAX_INCHES = 200.0
_FILL, _BORDER, _LINE, _TEXT = "#eef2f8", "#5b6b83", "#888888", "#1d2733"


Size = tuple[float, float]  # width and height


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes by variable, and lines that end at their borders; y grows downwards."""

    centres: list[Point]
    sizes: list[Size]
    lines: list[list[Point]]  # the directed edges, then the undirected ones
    left: float
    top: float
    width: float
    height: float


def text_width(text: str) -> float:
    """About as wide as the text is drawn, rather more."""
    return _CHARACTER * len(text)


def named_boxes(variables: Sequence[str]) -> list[Size]:
    """The sizes of boxes that hold a name each."""
    return [(text_width(name) + 16, _BOX_HEIGHT) for name in variables]


def arrange(boxes: Sequence[Size], directed: Sequence[IndexPair], undirected: Sequence[IndexPair]) -> Drawing:
    """Boxes in layers, with lines between them; the directed edges have no cycle."""
    order = _core.topological_order(len(boxes), *index_arrays(directed)).tolist()
    rank = {node: place for place, node in enumerate(order)}
    edges = [(rank[tail], rank[head]) for tail, head in directed]
    edges += [(min(rank[a], rank[b]), max(rank[a], rank[b])) for a, b in undirected]
    sizes = [boxes[node] for node in order]
    tallest = max((height for _, height in sizes), default=0.0)
    widths = [width for width, _ in sizes]
    centres, ways = layered(len(order), edges, widths, gap=_GAP, layer_height=tallest + _LAYER_GAP)
    lines = []
    for (tail, head), way in zip(edges, ways, strict=True):
        start, end = _border(way[0], way[1], sizes[tail]), _border(way[-1], way[-2], sizes[head])
        lines.append([start, *way[1:-1], end])
    sides = [x for line in lines for x, _ in line]
    for (x, _), width in zip(centres, widths, strict=True):
        sides += [x - width / 2, x + width / 2]
    left = min(sides, default=0.0) - _MARGIN
    return Drawing(
        centres=[centres[rank[node]] for node in range(len(order))],
        sizes=list(boxes),
        lines=lines,
        left=left,
        top=-tallest / 2 - _MARGIN,
        width=max(sides, default=0.0) + _MARGIN - left,
        height=max((y for _, y in centres), default=0.0) + tallest + 2 * _MARGIN,
    )


def _border(centre: Point, towards: Point, size: Size) -> Point:
    """Where the line from the centre of a box towards a point in another layer leaves the box."""
    width, height = size
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = height / 2 / abs(dy)
    if dx:
        scale = min(scale, width / 2 / abs(dx))
    return (centre[0] + dx * scale, centre[1] + dy * scale)


def to_html(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    *,
    caption: str,
    widths: Sequence[float] | None = None,
) -> str:
    """An SVG drawing, or only the caption of a graph that is empty or too large to draw.

    ``widths`` are those of the lines: the directed edges, then the undirected ones.
    """
    if not 0 < len(variables) <= MAX_DRAWN:
        return f"<pre>{escape(caption)}</pre>"
    drawing = arrange(named_boxes(variables), directed, undirected)
    contents = [svg_text(name, x, y, anchor="middle") for name, (x, y) in zip(variables, drawing.centres, strict=True)]
    return to_svg(drawing, len(directed), contents, caption=caption, widths=widths)


def svg_text(text: str, x: float, y: float, *, anchor: str, size: int = _FONT_SIZE) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{_TEXT}" text-anchor="{anchor}" font-size="{size}" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )


def _arrow_head(name: str, size: int, at: int) -> str:
    """A marker that has this point of its axis at the end of the line."""
    return (
        f'<marker id="{name}" viewBox="0 0 {size} {size}" refX="{at}" refY="{size / 2:g}" markerWidth="{size}" '
        f'markerHeight="{size}" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,0 L{size},{size / 2:g} L0,{size} z" fill="{_LINE}"/></marker>'
    )


def _before(start: Point, end: Point, distance: float) -> Point:
    """The point of a line that is this far from its end, but no farther than its start."""
    (x, y), (to_x, to_y) = start, end
    share = min(distance / max(math.hypot(to_x - x, to_y - y), 1e-9), 1.0)
    return to_x + (x - to_x) * share, to_y + (y - to_y) * share


def to_svg(
    drawing: Drawing,
    n_directed: int,
    contents: Sequence[str],
    *,
    caption: str,
    widths: Sequence[float] | None = None,
) -> str:
    """Boxes with their contents and the lines between them; the first lines have arrow heads."""
    size = f"{drawing.width:.0f} {drawing.height:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{drawing.left:.0f} {drawing.top:.0f} {size}" '
        f'width="{drawing.width:.0f}" height="{drawing.height:.0f}" style="max-width:100%" '
        f'font-family="sans-serif" font-size="{_FONT_SIZE}">',
        f"<title>{escape(caption)}</title>",
        f"<defs>{_arrow_head('credenet-arrow', 8, 8) if widths is None else _arrow_head('credenet-wide-arrow', 11, 1)}"
        "</defs>",
    ]
    for number, line in enumerate(drawing.lines):
        tip = ""
        if number < n_directed:
            tip = f' marker-end="url(#credenet-{"arrow" if widths is None else "wide-arrow"})"'
            if widths is not None:  # a wide line would be seen around its arrow head
                line = [*line[:-1], _before(line[-2], line[-1], 10)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        thickness = "" if widths is None else f' stroke-width="{widths[number]:.2f}"'
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_LINE}"{thickness}{tip}/>')
    for (x, y), (width, height), content in zip(drawing.centres, drawing.sizes, contents, strict=True):
        parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" '
            f'height="{height:.0f}" rx="6" fill="{_FILL}" stroke="{_BORDER}"/>{content}'
        )
    parts.append("</svg>")
    return "".join(parts)


def plot(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    target: str | Path | Axes | None,
    *,
    widths: Sequence[float] | None = None,
) -> Axes:
    """Matplotlib axes with the same drawing."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
        from matplotlib.path import Path as Outline
    except ImportError as error:
        raise ImportError("plotting needs matplotlib: pip install credenet[plot]") from error

    drawing = arrange(named_boxes(variables), directed, undirected)
    size = (min(drawing.width / 72, _MAX_INCHES), min(drawing.height / 72, _MAX_INCHES))
    if target is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=size).add_axes((0, 0, 1, 1))
    elif isinstance(target, str | Path):
        if Path(target).suffix.lower() not in (".svg", ".png", ".pdf"):
            raise GraphError(f"plot writes .svg, .png or .pdf, got {Path(target).name!r}")
        figure = Figure(figsize=size)
        axes = figure.add_axes((0, 0, 1, 1))
    elif hasattr(target, "add_patch"):
        axes = target
    else:
        raise ArgumentError(f"target must be a file, matplotlib axes or None, got {shown(target)}")
    axes.set_axis_off()
    axes.set_xlim(drawing.left, drawing.left + max(drawing.width, 1.0))
    axes.set_ylim(drawing.top + drawing.height, drawing.top)
    for number, line in enumerate(drawing.lines):
        style = "-|>" if number < len(directed) else "-"
        arrow = FancyArrowPatch(path=Outline(line), arrowstyle=style, mutation_scale=12, color=_LINE, fill=style != "-")
        if widths is not None:
            arrow.set_linewidth(widths[number])
        axes.add_patch(arrow)
    for name, (x, y), (width, height) in zip(variables, drawing.centres, drawing.sizes, strict=True):
        corner = (x - width / 2, y - height / 2)
        style = "round,pad=0,rounding_size=6"
        axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, facecolor=_FILL, edgecolor=_BORDER))
        axes.text(x, y, name, ha="center", va="center", fontsize=_FONT_SIZE - 2, color=_TEXT, parse_math=False)
    if isinstance(target, str | Path):
        with atomic_writer(target) as file:
            figure.savefig(file, dpi=100, format=Path(target).suffix[1:].lower())
    return axes
