"""Drawings as SVG text, without any dependency."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from credenet._files.files import suffix_of, write_text
from credenet.drawing.layout.arrangement import Arrangement
from credenet.drawing.layout.layered import Point, Size
from credenet.errors import ArgumentError

FONT_SIZE = 13
FILL, BORDER, LINE, TEXT = "#eef2f8", "#5b6b83", "#888888", "#1d2733"
FOCUS_FILL = "#ffe8b8"
DIFFERENT = "#c0392b"  # Colour of edges that differ between graphs.
FADED = "#c9ced6"
_WIDEST_AS_IT_IS = 1200.0  # Pixels above which a drawing scrolls instead of shrinking to the page.


@dataclass(frozen=True, slots=True)
class Stroke:
    """The style of a line; a ``width`` of None is the default."""

    colour: str = LINE
    width: float | None = None


@dataclass(frozen=True, slots=True)
class DrawingMarks:
    """The marks of a drawing.

    Attributes
    ----------
    strokes
        The stroke of every line; the default if not given.
    dotted
        Lines that are drawn dotted: edges that only another drawing has.
    focus, cut
        Boxes in the focus, and boxes with neighbours that are not drawn.
    """

    strokes: Sequence[Stroke] | None = None
    dotted: Sequence[Sequence[Point]] = ()
    focus: frozenset[int] = frozenset()
    cut: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A drawing, which a notebook shows; ``svg`` is its text.

    Examples
    --------
    >>> import credenet
    >>> picture = credenet.textbook.sprinkler().dag.draw()
    >>> picture.n_boxes, picture.svg.startswith("<svg")
    (4, True)
    """

    svg: str
    width: float
    height: float
    n_boxes: int

    def __repr__(self) -> str:
        return f"<Picture {self.width:.0f} x {self.height:.0f} pixels>"

    def _repr_html_(self) -> str:
        if self.width <= _WIDEST_AS_IT_IS:
            return self.svg
        return f'<div style="overflow:auto;max-height:48rem">{self.svg}</div>'

    def save(self, path: str | Path) -> None:
        """Writes the drawing as an ``.svg`` file."""
        if suffix_of(path) != ".svg":
            raise ArgumentError(f"a picture is written as .svg, got {Path(path).name!r}")
        write_text(path, self.svg)


def svg_text(text: str, x: float, y: float, *, anchor: str, size: int = FONT_SIZE) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{TEXT}" text-anchor="{anchor}" font-size="{size}" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )


def names_in_boxes(variables: Sequence[str], arrangement: Arrangement) -> list[str]:
    """The contents of boxes that hold a name each."""
    places = zip(variables, arrangement.centres, strict=True)
    return [svg_text(name, x, y, anchor="middle") for name, (x, y) in places]


def to_svg(
    arrangement: Arrangement,
    n_directed: int,
    contents: Sequence[str],
    *,
    caption: str,
    look: DrawingMarks | None = None,
) -> Picture:
    """Boxes with their contents and the lines between them; the first lines have arrow heads."""
    body = svg_body(arrangement, n_directed, contents, look or DrawingMarks())
    corner, size = (arrangement.left, arrangement.top), (arrangement.width, arrangement.height)
    return frame_drawing(body, corner, size, n_boxes=len(contents), caption=caption)


def frame_drawing(body: str, corner: Point, size: Size, *, n_boxes: int, caption: str) -> Picture:
    """An SVG document; if it is not too wide it shrinks with the page."""
    (left, top), (width, height) = corner, size
    shrinks = ' style="max-width:100%;height:auto"' if width <= _WIDEST_AS_IT_IS else ""
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}"{shrinks} font-family="sans-serif" font-size="{FONT_SIZE}">'
    )
    return Picture(f"{start}<title>{escape(caption)}</title>{body}</svg>", width, height, n_boxes)


def svg_body(arrangement: Arrangement, n_directed: int, contents: Sequence[str], look: DrawingMarks) -> str:
    strokes = look.strokes or [Stroke()] * len(arrangement.lines)
    heads = {(stroke.colour, stroke.width is not None) for stroke in strokes[:n_directed]}
    parts = [f"<defs>{''.join(_arrow_head(*head) for head in sorted(heads))}</defs>"]
    parts += [
        f'<polyline points="{_points(way)}" fill="none" stroke="{FADED}" stroke-dasharray="2 4"/>'
        for way in look.dotted
    ]
    parts += [
        _line(line, stroke, is_directed=number < n_directed)
        for number, (line, stroke) in enumerate(zip(arrangement.lines, strokes, strict=True))
    ]
    boxes = zip(arrangement.centres, arrangement.sizes, contents, strict=True)
    for number, ((x, y), (width, height), content) in enumerate(boxes):
        fill = FOCUS_FILL if number in look.focus else FILL
        dashes = ' stroke-dasharray="5 3"' if number in look.cut else ""
        parts.append(
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" '
            f'height="{height:.0f}" rx="6" fill="{fill}" stroke="{BORDER}"{dashes}/>{content}'
        )
    return "".join(parts)


def _line(line: Sequence[Point], stroke: Stroke, *, is_directed: bool) -> str:
    tip = ""
    if is_directed:
        tip = f' marker-end="url(#{_head_name(stroke.colour, stroke.width is not None)})"'
        if stroke.width is not None:  # A wide line would be visible around its arrow head.
            line = [*line[:-1], _point_before(line[-2], line[-1], 10)]
    thickness = "" if stroke.width is None else f' stroke-width="{stroke.width:.2f}"'
    return f'<polyline points="{_points(line)}" fill="none" stroke="{stroke.colour}"{thickness}{tip}/>'


def _points(line: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in line)


def _head_name(colour: str, is_wide: bool) -> str:
    return f"credenet-{'wide-' if is_wide else ''}arrow-{colour[1:]}"


def _arrow_head(colour: str, is_wide: bool) -> str:
    """An arrow head whose point, or for a wide line whose base, is at the end of the line."""
    size, at = (11, 1) if is_wide else (8, 8)
    return (
        f'<marker id="{_head_name(colour, is_wide)}" viewBox="0 0 {size} {size}" refX="{at}" refY="{size / 2:g}" '
        f'markerWidth="{size}" markerHeight="{size}" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,0 L{size},{size / 2:g} L0,{size} z" fill="{colour}"/></marker>'
    )


def _point_before(start: Point, end: Point, distance: float) -> Point:
    """The point of a line that is this far from its end, but no farther than its start."""
    (x, y), (to_x, to_y) = start, end
    share = min(distance / max(math.hypot(to_x - x, to_y - y), 1e-9), 1.0)
    return to_x + (x - to_x) * share, to_y + (y - to_y) * share
