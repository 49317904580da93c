"""``credenet posterior`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import credenet
from commands import answer, credenet_command
from html_page import Page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.datasets.asia(300, seed=1).save(tmp_path / "asia.csv")
    return tmp_path


def test_the_same_as_in_python(folder: Path) -> None:
    found = answer("posterior", "asia.csv", "--ess", 2, "--prior", "fair", "--max-parents", 2, cwd=folder)
    wanted = credenet.posterior(credenet.read(folder / "asia.csv"), ess=2, prior="fair", max_parents=2)
    expected = json.loads(wanted.to_json())
    for key in ("log_evidence", "edge_probabilities", "status", "exact"):
        assert found[key] == expected[key]


def test_files(folder: Path) -> None:
    done = credenet_command("posterior", "asia.csv", "-o", "e.csv", "--plot", "a.svg", "--report", "r.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    wanted = credenet.posterior(credenet.read(folder / "asia.csv"))
    assert done.stdout.partition("score")[0] == str(wanted).partition("score")[0]
    assert pl.read_csv(folder / "e.csv").rows() == wanted.to_polars().rows()
    assert "<svg" in (folder / "a.svg").read_text()
    page = Page((folder / "r.html").read_text())
    assert "credenet posterior asia.csv -o e.csv --plot a.svg --report r.html" in page.text
    assert f"{wanted.log_evidence:.6f}" in page.text


def test_chains_without_time_say_so(folder: Path) -> None:
    limited = ("--method", "mcmc", "--time-limit", "0.001", "--report", "r.html")
    done = credenet_command("posterior", "asia.csv", *limited, "-o", "e.csv", cwd=folder)
    assert done.returncode == 3
    assert "too short to tell" in done.stdout
    assert not (folder / "e.csv").exists()
    assert "too short to tell" in Page((folder / "r.html").read_text()).text


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--report", "r.pdf"], "a report is written to a .html file, got r.pdf"),
        (["--report", "no/r.html"], "no"),
        (["-o", "e.txt"], "e.txt"),
        (["--method", "guess"], "guess"),
    ],
)
def test_wrong_usage(folder: Path, flags: list[str], message: str) -> None:
    done = credenet_command("posterior", "asia.csv", *flags, cwd=folder)
    assert done.returncode != 0
    assert message in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["asia.csv"]
