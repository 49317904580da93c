"""A seed of None is drawn from the system, and what records its seed can be repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import credenet
from commands import credenet_command
from credenet._run.progress import N_SEEDS, read_seed

ASIA = credenet.textbook.asia()
DATA = ASIA.sample(300, seed=1)
SMALL = DATA.select(["smoke", "lung", "bronc", "dysp"])


def test_fresh_seeds_differ_and_survive_as_doubles() -> None:
    seeds = [read_seed(None) for _ in range(200)]
    assert len(set(seeds)) == 200
    assert all(int(float(seed)) == seed and 0 <= seed < N_SEEDS for seed in seeds)


DRAWS: dict[str, Callable[[int | None], Any]] = {
    "network": lambda seed: ASIA.sample(200, seed=seed),
    "evidence": lambda seed: ASIA.infer({"dysp": "yes"}).sample(200, seed=seed),
    "gibbs": lambda seed: credenet.sample_learn_infer(ASIA, {"dysp": "yes"}, n_rows=500, seed=seed).answers.marginals(),
    "importance": lambda seed: ASIA.infer({"dysp": "yes"}, method="importance_sampling", seed=seed).marginals(),
    "dataset": lambda seed: credenet.datasets.asia(200, seed=seed),
    "graph": lambda seed: credenet.random.dag(20, n_edges=40, seed=seed),
    "tables": lambda seed: credenet.random.network(ASIA.dag, seed=seed),
    "credible": lambda seed: credenet.credible_networks(SMALL).sample(200, seed=seed),
    "posterior": lambda seed: credenet.posterior(SMALL).sample(200, seed=seed),
}


@pytest.mark.parametrize("name", DRAWS)
def test_none_draws_afresh_and_a_number_repeats(name: str) -> None:
    draw = DRAWS[name]
    assert draw(None) != draw(None)
    assert draw(7) == draw(7)
    assert draw(N_SEEDS - 1) == draw(N_SEEDS - 1)


def _learned(seed: int | None) -> tuple[int, Any]:
    result = credenet.learn(DATA, method="order_search(iterations=3)", seed=seed)
    return result.provenance.seed, result.graph


def _confidence(seed: int | None) -> tuple[int, Any]:
    result = credenet.bootstrap(DATA, method="chow_liu", n_samples=10, seed=seed)
    return result.provenance.seed, result.pairs


def _chains(seed: int | None) -> tuple[int, Any]:
    result = credenet.posterior(SMALL, method="mcmc", seed=seed)
    return result.provenance.seed, result.edge_probabilities()


def _effects(seed: int | None) -> tuple[int | None, Any]:
    result = credenet.effects(credenet.credible_networks(SMALL), "smoke", "dysp", data=SMALL, seed=seed)
    return result.provenance.seed, result.to_dict()["effects"]


def _validation(seed: int | None) -> tuple[int, Any]:
    result = credenet.validate(DATA, scores=["bic", "aic"], fractions=[0.5], repetitions=2, seed=seed)
    return result.provenance.seed, result.distances


@pytest.mark.parametrize("made", [_learned, _confidence, _chains, _effects, _validation])
def test_the_seed_drawn_is_told_and_repeats(made: Callable[[int | None], tuple[int | None, Any]]) -> None:
    seed, found = made(None)
    assert seed is not None
    assert seed != made(None)[0]
    assert made(seed) == (seed, found)


def test_fresh_on_the_command_line(tmp_path: Any) -> None:
    done = credenet_command("example", "asia", "--rows", 50, "--seed", "fresh", "-o", "a.csv", cwd=tmp_path)
    assert done.returncode == 0
    drawn = done.stderr.split()[4].rstrip(";")
    assert done.stderr == f"--seed fresh has drawn {drawn}; --seed {drawn} draws the same again\n"
    credenet_command("example", "asia", "--rows", 50, "--seed", drawn, "-o", "b.csv", cwd=tmp_path)
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    refused = credenet_command("example", "asia", "--rows", 5, "--seed", "none", cwd=tmp_path)
    assert refused.returncode == 2
    assert "a whole number or fresh is needed, got 'none'" in refused.stderr
