"""The commands that ``credenet learn`` shows on a terminal fit its result, and work as they are printed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

import credenet
from commands import PROGRAM, Done, credenet_command
from credenet.cli import next_commands
from credenet.settings.scores import SCORES

pytestmark = pytest.mark.usefixtures("folder")
WIDE = credenet.random.network(credenet.random.dag(21, n_edges=20, max_parents=2, seed=1), seed=2)


def learn_on_terminal(*words: object, cwd: Path) -> Done:
    with patch("credenet.cli.next_commands.is_terminal", return_value=True):
        return credenet_command("learn", *words, cwd=cwd)


def commands_after(*words: object, cwd: Path) -> list[list[str]]:
    """The words of the commands that are shown after ``credenet learn``."""
    told = learn_on_terminal(*words, cwd=cwd).stderr.partition("\nnext:\n")[2].splitlines()
    assert all(line.startswith("      ") for line in told[1::2])
    return [shlex.split(line) for line in told[::2]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.datasets.asia(300, seed=1).save(tmp_path / "asia.csv")
    credenet.score_families(credenet.datasets.asia(300, seed=1)).save(tmp_path / "asia.jkl")
    credenet.score_families(credenet.datasets.asia(300, seed=1), slack=4).save(tmp_path / "slack.jkl")
    WIDE.sample(300, seed=1).save(tmp_path / "wide.csv")
    lines = ["id;dose (mg);arm;reply=?", *(f"P{k};{k % 7},5;{'ab'[k % 2]};{'yn'[k % 3 % 2]}" for k in range(60)), "P;1"]
    (tmp_path / "my table.csv").write_text("\n".join(lines) + "\n")
    credenet.Knowledge(tiers=[["asia", "smoke"], ["tub", "lung", "bronc"], ["either"], ["xray", "dysp"]]).save(
        tmp_path / "tiers.json"
    )
    credenet.Knowledge(ancestral=[("smoke", "dysp")]).save(tmp_path / "paths.json")
    return tmp_path


READING = ["--repair", "--decimal", ",", "--drop", "id", "--discretize", "median"]
CASES = [
    ("asia.csv", "posterior learn effect"),
    ("asia.csv -o a.bif", "posterior query effect"),
    ("asia.csv -o a.txt", "posterior fit effect"),
    ("asia.csv -o a.uai", "posterior draw learn"),
    ("asia.csv -o a.bif --tree-width 2", "query effect posterior"),
    ("asia.csv -o a.bif --method pc", "posterior query effect"),
    ("asia.csv -o a.bif --score bic --max-parents=2 --knowledge tiers.json", "posterior query effect"),
    ("asia.csv -o a.bif --knowledge paths.json", "learn query effect"),
    ("asia.csv -o a.bif --prior ssp --bootstrap 3", "query effect draw"),
    ("asia.csv --columns asia,smoke --header", "posterior learn learn"),
    ("asia.jkl", "learn info learn"),
    ("asia.jkl -o a.txt", "draw info learn"),
    ("slack.jkl", "credible learn info"),
    ("wide.csv -o w.bif --max-parents 2 --method ilp", "credible query effect"),
    ("wide.csv -o w.bif --method hill_climb", "posterior query effect"),
    ("wide.csv --method hill_climb -o w.txt --time-limit 1000", "posterior fit draw"),
]


@pytest.mark.parametrize(("given", "verbs"), CASES)
def test_commands_fit_and_work(given: str, verbs: str, folder: Path) -> None:
    found = commands_after(*given.split(), cwd=folder)
    assert [words[1] for words in found] == verbs.split()
    for words in found:
        assert words[0] == "credenet"
        quick = [{"10m": "2s"}.get(word, word) for word in words[1:]]
        done = credenet_command(*quick, cwd=folder)
        assert done.returncode == 0 or (quick != words[1:] and done.returncode == 3), f"{words}\n{done.stderr}"


def test_names_are_quoted_and_the_table_is_read_alike(folder: Path) -> None:
    found = commands_after("my table.csv", *READING, "-o", "my net.bif", cwd=folder)
    for words in found:
        done = credenet_command(*words[1:], cwd=folder)
        assert done.returncode == 0, f"{words}\n{done.stderr}"
    assert all(set(READING) <= set(words) for words in found if "my table.csv" in words)


@pytest.mark.parametrize("score", sorted(SCORES.names))
def test_every_score(score: str, folder: Path) -> None:
    credenet.textbook.asia().save(folder / "asia.bif")
    text = "bde(network=asia.bif)" if score == "bde" else score
    for words in commands_after("asia.csv", "--score", text, "--max-parents", "2", cwd=folder):
        assert credenet_command(*words[1:], cwd=folder).returncode == 0, words


def test_a_search_that_ended_early_gets_more_time(folder: Path) -> None:
    learned = learn_on_terminal("wide.csv", "--time-limit", "1e-3", "-o", "w.bif", cwd=folder)
    assert learned.returncode == 3
    # No command fits if no network was found.
    assert ("next:" in learned.stderr) <= ("credenet learn wide.csv --time-limit 0.01s -o w.bif" in learned.stderr)


def test_more_time_replaces_the_limit() -> None:
    result = credenet.learn(credenet.datasets.asia(50), method="hill_climb")
    for given in (["--time-limit", "2m"], ["--time-limit=2m"]):
        from dataclasses import replace

        learned = next_commands.LearnedNetwork(
            replace(result, status="time_limit"), ["a.csv", *given, "-o", "b.bif"], Path("a.csv"), None, None, None
        )
        assert next_commands.next_commands(learned)[0].line == "credenet learn a.csv --time-limit 1200s -o b.bif"


def test_no_file_is_overwritten(folder: Path) -> None:
    assert commands_after("asia.csv", cwd=folder)[1][-2:] == ["-o", "asia.bif"]
    (folder / "asia.bif").write_text("mine")
    assert commands_after("asia.csv", cwd=folder)[1][-2:] == ["-o", "asia-2.bif"]


def test_silence_elsewhere(folder: Path) -> None:
    assert "next:" not in credenet_command("learn", "asia.csv", cwd=folder).stderr
    assert "next:" not in learn_on_terminal("asia.csv", "--json", cwd=folder).stderr
    rules = credenet.Knowledge(independences=[("asia", "tub"), ("smoke", "lung")], min_edges=4)
    rules.save(folder / "never.json")
    words = ("--columns", "asia,tub,smoke,lung", "--knowledge", "never.json")
    never = learn_on_terminal("asia.csv", *words, cwd=folder)
    assert (never.returncode, "no network obeys" in never.stdout, "next:" in never.stderr) == (1, True, False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminal")
def test_a_real_terminal(folder: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [str(PROGRAM), "learn", "asia.csv"]
    subprocess.run(command, cwd=folder, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, check=True)
    os.close(theirs)
    printed = b""
    try:
        while piece := os.read(ours, 65536):
            printed += piece
    except OSError:  # The end of what a closed terminal holds.
        pass
    os.close(ours)
    assert b"next:\r\n  credenet posterior asia.csv\r\n" in printed


def test_info_shows_how_to_go_on(folder: Path) -> None:
    """A table that needs flags is written without need of them, and then learned from; the commands work."""
    with patch("credenet.cli.next_commands.is_terminal", return_value=True):
        plain = credenet_command("info", "asia.csv", cwd=folder)
        read = credenet_command("info", "my table.csv", *READING, cwd=folder)
        bad = credenet_command("info", "my table.csv", cwd=folder)
    assert "\nnext:" not in bad.stderr
    assert plain.stderr.splitlines()[2] == "  credenet learn asia.csv -o asia.bif"
    lines = read.stderr.partition("\nnext:\n")[2].splitlines()[::2]
    assert [shlex.split(line)[1] for line in lines] == ["convert", "learn"]
    for line in lines:
        assert credenet_command(*shlex.split(line)[1:], cwd=folder).returncode == 0, line


def test_effects_without_knowledge_say_how_to_give_it(folder: Path) -> None:
    flags = ("effect", "asia.csv", "--do", "smoke", "--on", "bronc=yes")
    with patch("credenet.cli.next_commands.is_terminal", return_value=True):
        alone = credenet_command(*flags, cwd=folder)
        known = credenet_command(*flags, "--knowledge", "tiers.json", cwd=folder)
    text = alone.stderr.partition("a file such as ")[2].partition(";\n")[0]
    (folder / "rules.json").write_text(text)
    assert credenet.Knowledge.load(folder / "rules.json").tiers == (("smoke",), ("bronc",))
    assert "Say what comes first" not in known.stderr
