"""The prior SSP on the command line: the same results as in Python, which say what they are judged by."""

from __future__ import annotations

from pathlib import Path

import pytest

import credenet
from commands import answer, credenet_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.datasets.asia(300).save(tmp_path / "asia.csv")
    return tmp_path


def test_credible_networks(folder: Path) -> None:
    result = answer("credible", "asia.csv", "--prior", "ssp", "--max-parents", "2", cwd=folder)
    data = credenet.read(folder / "asia.csv")
    expected = credenet.credible_networks(data, prior="ssp", max_parents=2)
    assert (result["networks"], result["complete"]) == (expected.n_networks, True)
    assert result["optimum"] == pytest.approx(expected.optimum)
    assert result["provenance"]["prior"] == "ssp"
    credenet.score_families(data, bayes_factor=20, max_parents=2).save(folder / "asia.jkl")
    of_table = answer("credible", "asia.jkl", "--prior", "ssp", cwd=folder)
    assert of_table["networks"] == expected.n_networks


def test_posterior(folder: Path) -> None:
    result = answer("posterior", "asia.csv", "--prior", "ssp(exclusive=True)", cwd=folder)
    data = credenet.read(folder / "asia.csv")
    assert result["log_evidence"] == pytest.approx(credenet.posterior(data, prior="ssp(exclusive=True)").log_evidence)
    assert result["provenance"]["prior"] == "ssp(exclusive=True)"
    refused = credenet_command("posterior", "asia.csv", "--prior", "ssp", "--method", "mcmc", cwd=folder)
    assert refused.returncode == 2
    assert "give --method exact" in refused.stderr


def test_tree_width(folder: Path) -> None:
    result = answer("learn", "asia.csv", "--prior", "ssp", "--tree-width", "2", cwd=folder)
    data = credenet.read(folder / "asia.csv")
    assert result["status"] == "optimal"
    assert result["score"] == pytest.approx(credenet.learn(data, prior="ssp", tree_width=2).score)
    assert result["provenance"]["prior"] == "ssp"


def test_effects(folder: Path) -> None:
    result = answer("effect", "asia.csv", "--do", "smoke", "--on", "lung", "--prior", "ssp", cwd=folder)
    assert "prior ssp" in result["judged_by"]


def test_numbers_of_edges(folder: Path) -> None:
    prior = "ssp(complexity=edges)"
    data = credenet.read(folder / "asia.csv")
    for method in ("auto", "tabu"):
        result = answer("learn", "asia.csv", "--prior", prior, "--method", method, cwd=folder)
        assert result["score"] == pytest.approx(credenet.learn(data, prior=prior, method=method).score)
        assert result["provenance"]["prior"] == prior
    refused = credenet_command("credible", "asia.csv", "--prior", prior, cwd=folder)
    assert refused.returncode == 2
    assert "learn and score take this prior" in refused.stderr


def test_a_result_with_the_prior_is_read_back(folder: Path) -> None:
    data = credenet.read(folder / "asia.csv")
    result = credenet.learn(data, prior="ssp(exclusive=True, complexity=edges)")
    path = folder / "by_edges.json"
    result.save(path)
    again = credenet.LearnResult.load(path)
    assert again.provenance.prior == credenet.priors.SSP(True, "edges")
    assert bool(again.verify(data))
