"""The layout of variables and edges: layers for up to 150 variables, an overview by forces for more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credenet.drawing.layout.arrangement import arrange, size_boxes
from credenet.drawing.layout.force import place_by_force
from credenet.drawing.layout.neighbourhood import find_neighbours
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contract import Box, GraphLayout, Line, Point

MOST_LAYERED = 150  # Variables up to which the layout has layers.
_LIKELY = 0.3  # Probability from which on a joined pair shapes the layout.
_DOT = 14.0  # Diameter in pixels of a variable in an overview.


def whole(answer: ExplorerAnswer) -> GraphLayout:
    """The layout of all variables."""
    n = len(answer.variables)
    directed, undirected = answer.main_edges(_LIKELY)
    if n <= MOST_LAYERED:
        return _layer(answer, range(n), directed, undirected)
    centres = place_by_force(n, [*directed, *undirected])
    boxes: list[Box] = [
        {"variable": at, "x": round(x, 1), "y": round(y, 1), "width": _DOT, "height": _DOT}
        for at, (x, y) in enumerate(centres)
    ]
    return {"style": "force", "boxes": boxes, "lines": []}


def around(answer: ExplorerAnswer, focus: int, depth: int, threshold: float) -> GraphLayout:
    """The layout of the variables within ``depth`` edges of ``focus``, by pairs joined with at least a threshold.

    The farthest variables are left out if they would be too many for layers.
    """
    directed, undirected = answer.main_edges(threshold)
    n, edges = len(answer.variables), [*directed, *undirected]
    near = find_neighbours(n, edges, [focus], 0)
    for further in range(1, depth + 1):
        more = find_neighbours(n, edges, [focus], further)
        if len(more) > MOST_LAYERED:
            break
        near = more
    kept = set(near)
    inside = [[edge for edge in several if kept.issuperset(edge)] for several in (directed, undirected)]
    return _layer(answer, near, *inside)


def _layer(
    answer: ExplorerAnswer,
    nodes: Sequence[int],
    directed: Sequence[tuple[int, int]],
    undirected: Sequence[tuple[int, int]],
) -> GraphLayout:
    place = {node: at for at, node in enumerate(nodes)}
    sizes = size_boxes([answer.variables[node] for node in nodes])
    kept = [[(place[a], place[b]) for a, b in several] for several in (directed, undirected)]
    arrangement = arrange(sizes, *kept)
    boxes: list[Box] = [
        {"variable": node, "x": round(x, 1), "y": round(y, 1), "width": round(width, 1), "height": height}
        for node, (x, y), (width, height) in zip(nodes, arrangement.centres, sizes, strict=True)
    ]
    lines: list[Line] = []
    for (a, b), line in zip([*kept[0], *kept[1]], arrangement.lines, strict=True):
        points = line if _is_nearer(line[0], arrangement.centres[a], arrangement.centres[b]) else line[::-1]
        bends = [(round(x, 1), round(y, 1)) for x, y in points[1:-1]]
        lines.append({"a": nodes[a], "b": nodes[b], "bends": bends})
    return {"style": "layered", "boxes": boxes, "lines": lines}


def _is_nearer(point: Point, first: Point, second: Point) -> bool:
    return math.dist(point, first) <= math.dist(point, second)
