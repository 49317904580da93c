"""Real files that the tests read where they are there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(*parts: str) -> Path:
    """A file below ``CREDENET_DATA``; the test is skipped where it does not exist."""
    path = Path(os.environ.get("CREDENET_DATA", _DEFAULT)).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is not there; set CREDENET_DATA")
    return path
