"""A network drawn with the distribution of each variable as bars, in SVG without any dependency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from credenet.data.states import Label
from credenet.drawing.layout.arrangement import Arrangement, arrange, text_width
from credenet.drawing.layout.layered import Size
from credenet.drawing.svg import Picture, svg_text, to_svg
from credenet.graphs._base import IndexPair
from credenet.inference.model import FactorModel

_LINE = 17.0  # Height of a state.
_NAME = 24.0  # Height of the name.
_BAR = 60.0  # Length of the bar for probability 1.
_NUMBER = 50.0
_MARGIN = 8.0
_MOST_STATES = 12  # States of a variable that are shown at most, the most probable ones.
_FILL, _KNOWN = "#7c93b8", "#d08770"

Rows = list[tuple[str, float]]


def draw(
    model: FactorModel, marginals: Mapping[str, Mapping[Label, float]], known: Sequence[str], caption: str
) -> Picture:
    """The variables that have a distribution, and the edges among them."""
    names = list(marginals)
    number = {model.index[name]: at for at, name in enumerate(names)}
    directed: set[IndexPair] = set()
    undirected: set[IndexPair] = set()
    for scope in model.scopes:
        kept = [number[variable] for variable in scope if variable in number]
        if not model.directed:
            undirected.update(combinations(sorted(kept), 2))
        elif scope[-1] in number:
            directed.update((parent, number[scope[-1]]) for parent in kept[:-1])
    rows = [_rows(distribution) for distribution in marginals.values()]
    labels = [max((text_width(state) for state, _ in states), default=0.0) for states in rows]
    boxes = [_size(name, states, label) for name, states, label in zip(names, rows, labels, strict=True)]
    drawing = arrange(boxes, sorted(directed), sorted(undirected))
    contents = [
        _content(drawing, at, name, rows[at], labels[at], _KNOWN if name in known else _FILL)
        for at, name in enumerate(names)
    ]
    return to_svg(drawing, len(directed), contents, caption=caption)


def _rows(distribution: Mapping[Label, float]) -> Rows:
    """The states of a distribution that are shown, in their order."""
    if len(distribution) <= _MOST_STATES:
        return [(str(state), p) for state, p in distribution.items()]
    least = sorted(distribution.values(), reverse=True)[_MOST_STATES - 2]
    shown = [(str(state), p) for state, p in distribution.items() if p >= least][: _MOST_STATES - 1]
    return [*shown, (f"{len(distribution) - len(shown)} more", 1 - sum(p for _, p in shown))]


def _size(name: str, rows: Rows, label: float) -> Size:
    width = max(text_width(name), label + _MARGIN + _BAR + _NUMBER) + 2 * _MARGIN
    return width, _NAME + _LINE * len(rows) + _MARGIN


def _content(drawing: Arrangement, at: int, name: str, rows: Rows, label: float, colour: str) -> str:
    (x, y), (width, height) = drawing.centres[at], drawing.sizes[at]
    left, top = x - width / 2 + _MARGIN, y - height / 2
    parts = [svg_text(name, x, top + _NAME / 2, anchor="middle")]
    for number, (state, probability) in enumerate(rows):
        middle = top + _NAME + _LINE * (number + 0.5)
        start = left + label + _MARGIN
        parts.append(svg_text(state, left, middle, anchor="start", size=11))
        parts.append(
            f'<rect x="{start:.1f}" y="{middle - 5:.1f}" width="{_BAR * probability:.1f}" height="10" fill="{colour}"/>'
        )
        parts.append(svg_text(f"{probability:.1%}", x + width / 2 - _MARGIN, middle, anchor="end", size=11))
    return "".join(parts)
