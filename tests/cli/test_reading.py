"""How the verbs read tables: flags, remarks on stderr, errors that speak of flags."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import credenet
from commands import PROGRAM, Done, credenet_command
from credenet.errors import FormatError


def run(*arguments: object, cwd: Path) -> Done:
    return credenet_command(*arguments, cwd=cwd)


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A folder with a table as a spreadsheet in Germany exports it."""
    rows = [f"P{k};{60 + k % 7},5;{('ja', 'nein')[k % 2]};{('None', 'a', 'b')[k % 3]};x" for k in range(60)]
    text = "\n".join(["id;gewicht;raucher;grad;größe", *rows]) + "\n"
    (tmp_path / "clinic.txt").write_bytes(text.encode("cp1252"))
    return tmp_path


FLAGS = ("--encoding", "cp1252", "--decimal", ",", "--discretize", "median")


def test_every_step_says_what_to_do_next(clinic: Path) -> None:
    done = run("info", "clinic.txt", cwd=clinic)
    assert done.returncode == 1
    assert "--encoding cp1252" in done.stdout
    assert "column 'gewicht' holds numbers with commas (60,5 on line 2); pass --decimal , if these" in done.stdout
    assert "discretise it, for instance with --discretize frequency:3" in done.stdout
    done = run("info", "clinic.txt", *FLAGS[:4], cwd=clinic)
    assert done.stdout.splitlines()[-1].startswith("all cured: credenet info clinic.txt --encoding cp1252 ")
    done = run("info", "clinic.txt", *FLAGS, cwd=clinic)
    assert done.returncode == 0
    assert done.stderr == ""
    remarks = [line for line in done.stdout.splitlines() if line.startswith("remark: ")]
    assert remarks[0].endswith("leave it out with --drop id")
    assert remarks[1].endswith("leave it out with --drop 'größe'")
    assert remarks[2].endswith("if that stands for a missing cell, pass --na-values None")
    wanted = ["--drop", "id,größe", "--na-values", "None"]
    result = json.loads(run("info", "clinic.txt", *FLAGS, *wanted, "--json", cwd=clinic).stdout)
    assert result["variables"] == ["gewicht", "raucher", "grad"]
    assert result["missing"]["grad"] == 20
    assert result["remarks"] == []
    columns = json.loads(run("info", "clinic.txt", *FLAGS, "--columns", "grad,raucher", "--json", cwd=clinic).stdout)
    assert columns["variables"] == ["grad", "raucher"]


@pytest.mark.parametrize("verb", ["learn", "score", "credible"])
def test_learning_remarks_on_stderr(clinic: Path, verb: str) -> None:
    done = run(verb, "clinic.txt", *FLAGS, "--max-parents", 1, "--drop", "id", "--json", cwd=clinic)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    assert [line[:24] for line in done.stderr.splitlines()] == ["remark: column 'größe' h", "remark: column 'grad' ha"]


def test_missing_cells_are_not_advised_to_be_kept(clinic: Path) -> None:
    flags = (*FLAGS, "--drop", "id", "--na-values", "None")
    done = run("learn", "clinic.txt", *flags, cwd=clinic)
    assert done.returncode == 1
    assert "--missing drop" in done.stderr
    assert "keep" not in done.stderr
    done = run("learn", "clinic.txt", *flags, "--missing", "keep", cwd=clinic)
    assert done.returncode == 1
    assert "read the data with --missing drop" in done.stderr
    done = run("learn", "clinic.txt", *flags, "--missing", "drop", cwd=clinic)
    assert done.returncode == 0
    assert "remark: 20 of 60 rows have missing cells and are left out" in done.stderr


def test_a_label_may_begin_with_a_dash(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n-9,-\n1,2\n")
    result = json.loads(run("info", "t.csv", "--na-values", "-9,-", "--json", cwd=tmp_path).stdout)
    assert result["missing"] == {"a": 1, "b": 1}
    result = json.loads(run("info", "t.csv", "--na-values", "-", "--na-values", "-9", "--json", cwd=tmp_path).stdout)
    assert result["missing"] == {"a": 1, "b": 1}


def test_names_with_commas(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"a, b",c,d\n1,2,3\n')
    result = json.loads(run("info", "t.csv", "--drop", '"a, b",d', "--json", cwd=tmp_path).stdout)
    assert result["variables"] == ["c"]


class TestContentsDecide:
    def test_tables_and_graphs_named_txt(self, tmp_path: Path) -> None:
        (tmp_path / "t.txt").write_text("a,b\n0,0\n1,1\n0,0\n1,1\n1,0\n")
        (tmp_path / "g.txt").write_text("a -> b\n")
        (tmp_path / "m.txt").write_text("[a][b|a]\n")
        (tmp_path / "model").write_text("[a][b|a]\n")
        assert json.loads(run("info", "t.txt", "--json", cwd=tmp_path).stdout)["rows"] == 5
        for name in ("g.txt", "m.txt", "model"):
            assert json.loads(run("info", name, "--json", cwd=tmp_path).stdout)["arcs"] == 1
            assert run("fit", "t.txt", "--graph", name, cwd=tmp_path).returncode == 0
            done = run("learn", name, cwd=tmp_path)
            assert done.returncode == 1
            assert f"{name}: looks like a graph, not a table of data; pass --format csv if it is one" in done.stderr
        assert run("learn", "t.txt", cwd=tmp_path).returncode == 0
        done = run("fit", "t.txt", "--graph", "t.txt", cwd=tmp_path)
        assert done.returncode == 1
        assert "t.txt: looks like a table of data, not a graph" in done.stderr

    def test_families(self, tmp_path: Path) -> None:
        credenet.textbook.asia().sample(200, seed=1).save(tmp_path / "asia.csv")
        for name in ("f.jkl", "f.parquet"):
            run("score", "asia.csv", "--max-parents", 2, "-o", name, cwd=tmp_path)
            result = json.loads(run("info", name, "--json", cwd=tmp_path).stdout)
            assert result["families"] > 8
            assert result["max_parents"] == 2
        with pytest.raises(FormatError, match="holds families with their scores, not a table of data"):
            credenet.read(tmp_path / "f.jkl")

    def test_standard_input_is_read_once(self, tmp_path: Path) -> None:
        words, rows = [str(PROGRAM), "learn", "/dev/stdin", "--json"], "a,b\n0,0\n1,1\n0,0\n1,1\n"
        done = subprocess.run(words, cwd=tmp_path, input=rows, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["status"] == "optimal"
