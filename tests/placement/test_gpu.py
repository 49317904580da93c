"""Counts of a graphics processor against those of the core. All tests need one, with CuPy."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import credenet
from credenet.placement import gpu

needs_gpu = pytest.mark.skipif(not gpu.is_available(), reason="there is no CuPy or no NVIDIA graphics processor")


def _data(n_rows: int, n_states: int, seed: int = 0) -> credenet.Dataset:
    """Dependent variables; one is constant, and one has a state that does not occur."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, n_states, (n_rows, 8))
    for at in range(1, 8):
        copied = random.random(n_rows) < 0.6
        codes[copied, at] = codes[copied, random.integers(at)]
    codes[:, 3] = 0
    codes[codes[:, 4] == 1, 4] = 0
    return credenet.Dataset({f"v{at}": [str(k) for k in range(n_states)] for at in range(8)}, codes)


def _cells(data: credenet.Dataset, observed: Any, members: tuple[int, ...]) -> tuple[Any, int]:
    """The cell of each row, and the number of cells."""
    places = [np.searchsorted(observed[at], data.codes[:, at]) for at in members]
    shape = [len(observed[at]) for at in members]
    return np.ravel_multi_index(places, shape), int(np.prod(shape))


@needs_gpu
@pytest.mark.parametrize(
    ("n_rows", "n_states", "most"), [(1, 2, 3), (15, 2, 3), (1000, 3, 3), (100_003, 5, 3), (20_000, 300, 1)]
)
def test_tables(n_rows: int, n_states: int, most: int) -> None:
    data = _data(n_rows, n_states)
    service = gpu.GpuCounts(data)
    sets = [members for size in range(1, most + 1) for members in combinations(range(8), size)]
    begins = np.cumsum([0, *map(len, sets)], dtype=np.int64)
    found = service.tables(np.array([at for members in sets for at in members], dtype=np.uint16), begins)
    expected = [
        np.bincount(cells, minlength=size) for cells, size in (_cells(data, service.observed_codes, s) for s in sets)
    ]
    assert found.tolist() == np.concatenate(expected).tolist()


@needs_gpu
@pytest.mark.parametrize(("n_rows", "n_states"), [(1, 2), (1000, 3), (20_000, 300)])
def test_occupied_cells(n_rows: int, n_states: int) -> None:
    data = _data(n_rows, n_states)
    service = gpu.GpuCounts(data)
    for size in (1, 2, 4):
        for members in combinations(range(8), size):
            cells, counts = service.cells(np.array(members, dtype=np.uint16))
            expected = np.unique(_cells(data, service.observed_codes, members)[0], return_counts=True)
            assert cells.tolist() == expected[0].tolist()
            assert counts.tolist() == expected[1].tolist()


@needs_gpu
@pytest.mark.parametrize("method", ["pc", "rai", "mmhc", "hill_climb", "dp"])
def test_learning(method: str) -> None:
    data = _data(5000, 3)
    there, here = (credenet.learn(data, method=method, device=device) for device in ("cuda", "cpu"))
    assert there.graph == here.graph
    assert there.score == here.score


@needs_gpu
def test_families() -> None:
    data = _data(5000, 3)
    for score in ("bdeu", "bic", "qnml", "bds"):
        with credenet.placed(data, device="cuda") as rows:
            assert credenet.score_families(rows, score=score) == credenet.score_families(data, score=score)
