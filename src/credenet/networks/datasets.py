"""Data sampled on the fly from the networks of `credenet.textbook`."""

from __future__ import annotations

from credenet.data.dataset import Dataset
from credenet.networks import textbook

__all__ = ["asia", "cancer", "earthquake", "sprinkler", "student"]


def asia(rows: int = 5000, *, seed: int = 0) -> Dataset:
    """Rows of the chest-clinic network."""
    return textbook.asia().sample(rows, seed=seed)


def cancer(rows: int = 5000, *, seed: int = 0) -> Dataset:
    """Rows of the lung-cancer network."""
    return textbook.cancer().sample(rows, seed=seed)


def earthquake(rows: int = 5000, *, seed: int = 0) -> Dataset:
    """Rows of the burglar-alarm network."""
    return textbook.earthquake().sample(rows, seed=seed)


def sprinkler(rows: int = 5000, *, seed: int = 0) -> Dataset:
    """Rows of the wet-grass network."""
    return textbook.sprinkler().sample(rows, seed=seed)


def student(rows: int = 5000, *, seed: int = 0) -> Dataset:
    """Rows of the student network."""
    return textbook.student().sample(rows, seed=seed)
