"""Plots of effects: what they show, and that they say what is assumed."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import pytest

import credenet

matplotlib.use("agg")


@pytest.fixture(scope="module")
def data() -> credenet.Dataset:
    return credenet.datasets.asia(500, seed=1)


@pytest.fixture(scope="module")
def credible(data: credenet.Dataset) -> credenet.CredibleSet:
    return credenet.credible_networks(data, bayes_factor=3)


def test_intervals_of_one_variable(data: credenet.Dataset, credible: credenet.CredibleSet, tmp_path: Path) -> None:
    effects = credible.effects("smoke", ["lung", "bronc"], data=data)
    axes = effects.plot(tmp_path / "one.svg")
    labels = [f"{y}={state}" for y in ("lung", "bronc") for state in data.states[y]]
    assert [label.get_text() for label in axes.get_yticklabels()] == labels
    assert "hidden common cause" in axes.get_xlabel()
    drawn = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2]  # type: ignore[arg-type]
    intervals = effects["smoke", "lung"].intervals
    assert intervals is not None
    assert any(tuple(ends) == intervals["yes"]["no"] for ends in drawn)  # type: ignore[arg-type]
    assert (tmp_path / "one.svg").stat().st_size > 1000


def test_heat_map_of_all_pairs(data: credenet.Dataset, credible: credenet.CredibleSet) -> None:
    effects = credible.effects(data=data)
    axes = effects.plot()
    (image,) = axes.images
    array = image.get_array()
    assert array is not None
    shown = np.ma.filled(array, np.nan)
    names = list(data.variables)
    assert [label.get_text() for label in axes.get_xticklabels()] == names
    for effect in effects:
        differences = [abs(effect.means["yes"][state] - effect.means["no"][state]) for state in ("yes", "no")]
        assert shown[names.index(effect.x), names.index(effect.y)] == pytest.approx(max(differences))
    assert np.isnan(np.diagonal(shown)).all()
    assert "hidden common cause" in axes.get_xlabel()


def test_a_network_without_intervals(tmp_path: Path) -> None:
    axes = credenet.textbook.asia().effects("smoke", "lung").plot(tmp_path / "exact.pdf")
    assert "interval" not in axes.get_title()
