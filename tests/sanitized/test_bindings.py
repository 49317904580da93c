"""Every part of the core on two threads, on little data: what ``make sanitize`` watches, besides stops at polls.

Whether the answers are right is tested elsewhere.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest

import credenet
from credenet import Dataset, FamilyTable
from endings import EXIT_CODE, exited

METHODS = ["auto", "dp", "dp(layered=true)", "astar", "bfbnb", "ilp", "weighted_astar", "ara_star", "awa_star"]
METHODS += ["order_search", "hill_climb", "tabu", "chow_liu", "pc", "rai", "mmhc"]
BOUNDED = ["s2", "s2_plus", "kp", "kp_plus", "kmax", "kg", "annealing", "exact(engine=dp)", "exact(engine=milp)"]


@pytest.fixture(scope="module")
def data() -> Dataset:
    return credenet.textbook.asia().sample(500, seed=1)


@pytest.fixture(scope="module")
def families(data: Dataset) -> FamilyTable:
    return credenet.score_families(data, slack=4.0, n_threads=2)


@pytest.mark.parametrize("method", METHODS)
def test_learning(data: Dataset, method: str) -> None:
    assert credenet.learn(data, method=method, n_threads=2).has_network


@pytest.mark.parametrize("method", BOUNDED)
def test_learning_of_bounded_tree_width(data: Dataset, method: str) -> None:
    assert credenet.learn(data, method=method, tree_width=2, time_limit=0.5, n_threads=2).has_network


@pytest.mark.parametrize("score", ["bdeu", "bds", "k2", "jeffreys", "bic", "aic", "mdl", "fnml", "qnml", "mit"])
def test_scores(data: Dataset, score: str) -> None:
    assert len(credenet.score_families(data, score=score, max_parents=3, n_threads=2)) > 0


def test_credible_networks(families: FamilyTable) -> None:
    found = credenet.credible_networks(families, slack=2.0, n_threads=2)
    assert len(found.classes) > 0
    assert found.edge_probabilities()
    assert credenet.k_best_classes(families, 3, n_threads=2)


@pytest.mark.parametrize("method", ["exact", "order", "mcmc"])
def test_posterior(data: Dataset, method: Literal["exact", "order", "mcmc"]) -> None:
    if method == "mcmc":
        found = credenet.posterior(data, method=method, time_limit=1.0, n_threads=2)
    else:
        found = credenet.posterior(data, method=method, n_threads=2)
    assert found.edge_probabilities()


def test_bootstrap_of_blocks(data: Dataset) -> None:
    """The counts of a sample come from Python functions."""
    assert credenet.bootstrap(data, method="hill_climb", n_samples=6, blocks=10, n_threads=2).n_samples == 6


def test_effects(data: Dataset) -> None:
    credible = credenet.credible_networks(data, bayes_factor=3, n_threads=2)
    assert len(credenet.effects(credible, data=data, n_draws=100, n_threads=2)) > 0
    assert credenet.textbook.asia().effects("smoke", "dysp")


def test_exact_inference(data: Dataset) -> None:
    network = credenet.textbook.asia()

    def ask(state: str) -> float:
        asked = network.infer({"xray": state})
        asked.mpe()
        asked.map(["smoke", "bronc"])
        asked.joint(["lung", "tub"])
        asked.sample(50)
        asked.update({"dysp": "yes"}).marginals()
        return asked.marginals()["lung"]["yes"]

    with ThreadPoolExecutor(2) as threads:
        assert len(set(threads.map(ask, ["yes", "no"] * 4))) == 2
    assert network.infer({"dysp": "yes"}).explain(["smoke", "lung"])
    assert len(network.predict(data, "lung")) == len(data)
    assert network.log_likelihood(data) < 0
    assert credenet.fit(data, network.dag).variables == network.variables


@pytest.mark.parametrize("method", ["ijgp", "loopy_bp", "gibbs", "importance_sampling", "likelihood_weighting"])
def test_approximate_inference(method: str) -> None:
    found = credenet.textbook.asia().infer({"xray": "yes"}, method=method, n_threads=2)
    assert found.marginals()["lung"]["yes"] > 0


def test_graphs(data: Dataset) -> None:
    network = credenet.textbook.asia()
    learned = credenet.learn(data, method="pc")
    assert credenet.compare(learned, network).shd >= 0
    assert network.dag.d_separated("asia", "smoke")
    assert network.dag.elimination_order().width > 0


def test_text(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "asia.csv"
    lines = [",".join(data.variables), *(",".join(map(str, row)) for row in data.codes.tolist())]
    path.write_text("\n".join(lines))
    assert len(credenet.read(path, n_threads=2)) == len(data)


@pytest.mark.skipif("libtsan" in os.environ.get("LD_PRELOAD", ""), reason="polars crashes with the thread sanitizer")
@pytest.mark.parametrize("suffix", ["csv", "parquet", "cnb"])
def test_tables(data: Dataset, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"asia.{suffix}"
    data.save(path)
    read = credenet.read(path)
    assert credenet.learn(read, method="hill_climb", n_threads=2).has_network
    assert credenet.score_families(read, max_parents=2, n_threads=2)


def test_the_end_of_the_process() -> None:
    done = exited("bootstrap", "chains", "ilp", "score_families")
    assert (done.returncode, done.stderr) == (EXIT_CODE, "")
