"""Optima of bounded tree-width of shared score files, as their source prints them, by several methods."""

from __future__ import annotations

import pytest

import credenet
from credenet import learn
from shared import shared_data

# Each entry has a file, the largest tree-width, and the optimum (data/README.md there).
FILES = [
    ("asia_1000.jaa", 1, -2287.97233131),
    ("asia_1000.jaa", 7, -2235.02430239),
    ("asia_10000.dat.3.jkl", 1, -23036.76332036),
    ("asia_10000.dat.3.jkl", 2, -22466.39654649),
    ("wine.BIC.3", 1, -1272.17329478),
    ("wine.BIC.3", 2, -1258.44590861),
    ("sachs-5000.jkl", 3, -36511.4101),
]


@pytest.mark.parametrize("method", ["auto", "exact(engine=dp)", "exact(engine=milp)"])
@pytest.mark.parametrize(("file", "width", "optimum"), FILES)
def test_optima_of_score_files(file: str, width: int, optimum: float, method: str) -> None:
    families = credenet.load_families(shared_data("scores", file))
    result = learn(families, method=method, tree_width=width)
    assert result.status == "optimal"
    assert result.score == pytest.approx(optimum, abs=1e-4 if "5000" in file else 1e-6)
    verification = result.verify(families)
    assert verification, str(verification)
