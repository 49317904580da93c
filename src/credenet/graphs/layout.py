"""A layered layout without dependencies, for drawings of small graphs.

Nodes go into layers by their longest path from a root, long edges are cut by a bend in every layer they
cross, and a few sweeps order each layer by the mean place of its neighbours (the barycentre method of
Sugiyama, Tagawa and Toda 1981) and then move every item towards them as far as spacing allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]

_SWEEPS = 8


def layered(
    n_nodes: int, arcs: Sequence[tuple[int, int]], widths: Sequence[float], *, gap: float, layer_height: float
) -> tuple[list[Point], list[list[Point]]]:
    """Centres of the nodes, and for every arc the points of its way from tail to head.

    ``arcs`` must be acyclic with every arc going from a lower to a higher index.
    """
    layer_of = [0] * n_nodes
    for tail, head in sorted(arcs, key=lambda arc: arc[1]):
        layer_of[head] = max(layer_of[head], layer_of[tail] + 1)
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for node, layer in enumerate(layer_of):
        layers[layer].append(node)

    item_widths = list(widths)
    above: list[list[int]] = [[] for _ in range(n_nodes)]
    below: list[list[int]] = [[] for _ in range(n_nodes)]
    ways = []
    for tail, head in arcs:
        way = [tail]
        for layer in range(layer_of[tail] + 1, layer_of[head]):
            bend = len(item_widths)
            item_widths.append(0.0)
            above.append([])
            below.append([])
            layers[layer].append(bend)
            way.append(bend)
        way.append(head)
        for upper, lower in pairwise(way):
            below[upper].append(lower)
            above[lower].append(upper)
        ways.append(way)

    x = _horizontal(layers, above, below, item_widths, gap)
    layer_of_item = {item: layer for layer, items in enumerate(layers) for item in items}
    points = [(x[item], layer_of_item[item] * layer_height) for item in range(len(item_widths))]
    return points[:n_nodes], [[points[item] for item in way] for way in ways]


def _horizontal(
    layers: list[list[int]], above: list[list[int]], below: list[list[int]], widths: list[float], gap: float
) -> list[float]:
    x = [0.0] * len(widths)
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
    for items in layers:
        _space(items, [x[item] * gap for item in items], widths, gap, x)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        towards = above if downwards else below
        for items in layers if downwards else reversed(layers):
            _space(items, [_mean_place(item, towards, x) for item in items], widths, gap, x)
    return x


def _mean_place(item: int, towards: list[list[int]], x: list[float]) -> float:
    ends = towards[item]
    return sum(x[end] for end in ends) / len(ends) if ends else x[item]


def _space(items: list[int], wanted: list[float], widths: list[float], gap: float, x: list[float]) -> None:
    """Places near the wanted ones, in order and apart: the mean of pushing right and pushing left."""
    distances = [(widths[left] + widths[right]) / 2 + gap for left, right in pairwise(items)]
    to_right = list(wanted)
    for place, distance in enumerate(distances):
        to_right[place + 1] = max(to_right[place + 1], to_right[place] + distance)
    to_left = list(wanted)
    for place in range(len(distances) - 1, -1, -1):
        to_left[place] = min(to_left[place], to_left[place + 1] - distances[place])
    for place, item in enumerate(items):
        x[item] = (to_right[place] + to_left[place]) / 2
