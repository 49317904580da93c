"""A layout by forces, for graphs of many nodes: an overview in which neighbours are near each other.

A layered drawing of a thousand nodes is dozens of times as wide as high. Each connected component is placed by the
method of Fruchterman and Reingold (igraph), and the components are packed into rows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from types import ModuleType

from credenet.drawing.layout.layered import Point, components, pack_rectangles
from credenet.errors import MissingExtraError

_EDGE = 60.0  # Approximate length of an edge in pixels.
_RATIO = 1.6  # Ratio of width to height.
_HUGE = 3000  # Nodes from which on only near nodes repel each other.
_STEPS = 300  # Steps of the simulation, enough for a thousand nodes in half a second.


def igraph_module() -> ModuleType:
    """The library igraph; raises an error that names the extra if it is missing."""
    try:
        import igraph
    except ImportError as error:
        message = "the layout of many variables needs igraph: pip install credenet[explore]"
        raise MissingExtraError(message) from error
    loaded: ModuleType = igraph
    return loaded


def place_by_force(n_nodes: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """The centres of the nodes; the same for the same graph."""
    igraph = igraph_module()
    parts = components(n_nodes, edges)
    placed = [_component(igraph, part, edges) for part in parts]
    sizes = [(max(x for x, _ in points) + _EDGE, max(y for _, y in points) + _EDGE) for points in placed]
    area = sum(width * height for width, height in sizes)
    widest = max((width for width, _ in sizes), default=0.0)
    corners = pack_rectangles(sizes, max(widest, math.sqrt(area * _RATIO)), 0.0)
    centres = [(0.0, 0.0)] * n_nodes
    for part, points, (left, top) in zip(parts, placed, corners, strict=True):
        for node, (x, y) in zip(part, points, strict=True):
            centres[node] = (left + x, top + y)
    return centres


def _component(igraph: ModuleType, part: list[int], edges: Sequence[tuple[int, int]]) -> list[Point]:
    """A connected component with its upper left corner at the origin, turned to be wider than high."""
    if len(part) == 1:
        return [(0.0, 0.0)]
    place = {node: at for at, node in enumerate(part)}
    inside = [(place[a], place[b]) for a, b in edges if a in place]
    igraph.set_random_number_generator(random.Random(0))
    is_huge = len(part) > _HUGE
    found = igraph.Graph(len(part), inside).layout_fruchterman_reingold(
        grid="grid" if is_huge else "nogrid", niter=_STEPS
    )
    points = [(float(x), float(y)) for x, y in found.coords]
    length = sum(math.dist(points[a], points[b]) for a, b in inside) / len(inside)
    left, top = (min(point[axis] for point in points) for axis in (0, 1))
    scale = _EDGE / max(length, 1e-9)
    points = [((x - left) * scale, (y - top) * scale) for x, y in points]
    is_tall = max(y for _, y in points) > max(x for x, _ in points)
    return [(y, x) for x, y in points] if is_tall else points
