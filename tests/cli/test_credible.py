"""``credenet credible`` where something ends early: what was finished is printed and written."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from commands import PROGRAM, Done, credenet_command


def run(*arguments: object, cwd: Path) -> Done:
    return credenet_command("credible", *arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.datasets.asia(1000, seed=1).save(tmp_path / "asia.csv")
    return tmp_path


def test_ctrl_c_while_the_share_is_computed(tmp_path: Path) -> None:
    dag = credenet.random_dag(20, max_parents=2, seed=3)
    credenet.random_network(dag, n_states=2, seed=1).sample(2000, seed=1).save(tmp_path / "wide.csv")
    flags = ["wide.csv", "--score", "bic", "--covered-mass", "-o", "wide.json", "--json"]
    process = subprocess.Popen(
        [str(PROGRAM), "credible", *flags], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        assert "written to wide.json\n" in iter(process.stderr.readline, "")  # only the sum is left
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, err
    result: dict[str, Any] = json.loads(out)
    assert result["complete"] is True
    assert result["covered_mass"] is None
    assert result["covered_mass_unknown"] in ("the sum was stopped", "not computed (--covered-mass, from the data)")
    assert len(json.loads((tmp_path / "wide.json").read_text())["networks"]) == result["networks"] > 1000


@pytest.mark.parametrize("flag", ["-o", "--report"])
def test_a_file_that_cannot_be_written_after_all(folder: Path, flag: str) -> None:
    """A full disk is found out when it is written to."""
    name = "full.txt" if flag == "-o" else "full.html"
    (folder / name).symlink_to("/dev/full")
    done = run("asia.csv", "--score", "bic", flag, name, cwd=folder)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "3 networks tie for the best score" in done.stdout
    assert "written to" not in done.stderr


def test_too_little_memory_for_the_share(folder: Path) -> None:
    done = run(
        "asia.csv", "--score", "bic", "--covered-mass", "--memory-limit", "60kB", "--n-threads", 1, "--json", cwd=folder
    )
    assert done.returncode == 2
    assert "the sum over all networks of 8 variables needs" in done.stderr
    assert json.loads(done.stdout)["networks"] > 0


def test_formats(folder: Path) -> None:
    data = credenet.read(folder / "asia.csv")
    found = credenet.credible_networks(data, score="bic")
    for name in ("x.parquet", "x.json", "x.txt", "x.json.gz"):
        done = run("asia.csv", "--score", "bic", "-o", name, cwd=folder)
        assert done.returncode == 0
        assert f"written to {name}" in done.stderr
    assert pl.read_parquet(folder / "x.parquet").equals(found.to_polars())
    assert json.loads((folder / "x.json").read_text())["networks"] == found.to_polars().to_dicts()
    assert json.loads(gzip.decompress((folder / "x.json.gz").read_bytes()))["complete"] is True
    assert len((folder / "x.txt").read_text().splitlines()) == found.n_networks + 1
    run("asia.csv", "--score", "bic", "--classes", "-o", "c.json", cwd=folder)
    assert len(json.loads((folder / "c.json").read_text())["classes"]) == found.n_classes


def test_a_format_that_is_not_known_is_refused_before_the_data_are_read(tmp_path: Path) -> None:
    done = run("missing.csv", "-o", "x.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert "networks are written to a .parquet, .json or .txt file" in done.stderr


def test_nothing_listed_overwrites_nothing(folder: Path) -> None:
    (folder / "x.json").write_text("before")
    done = run("asia.csv", "--memory-limit", "20kB", "--n-threads", 1, "-o", "x.json", cwd=folder)
    assert done.returncode == 3
    assert "nothing is written to x.json: no network was listed" in done.stderr
    assert (folder / "x.json").read_text() == "before"
    assert "networks   none listed" in done.stdout
    assert "Edges of the best network found so far" in done.stdout


def test_advice_names_flags(folder: Path) -> None:
    limits = ["--memory-limit", "45kB", "--n-threads", 1, "--bayes-factor", 1]
    done = run("asia.csv", *limits, "--report", "x.html", cwd=folder)
    assert done.returncode == 3
    for text in (done.stdout, (folder / "x.html").read_text()):
        assert "--memory-limit" in text
        assert "--max-parents" in text
        assert "memory_limit;" not in text
    assert "fit into memory" not in done.stdout + done.stderr  # scoring ended, not the list
