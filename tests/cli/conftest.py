"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

import credenet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the asia network and data sampled from it."""
    asia = credenet.textbook.asia()
    asia.save(tmp_path / "asia.bif")
    asia.sample(2000, seed=1).save(tmp_path / "asia.csv")
    return tmp_path
