"""Effects averaged over networks, against the average over all DAGs with the formula in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import credenet
from credenet import DAG, Dataset, Effects, credible_networks
from credenet.interventions.questions import Adjust
from enumerated_networks import EnumeratedNetworks
from slow_effects import Floats, adjusted_mean


def as_rows(effects: Effects, x: str, y: str) -> Floats:
    return np.array([list(chances.values()) for chances in effects[x, y].means.values()])


def slow_means(
    source: EnumeratedNetworks, data: Dataset, x: str, y: str, *, adjust: str = "optimal", ess: float = 1.0
) -> list[tuple[float, Floats]]:
    """For each DAG its probability and its mean: after adjusting for the parents of x, or for the optimal set."""
    by_set: dict[tuple[str, ...], Floats] = {}
    found = []
    for dag, share in zip(source.dags, source.shares, strict=True):
        used = dag.parents(x) if adjust == "parents" else optimal_set(dag, x, y)
        if used not in by_set:
            by_set[used] = adjusted_mean(data, x, y, used, ess)
        found.append((share, by_set[used]))
    return found


def optimal_set(dag: DAG, x: str, y: str) -> tuple[str, ...]:
    """The optimal adjustment set; the set {y} stands for no effect."""
    best = dag.adjustment_sets(x, y, limit=0).optimal
    return (y,) if best is None else best


def check_enumeration(data: Dataset, adjust: Adjust, ess: float, pairs: list[tuple[str, str]]) -> None:
    source = EnumeratedNetworks.of(credenet.score_families(data, slack=1e6))
    found = credenet.effects(source, data=data, adjust=adjust, ess=ess, n_draws=100)
    listed = credible_networks(data, slack=1e4).effects(data=data, adjust=adjust, ess=ess, n_draws=100)
    paths = source.path_probabilities()
    assert found.n_drawn_networks is None
    for x, y in pairs:
        means = slow_means(source, data, x, y, adjust=adjust, ess=ess)
        expected = sum(share * mean for share, mean in means)
        assert as_rows(found, x, y) == pytest.approx(expected, abs=1e-10)
        assert as_rows(listed, x, y) == pytest.approx(expected, abs=1e-7)
        effect = found[x, y]
        assert effect.probability == pytest.approx(paths[x, y], abs=1e-10)
        for at, ends in enumerate(effect.range.values()):
            for column, (least, most) in enumerate(ends.values()):
                of_sets = [mean[at, column] for share, mean in means if share > 1e-9]
                assert least <= min(of_sets) + 1e-10
                assert most >= max(of_sets) - 1e-10
                every = [mean[at, column] for _, mean in means]
                assert min(every) - 1e-10 <= least <= most <= max(every) + 1e-10
