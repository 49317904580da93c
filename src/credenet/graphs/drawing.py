"""Drawings: inline SVG for notebooks without any dependency, and matplotlib figures with the plot extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from credenet import _core
from credenet.errors import GraphError
from credenet.graphs._base import IndexPair, index_arrays
from credenet.graphs.layout import Point, layered
from credenet.io.files import atomic_writer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Lengths are pixels in SVG and points in matplotlib.
_MAX_DRAWN = 150  # variables; beyond that a notebook shows one line instead
_FONT_SIZE = 13
_CHARACTER = 7.8  # an upper estimate of the mean width
_BOX_HEIGHT = 26.0
_LAYER_HEIGHT = 62.0
_GAP = 18.0
_MARGIN = 4.0
_MAX_INCHES = 200.0
_FILL, _BORDER, _LINE, _TEXT = "#eef2f8", "#5b6b83", "#888888", "#1d2733"


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Boxes by variable, and lines that end at their borders; y grows downwards."""

    centres: list[Point]
    widths: list[float]
    lines: list[list[Point]]  # the directed edges, then the undirected ones
    left: float
    top: float
    width: float
    height: float


def _arrange(variables: Sequence[str], directed: Sequence[IndexPair], undirected: Sequence[IndexPair]) -> _Drawing:
    order = _core.topological_order(len(variables), *index_arrays(directed)).tolist()
    rank = {node: place for place, node in enumerate(order)}
    edges = [(rank[tail], rank[head]) for tail, head in directed]
    edges += [(min(rank[a], rank[b]), max(rank[a], rank[b])) for a, b in undirected]
    widths = [_CHARACTER * len(variables[node]) + 16 for node in order]
    centres, ways = layered(len(order), edges, widths, gap=_GAP, layer_height=_LAYER_HEIGHT)
    lines = []
    for (tail, head), way in zip(edges, ways, strict=True):
        start, end = _border(way[0], way[1], widths[tail]), _border(way[-1], way[-2], widths[head])
        lines.append([start, *way[1:-1], end])
    sides = [x for line in lines for x, _ in line]
    for (x, _), width in zip(centres, widths, strict=True):
        sides += [x - width / 2, x + width / 2]
    left = min(sides, default=0.0) - _MARGIN
    return _Drawing(
        centres=[centres[rank[node]] for node in range(len(order))],
        widths=[widths[rank[node]] for node in range(len(order))],
        lines=lines,
        left=left,
        top=-_BOX_HEIGHT / 2 - _MARGIN,
        width=max(sides, default=0.0) + _MARGIN - left,
        height=max((y for _, y in centres), default=0.0) + _BOX_HEIGHT + 2 * _MARGIN,
    )


def _border(centre: Point, towards: Point, width: float) -> Point:
    """Where the line from the centre of a box towards a point in another layer leaves the box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = _BOX_HEIGHT / 2 / abs(dy)
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
    if not 0 < len(variables) <= _MAX_DRAWN:
        return f"<pre>{escape(caption)}</pre>"
    drawing = _arrange(variables, directed, undirected)
    size = f"{drawing.width:.0f} {drawing.height:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{drawing.left:.0f} {drawing.top:.0f} {size}" '
        f'width="{drawing.width:.0f}" height="{drawing.height:.0f}" style="max-width:100%" '
        f'font-family="sans-serif" font-size="{_FONT_SIZE}">',
        f"<title>{escape(caption)}</title>",
        '<defs><marker id="credenet-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{_LINE}"/></marker></defs>',
    ]
    for number, line in enumerate(drawing.lines):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        tip = ' marker-end="url(#credenet-arrow)"' if number < len(directed) else ""
        thickness = "" if widths is None else f' stroke-width="{widths[number]:.2f}"'
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_LINE}"{thickness}{tip}/>')
    for name, (x, y), width in zip(variables, drawing.centres, drawing.widths, strict=True):
        parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - _BOX_HEIGHT / 2:.1f}" width="{width:.1f}" '
            f'height="{_BOX_HEIGHT:.0f}" rx="6" fill="{_FILL}" stroke="{_BORDER}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{_TEXT}" text-anchor="middle" '
            f'dominant-baseline="central">{escape(name)}</text>'
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

    drawing = _arrange(variables, directed, undirected)
    size = (min(drawing.width / 72, _MAX_INCHES), min(drawing.height / 72, _MAX_INCHES))
    if target is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=size).add_axes((0, 0, 1, 1))
    elif isinstance(target, str | Path):
        if Path(target).suffix.lower() not in (".svg", ".png", ".pdf"):
            raise GraphError(f"plot writes .svg, .png or .pdf, got {Path(target).name!r}")
        figure = Figure(figsize=size)
        axes = figure.add_axes((0, 0, 1, 1))
    else:
        axes = target
    axes.set_axis_off()
    axes.set_xlim(drawing.left, drawing.left + max(drawing.width, 1.0))
    axes.set_ylim(drawing.top + drawing.height, drawing.top)
    for number, line in enumerate(drawing.lines):
        style = "-|>" if number < len(directed) else "-"
        arrow = FancyArrowPatch(path=Outline(line), arrowstyle=style, mutation_scale=12, color=_LINE, fill=style != "-")
        if widths is not None:
            arrow.set_linewidth(widths[number])
        axes.add_patch(arrow)
    for name, (x, y), width in zip(variables, drawing.centres, drawing.widths, strict=True):
        corner = (x - width / 2, y - _BOX_HEIGHT / 2)
        style = "round,pad=0,rounding_size=6"
        axes.add_patch(FancyBboxPatch(corner, width, _BOX_HEIGHT, boxstyle=style, facecolor=_FILL, edgecolor=_BORDER))
        axes.text(x, y, name, ha="center", va="center", fontsize=_FONT_SIZE - 2, color=_TEXT, parse_math=False)
    if isinstance(target, str | Path):
        with atomic_writer(target) as file:
            figure.savefig(file, dpi=100, format=Path(target).suffix[1:].lower())
    return axes
