"""Figures in files: titles and labels, which say what numbers are about, are whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.image import imread

import credenet
from credenet import CredibleSet, Dataset, StructurePosterior
from credenet.drawing.graphs import plot
from credenet.structures.average_graph import average_graph

matplotlib.use("agg")
MARGIN = 3  # Pixels at the edges of a picture that nothing may reach.


@pytest.fixture(scope="module")
def data() -> Dataset:
    """Few variables, so that pictures are narrow, with long names."""
    return credenet.datasets.asia(1000, seed=1).select(["smoke", "lung", "bronc"])


@pytest.fixture(scope="module")
def found(data: Dataset) -> CredibleSet:
    return credenet.credible_networks(data)


@pytest.fixture(scope="module")
def posterior(data: Dataset) -> StructurePosterior:
    return credenet.posterior(data)


def pixels(path: Path) -> np.ndarray:
    """Rows and columns of a picture that are not white."""
    return np.asarray(imread(path)[..., :3].min(axis=2) < 0.9)


Draw = Callable[[CredibleSet, StructurePosterior, Dataset, Path], object]


@pytest.mark.parametrize(
    "draw",
    [
        lambda found, posterior, data, path: found.plot_average(path),
        lambda found, posterior, data, path: posterior.plot_average(path),
        lambda found, posterior, data, path: found.plot_edge_probabilities(path),
        lambda found, posterior, data, path: posterior.plot_edge_probabilities(path),
        lambda found, posterior, data, path: found.listing.plot(path),
        lambda found, posterior, data, path: found.classes.plot(path, k=1),
        lambda found, posterior, data, path: found.effects("smoke", data=data).plot(path),
        lambda found, posterior, data, path: found.effects(data=data).plot(path),
    ],
)
def test_nothing_is_cut_off(
    draw: Draw, found: CredibleSet, posterior: StructurePosterior, data: Dataset, tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    draw(found, posterior, data, path)
    is_drawn = pixels(path)
    assert is_drawn.any()
    for edge in (is_drawn[:MARGIN], is_drawn[-MARGIN:], is_drawn[:, :MARGIN], is_drawn[:, -MARGIN:]):
        assert not edge.any()


def test_the_average_network_has_its_title(found: CredibleSet, tmp_path: Path) -> None:
    """The title stood above the picture: the file did not say which networks it is about."""
    found.plot_average(tmp_path / "average.png")
    directed, undirected, widths = average_graph(found, 0.05)
    plot(found.variables, directed, undirected, tmp_path / "plain.png", widths=widths)
    average, plain = pixels(tmp_path / "average.png"), pixels(tmp_path / "plain.png")
    assert len(average) > len(plain) + 12
    title = average[: len(average) - len(plain)]
    assert title.sum() > 100
    assert np.flatnonzero(title.any(axis=1))[0] < 15  # No blank rows are above the title.
