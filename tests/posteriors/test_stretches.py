"""What is kept of chains."""

from __future__ import annotations

import numpy as np
import pytest

from credenet import FamilyTable
from credenet.posteriors.sampling.stretches import Stretch, Stretches

MOST = 32


def stretch(n_sweeps: int, score: float) -> Stretch:
    return Stretch(
        n_sweeps=n_sweeps,
        n_counted=n_sweeps,
        n_sampled=n_sweeps,
        time=1.0,
        scores_sum=score,
        scores_squares=score**2,
        families=np.zeros(4),
        edges=np.zeros(2),
        sampled=np.zeros(2),
        squares=np.zeros(2),
        paths=np.zeros(4),
        networks=np.zeros((1, 2), dtype=np.int64),
        scores=np.array([score]),
    )


def some(n_stretches: int) -> Stretches:
    families = FamilyTable.from_lists({"a": [(0.0, []), (-1.0, ["b"])], "b": [(0.0, []), (-1.0, ["a"])]})
    stretches = Stretches(families.flat(), n_chains=2, most=MOST, length=3)
    for number in range(n_stretches):
        stretches.add([stretch(stretches.length, float(number)) for _ in range(2)])
    return stretches


@pytest.mark.parametrize("n_stretches", [8, 16, 24, MOST - 8])
def test_the_first_quarter_is_dropped(n_stretches: int) -> None:
    stretches = some(n_stretches)
    for kept in stretches.later_stretches():
        assert [one.scores_sum for one in kept] == list(range(n_stretches // 4, n_stretches))


@pytest.mark.parametrize("n_stretches", range(1, 3 * MOST))
def test_two_halves_that_end_with_the_last_stretch_are_kept(n_stretches: int) -> None:
    stretches = some(n_stretches)
    assert len(stretches) < MOST
    for kept in stretches.later_stretches():
        n_sweeps = sum(one.n_sweeps for one in kept)
        assert n_sweeps <= 0.75 * stretches.n_sweeps or len(kept) <= 2
        assert len(kept) % 2 == 0 or len(stretches) == 1
        assert kept[-1].scores[-1] == n_stretches - 1
