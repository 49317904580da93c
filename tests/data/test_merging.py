"""States that become one, and the remarks that advise it."""

from __future__ import annotations

import ast
import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from commands import answer, credenet_command
from credenet import Dataset
from credenet.cli.arguments.merges import read_merges, write_merges
from credenet.data.remarks.states import RARE, groups_to_merge
from credenet.errors import ArgumentError, DataError

labels = st.text('ab+:=" ', min_size=1, max_size=4)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_rows_get_the_new_label(draw: st.DataObject) -> None:
    states = draw.draw(st.lists(st.sampled_from("abcdefg"), unique=True, min_size=2))
    cells = draw.draw(st.lists(st.sampled_from(states) | st.none(), min_size=1, max_size=20))
    names = draw.draw(st.lists(st.sampled_from([*"XY", None]), min_size=len(states), max_size=len(states)))
    groups: dict[str, list[str]] = {}
    for state, name in zip(states, names, strict=True):
        if name is not None:
            groups.setdefault(name, []).append(state)
    codes = np.array([[-1 if cell is None else states.index(cell), 0] for cell in cells])
    data = Dataset({"x": states, "y": ["u"]}, codes).merge_states("x", groups)
    new_of = dict(zip(states, names, strict=True))
    expected = [cell if cell is None else new_of[cell] or cell for cell in cells]
    assert data.to_polars()["x"].to_list() == expected
    assert data.states["x"] == tuple(dict.fromkeys(new_of[state] or state for state in states))


def test_files_frames_and_block_files_agree(tmp_path: Path) -> None:
    rows = [("Yes", "1"), ("yes", "2"), ("no", "3"), ("?", "1")] * 150
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows))
    groups = {"a": {"yes": ["Yes", "yes"]}, "b": {"1+3": ["1", "3"]}}
    for missing in ("drop", "state", "keep"):
        options: Any = {"merge_states": groups, "missing": missing}
        data = credenet.read(tmp_path / "t.csv", **options)
        assert data.states["a"][:2] == ("yes", "no")
        assert data.states["b"] == ("1+3", "2")
        later = credenet.read(tmp_path / "t.csv", missing=missing)
        for name in groups:
            later = later.merge_states(name, groups[name])
        assert later == data
        assert credenet.ingest(tmp_path / "t.csv", tmp_path / "t.cnb", merge="no", **options) == data
        frame = pl.read_csv(tmp_path / "t.csv", null_values="?", infer_schema=False)
        assert Dataset.from_frame(frame, **options) == data
    enums = frame.cast({"a": pl.Enum(["no", "yes", "Yes"])})
    enums.drop_nulls().write_parquet(tmp_path / "t.parquet")
    data = credenet.ingest(tmp_path / "t.parquet", tmp_path / "p.cnb", merge_states=groups)
    assert data.states["a"] == ("no", "yes")
    with pytest.raises(ArgumentError, match="merge_states cannot be given for data that are coded already"):
        credenet.read(tmp_path / "p.cnb", merge_states=groups)


def test_mistakes(tmp_path: Path) -> None:
    data = Dataset({"a": ["Yes", "no", "yes"], "b": ["0", "1"]}, np.array([[0, 0], [1, 1], [2, 0]]))
    for groups, message in (
        ({"y": ["Yes", "yess"]}, r"'yess' is to be merged in column 'a', which has no such state; did you mean 'yes'"),
        ({"no": ["Yes", "yes"]}, r"has a state 'no' already; name it among those merged: \['no', 'Yes', 'yes'\]"),
        ({"y": ["Yes"], "z": ["Yes", "yes"]}, "merges 'Yes' twice, into 'y' and 'z'"),
        ({"y": []}, "names no states for 'y'"),
        ("y", "groups must map names to"),
    ):
        with pytest.raises((ArgumentError, DataError), match=message):
            data.merge_states("a", groups)  # type: ignore[arg-type]
    (tmp_path / "t.csv").write_text("a,b\n" + "Yes,0.5\nno,1.5\nno,0.5\n" * 60)
    read = credenet.read(tmp_path / "t.csv", discretize="median", merge_states={"a": {"yes": ["Yes", "yess"]}})
    assert read.states["a"] == ("yes", "no")
    assert read.info().remarks == ("'yess' is to be merged in column 'a', which has no such state",)
    with pytest.raises(DataError, match="merge_states names the column 'c', which is not among the variables"):
        credenet.read(tmp_path / "t.csv", discretize="median", merge_states={"c": {"yes": ["Yes", "yes"]}})
    with pytest.raises(DataError, match="column 'b' was cut into intervals, which are not merged; choose other cuts"):
        credenet.read(tmp_path / "t.csv", discretize="median", merge_states={"b": {"x": ["<=1", ">1"]}})


