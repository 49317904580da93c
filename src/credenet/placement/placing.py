"""Choosing where the rows of a dataset are counted."""

from __future__ import annotations

from typing import Literal, get_args

from credenet._arguments import choice
from credenet.data.dataset import Dataset

Device = Literal["cpu", "cuda", "auto"]

MANY_CELLS = 10_000_000  # of a table for which "auto" takes a graphics processor


def on_device(data: Dataset, device: Device | str) -> Dataset:
    """The data, counted on a device: ``cuda`` is an NVIDIA graphics processor, ``auto`` takes it where it pays."""
    from credenet.placement import gpu
    from credenet.placement.placed import PlacedDataset

    chosen = choice("device", device, get_args(Device))
    if chosen == "auto":
        is_large = data.n_rows * data.n_variables >= MANY_CELLS and not data._is_weighted
        chosen = "cuda" if is_large and gpu.is_available() else "cpu"
    return PlacedDataset(data, gpu.GpuCounts(data)) if chosen == "cuda" else data
