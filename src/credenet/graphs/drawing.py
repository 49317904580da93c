"""Drawings: inline SVG for notebooks without any dependency, and matplotlib figures with the plot extra."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from credenet import _core
from credenet.errors import GraphError
from credenet.graphs._base import IndexPair, index_arrays
from credenet.graphs.layout import Point, layered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_DRAWN = 150  # variables; beyond that a notebook shows one line instead
_CHARACTER = 7.5  # pixels, an upper estimate at font size 13
_NODE_HEIGHT = 26.0
_LAYER_HEIGHT = 62.0
_GAP = 18.0
_ARROW = (
    '<defs><marker id="credenet-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#888"/></marker></defs>'
)


def to_html(
    variables: Sequence[str], directed: Sequence[IndexPair], undirected: Sequence[IndexPair], *, caption: str
) -> str:
    """An SVG drawing, or only the caption of a graph that is empty or too large to draw."""
    if not 0 < len(variables) <= _MAX_DRAWN:
        return f"<pre>{escape(caption)}</pre>"
    arcs, rank = _downward_arcs(len(variables), directed, undirected)
    node_at = {place: node for node, place in enumerate(rank)}
    widths = [_CHARACTER * len(variables[node_at[place]]) + 16 for place in range(len(rank))]
    centres, ways = layered(
        len(variables),
        [(rank[tail], rank[head]) for tail, head in arcs],
        widths,
        gap=_GAP,
        layer_height=_LAYER_HEIGHT,
    )
    bends = [x for way in ways for x, _ in way]
    left = min([x - width / 2 for (x, _), width in zip(centres, widths, strict=True)] + bends) - 4
    right = max([x + width / 2 for (x, _), width in zip(centres, widths, strict=True)] + bends) + 4
    height = max(y for _, y in centres) + _NODE_HEIGHT + 8
    box = f"{left:.0f} {-_NODE_HEIGHT / 2 - 4:.0f} {right - left:.0f} {height:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{right - left:.0f}" '
        f'height="{height:.0f}" style="max-width:100%" font-family="sans-serif" font-size="13">',
        f"<title>{escape(caption)}</title>",
        _ARROW,
    ]
    for number, ((tail, head), way) in enumerate(zip(arcs, ways, strict=True)):
        start = _border(way[0], way[1], widths[rank[tail]])
        end = _border(way[-1], way[-2], widths[rank[head]])
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [start, *way[1:-1], end])
        tip = ' marker-end="url(#credenet-arrow)"' if number < len(directed) else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="#888" stroke-width="1.3"{tip}/>')
    for place, (x, y) in enumerate(centres):
        width = widths[place]
        parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - _NODE_HEIGHT / 2:.1f}" width="{width:.1f}" '
            f'height="{_NODE_HEIGHT:.0f}" rx="8" fill="#eef2f8" stroke="#5b6b83"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" fill="#1d2733" text-anchor="middle" '
            f'dominant-baseline="central">{escape(variables[node_at[place]])}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _downward_arcs(
    n_nodes: int, directed: Sequence[IndexPair], undirected: Sequence[IndexPair]
) -> tuple[list[IndexPair], list[int]]:
    """All edges, undirected ones last, as arcs along a topological order; and every node's place in it."""
    order = _core.topological_order(n_nodes, *index_arrays(directed)).tolist()
    rank = [0] * n_nodes
    for place, node in enumerate(order):
        rank[node] = place
    down = [edge if rank[edge[0]] < rank[edge[1]] else edge[::-1] for edge in undirected]
    return [*directed, *down], rank


def _border(centre: Point, towards: Point, width: float) -> Point:
    """Where the line from the centre of a node towards a point leaves its box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = min(
        width / 2 / abs(dx) if dx else float("inf"),
        _NODE_HEIGHT / 2 / abs(dy) if dy else float("inf"),
    )
    return (centre[0] + dx * scale, centre[1] + dy * scale)


def plot(
    variables: Sequence[str],
    directed: Sequence[IndexPair],
    undirected: Sequence[IndexPair],
    target: str | Path | Axes | None,
) -> Axes:
    """Matplotlib axes with the graph in igraph's layered layout."""
    try:
        import igraph
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "plotting needs matplotlib and igraph; install them with: pip install credenet[plot]"
        ) from error

    arcs, _ = _downward_arcs(len(variables), directed, undirected)
    layout = igraph.Graph(n=len(variables), edges=arcs, directed=True).layout_sugiyama(hgap=1.5, vgap=1)
    places: list[Point] = [(x, -y) for x, y in layout.coords]
    across = max((x for x, _ in places), default=0.0) - min((x for x, _ in places), default=0.0)
    down = -min((y for _, y in places), default=0.0)
    size = (max(4.0, across + 1.5), max(3.0, 0.9 * down + 1.0))

    if target is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=size).add_axes((0, 0, 1, 1))
    elif isinstance(target, str | Path):
        path = Path(target)
        if path.suffix.lower() not in (".svg", ".png", ".pdf"):
            raise GraphError(f"plot writes .svg, .png or .pdf, got {path.name!r}")
        figure = Figure(figsize=size)
        axes = figure.add_axes((0, 0, 1, 1))
    else:
        axes = target
    axes.set_axis_off()
    axes.margins(0.15)
    axes.scatter([x for x, _ in places], [y for _, y in places], s=0)
    for number, (tail, head) in enumerate(arcs):
        axes.annotate(
            "",
            xy=places[head],
            xytext=places[tail],
            arrowprops={
                "arrowstyle": "-|>" if number < len(directed) else "-",
                "color": "#888888",
                "shrinkA": 12,
                "shrinkB": 12,
            },
        )
    box = {"boxstyle": "round", "facecolor": "#eef2f8", "edgecolor": "#5b6b83"}
    for name, (x, y) in zip(variables, places, strict=True):
        axes.text(x, y, name.replace("$", r"\$"), ha="center", va="center", fontsize=9, bbox=box)
    if isinstance(target, str | Path):
        figure.savefig(path)
    return axes
