"""Joined pairs read back from output: text tables, DOT, SVG, and the calls of the explorer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Drawn = tuple[frozenset[tuple[str, str]], frozenset[frozenset[str]]]
"""Edges with an arrow head, and pairs without one."""

_RECT = re.compile(
    r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*/><text[^>]*>([^<]*)</text>'
)
_LINE = re.compile(r'<polyline points="([^"]*)"([^>]*)/>')
_DOT = re.compile(r'"(\w+)" -> "(\w+)"( \[dir=none\])?;')
_CELL = re.compile(r'title="(\w+) → (\w+): ([^;"]*)(?:; joined, but data cannot tell the direction: ([^"]*))?"')


def as_drawn(directed: Any, undirected: Any) -> Drawn:
    return frozenset(map(tuple, directed)), frozenset(map(frozenset, undirected))


def dot_edges(text: str) -> Drawn:
    """The edges of a file for Graphviz."""
    found = _DOT.findall(text)
    return as_drawn(((a, b) for a, b, none in found if not none), ((a, b) for a, b, none in found if none))


def svg_edges(svg: str) -> Drawn:
    """The edges of a drawing: each line ends at the borders of two boxes."""
    boxes = {name: (float(x), float(y), float(w), float(h)) for x, y, w, h, name in _RECT.findall(svg)}
    directed: list[tuple[str, str]] = []
    undirected: list[tuple[str, str]] = []
    for points, look in _LINE.findall(svg):
        way = [tuple(map(float, point.split(","))) for point in points.split()]
        ends = _nearest(boxes, way[0]), _nearest(boxes, way[-1])
        (directed if "marker-end" in look else undirected).append(ends)
    return as_drawn(directed, undirected)


def _nearest(boxes: Mapping[str, Box], point: Any) -> str:
    return min(boxes, key=lambda name: _distance(boxes[name], point))


def _distance(box: Box, point: Any) -> float:
    """The distance from a point to a box; 0 inside."""
    (x, y, width, height), (px, py) = box, point
    return float(max(x - px, 0.0, px - x - width) ** 2 + max(y - py, 0.0, py - y - height) ** 2)


def number(text: str) -> float:
    """A printed probability as a number; one that is rounded to 0 counts as 0."""
    return 0.0 if text.startswith("<") else float(text.lstrip(">"))


def table_rows(text: str) -> dict[tuple[str, str], tuple[float, ...]]:
    """The rows of the table of pairs: joined, →, ←, data cannot tell."""
    body = text.partition("data cannot tell\n")[2]
    rows = [line.split() for line in body.splitlines()]
    return {(row[0], row[1]): tuple(map(number, row[2:])) for row in rows if len(row) == 6}


def heat_map(page: str) -> dict[tuple[str, str], tuple[float, float]]:
    """For each cell (parent, child) the share of the direction, and that of an edge whose direction is not told."""
    return {(a, b): (number(ahead), number(rest or "0")) for a, b, ahead, rest in _CELL.findall(page)}


def state_pairs(state: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """The shares of the pairs that the explorer shows."""
    names = [variable["name"] for variable in state["variables"]]
    return {(names[pair["a"]], names[pair["b"]]): pair["shares"] for pair in state["pairs"]}


def state_edges(state: Mapping[str, Any]) -> Drawn:
    """The edges as the explorer draws them."""
    names = [variable["name"] for variable in state["variables"]]
    marked = [(names[pair["a"]], names[pair["b"]], pair["mark"]) for pair in state["pairs"]]
    directed = [(a, b) if mark == "forward" else (b, a) for a, b, mark in marked if mark != "undirected"]
    return as_drawn(directed, [(a, b) for a, b, mark in marked if mark == "undirected"])


def listed_edges(row: Mapping[str, Any], names: tuple[str, ...]) -> Drawn:
    """The edges of a network or class in the lists of the explorer."""
    edges = row["edges"]
    return as_drawn(
        ((names[a], names[b]) for a, b, is_directed in edges if is_directed),
        ((names[a], names[b]) for a, b, is_directed in edges if not is_directed),
    )
