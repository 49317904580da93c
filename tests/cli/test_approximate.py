"""``credenet approximate`` as a user runs it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import credenet
from commands import answer, credenet_command
from shared import shared_data

STUCK = """MARKOV
4
2 2 2 2
4
1 0
2 0 1
2 1 2
2 2 3

2
 0.7 0.3

4
 1 0 0 1

4
 1 0 0 1

4
 1 0 0 1
"""


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "stuck.uai").write_text(STUCK)
    (folder / "e.evid").write_text("1 3 1\n")
    return folder


def test_answer_as_json(folder: Path) -> None:
    """The schema of `query` with an approximate method, and what the rows and the network are."""
    words = ("approximate", "asia.bif", "lung", "--evidence", "xray=yes", "--tree-width", "2", "--rows", "20000")
    found = answer(*words, "--network", "simpler.bif", cwd=folder)
    queried = answer("query", "asia.bif", "lung", "--method", "ijgp", cwd=folder)
    only_of_query = {"log_evidence_error", "effective_sample_size", "iterations"}
    assert set(queried) - only_of_query <= set(found)
    assert set(found) - set(queried) == {"sampling", "learning", "held_out"}
    assert set(found["sampling"]) == {
        *("method", "n_rows", "exact", "status", "n_chains", "scale_reduction", "effective_rows", "log_evidence"),
        "reason",
    }
    assert set(found["learning"]) == {"method", "status", "score", "edges", "parameters"}
    assert found["exact"] is False
    assert found["held_out"] == []
    assert found["status"] == "complete"
    truth = credenet.textbook.asia().infer({"xray": "yes"}).marginals(["lung"])
    assert found["marginals"] == {"lung": pytest.approx(truth["lung"], abs=0.03)}
    simpler = credenet.load(folder / "simpler.bif")
    assert isinstance(simpler, credenet.BayesianNetwork)
    assert len(simpler.dag.edges) == found["learning"]["edges"]


def test_tree_width_by_held_out_rows(folder: Path) -> None:
    words = ("approximate", "asia.bif", "--tree-width", "auto", "--max-tree-width", "3", "--rows", "1000")
    found = answer(*words, cwd=folder)
    assert [point["tree_width"] for point in found["held_out"]] == [1, 2, 3]
    assert set(found["held_out"][0]) == {"tree_width", "log_likelihood", "standard_error", "status"}
    best = max(found["held_out"], key=lambda point: point["log_likelihood"])
    assert found["method"]["tree_width"] == best["tree_width"]
    assert found["log_evidence"] == 0
    text = credenet_command(*words, cwd=folder).stdout
    assert f"tree-width {best['tree_width']}: {best['log_likelihood']:.6f}" in text
    assert text.count("(chosen)") == 1


def test_chains_that_do_not_mix_are_not_called_good(folder: Path) -> None:
    done = credenet_command("approximate", "stuck.uai", "--sampler", "gibbs", "--rows", "500", "--json", cwd=folder)
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert found["status"] == found["sampling"]["status"] == "not_converged"
    assert found["sampling"]["scale_reduction"] is None
    assert "the Gibbs chains disagree" in found["reason"]
    done = credenet_command("approximate", "stuck.uai", "--sampler", "gibbs", "--rows", "500", cwd=folder)
    assert done.returncode == 3
    assert "THE ANSWERS BELOW ARE NOT TO BE TRUSTED" in done.stdout
    words = ("approximate", "stuck.uai", "--sampler", "importance_sampling(i_bound=1)", "--rows", "3000")
    resampled = answer(*words, cwd=folder)
    assert resampled["status"] == "complete"
    assert resampled["sampling"]["effective_rows"] > 1000
    assert resampled["marginals"]["3"]["1"] == pytest.approx(0.3, abs=0.05)
    assert resampled["log_evidence"] == pytest.approx(0, abs=0.05)


def test_evidence_and_result_files(folder: Path) -> None:
    words = ("approximate", "stuck.uai", "--evidence-file", "e.evid", "--rows", "200")
    found = answer(*words, "-o", "x.MAR", cwd=folder)
    assert found["marginals"]["3"] == {"0": 0, "1": 1}
    assert found["marginals"]["0"]["1"] > 0.99
    assert found["log_evidence"] is None
    assert (folder / "x.MAR").read_text().split()[:3] == ["MAR", "4", "2"]
    after = answer("approximate", "asia.bif", "--evidence", "dysp=yes", "--condition", "after", cwd=folder)
    assert after["sampling"]["method"] == "forward"
    assert after["log_evidence"] == pytest.approx(credenet.textbook.asia().infer({"dysp": "yes"}).log_evidence, abs=0.1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-tree-width", "3"], "max_tree_width is for --tree-width auto"),
        (["--tree-width", "many"], "a whole number or auto is needed"),
        (["--tree-width", "-1"], "tree_width must be at least 0"),
        (["--sampler", "forward"], "sampler must be one of auto, exact, gibbs, importance_sampling"),
        (["--rows", "0"], "must be at least 1"),
        (["lung", "-o", "x.MAR"], "--output writes the marginals of all variables"),
    ],
)  # fmt: skip
def test_wrong_usage(words: list[str], message: str, folder: Path) -> None:
    done = credenet_command("approximate", "asia.bif", *words, cwd=folder)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("case", "sampler", "most"),
    [
        ("CSP_12", "gibbs", 0.02),
        ("CSP_12", "importance_sampling", 0.02),
        ("DBN_11", "importance_sampling", 0.1),
        ("Grids_11", "importance_sampling", 0.1),
        ("BN_78", "auto", 0.02),
    ],
)
def test_published_marginals(case: str, sampler: str, most: float, tmp_path: Path) -> None:
    """Cases of the UAI 2014 competition; chains do not mix on DBN_11 and Grids_11."""
    answers = shared_data("inference", f"{case}.uai.MAR")
    plain = answers.with_suffix("")
    model = plain if plain.exists() else plain.with_suffix(".uai.gz")
    words = ("approximate", model, "--evidence-file", f"{plain}.evid", "--sampler", sampler, "--rows", "5000")
    found = answer(*words, cwd=tmp_path)
    numbers = iter(answers.read_text().split()[2:])
    errors = []
    for shares in found["marginals"].values():
        assert int(next(numbers)) == len(shares)
        errors.append(max(abs(p - float(next(numbers))) for p in shares.values()))
    assert math.fsum(errors) / len(errors) < most
