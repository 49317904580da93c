"""The choice of a device, with and without a graphics processor."""

from __future__ import annotations

from pathlib import Path

import pytest

import credenet
from commands import answer, credenet_command
from credenet.errors import ArgumentError
from credenet.placement import gpu

DATA = credenet.datasets.asia(100)


def test_auto_is_the_core_for_small_data() -> None:
    data = DATA
    for device in ("auto", "cpu"):
        with credenet.placed(data, device=device) as rows:
            assert rows is data


@pytest.mark.skipif(gpu.is_available(), reason="there is a graphics processor")
def test_what_is_missing_is_said() -> None:
    with pytest.raises(credenet.CredenetError, match="device='cuda' needs"):
        credenet.learn(DATA, device="cuda")


def test_bad_devices() -> None:
    with pytest.raises(ArgumentError, match="device must be one of cpu, cuda, auto"):
        credenet.learn(DATA, device="tpu")
    families = credenet.score_families(DATA)
    with pytest.raises(ArgumentError, match="a family table has no rows"):
        credenet.learn(families, device="cuda")


def test_devices_on_the_command_line(tmp_path: Path) -> None:
    said = answer("info", "--devices", cwd=tmp_path)
    assert said["devices"][0]["device"] == "cpu"
    assert (said["no_gpu"] is None) == gpu.is_available()
    assert credenet_command("info", "--devices", cwd=tmp_path).stdout.startswith("cpu ")
    refused = credenet_command("info", cwd=tmp_path)
    assert refused.returncode == 2
    assert "info needs a file, or --devices" in refused.stderr
