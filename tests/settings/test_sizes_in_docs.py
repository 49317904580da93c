"""The sizes that docstrings and the guide tell are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

import credenet
from credenet.posteriors.components import MOST_SUMMED_TOGETHER
from credenet.search.cost import LARGEST_RESORT, SUMMED_BY_DEFAULT, table_bytes

GUIDE = Path(__file__).parents[2] / "docs" / "guide"


def test_the_memory_of_dp() -> None:
    whole = table_bytes(LARGEST_RESORT, 1)
    layered = table_bytes(LARGEST_RESORT, 1, layered=True)
    assert whole / 2**30 == pytest.approx(4, rel=0.01)
    assert layered / whole == pytest.approx(0.5, abs=0.05)
    assert f"({LARGEST_RESORT} variables: 4 GB)" in (credenet.methods.DP.__doc__ or "")
    assert f"4 GB for {LARGEST_RESORT} variables" in (GUIDE / "learning.md").read_text()
    assert f"up to {LARGEST_RESORT} variables a table" in (GUIDE / "credible.md").read_text()


def test_the_sizes_of_the_posterior() -> None:
    text = " ".join((credenet.posterior.__doc__ or "").split())
    assert f"exact for up to {SUMMED_BY_DEFAULT} variables" in text
    assert f"at most {MOST_SUMMED_TOGETHER} variables" in text
    assert f"With up to {SUMMED_BY_DEFAULT} variables" in (credenet.StructurePosterior.__doc__ or "")