@given(st.dictionaries(labels, st.dictionaries(labels, st.lists(labels, min_size=2, unique=True), min_size=1)))
@settings(max_examples=200, deadline=None)
def test_flags_are_read_as_they_are_written(merges: dict[str, dict[str, list[str]]]) -> None:
    assert (read_merges(list(write_merges(merges))) or {}) == merges


def test_wrong_flags(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\nx\ny\n")
    for flag in ("a", "a=", "a=x", "=x+y", "a=x+", "a=x+y:", "a=x:y:z", 'a="x+y'):
        done = credenet_command("info", "t.csv", "--merge", flag, cwd=tmp_path)
        assert (done.returncode, "must be COLUMN=a+b or COLUMN=a+b:new, got" in done.stderr) == (2, True), flag
    assert answer("info", "t.csv", "--merge", "a=x+y", cwd=tmp_path)["counts"] == {"a": {"x+y": 2}}
    done = credenet_command(
        "ingest", "t.csv", "-o", "t.cnb", "--merge-states", "a=x+y:z", "--merge", "no", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert credenet.read(tmp_path / "t.cnb").states == {"a": ("z",)}


def test_remarks_on_look_alikes_and_rare_states_cure_as_printed(tmp_path: Path) -> None:
    """Each cure is followed as it is printed, in Python and on the command line."""
    rows = 200
    columns = {
        "answer": [("Yes", "yes ", "no", "NO")[k % 4] for k in range(rows)],
        "age": [("20-29", "30-39", "5-9", "100+")[k % 3 if k > 2 else 3] for k in range(rows)],
        "town": ["ABCD"[k % 2 if k > 4 else 2 + k % 2] for k in range(rows)],
        "rare": ["yes" if k in (7, 9) else "no" for k in range(rows)],
        "sex": ["mf"[k * k % 3 == 0] for k in range(rows)],
    }
    frame = pl.DataFrame(columns)
    alike, rare, binary = Dataset.from_frame(frame).info().remarks
    assert alike.startswith("states differ only by case or blanks: 'NO', 'no' and 'Yes', 'yes ' of 'answer'; if they")
    assert "'100+' (3) of 'age', 'C' (3), 'D' (2) of 'town'; merge those that mean much the same, such as" in rare
    assert binary.endswith("'yes' (2) of 'rare'; get more rows, or leave out with drop=['rare']")
    merges: dict[str, dict[str, list[str]]] = {}
    for remark in (alike, rare):
        merges |= ast.literal_eval(remark.partition("merge_states=")[2])
    cured = Dataset.from_frame(frame, drop="rare", merge_states=merges)
    assert cured.info().remarks == ()
    assert cured.info().counts["answer"] == {"NO": 100, "Yes": 100}
    assert cured.states["age"] == ("30-39+100+", "20-29", "5-9")
    frame.with_columns(answer=pl.col("answer").str.replace(" ", "")).write_csv(tmp_path / "t.csv")
    remarks = answer("info", "t.csv", cwd=tmp_path)["remarks"]
    flags = [word for remark in remarks[:2] for word in shlex.split("--merge" + remark.partition("--merge")[2])]
    result = answer("info", "t.csv", *flags, "--drop", "rare", cwd=tmp_path)
    assert result["remarks"] == []
    assert result["counts"]["town"] == {"A": 97, "B": 98, "D+C": 5}


@given(st.dictionaries(st.sampled_from([*"abcdefgh", *map(str, range(20))]), st.integers(1, 12), min_size=3))
@settings(max_examples=200, deadline=None)
def test_merged_states_have_rows_enough(counts: dict[str, int]) -> None:
    groups = groups_to_merge(counts)
    merged = [label for group in groups.values() for label in group]
    assert len(set(merged)) == len(merged)
    rare = {label for label, number in counts.items() if number < RARE}
    assert rare <= set(merged)
    are_numbers = all(map(str.isdigit, counts)) and sum(counts.values()) >= RARE
    for group in groups.values() if are_numbers else ():
        assert sum(counts[label] for label in group) >= RARE
        between = [label for label in counts if int(group[0]) <= int(label) <= int(group[-1])]
        assert sorted(between, key=int) == group


def test_weighted_rows_make_no_remark_on_rare_states() -> None:
    codes = np.array([[0], [1], [2]] * 40 + [[3]])
    states = {"a": ["u", "v", "w", "x"]}
    assert "'x' (1) of 'a'" in Dataset(states, codes).info().remarks[0]
    assert Dataset(states, codes, weights=np.full(121, 9.0)).info().remarks == ()


def test_json_counts(tmp_path: Path) -> None:
    data = credenet.textbook.asia().sample(50, seed=2)
    counts = json.loads(data.info().to_json())["counts"]
    for name, column in zip(data.variables, data.to_polars(), strict=True):
        assert counts[name] == {label: column.to_list().count(label) for label in data.states[name]}
