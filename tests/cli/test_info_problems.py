"""A dirty table: everything that is wrong is told at once, and the cures work as they are printed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from commands import credenet_command
from credenet import Dataset
from credenet.errors import DataError, FormatError


@pytest.fixture
def dirty(tmp_path: Path) -> Path:
    rows = ["id;weight;age;smoker;town;smoker;empty"]
    for k in range(1200):
        smoker = ("yes", "no", "?")[k % 3 if k % 20 == 0 else k % 2]
        rows.append(f"P{k};{60 + k % 7},{k % 10};{20 + k % 50}.5;{smoker};{'ABC'[k % 3]};{k % 2};")
    rows[5] += ";x"
    rows[9] = "1;2"
    rows[12] = rows[12].replace(".5", "o.5")
    (tmp_path / "dirty.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_info_lists_all_problems_and_a_command_that_cures_them(dirty: Path) -> None:
    done = credenet_command("info", "dirty.csv", cwd=dirty)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["smoker", "town", "smoker.2"]
    problems = [line for line in lines if line.startswith("problem: ")]
    for words in (
        "line 1: columns 4 and 6 are both named 'smoker'",
        "line 6: has 8 fields where 7 were expected, and 2 rows in all do not fit (lines 6, 10)",
        "'weight' holds numbers with commas (60,0 on line 2)",
        "'weight' holds fractional numbers",
        "'id' has 1198 states, one for each row",
        "'31o.5' on line 13, which is not a number",
        "'empty' has no values at all",
        "cells are missing in",
    ):
        assert sum(words in problem for problem in problems) == 1, words
    assert len(problems) == 8
    command = lines[-1].removeprefix("all cured: credenet ")
    cured = credenet_command(*shlex.split(command), "--json", cwd=dirty)
    assert cured.returncode == 0, cured.stderr
    result = json.loads(cured.stdout)
    assert result["problems"] == []
    assert result["variables"] == ["weight", "age", "smoker", "town", "smoker.2"]
    assert credenet_command("learn", *shlex.split(command)[1:], "--max-parents", "1", cwd=dirty).returncode == 0


def test_json_has_the_problems(dirty: Path) -> None:
    done = credenet_command("info", "dirty.csv", "--json", cwd=dirty)
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert list(result["counts"]) == ["smoker", "town", "smoker.2"]
    assert all(set(problem) == {"column", "lines", "what", "cure"} for problem in result["problems"])
    found = {(problem["column"], problem["cure"]): problem["lines"] for problem in result["problems"]}
    assert found[None, "--repair"] == [6, 10]
    assert found["smoker.2", "--repair"] == [1]
    assert found["weight", "--decimal ,"] == [2]
    assert found["weight", "--discretize frequency:3"] == [3]
    assert ("id", "--drop id") in found
    assert found["age", "--na-values 31o.5"] == [13]
    assert ("smoker", "--missing drop") in found
    assert result["cure"].startswith("credenet info dirty.csv ")


def test_python_lists_them_too(dirty: Path) -> None:
    with pytest.raises(DataError) as caught:
        credenet.read(dirty / "dirty.csv")
    assert str(caught.value).startswith(f"{dirty / 'dirty.csv'}: 8 problems:\n- line 1: columns 4 and 6")
    cures = str(caught.value).rpartition("all of this is cured by ")[2].replace(" and ", ", ")
    arguments: dict[str, Any] = eval(f"dict({cures})")
    data = credenet.read(dirty / "dirty.csv", **arguments)
    assert data.variables == ("weight", "age", "smoker", "town", "smoker.2")
    assert {problem.column for problem in caught.value.problems} >= {None, "id", "weight", "age", "empty", "smoker"}
    frame = pl.DataFrame({"a": [0.5, 1.5], "b": ["1,5", "2,5"], "c": [None, "x"]})
    with pytest.raises(DataError) as caught:
        Dataset.from_frame(frame)
    arguments = eval(f"dict({str(caught.value).rpartition('cured by ')[2].replace(' and ', ', ')})")
    assert Dataset.from_frame(frame, **arguments).n_rows == 1


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("a,b\n1,2\n1\n2,1\n", "--repair"),
        ("a,b\n1,2\n\n2,1\n", "--repair"),
        ('a,b\n1,2\n3,"x"y\n2,1\n', "--repair"),
        ("a,b,a\n1,2,3\n2,2,3\n", "--repair"),
        ("a,,c\n1,2,3\n2,2,1\n", "--repair"),
        ('a,b\n"1,5",2\n"2,5",1\n', "--decimal , --discretize frequency:3"),
        ('a,b\n"1,500.5",2\n"2,500",1\n', "--decimal . --discretize frequency:3"),
        ("a,b\n1.5,2\n2.5,1\n", "--discretize frequency:3"),
        ("a,b\n1.5,2\n2.5,?\n3.5,1\n", "--discretize frequency:3 --missing drop"),
        ("a,b\n1,?\n,2\n,?\n1,?\n1.5,?\n", "--discretize frequency:3 --drop b --missing drop"),
        ("a,b\n" + "".join(f"{k},x{k}\n" for k in range(1100)), "--drop a,b"),
        ("a,b\n" + "".join(f"{k % 1100},{k % 2}\n" for k in range(2200)), "--discretize a=frequency:3"),
        ("a,\xe9\n1,2\n2,1\n", "--encoding cp1252"),
    ],
)
def test_cures_work_as_printed(text: str, flags: str, tmp_path: Path) -> None:
    """The last line of ``info`` is run as it is printed."""
    (tmp_path / "a table.csv").write_bytes(text.encode("cp1252"))
    done = credenet_command("info", "a table.csv", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    last = done.stdout.splitlines()[-1]
    if flags == "--drop a,b":
        assert last == "no flag cures all of this"  # No flag is left to try.
        return
    assert sorted(re.split(r" (?=--)", last.removeprefix("all cured: credenet info 'a table.csv' "))) == sorted(
        re.split(r" (?=--)", flags)
    )
    cured = credenet_command(*shlex.split(last)[3:], "--json", cwd=tmp_path)
    assert cured.returncode == 0, cured.stderr
    assert json.loads(cured.stdout)["rows"] > 0


def test_repaired_rows_are_noted_with_their_lines(tmp_path: Path) -> None:
    rows = [f"{k % 3},{k % 2}" for k in range(50)]
    rows[7], rows[20], rows[21] = "1,2,3", "", '"1\n2",3,4'
    rows[40] = "1,0.5"
    (tmp_path / "t.csv").write_text("a,b\n" + "\n".join(rows) + "\n")
    with pytest.raises(DataError) as caught:
        credenet.read(tmp_path / "t.csv")
    assert [problem.lines for problem in caught.value.problems] == [(9, 22, 23), (43,)]
    with pytest.raises(DataError, match=r"column 'b' holds fractional numbers \(0.5 on line 43\)"):
        credenet.read(tmp_path / "t.csv", repair=True)
    data = credenet.read(tmp_path / "t.csv", repair=True, discretize="median")
    assert data.n_rows == 47
    assert data.info().remarks[0] == "3 rows do not fit and are left out (lines 9, 22, 23)"
    (tmp_path / "half.csv").write_text("a,b\n1\n2\n1,2\n")
    with pytest.raises(FormatError, match=r"half.csv:2: has 1 field where 2 were expected$"):
        credenet.read(tmp_path / "half.csv", repair=True)


def test_bytes_after_a_row_that_is_left_out_have_the_line_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n1\n2,1\n2,\xff\n1,1\n")
    with pytest.raises(FormatError, match=r"t.csv:5: is not UTF-8 text \(column 'b'\)"):
        credenet.read(tmp_path / "t.csv", repair=True)
    done = credenet_command("info", "t.csv", "--json", cwd=tmp_path)
    problems = {each["what"].split(" (")[0]: each["lines"] for each in json.loads(done.stdout)["problems"]}
    assert problems == {"is not UTF-8 text": [5], "has 1 field where 2 were expected": [3]}


def test_a_table_with_gaps_only_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,?\n2,1\n2,2\n")
    done = credenet_command("info", "t.csv", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["problems"]) == (0, [])
    done = credenet_command("info", "t.csv", "--missing", "error", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "all cured: credenet info t.csv --missing drop")


def test_ingest_does_not_repair(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1\n2,1\n")
    done = credenet_command("ingest", "t.csv", "-o", "t.cnb", "--repair", cwd=tmp_path)
    assert (done.returncode, "credenet convert TABLE FILE.cnb --repair" in done.stderr) == (2, True)
    assert credenet_command("convert", "t.csv", "t.cnb", "--repair", cwd=tmp_path).returncode == 0
    assert len(credenet.read(tmp_path / "t.cnb")) == 2


def test_info_tells_how_many_rows_the_cures_leave(dirty: Path) -> None:
    lines = credenet_command("info", "dirty.csv", cwd=dirty).stdout.splitlines()
    assert re.fullmatch(r"left by the cures: 1,\d{3} of 1,198 rows, 5 variables", lines[-2])


def test_convert_tells_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,?\n2,1\n2,2\n")
    done = credenet_command("convert", "t.csv", "c.csv", "--missing", "drop", cwd=tmp_path)
    assert "remark: 1 of 3 rows have missing cells and are left out; 'b' alone lacks 1 cell" in done.stderr


def test_the_cures_leave_out_what_a_remark_advises_to(tmp_path: Path) -> None:
    """The gaps of a free text would cost rows, and an identifier would be a variable."""
    lines = [
        f"{k},{k / 7:.2f},{'' if k % 3 == 0 else f'a pupil who reads very well {k}'},{'yn'[k % 2]}" for k in range(60)
    ]
    (tmp_path / "t.csv").write_text("pupil,sleep,comment,passed\n" + "\n".join(lines) + "\n")
    left, cured = credenet_command("info", "t.csv", cwd=tmp_path).stdout.splitlines()[-2:]
    assert left == "left by the cures: 60 rows, 2 variables, without 'pupil', 'comment' (see the remarks)"
    assert cured == "all cured: credenet info t.csv --drop pupil,comment --discretize frequency:3"
