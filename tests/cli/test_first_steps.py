"""What a new user sees: ``credenet`` alone, and the files of the tutorial."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import credenet
from commands import answer, credenet_command
from credenet.cli.app import VERBS
from credenet.cli.verbs.tutorial import FILES
from credenet.networks.examples.clinic import COLUMNS, N_ROWS, clinic_network, raw_table

CURED: Any = {
    "drop": ["patient", "site"],
    "discretize": {"age": "cuts:49,69", "temperature": "cuts:37.4,38.9"},
    "decimal": ",",
    "merge_states": {"smoker": {"yes": ["yes", "Yes"]}, "ward": {"B": ["B", "C"]}},
    "repair": True,
}


def test_the_program_alone_says_what_to_do_first(tmp_path: Path) -> None:
    done = credenet_command(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 100
    named = re.findall(r"^  credenet (\w+)", done.stdout, re.MULTILINE)
    assert named[0] == "tutorial"
    assert set(named) <= set(VERBS)
    first = shlex.split(done.stdout.split("\n  ")[1].partition("   ")[0])
    assert credenet_command(*first[1:], cwd=tmp_path).returncode == 0


def test_the_words_fit_a_table_and_a_network(tmp_path: Path) -> None:
    """The commands that are shown work once their words in capitals are replaced."""
    credenet.datasets.asia(100).save(tmp_path / "asia.csv")
    given = {"TABLE.csv": "asia.csv", "MODEL.bif": "asia.bif", "VARIABLE": "lung", "OTHER=STATE": "xray=yes"}
    printed = credenet_command(cwd=tmp_path).stdout
    lines = [line.partition("   ")[0] for line in re.findall(r"^  (credenet .*)", printed, re.MULTILINE)]
    assert len(lines) == 4
    for line in lines:
        done = credenet_command(*(given.get(word, word) for word in line.split()[1:]), cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_files_of_the_tutorial(tmp_path: Path) -> None:
    done = credenet_command("tutorial", "my clinic", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "my clinic").iterdir()) == sorted(FILES)
    first = shlex.split(done.stdout.splitlines()[-1])
    assert first == ["credenet", "info", "my clinic/patients.csv"]
    shown = credenet_command(*first[1:], cwd=tmp_path).stdout
    assert "all cured: credenet info 'my clinic/patients.csv' " in shown
    cured = shlex.split(shown.partition("all cured: ")[2])
    assert credenet_command(*cured[1:], cwd=tmp_path).returncode == 0
    assert credenet.load(tmp_path / "my clinic" / "truth.xdsl").dag == clinic_network().dag
    rules = credenet.Knowledge.load(tmp_path / "my clinic" / "rules.json")
    assert rules.violations(clinic_network().dag) == []


def test_no_file_is_changed(tmp_path: Path) -> None:
    (tmp_path / "clinic").mkdir()
    assert credenet_command("tutorial", cwd=tmp_path).returncode == 0  # An empty folder is as good as a new one.
    before = {path: path.read_bytes() for path in (tmp_path / "clinic").iterdir()}
    again = credenet_command("tutorial", "--seed", "2", cwd=tmp_path)
    assert again.returncode == 2
    assert "clinic exists and would be changed; name a new folder" in again.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "clinic").iterdir()} == before
    assert credenet_command("tutorial", "clinic/columns.txt", cwd=tmp_path).returncode == 2


def test_the_seed_repeats_the_table(tmp_path: Path) -> None:
    assert raw_table(3) == raw_table(3) != raw_table(4)
    told = answer("tutorial", "one", "--seed", "3", cwd=tmp_path)
    assert (told["folder"], told["seed"], set(told["files"])) == ("one", 3, set(FILES))
    assert (tmp_path / "one" / "patients.csv").read_text() == raw_table(3)
    assert json.loads((tmp_path / "one" / "rules.json").read_text())["tiers"]


def test_the_raw_table_is_the_sample_with_faults(tmp_path: Path) -> None:
    """What was drawn is found again but for the rows that are damaged and the rows whose ward was changed."""
    (tmp_path / "patients.csv").write_text(raw_table(1))
    data = credenet.read(tmp_path / "patients.csv", **CURED)
    drawn = clinic_network().sample(N_ROWS, seed=1)
    assert data.n_rows == N_ROWS - 4
    assert set(data.variables) == set(drawn.variables) == set(COLUMNS) - {"patient", "site"}
    assert all(set(data.states[name]) == set(drawn.states[name]) for name in drawn.variables)
    for name in drawn.variables:
        counts = [table.info().counts[name] for table in (data, drawn)]
        assert all(abs(counts[0][state] - counts[1][state]) <= 4 + 3 for state in counts[0]), name
    lines = (tmp_path / "patients.csv").read_text().splitlines()
    assert sum(line == "" for line in lines) == 1
    assert not any(";;" in line for line in lines)
