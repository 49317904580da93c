"""Where the shared data are: real networks, data sets and reference results."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("CREDENET_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def shared_data(*parts: str) -> Path:
    """A shared file or folder; the test is skipped where it is absent."""
    path = ROOT.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{Path(*parts)} is not among the shared data (set CREDENET_DATA)")
    return path


def network_names() -> list[str]:
    """The networks among the shared data, ``asia`` and so on; none where these are absent."""
    return sorted(path.name.removesuffix(".bif.gz") for path in (ROOT / "networks").glob("*.bif.gz"))
