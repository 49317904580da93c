"""Drawings with matplotlib, for pixel images and figures; needs the plot extra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from credenet.drawing.layout.arrangement import Arrangement
from credenet.drawing.layout.layered import Size
from credenet.drawing.plotting import new_figure
from credenet.drawing.svg import BORDER, FADED, FILL, FOCUS_FILL, FONT_SIZE, TEXT, DrawingMarks, Stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_INCHES = 200.0
_POINTS = 72  # Points per inch.


def figure_axes(sizes: Sequence[Size], *, is_shown: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure with axes side by side for drawings of these sizes; a figure of pyplot if it is to be shown."""
    width = min(sum(width for width, _ in sizes) / _POINTS, _MOST_INCHES)
    height = min(max(height for _, height in sizes) / _POINTS, _MOST_INCHES)
    figure = new_figure((width, height), is_shown=is_shown, layout=None)
    share = 1 / len(sizes)
    top = 1.0 if len(sizes) == 1 else 0.93  # Upper end of the drawings, below the titles.
    return figure, [figure.add_axes((number * share, 0, share, top)) for number in range(len(sizes))]


def draw_into(
    axes: Axes, variables: Sequence[str], arrangement: Arrangement, n_directed: int, look: DrawingMarks
) -> None:
    """Boxes with names, and the lines between them."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
    from matplotlib.path import Path as Outline

    axes.set_axis_off()
    axes.set_xlim(arrangement.left, arrangement.left + max(arrangement.width, 1.0))
    axes.set_ylim(arrangement.top + arrangement.height, arrangement.top)
    for way in look.dotted:
        axes.add_patch(FancyArrowPatch(path=Outline(way), arrowstyle="-", color=FADED, linestyle=":"))
    strokes = look.strokes or [Stroke()] * len(arrangement.lines)
    for number, (line, stroke) in enumerate(zip(arrangement.lines, strokes, strict=True)):
        is_directed = number < n_directed
        arrow = FancyArrowPatch(
            path=Outline(line),
            arrowstyle="-|>" if is_directed else "-",
            mutation_scale=12,
            color=stroke.colour,
            fill=is_directed,
        )
        if stroke.width is not None:
            arrow.set_linewidth(stroke.width)
        axes.add_patch(arrow)
    boxes = zip(variables, arrangement.centres, arrangement.sizes, strict=True)
    for number, (name, (x, y), (width, height)) in enumerate(boxes):
        axes.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - height / 2),
                width,
                height,
                boxstyle="round,pad=0,rounding_size=6",
                facecolor=FOCUS_FILL if number in look.focus else FILL,
                edgecolor=BORDER,
                linestyle="--" if number in look.cut else "-",
            )
        )
        axes.text(x, y, name, ha="center", va="center", fontsize=FONT_SIZE - 2, color=TEXT, parse_math=False)
