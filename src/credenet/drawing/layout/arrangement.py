"""The positions of boxes and lines, for one graph or for several graphs with shared boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from credenet import _core
from credenet.drawing.layout.layered import Point, Size, components, layer_nodes, pack_rectangles
from credenet.graphs._base import IndexPair, index_arrays

# All lengths are pixels in SVG and points in matplotlib.
_CHARACTER = 7.8  # Upper estimate of the mean width of a character.
_BOX_HEIGHT = 26.0
_GAP = 18.0
_LAYER_GAPS = 36.0, 60.0  # Gaps between layers of few and of many boxes.
_MANY = 40  # Boxes above which layers have the larger gap.
_MARGIN = 4.0
_CORNER = 6.0  # Length of the corner of a box, where no line ends.
_LEAST_WIDTH = 900.0  # Width up to which a layer is not broken.
_RATIO = 1.6  # Approximate ratio of width to height of large drawings.
_SHARES = (1.0, 0.7, 0.5, 0.35, 0.25)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Boxes by variable, and lines that end at their borders; y grows downwards."""

    centres: list[Point]
    sizes: list[Size]
    lines: list[list[Point]]  # Lines of the directed edges, then of the undirected ones.
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class AlignedGraph:
    """One of several graphs with the same positions of the boxes.

    Attributes
    ----------
    differs
        For each line whether the edge differs between the graphs.
    absent
        Lines of the edges that only other graphs have.
    """

    arrangement: Arrangement
    n_directed: int
    differs: list[bool]
    absent: list[list[Point]]


def text_width(text: str) -> float:
    """An upper estimate of the width of a text."""
    return _CHARACTER * len(text)


def size_boxes(variables: Sequence[str]) -> list[Size]:
    """The sizes of boxes that hold a name each."""
    return [(text_width(name) + 16, _BOX_HEIGHT) for name in variables]


def arrange(boxes: Sequence[Size], directed: Sequence[IndexPair], undirected: Sequence[IndexPair]) -> Arrangement:
    """Boxes in layers, with lines between them; the directed edges have no cycle.

    Connected components are laid out separately. The width is bounded, so that a drawing has about the shape of a page.
    """
    order = _core.topological_order(len(boxes), *index_arrays(directed)).tolist()
    rank = {node: place for place, node in enumerate(order)}
    edges = [(rank[tail], rank[head]) for tail, head in directed]
    edges += [(min(rank[a], rank[b]), max(rank[a], rank[b])) for a, b in undirected]
    sizes = [boxes[node] for node in order]
    gap = _LAYER_GAPS[len(boxes) > _MANY]
    parts = [
        _ComponentArrangement.from_members(members, sizes, edges, gap) for members in components(len(order), edges)
    ]
    area = sum((part.width + 2 * _GAP) * (part.height + gap) for part in parts)
    most = max([_LEAST_WIDTH, math.sqrt(area * _RATIO), *(part.width for part in parts)])
    centres: dict[int, Point] = {}
    lines: dict[int, list[Point]] = {}
    for part, corner in zip(
        parts, pack_rectangles([(part.width, part.height) for part in parts], most, 2 * _GAP), strict=True
    ):
        part.place(corner, centres, lines)
    right = max((x + width / 2 for (x, _), (width, _) in _boxes(centres, sizes)), default=0.0)
    right = max([right, *(x for line in lines.values() for x, _ in line)])
    bottom = max((y + height / 2 for (_, y), (_, height) in _boxes(centres, sizes)), default=0.0)
    return Arrangement(
        centres=[centres[rank[node]] for node in range(len(order))],
        sizes=list(boxes),
        lines=[lines[number] for number in range(len(edges))],
        left=-_MARGIN,
        top=-_MARGIN,
        width=right + 2 * _MARGIN,
        height=bottom + 2 * _MARGIN,
    )


def _boxes(centres: dict[int, Point], sizes: Sequence[Size]) -> list[tuple[Point, Size]]:
    return [(centre, sizes[node]) for node, centre in centres.items()]


@dataclass(frozen=True, slots=True)
class _ComponentArrangement:
    """A connected component, laid out with its upper left corner at the origin."""

    members: list[int]
    numbers: list[int]  # Numbers of its edges.
    centres: list[Point]
    lines: list[list[Point]]
    width: float
    height: float

    @classmethod
    def from_members(
        cls, members: list[int], sizes: Sequence[Size], edges: Sequence[IndexPair], layer_gap: float
    ) -> _ComponentArrangement:
        place = {member: at for at, member in enumerate(members)}
        numbers = [number for number, (tail, _) in enumerate(edges) if tail in place]
        arcs = [(place[edges[number][0]], place[edges[number][1]]) for number in numbers]
        boxes = [sizes[member] for member in members]
        tallest = max(height for _, height in boxes)
        centres, ways = _lay_out(boxes, arcs, tallest + layer_gap)
        lines = [_line(way, boxes[tail], boxes[head], tallest) for way, (tail, head) in zip(ways, arcs, strict=True)]
        left = min(x - width / 2 for (x, _), (width, _) in zip(centres, boxes, strict=True))
        left = min([left, *(x for line in lines for x, _ in line)])
        right = max(x + width / 2 for (x, _), (width, _) in zip(centres, boxes, strict=True))
        right = max([right, *(x for line in lines for x, _ in line)])
        shift = (-left, tallest / 2)
        return cls(
            members,
            numbers,
            [_add_points(centre, shift) for centre in centres],
            [[_add_points(point, shift) for point in line] for line in lines],
            right - left,
            max(y for _, y in centres) + tallest,
        )

    def place(self, corner: Point, centres: dict[int, Point], lines: dict[int, list[Point]]) -> None:
        for member, centre in zip(self.members, self.centres, strict=True):
            centres[member] = _add_points(centre, corner)
        for number, line in zip(self.numbers, self.lines, strict=True):
            lines[number] = [_add_points(point, corner) for point in line]


