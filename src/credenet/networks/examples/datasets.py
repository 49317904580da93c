"""Data sets sampled from the networks of `credenet.textbook` when called."""

from __future__ import annotations

from credenet._advised import check_keywords
from credenet.data.dataset import Dataset
from credenet.networks.examples import textbook

__all__ = ["asia", "cancer", "earthquake", "sprinkler", "student"]


@check_keywords
def asia(n_rows: int = 5000, *, seed: int | None = 0) -> Dataset:
    """Rows of the chest-clinic network.

    Examples
    --------
    >>> import credenet
    >>> credenet.datasets.asia(100)
    <Dataset 100 rows, 8 variables>
    """
    return textbook.asia().sample(n_rows, seed=seed)


@check_keywords
def cancer(n_rows: int = 5000, *, seed: int | None = 0) -> Dataset:
    """Rows of the lung-cancer network.

    Examples
    --------
    >>> import credenet
    >>> credenet.datasets.cancer(100).variables
    ('pollution', 'smoker', 'cancer', 'xray', 'dyspnoea')
    """
    return textbook.cancer().sample(n_rows, seed=seed)


@check_keywords
def earthquake(n_rows: int = 5000, *, seed: int | None = 0) -> Dataset:
    """Rows of the burglar-alarm network.

    Examples
    --------
    >>> import credenet
    >>> credenet.datasets.earthquake(100, seed=1).n_rows
    100
    """
    return textbook.earthquake().sample(n_rows, seed=seed)


@check_keywords
def sprinkler(n_rows: int = 5000, *, seed: int | None = 0) -> Dataset:
    """Rows of the wet-grass network.

    Examples
    --------
    >>> import credenet
    >>> credenet.datasets.sprinkler(100).states["rain"]
    ('true', 'false')
    """
    return textbook.sprinkler().sample(n_rows, seed=seed)


@check_keywords
def student(n_rows: int = 5000, *, seed: int | None = 0) -> Dataset:
    """Rows of the student network.

    Examples
    --------
    >>> import credenet
    >>> credenet.datasets.student(100).states["grade"]
    ('A', 'B', 'C')
    """
    return textbook.student().sample(n_rows, seed=seed)
