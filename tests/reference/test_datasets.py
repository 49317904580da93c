"""Every dataset of the shared folder has the size that its table of contents says."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from credenet import read
from shared import shared_data


@cache
def rows_of_the_table() -> dict[str, dict[str, str]]:
    """The table of the section datasets/ in the README: file name to its cells by column name."""
    text = shared_data("README.md").read_text(encoding="utf-8")
    section = text.split("\n## datasets/", 1)[1].split("\n## ", 1)[0]
    lines = [line.strip().strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in lines[0]]
    rows = [dict(zip(names, (cell.strip() for cell in line), strict=True)) for line in lines[2:]]
    return {row["file"]: row for row in rows}


def test_the_table_is_complete() -> None:
    folder = shared_data("datasets")
    assert set(rows_of_the_table()) == {path.name for path in folder.iterdir() if path.name != "README.md"}


def noted(row: dict[str, str], what: str) -> int:
    found = re.search(rf"(\d+) {what}", row["notes"])
    return int(found[1]) if found else 0


def test_sizes_states_and_missing_cells() -> None:
    problems: list[tuple[object, ...]] = []
    for name, row in rows_of_the_table().items():
        continuous = "continuous" in row["notes"]
        header = {"CSV, no header": False, "CSV, header": True}.get(row["format"])
        path = shared_data("datasets", name)
        data = read(path, missing="keep", discretize="frequency:3" if continuous else None)
        assert data == read(path, missing="keep", header=header, discretize="frequency:3" if continuous else None), name
        observed = [len(np.unique(column[column != data.missing_code])) for column in data.codes.T]
        found = (data.n_variables, data.n_rows, sum(data.missing.values()), len(data.info().constant))
        expected = (int(row["n"]), int(row["N"]), int(row["missing cells"]), noted(row, "constant columns"))
        if found != expected:
            problems.append((name, found, expected))
        cut = [observed[data.index(column)] for column in data.cuts]
        assert bool(cut) == continuous, name
        assert set(cut) <= {2, 3}, name
        if not continuous and max(observed) != int(row["max card"]):
            problems.append((name, max(observed), row["max card"]))
        if "arities" in row["format"]:
            unseen = sum(int(k) > seen for k, seen in zip(data.n_states, observed, strict=True))
            if unseen != noted(row, "declared arities exceed observed states"):
                problems.append((name, unseen, row["notes"]))
    assert problems == []


@pytest.mark.parametrize("name", ["gaussian.dat.gz", "housing.csv.gz"])
def test_continuous_files_need_discretising(name: str) -> None:
    with pytest.raises(ValueError, match=r"hold fractional numbers \(.* on line \d+\); discretise them"):
        read(shared_data("datasets", name))