def _lay_out(
    boxes: Sequence[Size], arcs: Sequence[IndexPair], layer_height: float
) -> tuple[list[Point], list[list[Point]]]:
    """The layout whose shape is nearest to that of a page. Lines that cross a layer make it wider than its boxes, so
    narrower and narrower layers are tried."""
    widths = [width for width, _ in boxes]
    area = sum((width + _GAP) * layer_height for width in widths)
    layouts: dict[float, tuple[list[Point], list[list[Point]]]] = {}
    for share in _SHARES:
        most = max(_LEAST_WIDTH, share * math.sqrt(area * _RATIO))
        laid = layer_nodes(len(boxes), arcs, widths, gap=_GAP, layer_height=layer_height, max_width=most)
        across = [x for way in laid[1] for x, _ in way] + [x for x, _ in laid[0]]
        width, height = max(across) - min(across), max(y for _, y in laid[0]) + layer_height
        layouts.setdefault(max(math.log(max(width, _LEAST_WIDTH) / height / _RATIO), 0.0), laid)
        if width <= max(_LEAST_WIDTH, _RATIO * height):
            break
    return layouts[min(layouts)]


def _add_points(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


def _line(way: Sequence[Point], tail: Size, head: Size, tallest: float) -> list[Point]:
    """A line from the bottom of a box to the top of another; it is vertical within layers, so it crosses no box."""
    bends = [point for x, y in way[1:-1] for point in ((x, y - tallest / 2), (x, y + tallest / 2))]
    first, last = (bends[0], bends[-1]) if bends else (way[-1], way[0])
    return [*_leaving(way[0], first, tail, tallest), *bends, *_leaving(way[-1], last, head, tallest)[::-1]]


def _leaving(centre: Point, towards: Point, size: Size, tallest: float) -> list[Point]:
    """The points at which a line to another layer leaves a box and the layer."""
    width, height = size
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    most = max(width / 2 - _CORNER, 0.0)
    x = centre[0] + max(-most, min(most, dx * height / 2 / abs(dy)))
    side = math.copysign(1.0, dy)
    points = [(x, centre[1] + side * height / 2), (x, centre[1] + side * tallest / 2)]
    return points if height < tallest else points[:1]


def arrange_shared(
    boxes: Sequence[Size], graphs: Sequence[tuple[Sequence[IndexPair], Sequence[IndexPair]]]
) -> list[AlignedGraph]:
    """Several graphs, given by directed and undirected edges, with all boxes at the same positions."""
    first = [*graphs[0][0]]
    known = {frozenset(edge) for edge in first}
    others = dict.fromkeys(
        (min(edge), max(edge)) for graph in graphs for edges in graph for edge in edges if frozenset(edge) not in known
    )
    whole = arrange(boxes, first, list(others))
    ways = dict(zip((frozenset(edge) for edge in (*first, *others)), whole.lines, strict=True))
    kinds = [_kinds(*graph) for graph in graphs]
    common = {pair for pair in ways if len({kind.get(pair) for kind in kinds}) == 1}
    result = []
    for (directed, undirected), kind in zip(graphs, kinds, strict=True):
        edges = [*directed, *undirected]
        lines = [_orient_line(ways[frozenset(edge)], whole.centres[edge[0]], whole.centres[edge[1]]) for edge in edges]
        result.append(
            AlignedGraph(
                replace(whole, lines=lines),
                len(directed),
                [frozenset(edge) not in common for edge in edges],
                [way for pair, way in ways.items() if pair not in kind],
            )
        )
    return result


def _kinds(directed: Sequence[IndexPair], undirected: Sequence[IndexPair]) -> dict[frozenset[int], tuple[int, ...]]:
    """The edge of each adjacent pair: a directed edge, or an empty tuple for an undirected one."""
    return {frozenset(edge): edge for edge in directed} | {frozenset(edge): () for edge in undirected}


def _orient_line(way: list[Point], tail: Point, head: Point) -> list[Point]:
    """The points of a line from tail to head, given from top to bottom."""
    return way if tail[1] < head[1] else way[::-1]
