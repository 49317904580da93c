"""The layout of many nodes by forces."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import credenet
from credenet.drawing.layout.force import place_by_force
from credenet.errors import MissingExtraError


def test_neighbours_are_near_and_nothing_overlaps() -> None:
    dag = credenet.random.dag(200, n_edges=220, seed=1)
    edges = [(dag.variables.index(a), dag.variables.index(b)) for a, b in dag.edges]
    centres = np.array(place_by_force(200, edges))
    joined = [math.dist(centres[a], centres[b]) for a, b in edges]
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)
    assert np.mean(joined) < 0.4 * apart.mean()
    assert apart[np.triu_indices(200, 1)].min() > 1
    assert centres.min() >= 0
    assert np.array_equal(place_by_force(200, edges), centres)  # The layout is the same each time.


def test_no_edges() -> None:
    assert place_by_force(0, []) == []
    assert len(set(place_by_force(7, []))) == 7


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingExtraError, match=r"pip install credenet\[explore\]"):
        place_by_force(2, [(0, 1)])
