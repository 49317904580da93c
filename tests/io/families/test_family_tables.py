"""Files of family tables: suffixes, contents, and the real score files."""

from __future__ import annotations

import gzip
import math
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from credenet._files.suffixes import FamilyFormat
from credenet.errors import FormatError
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.io.families.family_tables import load_families, save_families
from shared import ROOT, shared_data

TABLE = FamilyTable.from_lists(
    {"a b": [(-1.0, []), (-0.1, ["c"])], "c": [(-1 / 3, [])], "d": []},
    made=FamilyTableInfo(score="BDeu(ess=1.0)", slack=math.log(20), complete=True),
)
SUFFIXES = [".jkl", ".scores", ".jaa", ".pss", ".parquet"]


def reference_rows() -> list[tuple[str, int, int, int]]:
    """File, variables, parent sets and largest set of the table of score files; nothing where that is absent."""
    readme = ROOT / "README.md"
    if not readme.exists():
        return []
    section = readme.read_text(encoding="utf-8").split("\n## scores/\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    return [(row[0], int(row[1]), int(row[2]), int(row[3])) for row in rows[2:]]


REFERENCE = reference_rows()


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffix_picks_the_format(tmp_path: Path, suffix: str, packed: str) -> None:
    path = tmp_path / f"families{suffix}{packed}"
    TABLE.save(path)
    assert load_families(path) == TABLE
    start = path.read_bytes()[:4]
    assert start.startswith(b"\x1f\x8b") == bool(packed)
    plain = gzip.decompress(path.read_bytes())[:4] if packed else start
    assert (plain == b"PAR1") == (suffix == ".parquet")


@pytest.mark.parametrize("format", ["jkl", "pss", "parquet"])
def test_contents_decide_where_the_suffix_does_not(tmp_path: Path, format: FamilyFormat) -> None:
    path = tmp_path / "wine.BIC.3"
    save_families(TABLE, path, format)
    assert load_families(path) == TABLE
    assert load_families(path, format=format) == TABLE


def test_wrong_formats(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"families can be written as \.jkl, .*, not \.3"):
        save_families(TABLE, tmp_path / "wine.BIC.3")
    with pytest.raises(FormatError, match="without a suffix"):
        save_families(TABLE, tmp_path / "wine")
    load: Any = partial(load_families, format="csv")  # type: ignore[arg-type]
    for call in (load, lambda path: save_families(TABLE, path, "csv")):
        with pytest.raises(FormatError, match="format must be one of jkl, pss, parquet, got 'csv'"):
            call(tmp_path / "families.jkl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".jkl", ".pss", ".3"])
def test_bytes_that_are_not_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"families{suffix}"
    path.write_bytes(b"1\n\xff 1\n-1 0\n")
    with pytest.raises(FormatError, match="is not UTF-8 text") as caught:
        load_families(path)
    assert caught.value.line == 2


def test_line_ends_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "families.jkl"
    path.write_bytes(b"\xef\xbb\xbf1\r\na 1\r\n-1 0\r\n")
    assert load_families(path) == FamilyTable.from_lists({"a": [(-1.0, [])]})


def test_every_score_file_is_in_the_table() -> None:
    names = sorted(path.name for path in shared_data("scores").iterdir())
    assert names == sorted(name for name, *_ in REFERENCE)


@pytest.mark.parametrize(("name", "n_variables", "n_families", "largest"), REFERENCE)
def test_score_files(tmp_path: Path, name: str, n_variables: int, n_families: int, largest: int) -> None:
    table = load_families(shared_data("scores", name))
    statistics = table.statistics()
    assert (statistics.n_variables, statistics.n_families, statistics.largest_set) == (n_variables, n_families, largest)
    assert len(table) == n_families
    assert all(() in [family.parents for family in table.families(name)] for name in table.variables)
    assert table.made == FamilyTableInfo()
    for suffix in (".jkl", ".pss", ".parquet") if n_families < 20_000 else (".parquet",):
        save_families(table, tmp_path / f"copy{suffix}")
        assert load_families(tmp_path / f"copy{suffix}") == table


def test_asia_optimum() -> None:
    table = load_families(shared_data("scores", "asia_1000.jaa"))
    assert table.variables[:2] == ("asia", "bronc")
    assert table.best("bronc", ["smoke"]).parents == ("smoke",)
    empty = DAG(table.variables)
    best = math.fsum(table.best(name).score for name in table.variables)
    assert table.score_of(empty) == math.fsum(table.best(name, []).score for name in table.variables)
    # The optimum lies between the score without edges and the bound without an order.
    assert table.score_of(empty) < -2235.024302 < best


def test_packed_whatever_the_name(tmp_path: Path) -> None:
    shutil.copy(shared_data("scores", "alarm-5000.jkl.gz"), tmp_path / "alarm.3")
    assert len(load_families(tmp_path / "alarm.3")) == 2528
