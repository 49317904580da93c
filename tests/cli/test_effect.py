"""``credenet effect`` as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
from commands import Done, answer, credenet_command
from polls import signalled


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    network = credenet.textbook.asia()
    network.save(tmp_path / "asia.bif")
    network.sample(1000, seed=1).save(tmp_path / "asia.csv")
    credenet.save_graph(network.dag, tmp_path / "graph.txt")
    return tmp_path


def run(*arguments: object, cwd: Path) -> Done:
    return credenet_command("effect", *arguments, cwd=cwd)


@pytest.mark.parametrize(
    ("flags", "during"), [(["--posterior"], "summing over networks"), ([], "listing networks")], ids=str
)
def test_ctrl_c_before_there_is_an_answer(folder: Path, flags: list[str], during: str) -> None:
    done = signalled("effect", "asia.csv", *flags, "-o", "effects.json", cwd=folder, during=during)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "interrupted; nothing was written\n"
    assert not (folder / "effects.json").exists()


def as_json(effects: credenet.Effects) -> Any:
    return json.loads(effects.to_json())["effects"]


def test_the_same_as_in_python(folder: Path) -> None:
    flags = ["--bayes-factor", 5, "--max-parents", 2, "--level", 0.9, "--seed", 3, "--ess", 2, "--adjust", "parents"]
    found = answer("effect", "asia.csv", "--do", "smoke=yes", "--do", "tub", "--on", "lung", *flags, cwd=folder)
    data = credenet.read(folder / "asia.csv")
    credible = credenet.credible_networks(data, bayes_factor=5, ess=2, max_parents=2)
    wanted = credible.effects(
        {"smoke": "yes", "tub": ["no", "yes"]}, "lung", data=data, adjust="parents", level=0.9, seed=3, ess=2
    )
    assert found["effects"] == as_json(wanted)
    assert found["assumption"] == credenet.credible_networks(data).effects("smoke", data=data).assumption
    assert found["status"] == "complete"


def test_all_pairs_are_the_default(folder: Path) -> None:
    done = run("asia.csv", "-o", "all.csv", "--plot", "all.svg", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "… and 16 more lines" in done.stdout
    assert "hidden common cause" in done.stdout
    assert "written to all.csv" in done.stderr
    assert pl.read_csv(folder / "all.csv").height == 56 * 4
    assert "hidden common cause" in (folder / "all.svg").read_text()


def test_one_pair(folder: Path) -> None:
    done = run("asia.csv", "--do", "smoke=yes", "--on", "bronc", "-o", "one.json", "--plot", "one.svg", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Effects of do(smoke), averaged over the credible networks")
    assert "smoke=yes  bronc=yes" in done.stdout
    assert "smoke=no" not in done.stdout
    assert json.loads((folder / "one.json").read_text())["effects"][0]["means"].keys() == {"yes"}
    assert "hidden common cause" in (folder / "one.svg").read_text()


def test_contrasts(folder: Path) -> None:
    flags = ["--do", "smoke=no", "--on", "dysp=yes", "--against", "smoke=yes"]
    found = answer("effect", "asia.csv", *flags, cwd=folder)
    data = credenet.read(folder / "asia.csv")
    credible = credenet.credible_networks(data, bayes_factor=20)
    asked = credible.effects({"smoke": "no"}, {"dysp": "yes"}, against="yes", data=data)
    assert found["effects"] == as_json(asked)
    states = {"do": "no", "against": "yes", "state": "yes"}
    assert [(each["kind"], each["states"]) for each in found["effects"][0]["contrasts"]] == [
        ("difference", states),
        ("ratio", states),
        ("odds_ratio", states),
    ]
    done = run("asia.csv", *flags, "-o", "effects.csv", cwd=folder)
    assert "P(dysp = yes) is 0." in done.stdout
    told = re.search(r"is (0\.\d+) lower \(95 % interval (-?0\.\d+) to (0\.\d+)\)", done.stdout)
    assert told is not None
    difference = asked["smoke", "dysp"].contrast("no", "yes", "yes")  # the sentence has by how much it is lower
    numbers = [-number for number in (difference.estimate, difference.high, difference.low) if number is not None]
    assert [float(number) for number in told.groups()] == pytest.approx(numbers, abs=0.00051)
    assert "when smoke is set to no rather than yes; risk ratio 0." in done.stdout
    (row,) = pl.read_csv(folder / "effects.csv").rows(named=True)
    assert row["against"] == "yes"
    assert row["odds_ratio_high"] == found["effects"][0]["contrasts"][2]["high"]


def test_a_network_file(folder: Path) -> None:
    found = answer("effect", "asia.bif", "--do", "smoke", "--on", "lung", cwd=folder)
    assert found["effects"] == as_json(credenet.textbook.asia().effects("smoke", "lung"))
    assert found["effects"][0]["means"]["yes"]["yes"] == pytest.approx(0.1)


def test_a_class(folder: Path) -> None:
    credenet.save_graph(credenet.textbook.asia().dag.cpdag(), folder / "class.txt")
    flags = ["--graph", "class.txt", "--do", "smoke", "--on", "lung", "--adjust", "parents"]
    found = answer("effect", "asia.csv", *flags, cwd=folder)
    data, class_ = credenet.read(folder / "asia.csv"), credenet.load_graph(folder / "class.txt")
    assert found["effects"] == as_json(credenet.effects(class_, "smoke", "lung", data=data, adjust="parents"))
    assert found["untold"] == [["smoke", "lung"]]
    refused = run("asia.csv", *flags[:-2], cwd=folder)
    assert refused.returncode == 1
    assert "does not tell the effect" in refused.stderr


def test_a_graph(folder: Path) -> None:
    found = answer("effect", "asia.csv", "--graph", "graph.txt", "--do", "smoke", "--on", "dysp", cwd=folder)
    data = credenet.read(folder / "asia.csv")
    assert found["effects"] == as_json(credenet.effects(credenet.textbook.asia().dag, "smoke", "dysp", data=data))


def test_names_with_an_equals_sign(tmp_path: Path) -> None:
    data = credenet.Dataset({"a": ["0", "b=0"], "a=b": ["0", "1"]}, np.array([[0, 1], [1, 0], [0, 0]] * 9))
    data.save(tmp_path / "odd.csv")
    for word, x, states in (("a=b=0", "a=b", {"0"}), ("a=0", "a", {"0"}), ("a=b", "a=b", {"0", "1"})):
        (found,) = answer("effect", "odd.csv", "--do", word, cwd=tmp_path)["effects"]
        assert (found["x"], set(found["means"])) == (x, states)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["asia.csv", "--do", "smoking=yes"], "--do names 'smoking', but there is no such variable"),
        (["asia.csv", "--do", "smoke=maybe"], "variable 'smoke' has no state 'maybe'; it has no, yes"),
        (["asia.csv", "--do", "smoke", "--on", "smoke"], "x and y must differ"),
        (["asia.csv", "--on", "cough"], "--on names 'cough', but there is no such variable"),
        (["asia.csv", "--do", "smoke", "--against", "tub=no"], "--against names 'tub', which --do does not set"),
        (["asia.csv", "--do", "smoke", "--against", "smoke"], "--against must have one state of 'smoke', such as"),
        (["asia.csv", "--do", "smoke=no", "--against", "smoke=no"], "against must be another state of 'smoke' than"),
        (["asia.csv", "--do", "smoke", "--on", "lung=maybe"], "variable 'lung' has no state 'maybe'; it has no, yes"),
        (["asia.bif", "--score", "bic"], "--score cannot be given with a network file"),
        (["asia.csv", "--graph", "graph.txt", "--max-parents", 2], "--max-parents cannot be given with --graph"),
        (["asia.csv", "-o", "all.txt"], "effects are written to a .json, .csv or .parquet file"),
        (["asia.csv", "--plot", "all.txt"], "a plot is written as .svg, .png or .pdf"),
        (["asia.csv", "--level", 2], "level must be a number above 0 and below 1, got 2"),
    ],
)
def test_wrong_usage(folder: Path, flags: list[object], message: str) -> None:
    done = run(*flags, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
