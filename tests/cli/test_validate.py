"""``credenet validate`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import credenet
from commands import answer, credenet_command
from polls import signalled


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.textbook.asia().sample(1000, seed=1).save(tmp_path / "asia.csv")
    return tmp_path


def python_answer(folder: Path, *arguments: Any, **options: Any) -> list[Any]:
    data = credenet.read(folder / "asia.csv")
    result = credenet.validate(data, *arguments, repetitions=2, **options)
    found: list[Any] = result.to_dict()["distances"]
    return found


def test_the_same_as_in_python(folder: Path) -> None:
    found = answer(
        *("validate", "asia.csv", "--methods", "pc,tabu(length=5, restarts=1)", "--scores", "bdeu(ess=10), bic"),
        *("--priors", "uniform", "--priors", "fair", "--repetitions", 2, "--fractions", "1/2, 0.125"),
        *("--max-parents", 2, "--test", "g2", "--seed", 3),
        cwd=folder,
    )
    wanted = python_answer(
        folder,
        methods=["pc", "tabu(length=5, restarts=1)"],
        scores=["bdeu(ess=10)", "bic"],
        priors=["uniform", "fair"],
        fractions=[1 / 2, 1 / 8],
        max_parents=2,
        test="g2",
        seed=3,
    )
    assert found["distances"] == wanted
    assert len(wanted) == 5 * 2 * 2
    assert found["status"] == "complete"
    assert found["seconds"] > 0


def test_candidates_of_a_file(folder: Path) -> None:
    candidates = {"sparse": {"prior": "fair"}, "tests": {"method": "pc"}}
    (folder / "c.json").write_text(json.dumps(candidates))
    found = answer("validate", "asia.csv", "--candidates", "c.json", "--repetitions", 2, cwd=folder)
    assert found["distances"] == python_answer(folder, candidates)
    credenet.Knowledge(forbidden=[("smoke", "lung"), ("lung", "smoke")]).save(folder / "k.json")
    known = answer(
        *("validate", "asia.csv", "--candidates", "c.json", "--knowledge", "k.json", "--repetitions", 2), cwd=folder
    )
    edges = [edge for each in known["candidates"] for edge in each["directed"] + each["undirected"]]
    assert not [edge for edge in edges if {*edge} == {"smoke", "lung"}]


def test_text_and_plot(folder: Path) -> None:
    done = credenet_command(
        "validate", "asia.csv", "--scores", "bdeu,bic", "--repetitions", 2, "--plot", "v.svg", cwd=folder
    )
    assert done.returncode == 0
    assert "partial Hamming distance" in done.stdout
    assert "written to v.svg" in done.stderr
    assert "<svg" in (folder / "v.svg").read_text()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--priors", "uniform,fairy"], "got 'fairy'"),
        (["--priors", "uniform,"], "got ''"),
        (["--priors", "uniform"], "at least two candidates are needed"),
        (["--priors", "uniform,fair", "--fractions", "1/0"], "--fractions must be numbers such as 0.25 or 1/4"),
        (["--priors", "uniform,fair", "--fractions", "2"], "fractions must be a number above 0 and below 1, got 2"),
        (["--priors", "uniform,fair", "--plot", "v.txt"], "a plot is written as .svg, .png or .pdf, got 'v.txt'"),
        (["--priors", "uniform,fair", "--time-limit", "soon"], "a time must be given as 90"),
    ],
)
def test_wrong_usage(folder: Path, flags: list[str], message: str) -> None:
    done = credenet_command("validate", "asia.csv", *flags, cwd=folder)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(("at", "has_agreement"), [(1, False), (450, True)])
def test_interrupted(folder: Path, at: int, has_agreement: bool) -> None:
    done = signalled(
        *("validate", "asia.csv", "--methods", "hill_climb,pc", "--repetitions", 40, "--n-threads", 1),
        *("--plot", "v.svg", "--json"),
        cwd=folder,
        during="validating",
        at=at,
    )
    assert done.returncode == 130, done.stderr
    assert "interrupted; the distances are of the subsamples that were finished" in done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == "stopped"
    assert (found["agreement"] is not None) == has_agreement
    assert len(found["distances"]) < 320
    assert (folder / "v.svg").exists() == bool(found["distances"])
