"""A small decision tree over pairs of variables that distinguishes the classes.

A question asks whether two variables are joined; if all remaining classes join them, a question may ask in which
direction. The class determines the reply, so the information of a reply about the class is its own entropy. Each node
therefore asks the question whose reply has the largest entropy. Remaining classes always differ in such a question: if
they join the same pairs, they differ in the direction of one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet.explorer.contract import Question, Reply, Split
from credenet.graphs import PDAG

_DEEPEST = 4  # Questions on one path at most.
_FEW = 12  # Classes up to which all of them are distinguished.
_LEAST_SHARE = 0.02  # Smallest share of a node that is split.
_LEAST_PART = 0.005  # Smallest share of all replies but the most frequent one.

_REPLIES: dict[Question, dict[Reply, tuple[int, ...]]] = {
    "joined": {"yes": (1, 2, 3), "no": (0,)},
    "direction": {"forward": (1,), "backward": (2,), "undetermined": (3,)},
}
"""For each question its replies, with the codes of a pair that they stand for."""

Codes = NDArray[np.int8]


def decision_tree(classes: Sequence[PDAG], weights: Sequence[float]) -> Split:
    """The tree of some classes with their probabilities, which need not add up to 1."""
    codes, pairs = _codes(classes)
    shares = np.asarray(weights, dtype=np.float64) / sum(weights)
    most = 2 * len(classes) if len(classes) <= _FEW else _DEEPEST
    return _split_classes(codes, pairs, shares, np.arange(len(classes)), most)


def _codes(classes: Sequence[PDAG]) -> tuple[Codes, list[tuple[int, int]]]:
    """For each class and each pair that differs between them: 0 if not joined, 1 →, 2 ←, 3 without direction."""
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


def _split_classes(
    codes: Codes,
    pairs: list[tuple[int, int]],
    shares: NDArray[np.float64],
    members: NDArray[np.int64],
    n_questions: int,
) -> Split:
    """The tree of some classes, with at most ``n_questions`` questions on a path."""
    total = float(shares[members].sum())
    leaf: Split = {"share": total, "classes": len(members), "question": None, "branches": []}
    if len(members) < 2 or n_questions == 0 or total < _LEAST_SHARE or not pairs:
        return leaf
    told = {question: _entropies(codes[members], shares[members], question) for question in _REPLIES}
    question = max(told, key=lambda each: float(told[each].max()))
    pair = int(told[question].argmax())
    parts = {reply: members[np.isin(codes[members, pair], found)] for reply, found in _REPLIES[question].items()}
    parts = {reply: several for reply, several in parts.items() if len(several)}
    if total - max(float(shares[several].sum()) for several in parts.values()) < _LEAST_PART:
        return leaf
    return {
        **leaf,
        "question": (*pairs[pair], question),
        "branches": [
            {"reply": reply, "node": _split_classes(codes, pairs, shares, several, n_questions - 1)}
            for reply, several in parts.items()
        ],
    }


def _entropies(codes: Codes, shares: NDArray[np.float64], question: Question) -> NDArray[np.float64]:
    """For each pair the entropy of the reply; -1 for the direction of a pair that not all classes join."""
    total = shares.sum()
    chances = np.stack([shares @ np.isin(codes, found) for found in _REPLIES[question].values()]) / total
    logs = np.log(chances, out=np.zeros_like(chances), where=chances > 0)
    entropies = -(chances * logs).sum(axis=0)
    if question == "direction":
        entropies[(codes == 0).any(axis=0)] = -1.0
    return np.asarray(entropies, dtype=np.float64)
