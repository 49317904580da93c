"""What tells the classes apart: a small decision tree over edges.

A question asks whether two variables are joined in one way: by an edge in a direction that the class fixes, or by one
whose direction is open. The answer to a question is a function of the class, so what it tells of the class is its own
entropy. Each node therefore asks the question whose probability of yes is nearest to one half.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet.explorer.contract import Mark, Split
from credenet.graphs import PDAG

MARKS: tuple[Mark, ...] = ("forward", "backward", "undirected")
_DEEPEST = 3  # questions on one path
_FEW = 12  # classes, up to which all of them are told apart
_LEAST_SHARE = 0.02  # of a node that is split
_LEAST_PART = 0.005  # of a branch

Codes = NDArray[np.int8]


def decision_tree(classes: Sequence[PDAG], weights: Sequence[float]) -> Split:
    """The tree of some classes with their probabilities, which need not add up to 1."""
    codes, pairs = _codes(classes)
    shares = np.asarray(weights, dtype=np.float64) / sum(weights)
    return _split(codes, pairs, shares, np.arange(len(classes)), len(classes) if len(classes) <= _FEW else _DEEPEST)


def _codes(classes: Sequence[PDAG]) -> tuple[Codes, list[tuple[int, int]]]:
    """For each class and each pair that differs between them: 0 if not joined, else the mark + 1."""
    n = len(classes[0].variables)
    codes = np.zeros((len(classes), n, n), dtype=np.int8)
    for at, graph in enumerate(classes):
        place = {name: position for position, name in enumerate(graph.variables)}
        for tail, head in graph.directed:
            a, b = place[tail], place[head]
            codes[at, min(a, b), max(a, b)] = 1 if a < b else 2
        for first, second in graph.undirected:
            a, b = place[first], place[second]
            codes[at, min(a, b), max(a, b)] = 3
    differing = np.argwhere((codes != codes[0]).any(axis=0))
    pairs = [(int(a), int(b)) for a, b in differing]
    return codes[:, differing[:, 0], differing[:, 1]], pairs


def _split(
    codes: Codes,
    pairs: list[tuple[int, int]],
    shares: NDArray[np.float64],
    members: NDArray[np.int64],
    n_questions: int,
) -> Split:
    """The tree of some of the classes, with at most so many questions on a path."""
    total = float(shares[members].sum())
    leaf: Split = {"share": total, "classes": len(members), "question": None, "yes": None, "no": None}
    if len(members) < 2 or n_questions == 0 or total < _LEAST_SHARE or not pairs:
        return leaf
    chances = np.stack([shares[members] @ (codes[members] == mark + 1) for mark in range(len(MARKS))]) / total
    distance = np.abs(chances - 0.5)
    mark, pair = np.unravel_index(int(distance.argmin()), distance.shape)
    chance = float(chances[mark, pair])
    if min(chance, 1 - chance) * total < _LEAST_PART:
        return leaf
    answers = codes[members, pair] == mark + 1
    a, b = pairs[int(pair)]
    return {
        **leaf,
        "question": (a, b, MARKS[int(mark)]),
        "yes": _split(codes, pairs, shares, members[answers], n_questions - 1),
        "no": _split(codes, pairs, shares, members[~answers], n_questions - 1),
    }
