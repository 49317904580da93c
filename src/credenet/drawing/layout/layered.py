"""A layered layout without dependencies.

The layer of a node is the length of the longest path from a root; roots are moved down to their children. If a layer
is wider than allowed, the nodes that do not fit move to the next layer. A long edge has a bend in every layer that it
crosses. A few sweeps order each layer by the mean position of the neighbours (the barycentre method of Sugiyama, Tagawa
and Toda 1981), and then move every node towards them as far as spacing allows. Connected components are laid out
separately and packed into rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Size = tuple[float, float]  # A width and a height.

_SWEEPS = 8
_BEND = 8.0  # Width that a line between boxes takes.


def layer_nodes(
    n_nodes: int,
    arcs: Sequence[tuple[int, int]],
    widths: Sequence[float],
    *,
    gap: float,
    layer_height: float,
    max_width: float = math.inf,
) -> tuple[list[Point], list[list[Point]]]:
    """The centres of the nodes, and for every arc its points from tail to head, one in each layer.

    ``arcs`` must be acyclic with every arc going from a lower to a higher index. The boxes of a layer take at most
    ``max_width`` together, gaps included, unless a single one is wider; lines between them are not counted.
    """
    layer_of = _layers(n_nodes, arcs, [width + gap for width in widths], max_width)
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for node, layer in enumerate(layer_of):
        layers[layer].append(node)

    spaces = [width + gap for width in widths]
    above: list[list[int]] = [[] for _ in range(n_nodes)]
    below: list[list[int]] = [[] for _ in range(n_nodes)]
    ways = []
    for tail, head in arcs:
        way = [tail]
        for layer in range(layer_of[tail] + 1, layer_of[head]):
            bend = len(spaces)
            spaces.append(_BEND)
            above.append([])
            below.append([])
            layers[layer].append(bend)
            way.append(bend)
        way.append(head)
        for upper, lower in pairwise(way):
            below[upper].append(lower)
            above[lower].append(upper)
        ways.append(way)

    x = _horizontal(layers, above, below, spaces)
    layer_of_item = {item: layer for layer, items in enumerate(layers) for item in items}
    points = [(x[item], layer_of_item[item] * layer_height) for item in range(len(spaces))]
    return points[:n_nodes], [[points[item] for item in way] for way in ways]


def _layers(n_nodes: int, arcs: Sequence[tuple[int, int]], spaces: Sequence[float], max_width: float) -> list[int]:
    """The layer of every node, below those of its parents."""
    parents: list[list[int]] = [[] for _ in range(n_nodes)]
    children: list[list[int]] = [[] for _ in range(n_nodes)]
    for tail, head in arcs:
        parents[head].append(tail)
        children[tail].append(head)
    wanted = [0] * n_nodes
    for node in range(n_nodes):
        wanted[node] = max((wanted[parent] + 1 for parent in parents[node]), default=0)
    for node in reversed(range(n_nodes)):  # A node with more lines down than up moves down to its nearest child.
        if len(children[node]) > len(parents[node]):
            wanted[node] = min(wanted[child] for child in children[node]) - 1
    layer_of = [0] * n_nodes
    taken: list[float] = []
    for node in sorted(range(n_nodes), key=lambda node: (wanted[node], node)):
        layer = max([wanted[node], *(layer_of[parent] + 1 for parent in parents[node])])
        while layer < len(taken) and taken[layer] > 0 and taken[layer] + spaces[node] > max_width:
            layer += 1
        taken += [0.0] * (layer + 1 - len(taken))
        taken[layer] += spaces[node]
        layer_of[node] = layer
    return layer_of


def _horizontal(
    layers: list[list[int]], above: list[list[int]], below: list[list[int]], spaces: list[float]
) -> list[float]:
    x = [0.0] * len(spaces)
    for items in layers:
        for place, item in enumerate(items):
            x[item] = float(place)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        towards = above if downwards else below
        for items in layers if downwards else reversed(layers):
            items.sort(key=lambda item: _mean_place(item, towards, x))
            for place, item in enumerate(items):
                x[item] = float(place)
    width = max((sum(spaces[item] for item in items) for items in layers), default=0.0)
    for items in layers:
        _space(items, [0.0] * len(items), spaces, width, x)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        towards = above if downwards else below
        for items in layers if downwards else reversed(layers):
            _space(items, [_mean_place(item, towards, x) for item in items], spaces, width, x)
    return x


def _mean_place(item: int, towards: list[list[int]], x: list[float]) -> float:
    ends = towards[item]
    return sum(x[end] for end in ends) / len(ends) if ends else x[item]


def _space(items: list[int], wanted: list[float], spaces: list[float], width: float, x: list[float]) -> None:
    """Positions near the wanted ones, in the same order, without overlap, and within the width: the mean of pushing all
    to the right and pushing all to the left."""
    distances = [(spaces[left] + spaces[right]) / 2 for left, right in pairwise(items)]
    to_right = list(wanted)
    for place, distance in enumerate(distances):
        to_right[place + 1] = max(to_right[place + 1], to_right[place] + distance)
    to_left = list(wanted)
    for place in range(len(distances) - 1, -1, -1):
        to_left[place] = min(to_left[place], to_left[place + 1] - distances[place])
    before, total = 0.0, sum(spaces[item] for item in items)
    for place, item in enumerate(items):
        least = before + (spaces[item] - width) / 2
        x[item] = min(max((to_right[place] + to_left[place]) / 2, least), least + width - total)
        before += spaces[item]


def components(n_nodes: int, arcs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The connected components of the graph without directions, each ascending, the larger ones first."""
    joined: list[list[int]] = [[] for _ in range(n_nodes)]
    for tail, head in arcs:
        joined[tail].append(head)
        joined[head].append(tail)
    seen = [False] * n_nodes
    parts = []
    for start in range(n_nodes):
        if seen[start]:
            continue
        seen[start] = True
        part = [start]
        for node in part:
            for other in joined[node]:
                if not seen[other]:
                    seen[other] = True
                    part.append(other)
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part))


def pack_rectangles(sizes: Sequence[Size], max_width: float, gap: float) -> list[Point]:
    """The upper left corners of rectangles, put side by side into rows of at most this width."""
    corners = []
    x, y, tallest = 0.0, 0.0, 0.0
    for width, height in sizes:
        if x > 0 and x + width > max_width:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        corners.append((x, y))
        x += width + gap
        tallest = max(tallest, height)
    return corners
