"""``credenet credible`` where something ends early: what was finished is printed and written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from commands import Done, credenet_command


def run(*arguments: object, cwd: Path) -> Done:
    return credenet_command("credible", *arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.datasets.asia(1000, seed=1).save(tmp_path / "asia.csv")
    return tmp_path


def test_ctrl_c_while_the_share_is_computed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks are written and printed all the same."""

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(credenet._core, "sum_over_dags", interrupt)
    done = run("asia.csv", "--score", "bic", "--covered-mass", "-o", "x.json", "--json", cwd=folder)
    assert done.returncode == 130
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["complete"] is True
    assert result["covered_mass"] is None
    assert result["covered_mass_reason"] == "the sum was stopped"
    assert len(json.loads((folder / "x.json").read_text())["networks"]) == result["networks"] == 32


def test_a_share_that_is_asked_for(folder: Path) -> None:
    data = credenet.read(folder / "asia.csv")
    found = credenet.credible_networks(data, score="bic", mass=0.9)
    flags = ["asia.csv", "--score", "bic", "--mass", 0.9]
    result = json.loads(run(*flags, "--json", cwd=folder).stdout)
    assert (result["networks"], result["mass"]) == (found.n_networks, 0.9)
    assert result["covered_mass"] == pytest.approx(found.covered_mass())
    assert result["bayes_factor"] == found.listing.bayes_factor
    classes = json.loads(run(*flags, "--classes", "--json", cwd=folder).stdout)
    assert (classes["networks"], classes["mass"]) == (found.n_networks, 0.9)
    assert "the least that covers 90 % of the posterior" in run(*flags, cwd=folder).stdout
    for other in (("--k", 3), ("--slack", 1)):
        refused = run(*flags, *other, cwd=folder)
        assert refused.returncode == 2
        assert "give one of --bayes-factor, --slack, --ratio, --mass and --k" in refused.stderr


def test_files_and_report_have_the_share(folder: Path) -> None:
    done = run("asia.csv", "--report", "x.html", "-o", "x.json", "--json", cwd=folder)
    share = json.loads(done.stdout)["covered_mass"]
    facts = json.loads((folder / "x.json").read_text())
    assert facts["covered_mass"] == share
    assert "which hold 25 % of the posterior" in facts["shares_among"]
    assert "these networks hold only 25 % of the posterior" in (folder / "x.html").read_text()


def test_the_command_for_all_networks_works(folder: Path) -> None:
    done = run("asia.csv", "--ess", 2, "--bayes-factor=3", "--max-parents", 3, cwd=folder)
    assert done.stdout.startswith("posterior   these networks hold only")
    command = done.stdout.splitlines()[-1].removeprefix("Probabilities over all networks: ")
    assert command == "credenet posterior asia.csv --ess 2 --max-parents 3"
    again = credenet_command(*command.split()[1:], cwd=folder)
    assert again.returncode == 0
    assert "bdeu, ess 2, prior uniform" in again.stdout
    most = run("asia.csv", "--score", "bic", cwd=folder)  # These networks hold more than half of the posterior.
    assert "credenet posterior" not in most.stdout


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
    assert len(json.loads((folder / "c.json").read_text())["classes"]) == found.classes.n_classes


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
    assert "fit into memory" not in done.stdout + done.stderr  # A limit ended the scoring, not the listing.
