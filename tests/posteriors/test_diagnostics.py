"""R-hat and effective sizes, against plain formulas and processes for which they are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from credenet.posteriors.sampling.diagnostics import Floats, effective_size, rhat, standard_error


def plain_rhat(chains: list[list[float]]) -> float:
    """As Gelman et al. write it (BDA3, 11.4), for chains that are halves already."""
    m, n = len(chains), len(chains[0])
    means = [math.fsum(chain) / n for chain in chains]
    grand = math.fsum(means) / m
    b = n / (m - 1) * math.fsum((mean - grand) ** 2 for mean in means)
    w = math.fsum(
        math.fsum((x - mean) ** 2 for x in chain) / (n - 1) for chain, mean in zip(chains, means, strict=True)
    ) / m  # fmt: skip
    return math.sqrt(((n - 1) / n * w + b / n) / w)


def split_rhat(draws: Floats) -> Floats:
    """R-hat of draws (chains x draws x quantities), cut into halves; an odd last draw is left out."""
    n_half = draws.shape[1] // 2
    halves = np.concatenate((draws[:, :n_half], draws[:, n_half : 2 * n_half]))
    return rhat(halves.mean(axis=1), halves.var(axis=1, ddof=1), n_half)


@pytest.mark.parametrize("n_draws", [4, 25, 200])
def test_rhat_by_its_formula(n_draws: int) -> None:
    draws = np.random.default_rng(n_draws).normal(size=(3, n_draws, 2)) + np.arange(3)[:, None, None] / 10
    half = n_draws // 2
    for quantity in range(2):
        halves = [part.tolist() for one in draws[:, :, quantity] for part in (one[:half], one[half : 2 * half])]
        assert split_rhat(draws)[quantity] == pytest.approx(plain_rhat(halves), rel=1e-12)


def test_rhat_where_nothing_varies() -> None:
    assert rhat(np.full((4, 1), 0.3), np.zeros((4, 1)), 10).tolist() == [1.0]
    assert rhat(np.array([[0.0], [1.0]]), np.zeros((2, 1)), 10).tolist() == [math.inf]


def test_chains_in_two_modes() -> None:
    draws = np.random.default_rng(1).normal(size=(4, 1000, 1))
    assert split_rhat(draws)[0] < 1.01
    draws[0] += 5
    assert split_rhat(draws)[0] > 1.5


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_effective_size_of_autoregression(correlation: float) -> None:
    """Of n draws with x' = r x + noise, as many count as (1 - r) / (1 + r) n."""
    n, batch, random = 200_000, 2000, np.random.default_rng(5)
    noise = random.normal(size=(4, n)) * math.sqrt(1 - correlation**2)
    draws = np.empty((4, n))
    draws[:, 0] = random.normal(size=4)
    for at in range(1, n):
        draws[:, at] = correlation * draws[:, at - 1] + noise[:, at]
    means = draws.reshape(4, n // batch, batch, 1).mean(axis=2)
    variances = draws.reshape(8, n // 2, 1).var(axis=1, ddof=1)
    expected = 4 * n * (1 - correlation) / (1 + correlation)
    assert effective_size(variances, means)[0] == pytest.approx(expected, rel=0.25)
    assert standard_error(means)[0] == pytest.approx(1 / math.sqrt(expected), rel=0.15)


def test_disagreement_is_an_error() -> None:
    """Batches of chains in different modes vary about the mean of all."""
    means = np.array([[[0.0], [0.0]], [[1.0], [1.0]]])
    assert standard_error(means)[0] == pytest.approx(math.sqrt(1 / 3 / 4))
