"""The kind of edge of every adjacent pair of variables, and how two graphs differ in them."""

from __future__ import annotations

from typing import NamedTuple

from credenet.graphs.dag import DAG
from credenet.graphs.pdag import PDAG

Marks = dict[tuple[int, int], int]
"""The kinds of edges by pairs of positions, the smaller position first; pairs without an edge are left out."""

UP, DOWN, UNDIRECTED = 1, 2, 3  # Directed to the larger index, directed to the smaller index, undirected.


class Differences(NamedTuple):
    """Numbers of pairs: adjacent only in the learned graph, only in the reference, or in both with other directions."""

    extra: int
    missing: int
    misdirected: int


def edge_marks(graph: DAG | PDAG) -> Marks:
    """The kind of edge of every adjacent pair."""
    tails, heads, *ends = (array.tolist() for array in graph.edge_arrays())
    marks = {}
    for tail, head in zip(tails, heads, strict=True):
        marks[min(tail, head), max(tail, head)] = UP if tail < head else DOWN
    if ends:
        for first, second in zip(*ends, strict=True):
            marks[min(first, second), max(first, second)] = UNDIRECTED
    return marks


def differences(reference: Marks, learned: Marks) -> Differences:
    """The numbers of pairs that differ in each way; their sum is the Hamming distance of the two graphs."""
    extra = sum(pair not in reference for pair in learned)
    missing = sum(pair not in learned for pair in reference)
    misdirected = sum(learned.get(pair, mark) != mark for pair, mark in reference.items())
    return Differences(extra, missing, misdirected)
